"""Plans of one sheet: the slots, the gutters or shared cuts, the fold, the strip of text.

A plan is found once for a format and a paper and then filled as often as there are pieces; `sharing.py` finds plans for
what is left over. Lengths in mm, origin at the top left corner of the paper, y downward.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import product
from typing import Literal

import msgspec

from generator.paper.formats import Format, Paper
from generator.sheets import packing
from generator.sheets.marks import REGISTER, SHORTEST, SheetStyle, strip_height
from generator.sheets.sheets import Backs, Box, Strip, Turn

Axis = Literal["upright", "level"]
EPS = 1e-6
HANDY = 2.0
"""A crop mark of this length (mm) is easily found; longer ones are better still."""
STRIP_GAP = 1.0
"""Between the strip of text and the nearest crop mark."""


class Mirror(msgspec.Struct, frozen=True):
    """The turn of the paper: about an `upright` axis at x = `at`, or about a `level` one at y = `at`."""

    axis: Axis
    at: float

    def box(self, box: Box) -> Box:
        """The box of the back, mirrored."""
        if self.axis == "upright":
            return Box(2 * self.at - box.right, box.y, box.w, box.h)
        return Box(box.x, 2 * self.at - box.bottom, box.w, box.h)

    def line(self, ends: tuple[float, float, float, float]) -> tuple[float, float, float, float]:
        """A line `(x1, y1, x2, y2)` of the front, mirrored onto the back."""
        x1, y1, x2, y2 = ends
        if self.axis == "upright":
            return 2 * self.at - x1, y1, 2 * self.at - x2, y2
        return x1, 2 * self.at - y1, x2, 2 * self.at - y2

    def turn(self, turn: int) -> Turn:
        """The turn of the back that makes it upright when the cut piece is turned over like a page."""
        turned: Turn = (-turn if self.axis == "upright" else 180 - turn) % 360  # type: ignore[assignment]
        return turned

    def bleed(self, bleed: tuple[float, float, float, float]) -> tuple[float, float, float, float]:
        """`bleed` (left, top, right, bottom) as it lies on the back."""
        left, top, right, bottom = bleed
        return (right, top, left, bottom) if self.axis == "upright" else (left, bottom, right, top)


class Block(msgspec.Struct, frozen=True):
    """Pieces of one format that lie together and are cut together.

    `slots` are the trim boxes of flat pieces, in reading order, all turned by `turn`. `bleed` is what may be seen
    beyond the cuts (left and right, above and below), `crop` the length of the crop marks outside of it.
    """

    format: Format
    slots: tuple[Box, ...]
    turn: Turn
    bleed: tuple[float, float]
    crop: tuple[float, float]
    columns: int = 0
    """Slots of a full row; 0 where the rows are staggered, which no straight cut follows."""
    mixed: bool = True
    """True if a row may hold pieces of several decks."""
    gaps: tuple[float, float] = (0.0, 0.0)
    """Between two rows of one deck, and the least that may become of it where room is needed between decks."""
    folded: bool = False
    """True if the lower end lies at a fold, and marks stand at the upper end alone."""

    @property
    def rows(self) -> int:
        """Rows of a whole grid."""
        return len(self.slots) // self.columns if self.columns else 0

    @property
    def spare(self) -> float:
        """The room for crop marks above and below that could be given to gutters, in mm."""
        return (1 if self.folded else 2) * max(0.0, self.crop[1] - SHORTEST)

    @property
    def breaks(self) -> int:
        """The number of times a sheet has room for another deck to begin, with the whole bleed on both sides of the
        cut."""
        rows, (gap, least) = self.rows, self.gaps
        more = 2 * self.format.bleed - gap
        return max((n for n in range(rows) if n * more <= self.spare + (rows - n) * (gap - least) + EPS), default=0)

    def taking(self, rows: Sequence[int], breaks: Sequence[int]) -> Block:
        """The block with so many pieces in each row; with the rows `breaks` another deck begins.

        Both decks have their whole bleed there. The room is taken from the crop marks, then from the other gaps.
        """
        size = self.slots[0].h
        gap, least = self.gaps
        whole, others = max(gap, 2 * self.format.bleed), len(rows) - 1 - len(breaks)
        free = self.spare + (self.rows - len(rows)) * (size + gap)
        lacking = max(0.0, len(breaks) * (whole - gap) - free)
        narrow = max(least, gap - lacking / (others + 1))
        grown = len(breaks) * (whole - gap) - (others + 1) * (gap - narrow)
        up = min(self.spare / (1 if self.folded else 2), max(0.0, grown if self.folded else grown / 2))
        y = self.slots[0].y - up - (gap - narrow) / 2
        slots: list[Box] = []
        for row, count in enumerate(rows):
            y += (whole if row in breaks else narrow) if row else 0.0
            slots += [Box(slot.x, y, slot.w, slot.h) for slot in self.slots[:count]]
            y += size
        bleed = self.bleed[0], self.bleed[1] - (gap - narrow) / 2
        return msgspec.structs.replace(self, slots=tuple(slots), bleed=bleed, crop=(self.crop[0], self.crop[1] - up))


class Plan(msgspec.Struct, frozen=True):
    """One sheet, ready to be filled: one block, or several that share it (`generator.sheets.sharing`).

    `mirror` says where the backs go, on the same side of the paper if `folded`.
    """

    blocks: tuple[Block, ...]
    w: float
    h: float
    strip: Strip
    printable: Box
    mirror: Mirror | None = None
    folded: bool = False
    fold: tuple[float, float, float, float] | None = None
    """The line along which the whole sheet is folded."""
    partings: tuple[tuple[float, float, float, float], ...] = ()
    """The lines along which blocks are cut apart, each from end to end of what is left of the sheet by then."""

    @property
    def holds(self) -> int:
        """The number of pieces there is room for."""
        return sum(len(block.slots) for block in self.blocks)

    def holding(self, block: Block) -> Plan:
        """The sheet with another block in the place of its only one."""
        return msgspec.structs.replace(self, blocks=(block,))


def duplex(w: float, h: float, backs: Backs) -> Mirror:
    """The turn of a sheet of `w` x `h` mm in the printer for `long` or `short` edge binding."""
    if (backs == "long") == (h >= w):
        return Mirror("upright", w / 2)
    return Mirror("level", h / 2)


class Stock(msgspec.Struct, frozen=True):
    """The known facts about the pieces of one format before they are laid.

    `decks` are the numbers of pieces that must not lie in a row with others (pieces that hide nothing are one deck);
    empty: not known. `alike` is true if the pieces of each deck have one flat colour along their left and right edges,
    and along the upper and lower ones, so that neighbours may share a cut.
    """

    decks: tuple[int, ...] = ()
    alike: tuple[bool, bool] = (False, False)
    narrow: bool = False
    """True if all pieces of each deck look alike from behind: then they may lie closer than their whole bleed."""

    def leaves(self, columns: int, rows: int, mixed: bool) -> int:
        """Sheets for all pieces, each deck (unless decks are `mixed`) beginning a row."""
        counts = [sum(self.decks)] if mixed else self.decks
        return math.ceil(sum(math.ceil(count / columns) for count in counts) / rows)


def find_plan(
    fmt: Format,
    paper: Paper,
    style: SheetStyle,
    backs: Backs,
    name_length: float,
    stock: Stock | None = None,
    tight: bool = False,
    beyond: float = 0.0,
    close: bool = False,
) -> Plan | None:
    """The plan that needs fewest sheets; among equals separate cuts before shared ones, then the wider bleed, then an
    upright sheet before a lying one.

    `close`: the outer pieces show no more bleed at the edges of the sheet than neighbours of one deck between them.
    `backs` is `none` for pieces that have none. `name_length`: mm taken by the longest sheet name. Not one piece fits:
    None. `tight`: without bleed and crop marks on sides where there is no room for them; `beyond`: so many mm nearer to
    the edge of the paper than its margin.
    """
    best: tuple[tuple[float, ...], Plan] | None = None
    stock = stock or Stock()
    for ground in grounds(paper, style, backs, name_length, beyond):
        bleeds = {fmt.bleed, least_bleed(fmt, style, stock.narrow)}
        ways = [(turn, shared) for turn in turns(fmt) for shared in cuts(fmt, style, stock.alike, turn)]
        for (turn, shared), *least in product(ways, bleeds, bleeds):
            plan = _lay(fmt, ground, shared, turn, (least[0], least[1]), style, stock, tight, close)
            if not plan.holds:
                continue
            (block,) = plan.blocks
            wanted = sum(stock.decks)
            few = plan.holds if not wanted else -math.ceil(wanted / plan.holds)
            if wanted and block.columns:
                few = -stock.leaves(block.columns, block.rows, block.mixed)
            bleed = sorted(round(side, 3) for side in block.bleed)
            lies = not ground.lying, turn == 0, not ground.beside, ground.fold == "upright"
            key = (few, -sum(shared), *bleed, *lies, plan.holds)
            if best is None or key > best[0]:
                best = key, plan
    return best[1] if best else None


def cuts(fmt: Format, style: SheetStyle, alike: tuple[bool, bool], turn: Turn) -> list[tuple[bool, bool]]:
    """The kinds of cut to try: true where neighbours share the cut between columns, and between rows."""
    wanted = style.cuts.get(fmt.name, style.cut)
    if fmt.shape != "rect" or wanted == "gutter":
        return [joined(fmt, turn)]
    if wanted == "shared":
        return [(True, True)]
    across, down = alike if turn == 0 else alike[::-1]
    return [(x, y) for x in (False, True) for y in (False, True) if x <= across and y <= down]


def joined(fmt: Format, turn: Turn) -> tuple[bool, bool]:
    """The sides on which neighbours share cuts whatever is printed on them: the feet of standees are white."""
    ends = fmt.shape == "standee"
    return (ends and turn == 90, ends and turn == 0)


def least_bleed(fmt: Format, style: SheetStyle, narrow: bool) -> float:
    """The least bleed that pieces keep at every cut of their own: all of it, unless they are `narrow` (a deck with one
    back). Then it is as far as a back may be off its front, or a cut off its place, and no neighbour shows."""
    whole = not narrow or fmt.shape not in ("rect", "standee") or style.cuts.get(fmt.name, style.cut) == "gutter"
    return fmt.bleed if whole else min(fmt.bleed, style.bleed_min)


def staggered(fmt: Format, style: SheetStyle) -> bool:
    """True if pieces lie in staggered rows, which only a cutting machine can follow."""
    return fmt.shape in ("circle", "hex") and style.cuts.get(fmt.name, style.cut) == "machine"


def turns(fmt: Format) -> list[Turn]:
    """The turns in which pieces may lie, in degrees."""
    return [0] if fmt.shape in ("circle", "hex") else [0, 90]


def turned_size(fmt: Format, turn: Turn) -> tuple[float, float]:
    """Width and height of a flat piece that is turned so."""
    w, h = fmt.flat
    return (w, h) if turn == 0 else (h, w)


class Ground(msgspec.Struct, frozen=True):
    """A sheet before anything lies on it. `area` is what the strip leaves of it, `half` the part of that which takes
    the fronts (all but on a sheet that is folded); `lying` and `beside` say how paper and strip lie."""

    w: float
    h: float
    lying: bool
    beside: bool
    strip: Strip
    area: Box
    half: Box
    printable: Box
    fold: Axis | None
    mirror: Mirror | None

    def plan(self, blocks: Sequence[Block], partings: Sequence[tuple[float, float, float, float]] = ()) -> Plan:
        """The sheet with these blocks on it."""
        half = self.half
        line: tuple[float, float, float, float] | None = None
        if self.fold == "upright":
            line = half.right, half.y, half.right, half.bottom
        elif self.fold == "level":
            line = half.x, half.bottom, half.right, half.bottom
        return Plan(
            blocks=tuple(blocks),
            w=self.w,
            h=self.h,
            strip=self.strip,
            printable=self.printable,
            mirror=self.mirror,
            folded=self.fold is not None,
            fold=line,
            partings=tuple(partings),
        )


def grounds(paper: Paper, style: SheetStyle, backs: Backs, name_length: float, beyond: float = 0.0) -> Iterator[Ground]:
    """Every way the paper may lie, the strip of text on it, and the fold of a `gutterfold` sheet. Pieces may lie up to
    `beyond` mm nearer to the edge than its margin."""
    folds: list[Axis | None] = ["upright", "level"] if backs == "gutterfold" else [None]
    for lying, beside, fold in product((False, True), (False, True), folds):
        w, h = (paper.h, paper.w) if lying else (paper.w, paper.h)
        margin = paper.margin
        strip, area = reserve(w, h, margin, name_length, style, beside)
        area = area.grown(beyond, beyond, 0.0 if beside else beyond, beyond if beside else 0.0)
        half = area
        mirror: Mirror | None = None
        if fold == "upright":
            half = Box(area.x, area.y, area.w / 2, area.h)
            mirror = Mirror("upright", half.right)
        elif fold == "level":
            half = Box(area.x, area.y, area.w, area.h / 2)
            mirror = Mirror("level", half.bottom)
        elif backs != "none":
            mirror = duplex(w, h, backs)
        printable = Box(margin, margin, w - 2 * margin, h - 2 * margin)
        yield Ground(w, h, lying, beside, strip, area, half, printable, fold, mirror)


def reserve(
    w: float, h: float, margin: float, name_length: float, style: SheetStyle, beside: bool
) -> tuple[Strip, Box]:
    """The strip for name and scale bar, below the pieces or `beside` them, and the printable area it leaves."""
    corner = REGISTER + 1.0
    length = (h if beside else w) - 2 * (margin + corner)
    tall = strip_height(length, name_length, style)
    if beside:
        strip = Strip(Box(w - margin - tall, margin + corner, tall, length), upright=False)
        return strip, Box(margin, margin, w - 2 * margin - tall - STRIP_GAP, h - 2 * margin)
    strip = Strip(Box(margin + corner, h - margin - tall, length, tall))
    return strip, Box(margin, margin, w - 2 * margin, h - 2 * margin - tall - STRIP_GAP)


class _Axis(msgspec.Struct, frozen=True):
    """The pieces along one axis: their number, the room for bleed beyond each cut, the crop marks, the length."""

    count: int
    bleed: float
    crop: float
    gap: float
    used: float


def _axis(
    fmt: Format,
    size: float,
    room: float,
    shared: bool,
    ends: int,
    least: float,
    outer: float,
    style: SheetStyle,
    tight: bool,
) -> _Axis:
    """As many pieces as there is room for with the `least` bleed between them and the `outer` one around them. What
    room they leave goes to crop marks as long as a registration mark, then to wider bleed, then to longer marks, which
    stand at one or two ends."""
    count = packing.fits(room - ends * style.crop_min - 2 * outer, size, 0.0 if shared else 2 * least)
    if not count and not (tight and size <= room):
        return _Axis(0, 0.0, 0.0, 0.0, 0.0)
    if not count:
        bleed = min(fmt.bleed, (room - size) / 2)
        return _Axis(1, bleed, (room - size - 2 * bleed) / ends, 0.0, size)
    bleeds = 2 if shared else 2 * count
    spare = room - count * size - ends * min(style.crop, REGISTER)
    bleed = min(fmt.bleed, max(least, spare / bleeds))
    gap = 0.0 if shared else 2 * bleed
    if outer < least:
        bleed = min(fmt.bleed, max(outer, (spare - (count - 1) * gap) / 2))
    used = count * (size + gap) - gap
    return _Axis(count, bleed, min(style.crop, (room - used - 2 * bleed) / ends), gap, used)


def _lay(
    fmt: Format,
    ground: Ground,
    shared: tuple[bool, bool],
    turn: Turn,
    least: tuple[float, float],
    style: SheetStyle,
    stock: Stock,
    tight: bool,
    close: bool,
) -> Plan:
    """As many pieces as this one arrangement takes (perhaps none)."""
    half = ground.half
    if staggered(fmt, style):
        return _lay_staggered(fmt, ground)
    size = turned_size(fmt, turn)
    upright, level = ground.fold == "upright", ground.fold == "level"
    outer = [least_bleed(fmt, style, stock.narrow) if close else between for between in least]
    x = _axis(fmt, size[0], half.w, shared[0], 1 if upright else 2, least[0], outer[0], style, tight)
    y = _axis(fmt, size[1], half.h, shared[1], 1 if level else 2, least[1], outer[1], style, tight)
    left = _start(half.x, half.right, x, ground.w / 2, upright)
    top = _start(half.y, half.bottom, y, ground.h / 2, level)
    white = joined(fmt, turn)
    wide = [joint or axis.gap >= 2 * fmt.bleed - EPS for axis, joint in zip((x, y), white, strict=True)]
    mixed = all(wide) and x.count * y.count > 0
    if mixed and stock.decks:
        mixed = stock.leaves(x.count, y.count, True) < stock.leaves(x.count, y.count, False)
    block = Block(
        format=fmt,
        slots=tuple(
            Box(left + column * (size[0] + x.gap), top + row * (size[1] + y.gap), *size)
            for row in range(y.count)
            for column in range(x.count)
        ),
        turn=turn,
        bleed=(x.bleed, y.bleed),
        crop=(x.crop, y.crop),
        columns=x.count if y.count else 0,
        mixed=mixed,
        gaps=(y.gap, 0.0 if shared[1] else min(y.gap, 2 * least[1])),
        folded=level,
    )
    return ground.plan([block])


def _start(low: float, high: float, axis: _Axis, middle: float, folded: bool) -> float:
    """The start of the pieces between `low` and `high`: beside the fold, or about the middle of the paper as far as
    bleed and crop marks allow."""
    if folded:
        return high - axis.bleed - axis.used
    ends = axis.bleed + axis.crop
    return min(max(middle - axis.used / 2, low + ends), high - ends - axis.used)


def _lay_staggered(fmt: Format, ground: Ground) -> Plan:
    """As many discs or hexagons as staggered rows take, each with its whole bleed."""
    half, bleed = ground.half, fmt.bleed
    room = half.w - 2 * bleed, half.h - 2 * bleed
    packed = (
        packing.discs(room, fmt.w, 2 * bleed) if fmt.shape == "circle" else packing.hexes(room, fmt.w, fmt.h, 2 * bleed)
    )
    x = half.right - bleed - packed.size[0] if ground.fold == "upright" else half.x + (half.w - packed.size[0]) / 2
    y = half.bottom - bleed - packed.size[1] if ground.fold == "level" else half.y + (half.h - packed.size[1]) / 2
    slots = tuple(Box(x + sx, y + sy, fmt.w, fmt.h) for sx, sy in packed.slots)
    return ground.plan([Block(fmt, slots, 0, (bleed, bleed), (0.0, 0.0))])
