"""Where tables are kept: one folder with one journal per table, and the name of the table used last."""

from __future__ import annotations

import os
import re
from pathlib import Path

from companion.engine.errors import CompanionError
from components.phrasing import suggest

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}")


class ShelfError(CompanionError):
    """No such table, or a name that no table can have."""


class Shelf:
    """The tables below `home` (which need not exist yet)."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.folder = home / "tables"

    def path(self, name: str) -> Path:
        """The journal of the table `name`, whether it exists or not."""
        if not _NAME.fullmatch(name) or ".." in name:
            raise ShelfError(
                f"{name!r} cannot be the name of a table; use letters from a to z, digits, '-', '_' and '.'"
            )
        return self.folder / f"{name}.db"

    def names(self) -> list[str]:
        return sorted(p.stem for p in self.folder.glob("*.db") if not p.name.startswith("."))

    def existing(self, name: str) -> Path:
        """The journal of a table that exists. Raises ShelfError with the nearest name."""
        path = self.path(name)
        if not path.is_file():
            names = self.names()
            hint = suggest(name, names) or "; there are no tables yet"
            raise ShelfError(f"no table is called {name!r}{hint}")
        return path

    def last(self) -> str:
        """The table used last. Raises ShelfError if there is none."""
        try:
            name = (self.home / "last-table").read_text(encoding="utf-8").strip()
        except (OSError, UnicodeDecodeError):
            name = ""
        if name in self.names():
            return name
        names = self.names()
        if len(names) == 1:
            return names[0]
        if names:
            raise ShelfError(f"which table? Give --table with one of {', '.join(names)}")
        raise ShelfError("there are no tables yet; begin one with `companion new GAME SEAT=NAME … --table NAME`")

    def remember(self, name: str) -> None:
        """Note that `name` was used last."""
        note = self.home / "last-table"
        try:
            if note.read_text(encoding="utf-8").strip() == name:
                return
        except (OSError, UnicodeDecodeError):
            pass
        self.home.mkdir(parents=True, exist_ok=True)
        half = self.home / f".last-table.{os.getpid()}"
        half.write_text(name + "\n", encoding="utf-8")
        half.replace(note)


__all__ = ["Shelf", "ShelfError"]
