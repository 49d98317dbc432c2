"""Blocks of text and pictures poured into pages of one or two columns, as for a book.

A block knows its height and draws itself with its upper left corner at the origin; the flow decides on which page it
stands and where. All lengths are mm, y downward.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby

from generator.faces.display import POP, Op, Push
from generator.sheets.sheets import Box

GUTTER = 6.0
"""Between two columns."""
LOOSE = 2.6
"""By so much a gap may grow so that the last line of a page stands at its foot."""
NEARLY = 0.2
"""A page is only drawn out that lacks no more than this part of its height."""


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
    columns: int = 1
    """Into how many columns it is set."""
    floats: bool = False
    """A picture: where it does not fit, what follows may come before it."""
    left_page: bool = False
    """It begins a left page."""
    chapter: str = ""
    """The chapter that begins here."""


@dataclass(slots=True)
class FlowPage:
    """A page being filled: blocks with the height at which each begins, and how far to the right."""

    blocks: list[tuple[float, Block]] = field(default_factory=list)
    used: float = 0.0
    left: list[float] = field(default_factory=list)
    """For each block, how far from the left of the page's column it stands."""
    fixed: bool = False
    """Parts of it stand in two columns."""

    def put(self, top: float, block: Block, left: float = 0.0) -> None:
        self.blocks.append((top, block))
        self.left.append(left)
        self.used = max(self.used, top + block.height)

    def placed(self) -> Iterator[tuple[float, float, Block]]:
        """Left, top and block of everything on the page."""
        for (top, block), left in zip(self.blocks, self.left, strict=True):
            yield left, top, block


def column_width(width: float, columns: int) -> float:
    """The width of one of so many columns of a page whose text is `width` mm wide."""
    return (width - GUTTER * (columns - 1)) / columns


def pour(blocks: Sequence[Block], height: float, width: float = 0.0, first: int = 1) -> list[FlowPage]:
    """Blocks to pages whose text is `height` mm high and `width` wide; the first page has the number `first`, even
    numbers are left pages. Raises ValueError for a block higher than a page."""
    return _Flow(height, width, first).pour(blocks)


class _Flow:
    def __init__(self, height: float, width: float, first: int) -> None:
        self.height, self.width, self.first = height, width, first
        self.pages = [FlowPage()]
        self.waiting: list[Block] = []

    def pour(self, blocks: Sequence[Block]) -> list[FlowPage]:
        for block in blocks:
            if block.height > self.height + 1e-6:
                raise ValueError(f"a block of {block.height:.1f} mm does not fit a page of {self.height:.1f} mm")
        for columns, run in groupby(blocks, key=lambda block: block.columns):
            if columns == 1:
                for block in run:
                    self._one(block)
            else:
                self._columns(list(run), columns)
                self._floated()
        self._land()
        return self.pages

    def _room(self, block: Block) -> float:
        """Height left on the page for a block."""
        page = self.pages[-1]
        return self.height - page.used - (block.before if page.blocks else 0.0)

    def _one(self, block: Block) -> None:
        if block.new_page or block.left_page or block.chapter:
            self._land()  # a picture stays in its chapter
        page = self.pages[-1]
        if block.new_page or block.left_page:
            self._turn(block.left_page)
        elif block.floats and self.waiting:
            self.waiting.append(block)  # pictures keep their order
            return
        elif block.height + block.keep > self._room(block) + 1e-6 and page.blocks:
            if block.floats:
                self.waiting.append(block)
                return
            self._new_page()
            if block.height + block.keep > self._room(block) + 1e-6 and self.pages[-1].blocks:
                self._new_page()
        self._put(block)
        if not block.keep:
            self._floated()

    def _floated(self) -> None:
        """What waits and has room now."""
        while self.waiting and self.waiting[0].height <= self._room(self.waiting[0]) + 1e-6:
            self._put(self.waiting.pop(0))

    def _put(self, block: Block) -> None:
        page = self.pages[-1]
        page.put(page.used + (block.before if page.blocks else 0.0), block)

    def _new_page(self) -> None:
        """A new page, which begins with what waits for room."""
        self.pages.append(FlowPage())
        self._floated()

    def _turn(self, left: bool) -> None:
        """To a fresh page, and a left one where it has to be."""
        if self.pages[-1].blocks:
            self.pages.append(FlowPage())
        if left and (self.first + len(self.pages) - 1) % 2:
            self.pages.append(FlowPage())

    def _land(self) -> None:
        """Whatever waits for room is put before anything else."""
        while self.waiting:
            block = self.waiting.pop(0)
            if block.height > self._room(block) + 1e-6 and self.pages[-1].blocks:
                self.pages.append(FlowPage())
            self._put(block)

    def _columns(self, blocks: list[Block], columns: int) -> None:
        """Columns as high as the page, the last of them of like height."""
        step = column_width(self.width, columns) + GUTTER
        rest = blocks
        while rest:
            page = self.pages[-1]
            lead = rest[0].before if page.blocks else 0.0
            top = page.used + lead
            room = self.height - top
            if room < rest[0].height + rest[0].keep and page.blocks:
                self._new_page()
                continue
            fits = _fill(rest, columns, room)
            if sum(map(len, fits)) == len(rest):
                fits = _level(rest, columns, room)
            page.fixed = True
            for n, column in enumerate(fits):
                y = top
                for i, block in enumerate(column):
                    y += block.before if i else 0.0
                    page.put(y, block, n * step)
                    y += block.height
            rest = rest[sum(map(len, fits)) :]
            if rest:
                self._new_page()


