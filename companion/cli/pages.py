"""The table as a page for a terminal: people's names, columns and rows that fit, colour where wanted."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import msgspec

from companion.cli import common
from companion.cli.terminal import ENDLESS, fitted, size
from companion.engine.language import listing
from companion.engine.language.people import People
from companion.engine.play.moves import Move
from companion.engine.play.position import Position, Rules
from companion.engine.things.views import LONG, Grid, View, initials, lines, shortened
from components.phrasing import join_and
from components.program import colours

NEXT = re.compile(r"^next: (.*)$", re.MULTILINE)
"""The line that says what has to happen next."""
SHORT = 7
"""Characters of a name where longer ones do not fit."""
PAINT = {"red": 31, "green": 32, "yellow": 33, "orange": 33, "blue": 34, "purple": 35, "black": 90}
"""Seats that are called by a colour -> the colour of a terminal that comes nearest."""


def page(at: Position[Any], people: People, part: str = "", seat: str = "", room: tuple[int, int] | None = None) -> str:
    """The table as text for a terminal, with the names of the people; `room` (columns, rows) replaces the terminal's
    size. `part`: only that part, one player's things, or what is told of a thing. `seat`: with what only that seat may
    see. Raises Failure for an unknown part."""
    width, tall = room or size()
    if type(at.rules).show is not Rules.show:
        return painted(fitted(people.text(at.rules.show(at)), width), people)
    view = _view(at, people, part, seat)
    text = ""
    for text in ways(view, at, people, (width, tall)):
        rows = text.split("\n")
        if len(rows) < tall and max(map(len, rows)) <= width:  # a line is left to type in
            break
    return painted(text, people)


def ways(view: View, at: Position[Any], people: People, room: tuple[int, int]) -> Iterator[str]:
    """A view as text, each time in less room: with everything apart and close together, in brief, with shorter
    names."""
    width, tall = room
    first = people.seat(view.heading)  # of what one player has, this is the seat
    row, marks = _row(at, people), initials(map(people.called, at.seats))
    short = {seat: shortened(people.called(seat), SHORT) for seat in at.seats}
    marked = {seat: marks[people.called(seat)] for seat in at.seats}
    for names in (people, People(at.rules, short), People(at.rules, marked)):
        told = view.told(row, people.text, names.text)
        if first != view.heading:
            told = msgspec.structs.replace(told, heading=first)
        brief = msgspec.structs.replace(told, heading=_with_more(told, width), sections=told.brief)
        for way in (told, brief) if told.brief and tall != ENDLESS else (told,):
            for apart in (None,) if tall == ENDLESS else (True, False):
                yield fitted(way.text(width, apart), width)
        if tall == ENDLESS:
            return


def _with_more(view: View, width: int) -> str:
    """The heading, and which parts of the table can be shown in full, if there is room."""
    whole = f"{view.heading} (more: show {', '.join(view.parts)})"
    return whole if view.parts and len(whole) <= width else view.heading


def _view(at: Position[Any], people: People, part: str, seat: str) -> View:
    view = at.rules.view(at)
    if seat:
        return View(view.heading, (*view.sections, *at.rules.private(at, seat)), view.next)
    if not part:
        return view
    if (known := view.parts.get(part.lower())) is not None:
        return View(view.heading, known)
    if who := common.seated(at, part, people):
        return View(who, (lines(*about(view, who)), *at.rules.private(at, who)))
    if found := view.about(part):
        return View(view.heading, found)
    shown = join_and([*view.parts, *map(people.called, at.seats)], "or")
    raise common.Failure(
        f"{part!r} is not a part of this table; {f'show {shown}' if shown else 'nobody sits there yet'}"
    )


def about(view: View, seat: str) -> list[str]:
    """A view's facts about one seat: a line for each grid with a row of that seat."""
    grids = [one for some in (view.brief, view.sections, *view.parts.values()) for one in some if isinstance(one, Grid)]
    said = dict.fromkeys(cell for one in grids for cell in one.about(seat))
    return [", ".join(said)]


def _row(at: Position[Any], people: People) -> Callable[[str], str]:
    """The label of a seat at the start of a row: `Ana (red)` if that fits for everybody, else `Ana`."""
    whole = all(len(people.seat(seat)) <= LONG for seat in at.seats)
    return lambda row: people.seat(row) if whole else people.called(row)


def painted(text: str, people: People) -> str:
    """The first line and the rows of those who are to act in bold, what comes next in green, people in the colours of
    their seats; on a terminal only."""
    if not colours():
        return text
    first, *rest = text.splitlines()
    for seat, paint in PAINT.items():
        if name := people.seated.get(seat):
            rest = [re.sub(rf"\b{re.escape(name)}\b", f"\x1b[{paint}m{name}\x1b[39m", line) for line in rest]
    rest = [re.sub(r"^(> .*)$", "\x1b[1m\\1\x1b[0m", line) for line in rest]
    rest = [re.sub(r"^(next:.*)$", "\x1b[32m\\1\x1b[0m", line) for line in rest]
    return "\n".join([f"\x1b[1m{first}\x1b[0m", *rest])


def next_line(at: Position[Any], people: People) -> str:
    """`next: …`, as `show` says it, with people's names."""
    if at.rules.over(at.state):
        return "next: the game is over; `score` says who won"
    own = NEXT.search(at.rules.show(at)) if type(at.rules).show is not Rules.show else None
    said = own[1] if own else at.rules.view(at).next
    said = said or ", ".join(at.rules.to_move(at.state)) or at.now or "the table"
    line = fitted(f"next: {people.text(said)}")
    return f"\x1b[32m{line}\x1b[0m" if colours() else line


def overview(legal: list[Move], at: Position[Any], people: People) -> list[str]:
    """The legal moves as `moves` lists them, with people's names."""
    if at.rules.overview(at, legal) is None:
        return listing.overview(legal, at, people.line)
    return [people.as_typed(line) for line in listing.overview(legal, at)]


__all__ = ["about", "next_line", "overview", "page", "painted", "ways"]
