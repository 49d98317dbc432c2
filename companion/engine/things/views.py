"""The table as `companion show` prints it, as data: a heading, sections of rows or lines, and what comes next."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain, product
from typing import Any

import msgspec

from companion.engine.things.spaces import square

Cell = str | int | float
Columns = Mapping[str, str | Callable[[Any, str], Cell]]
"""Title -> where the state has what stands in the column (`player.*.wheat`; `*`: the name of the row), or a function of
position and name."""

Told = Callable[[str], str]

TALL = 24
"""Lines of a terminal."""
WIDE = 80
"""Characters of a line."""
LEAST = 10
"""Characters of a column that goes on below."""
LONG = 13
"""Characters of a row's name, so that a table of players fits a terminal."""


class Grid(msgspec.Struct, frozen=True, tag="grid"):
    """Rows under titles. Numbers stand at the right of their column, 0 is a dot; `marked` rows begin with `>`."""

    titles: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    marked: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for row in self.rows:
            if len(row) != len(self.titles):
                raise ValueError(f"a row of {len(row)} cells stands under {len(self.titles)} titles: {row!r:.80}")

    def lines(self, width: int = WIDE) -> list[str]:
        """The rows as text, in `width` characters: what does not fit into the last column goes below."""
        cells = [(shortened(str(row[0]), LONG), *map(_shown, row[1:])) for row in self.rows]
        widths = [max(map(len, column)) for column in zip(self.titles, *cells, strict=True)]
        right = [all(isinstance(row[i], int | float) for row in self.rows) for i in range(len(widths))]
        gap = next((gap for gap in (2, 1) if 2 + sum(widths[:-1]) + gap * len(widths[1:]) + widths[-1] <= width), 1)
        before = 2 + sum(widths[:-1]) + gap * len(widths[1:])
        sides = [str.rjust if side else str.ljust for side in right]
        found = []
        for n, row in enumerate((self.titles, *cells)):
            mark = "> " if n and self.rows[n - 1][0] in self.marked else "  "
            *first, last = (side(cell, wide) for side, cell, wide in zip(sides, row, widths, strict=True))
            room = width - before
            parts = textwrap.wrap(last, room) if len(last.rstrip()) > room >= LEAST else [last]
            found.append((" " * gap).join([mark + (first[0] if first else ""), *first[1:], parts[0]]).rstrip())
            found += [" " * before + part for part in parts[1:]]
        return found

    def told(self, seat: Told, text: Told) -> Grid:
        """With the names of people for their seats."""
        rows = (
            (seat(str(row[0])), *(text(cell) if isinstance(cell, str) else cell for cell in row[1:]))
            for row in self.rows
        )
        return Grid(tuple(map(text, self.titles)), tuple(rows), tuple(map(seat, self.marked)))

    def about(self, name: str) -> list[str]:
        """The cells of a row, each with its title; a cell without a title is a mark."""
        row = next((row for row in self.rows if row[0] == name), (name,))
        return [f"{title}: {cell}" for title, cell in zip(self.titles[1:], row[1:], strict=False) if title and cell]


class Lines(msgspec.Struct, frozen=True, tag="lines"):
    """Lines that stand as they are: sentences, or a board drawn with characters."""

    text: tuple[str, ...]

    def lines(self, width: int = WIDE) -> list[str]:
        return list(self.text)

    def told(self, seat: Told, text: Told) -> Lines:
        """With the names of people for their seats."""
        return Lines(tuple(map(text, self.text)))


