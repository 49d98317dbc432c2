"""Moves that the rules refused, kept in the table's file beside the entries, since they changed nothing.

Only the rules, the kind of move and the seat are kept: what somebody wanted to do may be a secret. A file that has none
yet gets its place for them with the first.
"""

from __future__ import annotations

from contextlib import suppress

import msgspec

from companion.engine.play.judging import Verdict
from companion.engine.play.moves import maker
from companion.engine.table.journal import Journal, JournalError, now

_SCHEMA = "CREATE TABLE IF NOT EXISTS refusals (after INTEGER NOT NULL, at TEXT NOT NULL, body BLOB NOT NULL)"


class Refusal(msgspec.Struct):
    """A line that was refused. `after`: the number of the entry before it; `when`: the time it was said."""

    after: int
    when: str
    move: str
    seat: str
    rules: list[str]


def keep(journal: Journal, after: int, verdict: Verdict) -> None:
    """Keep that a move was refused; only inside `writing`. Where it cannot be written the table goes on without it."""
    rules = list(dict.fromkeys(breach.rule for breach in verdict.reasons))
    body = msgspec.json.encode([verdict.move.name, maker(verdict.move), rules])
    with suppress(JournalError):
        journal.execute(_SCHEMA)
        journal.execute("INSERT INTO refusals VALUES (?, ?, ?)", after, journal.at or now(), body)


def kept(journal: Journal) -> list[Refusal]:
    """The refusals of a table, the first first; none in a file that an earlier version wrote."""
    if not journal.execute("SELECT 1 FROM sqlite_master WHERE type='table' AND name='refusals'"):
        return []
    found = []
    for after, when, body in journal.execute("SELECT after, at, body FROM refusals ORDER BY rowid"):
        with suppress(msgspec.MsgspecError, TypeError):
            move, seat, rules = msgspec.json.decode(body, type=tuple[str, str, list[str]])
            found.append(Refusal(after, when, move, seat, rules))
    return found


__all__ = ["Refusal", "keep", "kept"]
