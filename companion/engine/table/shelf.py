"""The folders of tables: one with one journal per table, one for archived tables, and the name of the table
used last."""

from __future__ import annotations

import re
import sqlite3
from contextlib import suppress
from pathlib import Path

from companion.engine.errors import CompanionError
from companion.engine.table.aside import moved
from components.files import write_whole
from components.phrasing import suggest

LETTERS = "up to 64 letters from a to z, digits, '-', '_' and '.'"
SERVED = ".phones"
"""The folder beside tables with what `companion serve` keeps of each: its links and open questions."""
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}")


class ShelfError(CompanionError):
    """No such table, or a name that no table can have."""


class Shelf:
    """The tables below `home` (which need not exist yet)."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.folder = home / "tables"
        self.attic = self.folder / "archived"

    def path(self, name: str, *, archived: bool = False) -> Path:
        """The journal of the table `name`, whether it exists or not."""
        if not _is_name(name):
            raise ShelfError(f"{name!r:.80} cannot be the name of a table; use {LETTERS}")
        return self._folder(archived) / f"{name}.db"

    def names(self, *, archived: bool = False) -> list[str]:
        """The tables there are, by name."""
        return [path.stem for path in self._files(archived) if _is_name(path.stem)]

    def misnamed(self, *, archived: bool = False) -> list[Path]:
        """Files among the tables whose names no table can have: a file manager calls a copy `friday (copy).db`."""
        return [path for path in self._files(archived) if not _is_name(path.stem)]

    def _folder(self, archived: bool) -> Path:
        return self.attic if archived else self.folder

    def _files(self, archived: bool) -> list[Path]:
        return sorted(path for path in self._folder(archived).glob("*.db") if not path.name.startswith("."))

    def free(self, name: str) -> Path:
        """The journal for a new table of that name. Raises ShelfError if a table has the name already."""
        for archived in (False, True):
            if self.path(name, archived=archived).exists():
                there = "already exists and is archived" if archived else "already exists"
                raise ShelfError(f"table {name!r} {there}; choose another name")
        return self.path(name)

    def existing(self, name: str, *, archived: bool = False) -> Path:
        """The journal of a table that exists. Raises ShelfError with the nearest name."""
        path = self.path(name, archived=archived)
        if not path.is_file():
            if self.path(name, archived=not archived).is_file():
                back = f"is archived; `companion archive {name} --undo` brings it back"
                raise ShelfError(f"table {name!r} {'is not archived' if archived else back}")
            names = self.names(archived=archived)
            hint = suggest(name, names) or f"; there are no {'archived tables' if archived else 'tables yet'}"
            raise ShelfError(f"no table is called {name!r}{hint}")
        return path

    def move(self, path: Path, to: Path) -> None:
        """Give a table another place. Raises ShelfError if another program is writing to it at this moment."""
        _settle(path)
        moved(path, to)
        if path.stem != to.stem and (links := self._links(path)).exists():
            links.replace(self._links(to))

    def delete(self, path: Path) -> None:
        """Remove a table for good. Raises ShelfError if another program is writing to it at this moment."""
        _settle(path)
        path.unlink()
        self._links(path).unlink(missing_ok=True)  # a later table of that name has links of its own

    def _links(self, table: Path) -> Path:
        return self.folder / SERVED / f"{table.stem}.json"

    def last(self) -> str:
        """The table used last. Raises ShelfError if there is none."""
        if (name := self.used_last()) in self.names():
            return name
        names = self.names()
        if len(names) == 1:
            return names[0]
        if names:
            raise ShelfError(f"which table? Give --table with one of {', '.join(names)}")
        raise ShelfError("there are no tables yet; begin one with `companion new GAME SEAT=NAME … --table NAME`")

    def used_last(self) -> str:
        """The name that was noted last, whether there still is such a table; "" if there is none."""
        try:
            return (self.home / "last-table").read_text(encoding="utf-8").strip()
        except (OSError, UnicodeDecodeError):
            return ""

    def remember(self, name: str) -> None:
        """Note that `name` was used last. Where that cannot be noted, it is not: the table is what counts."""
        if self.used_last() == name:
            return
        with suppress(OSError):
            self.home.mkdir(parents=True, exist_ok=True)
            write_whole(self.home / "last-table", f"{name}\n".encode(), sync=True)


def _is_name(name: str) -> bool:
    return _NAME.fullmatch(name) is not None and ".." not in name


def _settle(path: Path) -> None:
    """Put right what a crash has left half written in a journal, which cannot be done once it lies elsewhere. Raises
    ShelfError if another program is writing to it."""
    connection = sqlite3.connect(path, timeout=1.0, isolation_level=None)
    try:
        connection.execute("BEGIN EXCLUSIVE")
    except sqlite3.OperationalError as error:
        if getattr(error, "sqlite_errorcode", 0) & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            raise ShelfError(f"{path}: another program is writing to this table; try again in a moment") from None
    except sqlite3.DatabaseError:
        pass  # a damaged file may be moved all the same
    finally:
        connection.close()


__all__ = ["Shelf", "ShelfError"]
