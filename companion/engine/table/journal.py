"""A table's journal: one SQLite file, append only. A line is on the disk before the prompt returns.

The file holds the resolved game (so that a change of the rules never changes a running game), who sits where, the
position at the start, and the entries. Several processes may hold the same file open: whoever writes takes the write
lock first and reads what came meanwhile.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec

from companion.engine.errors import CompanionError
from companion.engine.table.aside import made_aside
from companion.engine.table.history import Entry
from components.model import MODEL_VERSION, ResolvedGame

APPLICATION = 0x54575254
"""Marks a SQLite file as a journal of ours."""
FORMAT = 1
WAIT_SECONDS = 10.0

_SCHEMA = """
CREATE TABLE about (key TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE games (fingerprint TEXT PRIMARY KEY, game BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE entries (n INTEGER PRIMARY KEY, at TEXT NOT NULL, kind TEXT NOT NULL, body BLOB NOT NULL);
"""


class JournalError(CompanionError):
    """A journal that cannot be used: missing, not ours, damaged, of another version, or held by somebody else."""


class Damaged(JournalError):
    """A table whose file no longer holds what was written into it."""

    kind = "damaged"

    def __init__(self, path: Path, what: str) -> None:
        super().__init__(f"{path}: damaged ({what})")


@contextmanager
def decoding(path: Path) -> Iterator[None]:
    """Whatever a decoder raises about what stands in the file `path` is told as Damaged."""
    try:
        yield
    except CompanionError:
        raise
    except RecursionError:
        raise Damaged(path, "nested too deeply") from None
    except Exception as error:  # decoders of a damaged file raise whatever they like
        raise Damaged(path, str(error) or "unreadable") from error


class About(msgspec.Struct):
    """What never changes about a table. `people`: seat -> person. `start`: plain form of the first position."""

    table: str
    game: str
    title: str
    people: dict[str, str]
    fingerprint: str
    start: Any
    created: str


class Journal:
    """An open journal file. Use `create` or `open`; close it, or use it in a `with` statement."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self.path = path
        self._db = connection

    @classmethod
    def create(cls, path: Path, about: About, game: ResolvedGame, first: dict[str, Any] | None = None) -> Journal:
        """A new journal, with its first line if there is one. No half-made file is ever seen under its name."""
        if path.exists():
            raise JournalError(f"{path} exists already")
        try:
            with made_aside(path) as half:
                _write(half, about, game, first)
        except FileExistsError:
            raise JournalError(f"{path} exists already") from None
        except sqlite3.Error as error:
            raise _told(path, error, "cannot be written") from None
        return cls.open(path)

    @classmethod
    def open(cls, path: Path) -> Journal:
        if not path.is_file():
            raise JournalError(f"{path}: no such table")
        connection = _connect(path)
        try:
            (ours,) = connection.execute("PRAGMA application_id").fetchone()
            (version,) = connection.execute("PRAGMA user_version").fetchone()
        except sqlite3.Error as error:
            connection.close()
            raise _told(path, error) from None
        if ours != APPLICATION:
            connection.close()
            raise JournalError(f"{path}: not a table")
        if version != FORMAT:
            connection.close()
            raise JournalError(f"{path}: written in format {version}; this version reads format {FORMAT}")
        return cls(path, connection)

    def close(self) -> None:
        self._db.close()

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # --- reading -----------------------------------------------------------------------------------------------

    def about(self) -> About:
        blob = self._one("SELECT value FROM about WHERE key='table'")
        with decoding(self.path):
            return msgspec.msgpack.decode(blob, type=About)

    def game(self, fingerprint: str) -> ResolvedGame:
        """The resolved game of that fingerprint, as it was when it was stored."""
        blob = self._one("SELECT game FROM games WHERE fingerprint=?", fingerprint)
        with decoding(self.path):
            game = msgspec.msgpack.decode(blob, type=ResolvedGame)
        if game.model_version != MODEL_VERSION:
            raise JournalError(
                f"{self.path}: its rules were stored in model version {game.model_version}; "
                f"this version reads {MODEL_VERSION}"
            )
        return game

    def entries(self, after: int = 0) -> list[Entry]:
        """The entries with a number above `after`, in order."""
        rows = self._all("SELECT n, at, kind, body FROM entries WHERE n > ? ORDER BY n", after)
        with decoding(self.path):
            return [Entry(n, when, kind, msgspec.json.decode(body)) for n, when, kind, body in rows]

    def last(self) -> int:
        return int(self._one("SELECT coalesce(max(n), 0) FROM entries"))

    # --- writing -----------------------------------------------------------------------------------------------

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Hold the write lock; everything appended inside becomes durable together, or not at all.

        May stand inside another `with writing()`: then it is part of that one.
        """
        if self._db.in_transaction:
            yield
            return
        try:
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._db.execute("COMMIT")
            finally:
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
        except sqlite3.Error as error:
            raise _told(self.path, error, "cannot be written") from None

    def append(self, kind: str, body: dict[str, Any]) -> Entry:
        """Add one entry; only inside `writing`."""
        return _append(self._db, self.last() + 1, kind, body)

    def keep_game(self, game: ResolvedGame) -> None:
        """Store another version of the game beside those there are; only inside `writing`."""
        _keep_game(self._db, game)

    def _one(self, query: str, *values: Any) -> Any:
        rows = self._all(query, *values)
        if not rows:
            raise Damaged(self.path, "incomplete")
        return rows[0][0]

    def _all(self, query: str, *values: Any) -> list[Any]:
        try:
            return self._db.execute(query, values).fetchall()
        except sqlite3.Error as error:
            raise _told(self.path, error) from None


_AROUND = frozenset(
    (sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_FULL)
)
"""Faults of the disk or of permissions, not of what stands in the file."""


def _told(path: Path, error: sqlite3.Error, what: str = "cannot be read") -> JournalError:
    """A fault of SQLite in words for the table."""
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return JournalError(f"{path}: {what}: another program is writing to this table; try again in a moment")
    if code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB) or (what == "cannot be read" and code not in _AROUND):
        return Damaged(path, str(error))
    return JournalError(f"{path}: {what} ({error})")


def _write(path: Path, about: About, game: ResolvedGame, first: dict[str, Any] | None) -> None:
    """Write a whole new journal."""
    connection = _connect(path)
    try:
        connection.executescript(f"PRAGMA application_id={APPLICATION}; PRAGMA user_version={FORMAT}; {_SCHEMA}")
        connection.execute("INSERT INTO about VALUES ('table', ?)", (msgspec.msgpack.encode(about),))
        _keep_game(connection, game)
        if first is not None:
            _append(connection, 1, "line", first)
    finally:
        connection.close()


def _append(connection: sqlite3.Connection, n: int, kind: str, body: dict[str, Any]) -> Entry:
    entry = Entry(n, datetime.now(UTC).isoformat(timespec="seconds"), kind, body)  # type: ignore[arg-type]
    connection.execute("INSERT INTO entries VALUES (?, ?, ?, ?)", (n, entry.when, kind, msgspec.json.encode(body)))
    return entry


def _connect(path: Path) -> sqlite3.Connection:
    try:
        connection = sqlite3.connect(path, timeout=WAIT_SECONDS, isolation_level=None)
        connection.execute("PRAGMA synchronous=FULL")
    except sqlite3.Error as error:
        raise JournalError(f"{path}: cannot be opened ({error})") from None
    return connection


def _keep_game(connection: sqlite3.Connection, game: ResolvedGame) -> None:
    connection.execute("INSERT OR REPLACE INTO games VALUES (?, ?)", (game.fingerprint, msgspec.msgpack.encode(game)))


__all__ = ["About", "Damaged", "Journal", "JournalError", "decoding"]
