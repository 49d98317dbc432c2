"""Paths that draw one shape many times, such as the waves or dots of a pattern: the shape once, and its places."""

from __future__ import annotations

import re
from collections.abc import Sequence
from operator import sub
from typing import NamedTuple

LEAST = 1500
"""A path of fewer letters is left as it is."""
SHORT = 60
"""So is a shape of fewer letters: its place takes as many."""
OFTEN = 8
"""And one that is drawn less often."""
TRIED = 40
"""If half of so many shapes are new, no pattern is looked for."""
NEAR = 3
"""Shapes are the same if their points differ by at most so many micrometres: each was rounded where it stands."""

_DRAWING = re.compile(r"[LCZ]")
_LETTERS = str.maketrans(dict.fromkeys("LCZ", " "))
Point = tuple[int, int]
"""In micrometres."""


class Motif(NamedTuple):
    """A shape as path data that begins at the origin, in mm, and where it begins."""

    d: str
    places: list[Point]


class _Shape(NamedTuple):
    source: str
    points: list[int]
    """Relative to the first one, which is left out."""
    places: list[Point]


def motifs(d: str, *, filled: bool) -> tuple[list[Motif], str] | None:
    """The shapes that a path repeats, and path data of the others; None if it hardly repeats any. Those of a `filled`
    path lie apart from everything else in it: what overlaps might leave a hole."""
    if len(d) < LEAST:
        return None
    parts = d.split("M")[1:]
    shapes = _shapes(parts) if len(parts) >= OFTEN else None
    often = [shape for shape in shapes or () if len(shape.places) >= OFTEN and len(shape.source) >= SHORT]
    if not shapes or sum(len(shape.places) * len(shape.source) for shape in often) < len(d) / 2:
        return None
    if filled and _meet(shapes):
        return None
    kept = {id(shape) for shape in often}
    others = "".join(_moved(shape, x, y) for shape in shapes if id(shape) not in kept for x, y in shape.places)
    return [Motif(_moved(shape, 0, 0), shape.places) for shape in often], others


def _shapes(parts: Sequence[str]) -> list[_Shape] | None:
    """The different shapes among the parts of a path; None if most of the first ones differ."""
    known: dict[str, list[_Shape]] = {}
    found: list[_Shape] = []
    for n, part in enumerate(parts):
        x, y, *rest = [round(float(word) * 1000) for word in part.translate(_LETTERS).split()]
        points = [value - (y if i & 1 else x) for i, value in enumerate(rest)]
        alike = known.setdefault("".join(_DRAWING.findall(part)), [])
        for shape in alike:
            if max(map(abs, map(sub, points, shape.points)), default=0) <= NEAR:
                shape.places.append((x, y))
                break
        else:
            shape = _Shape(part, points, [(x, y)])
            alike.append(shape)
            found.append(shape)
            if n >= TRIED and 2 * len(found) > n:
                return None
    return found


def _moved(shape: _Shape, x: int, y: int) -> str:
    """A shape as path data that begins at a place."""
    values = iter(shape.points)
    words = [f"M{x / 1000:g} {y / 1000:g}"]
    for kind in _DRAWING.findall(shape.source):
        count = {"L": 1, "C": 3, "Z": 0}[kind]
        words.append(kind + " ".join([f"{(next(values) + at) / 1000:g}" for _ in range(count) for at in (x, y)]))
    return "".join(words)


def _meet(shapes: Sequence[_Shape]) -> bool:
    """True if the boxes of any two drawings overlap."""
    boxes: list[tuple[int, int, int, int]] = []
    for shape in shapes:
        across, down = [0, *shape.points[::2]], [0, *shape.points[1::2]]
        left, right, top, bottom = min(across), max(across), min(down), max(down)
        boxes += [(x + left, x + right, y + top, y + bottom) for x, y in shape.places]
    boxes.sort()
    beside: list[tuple[int, int, int, int]] = []
    for box in boxes:
        beside = [other for other in beside if other[1] > box[0]]
        if any(other[2] < box[3] and box[2] < other[3] for other in beside):
            return True
        beside.append(box)
    return False
