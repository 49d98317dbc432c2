"""Changes of people at the seats: somebody takes over a seat, two people change places, or a name was wrong from the
first."""

from __future__ import annotations

from companion.engine.table.history import Line
from companion.engine.table.table import Table
from companion.engine.table.texts import TableError, table_text
from components.phrasing import join_and, suggest
from components.safe_text import LONGEST_NAME, composed


def seat(table: Table, people: dict[str, str], *, rename: bool = False) -> str:
    """Seat these people (seat -> person; "" for nobody) from here on. Returns the line of the log.

    `rename`: they have sat there all the time and were named wrongly. Raises TableError for a seat that the table does
    not have, two people of one name, or if nothing would change.
    """
    with table.writing():
        now = table.about.people
        seats = table.seats
        for there in people:
            if there not in seats:
                raise TableError(f"this table has no seat {there!r}; it has {', '.join(seats)}")
        people = {there: table_text(person, f"the name of {there}", LONGEST_NAME) for there, person in people.items()}
        new = {there: person for there, person in people.items() if now.get(there, "") != person}
        if not new:
            raise TableError("nothing changes: that is how they sit")
        taken = {person.lower(): there for there, person in now.items() if person and there not in new}
        for there, person in new.items():
            if person and (other := taken.setdefault(person.lower(), there)) != there:
                raise TableError(f"{person} already sits at {other}; to change places, name both seats")
        if rename:
            text = join_and(_renamed(there, now.get(there, ""), person) for there, person in new.items())
        else:
            text = f"From here on {join_and(_plays(there, person) for there, person in new.items())}"
        table.record(Line(kind="people", text=text, field="rename" if rename else "", value=new), table.position)
    return text


def read(table: Table, pairs: list[str]) -> dict[str, str]:
    """`SEAT=NAME` texts as seat -> person. Raises TableError for a text of another form, or a seat that the table does
    not have."""
    found: dict[str, str] = {}
    for pair in pairs:
        said, equals, person = composed(pair).partition("=")
        if not equals or not said.strip():
            raise TableError(f"{pair!r} does not have the form SEAT=NAME")
        there = _seat(table, said.strip())
        if there in found:
            raise TableError(f"the seat {there} is given twice")
        found[there] = person.strip()
    return found


def _seat(table: Table, said: str) -> str:
    """The seat of that name, or that of the person."""
    names = {person.lower(): there for person, there in table.people.items()}
    names |= {there.lower(): there for there in table.seats}
    begun = {there for name, there in names.items() if name.startswith(said.lower())}
    if said.lower() in names or len(begun) == 1:
        return names.get(said.lower()) or begun.pop()
    raise TableError(f"this table has no seat or person {said!r}{suggest(said, names, 'seats')}")


def _plays(there: str, person: str) -> str:
    return f"{person or 'nobody'} plays {there}"


def _renamed(there: str, before: str, person: str) -> str:
    was = f", not {before}" if before else ""
    return f"{there} is {person or 'nobody'}{was}"


__all__ = ["read", "seat"]
