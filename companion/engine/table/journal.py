"""A table's journal: one SQLite file, append only. A line is on the disk before the prompt returns.

The file holds the resolved game (so that a change of the rules never changes a running game), who sits where, the
position at the start, and the entries. Several processes may hold the same file open: whoever writes takes the write
lock first and reads what came meanwhile.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec

from companion.engine.errors import CompanionError
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
        """A new journal, with its first line if there is one. It is made under another name and renamed, so that no
        half-made file is ever seen."""
        if path.exists():
            raise JournalError(f"{path} exists already")
        path.parent.mkdir(parents=True, exist_ok=True)
        half = path.with_name(f".{path.name}.{os.getpid()}")
        half.unlink(missing_ok=True)
        try:
            _write(half, about, game, first)
            path.hardlink_to(half)
        except FileExistsError:
            raise JournalError(f"{path} exists already") from None
        except sqlite3.Error as error:
            raise JournalError(f"{path}: cannot be written ({error})") from None
        except OSError:  # a file system without hard links
            half.replace(path)
        finally:
            half.unlink(missing_ok=True)
        return cls.open(path)

    @classmethod
    def open(cls, path: Path) -> Journal:
        if not path.is_file():
            raise JournalError(f"{path}: no such table")
        connection = _connect(path)
        try:
            (ours,) = connection.execute("PRAGMA application_id").fetchone()
            (version,) = connection.execute("PRAGMA user_version").fetchone()
        except sqlite3.DatabaseError as error:
            connection.close()
            raise JournalError(f"{path}: not a table, or damaged ({error})") from None
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
        try:
            return msgspec.msgpack.decode(blob, type=About)
        except (msgspec.DecodeError, TypeError) as error:
            raise JournalError(f"{self.path}: damaged ({error})") from None

    def game(self, fingerprint: str) -> ResolvedGame:
        """The resolved game of that fingerprint, as it was when it was stored."""
        blob = self._one("SELECT game FROM games WHERE fingerprint=?", fingerprint)
        try:
            game = msgspec.msgpack.decode(blob, type=ResolvedGame)
        except (msgspec.DecodeError, TypeError) as error:
            raise JournalError(f"{self.path}: its rules were stored by another version ({error})") from None
        if game.model_version != MODEL_VERSION:
            raise JournalError(
                f"{self.path}: its rules were stored in model version {game.model_version}; "
                f"this version reads {MODEL_VERSION}"
            )
        return game

    def entries(self, after: int = 0) -> list[Entry]:
        """The entries with a number above `after`, in order."""
        rows = self._all("SELECT n, at, kind, body FROM entries WHERE n > ? ORDER BY n", after)
        try:
            return [Entry(n, when, kind, msgspec.json.decode(body)) for n, when, kind, body in rows]
        except (msgspec.DecodeError, TypeError) as error:
            raise JournalError(f"{self.path}: damaged ({error})") from None

    def last(self) -> int:
        return int(self._one("SELECT coalesce(max(n), 0) FROM entries"))

    # --- writing -----------------------------------------------------------------------------------------------

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Hold the write lock; everything appended inside becomes durable together, or not at all."""
        try:
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._db.execute("COMMIT")
            finally:
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
        except sqlite3.Error as error:
            raise JournalError(f"{self.path}: cannot be written ({error})") from None

    def append(self, kind: str, body: dict[str, Any]) -> Entry:
        """Add one entry; only inside `writing`."""
        return _append(self._db, self.last() + 1, kind, body)

    def keep_game(self, game: ResolvedGame) -> None:
        """Store another version of the game beside those there are; only inside `writing`."""
        _keep_game(self._db, game)

    def _one(self, query: str, *values: Any) -> Any:
        rows = self._all(query, *values)
        if not rows:
            raise JournalError(f"{self.path}: incomplete")
        return rows[0][0]

    def _all(self, query: str, *values: Any) -> list[Any]:
        try:
            return self._db.execute(query, values).fetchall()
        except sqlite3.DatabaseError as error:
            raise JournalError(f"{self.path}: damaged ({error})") from None


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


__all__ = ["About", "Journal", "JournalError"]
