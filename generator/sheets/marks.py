"""Print around the pieces: crop, registration and fold marks, cut outlines, scale bar and sheet name.

Everything here returns display operations in sheet millimetres; line widths, colours and sizes come from `SheetStyle`
(`layouts/sheets.yaml`).
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Literal

import msgspec

from generator.faces.display import POP, Op, PathOp, Push, TextOp, number
from generator.faces.fonts import Font, FontBook
from generator.paper.formats import layout_files, read_layout
from generator.paper.units import POINT
from generator.sheets.sheets import Box, CutLine, Placement, Strip, around

ARC = 0.5522847498
"""Length of the handles of a cubic curve that draws a quarter of a circle of radius 1."""
FONT = "sheet"
"""Font key of every text on a sheet that does not belong to a face."""

Cut = Literal["auto", "gutter", "shared", "machine"]


Points = Annotated[float, msgspec.Meta(ge=6, le=12)]
Colour = Annotated[str, msgspec.Meta(pattern=r"^#[0-9a-f]{6}$")]
Millimetres = Annotated[float, msgspec.Meta(ge=0, le=200)]


class SheetStyle(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The cuts and marks of sheets: `layouts/sheets.yaml`, where each key is explained. mm; type sizes in points."""

    font: str = "font_source_sans_pro:SourceSansPro-Regular.ttf"
    text: Points = 6.5
    text_min: Points = 6.0
    colour: Colour = "#000000"
    faint: Colour = "#8a8a8a"
    line: Millimetres = 0.2
    crop: Millimetres = 4.0
    crop_min: Millimetres = 1.0
    bleed: Millimetres = 3.0
    bleed_min: Millimetres = 1.5
    scale_bar: Annotated[float, msgspec.Meta(ge=50, le=200)] = 100.0
    overlap: Annotated[float, msgspec.Meta(ge=0, le=50)] = 10.0
    hinge: Annotated[float, msgspec.Meta(ge=0, le=20)] = 4.0
    back_shift: tuple[float, float] = (0.0, 0.0)
    cut: Cut = "auto"
    cuts: dict[str, Cut] = {}
    share: bool | Literal["all"] = True
    stock: dict[str, str] = {}
    sleeves: dict[str, tuple[Millimetres, Millimetres]] = {}


class SheetsFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`sheets.yaml`."""

    sheets: SheetStyle


def load_style(layouts: Path | None = None) -> SheetStyle:
    """The sheet style of a project's `layouts/sheets.yaml`, or the package's if the project has none."""
    return read_layout(layout_files("sheets.yaml", layouts)[-1], SheetsFile).sheets


def sheet_font(style: SheetStyle) -> Font:
    """The font of the sheet texts."""
    return _opened(style.font)


@lru_cache(maxsize=4)
def _opened(address: str) -> Font:
    return FontBook({FONT: address}, Path())[FONT]


def line(x1: float, y1: float, x2: float, y2: float) -> str:
    """Path data of a straight line."""
    return f"M{number(x1)} {number(y1)}L{number(x2)} {number(y2)}"


def _distinct(values: Iterable[float]) -> list[float]:
    """The values in order, those that differ by less than a hundredth of a millimetre once."""
    found: list[float] = []
    for value in sorted(values):
        if not found or value - found[-1] > 0.01:
            found.append(value)
    return found


SHORTEST = 1.0
"""A crop mark shorter than this (mm) is of no use."""


def crop_marks(trims: list[Box], bleed: Box, lengths: tuple[float, float], style: SheetStyle) -> list[Op]:
    """Crop marks at every cut of `trims`, outside of the `bleed` box.

    `lengths`: of the marks left and right, and of those above and below. Where there is no room for marks, faint lines
    show the cuts themselves.
    """
    across, down = lengths
    columns = _distinct(x for trim in trims for x in (trim.x, trim.right))
    rows = _distinct(y for trim in trims for y in (trim.y, trim.bottom))
    box = around(trims)
    drawn: list[Op] = []
    d = faint = ""
    if down >= SHORTEST:
        d = "".join(
            line(x, bleed.y - down, x, bleed.y) + line(x, bleed.bottom, x, bleed.bottom + down) for x in columns
        )
    else:
        faint = "".join(line(x, box.y, x, box.bottom) for x in columns)
    if across >= SHORTEST:
        d += "".join(
            line(bleed.x - across, y, bleed.x, y) + line(bleed.right, y, bleed.right + across, y) for y in rows
        )
    else:
        faint += "".join(line(box.x, y, box.right, y) for y in rows)
    if d:
        drawn.append(PathOp(d=d, stroke=style.colour, width=style.line))
    if faint:
        drawn.append(PathOp(d=faint, stroke=style.faint, width=style.line))
    return [Push(layer="cut"), *drawn, POP]


def circle(cx: float, cy: float, r: float) -> str:
    """Path data of a circle."""
    k = r * ARC
    corners = ((cx, cy - r, k, 0.0), (cx + r, cy, 0.0, k), (cx, cy + r, -k, 0.0), (cx - r, cy, 0.0, -k))
    d = f"M{number(cx)} {number(cy - r)}"
    for (x1, y1, dx1, dy1), (x2, y2, dx2, dy2) in zip(corners, (*corners[1:], corners[0]), strict=True):
        d += "C" + " ".join(map(number, (x1 + dx1, y1 + dy1, x2 - dx2, y2 - dy2, x2, y2)))
    return d + "Z"


def hexagon(box: Box) -> str:
    """Path data of the hexagon with corners at top and bottom that fills `box`."""
    cx, third = box.x + box.w / 2, box.h / 4
    points = [
        (cx, box.y),
        (box.right, box.y + third),
        (box.right, box.bottom - third),
        (cx, box.bottom),
        (box.x, box.bottom - third),
        (box.x, box.y + third),
    ]
    return "M" + "L".join(f"{number(x)} {number(y)}" for x, y in points) + "Z"


def rounded(box: Box, radius: float) -> str:
    """Path data of a rectangle with round corners."""
    if not radius:
        return f"M{number(box.x)} {number(box.y)}H{number(box.right)}V{number(box.bottom)}H{number(box.x)}Z"
    r, k = min(radius, box.w / 2, box.h / 2), min(radius, box.w / 2, box.h / 2) * (1 - ARC)
    corners = (
        ((box.right - r, box.y), (box.right - k, box.y), (box.right, box.y + k), (box.right, box.y + r)),
        (
            (box.right, box.bottom - r),
            (box.right, box.bottom - k),
            (box.right - k, box.bottom),
            (box.right - r, box.bottom),
        ),
        ((box.x + r, box.bottom), (box.x + k, box.bottom), (box.x, box.bottom - k), (box.x, box.bottom - r)),
        ((box.x, box.y + r), (box.x, box.y + k), (box.x + k, box.y), (box.x + r, box.y)),
    )
    d = f"M{number(box.x + r)} {number(box.y)}"
    for start, *curve in corners:
        d += f"L{number(start[0])} {number(start[1])}"
        d += "C" + " ".join(f"{number(x)} {number(y)}" for x, y in curve)
    return d + "Z"


def cut_line(line: CutLine) -> str:
    """The closed path along which a flat piece is cut out."""
    slot = line.slot
    if line.shape == "circle":
        return circle(slot.x + slot.w / 2, slot.y + slot.h / 2, slot.w / 2)
    return hexagon(slot) if line.shape == "hex" else rounded(slot, line.corner)


def outlines(placements: Iterable[Placement], style: SheetStyle) -> list[Op]:
    """Faint cut lines around the round and six-sided pieces, which no straight cut through the sheet can follow."""
    d = "".join(
        circle(p.x + p.w / 2, p.y + p.h / 2, p.w / 2) if p.clip == "circle" else hexagon(p.trim)
        for p in placements
        if p.clip != "rect"
    )
    return [Push(layer="cut"), PathOp(d=d, stroke=style.faint, width=style.line), POP] if d else []


TICK = 1.2
"""Length in mm of the ticks outside a disc."""


def ticks(placements: Iterable[Placement], style: SheetStyle) -> list[Op]:
    """Four short lines at each disc, slanting outward from its edge: they are still there when a square was cut first.
    A white line beneath shows them on dark ground."""
    d = ""
    for p in placements:
        if p.clip == "circle":
            cx, cy, r, s = p.x + p.w / 2, p.y + p.h / 2, p.w / 2, math.sqrt(0.5)
            for dx, dy in ((s, s), (s, -s), (-s, -s), (-s, s)):
                d += line(cx + r * dx, cy + r * dy, cx + (r + TICK) * dx, cy + (r + TICK) * dy)
    if not d:
        return []
    ground = PathOp(d=d, stroke="#ffffff", width=5 * style.line)
    return [Push(layer="marks"), ground, PathOp(d=d, stroke=style.colour, width=style.line), POP]


FOLD = 0.8
"""Between the two lines of a fold mark (mm): what tells it from a crop mark."""


def fold_lines(lines: Iterable[tuple[float, float, float, float]], style: SheetStyle) -> list[Op]:
    """Dashed lines `(x1, y1, x2, y2)` along which the paper is folded, on white: they are found on any ground."""
    d = "".join(line(*ends) for ends in lines)
    if not d:
        return []
    ground = PathOp(d=d, stroke="#ffffff", width=4 * style.line)
    return [Push(layer="fold"), ground, PathOp(d=d, stroke=style.colour, width=style.line, dash=(2.0, 1.0)), POP]


def fold_marks(
    upright: Iterable[float], level: Iterable[float], around: Box, lengths: tuple[float, float], style: SheetStyle
) -> list[Op]:
    """Marks outside of `around` where the folds lie at these x and y: pairs of short lines about the fold.

    `lengths`: of the marks left and right, and of those above and below.
    """
    across, down = lengths
    d = ""
    for aside in (-FOLD / 2, FOLD / 2):
        for x in (at + aside for at in upright):
            d += line(x, around.y - down, x, around.y) + line(x, around.bottom, x, around.bottom + down)
        for y in (at + aside for at in level):
            d += line(around.x - across, y, around.x, y) + line(around.right, y, around.right + across, y)
    return [Push(layer="fold"), PathOp(d=d, stroke=style.colour, width=style.line), POP] if d else []


def parting_lines(lines: Iterable[tuple[float, float, float, float]], style: SheetStyle) -> list[Op]:
    """Faint lines `(x1, y1, x2, y2)` along which the blocks of a shared sheet are cut apart. A cutting machine must not
    follow them, since no piece ends there."""
    d = "".join(line(*ends) for ends in lines)
    return [Push(layer="marks"), PathOp(d=d, stroke=style.faint, width=style.line), POP] if d else []


REGISTER = 2.5
"""Size in mm of a registration mark."""


def registration(within: Box, keep_off: list[Box], style: SheetStyle) -> list[Op]:
    """A circle with a cross in it in each corner of `within`, except where it would touch one of the boxes `keep_off`.
    No line leaves the circle, so that nobody takes it for a crop mark."""
    half = REGISTER / 2
    d = ""
    for cx in (within.x + half, within.right - half):
        for cy in (within.y + half, within.bottom - half):
            mark = Box(cx - half, cy - half, REGISTER, REGISTER)
            if not any(_touch(mark, box) for box in keep_off):
                arm = half * 0.45
                d += circle(cx, cy, half * 0.7)
                d += line(cx - arm, cy, cx + arm, cy) + line(cx, cy - arm, cx, cy + arm)
    return [Push(layer="marks"), PathOp(d=d, stroke=style.colour, width=style.line), POP] if d else []


def _touch(a: Box, b: Box) -> bool:
    return a.x < b.right and b.x < a.right and a.y < b.bottom and b.y < a.bottom


def text(font: Font, value: str, x: float, baseline: float, size: float, colour: str) -> TextOp:
    """One line of sheet text of `size` mm, kerned."""
    kerns = tuple((i, em * size) for i, em in font.kern_list(value))
    return TextOp(font=FONT, size=size, x=x, y=baseline, text=value, colour=colour, kerns=kerns)


BAR = 2.2
"""Height in mm of the scale bar's ends."""
LINE = 3.2
"""Height in mm of one line of the strip that holds the sheet's name and the scale bar."""


