"""A board larger than what a sheet has room for: whole, on a page somewhat larger than a paper of its own size, else
cut into overlapping pages with alignment marks, fold marks and a map of the pages.

Each page but the last of a row goes on beyond its share by an overlap, on which the next page is glued: cut the next
page at its upper and left crop marks and lay its edge along the dashed line. Where a board is to be folded, the fold
lies in the middle of the overlap: there the paper is double, and the boards beneath it leave a gap, the hinge. Lengths
in mm.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import product
from typing import NamedTuple

import msgspec

from generator.faces.display import POP, Op, PathOp, Push, number
from generator.faces.fonts import Font
from generator.paper.formats import Format, Paper
from generator.paper.units import POINT
from generator.sheets import marks
from generator.sheets.marks import LINE, SheetStyle
from generator.sheets.plan import HANDY, STRIP_GAP, reserve
from generator.sheets.sheets import Box, CutLine, Page, Placement, Strip

WHOLE = 0.5
"""A board that differs from the paper by less than this (mm) is as large as the paper."""
OVERSIZE = (23.0, 30.0)
"""The page of such a board is larger than the paper by this much (shorter and longer side, in mm): A3 becomes SRA3."""
MAP = 12.0
"""Height in mm of the page map."""
OFF = 1.0
"""Between the cut and its crop marks where a page has no bleed."""


class _Cut(NamedTuple):
    """The pages of a board on one paper: their number and size, the part of the paper they lie in, and how far they go
    on beyond a cut at which they lie on another page."""

    columns: int
    rows: int
    w: float
    h: float
    sheet: tuple[float, float]
    area: Box
    strip: Strip
    inner: float


def oversize(fmt: Format, paper: Paper) -> Paper | None:
    """The page for a board as large as the paper, with room for bleed, marks and name around it; None for others."""
    if not any(abs(fmt.w - w) < WHOLE and abs(fmt.h - h) < WHOLE for w, h in ((paper.w, paper.h), (paper.h, paper.w))):
        return None
    return msgspec.structs.replace(paper, w=paper.w + OVERSIZE[0], h=paper.h + OVERSIZE[1])


def _share(length: float, room: float, overlap: float, bleed: float, inner: float) -> tuple[int, float]:
    """Number and length of equal pages that cover `length`, each overlapping the next. In the `room` for one there is
    the board's bleed at its outer cuts, and `inner` where a page is laid onto another."""
    if length + 2 * bleed <= room:
        return 1, length
    room -= bleed + inner
    count = max(2, math.ceil((length - overlap) / (room - overlap) - 1e-9))
    return count, (length - overlap) / count + overlap


def _best(fmt: Format, paper: Paper, style: SheetStyle, longest: float) -> _Cut:
    """The cut with fewest pages; among equals what goes on furthest beyond the inner cuts, then the upright sheet, then
    the one with map and words below the pages and not beside them."""
    found: list[_Cut] = []
    for inner in (fmt.bleed, fmt.bleed / 2, 0.0):
        for (w, h), beside in product(((paper.w, paper.h), (paper.h, paper.w)), (False, True)):
            strip, area = reserve(w, h, paper.margin, longest, style, beside)
            room = MAP + STRIP_GAP
            area = Box(area.x, area.y, area.w - beside * room, area.h - (not beside) * room)
            columns, page_w = _share(fmt.w, area.w - 2 * HANDY, style.overlap, fmt.bleed, inner)
            rows, page_h = _share(fmt.h, area.h - 2 * HANDY, style.overlap, fmt.bleed, inner)
            found.append(_Cut(columns, rows, page_w, page_h, (w, h), area, strip, inner))
    return min(found, key=lambda cut: cut.columns * cut.rows)


def pages(
    fmt: Format, face: str, piece: str, note: str, paper: Paper, style: SheetStyle, longest: float, font: Font
) -> list[Page]:
    """The pages that one side of a board is cut into, row by row. `longest`: mm taken by the longest sheet name."""
    plan = _best(fmt, paper, style, longest)
    return [
        _page(fmt, face, piece, note, plan, row, column, style, font)
        for row, column in product(range(plan.rows), range(plan.columns))
    ]


def page_name(row: int, column: int) -> str:
    """`A1` for the upper left page, `B1` for the one below it."""
    return f"{chr(ord('A') + row)}{column + 1}"


def panels(length: float, count: int, style: SheetStyle) -> list[float]:
    """The lengths of the boards beneath `count` pages that cover `length`, a hinge between any two of them."""
    page = (length - style.overlap) / count
    ends = [style.overlap / 2 * (n in (0, count - 1)) for n in range(count)]
    return [page + end - style.hinge / 2 * ((n > 0) + (n < count - 1)) for n, end in enumerate(ends)]


def boards(fmt: Format, columns: int, rows: int, style: SheetStyle) -> str:
    """The boards onto which a folding board of so many pages is glued: `4 of 207.5 x 146 mm`."""
    sizes: dict[str, int] = {}
    for high, wide in product(panels(fmt.h, rows, style), panels(fmt.w, columns, style)):
        size = f"{round(wide, 1):g} x {round(high, 1):g}"
        sizes[size] = sizes.get(size, 0) + 1
    return ", ".join(f"{count} of {size}" for size, count in sizes.items()) + " mm"


