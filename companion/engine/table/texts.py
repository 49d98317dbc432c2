"""Texts that enter a table: notes, reasons and names as it keeps them."""

from __future__ import annotations

from companion.engine.errors import CompanionError
from components.safe_text import LONGEST_NAME, LONGEST_TEXT, BadText, kept


class TableError(CompanionError):
    """Something the table cannot do now, e.g. undo with nothing to undo."""

    of_seats = True


def table_text(said: str, what: str, longest: int = LONGEST_TEXT) -> str:
    """A text as a table keeps it. Raises TableError for one that it does not."""
    try:
        return kept(said, what, longest)
    except BadText as error:
        raise TableError(str(error)) from None


def first_people(people: dict[str, str], seats: list[str]) -> dict[str, str]:
    """Seat -> person as a table begins. Raises TableError for a seat that is not at the table, for names that cannot be
    kept, and for two people of one name."""
    if strange := [seat for seat in people if seat not in seats]:
        raise TableError(f"{strange[0]!r} is not a seat of this table; it has {', '.join(seats)}")
    for seat in seats:
        if not seat or table_text(seat, "the name of a seat", LONGEST_NAME) != seat:
            raise TableError(f"{seat!r} cannot be the name of a seat")
    found = {seat: table_text(person, f"the name of {seat}", LONGEST_NAME) for seat, person in people.items()}
    names = [person.lower() for person in found.values() if person]
    if twice := next((name for name in names if names.count(name) > 1), ""):
        raise TableError(f"two people are called {twice!r}; give them different names")
    return found


__all__ = ["TableError", "first_people", "table_text"]
