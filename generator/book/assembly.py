"""The assembly sheet: what to print on which paper, what to cut and fold in which order, and what to count at the end.

Lengths in mm.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from generator.book import flow
from generator.book.flow import Block
from generator.book.pouring import pour
from generator.faces.display import Op, PathOp
from generator.faces.fonts import FontBook
from generator.faces.text import TextBox, TextStyle, layout
from generator.paper.formats import Paper
from generator.sheets.sheets import Box, Sheet

FONTS = {
    "assembly": "font_source_sans_pro:SourceSansPro-Regular.ttf",
    "assembly-bold": "font_source_sans_pro:SourceSansPro-Semibold.ttf",
}
MARGIN = 14.0
BOX = 3.0
"""The side of a box to tick."""
NAME = "assembly"

_TITLE = TextStyle(font="assembly-bold", size=22, min=12)
_HEAD = TextStyle(font="assembly-bold", size=12)
_TEXT = TextStyle(font="assembly", bold="assembly-bold", size=9, leading=1.25)
_LABEL = TextStyle(font="assembly", size=7.5, colour="#555555")


class Part(msgspec.Struct, frozen=True):
    """A part of the file: its name, its pages, how many sheets of paper, whether both sides are printed, the paper."""

    name: str
    pages: str
    sheets: int
    two_sided: bool
    stock: str


class Step(msgspec.Struct, frozen=True):
    """Something to do: what, on which pages, and how."""

    what: str
    pages: str
    how: str


class Added(msgspec.Struct, frozen=True):
    """A module, and how many sheets it adds to those of the base game."""

    name: str
    sheets: int


class Deck(msgspec.Struct, frozen=True):
    """The pieces of a set that these pages must yield in the end."""

    name: str
    count: int
    pages: str


class Sleeves(msgspec.Struct, frozen=True):
    """Cards of one size, and the sleeves that fit them."""

    cards: str
    fitting: str
    decks: str


class Assembly(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that an assembly sheet says."""

    title: str
    about: str
    parts: Sequence[Part]
    printing: Sequence[str]
    cuts: Sequence[Step]
    folds: Sequence[Step]
    sleeves: Sequence[Sleeves] = ()
    decks: Sequence[Deck]
    modules: Sequence[Added] = ()
    finally_: Sequence[str]


def assembly_sheets(assembly: Assembly, paper: Paper, fonts: FontBook) -> list[Sheet]:
    """The assembly sheet, on as many pages as it takes. `fonts` has those of `FONTS`."""
    pages = pour(list(_Setter(paper.w - 2 * MARGIN, fonts).blocks(assembly)), paper.h - 2 * MARGIN)
    whole = Box(0.0, 0.0, paper.w, paper.h)
    return [
        Sheet(
            name=f"{NAME}-{n // 2 + 1:02}-{'back' if n % 2 else 'front'}",
            title=f"{assembly.title} · assembly sheet",
            side="back" if n % 2 else "front",
            w=paper.w,
            h=paper.h,
            placements=(),
            marks=tuple(flow.draw(page, MARGIN, MARGIN)),
            trim=whole,
            bleed=whole,
        )
        for n, page in enumerate(pages)
    ]


