"""The readable rest of a damaged table, as a transcript: every line whose row is intact."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from companion.engine.table.history import Entry, Line, fold, line_of, typed
from companion.engine.table.journal import (
    FORMAT,
    SQLITE_FAULTS,
    About,
    Damaged,
    JournalError,
    Last,
    checked,
    entry_of,
    format_of,
)
from companion.engine.table.transcript import Stored, Transcript, made

T = TypeVar("T")
SMALLEST_ENTRY = 24
"""Bytes that an entry takes in the file at least: a number that could not be reached with this many bytes for each is
not that of an entry."""


class Salvaged(msgspec.Struct, kw_only=True):
    """The transcript, and the numbers of the journal's entries that are lost (undone lines and the like included)."""

    transcript: Transcript
    lost: list[int]


def salvage(path: Path) -> Salvaged:
    """Read what a damaged table still holds. Raises JournalError if that is nothing."""
    room = path.stat().st_size // SMALLEST_ENTRY
    with closing(sqlite3.connect(path)) as connection:
        try:
            connection.execute("PRAGMA writable_schema=ON")  # SQLite then reads a file that was cut short
            sums = format_of(path, connection) == FORMAT
        except (Damaged, *SQLITE_FAULTS):
            raise JournalError(f"{path}: no line of it can be read") from None
        about = _kept(connection, "table", About, sums=sums)
        last = _kept(connection, "last", Last, sums=True) if sums else None
        entries, lost = _entries(connection, min(last.n if last else 0, room), room, sums=sums)
        lines, changes = _lines(entries, about.fingerprint if about else "")
        if not lines and about is None:
            raise JournalError(f"{path}: no line of it can be read")
        whole = made(path.stem, about, lines, changes, lambda fingerprint: _game(connection, fingerprint))
    return Salvaged(transcript=whole, lost=lost)


def _entries(connection: sqlite3.Connection, most: int, room: int, *, sums: bool) -> tuple[list[Entry], list[int]]:
    """The entries that are as they were written, and the numbers of those that are not. There were at least `most`, and
    no more than the file has `room` for."""
    found: dict[int, Entry] = {}
    for row in _rows(connection, "n, at, kind, body, sum" if sums else "n, at, kind, body", room):
        if row[0] <= room:
            most = max(most, row[0])
        with suppress(Exception):  # a decoder of damaged bytes raises whatever it likes
            entry = entry_of(row) if sums else typed(row[0], row[1], row[2], msgspec.json.decode(row[3]))
            if entry is not None and 0 < entry.n <= room:
                found[entry.n] = entry
    return [found[n] for n in sorted(found)], [n for n in range(1, most + 1) if n not in found]


def _rows(connection: sqlite3.Connection, columns: str, room: int) -> Iterator[Any]:
    """The rows of the entries that SQLite can still reach: from the front, from the back, and one by one up to
    `room`."""
    found: set[int] = set()
    for order in ("ASC", "DESC"):
        with suppress(*SQLITE_FAULTS):
            for row in connection.execute(f"SELECT {columns} FROM entries ORDER BY n {order}"):
                if row[0] in found:
                    break
                found.add(row[0])
                yield row
    for n in range(1, min(max(found, default=0), room)):
        if n not in found:
            with suppress(*SQLITE_FAULTS):
                yield from connection.execute(f"SELECT {columns} FROM entries WHERE n = ?", (n,))


def _lines(entries: list[Entry], fingerprint: str) -> tuple[list[Line], list[tuple[int, str]]]:
    """The lines that count, and where other rules begin; all lines ever played where what is left does not say more."""
    there = {entry.n for entry in entries}
    told = [e for e in entries if e.kind not in ("undo", "redo") or e.body.get("target") in there]
    try:
        history = fold(told, fingerprint)
        return history.lines, history.changes()
    except Exception:  # undone and had back in an order that the missing entries would explain
        return [line_of(entry, fingerprint) for entry in entries if entry.kind == "line"], []


def _kept(connection: sqlite3.Connection, key: str, kind: type[T], *, sums: bool) -> T | None:
    """The value stored about the table under `key`, if it is intact."""
    try:
        (row,) = connection.execute(f"SELECT value{', sum' if sums else ''} FROM about WHERE key = ?", (key,))
        return msgspec.msgpack.decode(checked(key, *row) if sums else row[0], type=kind)
    except (sqlite3.Error, msgspec.MsgspecError, ValueError, TypeError):
        return None


def _game(connection: sqlite3.Connection, fingerprint: str) -> Stored:
    """The rules of that fingerprint as far as they can be read; otherwise any there are."""
    for where in ("WHERE fingerprint = ?", "WHERE fingerprint <> ?"):
        try:
            for (blob,) in connection.execute(f"SELECT game FROM games {where}", (fingerprint,)):
                return msgspec.msgpack.decode(blob, type=Stored)
        except (sqlite3.Error, msgspec.MsgspecError, ValueError, TypeError):
            continue
    return Stored()


__all__ = ["Salvaged", "salvage"]
