"""`companion migrate`: other rules for a table, for its whole log or from a line on (a house rule)."""

from __future__ import annotations

from typing import Annotated

import typer

from companion.cli import common
from companion.engine.answers import answers


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
    from companion.engine.table import houserules, migrating

    with common.open_table(table) as at:
        old = at.rules.game
        first = houserules.line_of(at, since)
        books = houserules.others(at, first, variant or [], sets or [], common.resolve, common.load, reset=reset)
        found = migrating.migrate(at, books, dry_run=dry_run, first=first)
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
        common.say(houserules.in_words(found, first, at.named))
        if first > 1 and not dry_run:
            common.say(houserules.told(at, first))


__all__ = ["migrate"]