class View(msgspec.Struct, frozen=True):
    """The table as it lies. Sections without lines are left out; `next` is the next thing to happen."""

    heading: str
    sections: Sequence[Grid | Lines] = ()
    next: str = ""
    brief: Sequence[Grid | Lines] = ()
    """The sections for a terminal that is too small for all of them; empty: there are no others."""
    parts: Mapping[str, Sequence[Grid | Lines]] = {}
    """Parts of the table by name: `show land`."""

    def about(self, thing: str) -> list[Grid | Lines]:
        """The rows and lines of the whole table that are about a thing: `show yiqu`."""
        word = re.compile(rf"\b{re.escape(thing)}\b", re.IGNORECASE)
        found: list[Grid | Lines] = []
        for one in dict.fromkeys(chain(self.sections, *self.parts.values())):
            if isinstance(one, Lines):
                found.append(Lines(tuple(text for text in one.text if word.search(text))))
            elif rows := tuple(row for row in one.rows if str(row[0]).lower() == thing.lower()):
                found.append(Grid(one.titles, rows, one.marked))
        return [one for one in dict.fromkeys(found) if one.lines()]

    def text(self, width: int = WIDE, apart: bool | None = None) -> str:
        """As it is printed, and last what comes next. `apart`: with blank lines between the sections; None: if that
        leaves it within a terminal."""
        blocks = [[self.heading], *filter(None, (section.lines(width) for section in self.sections))]
        blocks[-1] = blocks[-1] + ([f"next: {self.next}"] if self.next else [])
        if apart is None:
            apart = sum(map(len, blocks)) + len(blocks) <= TALL
        return ("\n\n" if apart else "\n").join("\n".join(block) for block in blocks)

    def told(self, seat: Told, text: Told, inside: Told | None = None) -> View:
        """With the names of people for their seats: `seat` where one stands alone at the beginning of a row, `text` in
        whatever is said, `inside` in the sections."""
        inside = inside or text
        return View(
            text(self.heading),
            tuple(one.told(seat, inside) for one in self.sections),
            text(self.next),
            tuple(one.told(seat, inside) for one in self.brief),
            {name: tuple(one.told(seat, inside) for one in some) for name, some in self.parts.items()},
        )


def grid(at: Any, names: Iterable[str], columns: Columns, *marked: str | None) -> Grid:
    """A row for each of `names`, with a cell for each column."""
    rows = tuple((name, *(_cell(at, name, column) for column in columns.values())) for name in names)
    return Grid(("", *columns), rows, tuple(filter(None, marked)))


def _cell(at: Any, name: str, column: str | Callable[[Any, str], Cell]) -> Cell:
    if not isinstance(column, str):
        return column(at, name)
    here: Any = at.state
    for step in column.split("."):
        here = here[name] if step == "*" else getattr(here, step)
    shown: Cell = here
    return shown


def lines(*text: str) -> Lines:
    """A section of lines; empty ones are left out."""
    return Lines(tuple(filter(None, text)))


def walled(columns: int, rows: int, areas: Mapping[str, Any], shown: Callable[[str], str], wide: int) -> list[str]:
    """A board of squares `a1` to the last column and row, with a wall between any two areas. `areas`: square -> its
    area, for squares that are in one; `shown`: what stands in a square, in `wide` characters."""
    inside = {(x, y): square(x, y) for x, y in product(range(columns), range(rows))}
    outside: dict[tuple[int, int], Any] = dict.fromkeys(product(range(-1, columns + 1), range(-1, rows + 1)))
    of = outside | {place: areas.get(name, name) for place, name in inside.items()}
    lines = []
    for y in range(rows + 1):
        wall = ""
        for x in range(columns + 1):
            around = {of[x - 1, y - 1], of[x, y - 1], of[x, y], of[x - 1, y]}
            line = "-" if of[x, y - 1] != of[x, y] else " "
            letter = square(x, 0)[0] if y == 0 else line
            wall += ("+" if len(around) > 1 else " ") + (letter.center(wide, line) if x < columns else "")
        lines.append("   " + wall.rstrip())
        if y < rows:
            cells = (("|" if of[x - 1, y] != of[x, y] else " ") + shown(inside[x, y]) for x in range(columns))
            lines.append(f" {y + 1} {''.join(cells)}|")
    return lines


def initials(names: Iterable[str]) -> dict[str, str]:
    """A mark of one or two characters for each name, all different: its first letter; if others begin with it, too,
    that and a letter in which the names differ, or a number."""
    found: dict[str, str] = {}
    for number, name in enumerate(every := list(names), 1):
        alike = [other for other in every if other != name and other[:1].lower() == name[:1].lower()]
        first = name[:1].upper()
        telling = [letter for i, letter in enumerate(name) if all(letter != other[i : i + 1] for other in alike)]
        ways = [first + letter.lower() for letter in (*telling, *name[1:]) if letter.isalnum()]
        way = next((way for way in ways if way not in found.values()), f"{first}{number}")
        found[name] = way if alike else first
    return found


def shortened(name: str, most: int) -> str:
    """A name in at most so many characters."""
    return name if len(name) <= most else f"{name[: most - 1].rstrip()}…"


def _shown(cell: Cell) -> str:
    return f"{cell:g}" if isinstance(cell, float) else str(cell or ".") if isinstance(cell, int) else cell


__all__ = ["Cell", "Columns", "Grid", "Lines", "View", "grid", "initials", "lines", "shortened", "walled"]