def _page(
    fmt: Format, face: str, piece: str, note: str, plan: _Cut, row: int, column: int, style: SheetStyle, font: Font
) -> Page:
    last_column, last_row = column == plan.columns - 1, row == plan.rows - 1
    region = Box(column * (plan.w - style.overlap), row * (plan.h - style.overlap), plan.w, plan.h)
    area = plan.area
    left, top = (plan.inner if column else fmt.bleed), (plan.inner if row else fmt.bleed)
    right, bottom = (fmt.bleed if last_column else 0.0), (fmt.bleed if last_row else 0.0)
    x = area.x + (area.w - left - plan.w - right) / 2 + left
    y = area.y + (area.h - top - plan.h - bottom) / 2 + top
    trim = Box(x, y, plan.w, plan.h)
    window = trim.grown(left, top, right, bottom)
    around = trim.grown(max(left, OFF), max(top, OFF), max(right, OFF), max(bottom, OFF))
    crop = (
        min(style.crop, around.x - area.x, area.right - around.right),
        min(style.crop, around.y - area.y, area.bottom - around.bottom),
    )
    name = page_name(row, column)
    glue: list[tuple[float, float, float, float]] = []
    if not last_column:
        at = trim.right - style.overlap
        glue.append((at, trim.y, at, trim.bottom))
    if not last_row:
        at = trim.bottom - style.overlap
        glue.append((trim.x, at, trim.right, at))
    half = style.overlap / 2
    upright = [*([trim.x + half] if column else []), *([trim.right - half] if not last_column else [])]
    level = [*([trim.y + half] if row else []), *([trim.bottom - half] if not last_row else [])]
    drawn: list[Op] = [
        *marks.crop_marks([trim], around, crop, style),
        *marks.fold_lines(glue, style),
        *marks.fold_marks(upright, level, around, crop, style),
        *_map(plan, row, column, fmt, style, font),
    ]
    return Page(
        kind=fmt.title,
        side="front",
        w=plan.sheet[0],
        h=plan.sheet[1],
        placements=(
            Placement(
                face=face,
                piece=piece,
                x=x - region.x,
                y=y - region.y,
                w=fmt.w,
                h=fmt.h,
                bleed=(fmt.bleed,) * 4,
                window=window,
                reverse=bool(note),
            ),
        ),
        marks=tuple(drawn),
        strip=plan.strip,
        trim=trim,
        bleed=window,
        note=f"{note} page {name} of {plan.rows} x {plan.columns}".strip(),
        outlines=(CutLine(trim, fmt.shape),),
    )


def _map(plan: _Cut, row: int, column: int, fmt: Format, style: SheetStyle, font: Font) -> list[Op]:
    """A small drawing of all pages with this one filled, above the strip of text, and beside it what to do; turned as
    the strip is."""
    scale = min(MAP / fmt.h, 40 / fmt.w)
    box = plan.strip.box
    left, top = (box.x, box.y - STRIP_GAP - MAP) if plan.strip.upright else (0.0, 0.0)
    w, h = fmt.w * scale / plan.columns, fmt.h * scale / plan.rows
    small = style.text_min * POINT
    turned = (0.0, -1.0, 1.0, 0.0, box.x - STRIP_GAP - MAP, box.bottom)
    ops: list[Op] = [Push(layer="text") if plan.strip.upright else Push(turned, layer="text")]
    for r, c in product(range(plan.rows), range(plan.columns)):
        x, y = left + c * w, top + r * h
        corners = ((x, y), (x + w, y), (x + w, y + h), (x, y + h))
        d = "M" + "L".join(f"{number(px)} {number(py)}" for px, py in corners) + "Z"
        here = (r, c) == (row, column)
        ops.append(PathOp(d=d, fill="#d9d9d9" if here else "", stroke=style.colour, width=style.line))
        if w > 3 * small and h > 1.2 * small:
            name = page_name(r, c)
            left_of_name = x + (w - font.width(name) * small) / 2
            ops.append(marks.text(font, name, left_of_name, y + h / 2 + small / 3, small, style.colour))
    start = left + fmt.w * scale + 2
    words = [
        f"{page_name(row, column)} · cut at the crop marks above and left; glue the next page along the dashed lines",
        f"To fold it: {style.hinge:g} mm between the boards beneath, in the middle of the fold marks;",
        f"boards: {boards(fmt, plan.columns, plan.rows, style)}",
    ]
    ops += _lines(words, start, top, left + plan.strip.length - start, style, font)
    return [*ops, POP]


def _lines(words: Sequence[str], x: float, y: float, width: float, style: SheetStyle, font: Font) -> list[Op]:
    """Lines of text below each other, each set smaller where it would be too long, or cut off."""
    ops: list[Op] = []
    for n, line in enumerate(words):
        size = max(style.text_min * POINT, min(style.text * POINT, width / font.width(line)))
        while len(line) > 1 and font.width(line) * size > width:
            line = line[:-2].rstrip() + "…"
        ops.append(marks.text(font, line, x, y + LINE * (n + 1) * 0.95, size, style.colour))
    return ops
