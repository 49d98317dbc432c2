"""Text on a curve: a line of text, its letters and icons placed one by one along a circle or a path."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Callable
from itertools import accumulate, pairwise

from generator.faces.display import POP, Matrix, Op, Push, TextOp
from generator.faces.faults import Fault
from generator.faces.fonts import FontBook
from generator.faces.outlines import glyph_places
from generator.faces.svgpath import Path, placing
from generator.faces.text import IconDrawer, TextBlock, TextBox, TextStyle, layout
from generator.paper.units import POINT

Along = Callable[[float, float], Matrix]
"""`(s, wide)` -> where something `wide` mm stands with its middle `s` mm along the curve, upright on it."""
STEPS = 32
"""A curve of a path is measured by so many straight lines."""


def circle(x: float, y: float, r: float, turn: float, inward: bool) -> Along:
    """The circle round `x, y`, from `turn` degrees (clockwise from the top) on. `inward`: counterclockwise, with the
    letters' heads to the middle."""

    def at(s: float, _wide: float) -> Matrix:
        angle = turn + math.degrees(s / r) * (-1 if inward else 1)
        way = math.radians(angle)
        return placing(x + r * math.sin(way), y - r * math.cos(way), angle - 180 if inward else angle)

    return at


def trace(path: Path) -> tuple[Along, float]:
    """The first part of a path, and its length in mm. ValueError for one without length."""
    spots: list[tuple[float, float]] = []
    for kind, *values in path:
        if kind == "Z" or (kind == "M" and spots):
            break
        if kind == "C":
            spots += [_on_cubic(spots[-1], values, n / STEPS) for n in range(1, STEPS + 1)]
        else:
            spots.append((values[0], values[1]))
    ends = list(accumulate((math.dist(a, b) for a, b in pairwise(spots)), initial=0.0))
    if ends[-1] <= 0:
        raise ValueError("the path has no length")

    def spot(s: float) -> tuple[float, float]:
        n = min(max(bisect_right(ends, s), 1), len(spots) - 1)
        (ax, ay), (bx, by) = spots[n - 1], spots[n]
        part = (s - ends[n - 1]) / ((ends[n] - ends[n - 1]) or 1.0)
        return ax + part * (bx - ax), ay + part * (by - ay)

    def at(s: float, wide: float) -> Matrix:
        (ax, ay), (bx, by) = spot(s - wide / 2), spot(s + wide / 2)
        return placing(*spot(s), math.degrees(math.atan2(by - ay, bx - ax)))

    return at, ends[-1]


def _on_cubic(start: tuple[float, float], values: list[float], t: float) -> tuple[float, float]:
    a, b, c, d = (1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3
    x1, y1, x2, y2, x, y = values
    return a * start[0] + b * x1 + c * x2 + d * x, a * start[1] + b * y1 + c * y2 + d * y


def set_along(
    value: str, style: TextStyle, along: Along, length: float, align: str, fonts: FontBook, icon: IconDrawer
) -> TextBlock:
    """One line of text along a curve: from its start, round the middle of its `length` or to its end. Raises Fault if
    it is longer than the curve, and for what `layout` refuses."""
    icons: list[tuple[float, float, Callable[[float], list[Op]]]] = []

    def kept(name: str, x: float, y: float, size: float, colour: str, accent: str) -> list[Op]:
        icons.append((x, size, lambda base: icon(name, -size / 2, y - base, size, colour, accent)))
        return []

    block = layout(value, style, TextBox(width=length, max_lines=1), fonts, kept)
    start = {"left": 0.0, "center": (length - block.width) / 2, "right": length - block.width}[align]
    metrics = fonts[style.font].metrics
    base = block.size_used * POINT * metrics.cap / metrics.units
    ops: list[Op] = []
    for op in block.ops:
        if not isinstance(op, TextOp):
            raise Fault("LAY-002", "text on a curve cannot be underlined", key="value")
        for char, x in glyph_places(op, fonts):
            wide = fonts[op.font].advance(char) * op.size
            if not char.isspace():
                place = along(start + x + wide / 2, wide)
                ops += [Push(place), TextOp(op.font, op.size, round(-wide / 2, 3), 0.0, char, op.colour), POP]
    for x, size, draw in icons:
        ops += [Push(along(start + x + size / 2, size)), *draw(base), POP]
    return TextBlock(ops, block.width, block.height, block.lines, block.size_used)
