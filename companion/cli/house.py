"""`companion migrate`: other rules for a table, for its whole log or from a line on (a house rule)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Annotated

import typer

from companion.cli import common
from companion.engine.answers import answers
from components.phrasing import count, plural

if TYPE_CHECKING:
    from companion.engine.language.people import People
    from companion.engine.play.position import Rules
    from companion.engine.table.migrating import Migration
    from companion.engine.table.table import Table


_NUMBER = re.compile(r"[0-9]{1,9}")


def migrate(
    table: common.TableName = "",
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only show what would change.")] = False,
    variant: common.Variants = None,
    sets: common.Sets = None,
    since: Annotated[
        str, typer.Option("--from", help="The other rules hold from this line on, or from `now` on. Default: always.")
    ] = "",
    reset: Annotated[bool, typer.Option("--reset", help="Drop the table's variants and settings first.")] = False,
    json: common.AsJson = False,
) -> None:
    """Move a table to today's rules, or to a house rule. Lines that are no longer legal are set aside and listed with
    the reasons.

    The table keeps its variants and settings as they are defined today; --variant and --set add to them. With --from,
    the lines before that one stay as they were judged.

    Example: companion migrate --set army_cost=3 --from now
    """
    with common.open_table(table) as at:
        old = at.rules.game
        first = line_of(at, since)
        books = others(at, first, variant, sets, reset=reset)
        found = moved(at, books, first, dry_run=dry_run)
        new = books[at.history.fingerprint] if dry_run else at.rules
        if json:
            form = {
                "version": answers.VERSION,
                "from": old.fingerprint,
                "to": new.game.fingerprint,
                "since": first,
                "dry_run": dry_run,
                "stand": found.stand,
                "first": found.differ[0].number if found.differ else None,
                "differ": answers.plain(found.differ),
                "remarks": found.remarks,
            }
            common.say_json(form)
            return
        common.say(in_words(found, first, at.named))
        if first > 1 and not dry_run:
            common.say(told(at, first))


def line_of(table: Table, since: str) -> int:
    """The line from which on other rules are to hold: a number of the log, or `now` for the next line."""
    if not since:
        return 1
    if since.lower() == "now":
        return len(table.history.lines) + 1
    if not _NUMBER.fullmatch(since) or not 1 <= int(since) <= len(table.history.lines) + 1:
        lines = count(len(table.history.lines), "line")
        raise common.Failure(f"{since!r} is not the number of a line; the log has {lines} (or say `now`)")
    return int(since)


def others(
    table: Table, first: int, variant: list[str] | None, sets: list[str] | None, *, reset: bool = False
) -> dict[str, Rules]:
    """The rules to go by from line `first` on, by the fingerprint of those that the lines stand under now."""
    from companion.engine.table import migrating

    history = table.history
    found: dict[str, Rules] = {}
    for fingerprint in dict.fromkeys([*(line.rules for line in history.lines[first - 1 :]), history.fingerprint]):
        old = table.rules_of(fingerprint).game
        kept = {} if reset else old.sets
        chosen = [] if reset else old.variants
        same = [f"{key}={common.typed(value)}" for key, value in kept.items()]
        resolved = common.resolve(old.id, list(dict.fromkeys([*chosen, *(variant or [])])), [*same, *(sets or [])])
        found[fingerprint] = migrating.rules_without(common.load, resolved, migrating.pieces(old))
    return found


def moved(table: Table, books: dict[str, Rules], first: int, *, dry_run: bool) -> Migration:
    """The table under other rules from line `first` on."""
    from companion.engine.table import migrating

    return migrating.migrate(table, books, dry_run=dry_run, first=first)


def in_words(found: Migration, first: int, people: People) -> str:
    """How the lines of a table fare under other rules; `people` stand for their seats."""
    from companion.engine.table.logs import reasons_text

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
    """What is other from line `first` on."""
    from companion.engine.table.logs import changes_json

    text = next((row["text"] for row in changes_json(table) if row["from"] == first), "")
    return f"from line {first} on: {text}" if text else "these rules held there already"


__all__ = ["in_words", "line_of", "migrate", "moved", "others", "told"]
