"""Numbers and capitals by five hands: a broad brush, a chisel that cuts inscriptions, a gouge that cuts wood, bricks, a
ribbon of silk.

All make the same strokes. Some have a second part for a second colour: the bristles of the brush that run dry, the snow
on the bricks, the threads in the silk.
"""

from __future__ import annotations

import math
import random
from itertools import pairwise

from generator.faces.ornaments import brush
from generator.faces.ornaments.brush import Point, chosen
from generator.faces.ornaments.fields import Box
from generator.faces.ornaments.hands import bricks, ribbon
from generator.faces.svgpath import Path, polygon

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
    "A": "2,99 16,52 30,3 / 31,4 46,52 60,99 / 12,64 50,62",
    "B": "8,4 8,98 / 8,6 38,6 48,20 40,43 8,48 / 8,48 46,52 54,72 44,94 8,97",
    "C": "53,17 34,4 14,18 5,50 14,82 34,97 55,84",
    "D": "8,4 8,98 / 8,5 36,9 54,34 54,66 36,92 8,97",
    "E": "8,4 8,98 / 8,6 52,4 / 8,49 44,48 / 8,96 54,95",
    "F": "8,4 8,99 / 8,6 52,4 / 8,49 44,48",
    "G": "53,17 34,4 14,18 5,50 14,82 34,97 54,86 55,58 / 34,57 59,56",
    "H": "8,4 8,98 / 54,3 54,99 / 8,50 54,48",
    "I": "10,3 10,98",
    "J": "38,3 38,74 26,96 5,88",
    "K": "8,4 8,98 / 52,4 30,31 9,54 / 22,44 40,72 56,98",
    "L": "8,4 8,97 / 8,96 50,94",
    "M": "5,98 12,4 / 12,5 36,70 / 36,70 60,4 / 60,4 67,98",
    "N": "8,98 8,4 / 8,4 31,50 54,97 / 54,97 54,3",
    "O": "32,3 10,22 5,52 14,84 34,97 54,80 60,48 50,16 29,4",
    "P": "8,4 8,99 / 8,6 40,7 52,25 43,48 8,54",
    "Q": "32,3 10,22 5,52 14,84 34,97 54,80 60,48 50,16 29,4 / 38,74 62,106",
    "R": "8,4 8,99 / 8,6 40,7 51,24 42,46 8,52 / 26,52 42,76 57,98",
    "S": "51,15 32,3 12,15 14,37 36,50 52,68 44,91 24,98 3,86",
    "T": "2,7 31,6 60,4 / 31,6 30,99",
    "U": "8,3 8,66 20,94 42,94 54,70 54,3",
    "V": "3,3 16,50 30,98 / 30,98 44,50 58,3",
    "W": "2,3 18,98 / 18,98 37,30 / 37,30 56,98 / 56,98 73,3",
    "X": "5,4 30,51 56,98 / 56,3 30,51 4,99",
    "Y": "3,3 30,48 / 58,3 30,48 / 30,48 30,99",
    "Z": "5,6 54,4 / 54,5 5,95 / 4,96 57,94",
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
GAP = 0.2
"""Between two signs, as part of the height; a space is twice as wide."""
LEADING = 0.42
"""Between two lines, as part of the height."""
PARTS = {
    "brush": ("ink", "bristles", "edge"),
    "chisel": ("ink",),
    "gouge": ("ink",),
    "brick": ("ink", "snow"),
    "ribbon": ("ink", "thread"),
}
"""Hand -> the parts it draws."""
NIB = math.radians(-38)
"""The angle at which the brush is held: strokes across it are broad, those along it thin."""


