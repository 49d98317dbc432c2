"""A small game to start from: copied from `generator/starter_game/`, ready to be built."""

from __future__ import annotations

from pathlib import Path

from components.files import write_whole

SOURCE = Path(__file__).parent / "starter_game"


def make_starter(folder: Path) -> list[Path]:
    """Copy the starter game into `folder` and return the files made. Raises OSError."""
    made: list[Path] = []
    for file in sorted(SOURCE.rglob("*.yaml")):
        target = folder / file.relative_to(SOURCE)
        write_whole(target, file.read_bytes(), below=folder)
        made.append(target)
    return made
