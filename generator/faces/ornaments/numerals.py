"""Numbers written with a broad brush: ink below, above it the bristles of a second colour that run dry."""

from __future__ import annotations

import math
import random

from generator.faces.ornaments import brush
from generator.faces.ornaments.brush import Point, chosen
from generator.faces.ornaments.fields import Box
from generator.faces.svgpath import Path

WRITTEN = {
    "0": "40,3 18,10 5,40 8,76 26,97 46,84 55,52 50,18 33,5",
    "1": "10,27 22,18 33,5 / 32,4 33,35 31,68 27,98",
    "2": "5,25 16,8 34,3 50,12 52,30 38,54 19,76 5,91 / 4,92 20,87 38,95 62,88",
    "3": "7,14 24,3 44,7 48,22 38,38 21,46 / 21,46 42,47 54,62 50,82 32,96 13,95 2,85",
    "4": "37,2 23,32 3,64 / 2,65 30,66 63,61 / 45,36 44,70 41,99",
    "5": "13,6 9,28 7,47 / 7,47 28,39 48,49 53,68 42,89 22,97 3,88 / 12,7 33,9 58,3",
    "6": "46,2 27,16 11,42 5,68 14,91 34,97 52,84 52,65 37,54 19,61 9,75",
    "7": "2,11 10,7 34,11 58,5 / 57,6 43,36 29,68 23,99",
    "8": "48,13 32,2 14,10 12,26 28,42 46,58 50,80 34,97 13,92 6,74 20,54 42,36 50,20 45,11",
    "9": "52,22 37,4 15,10 6,30 18,46 38,42 53,20 / 54,17 54,45 47,75 32,99",
    "+": "3,57 30,56 60,51 / 33,27 32,56 29,86",
    "-": "2,55 20,56 42,54 62,52",
}
"""Sign -> the strokes of the brush in their order, in hundredths of the height; a sign is about 60 wide, y downward."""
SIGNS: dict[str, list[list[Point]]] = {
    sign: [
        [(int(x) / 100, int(y) / 100) for x, y in (spot.split(",") for spot in line.split())]
        for line in strokes.split(" / ")
    ]
    for sign, strokes in WRITTEN.items()
}
SIGNS["−"] = SIGNS["-"]
ADVANCE = 0.68
NIB = math.radians(-38)
"""The angle at which the brush is held: strokes across it are broad, those along it thin."""


def numeral(box: Box, text: str = "0", seed: int = 1, thick: float = 0.15, part: str = "bristles") -> Path:
    """A number in the height of the box and in the middle of its width; `thick` is the brush as part of the height.

    `part`: `ink`, the broad stroke below with drops; `bristles`, the second colour; `edge`, the lit side.
    ValueError: a sign without strokes.
    """
    x, y, w, h = box
    chosen(part, ("ink", "bristles", "edge"))
    signs = str(text)
    unknown = [sign for sign in signs if sign not in SIGNS]
    if unknown or not signs:
        raise ValueError(f"there are strokes for {''.join(SIGNS)}, found {text!r}")
    source = random.Random(f"{seed} {part} {signs}")
    left = x + w / 2 - (len(signs) * ADVANCE - 0.08) * h / 2
    path: Path = []
    for n, sign in enumerate(signs):
        for line in SIGNS[sign]:
            points = brush.smooth([(left + (n * ADVANCE + px) * h, y + py * h) for px, py in line], 5)
            if part == "ink":
                points = [_before(points[0], points[1], thick * h * 0.14), *points]
            path += _part(points, thick * h, part, source)
    return path


def _part(points: list[Point], wide: float, part: str, source: random.Random) -> Path:
    if part == "ink":
        path = brush.stroke(
            _shifted(points, wide * 0.08), wide * 1.42, lambda t: _nib(points, t) * _pressed(t), source, 0.13
        )
        for _ in range(3):
            (x, y), r = points[-1], wide * source.uniform(0.03, 0.08)
            spot = (x + wide * source.uniform(-1.1, 1.1), y + wide * source.uniform(0.2, 0.9))
            path += brush.blob(*spot, r, r * 0.8, source, 0.2, 7)
        return path
    if part == "edge":
        return brush.stroke(
            _beside(points, -0.3 * wide), wide * 0.13, lambda t: brush.leaf(t) * _nib(points, t), source, 0.5
        )
    path = []
    count = 9
    for k in range(count):
        off = (k + 0.5) / count - 0.5
        begin = source.uniform(0.0, 0.025) + 0.02 * abs(off)
        end = 1 - source.uniform(0.0, 0.05) - source.choice((0.0, 0.03, 0.08, 0.15)) * (0.3 + 1.4 * abs(off))
        kept = points[round(begin * (len(points) - 1)) : round(end * (len(points) - 1)) + 1]
        path += brush.stroke(
            _beside(points, off * wide * 0.92, kept),
            wide * 0.92 / count * 1.75,
            lambda t: _nib(points, t) * min(1.0, 0.5 + 5 * t, 0.08 + 3.2 * (1 - t)),
            source,
            0.22,
        )
    return path


def _before(start: Point, then: Point, far: float) -> Point:
    """A point that lies `far` mm before the start of a stroke."""
    long = math.dist(start, then) or 1.0
    return start[0] + (start[0] - then[0]) / long * far, start[1] + (start[1] - then[1]) / long * far


def _pressed(t: float) -> float:
    return min(1.0, 0.86 + 2.4 * t, 0.62 + 2.6 * (1 - t))


def _nib(points: list[Point], t: float) -> float:
    """How broad the brush writes at a part of the stroke: by the angle between the stroke and the way it is held."""
    i = min(len(points) - 2, max(0, round(t * (len(points) - 1))))
    (ax, ay), (bx, by) = points[max(0, i - 2)], points[min(len(points) - 1, i + 3)]
    return 0.66 + 0.34 * abs(math.sin(math.atan2(by - ay, bx - ax) - NIB))


def _shifted(points: list[Point], by: float) -> list[Point]:
    return [(x + by, y + by) for x, y in points]


def _beside(points: list[Point], off: float, kept: list[Point] | None = None) -> list[Point]:
    """The line `off` mm beside the stroke, closer where the brush writes thin; only the points `kept` of it."""
    found = []
    last = len(points) - 1
    wanted = set(kept) if kept is not None else None
    for i, (x, y) in enumerate(points):
        if wanted is not None and (x, y) not in wanted:
            continue
        (ax, ay), (bx, by) = points[max(0, i - 1)], points[min(last, i + 1)]
        far = math.hypot(bx - ax, by - ay) or 1.0
        reach = off * _nib(points, i / last)
        found.append((x + (by - ay) / far * reach, y + (ax - bx) / far * reach))
    return found
