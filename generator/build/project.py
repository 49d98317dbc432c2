"""The layouts of a project's folder."""

from __future__ import annotations

from pathlib import Path

from generator.paper.formats import LAYOUTS


def layouts_of(project: Path) -> Path:
    """The folder with a project's layouts; the package's own if the project has none."""
    folder = project / "layouts"
    return folder if folder.is_dir() else LAYOUTS


def look_files(project: Path, game_id: str) -> list[Path]:
    """Every layout file that the sheets of a game may depend on: the shared ones and the game's own."""
    found: set[Path] = set()
    for base in {LAYOUTS, layouts_of(project).resolve()}:
        found.update(file for file in base.glob("*.yaml") if file.is_file())
        found.update(file for file in (base / game_id).rglob("*") if file.is_file())
    return sorted(found)