def strip_height(length: float, longest: float, style: SheetStyle) -> float:
    """Height of a strip of that length whose longest name takes `longest` mm: name and bar side by side, or stacked."""
    return LINE if longest + 4 + style.scale_bar + bar_label_room(style) <= length else 2 * LINE


def bar_label_room(style: SheetStyle) -> float:
    """Width in mm kept for the words beside the scale bar."""
    return 6.5 * style.text * POINT


def strip_marks(strip: Strip, name: str, font: Font, style: SheetStyle) -> list[Op]:
    """The sheet's name and the scale bar, drawn in the strip. A name too long for the strip is shortened with `…`."""
    size = style.text * POINT
    room, length = bar_label_room(style), strip.length
    stacked = (strip.box.h if strip.upright else strip.box.w) > 1.5 * LINE
    free = length if stacked else length - style.scale_bar - room - 4
    if font.width(name) * size > free:
        size = max(style.text_min * POINT, free / font.width(name))
    while len(name) > 1 and font.width(name) * size > free:
        name = name[:-2].rstrip() + "…"
    base = LINE * 0.72
    start = 0.0 if stacked else length - style.scale_bar - room
    middle = (LINE if stacked else 0.0) + LINE / 2
    label = f"{style.scale_bar:g} mm"
    small = style.text_min * POINT
    bar = _scale_bar(start, middle, style)
    ops: list[Op] = [
        text(font, name, 0.0, base, size, style.colour),
        PathOp(d=bar, stroke=style.colour, width=style.line),
        text(font, label, start + style.scale_bar + 1.2, middle + small * 0.33, small, style.colour),
    ]
    box = strip.box
    matrix = (1.0, 0.0, 0.0, 1.0, box.x, box.y) if strip.upright else (0.0, -1.0, 1.0, 0.0, box.x, box.bottom)
    return [Push(matrix=matrix, layer="text"), *ops, POP]


def _scale_bar(start: float, middle: float, style: SheetStyle) -> str:
    """A bar with a tick every 10 mm and taller ones at its ends and its half."""
    d = line(start, middle, start + style.scale_bar, middle)
    for n in range(math.floor(style.scale_bar / 10 + 1e-9) + 1):
        tall = n * 10 in (0, style.scale_bar / 2, style.scale_bar)
        half = BAR / 2 if tall else BAR / 4
        d += line(start + 10 * n, middle - half, start + 10 * n, middle + half)
    return d
