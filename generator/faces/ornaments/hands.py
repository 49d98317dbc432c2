"""Hands that build a sign instead of writing it: of bricks, snow on top, and of a silk ribbon with threads woven in."""

from __future__ import annotations

import math
import random
from itertools import pairwise

from generator.faces.ornaments import brush
from generator.faces.ornaments.brush import Point
from generator.faces.svgpath import Path, polygon

BRICK = 1.25
"""Length of a brick as part of its width."""
MORTAR = 0.1
"""Between two bricks, as part of their width."""
STEEP = 0.75
"""Snow slides off what is steeper."""


def bricks(corners: list[Point], wide: float, part: str, source: random.Random) -> Path:
    """A stroke of courses of bricks (`ink`), or the snow that lies on it (`snow`)."""
    path: Path = []
    for i, (a, b) in enumerate(pairwise(corners)):
        far = math.dist(a, b) or 1.0
        dx, dy = (b[0] - a[0]) / far, (b[1] - a[1]) / far
        if part == "ink":
            path += _course(a, (dx, dy), far, wide, source)
        elif abs(dy) <= STEEP * abs(dx):
            path += _drift(*((a, b) if dx > 0 else (b, a)), wide, source)
        elif i == 0 or i == len(corners) - 2:
            top = min(a, b, key=lambda point: point[1])
            if top in (corners[0], corners[-1]):
                path += _drift((top[0] - wide * 0.5, top[1]), (top[0] + wide * 0.5, top[1]), wide, source)
    return path


def _course(start: Point, way: Point, far: float, wide: float, source: random.Random) -> Path:
    (x, y), (dx, dy), half = start, way, wide / 2
    count = max(1, round((far + wide) / (wide * BRICK)))
    step = (far + wide) / count
    path: Path = []
    for k in range(count):
        near, end = k * step - half + wide * MORTAR / 2, (k + 1) * step - half - wide * MORTAR / 2
        corners = [(near, -half), (end, -half), (end, half), (near, half)]
        loose = [(t + source.uniform(-0.04, 0.04) * wide, s + source.uniform(-0.05, 0.05) * wide) for t, s in corners]
        path += polygon([(x + dx * t - dy * s, y + dy * t + dx * s) for t, s in loose])
    return path


def _drift(a: Point, b: Point, wide: float, source: random.Random) -> Path:
    """Snow on the upper side of a course from `a` to `b` (left to right)."""
    far = math.dist(a, b) or 1.0
    dx, dy = (b[0] - a[0]) / far, (b[1] - a[1]) / far
    count = max(3, round(far / (wide * 0.35)))

    def spot(t: float, up: float) -> Point:
        along = -0.5 * wide + t * (far + wide)
        return a[0] + dx * along + dy * up, a[1] + dy * along - dx * up

    upper = [spot(k / count, wide * (0.5 + 0.26 * math.sqrt(math.sin(math.pi * k / count)))) for k in range(count + 1)]
    lower = [spot(k / count, wide * (0.5 - source.uniform(0.06, 0.24))) for k in range(count, -1, -1)]
    return brush.closed([*upper, *lower])


def ribbon(corners: list[Point], wide: float, part: str) -> Path:
    """A stroke of silk with a notch at both ends (`ink`), or its two woven threads (`thread`)."""
    points = brush.smooth(corners, 6)
    if part == "thread":
        kept = points[1:-1] if len(points) > 4 else points
        return [
            segment for off in (-0.29, 0.29) for segment in brush.stroke(_beside(kept, off * wide), wide * 0.09, _even)
        ]
    left, right = _beside(points, -wide / 2), _beside(points, wide / 2)
    return polygon([_inside(points, wide), *left, _inside(points[::-1], wide), *right[::-1]])


def _even(_: float) -> float:
    return 1.0


def _inside(points: list[Point], wide: float) -> Point:
    """The tip of the notch at the start of a ribbon."""
    (ax, ay), (bx, by) = points[0], points[1]
    far = math.dist(points[0], points[1]) or 1.0
    return ax + (bx - ax) / far * wide * 0.42, ay + (by - ay) / far * wide * 0.42


def _beside(points: list[Point], off: float) -> list[Point]:
    last = len(points) - 1
    found = []
    for i, (x, y) in enumerate(points):
        (ax, ay), (bx, by) = points[max(0, i - 1)], points[min(last, i + 1)]
        far = math.hypot(bx - ax, by - ay) or 1.0
        found.append((x - (by - ay) / far * off, y + (bx - ax) / far * off))
    return found


__all__ = ["bricks", "ribbon"]
