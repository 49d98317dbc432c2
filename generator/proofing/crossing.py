"""Texts of a face that are set over other texts, and shapes that lie wholly off the piece."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

import msgspec

from generator.faces import svgpath
from generator.faces.display import DisplayList, ImageOp, Matrix, Op, PathOp, Pop, Push, TextOp
from generator.faces.fonts import FontBook
from generator.faces.kit import Origin
from generator.paper.formats import Format
from generator.proofing.extents import box_corners, placed, text_corners
from generator.proofing.finding import Finding

OVER = 0.5
"""mm, across and down, from which two texts that meet are set over each other."""
SHARE = 0.2
"""So much of the smaller of the two, from 0 to 1, has to be in it."""

Rect = tuple[float, float, float, float]


class _Line(msgspec.Struct, frozen=True):
    """A line of text, upright on the face, and the letters' box: without what reaches below the baseline."""

    op: TextOp
    origin: Origin
    matrix: Matrix
    box: Rect


def over_each_other(face: DisplayList, fonts: FontBook, origins: Mapping[int, Origin]) -> Iterator[Finding]:
    """The texts that are set over another, each once, at the later one."""
    lines: list[_Line] = []
    told: set[Any] = set()
    for op, matrix in placed(face):
        origin = origins.get(id(op))
        turned = abs(matrix[1]) > 1e-6 and abs(matrix[0]) > 1e-6
        if not isinstance(op, TextOp) or origin is None or turned or not op.text.strip():
            continue
        line = _Line(op, origin, matrix, _letters(op, matrix, fonts))
        for other in lines:
            if _same(line, other) or not _cross(line.box, other.box) or (origin.place, other.origin.place) in told:
                continue
            told.add((origin.place, other.origin.place))
            what = f"'{op.text:.40}' is set over '{other.op.text:.40}'"
            hint = "give each a box of its own, or draw one only where the other is empty (`if`)"
            yield Finding("LAY-043", what, hint, _area(_common(line.box, other.box)), origin)
        lines.append(line)


def _letters(op: TextOp, matrix: Matrix, fonts: FontBook) -> Rect:
    spots = text_corners(op, matrix, fonts)
    xs, ys = [x for x, _ in spots], [y for _, y in spots]
    return min(xs), min(ys), max(xs), max(ys)


def _same(a: _Line, b: _Line) -> bool:
    """Two lines of one text, or a text and its shadow."""
    alike = (a.origin.place, a.origin.box, a.origin.calls, a.matrix) == (
        b.origin.place,
        b.origin.box,
        b.origin.calls,
        b.matrix,
    )
    return alike or a.op.text == b.op.text


def _common(a: Rect, b: Rect) -> Rect:
    return max(a[0], b[0]), max(a[1], b[1]), min(a[2], b[2]), min(a[3], b[3])


def _area(box: Rect) -> float:
    return max(0.0, box[2] - box[0]) * max(0.0, box[3] - box[1])


def _cross(a: Rect, b: Rect) -> bool:
    left, top, right, bottom = _common(a, b)
    if right - left < OVER or bottom - top < OVER:
        return False
    return _area((left, top, right, bottom)) >= SHARE * min(_area(a), _area(b))


def off_the_piece(face: DisplayList, fmt: Format, origins: Mapping[int, Origin]) -> Iterator[Finding]:
    """The elements of which nothing lies on the piece. Boxes that run off it are told apart."""
    beyond: dict[Any, Origin | None] = {}
    for op, matrix in _unclipped(face):
        origin = origins.get(id(op))
        if origin is None or origin.box is not None or not isinstance(op, PathOp | ImageOp):
            continue
        key = (origin.place, tuple((source.file, path) for source, path in origin.calls))
        if beyond.get(key, origin) is None:
            continue
        spots = box_corners(_extent(op), matrix)
        xs, ys = [x for x, _ in spots], [y for _, y in spots]
        by = fmt.bleed
        outside = max(xs) <= -by or max(ys) <= -by or min(xs) >= fmt.w + by or min(ys) >= fmt.h + by
        beyond[key] = origin if outside else None
    for origin in beyond.values():
        if origin is not None:
            what = (
                f"this '{origin.kind}' lies wholly off the piece of {fmt.w:g} x {fmt.h:g} mm: nothing of it is printed"
            )
            yield Finding("LAY-033", what, "its place is in mm from the piece's top left corner", 1.0, origin)


def _unclipped(face: DisplayList) -> Iterator[tuple[Op, Matrix]]:
    """What is drawn outside groups that clip: ornament may reach beyond its clip."""
    clips: list[bool] = []
    free = set()
    for n, op in enumerate(face.ops):
        if isinstance(op, Push):
            clips.append(bool(op.clip))
        elif isinstance(op, Pop):
            clips.pop()
        elif not any(clips):
            free.add(n)
    drawn = [n for n, op in enumerate(face.ops) if not isinstance(op, Push | Pop)]
    yield from (pair for n, pair in zip(drawn, placed(face), strict=True) if n in free)


def _extent(op: PathOp | ImageOp) -> Rect:
    return _bounds(op.d) if isinstance(op, PathOp) else (op.x, op.y, op.w, op.h)


@lru_cache(4096)
def _bounds(d: str) -> Rect:
    """The box (x, y, w, h) around all points and handles of path data."""
    numbers = svgpath.numbers(d)
    x, y = min(numbers[0::2]), min(numbers[1::2])
    return x, y, max(numbers[0::2]) - x, max(numbers[1::2]) - y
