"""The calibration page: what a printer does to scale, margins and the register of front and back. Lengths in mm."""

from __future__ import annotations

from pathlib import Path

from components.files import write_whole
from generator.faces.display import Op, PathOp
from generator.faces.fonts import Font, FontBook
from generator.paper.formats import Paper
from generator.paper.units import POINT
from generator.sheets import marks
from generator.sheets.marks import FONT, SheetStyle
from generator.sheets.navigation import Navigation
from generator.sheets.plan import duplex
from generator.sheets.sheets import Backs, Box, Sheet, Side

CROSSES = ((0.2, 0.25), (0.8, 0.25), (0.5, 0.5), (0.2, 0.8), (0.8, 0.8))
"""The places of the crosses, in parts of the sheet."""
RULER = 25
"""Length of the rulers in the corners."""


def calibration(paper: Paper, backs: Backs, folder: Path, fonts: FontBook) -> Path:
    """Write `calibration-<paper>-<backs>.pdf` into `folder` and return its name."""
    from generator.backends.pdf import write_pdf

    style = SheetStyle()
    fonts = fonts.and_also({FONT: style.font})
    font = fonts[FONT]
    sheets = [_side(paper, backs, "front", font, style), _side(paper, backs, "back", font, style)]
    title = f"Calibration page, {paper.title}, {backs} edge"
    navigation = Navigation(labels=("front", "back"))
    content = write_pdf(sheets, {}, fonts=fonts, title=title, navigation=navigation)
    file = folder / f"calibration-{paper.name}-{backs}.pdf"
    write_whole(file, content, below=folder)
    return file


def _side(paper: Paper, backs: Backs, side: Side, font: Font, style: SheetStyle) -> Sheet:
    ops: list[Op] = []
    mirror = duplex(paper.w, paper.h, backs)
    for n, (fx, fy) in enumerate(CROSSES, 1):
        spot = Box(paper.w * fx, paper.h * fy, 0, 0)
        if side == "back":
            spot = mirror.box(spot)
        ops += _cross(spot.x, spot.y, n, side, font, style)
    if side == "front":
        ops += _rulers(paper, font, style) + _bars(paper, font, style)
    lines = _FRONT if side == "front" else _BACK
    size = 9 * POINT
    for n, line in enumerate((f"Calibration page, {paper.title}, {side}, {backs} edge", *lines)):
        ops.append(marks.text(font, line, paper.w * 0.2, paper.h * 0.31 + n * size * 1.45, size, style.colour))
    page = Box(0, 0, paper.w, paper.h)
    return Sheet(
        name=f"calibration-{side}",
        title=f"Calibration, {paper.title}, {side}",
        side=side,
        w=paper.w,
        h=paper.h,
        placements=(),
        marks=tuple(ops),
        trim=page,
        bleed=page,
    )


_FRONT = (
    "Print at 100 %, on both sides of one sheet.",
    "Scale: both long bars must measure 100 mm.",
    "Margins: the first mark you can see on each corner ruler shows how much of the edge the printer cannot reach.",
)
_BACK = (
    "Register: hold the sheet against a light, or prick each cross with a pin.",
    "Each ring is 1 mm further out: read how far this side is off from the front, to the right and down as you see it.",
    "Then build with --back-shift RIGHT,DOWN (left and up: minus), or keep it in layouts/sheets.yaml (back_shift).",
    "Up to 1.5 mm is fine; if it is more, try the other edge or the gutterfold sheets.",
)


def _cross(x: float, y: float, n: int, side: Side, font: Font, style: SheetStyle) -> list[Op]:
    """A cross with its number; on the back with rings of 1, 2 and 3 mm."""
    arm = 6.0
    d = marks.line(x - arm, y, x + arm, y) + marks.line(x, y - arm, x, y + arm)
    if side == "back":
        d += "".join(marks.circle(x, y, r) for r in (1.0, 2.0, 3.0))
    return [
        PathOp(d=d, stroke=style.colour, width=style.line),
        marks.text(font, str(n), x + 1.5, y - 3.5, 8 * POINT, style.colour),
    ]


def _rulers(paper: Paper, font: Font, style: SheetStyle) -> list[Op]:
    """A ruler along both edges from each corner, counted from the edge of the paper."""
    d = ""
    for at in range(RULER + 1):
        long = 4.0 if at % 5 == 0 else 2.0
        for x in (at, paper.w - at):
            for base, way in ((30.0, 1), (paper.h - 30.0, -1)):
                d += marks.line(x, base, x, base + way * long)
        for y in (at, paper.h - at):
            for base, way in ((30.0, 1), (paper.w - 30.0, -1)):
                d += marks.line(base, y, base + way * long, y)
    ops: list[Op] = [PathOp(d=d, stroke=style.colour, width=style.line)]
    size = 6 * POINT
    for at in range(5, RULER + 1, 5):
        label = str(at)
        half = font.width(label) * size / 2
        for x in (at, paper.w - at):
            ops.append(marks.text(font, label, x - half, 30.0 - 0.8, size, style.colour))
            ops.append(marks.text(font, label, x - half, paper.h - 30.0 + size, size, style.colour))
        for y in (at, paper.h - at):
            ops.append(marks.text(font, label, 30.0 - 2 * half - 0.8, y + size / 3, size, style.colour))
            ops.append(marks.text(font, label, paper.w - 30.0 + 0.8, y + size / 3, size, style.colour))
    return ops


def _bars(paper: Paper, font: Font, style: SheetStyle) -> list[Op]:
    """Bars of 100 mm across and down."""
    x, y = paper.w / 2 - 50, paper.h * 0.7
    d = marks.line(x, y, x + 100, y)
    d += "".join(marks.line(x + n, y - 3, x + n, y) for n in (0, 50, 100))
    left, top = paper.w * 0.1, paper.h / 2 - 50
    d += marks.line(left, top, left, top + 100)
    d += "".join(marks.line(left - 3, top + n, left, top + n) for n in (0, 50, 100))
    size = 8 * POINT
    return [
        PathOp(d=d, stroke=style.colour, width=style.line),
        marks.text(font, "100 mm", x + 50 - font.width("100 mm") * size / 2, y + size * 1.3, size, style.colour),
        marks.text(font, "100 mm", left + 1.5, top + 50, size, style.colour),
    ]
