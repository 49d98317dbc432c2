"""Curves of fonts and of SVG path data as segments, drawn with fontTools."""

from __future__ import annotations

from typing import Any

from fontTools.pens.basePen import BasePen
from fontTools.pens.transformPen import TransformPen

Point = tuple[float, float]


THIN = 1e-9
"""A radius or a distance below it is none."""


class SegmentPen(BasePen):  # type: ignore[misc]
    """Collects absolute `M`, `L`, `C` and `Z` segments; quadratic curves and arcs become cubic ones."""

    def __init__(self, glyphs: Any = None) -> None:
        super().__init__(glyphs)
        self.path: list[tuple[Any, ...]] = []

    def _moveTo(self, point: Point) -> None:
        self.path.append(("M", *point))

    def _lineTo(self, point: Point) -> None:
        self.path.append(("L", *point))

    def _curveToOne(self, first: Point, second: Point, point: Point) -> None:
        self.path.append(("C", *first, *second, *point))

    def _closePath(self) -> None:
        self.path.append(("Z",))

    def arcTo(self, rx: float, ry: float, turn: float, large: bool, sweep: bool, end: Point) -> None:
        """An elliptical arc of SVG, ending exactly at `end`; without a radius it is a line."""
        start: Point = self._getCurrentPoint()
        if abs(complex(*start) - complex(*end)) < THIN:
            return
        if min(abs(rx), abs(ry)) < THIN:
            self.lineTo(end)
            return
        from fontTools.svgLib.path.arc import EllipticalArc

        EllipticalArc(complex(*start), rx, ry, turn, large, sweep, complex(*end)).draw(self)
        self.path[-1] = (*self.path[-1][:-2], *end)


def subpaths(data: str, start: Point) -> list[tuple[Any, ...]]:
    """The segments of path data without `Z`. A relative move counts from `start`; data may begin with any command."""
    from fontTools.svgLib.path.parser import parse_path

    pen = SegmentPen()
    if data[0] in "Mm":
        parse_path(data, pen, start)
    else:
        parse_path(f"M{start[0]!r} {start[1]!r}{data}", pen)
    return pen.path


def glyph(glyphs: Any, name: str, scale: float) -> list[tuple[Any, ...]]:
    """A glyph's outline, y downward, scaled."""
    pen = SegmentPen(glyphs)
    glyphs[name].draw(TransformPen(pen, (scale, 0, 0, -scale, 0, 0)))
    return pen.path