def lettering(
    box: Box,
    text: str = "0",
    hand: str = "brush",
    seed: int = 1,
    thick: float = 0.15,
    lines: int = 1,
    part: str = "ink",
) -> Path:
    """Capitals and numbers in the middle of the box, as high as it or as wide, in so many `lines` as equal as can be.

    `thick` is the tool as part of the height. `hand`: `brush`, `chisel`, `gouge`, `brick` or `ribbon`. `part`: `ink`,
    the strokes; of the brush also `bristles`, the second colour, and `edge`, the lit side; of the bricks `snow`, of the
    ribbon `thread`. ValueError: a sign without strokes.
    """
    x, y, w, h = box
    if hand not in PARTS:
        raise ValueError(f"the hand must be {' or '.join(PARTS)}, found {hand!r}")
    chosen(part, PARTS[hand])
    signs = str(text).upper()
    unknown = [sign for sign in signs if sign not in SIGNS and sign != " "]
    if unknown or not signs.strip():
        raise ValueError(f"there are strokes for {''.join(SIGNS)}, found {text!r}")
    source = random.Random(f"{seed} {part} {signs}")
    rows = _rows(signs.split(), lines)
    high = min(h / (len(rows) * (1 + LEADING) - LEADING), w / max(_length(row) for row in rows))
    top = y + (h - high * (len(rows) * (1 + LEADING) - LEADING)) / 2
    path: Path = []
    for row in rows:
        left = x + (w - _length(row) * high) / 2
        for sign in row:
            for line in SIGNS.get(sign, []):
                corners = [(left + px * high, top + py * high) for px, py in line]
                path += _written(corners, hand, thick * high, part, source)
            left += (_breadth(sign) + GAP) * high
        top += high * (1 + LEADING)
    return path


def _rows(words: list[str], lines: int) -> list[str]:
    """The words in so many lines, filled one after the other to about the same length."""
    if not 1 <= lines <= 20:
        raise ValueError(f"there can be 1 to 20 lines, found {lines}")
    rows: list[str] = []
    share = _length(" ".join(words)) / lines
    for word in words:
        if rows and (len(rows) >= lines or _length(f"{rows[-1]} {word}") <= 1.25 * share):
            rows[-1] += f" {word}"
        else:
            rows.append(word)
    return rows


def _length(signs: str) -> float:
    """The length of a line, as part of its height."""
    return sum(_breadth(sign) + GAP for sign in signs) - GAP


def _breadth(sign: str) -> float:
    """The width of a sign, as part of its height."""
    return max((px for line in SIGNS[sign] for px, _ in line), default=0.0) if sign in SIGNS else GAP


def _written(corners: list[Point], hand: str, wide: float, part: str, source: random.Random) -> Path:
    """One stroke of a sign."""
    if hand == "chisel":
        return _chiselled(corners, wide)
    if hand == "brick":
        return bricks(corners, wide, part, source)
    if hand == "ribbon":
        return ribbon(corners, wide, part)
    points = brush.smooth(corners, 5 if hand == "brush" else 3)
    if hand == "gouge":
        ends = [_before(points[0], points[1], wide * 0.3), *points, _before(points[-1], points[-2], wide * 0.3)]
        return brush.stroke(ends, wide * 1.3, lambda t: 1.0 + 0.16 * (2 * t - 1) ** 6, source, 0.2)
    if part == "ink":
        points = [_before(points[0], points[1], wide * 0.14), *points]
    return _part(points, wide, part, source)


def _chiselled(corners: list[Point], wide: float) -> Path:
    """A stroke cut into bronze: straight from corner to corner, flared at its two ends."""
    path: Path = []
    last = len(corners) - 2
    for i, (a, b) in enumerate(pairwise(corners)):
        far = math.dist(a, b) or 1.0
        dx, dy = (b[0] - a[0]) / far, (b[1] - a[1]) / far
        half = wide / 2
        start, end = (1.5 if i == 0 else 1.0), (1.5 if i == last else 1.0)
        reach = min(wide * 1.1, far * 0.4)
        edge = [(-half * 0.6, start), (reach, 1.0), (far - reach, 1.0), (far + half * 0.6, end)]
        upper = [(a[0] + dx * t - dy * half * k, a[1] + dy * t + dx * half * k) for t, k in edge]
        lower = [(a[0] + dx * t + dy * half * k, a[1] + dy * t - dx * half * k) for t, k in reversed(edge)]
        path += polygon([*upper, *lower])
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
    """The width of the brush at a part of the stroke: by the angle between the stroke and the way it is held."""
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
