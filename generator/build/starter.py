"""A small game to start from: copied from `generator/starter_game/` under a name of its own, ready to be built."""

from __future__ import annotations

import re
from keyword import iskeyword
from pathlib import Path

from components.files import write_whole

SOURCE = Path(__file__).parent / "starter_game"


def make_starter(folder: Path) -> list[Path]:
    """Copy the starter game into `folder`, named after it, and return the files made. Raises OSError."""
    name = re.sub(r"[^A-Za-z0-9]+", "-", folder.resolve().name).strip("-")[:60] or "my-game"
    words = name.split("-")
    prefix = "".join(word[0] for word in words) if len(words) > 1 else name[:2]
    module = re.sub(r"^(?=\d)", "game_", name.replace("-", "_"))
    kind = "".join(map(str.capitalize, module.split("_")))
    names = {
        "lantern-walk": name,
        "lantern_walk": module,
        "Lantern Walk": " ".join(map(str.capitalize, words)),
        "LanternWalk": f"{kind}Rules" if iskeyword(kind) else kind,
        "LW": prefix.upper(),
    }
    made: list[Path] = []
    for file in sorted(path for path in SOURCE.rglob("*") if path.suffix in (".yaml", ".py")):
        target = folder / _renamed(file.relative_to(SOURCE).as_posix(), names)
        write_whole(target, _renamed(file.read_text("utf-8"), names).encode(), below=folder)
        made.append(target)
    return made


def _renamed(text: str, names: dict[str, str]) -> str:
    return re.sub("|".join(names), lambda found: names[found[0]], text)
