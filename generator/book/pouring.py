"""Blocks poured into pages so that as little as possible stays empty.

Where a block does not fit, there is a choice: the page ends above it; a picture waits while what follows comes first;
or the pictures and gaps of the page become a little smaller. A page that lacks much has its pictures grow. Of the
ways through a book, those that leave least empty are followed further (a beam search): the best choice for one page
is often bad for the next.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import groupby

from generator.book.flow import (
    GUTTER,
    Block,
    FlowPage,
    column_width,
    drawn_out,
    filled,
    levelled,
    resized,
    stretch,
)

SMALLER = (0.96, 0.91, 0.86, 0.81, 0.76, 0.71, 0.65, 0.6)
"""Sizes of pictures on a page that has to hold more."""
LARGER = (1.48, 1.4, 1.32, 1.25, 1.18, 1.12, 1.06)
"""Sizes of pictures on a page that lacks much."""
WAYS = 16
"""So many ways through a book are followed."""
FREE = 0.04
"""An empty part of a page that costs nothing."""
EARLY = 0.5
"""A page that is filled by this part may end above a picture that would fit: what stands on it grows."""
EMPTY, SMALL, WAIT, ALONE, CUT = 100.0, 4.0, 0.15, 30.0, 30.0
"""Costs of an empty part of a page (for its square); of a page with smaller pictures, by how much they are; a
picture that waits, for each block that comes before it; a heading at the foot of a page, alone; and a table that goes
on when the page is turned."""


@dataclass(slots=True)
class Way:
    """A way through a book as far as it is poured: pages that are done, the page being filled, pictures that wait."""

    done: list[FlowPage] = field(default_factory=list)
    page: FlowPage = field(default_factory=FlowPage)
    runs: list[tuple[Sequence[Block], int]] = field(default_factory=list)
    """The contents of the page, in its own size: blocks, and their number of columns."""
    size: float = 1.0
    waiting: tuple[Block, ...] = ()
    cost: float = 0.0

    def copy(self) -> Way:
        return Way(self.done.copy(), self.page.copy(), self.runs.copy(), self.size, self.waiting, self.cost)


def pour(blocks: Sequence[Block], height: float, width: float = 0.0, first: int = 1) -> list[FlowPage]:
    """Blocks to pages whose text is `height` mm high and `width` wide; the first page has the number `first`, even
    numbers are left pages. Raises ValueError for a block higher than a page."""
    pourer = Pourer(height, width, first)
    return pourer.pages(pourer.pour(blocks))


class Pourer:
    """Pours blocks into pages of one size."""

    def __init__(self, height: float, width: float, first: int) -> None:
        self.height, self.width, self.first = height, width, first
        self._sizes: dict[tuple[int, float], tuple[Block, Block]] = {}

    def pour(self, blocks: Sequence[Block], way: Way | None = None) -> Way:
        """The best way to pour blocks, after those of `way`. Raises ValueError for a block higher than a page."""
        for block in blocks:
            if block.height > self.height + 1e-6:
                raise ValueError(f"a block of {block.height:.1f} mm does not fit a page of {self.height:.1f} mm")
        ways = [way.copy() if way is not None else Way()]
        for columns, run in groupby(blocks, key=lambda block: block.columns):
            if columns == 1:
                for block in run:
                    ways = self._best([further for way in ways for further in self._one(way, block)])
            else:
                together = list(run)
                ways = self._best([further for way in ways for further in self._columns(way, together, columns)])
        for way in ways:
            self._land(way)
        return min(ways, key=lambda way: way.cost)

    def pages(self, way: Way) -> list[FlowPage]:
        """The pages of a way, the last of them as it is now."""
        return [*way.done, self._finished(way)]

    def _best(self, ways: list[Way]) -> list[Way]:
        """The cheapest of those that differ in what comes."""
        ways.sort(key=lambda way: way.cost)
        found: dict[tuple[object, ...], Way] = {}
        for way in ways:
            found.setdefault((len(way.done), round(way.page.used, 1), way.size < 1, len(way.waiting)), way)
            if len(found) == WAYS:
                break
        return list(found.values())

    def _sized(self, block: Block, size: float) -> Block:
        if size == 1.0:
            return block
        key = id(block), size
        if key not in self._sizes:
            self._sizes[key] = block, resized(block, size)  # the block is kept: its id names it
        return self._sizes[key][1]

    # --- pages

    def _laid(self, runs: Sequence[tuple[Sequence[Block], int]], size: float) -> FlowPage | None:
        """A page with these blocks, their pictures in this size; None if they do not fit."""
        page = FlowPage()
        for blocks, columns in runs:
            made = [self._sized(block, size) for block in blocks]
            if columns == 1:
                page.put(made[0])
            else:
                levels = levelled(made, columns, page.room(made[0], self.height))
                if sum(map(len, levels)) < len(made):
                    return None
                page.put_columns(levels, self._step(columns))
            if page.used > self.height + 1e-6:
                return None
        return page

    def _step(self, columns: int) -> float:
        return column_width(self.width, columns) + GUTTER

    def _finished(self, way: Way) -> FlowPage:
        """The page of a way, drawn out to its foot: gaps first, then pictures."""
        page = way.page
        lack = self.height - page.used
        if way.size == 1.0 and lack > max(stretch(page), 0.01 * self.height):
            for size in LARGER:
                if not any(block.sized for blocks, _ in way.runs for block in blocks):
                    break
                larger = self._laid(way.runs, size)
                if larger is not None and larger.used > page.used:
                    page = larger
                    break
        return drawn_out(page, self.height)

    def _turn(self, way: Way) -> None:
        """To a new page."""
        if not way.page.placed:
            return
        page = self._finished(way)
        empty = max(0.0, 1 - page.used / self.height - FREE)
        way.cost += EMPTY * empty * empty + SMALL * (1 - way.size)
        way.done.append(page)
        way.page, way.runs, way.size = FlowPage(), [], 1.0

    def _new_page(self, way: Way) -> None:
        """A new page, which begins with what waits for room."""
        self._turn(way)
        self._floated(way)

    def _smaller(self, way: Way, blocks: Sequence[Block], columns: int, keep: float) -> Way | None:
        """The way with the pictures of its page smaller, so that these blocks fit, and `keep` mm below them."""
        if not way.page.placed or way.waiting:
            return None
        runs = [*way.runs, (blocks, columns)]
        found = None
        for size in reversed(SMALLER):
            page = self._laid(runs, size) if size <= way.size else None
            if page is None or page.used + keep > self.height + 1e-6:
                break
            found = page, size
        if found is None:
            return None
        made = way.copy()
        made.page, made.size = found
        made.runs = runs
        return made

    # --- single blocks

    def _one(self, way: Way, block: Block) -> list[Way]:
        if block.new_page or block.left_page or block.chapter:
            self._land(way)  # a picture stays in its chapter
        if block.new_page or block.left_page:
            self._turn(way)
            if block.left_page and (self.first + len(way.done)) % 2:
                way.done.append(FlowPage())
        elif block.floats and way.waiting:
            way.waiting += (block,)  # pictures keep their order
            return [way]
        made = self._sized(block, way.size)
        if made.height + made.keep <= way.page.room(made, self.height) + 1e-6 or not way.page.placed:
            further = []
            if (block.floats or block.chapter) and way.page.used > EARLY * self.height and not way.waiting:
                early = way.copy()
                self._new_page(early)
                further = [self._put(early, block)]
            return [*further, self._put(way, block)]
        smaller = self._smaller(way, (block,), 1, block.keep)
        if way.runs and way.runs[-1][0][-1].keep:  # its heading stands right above it
            if smaller is not None:
                return [smaller]
            way.cost += ALONE
        ways = [] if smaller is None else [smaller]
        turned = (self.first + len(way.done)) % 2 == 1
        if turned and block.head is not None and way.runs[-1][0][-1].head is block.head:
            way.cost += CUT
        if block.floats:
            later = way.copy()
            later.waiting += (block,)
            ways.append(later)
        self._new_page(way)
        if block.height + block.keep > way.page.room(block, self.height) + 1e-6:
            self._turn(way)
        return [*ways, self._put(way, block)]

    def _put(self, way: Way, block: Block) -> Way:
        if not block.floats:
            way.cost += WAIT * len(way.waiting)
        way.page.put(self._sized(block, way.size))
        way.runs.append(((block,), 1))
        if not block.keep:
            self._floated(way)
        return way

    def _floated(self, way: Way) -> None:
        """Place the waiting pictures that now have room."""
        while way.waiting:
            block = self._sized(way.waiting[0], way.size)
            if block.height > way.page.room(block, self.height) + 1e-6:
                return
            way.page.put(block)
            way.runs.append(((way.waiting[0],), 1))
            way.waiting = way.waiting[1:]

    def _land(self, way: Way) -> None:
        """Whatever waits for room is put before anything else."""
        while way.waiting:
            self._floated(way)
            if way.waiting:
                self._turn(way)

    # --- columns

    def _columns(self, way: Way, blocks: Sequence[Block], columns: int) -> list[Way]:
        """Columns as high as the page, the last of them of like height."""
        if blocks[0].new_page or blocks[0].left_page:
            self._land(way)
            self._turn(way)
        ways: list[Way] = []
        rest = blocks
        while rest:
            lead = self._sized(rest[0], way.size)
            room = way.page.room(lead, self.height)
            if room < lead.height + lead.keep and way.page.placed:
                self._new_page(way)
                continue
            made = [self._sized(block, way.size) for block in rest]
            fits = filled(made, columns, room)
            number = sum(map(len, fits))
            if number == len(rest):
                fits = levelled(made, columns, room)
            elif (smaller := self._smaller(way, rest, columns, 0.0)) is not None:
                ways.append(smaller)
            way.page.put_columns([column for column in fits if column], self._step(columns))
            way.runs.append((rest[:number], columns))
            way.cost += WAIT * len(way.waiting)
            rest = rest[number:]
            if rest:
                self._new_page(way)
        self._floated(way)
        return [*ways, way]


__all__ = ["Pourer", "Way", "pour"]
