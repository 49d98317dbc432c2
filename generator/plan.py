"""Where the pieces of one format lie on one sheet: the slots, the gutters or shared cuts, the fold, the strip of text.

A plan is found once for a format and a paper and then filled as often as there are pieces. Lengths in mm, origin at the
top left corner of the paper, y downward.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Literal

import msgspec

from generator import packing
from generator.formats import Format, Paper
from generator.marks import REGISTER, SheetStyle, strip_height
from generator.sheets import Backs, Box, Strip, Turn

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

    def turn(self, turn: int) -> Turn:
        """How the back must be turned so that it stands upright when the cut piece is turned over like a page."""
        turned: Turn = (-turn if self.axis == "upright" else 180 - turn) % 360  # type: ignore[assignment]
        return turned

    def bleed(self, bleed: tuple[float, float, float, float]) -> tuple[float, float, float, float]:
        """`bleed` (left, top, right, bottom) as it lies on the back."""
        left, top, right, bottom = bleed
        return (right, top, left, bottom) if self.axis == "upright" else (left, bottom, right, top)


class Plan(msgspec.Struct, frozen=True):
    """One sheet of one format, ready to be filled.

    `slots` are the trim boxes of flat pieces, in reading order, all turned by `turn`. `gap` is the distance between
    neighbours, `bleed` what may be seen beyond the outermost cuts (left and right, above and below), `crop` the length
    of the crop marks there. `mirror` says where the backs go, on the same side of the paper if `folded`.
    """

    format: Format
    w: float
    h: float
    slots: tuple[Box, ...]
    turn: Turn
    gap: float
    bleed: tuple[float, float]
    crop: tuple[float, float]
    strip: Strip
    printable: Box
    mirror: Mirror | None = None
    folded: bool = False
    fold: tuple[float, float, float, float] | None = None
    """The line along which the whole sheet is folded."""


def duplex(w: float, h: float, backs: Backs) -> Mirror:
    """How a sheet of `w` x `h` mm turns over in the printer for `long` or `short` edge binding."""
    if (backs == "long") == (h >= w):
        return Mirror("upright", w / 2)
    return Mirror("level", h / 2)


def find_plan(fmt: Format, paper: Paper, style: SheetStyle, backs: Backs, name_length: float) -> Plan | None:
    """The plan that holds most pieces; among equals gutters before shared cuts and an upright sheet before a lying one.

    `backs` is `none` for pieces that have none. `name_length`: mm taken by the longest sheet name. Not one piece fits:
    None.
    """
    best: tuple[tuple[int, ...], Plan] | None = None
    for plan, liking in _candidates(fmt, paper, style, backs, name_length):
        key = (len(plan.slots), *liking)
        if plan.slots and (best is None or key > best[0]):
            best = key, plan
    return best[1] if best else None


def _cuts(fmt: Format, style: SheetStyle) -> list[bool]:
    """Which kinds of cut to try: True for gutters."""
    if fmt.shape != "rect":
        return [True]
    wanted = style.cuts.get(fmt.name, style.cut)
    return [True, False] if wanted == "auto" else [wanted == "gutter"]


class _Way(msgspec.Struct, frozen=True):
    """One arrangement to try: sheet, what the strip leaves of it, fold of a gutterfold sheet, cut and turn."""

    w: float
    h: float
    strip: Strip
    area: Box
    fold: Axis | None
    gutter: bool
    turn: Turn


def _candidates(
    fmt: Format, paper: Paper, style: SheetStyle, backs: Backs, name_length: float
) -> Iterator[tuple[Plan, tuple[int, ...]]]:
    """Every arrangement with how much it is liked (apart from what it holds)."""
    turns: list[Turn] = [0] if fmt.shape in ("circle", "hex") else [0, 90]
    folds: list[Axis | None] = ["upright", "level"] if backs == "gutterfold" else [None]
    for lying, beside in product((False, True), repeat=2):
        w, h = (paper.h, paper.w) if lying else (paper.w, paper.h)
        strip, area = reserve(w, h, paper.margin, name_length, style, beside)
        for fold, gutter, turn in product(folds, _cuts(fmt, style), turns):
            way = _Way(w, h, strip, area, fold, gutter, turn)
            liking = (gutter, not lying, turn == 0, not beside, fold == "upright")
            yield _lay(fmt, way, paper.margin, style, backs), liking


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


def _lay(fmt: Format, way: _Way, margin: float, style: SheetStyle, backs: Backs) -> Plan:
    """As many pieces as this one arrangement takes (perhaps none)."""
    w, h, fold = way.w, way.h, way.fold
    size = fmt.flat if way.turn == 0 else (fmt.flat[1], fmt.flat[0])
    straight = fmt.shape in ("rect", "standee")
    shortest, longest = (style.crop_min, style.crop) if straight else (0.0, 0.0)
    least = fmt.bleed if way.gutter else min(fmt.bleed, style.bleed_min)
    gap = 2 * fmt.bleed if way.gutter else 0.0
    edge = least + shortest
    half = _half(way.area, fold)
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
        x, spare_x = _centre(half.x, half.right, used[0], want, w / 2)
    if fold == "level":
        y, spare_y = _at_fold(half.y, half.bottom, used[1], fmt.bleed, least, edge)
    else:
        y, spare_y = _centre(half.y, half.bottom, used[1], want, h / 2)
    bleed_x, bleed_y = (min(fmt.bleed, max(least, spare - shortest)) for spare in (spare_x, spare_y))
    mirror: Mirror | None = None
    line: tuple[float, float, float, float] | None = None
    if fold == "upright":
        mirror, line = Mirror("upright", half.right), (half.right, half.y, half.right, half.bottom)
    elif fold == "level":
        mirror, line = Mirror("level", half.bottom), (half.x, half.bottom, half.right, half.bottom)
    elif backs != "none":
        mirror = duplex(w, h, backs)
    return Plan(
        format=fmt,
        w=w,
        h=h,
        slots=tuple(Box(x + sx, y + sy, *size) for sx, sy in packed.slots),
        turn=way.turn,
        gap=gap,
        bleed=(bleed_x, bleed_y),
        crop=(min(longest, spare_x - bleed_x), min(longest, spare_y - bleed_y)),
        strip=way.strip,
        printable=Box(margin, margin, w - 2 * margin, h - 2 * margin),
        mirror=mirror,
        folded=fold is not None,
        fold=line,
    )


def _half(area: Box, fold: Axis | None) -> Box:
    """The part of the area that takes the fronts."""
    if fold == "upright":
        return Box(area.x, area.y, area.w / 2, area.h)
    if fold == "level":
        return Box(area.x, area.y, area.w, area.h / 2)
    return area


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