class _Setter:
    """Sets the blocks of the sheet in a column."""

    def __init__(self, width: float, fonts: FontBook) -> None:
        self.width = width
        self.fonts = fonts

    def blocks(self, assembly: Assembly) -> Iterator[Block]:
        yield self._row([(assembly.title, _TITLE, 0.0, self.width)])
        yield self._row([(assembly.about, _TEXT, 0.0, self.width)], before=2.5)
        yield self._head("Paper")
        yield self._columns(("part", "pages", "sheets", "sides", "paper"), _LABEL, tick=False)
        for part in assembly.parts:
            sides = "both" if part.two_sided else "one"
            yield self._columns((f"**{part.name}**", part.pages, str(part.sheets), sides, part.stock), _TEXT)
        if assembly.modules:
            said = ", ".join(f"**{one.name}** {one.sheets}" for one in assembly.modules)
            yield self._row([(f"Sheets that each module adds to the base game: {said}.", _TEXT, 0.0, self.width)], 2.5)
        yield self._head("Print")
        for line in assembly.printing:
            yield self._ticked([(line, 0.0, 1.0)])
        yield self._head("Cut, in this order")
        yield from self._steps(assembly.cuts)
        if assembly.folds:
            yield self._head("Fold and glue")
            yield from self._steps(assembly.folds)
        if assembly.sleeves:
            yield self._head("Sleeves, if you use them")
            for one in assembly.sleeves:
                yield self._ticked([(f"**{one.cards}**", 0.0, 0.16), (one.fitting, 0.16, 0.41), (one.decks, 0.41, 1.0)])
        yield self._head("Count")
        yield from self._decks(assembly.decks)
        for line in assembly.finally_:
            yield self._row([(line, _TEXT, 0.0, self.width)], before=3.0)

    def _head(self, text: str) -> Block:
        row = self._row([(text, _HEAD, 0.0, self.width)])
        y = row.height + 1.0
        line = PathOp(d=f"M0 {y:g}L{self.width:g} {y:g}", stroke="#000000", width=0.2)
        return Block(y + 0.4, (*row.ops, line), before=5.5, keep=10.0)

    def _columns(self, cells: Sequence[str], style: TextStyle, *, tick: bool = True) -> Block:
        at = (0.0, 0.14, 0.26, 0.345, 0.43, 1.0)
        return self._ticked(
            [(cell, left, right) for cell, left, right in zip(cells, at[:-1], at[1:], strict=True)], style, tick=tick
        )

    def _steps(self, steps: Sequence[Step]) -> Iterator[Block]:
        for step in steps:
            how = 0.41 if step.pages else 0.26
            pages = [(step.pages, 0.26, how)] if step.pages else []
            yield self._ticked([(f"**{step.what}**", 0.0, 0.26), *pages, (step.how, how, 1.0)])

    def _decks(self, decks: Sequence[Deck]) -> Iterator[Block]:
        """Two columns, read downward."""
        half = -(-len(decks) // 2)
        for n in range(half):
            row: list[tuple[str, float, float]] = []
            for deck, left in zip(decks[n::half], (0.0, 0.5), strict=False):
                row += [(f"**{deck.count}**", left, left + 0.06), (deck.name, left + 0.06, left + 0.31)]
                row.append((deck.pages, left + 0.31, left + 0.48))
            yield self._ticked(row, ticks=(0.0, 0.5)[: len(row) // 3])

    def _ticked(
        self,
        cells: Sequence[tuple[str, float, float]],
        style: TextStyle = _TEXT,
        *,
        tick: bool = True,
        ticks: Sequence[float] = (0.0,),
    ) -> Block:
        """Texts side by side, each between two parts of the width, after a box to tick at each of `ticks`."""
        first = BOX + 2.2
        span = self.width - first
        row = self._row(
            [(text, style, first + left * span, (right - left) * span - 2.0) for text, left, right in cells]
        )
        d = "".join(
            f"M{x:g} -0.4L{x + BOX:g} -0.4L{x + BOX:g} {BOX - 0.4:g}L{x:g} {BOX - 0.4:g}Z"
            for x in (left * span for left in ticks)
        )
        box = [PathOp(d=d, stroke="#000000", width=0.2)] if tick else []
        return Block(max(row.height, BOX if tick else 0.0), (*box, *row.ops), before=2.0)

    def _row(self, cells: Sequence[tuple[str, TextStyle, float, float]], before: float = 0.0) -> Block:
        ops: list[Op] = []
        height = 0.0
        for text, style, x, width in cells:
            made = layout(text, style, TextBox(x=x, width=width), self.fonts)
            ops += made.ops
            height = max(height, made.height)
        return Block(height, tuple(ops), before=before)
