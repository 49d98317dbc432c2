"""The extents of operations on a face: matrices multiplied out, texts with the box they take. Lengths in mm."""

from __future__ import annotations

import math
from collections.abc import Iterator

from generator.faces.display import IDENTITY, DisplayList, Matrix, Op, Pop, Push, TextOp
from generator.faces.fonts import FontBook
from generator.paper.units import POINT

Spot = tuple[float, float]
BELOW = frozenset("gjpqyQ,;()[]{}|_")
"""Characters that reach below the baseline."""


def multiply(outer: Matrix, inner: Matrix) -> Matrix:
    """The matrix of a group inside a group."""
    a, b, c, d, e, f = outer
    p, q, r, s, t, u = inner
    return a * p + c * q, b * p + d * q, a * r + c * s, b * r + d * s, a * t + c * u + e, b * t + d * u + f


def moved(matrix: Matrix, spot: Spot) -> Spot:
    """A point of a group, moved to its place on the face."""
    a, b, c, d, e, f = matrix
    return a * spot[0] + c * spot[1] + e, b * spot[0] + d * spot[1] + f


def placed(face: DisplayList) -> Iterator[tuple[Op, Matrix]]:
    """Everything that is drawn, with the matrix to the face."""
    stack = [IDENTITY]
    for op in face.ops:
        if isinstance(op, Push):
            stack.append(multiply(stack[-1], op.matrix))
        elif isinstance(op, Pop):
            stack.pop()
        else:
            yield op, stack[-1]


def points_high(op: TextOp, matrix: Matrix) -> float:
    """The size of a text as printed, in points."""
    return op.size / POINT * math.sqrt(abs(matrix[0] * matrix[3] - matrix[1] * matrix[2]))


def text_corners(op: TextOp, matrix: Matrix, fonts: FontBook) -> list[Spot]:
    """The corners of what a line of text covers, on the face."""
    font = fonts[op.font]
    wide = font.width(op.text) * op.size + op.tracking * (len(op.text) - 1)
    metrics = font.metrics
    top = op.y - op.size * metrics.cap / metrics.units
    low = op.y - (op.size * metrics.descender / metrics.units if BELOW & set(op.text) else 0.0)
    return [moved(matrix, (x, y)) for x in (op.x, op.x + wide) for y in (top, low)]


def box_corners(box: tuple[float, float, float, float], matrix: Matrix) -> list[Spot]:
    """The corners of a box of a group, on the face."""
    x, y, w, h = box
    return [moved(matrix, spot) for spot in ((x, y), (x + w, y), (x, y + h), (x + w, y + h))]
