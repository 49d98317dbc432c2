"""Strokes of a brush as areas: they swell, thin out and run dry. Everything painted with ink is made of them."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence

from generator.faces.svgpath import Path, polygon

Point = tuple[float, float]

Swell = Callable[[float], float]
"""The width of a stroke at a part (0 to 1) of its length, as part of its greatest width."""


def even(part: float) -> float:
    """Pressed down, drawn, lifted."""
    return min(1.0, 0.55 + 3.0 * part, 0.12 + 4.0 * (1 - part))


def fading(part: float) -> float:
    """Heavy at the start, a hair at the end."""
    return min(1.0, 0.4 + 4.0 * part) * math.sqrt(max(0.0, 1 - part)) * (1 - 0.5 * part) + 0.03


def leaf(part: float) -> float:
    """Thin at both ends."""
    return max(0.03, math.sqrt(max(0.0, math.sin(math.pi * part))) * (0.6 + 0.4 * math.sin(math.pi * part)))


def smooth(points: Sequence[Point], steps: int = 6) -> list[Point]:
    """A curve through the points (Catmull-Rom), `steps` pieces from one to the next."""
    if len(points) < 3:
        return list(points)
    found: list[Point] = []
    last = len(points) - 1
    for i in range(last):
        a, b, c, d = points[max(0, i - 1)], points[i], points[i + 1], points[min(last, i + 2)]
        for k in range(steps):
            t = k / steps
            found.append((_spline(a[0], b[0], c[0], d[0], t), _spline(a[1], b[1], c[1], d[1], t)))
    return [*found, points[-1]]


def _spline(a: float, b: float, c: float, d: float, t: float) -> float:
    return 0.5 * (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t * t + (3 * b - a - 3 * c + d) * t * t * t)


def stroke(
    points: Sequence[Point], width: float, swell: Swell = even, source: random.Random | None = None, rough: float = 0.0
) -> Path:
    """A stroke through the points, `width` mm at its widest; `rough` (0 to 1): how ragged its edges are."""
    count = len(points)
    if count < 2:
        return []
    left: list[Point] = []
    right: list[Point] = []
    for i, (x, y) in enumerate(points):
        (ax, ay), (bx, by) = points[max(0, i - 1)], points[min(count - 1, i + 1)]
        far = math.hypot(bx - ax, by - ay) or 1.0
        nx, ny = (by - ay) / far, (ax - bx) / far
        half = width * swell(i / (count - 1)) / 2
        one, two = (half, half) if source is None else (half * _ragged(source, rough), half * _ragged(source, rough))
        left.append((x + nx * one, y + ny * one))
        right.append((x - nx * two, y - ny * two))
    return polygon(left + right[::-1])


def _ragged(source: random.Random, rough: float) -> float:
    return 1 + rough * source.uniform(-0.6, 0.45)


def line(start: Point, end: Point, width: float, swell: Swell = leaf, bend: float = 0.0) -> Path:
    """A short stroke from a point to a point, bent to its left by `bend` mm."""
    (ax, ay), (bx, by) = start, end
    far = math.hypot(bx - ax, by - ay) or 1.0
    nx, ny = (by - ay) / far, (ax - bx) / far
    points = []
    for k in range(6):
        t = k / 5
        off = bend * 4 * t * (1 - t)
        points.append((ax + (bx - ax) * t + nx * off, ay + (by - ay) * t + ny * off))
    return stroke(points, width, swell)


def blob(x: float, y: float, rx: float, ry: float, source: random.Random, rough: float = 0.12, count: int = 18) -> Path:
    """A drop of ink or a cloud of colour: an ellipse with a wandering edge."""
    points = []
    for k in range(count):
        turn = 2 * math.pi * k / count
        far = 1 + source.uniform(-rough, rough)
        points.append((x + rx * far * math.cos(turn), y + ry * far * math.sin(turn)))
    return closed(points)


def closed(points: Sequence[Point]) -> Path:
    """A smooth closed curve through the points, of cubics."""
    count = len(points)
    path: Path = [("M", *points[0])]
    for i in range(count):
        a, b, c, d = points[i - 1], points[i], points[(i + 1) % count], points[(i + 2) % count]
        path.append(
            (
                "C",
                b[0] + (c[0] - a[0]) / 6,
                b[1] + (c[1] - a[1]) / 6,
                c[0] - (d[0] - b[0]) / 6,
                c[1] - (d[1] - b[1]) / 6,
                c[0],
                c[1],
            )
        )
    return [*path, ("Z",)]


def chosen(part: str, parts: tuple[str, ...]) -> str:
    """The part that was asked for. ValueError: there is no such part."""
    if part not in parts:
        raise ValueError(f"the part must be {' or '.join(parts)}, found {part!r}")
    return part
