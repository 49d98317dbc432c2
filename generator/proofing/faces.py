"""Checks of one face by itself: type size, contrast, room to the cut, boxes that leave the piece."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

from PIL.Image import Image

from generator.faces.display import IDENTITY, DisplayList, ImageOp, Matrix, TextOp
from generator.faces.fonts import FontBook
from generator.faces.kit import Origin
from generator.faces.pictures import pixels_of
from generator.faces.svgpath import inverse, multiply
from generator.paper.formats import Format
from generator.proofing.bars import Bars
from generator.proofing.colour import contrast, rgb
from generator.proofing.extents import Spot, box_corners, placed, points_high, text_corners
from generator.proofing.finding import Finding
from generator.proofing.pictures import most_frequent, scale

SLACK = 0.05
"""mm that a text may reach beyond where it should."""
OFF = 0.5
"""mm that a box may run off the piece before it is said."""


def inspect(
    face: DisplayList,
    fmt: Format,
    fonts: FontBook,
    origins: Mapping[int, Origin],
    ground: Image,
    bars: Bars,
) -> Iterator[Finding]:
    """Everything that falls short on a face. `ground` is its picture without texts; `origins` says which element of
    which template drew an operation."""
    texts: dict[Any, list[tuple[TextOp, Matrix]]] = {}
    boxes: set[Any] = set()
    for op, matrix in placed(face):
        origin = origins.get(id(op))
        if isinstance(op, TextOp):
            texts.setdefault((origin.place if origin else op.text, matrix), []).append((op, matrix))
        if origin is not None and origin.box is not None and (origin.place, origin.box, matrix) not in boxes:
            boxes.add((origin.place, origin.box, matrix))
            yield from _off(origin, matrix, fmt)
        if isinstance(op, ImageOp) and origin is not None and origin.kind == "image":
            yield from _coarse(op, matrix, origin, bars)
    for lines in texts.values():
        origin = origins.get(id(lines[0][0]))
        yield from _size(lines, origin, bars)
        yield from _gaps([op for op, _ in lines], origin, bars)
        for op, matrix in lines:
            corners = text_corners(op, matrix, fonts)
            yield from _clear(op, corners, fmt, origin)
            yield from _seen(op, matrix, corners, face, ground, origin, bars)


def _size(lines: list[tuple[TextOp, Matrix]], origin: Origin | None, bars: Bars) -> Iterator[Finding]:
    said = " ".join(op.text for op, _ in lines)
    size, op = min(((points_high(op, matrix), op) for op, matrix in lines), key=lambda found: found[0])
    running = len(said.split()) > bars.caption_words
    least = bars.body if running else bars.caption
    if size < least - 0.01:
        kind = "running text needs" if running else "captions need"
        what = f"{_short(op.text)} is set in {size:.1f} pt; {kind} at least {least:g} pt"
        yield Finding("LAY-030", what, "make it larger, or say it in fewer words", least - size, origin)


def _gaps(ops: list[TextOp], origin: Origin | None, bars: Bars) -> Iterator[Finding]:
    """Justified lines of few words, which are pulled apart to fill their box."""
    found = [(by / op.size, op) for op in ops for i, by in op.kerns if op.text[i] == " "]
    wide, op = max(found, key=lambda one: one[0], default=(0.0, None))
    if op is not None and wide > bars.gap:
        what = f"{_short(op.text)} is justified with spaces wider by {wide:.1f} em; more than {bars.gap:g} looks torn"
        hint = "give its style `hyphens`, make the box wider, or align it left"
        yield Finding("LAY-042", what, hint, wide, origin)


def _clear(op: TextOp, corners: list[Spot], fmt: Format, origin: Origin | None) -> Iterator[Finding]:
    room = min(to_cut(spot, fmt) for spot in corners)
    if room < fmt.safe - SLACK:
        where = f"{room:.1f} mm from the cut" if room >= 0 else f"{-room:.1f} mm off the piece"
        what = f"{_short(op.text)} reaches to {where}; the format keeps {fmt.safe:g} mm free"
        yield Finding("LAY-032", what, "move it inward, or give it a narrower box", fmt.safe - room, origin)


def to_cut(spot: Spot, fmt: Format) -> float:
    """The distance of a point inside the cut, in mm; negative outside."""
    x, y = spot
    if fmt.shape == "circle":
        return fmt.w / 2 - math.hypot(x - fmt.w / 2, y - fmt.h / 2)
    edge = min(x, y, fmt.w - x, fmt.h - y)
    if fmt.shape != "hex":
        return edge
    across, down = abs(x - fmt.w / 2), abs(y - fmt.h / 2)
    return min(fmt.w / 2 - across, (fmt.h / 2 - down - across * fmt.h / 2 / fmt.w) * math.cos(math.pi / 6))


def _off(origin: Origin, matrix: Matrix, fmt: Format) -> Iterator[Finding]:
    assert origin.box is not None
    if origin.inner != IDENTITY:
        matrix = multiply(matrix, inverse(origin.inner))
    reach = fmt.bleed if origin.kind == "image" else 0.0
    over = 0.0
    for x, y in box_corners(origin.box, matrix):
        over = max(over, -reach - x, -reach - y, x - fmt.w - reach, y - fmt.h - reach)
    if over > OFF:
        what = f"the box of this '{origin.kind}' runs {over:.1f} mm off the piece of {fmt.w:g} x {fmt.h:g} mm"
        yield Finding("LAY-033", what, "keep the box on the piece", over, origin)


def _coarse(op: ImageOp, matrix: Matrix, origin: Origin | None, bars: Bars) -> Iterator[Finding]:
    wide, high = pixels_of(op.content)
    across, down = op.w * math.hypot(matrix[0], matrix[1]), op.h * math.hypot(matrix[2], matrix[3])
    if not (across > 0 and down > 0):
        return
    dpi = 25.4 * min(wide / across, high / down)
    if dpi < bars.dpi:
        more = bars.dpi / dpi
        enough = f"{wide * more:.0f} x {high * more:.0f} pixels"
        what = f"a picture of {wide} x {high} pixels covers {across:.0f} x {down:.0f} mm, {dpi:.0f} dpi"
        hint = f"below {bars.dpi:g} dpi pixels show: take one of {enough}, or show it smaller"
        yield Finding("LAY-038", what, hint, more, origin)


def _seen(
    op: TextOp, matrix: Matrix, corners: list[Spot], face: DisplayList, ground: Image, origin: Origin | None, bars: Bars
) -> Iterator[Finding]:
    k = scale(face)
    xs, ys = [x * k for x, _ in corners], [y * k for _, y in corners]
    left, top = max(0, int(min(xs))), max(0, int(min(ys)))
    right, bottom = min(ground.width, int(max(xs)) + 1), min(ground.height, int(max(ys)) + 1)
    if right <= left or bottom <= top:
        return
    under = most_frequent(ground, (left, top, right, bottom))
    least = bars.contrast_large if points_high(op, matrix) >= bars.large else bars.contrast
    found = contrast(rgb(op.colour), under)
    if found < least - 0.005:
        on = "#" + "".join(f"{value:02x}" for value in under)
        what = f"{_short(op.text)} in {op.colour} on {on} has a contrast of {found:.1f}; it needs {least:g}"
        yield Finding(
            "LAY-031", what, "make the text darker or its ground lighter, or the other way round", least - found, origin
        )


def _short(text: str) -> str:
    return f"'{text}'" if len(text) <= 40 else f"'{text[:38].rstrip()}…'"