def _fill(blocks: Sequence[Block], columns: int, room: float) -> list[list[Block]]:
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


def _level(blocks: Sequence[Block], columns: int, room: float) -> list[list[Block]]:
    """All blocks in columns of as little height as they need."""
    low, high = 0.0, room
    while high - low > 0.5:
        middle = (low + high) / 2
        if sum(map(len, _fill(blocks, columns, middle))) == len(blocks) and not _over(
            _fill(blocks, columns, middle), middle
        ):
            high = middle
        else:
            low = middle
    return _fill(blocks, columns, high)


def _over(columns: list[list[Block]], height: float) -> bool:
    """Whether a column is higher than that (its first block alone may be)."""
    return any(
        sum(b.height + (b.before if i else 0.0) for i, b in enumerate(column)) > height + 1e-6 for column in columns
    )


def drawn_out(page: FlowPage, height: float) -> FlowPage:
    """The page with its gaps grown a little, so that it ends at its foot; as it is where too much is lacking."""
    gaps = [n for n, (_, block) in enumerate(page.blocks) if n and block.before]
    lack = height - page.used
    if page.fixed or not gaps or not 0.3 < lack <= height * NEARLY:
        return page
    grow = min(lack / len(gaps), LOOSE)
    moved, by = [], 0.0
    for n, (top, block) in enumerate(page.blocks):
        by += grow if n in gaps else 0.0
        moved.append((top + by, block))
    return FlowPage(moved, page.used + by, page.left)


def anchors(pages: Sequence[FlowPage], first: int) -> dict[str, int]:
    """Name -> number of the page on which its block stands; the first page has number `first`."""
    return {name: first + i for i, page in enumerate(pages) for _, block in page.blocks for name in block.anchors}


def chapters(pages: Sequence[FlowPage], first: int) -> dict[int, str]:
    """Number of a page -> the chapter it is in: the last that begins on it or before it."""
    found: dict[int, str] = {}
    current = ""
    for number, page in enumerate(pages, first):
        current = next((block.chapter for _, block in reversed(page.blocks) if block.chapter), current)
        found[number] = current
    return found


def draw(page: FlowPage, x: float, y: float) -> list[Op]:
    """The operations of a page whose text begins at `x, y`."""
    ops: list[Op] = []
    for left, top, block in page.placed():
        ops += [Push((1.0, 0.0, 0.0, 1.0, x + left, y + top)), *block.ops, POP]
    return ops


def in_columns(block: Block, columns: int) -> Block:
    """The block as part of so many columns."""
    return replace(block, columns=columns)
