"""Tables that an earlier version wrote, opened once and kept: what was *said* is judged again by the rules of today.

It is kept as a `migrate` entry behind everything the table held, in a new file; the old one stays beside it. This
serves journals in an earlier format, and those whose stored rules belong to code that is no longer there.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

import msgspec

from companion.engine.play.position import Rules
from companion.engine.table.aside import replaced
from companion.engine.table.digests import code_of
from companion.engine.table.history import Entry, fold, typed
from companion.engine.table.journal import (
    FORMAT,
    About,
    Journal,
    connect,
    decoding,
    format_of,
    now,
    telling,
    write_journal,
)
from companion.engine.table.migrating import Differs, begun, rules_without, under
from companion.engine.table.replaying import turned
from companion.engine.table.table import Load, state_after
from components.model import ResolvedGame

Resolve = Callable[[str, list[str], dict[str, Any]], tuple[ResolvedGame, list[str]]]
"""Game, variants and settings -> the game as it is defined today, and what of them there is no longer."""


class _Piece(msgspec.Struct):
    id: str
    name: str


class _Stored(msgspec.Struct):
    """The rules stored by an earlier version, as far as they are read: which they are, and the names of the pieces."""

    id: str
    variants: list[str] = []
    sets: dict[str, Any] = {}
    pieces: list[_Piece] = []


class Upgraded(msgspec.Struct, kw_only=True):
    """The result of upgrading an earlier table. `old`: where its file is kept; `lost`: variants and settings that are
    gone."""

    old: Path
    stand: int
    differ: list[Differs]
    lost: list[str]


def upgrade(path: Path, load: Load, resolve: Resolve) -> Upgraded | None:
    """Bring the table in the file `path` up to date. None if another process has just done it.

    Raises JournalError for a damaged file, TableError if not even its beginning stands; then nothing is changed.
    """
    found = path.stat().st_ino
    connection = connect(path)
    try:
        with telling(path):
            connection.execute("BEGIN IMMEDIATE")
        if path.stat().st_ino != found:
            return None
        about, entries, stored = _read(path, connection)
        had = {word: piece.name for game in stored.values() for piece in game.pieces for word in (piece.id, piece.name)}
        lost: list[str] = []
        books: dict[str, Rules] = {}
        for fingerprint, game in stored.items():
            resolved, gone = resolve(game.id, game.variants, game.sets)
            books[fingerprint] = rules_without(load, resolved, had)
            lost += [what for what in gone if what not in lost]
        history = fold(entries, about.fingerprint)
        lines, current = history.lines, books[history.fingerprint].game
        course = under(begun(books[history.begun], about.start), lines, books.__getitem__, had)
        body: dict[str, Any] = {"fingerprint": current.fingerprint}
        if len(books) > 1:
            body["games"] = {old: rules.game.fingerprint for old, rules in books.items()}
        body |= {"changed": course.changed, "fallen": course.fallen, "upgrade": True}
        entries.append(Entry(len(entries) + 1, now(), "migrate", body))
        after = turned(course.after, books[history.fingerprint])
        last = state_after(after, len(entries), code_of(after.rules))
        old = _beside(path)
        with replaced(path, old) as half:
            write_journal(half, about, [rules.game for rules in books.values()], last, entries)
        return Upgraded(old=old, stand=len(lines) - len(course.differ), differ=course.differ, lost=lost)
    finally:
        connection.close()


def _read(path: Path, connection: sqlite3.Connection) -> tuple[About, list[Entry], dict[str, _Stored]]:
    """The contents of a journal of this format or an earlier one, and the rules of its lines, by fingerprint."""
    if format_of(path, connection) == FORMAT:
        journal = Journal(path, connection)
        about, entries = journal.about(), journal.entries()
    else:
        with telling(path), decoding(path):
            (blob,) = connection.execute("SELECT value FROM about WHERE key='table'").fetchone()
            about = msgspec.msgpack.decode(blob, type=About)
            rows = connection.execute("SELECT n, at, kind, body FROM entries ORDER BY n").fetchall()
            entries = [typed(n, when, kind, msgspec.json.decode(body)) for n, when, kind, body in rows]
    stored: dict[str, _Stored] = {}
    with telling(path), decoding(path):
        history = fold(entries, about.fingerprint)
        for fingerprint in dict.fromkeys([*(line.rules for line in history.lines), history.fingerprint]):
            (blob,) = connection.execute("SELECT game FROM games WHERE fingerprint=?", (fingerprint,)).fetchone()
            stored[fingerprint] = msgspec.msgpack.decode(blob, type=_Stored)
    return about, entries, stored


def _beside(path: Path) -> Path:
    """A name for the old file that no other has and that is listed as no table: `friday.db.old`."""
    names = (f"{path.name}.old{f'-{n}' if n > 1 else ''}" for n in count(1))
    return next(old for name in names if not (old := path.with_name(name)).exists())


__all__ = ["Resolve", "Upgraded", "upgrade"]
