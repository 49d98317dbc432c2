"""A table's journal: one SQLite file, append only. A line is on the disk before the prompt returns.

The file holds the resolved game (so that a change of the rules never changes a running game), who sits where, the
position at the start, the entries, and the last state in full. Each row carries a checksum of what stands in it.
Several processes may hold the same file open: whoever writes takes the write lock first and reads what came meanwhile.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from companion.engine.errors import CompanionError
from companion.engine.table.aside import made_aside
from companion.engine.table.digests import checksum
from companion.engine.table.history import Entry, typed
from components.model import MODEL_VERSION, ResolvedGame

T = TypeVar("T")

APPLICATION = 0x54575254
"""Marks a SQLite file as a journal of ours."""
FORMAT = 2
OLDER = frozenset((1,))
"""Formats that `upgrading` can read."""
WAIT_SECONDS = 10.0

_SCHEMA = """
CREATE TABLE about (key TEXT PRIMARY KEY, value BLOB NOT NULL, sum BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE games (fingerprint TEXT PRIMARY KEY, game BLOB NOT NULL, sum BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE entries (
    n INTEGER PRIMARY KEY, at TEXT NOT NULL, kind TEXT NOT NULL, body BLOB NOT NULL, sum BLOB NOT NULL
);
"""


class JournalError(CompanionError):
    """A journal that cannot be used: missing, not ours, damaged, of another version, or held by somebody else."""


class Damaged(JournalError):
    """A table whose file no longer holds what was written into it."""

    kind = "damaged"

    def __init__(self, path: Path, what: str) -> None:
        self.path, self.what = path, what
        name = path.name.removesuffix(".db")
        super().__init__(
            f"{path}: damaged ({what}); `companion export --table "
            f"{name} --out FILE` saves the lines that can still be read"
        )


@contextmanager
def decoding(path: Path) -> Iterator[None]:
    """Whatever a decoder raises about what stands in the file `path` is told as Damaged."""
    try:
        yield
    except CompanionError:
        raise
    except RecursionError:
        raise Damaged(path, "too deeply nested") from None
    except Exception as error:  # decoders of a damaged file raise whatever they like
        raise Damaged(path, str(error) or "unreadable") from error


SQLITE_FAULTS = (sqlite3.Error, UnicodeDecodeError)
"""The errors of SQLite. Python cannot decode its message where that quotes a damaged schema."""


class OutOfDate(JournalError):
    """A table that an earlier version wrote, and that `upgrading.upgrade` brings up to date."""


class About(msgspec.Struct):
    """The unchanging facts of a table. `people`: seat -> person. `start`: plain form of the first position."""

    table: str
    game: str
    title: str
    people: dict[str, str]
    fingerprint: str
    start: Any
    created: str


class Last(msgspec.Struct):
    """The state after the last entry, in full: what lies on the table, whatever the rules' code has become since."""

    n: int
    """Number of that entry; 0 if there is none yet."""
    code: str
    """Fingerprint of the rules' code that wrote it."""
    form: bytes
    """The state, as `digests.form_of` writes it."""
    stamp: str = ""
    """The stamp of the code's files on the disk (`digests.Code`)."""


class Journal:
    """An open journal file. Use `create` or `open`; close it, or use it in a `with` statement."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self.path = path
        self.at = ""
        """The moment when what is appended happened, if it was told; else it happens now."""
        self._db = connection

    @classmethod
    def create(cls, path: Path, about: About, game: ResolvedGame, last: Last, entries: Iterable[Entry] = ()) -> Journal:
        """A new journal with what stands in it from the first. No half-made file is ever seen under its name."""
        if path.exists():
            raise JournalError(f"{path} already exists")
        try:
            with made_aside(path) as half:
                write_journal(half, about, [game], last, entries)
        except FileExistsError:
            raise JournalError(f"{path} already exists") from None
        return cls.open(path)

    @classmethod
    def open(cls, path: Path) -> Journal:
        """Raises OutOfDate for a table in an earlier format, JournalError for whatever cannot be read."""
        connection = connect(path)
        try:
            version = format_of(path, connection)
            if version in OLDER:
                raise OutOfDate(f"{path}: an earlier version wrote this table, in format {version}")
            if version != FORMAT:
                raise JournalError(f"{path}: the table has format {version}; this version reads format {FORMAT}")
        except BaseException:
            connection.close()
            raise
        return cls(path, connection)

    def close(self) -> None:
        self._db.close()

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # --- reading -----------------------------------------------------------------------------------------------

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Everything read inside is of one moment, whatever others write meanwhile."""
        if self._db.in_transaction:
            yield
            return
        self.execute("BEGIN")
        try:
            yield
        finally:
            self._db.rollback()

    def about(self) -> About:
        """The people at the seats and the start of the table."""
        return self._kept("table", About)

    def last_state(self) -> Last:
        """The state after the last entry."""
        return self._kept("last", Last)

    def game(self, fingerprint: str) -> ResolvedGame:
        """The resolved game of that fingerprint, as it was when it was stored. Raises OutOfDate if it was stored by a
        version that described games otherwise."""
        with decoding(self.path):
            blob, kept = self._row("SELECT game, sum FROM games WHERE fingerprint=?", fingerprint)
            if checksum(fingerprint, blob) != kept:
                raise Damaged(self.path, "its rules have been altered")
        try:
            game = msgspec.msgpack.decode(blob, type=ResolvedGame)
        except msgspec.DecodeError:
            game = None
        if game is None or game.model_version != MODEL_VERSION:
            raise OutOfDate(f"{self.path}: an earlier version stored its rules")
        return game

    def entries(self) -> list[Entry]:
        """All entries in order, each compared with its checksum."""
        rows = self.execute("SELECT n, at, kind, body, sum FROM entries ORDER BY n")
        found: list[Entry] = []
        with decoding(self.path):
            for number, row in enumerate(rows, 1):
                entry = entry_of(row)
                if entry is None or entry.n != number:
                    raise Damaged(self.path, f"entry {number} has been altered")
                found.append(entry)
        return found

    def last(self) -> int:
        """Number of the last entry, 0 if there is none."""
        return int(self._row("SELECT coalesce(max(n), 0) FROM entries")[0])

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
        """Add one entry; only inside `writing`, and together with the state it leads to (`keep_last`)."""
        entry = Entry(self.last() + 1, self.at or now(), kind, body)  # type: ignore[arg-type]
        _insert(self._db, entry)
        return entry

    def keep_game(self, game: ResolvedGame) -> None:
        """Store another version of the game beside those there are; only inside `writing`."""
        _keep_game(self._db, game)

    def keep_last(self, last: Last) -> None:
        """Store the state after the last entry; only inside `writing`."""
        _keep(self._db, "last", msgspec.msgpack.encode(last))

    def _kept(self, key: str, kind: type[T]) -> T:
        """The record stored about the table under `key`. Raises Damaged if it was altered, or is not of this kind."""
        with decoding(self.path):
            value = checked(key, *self._row("SELECT value, sum FROM about WHERE key=?", key))
            return msgspec.msgpack.decode(value, type=kind)

    def _row(self, query: str, *values: Any) -> Any:
        rows = self.execute(query, *values)
        if not rows:
            raise Damaged(self.path, "incomplete")
        return rows[0]

    def execute(self, query: str, *values: Any) -> list[Any]:
        """The rows that a query of SQLite gives. Raises JournalError."""
        with telling(self.path):
            return self._db.execute(query, values).fetchall()


def checked(key: str, value: bytes, kept: bytes) -> bytes:
    """The bytes stored about a table under `key`. Raises ValueError if they were altered."""
    if checksum(key, value) != kept:
        raise ValueError("the description of the table has been altered")
    return bytes(value)


def entry_of(row: Any) -> Entry | None:
    """The entry in a row of the journal; None if it is not what was written. Raises MsgspecError if what was written is
    no entry."""
    n, when, kind, body, kept = row
    if checksum(f"{n} {when} {kind} ", body) != kept:
        return None
    return typed(n, when, kind, msgspec.json.decode(body))


def connect(path: Path) -> sqlite3.Connection:
    """The file `path` as a database. A transaction is on the disk when it ends, even if the power fails: EXTRA also
    synchronises the folder from which SQLite removes its rollback journal."""
    if not path.is_file():
        raise JournalError(f"{path}: no such table")
    return _connect(path)


def format_of(path: Path, connection: sqlite3.Connection) -> int:
    """The format of a journal. Raises JournalError for a file that is not a journal of ours."""
    with telling(path):
        (ours,) = connection.execute("PRAGMA application_id").fetchone()
        (version,) = connection.execute("PRAGMA user_version").fetchone()
    if ours != APPLICATION:
        raise JournalError(f"{path}: this file is not a table")
    return int(version)


def write_journal(
    path: Path, about: About, games: Iterable[ResolvedGame], last: Last, entries: Iterable[Entry]
) -> None:
    """Write a whole journal into a new file."""
    try:
        connection = _connect(path)
        try:
            connection.executescript(f"PRAGMA application_id={APPLICATION}; PRAGMA user_version={FORMAT}; {_SCHEMA}")
            connection.execute("BEGIN")
            _keep(connection, "table", msgspec.msgpack.encode(about))
            _keep(connection, "last", msgspec.msgpack.encode(last))
            for game in games:
                _keep_game(connection, game)
            for entry in entries:
                _insert(connection, entry)
            connection.execute("COMMIT")
        finally:
            connection.close()
    except SQLITE_FAULTS as error:
        raise _told(path, error, "cannot be written") from None


def _connect(path: Path) -> sqlite3.Connection:
    try:
        connection = sqlite3.connect(path, timeout=WAIT_SECONDS, isolation_level=None)
        connection.execute("PRAGMA synchronous=EXTRA")
    except SQLITE_FAULTS as error:
        raise _told(path, error, "cannot be opened") from None
    return connection


def _insert(connection: sqlite3.Connection, entry: Entry) -> None:
    body = msgspec.json.encode(entry.body)
    kept = checksum(f"{entry.n} {entry.when} {entry.kind} ", body)
    connection.execute("INSERT INTO entries VALUES (?, ?, ?, ?, ?)", (entry.n, entry.when, entry.kind, body, kept))


def _keep(connection: sqlite3.Connection, key: str, value: bytes) -> None:
    connection.execute("INSERT OR REPLACE INTO about VALUES (?, ?, ?)", (key, value, checksum(key, value)))


def _keep_game(connection: sqlite3.Connection, game: ResolvedGame) -> None:
    blob = msgspec.msgpack.encode(game)
    row = (game.fingerprint, blob, checksum(game.fingerprint, blob))
    connection.execute("INSERT OR REPLACE INTO games VALUES (?, ?, ?)", row)


def now() -> str:
    """The time, as entries and tables are stamped with it."""
    return datetime.now(UTC).isoformat(timespec="seconds")


@contextmanager
def telling(path: Path) -> Iterator[None]:
    """Faults of SQLite are told in words for the table."""
    try:
        yield
    except SQLITE_FAULTS as error:
        raise _told(path, error) from None


_AROUND = frozenset(
    (sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_FULL)
)
"""Faults of the disk or of permissions, not of what stands in the file."""


def _told(path: Path, error: sqlite3.Error | UnicodeDecodeError, what: str = "cannot be read") -> JournalError:
    """A fault of SQLite in words for the table."""
    if isinstance(error, UnicodeDecodeError):
        return Damaged(path, "its schema cannot be read")
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return JournalError(f"{path}: {what}: another program is writing to this table; try again in a moment")
    if code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB) or (what == "cannot be read" and code not in _AROUND):
        return Damaged(path, str(error))
    return JournalError(f"{path}: {what} ({error})")


__all__ = [
    "APPLICATION",
    "FORMAT",
    "SQLITE_FAULTS",
    "About",
    "Damaged",
    "Journal",
    "JournalError",
    "Last",
    "OutOfDate",
    "checked",
    "connect",
    "decoding",
    "entry_of",
    "format_of",
    "now",
    "telling",
    "write_journal",
]
