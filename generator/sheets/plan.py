"""Where pieces lie on one sheet: the slots, the gutters or shared cuts, the fold, the strip of text.

A plan is found once for a format and a paper and then filled as often as there are pieces; `sharing.py` finds plans for
what is left over. Lengths in mm, origin at the top left corner of the paper, y downward.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Literal

import msgspec

from generator.paper.formats import Format, Paper
from generator.sheets import packing
from generator.sheets.marks import REGISTER, SheetStyle, strip_height
from generator.sheets.sheets import Backs, Box, Strip, Turn

Axis = Literal["upright", "level"]
STRIP_GAP = 1.0
"""Between the strip of text and the nearest crop mark."""


class Mirror(msgspec.Struct, frozen=True):
    """How the paper turns over: about an `upright` axis at x = `at`, or about a `level` one at y = `at`."""

    axis: Axis
    at: float

    def box(self, box: Box) -> Box:
        """Where the back of what lies in `box` lies."""
        if self.axis == "upright":
            return Box(2 * self.at - box.right, box.y, box.w, box.h)
        return Box(box.x, 2 * self.at - box.bottom, box.w, box.h)

    def line(self, ends: tuple[float, float, float, float]) -> tuple[float, float, float, float]:
        """Where a line `(x1, y1, x2, y2)` of the front lies on the back."""
        x1, y1, x2, y2 = ends
        if self.axis == "upright":
            return 2 * self.at - x1, y1, 2 * self.at - x2, y2
        return x1, 2 * self.at - y1, x2, 2 * self.at - y2

    def turn(self, turn: int) -> Turn:
        """How the back must be turned so that it stands upright when the cut piece is turned over like a page."""
        turned: Turn = (-turn if self.axis == "upright" else 180 - turn) % 360  # type: ignore[assignment]
        return turned

    def bleed(self, bleed: tuple[float, float, float, float]) -> tuple[float, float, float, float]:
        """`bleed` (left, top, right, bottom) as it lies on the back."""
        left, top, right, bottom = bleed
        return (right, top, left, bottom) if self.axis == "upright" else (left, bottom, right, top)


class Block(msgspec.Struct, frozen=True):
    """Pieces of one format that lie together and are cut together.

    `slots` are the trim boxes of flat pieces, in reading order, all turned by `turn`. `gap` is the distance between
    neighbours, `bleed` what may be seen beyond the outermost cuts (left and right, above and below), `crop` the length
    of the crop marks there.
    """

    format: Format
    slots: tuple[Box, ...]
    turn: Turn
    gap: float
    bleed: tuple[float, float]
    crop: tuple[float, float]


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
        """How many pieces there is room for."""
        return sum(len(block.slots) for block in self.blocks)


def duplex(w: float, h: float, backs: Backs) -> Mirror:
    """How a sheet of `w` x `h` mm turns over in the printer for `long` or `short` edge binding."""
    if (backs == "long") == (h >= w):
        return Mirror("upright", w / 2)
    return Mirror("level", h / 2)


def find_plan(
    fmt: Format, paper: Paper, style: SheetStyle, backs: Backs, name_length: float, tight: bool = False
) -> Plan | None:
    """The plan that holds most pieces; among equals gutters before shared cuts and an upright sheet before a lying one.

    `backs` is `none` for pieces that have none. `name_length`: mm taken by the longest sheet name. Not one piece fits:
    None. `tight`: without bleed and crop marks on sides where there is no room for them.
    """
    best: tuple[tuple[int, ...], Plan] | None = None
    for ground in grounds(paper, style, backs, name_length):
        for gutter, turn in product(cuts(fmt, style), turns(fmt)):
            plan = _lay(fmt, ground, gutter, turn, style, tight)
            key = (plan.holds, gutter, not ground.lying, turn == 0, not ground.beside, ground.fold == "upright")
            if plan.holds and (best is None or key > best[0]):
                best = key, plan
    return best[1] if best else None


def cuts(fmt: Format, style: SheetStyle) -> list[bool]:
    """Which kinds of cut to try, the better one first: True for gutters, False for cuts that neighbours share."""
    if fmt.shape != "rect":
        return [True]
    wanted = style.cuts.get(fmt.name, style.cut)
    return [True, False] if wanted == "auto" else [wanted == "gutter"]


def turns(fmt: Format) -> list[Turn]:
    """How pieces may lie."""
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


def grounds(paper: Paper, style: SheetStyle, backs: Backs, name_length: float) -> Iterator[Ground]:
    """Every way the paper may lie, the strip of text on it, and the fold of a `gutterfold` sheet."""
    folds: list[Axis | None] = ["upright", "level"] if backs == "gutterfold" else [None]
    for lying, beside, fold in product((False, True), (False, True), folds):
        w, h = (paper.h, paper.w) if lying else (paper.w, paper.h)
        margin = paper.margin
        strip, area = reserve(w, h, margin, name_length, style, beside)
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


def least_edge(fmt: Format, gutter: bool, style: SheetStyle) -> tuple[float, float]:
    """The least bleed beyond the outermost cuts of pieces of a format, and the least length of the crop marks there."""
    straight = fmt.shape in ("rect", "standee")
    return fmt.bleed if gutter else min(fmt.bleed, style.bleed_min), style.crop_min if straight else 0.0


def _lay(fmt: Format, ground: Ground, gutter: bool, turn: Turn, style: SheetStyle, tight: bool) -> Plan:
    """As many pieces as this one arrangement takes (perhaps none)."""
    fold, half = ground.fold, ground.half
    size = turned_size(fmt, turn)
    least, shortest = (0.0, 0.0) if tight else least_edge(fmt, gutter, style)
    longest = style.crop if fmt.shape in ("rect", "standee") else 0.0
    gap = 2 * fmt.bleed if gutter else 0.0
    edge = least + shortest
    space = (
        half.w - edge - (least if fold == "upright" else edge),
        half.h - edge - (least if fold == "level" else edge),
    )
    packed = _pack(fmt, space, size, gap)
    used = packed.size
    want = fmt.bleed + longest
    if fold == "upright":
        x, spare_x = _at_fold(half.x, half.right, used[0], fmt.bleed, least, edge)
    else:
        x, spare_x = _centre(half.x, half.right, used[0], want, ground.w / 2)
    if fold == "level":
        y, spare_y = _at_fold(half.y, half.bottom, used[1], fmt.bleed, least, edge)
    else:
        y, spare_y = _centre(half.y, half.bottom, used[1], want, ground.h / 2)
    bleed_x, bleed_y = (min(fmt.bleed, max(least, spare - shortest)) for spare in (spare_x, spare_y))
    block = Block(
        format=fmt,
        slots=tuple(Box(x + sx, y + sy, *size) for sx, sy in packed.slots),
        turn=turn,
        gap=gap,
        bleed=(bleed_x, bleed_y),
        crop=(min(longest, spare_x - bleed_x), min(longest, spare_y - bleed_y)),
    )
    return ground.plan([block])


def _pack(fmt: Format, space: tuple[float, float], size: tuple[float, float], gap: float) -> packing.Packing:
    if fmt.shape == "circle":
        return packing.discs(space, size[0], gap)
    if fmt.shape == "hex":
        return packing.hexes(space, *size, gap)
    return packing.grid(space, *size, gap)


def _at_fold(low: float, fold: float, size: float, bleed: float, least: float, edge: float) -> tuple[float, float]:
    """Start of `size` beside the fold and the room left at its other side: the bleed away from the fold, or less where
    the other side needs the room."""
    start = fold - size - max(least, min(bleed, fold - low - size - edge))
    return start, start - low


def _centre(low: float, high: float, size: float, want: float, middle: float) -> tuple[float, float]:
    """Start of `size` between `low` and `high` and the smaller room left at its sides: about the middle of the paper
    if `want` stays free on both sides, else in the middle of what there is."""
    first, last = low + want, high - want - size
    start = min(max(middle - size / 2, first), last) if first <= last else low + (high - low - size) / 2
    return start, min(start - low, high - start - size)
