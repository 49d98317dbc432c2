"""House rules: other rules for a table from a line on, and what they would change, said before."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from companion.engine.language.people import People
from companion.engine.play.position import Rules
from companion.engine.table.logs import changes_json, reasons_text
from companion.engine.table.migrating import Migration, pieces, rules_without
from companion.engine.table.table import Load, Table
from companion.engine.table.texts import TableError
from components.model import ResolvedGame
from components.phrasing import count, plural

Resolve = Callable[[str, list[str], list[str]], ResolvedGame]
"""Game, variants and settings (`key=value`) -> the game with them."""

_NUMBER = re.compile(r"[0-9]{1,9}")


def numbers(game: ResolvedGame) -> list[dict[str, Any]]:
    """The parameters that a house rule can change: each single number or word, with its description."""
    return [
        {"name": name, "value": value, "about": game.param_about.get(name, "")}
        for name, value in game.params.items()
        if isinstance(value, int | str)
    ]


def line_of(table: Table, since: str) -> int:
    """The line from which on other rules are to hold: a number of the log, or `now` for the next line."""
    if not since:
        return 1
    if since.lower() == "now":
        return len(table.history.lines) + 1
    if not _NUMBER.fullmatch(since) or not 1 <= int(since) <= len(table.history.lines) + 1:
        lines = count(len(table.history.lines), "line")
        raise TableError(f"{since!r} is not the number of a line; the log has {lines} (or say `now`)")
    return int(since)


def others(
    table: Table,
    first: int,
    variants: list[str],
    sets: list[str],
    resolve: Resolve,
    load: Load,
    *,
    reset: bool = False,
) -> dict[str, Rules]:
    """The rules to go by from line `first` on, by the fingerprint of those that the lines stand under now: those of the
    table with `variants` and `sets` (`key=value`) added. `reset`: without what the table added itself."""
    from components.variants import written_set

    history = table.history
    found: dict[str, Rules] = {}
    for fingerprint in dict.fromkeys([*(line.rules for line in history.lines[first - 1 :]), history.fingerprint]):
        old = table.rules_of(fingerprint).game
        kept = {} if reset else old.sets
        chosen = [] if reset else old.variants
        same = [written_set(key, value) for key, value in kept.items()]
        resolved = resolve(old.id, list(dict.fromkeys([*chosen, *variants])), [*same, *sets])
        found[fingerprint] = rules_without(load, resolved, pieces(old))
    return found


def in_words(found: Migration, first: int, people: People) -> str:
    """The effect of other rules on a table's lines; `people` stand for their seats."""
    first_of_them = f", the first at {found.differ[0].number}" if found.differ else ""
    stand = f"{count(found.stand, 'line')} still {plural(found.stand, 'stands', 'stand')}"
    differ = f"{len(found.differ)} {plural(len(found.differ), 'differs', 'differ')}{first_of_them}"
    out = [f"{stand}, {differ}."] if first == 1 or found.stand or found.differ else []
    if first > 1:
        past = "Line 1 keeps the rules it was" if first == 2 else f"Lines 1 to {first - 1} keep the rules they were"
        out.insert(0, f"{past} judged by; from line {first} on, the other rules hold.")
    for row in found.differ:
        out.append(f"  {row.number} {people.text(row.text)}{' (no longer legal)' if row.fallen else ''}")
        out += reasons_text(row.why, people)
    out += [f"  ! {remark}" for remark in found.remarks]
    return "\n".join(out)


def told(table: Table, first: int) -> str:
    """The rule changes from line `first` on, as a sentence."""
    text = next((row["text"] for row in changes_json(table) if row["from"] == first), "")
    return f"from line {first} on: {text}" if text else "these rules held there already"


__all__ = ["Resolve", "in_words", "line_of", "numbers", "others", "told"]
