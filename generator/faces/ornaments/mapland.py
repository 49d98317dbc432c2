"""Features of a painted map: rivers along a line, dunes over a plain. All parts are areas."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence

from generator.faces.ornaments import brush
from generator.faces.ornaments.brush import Point, chosen
from generator.faces.ornaments.fields import Box
from generator.faces.svgpath import Path, polygon

Line = Sequence[Sequence[float]]
MAX_POINTS = 400


def _placed(box: Box, points: Line | None) -> list[Point]:
    """The line on the face; without points it runs through the middle of the box. ValueError: too few or too many."""
    x, y, w, h = box
    if points is None:
        points = [(0.0, h / 2), (w / 2, h / 2), (w, h / 2)]
    if not isinstance(points, list | tuple) or not 2 <= len(points) <= MAX_POINTS:
        raise ValueError(f"'points' must be a list of 2 to {MAX_POINTS} points")
    return [(x + float(px), y + float(py)) for px, py in points]


def river(
    box: Box, points: Line | None = None, seed: int = 1, wide: float = 5.0, source: float = 0.5, part: str = "water"
) -> Path:
    """A river along a line, from its source, where it is `source` of its width, to its mouth. `points` are the corners
    of the line in mm, counted from the corner of the box.

    `part`: `bank` (the water and a hem around it), `water` or `flow`, strokes along the stream.
    """
    chosen(part, ("bank", "water", "flow"))
    chance = random.Random(seed)
    line = brush.smooth(_placed(box, points), 6)
    phase = chance.uniform(0, 6.28)
    count = len(line) - 1

    def breadth(t: float) -> float:
        return (source + (1 - source) * t) * (1 + 0.16 * math.sin(phase + 21 * t))

    if part == "water":
        return brush.stroke(line, wide, breadth, chance, 0.1)
    if part == "bank":
        return brush.stroke(line, wide * 1.32, breadth, chance, 0.14)
    path: Path = []
    at = 2
    while at < count - 2:
        long = chance.randint(4, 9)
        piece = line[at : at + long]
        if len(piece) > 2:
            off = chance.uniform(-0.3, 0.3) * wide * breadth(at / count)
            path += brush.stroke([(x + off * 0.7, y + off) for x, y in piece], wide * 0.085, brush.leaf)
        at += chance.randint(2, 5)
    return path


def dunes(box: Box, seed: int = 1, rows: int = 7, part: str = "crests") -> Path:
    """Dunes over the box, small above and large below. `part`: `crests` (strokes) or `lee`, their shaded sides."""
    x, y, w, h = box
    chosen(part, ("crests", "lee"))
    if not 1 <= int(rows) <= 120:
        raise ValueError(f"there can be 1 to 120 rows, found {rows}")
    chance = random.Random(seed)
    path: Path = []
    for k in range(int(rows)):
        near = (k + 0.6) / rows
        long = (0.6 + 0.8 * near) * h / rows * 3.2
        at = x - chance.uniform(0, long)
        while at < x + w:
            cy = y + h * near + chance.uniform(-0.3, 0.3) * h / rows
            tall = long * chance.uniform(0.1, 0.17)
            top = (at + long * 0.52, cy - tall)
            crest = [(at, cy), (at + long * 0.3, cy - tall * 0.8), top, (at + long, cy + tall * 0.3)]
            if chance.random() < 0.78:
                curve = brush.smooth(crest, 5)
                if part == "crests":
                    path += brush.stroke(curve, long * 0.022, brush.leaf)
                else:
                    lee = brush.smooth([top, (at + long * 0.66, cy - tall * 0.1), (at + long * 0.6, cy + tall)], 4)
                    path += polygon([*curve[10:], *lee[::-1]])
            at += long * chance.uniform(0.75, 1.35)
    return path
