"""`companion people`: who sits where, and who takes over."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from companion.cli import common
from companion.engine.answers import answers
from companion.engine.table.history import sat
from companion.engine.table.people import read, seat
from companion.engine.table.table import Table


def people(
    seats: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[SEAT=NAME]…",
            help="Who plays a seat from here on; SEAT= for nobody. A person may stand for a seat.",
        ),
    ] = None,
    rename: Annotated[bool, typer.Option("--rename", help="The people stay; only their names were wrong.")] = False,
    table: common.TableName = "",
    json: common.AsJson = False,
) -> None:
    """Show who sits where, or let somebody else take over a seat. The log keeps it, and one `undo` takes it back.

    To swap two people, name both: Qin=Ben Chu=Ann.

    Example: companion people Qin=Dora
    """
    with common.open_table(table) as at:
        text = seat(at, read(at, seats), rename=rename) if seats else None
        if json:
            who: dict[str, list[dict[str, Any]]] = {
                there: [{"from": number, "person": person} for number, person in row] for there, row in _sat(at).items()
            }
            form = {"version": answers.VERSION, "line": text, "people": at.about.people, "sat": who}
            common.say_json(form)
            return
        common.say(text if text is not None else in_words(at))


def _sat(table: Table) -> dict[str, list[tuple[int, str]]]:
    return sat(table.began.people, table.history.lines)


def in_words(table: Table) -> str:
    """The people at each seat, and those who sat there before."""
    out = []
    for there, row in _sat(table).items():
        before = [f"{person or 'nobody'} to line {row[place + 1][0] - 1}" for place, (_, person) in enumerate(row[:-1])]
        earlier = f" (before: {', '.join(before)})" if before else ""
        out.append(f"{there}: {row[-1][1] or 'nobody'}{earlier}")
    return "\n".join(out)


__all__ = ["in_words", "people"]
