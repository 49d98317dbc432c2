"""Pages of a book: blocks of text and pictures in one or two columns, and how a page is drawn out to its foot.

A block knows its height and draws itself with its upper left corner at the origin. On which page it stands decides
`generator.book.pouring`. All lengths are mm, y downward.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import NamedTuple

from generator.faces.display import POP, Op, Push
from generator.sheets.sheets import Box

GUTTER = 6.0
"""Between two columns."""
LOOSE = 2.6
"""By so much a gap may grow so that the last line of a page stands at its foot."""
AIRY = 4
"""The gap above a picture or a chapter grows so many times as much."""
NEARLY = 0.25
"""A page is only drawn out that lacks no more than this part of its height."""
TIGHT = 0.78
"""On a page with smaller pictures, gaps are so much smaller."""


@dataclass(frozen=True, slots=True)
class Block:
    """Something that is never divided. `anchors` are names whose page is asked for later (contents, index); `links`
    are parts of the block that lead to an anchor."""

    height: float
    ops: tuple[Op, ...]
    before: float = 0.0
    """Space above it, dropped at the top of a page."""
    keep: float = 0.0
    """Room that must be left below it on the same page (a heading keeps with what follows)."""
    anchors: tuple[str, ...] = ()
    new_page: bool = False
    links: tuple[tuple[Box, str], ...] = ()
    head: Block | None = None
    """The headings of the table whose row it is: they stand above it again where a page begins."""
    columns: int = 1
    """Into how many columns it is set."""
    floats: bool = False
    """A picture: where it does not fit, what follows may come before it."""
    left_page: bool = False
    """It begins a left page."""
    chapter: str = ""
    """The chapter that begins here."""
    sized: Callable[[float], Block] | None = None
    """The block with its pictures so many times as large; None: nothing in it has another size."""
    late: Callable[[Mapping[str, int]], Block] | None = None
    """The block with the numbers of pages that it prints, when they are known. Its height does not depend on them."""


class Placed(NamedTuple):
    """A block on its page: where its upper left corner is, and in which column of which band."""

    left: float
    top: float
    block: Block
    band: int
    column: int


@dataclass(slots=True)
class FlowPage:
    """A page being filled: bands of the full width, one below the other. A band is a block, or a run of blocks in
    columns."""

    placed: list[Placed] = field(default_factory=list)
    used: float = 0.0
    bands: int = 0

    def copy(self) -> FlowPage:
        return FlowPage(self.placed.copy(), self.used, self.bands)

    def room(self, block: Block, height: float) -> float:
        """Height left for a block on a page of that height."""
        above = block.head if block.head is not None and self._lacks_head(block) else None
        gap = (above or block).before if self.placed else 0.0
        return height - self.used - gap - (above.height if above is not None else 0.0)

    def _lacks_head(self, block: Block) -> bool:
        """True if a row of a table would stand below anything but its headings or another row."""
        last = self.placed[-1].block if self.placed else None
        head = block.head
        return head is not None and (last is None or (last.ops is not head.ops and last.head is not head))

    def put(self, block: Block) -> None:
        """A block below everything else; a row of a table with its headings, unless it follows another row."""
        if block.head is not None and self._lacks_head(block):
            self.put(block.head)
        top = self.used + (block.before if self.placed else 0.0)
        self.placed.append(Placed(0.0, top, block, self.bands, 0))
        self.used = top + block.height
        self.bands += 1

    def put_columns(self, columns: Sequence[Sequence[Block]], step: float) -> None:
        """Columns below everything else, `step` mm from one to the next."""
        top = self.used + (columns[0][0].before if self.placed else 0.0)
        for n, column in enumerate(columns):
            y = top
            for i, block in enumerate(column):
                y += block.before if i else 0.0
                self.placed.append(Placed(n * step, y, block, self.bands, n))
                y += block.height
                self.used = max(self.used, y)
        self.bands += 1


def column_width(width: float, columns: int) -> float:
    """The width of one of so many columns of a page whose text is `width` mm wide."""
    return (width - GUTTER * (columns - 1)) / columns


def resized(block: Block, size: float) -> Block:
    """The block with its pictures so many times as large; where they are smaller, gaps are, too."""
    if size == 1.0:
        return block
    before = block.before * TIGHT if size < 1 else block.before
    if block.sized is None:
        return replace(block, before=before) if size < 1 else block
    made = block.sized(size)
    return replace(block, height=made.height, ops=made.ops, links=made.links, before=before)


# --- columns ---------------------------------------------------------------------------------------------------------


def filled(blocks: Sequence[Block], columns: int, room: float) -> list[list[Block]]:
    """As many blocks as go into so many columns of that height; one at least."""
    found: list[list[Block]] = []
    n = 0
    for _ in range(columns):
        column: list[Block] = []
        used = 0.0
        while n < len(blocks):
            block = blocks[n]
            need = (block.before if column else 0.0) + block.height
            if used + need + (block.keep if n + 1 < len(blocks) else 0.0) > room + 1e-6 and (column or found):
                break
            column.append(block)
            used += need
            n += 1
        found.append(column)
    return found


def levelled(blocks: Sequence[Block], columns: int, room: float) -> list[list[Block]]:
    """All blocks in columns of as little height as they need."""
    low, high = 0.0, room
    while high - low > 0.5:
        middle = (low + high) / 2
        made = filled(blocks, columns, middle)
        if sum(map(len, made)) == len(blocks) and max(map(column_height, made)) <= middle + 1e-6:
            high = middle
        else:
            low = middle
    return filled(blocks, columns, high)


def column_height(column: Sequence[Block]) -> float:
    """The height of blocks one below the other."""
    return sum(block.height + (block.before if i else 0.0) for i, block in enumerate(column))


# --- whole pages -----------------------------------------------------------------------------------------------------


def drawn_out(page: FlowPage, height: float) -> FlowPage:
    """The page with its gaps grown a little, so that it ends at its foot; as it is where too much is lacking."""
    lack = height - page.used
    gaps = _gaps(page)
    if not gaps or not 0.3 < lack <= height * NEARLY:
        return page
    grow = min(lack / gaps, LOOSE)
    moved: list[Placed] = []
    by = 0.0
    for band, columns in _bands(page):
        by += grow * _weight(band, columns)
        inside = grow * min(len(column) - 1 for column in columns)
        for column in columns:
            each = inside / max(len(column) - 1, 1)
            moved += [one._replace(top=one.top + by + each * i) for i, one in enumerate(column)]
        by += inside
    return FlowPage(moved, page.used + by, page.bands)


def stretch(page: FlowPage) -> float:
    """By how much a page can be drawn out."""
    return _gaps(page) * LOOSE


def _gaps(page: FlowPage) -> int:
    """The number of gaps of a page that can grow: those between bands, and those that every column of a band has."""
    return sum(_weight(band, columns) + min(len(column) - 1 for column in columns) for band, columns in _bands(page))


def _weight(band: int, columns: Sequence[Sequence[Placed]]) -> int:
    """The weight of the gap above a band: more above pictures and chapters, where white does no harm."""
    block = columns[0][0].block
    if not band or not block.before:
        return 0
    return AIRY if block.floats or block.chapter else 1


def _bands(page: FlowPage) -> list[tuple[int, list[list[Placed]]]]:
    """Number and columns of each band."""
    return [
        (band, [list(column) for _, column in groupby(run, key=lambda one: one.column)])
        for band, run in groupby(page.placed, key=lambda one: one.band)
    ]


def with_numbers(pages: Sequence[FlowPage], numbers: Mapping[str, int]) -> list[FlowPage]:
    """The pages with the page numbers that their blocks print."""
    done = []
    for page in pages:
        placed = []
        for one in page.placed:
            if one.block.late is not None:
                made = one.block.late(numbers)
                one = one._replace(block=replace(one.block, ops=made.ops, links=made.links))
            placed.append(one)
        done.append(replace(page, placed=placed))
    return done


def anchors(pages: Sequence[FlowPage], first: int) -> dict[str, int]:
    """Name -> number of the page on which its block stands; the first page has number `first`."""
    return {name: first + i for i, page in enumerate(pages) for one in page.placed for name in one.block.anchors}


def chapters(pages: Sequence[FlowPage], first: int) -> dict[int, str]:
    """Number of a page -> the chapter it is in: the last that begins on it or before it."""
    found: dict[int, str] = {}
    current = ""
    for number, page in enumerate(pages, first):
        current = next((one.block.chapter for one in reversed(page.placed) if one.block.chapter), current)
        found[number] = current
    return found


def draw(page: FlowPage, x: float, y: float) -> list[Op]:
    """The operations of a page whose text begins at `x, y`."""
    ops: list[Op] = []
    for one in page.placed:
        ops += [Push((1.0, 0.0, 0.0, 1.0, x + one.left, y + one.top)), *one.block.ops, POP]
    return ops
