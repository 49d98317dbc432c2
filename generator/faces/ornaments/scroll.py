"""Ornament of painted scrolls: ranges of mountains and banks of cloud.

Draw the parts of a thing one over the other, all with the same arguments."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from itertools import pairwise

from generator.faces.ornaments.fields import MAX_CELLS, Box
from generator.faces.ornaments.woodcut import Point, cut, tapered
from generator.faces.svgpath import Path

STEP = 1.1
"""Mm between the points of a skyline."""


def mountains(
    box: Box,
    peaks: int = 5,
    seed: int = 1,
    part: str = "body",
    low: float = 0.45,
    thick: float = 0.5,
    steep: float = 1.0,
) -> Path:
    """A range standing on the lower edge of the box; its highest summit touches the upper edge. The lowest summit has
    `low` of that height (0 to 1); `steep` narrows the mountains. Parts: `body` (the whole range), `cap` (the upper
    slopes), `ridge` (its skyline, up to `thick` mm wide), `strokes` (of the brush, down its slopes). All are areas.
    """
    if part not in ("body", "cap", "ridge", "strokes"):
        raise ValueError(f"part is body, cap, ridge or strokes, found '{part}'")
    if not 1 <= peaks <= 200:
        raise ValueError(f"a range has 1 to 200 peaks, found {peaks}")
    x, y, w, h = box
    if w / STEP > MAX_CELLS:
        raise ValueError(f"a range {w:g} mm long is too long")
    summits = _summits(w, h, peaks, seed, low, steep)
    count = max(8, int(w / STEP))
    tops = [max(_height(i * w / count, one, seed) for one in summits) for i in range(count + 1)]
    skyline = [(x + i * w / count, y + h - top) for i, top in enumerate(tops)]
    if part == "ridge":
        widths = [thick * (0.45 + 0.55 * top / h) for top in tops]
        return cut(skyline, widths)
    if part == "strokes":
        return _strokes(x, y + h, summits, thick, seed)
    if part == "body":
        return _smooth([*skyline, (x + w, y + h), (x, y + h)], len(skyline))
    lower = [
        (px, py + 0.1 * h + 0.16 * top + 0.05 * h * math.sin(px * 1.9 + seed))
        for (px, py), top in zip(skyline, tops, strict=True)
    ]
    lower = [(px, min(py, y + h)) for px, py in lower]
    return _smooth([*skyline, *lower[::-1]], len(skyline))


Summit = tuple[float, float, float]
"""Its place, its height, and the width of its foot to either side."""


def _summits(w: float, h: float, peaks: int, seed: int, low: float, steep: float) -> list[Summit]:
    rng = random.Random(seed)
    room = w / peaks
    heights = [low + (1 - low) * rng.random() for _ in range(peaks)]
    tallest = max(heights)
    return [
        ((i + 0.5 + rng.uniform(-0.24, 0.24)) * room, h * height / tallest, room * rng.uniform(0.8, 1.15) / steep)
        for i, height in enumerate(heights)
    ]


def _height(at: float, summit: Summit, seed: int) -> float:
    """The height of a mountain at a place: rounded at its top, hollow at its foot, with shoulders."""
    middle, high, wide = summit
    part = abs(at - middle) / wide
    if part >= 1:
        return 0.0
    slope: float = (1 - part) ** 1.25 * (1 - 0.12 * math.exp(-((part * 7) ** 2)))
    shoulder = 0.055 * math.sin(part * 15 + middle + seed) * min(1.0, part * 4) * (1 - part)
    return max(0.0, high * (slope + shoulder))


def _strokes(x: float, foot: float, summits: Sequence[Summit], thick: float, seed: int) -> Path:
    rng = random.Random(seed + 1)
    path: Path = []
    for summit in summits:
        middle, high, wide = summit
        for n in range(-3, 4):
            begin = n * 0.11 * wide + rng.uniform(-0.02, 0.02) * wide
            start = _height(middle + begin, summit, seed) * rng.uniform(0.86, 0.95)
            fall = high * rng.uniform(0.2, 0.42)
            lean = (0.75 * n / 3 + rng.uniform(-0.15, 0.15)) * fall * wide / max(high, 1e-6)
            if any(_height(middle + begin + lean, other, seed) > start for other in summits if other != summit):
                continue
            path += tapered(
                (x + middle + begin, foot - start),
                (x + middle + begin + lean * 0.8, foot - max(0.0, start - fall)),
                thick,
            )
    return path


def _smooth(points: Sequence[Point], curved: int) -> Path:
    """A closed path; the first `curved` points are joined by curves, the others by lines."""
    path: Path = [("M", *points[0])]
    for i, ((ax, ay), (bx, by)) in enumerate(pairwise(points)):
        if i + 1 >= curved:
            path.append(("L", bx, by))
            continue
        px, py = points[max(0, i - 1)]
        nx, ny = points[min(curved - 1, i + 2)]
        path.append(("C", ax + (bx - px) / 6, ay + (by - py) / 6, bx - (nx - ax) / 6, by - (ny - ay) / 6, bx, by))
    return [*path, ("Z",)]


def cloud(box: Box, lobes: int = 5, seed: int = 1, part: str = "body") -> Path:
    """A bank of cloud that fills the box, with a tail to either side. Parts: `body` (an area) and `curls` (lines)."""
    if part not in ("body", "curls"):
        raise ValueError(f"part is body or curls, found '{part}'")
    if not 2 <= lobes <= 60:
        raise ValueError(f"a cloud has 2 to 60 lobes, found {lobes}")
    x, y, w, h = box
    rng = random.Random(seed)
    base = y + h
    cuts = sorted(0.14 + 0.72 * (i + rng.uniform(-0.22, 0.22)) / lobes for i in range(1, lobes))
    along = [0.12, *cuts, 0.88]
    lean = rng.uniform(-0.12, 0.12)
    rim = [
        (x + w * t, base - h * (0.2 + 0.46 * math.sin(math.pi * min(1.0, max(0.0, t + lean))) ** 0.8)) for t in along
    ]
    rim[0], rim[-1] = (rim[0][0], base - 0.22 * h), (rim[-1][0], base - 0.22 * h)
    path: Path = [("M", x, base), ("C", x + 0.05 * w, base, x + 0.08 * w, base - 0.06 * h, *rim[0])]
    curls: Path = []
    for (ax, ay), (bx, by) in pairwise(rim):
        far = math.hypot(bx - ax, by - ay)
        bulge = min(0.62 * far, max(0.0, min(ay, by) - y) * far / max(abs(bx - ax), 1e-6))
        nx, ny = (by - ay) / far * bulge, -(bx - ax) / far * bulge
        path.append(("C", ax + nx - 0.12 * (bx - ax), ay + ny, bx + nx + 0.12 * (bx - ax), by + ny, bx, by))
        curls += _curl(bx, by, (ax + bx) / 2 + 0.2 * nx, (ay + by) / 2 + 0.2 * ny)
    path += [("C", x + 0.92 * w, base - 0.06 * h, x + 0.95 * w, base, x + w, base), ("Z",)]
    return path if part == "body" else curls


def _curl(ax: float, ay: float, cx: float, cy: float) -> Path:
    """A curl from a point of the rim round the middle of its lobe."""
    r = math.hypot(ax - cx, ay - cy)
    start = math.atan2(ay - cy, ax - cx)
    points = []
    for n in range(15):
        t = n / 14
        angle, far = start + t * 4.4, r * (1 - 0.62 * t)
        points.append((cx + far * math.cos(angle), cy + far * math.sin(angle)))
    path = _smooth(points, len(points))
    return path[:-1]
