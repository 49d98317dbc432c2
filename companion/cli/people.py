"""`companion people`: who sits where, and who takes over."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from companion.cli import common
from companion.engine.answers import answers
from companion.engine.table.history import sat
from companion.engine.table.people import seat
from companion.engine.table.table import Table
from components.phrasing import suggest
from components.safe_text import composed


def people(
    seats: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[SEAT=NAME]…",
            help="Who plays a seat from here on; SEAT= for nobody. A person may stand for a seat.",
        ),
    ] = None,
    rename: Annotated[
        bool, typer.Option("--rename", help="The same people all the time: they were named wrongly.")
    ] = False,
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


def read(table: Table, pairs: list[str]) -> dict[str, str]:
    """`SEAT=NAME` texts as seat -> person. Raises Failure for what is none, or a seat that the table does not have."""
    found: dict[str, str] = {}
    for pair in pairs:
        said, equals, person = composed(pair).partition("=")
        if not equals or not said.strip():
            raise common.Failure(f"{pair!r} does not have the form SEAT=NAME")
        there = _seat(table, said.strip())
        if there in found:
            raise common.Failure(f"the seat {there} is given twice")
        found[there] = person.strip()
    return found


def _seat(table: Table, said: str) -> str:
    """The seat of that name, or that of the person."""
    names = {person.lower(): there for person, there in table.people.items()}
    names |= {there.lower(): there for there in table.seats}
    begun = {there for name, there in names.items() if name.startswith(said.lower())}
    if said.lower() in names or len(begun) == 1:
        return names.get(said.lower()) or begun.pop()
    raise common.Failure(f"this table has no seat or person {said!r}{suggest(said, names, 'seats')}")


def _sat(table: Table) -> dict[str, list[tuple[int, str]]]:
    return sat(table.began.people, table.history.lines)


def in_words(table: Table) -> str:
    """Who sits where, and who sat there before."""
    out = []
    for there, row in _sat(table).items():
        before = [f"{person or 'nobody'} to line {row[place + 1][0] - 1}" for place, (_, person) in enumerate(row[:-1])]
        earlier = f" (before: {', '.join(before)})" if before else ""
        out.append(f"{there}: {row[-1][1] or 'nobody'}{earlier}")
    return "\n".join(out)


__all__ = ["in_words", "people", "read"]
