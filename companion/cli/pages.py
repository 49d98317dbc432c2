"""The table as a page for a terminal: people's names, at most 80 columns where it is not wider, colour where wanted."""

from __future__ import annotations

import re
import shutil
import sys
import textwrap
from collections.abc import Mapping
from typing import Any

from companion.engine.play.position import Position, Rules
from companion.engine.things.views import View
from components.program import colours

WIDTH = 80
NEXT = re.compile(r"^next: (.*)$", re.MULTILINE)
"""The line that says what has to happen next."""


def page(at: Position[Any], people: Mapping[str, str], seat: str = "") -> str:
    """What lies on the table, with the names of the people (`seat -> person`), fit for a terminal. `seat`: with what
    only that seat may see."""
    own = type(at.rules).show is not Rules.show
    text = at.rules.show(at) if own else _view(at, seat).text(with_people(people))
    return painted(fitted(NEXT.sub(lambda found: f"next: {_named(found[1], people)}", text)))


def _view(at: Position[Any], seat: str) -> View:
    view = at.rules.view(at)
    private = at.rules.private(at, seat) if seat else []
    return View(view.heading, (*view.sections, *private), view.next) if private else view


def with_people(people: Mapping[str, str]) -> dict[str, str]:
    """Seat -> seat and person: `Qin Ann`."""
    return {seat: f"{seat} {person}" for seat, person in people.items() if person}


def fitted(text: str) -> str:
    """Long lines broken between words. Lines with columns in them stay as they are."""
    width = shutil.get_terminal_size((WIDTH, 24)).columns if sys.stdout.isatty() else WIDTH
    found: list[str] = []
    for line in text.splitlines():
        if len(line) <= width or "  " in line.strip():
            found.append(line)
            continue
        indent = line[: len(line) - len(line.lstrip())] + "    "
        found += textwrap.wrap(line, width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)
    return "\n".join(found)


def painted(text: str) -> str:
    """The first line and the rows of those who are to act in bold, what comes next in green; on a terminal only."""
    if not colours():
        return text
    first, *rest = text.splitlines()
    painted_rest = [re.sub(r"^(> .*)$", "\x1b[1m\\1\x1b[0m", line) for line in rest]
    painted_rest = [re.sub(r"^(next:.*)$", "\x1b[32m\\1\x1b[0m", line) for line in painted_rest]
    return "\n".join([f"\x1b[1m{first}\x1b[0m", *painted_rest])


def next_line(at: Position[Any], people: Mapping[str, str]) -> str:
    """`next: …`, as `show` says it, with people's names."""
    if at.rules.over(at.state):
        return "next: the game is over; `score` says who won"
    found = NEXT.search(at.rules.show(at))
    said = found[1] if found else ", ".join(at.rules.to_move(at.state)) or at.now or "the table"
    line = fitted(f"next: {_named(said, people)}")
    return f"\x1b[32m{line}\x1b[0m" if colours() else line


def _named(said: str, people: Mapping[str, str]) -> str:
    """A sentence with people's names before their seats: `Ann (Qin)`. What is to be typed stays as it is typed."""
    names = {seat.lower(): person for seat, person in people.items() if person}
    if not names:
        return said
    seat = re.compile(rf"\b({'|'.join(map(re.escape, names))})\b", re.IGNORECASE)
    parts = re.split(r"(\(type: [^)]*\))", said)
    return "".join(
        part if part.startswith("(type: ") else seat.sub(lambda found: f"{names[found[1].lower()]} ({found[1]})", part)
        for part in parts
    )


__all__ = ["fitted", "next_line", "page", "with_people"]
