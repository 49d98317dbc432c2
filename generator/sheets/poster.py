"""A board larger than what a sheet has room for: on one whole page where it is exactly as large as the paper, else cut
into overlapping pages with alignment marks and a map of the pages.

Each page but the last of a row goes on beyond its share by an overlap, on which the next page is glued: cut the next
page at its upper and left crop marks and lay its edge along the dashed line. Lengths in mm.
"""

from __future__ import annotations

import math
from itertools import product
from typing import NamedTuple

import msgspec

from generator.faces.display import POP, Op, PathOp, Push, number
from generator.faces.fonts import Font
from generator.paper.formats import Format, Paper
from generator.paper.units import POINT
from generator.sheets import marks
from generator.sheets.marks import LINE, SheetStyle
from generator.sheets.plan import STRIP_GAP, reserve
from generator.sheets.sheets import Box, CutLine, Page, Placement, Strip

WHOLE = 0.5
"""A board that differs from the paper by less than this (mm) is printed to the edges, without marks."""
MAP = 12.0
"""Height in mm of the page map."""


class _Cut(NamedTuple):
    """The pages of a board on one paper: their number and size, and the part of the paper they lie in."""

    columns: int
    rows: int
    w: float
    h: float
    sheet: tuple[float, float]
    area: Box
    strip: Strip


def _share(length: float, room: float, overlap: float) -> tuple[int, float]:
    """Number and length of equal pages that cover `length`, each at most `room` long and overlapping the next."""
    if length <= room:
        return 1, length
    count = math.ceil((length - overlap) / (room - overlap) - 1e-9)
    return count, (length - overlap) / count + overlap


def _best(fmt: Format, paper: Paper, style: SheetStyle, longest: float) -> _Cut:
    """The cut with fewest pages; among equals the upright sheet."""
    edge = min(fmt.bleed, style.bleed_min) + style.crop_min
    found: list[_Cut] = []
    for w, h in ((paper.w, paper.h), (paper.h, paper.w)):
        strip, area = reserve(w, h, paper.margin, longest, style, beside=False)
        area = Box(area.x, area.y, area.w, area.h - MAP - STRIP_GAP)
        columns, page_w = _share(fmt.w, area.w - 2 * edge, style.overlap)
        rows, page_h = _share(fmt.h, area.h - 2 * edge, style.overlap)
        found.append(_Cut(columns, rows, page_w, page_h, (w, h), area, strip))
    return min(found, key=lambda cut: cut.columns * cut.rows)


def pages(
    fmt: Format, face: str, piece: str, note: str, paper: Paper, style: SheetStyle, longest: float, font: Font
) -> list[Page]:
    """The pages of one side of a board: one if it is as large as the paper, else those it is cut into, row by row.

    `longest`: mm taken by the longest sheet name.
    """
    for w, h in ((paper.w, paper.h), (paper.h, paper.w)):
        if abs(fmt.w - w) < WHOLE and abs(fmt.h - h) < WHOLE:
            box = Box((w - fmt.w) / 2, (h - fmt.h) / 2, fmt.w, fmt.h)
            placed = Placement(face=face, piece=piece, x=box.x, y=box.y, w=box.w, h=box.h, reverse=bool(note))
            page = Page(
                kind=fmt.title, side="front", w=w, h=h, placements=(placed,), marks=(), strip=None, trim=box, bleed=box
            )
            return [msgspec.structs.replace(page, note=f"{note} whole page".strip())]
    plan = _best(fmt, paper, style, longest)
    return [
        _page(fmt, face, piece, note, plan, row, column, style, font)
        for row, column in product(range(plan.rows), range(plan.columns))
    ]


def page_name(row: int, column: int) -> str:
    """`A1` for the upper left page, `B1` for the one below it."""
    return f"{chr(ord('A') + row)}{column + 1}"


def _page(
    fmt: Format, face: str, piece: str, note: str, plan: _Cut, row: int, column: int, style: SheetStyle, font: Font
) -> Page:
    last_column, last_row = column == plan.columns - 1, row == plan.rows - 1
    region = Box(column * (plan.w - style.overlap), row * (plan.h - style.overlap), plan.w, plan.h)
    area = plan.area
    x, y = area.x + (area.w - plan.w) / 2, area.y + (area.h - plan.h) / 2
    spare = min((area.w - plan.w) / 2, (area.h - plan.h) / 2)
    bleed = min(fmt.bleed, spare - style.crop_min)
    trim = Box(x, y, plan.w, plan.h)
    window = trim.grown(
        0.0 if column else bleed, 0.0 if row else bleed, bleed if last_column else 0.0, bleed if last_row else 0.0
    )
    around = trim.grown(bleed, bleed, bleed, bleed)
    crop = min(style.crop, spare - bleed)
    name = page_name(row, column)
    tabs: list[tuple[float, float, float, float]] = []
    if not last_column:
        at = trim.right - style.overlap
        tabs += [(at, around.y - crop, at, around.y), (at, around.bottom, at, around.bottom + crop)]
        tabs.append((at, trim.y, at, trim.bottom))
    if not last_row:
        at = trim.bottom - style.overlap
        tabs += [(around.x - crop, at, around.x, at), (around.right, at, around.right + crop, at)]
        tabs.append((trim.x, at, trim.right, at))
    drawn: list[Op] = [
        *marks.crop_marks([trim], around, (crop, crop), style),
        *marks.fold_lines(tabs, style),
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
                bleed=(bleed, bleed, bleed, bleed),
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
    """A small drawing of all pages with this one filled, above the strip of text."""
    scale = min(MAP / fmt.h, 40 / fmt.w)
    left, top = plan.strip.box.x, plan.strip.box.y - STRIP_GAP - MAP
    w, h = fmt.w * scale / plan.columns, fmt.h * scale / plan.rows
    small, size = style.text_min * POINT, style.text * POINT
    ops: list[Op] = [Push(layer="text")]
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
    words = (
        f"{page_name(row, column)} · cut at the crop marks above and left; glue the next page along the dashed lines"
    )
    ops.append(marks.text(font, words, left + fmt.w * scale + 2, top + LINE, size, style.colour))
    return [*ops, POP]
