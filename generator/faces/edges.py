"""The colours of a face along its edges: whether neighbours may share a cut without showing on each other.

A cut is never exactly where it should be, and a back never exactly behind its front. Beyond the edge of a piece one
then sees a sliver of what is printed there: its own bleed, or, where two pieces share a cut, its neighbour. That is
hidden only where both are one flat colour.
"""

from __future__ import annotations

from functools import lru_cache

from generator.faces import svgpath
from generator.faces.display import IDENTITY, DisplayList, ImageOp, Matrix, Op, PathOp, Pop, Push, TextOp
from generator.faces.fonts import FontBook

Rect = tuple[float, float, float, float]
"""Left, top, right, bottom."""
Edges = tuple[str, str, str, str]
"""The colours along the left, top, right and bottom edge; empty where there is more than one."""
Group = tuple[Matrix, Rect, bool]
"""A group's matrix, the box of its clip, and whether rectangles in it stay upright ones."""
PAPER = "#ffffff"
EPS = 1e-6
LONGEST_RECT = 160
"""Characters of path data; a rectangle of four corners has fewer."""


def edge_colours(face: DisplayList, reach: float, fonts: FontBook) -> Edges:
    """The colour of each strip that reaches `reach` mm to both sides of an edge, and round the corners.

    Anything whose bounding box touches a strip counts as drawn there, unless it is a plain rectangle that covers it.
    """
    r, w, h = reach, face.w, face.h
    strips: list[Rect] = [(-r, -r, r, h + r), (-r, -r, w + r, r), (w - r, -r, w + r, h + r), (-r, h - r, w + r, h + r)]
    colours = [PAPER] * 4
    left = set(range(4))
    for op, (matrix, clip, straight) in reversed(_drawn(face)):  # what is drawn last is seen
        box = _common(_moved(matrix, _box(op, fonts)), clip)
        if box[0] >= r and box[1] >= r and box[2] <= w - r and box[3] <= h - r:
            continue
        flat = straight and isinstance(op, PathOp) and bool(op.fill) and not op.stroke and _is_rect(op.d)
        for n in tuple(left):
            if flat and isinstance(op, PathOp) and _covers(box, strips[n]):
                colours[n] = op.fill
            elif _touches(box, strips[n]):
                colours[n] = ""
            else:
                continue
            left.remove(n)
        if not left:
            break
    return colours[0], colours[1], colours[2], colours[3]


def _drawn(face: DisplayList) -> list[tuple[Op, Group]]:
    """The operations drawn, each with its group."""
    groups: list[Group] = [(IDENTITY, (-1e9, -1e9, 1e9, 1e9), True)]
    drawn: list[tuple[Op, Group]] = []
    for op in face.ops:
        if isinstance(op, Push):
            groups.append(_group(op, *groups[-1]))
        elif isinstance(op, Pop):
            groups.pop()
        else:
            drawn.append((op, groups[-1]))
    return drawn


def _group(push: Push, matrix: Matrix, clip: Rect, straight: bool) -> Group:
    """The group inside a group."""
    a, b, c, d, e, f = matrix
    ia, ib, ic, id_, ie, if_ = push.matrix
    inner = (
        a * ia + c * ib,
        b * ia + d * ib,
        a * ic + c * id_,
        b * ic + d * id_,
        a * ie + c * if_ + e,
        b * ie + d * if_ + f,
    )
    upright = straight and inner[1] == inner[2] == 0
    if not push.clip:
        return inner, clip, upright
    return inner, _common(_moved(inner, _points(push.clip)), clip), upright and _is_rect(push.clip)


def _box(op: Op, fonts: FontBook) -> Rect:
    """The box around what an operation draws; pointed joins of lines reach further than half their width."""
    if isinstance(op, PathOp):
        left, top, right, bottom = _points(op.d)
        half = (op.width / 2 if op.stroke else 0.0) * (
            4 if op.stroke and op.join == "miter" and not _is_rect(op.d) else 1
        )
        return left - half, top - half, right + half, bottom + half
    if isinstance(op, ImageOp):
        return op.x, op.y, op.x + op.w, op.y + op.h
    assert isinstance(op, TextOp)
    wide = fonts[op.font].width(op.text) * op.size + op.tracking * len(op.text)
    return op.x - 0.1 * op.size, op.y - op.size, op.x + wide + 0.1 * op.size, op.y + 0.35 * op.size


@lru_cache
def _points(d: str) -> Rect:
    """The box around all points and handles of absolute path data."""
    numbers = svgpath.numbers(d)
    if not numbers:
        return 0.0, 0.0, 0.0, 0.0
    return min(numbers[0::2]), min(numbers[1::2]), max(numbers[0::2]), max(numbers[1::2])


@lru_cache
def _is_rect(d: str) -> bool:
    """True if path data is one upright rectangle."""
    if len(d) > LONGEST_RECT or "C" in d or d.count("M") != 1:
        return False
    numbers = svgpath.numbers(d)
    corners = list(dict.fromkeys(zip(numbers[0::2], numbers[1::2], strict=True)))
    if len(corners) != 4:
        return False
    (x1, y1), (x2, y2), (x3, y3), (x4, y4) = corners
    return (x1 == x2 and y2 == y3 and x3 == x4 and y4 == y1) or (y1 == y2 and x2 == x3 and y3 == y4 and x4 == x1)


def _moved(matrix: Matrix, box: Rect) -> Rect:
    if matrix == IDENTITY:
        return box
    a, b, c, d, e, f = matrix
    spots = [(a * x + c * y + e, b * x + d * y + f) for x in (box[0], box[2]) for y in (box[1], box[3])]
    xs, ys = [x for x, _ in spots], [y for _, y in spots]
    return min(xs), min(ys), max(xs), max(ys)


def _common(box: Rect, other: Rect) -> Rect:
    return max(box[0], other[0]), max(box[1], other[1]), min(box[2], other[2]), min(box[3], other[3])


def _touches(box: Rect, strip: Rect) -> bool:
    left, top, right, bottom = _common(box, strip)
    return right - left > EPS and bottom - top > EPS


def _covers(box: Rect, strip: Rect) -> bool:
    return all(a <= b + EPS for a, b in zip(box[:2], strip[:2], strict=True)) and all(
        a >= b - EPS for a, b in zip(box[2:], strip[2:], strict=True)
    )
