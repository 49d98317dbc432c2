"""Ornament in the manner of woodcuts: lines that swell and fade as a gouge cuts them. All are areas, to be filled."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence

from generator.faces.ornaments.fields import MAX_CELLS, Box, cells_along
from generator.faces.svgpath import Path, polygon

Point = tuple[float, float]


def cut(points: Sequence[Point], widths: Sequence[float]) -> Path:
    """A line through the points as an area, as wide at each of them as `widths` says (mm)."""
    left: list[Point] = []
    right: list[Point] = []
    last = len(points) - 1
    for i, ((x, y), width) in enumerate(zip(points, widths, strict=True)):
        (ax, ay), (bx, by) = points[max(0, i - 1)], points[min(last, i + 1)]
        far = math.hypot(bx - ax, by - ay) or 1.0
        dx, dy = (by - ay) / far * width / 2, (ax - bx) / far * width / 2
        left.append((x + dx, y + dy))
        right.append((x - dx, y - dy))
    return polygon(left + right[::-1])


def tapered(start: Point, end: Point, width: float, thickest: float = 0.35) -> Path:
    """One cut of the gouge: from a point to a point, widest (mm) at `thickest` of its length."""
    (ax, ay), (bx, by) = start, end
    far = math.hypot(bx - ax, by - ay) or 1.0
    nx, ny = (by - ay) / far * width / 2, (ax - bx) / far * width / 2
    mx, my = ax + (bx - ax) * thickest, ay + (by - ay) * thickest
    return polygon([start, (mx + nx, my + ny), end, (mx - nx, my - ny)])


def _swell(part: float) -> float:
    """The width of a cut at a part (0 to 1) of its length, as part of its greatest width."""
    return min(1.0, max(0.12, 2.4 * math.sqrt(max(0.0, part * (1 - part)))))


def _smooth(value: float, low: float, high: float) -> float:
    """0 below `low`, 1 above `high`, an even slope between."""
    t = min(1.0, max(0.0, (value - low) / (high - low)))
    return t * t * (3 - 2 * t)


def _rows(
    box: Box,
    gap: float,
    angle: float,
    long: Callable[[], tuple[float, float]],
    draw: Callable[[float, float, int], Path],
) -> Path:
    """Rows `gap` mm apart through the box, cut into pieces whose length and distance `long` gives. `draw` makes a piece
    of its start, its end and the number of its row; positions are along the row, 0 in the middle."""
    _, _, w, h = box
    reach = math.hypot(w, h) / 2 + gap
    count, _ = cells_along(2 * reach, gap)
    path: Path = []
    for row in range(-(count // 2), count // 2 + 1):
        at = -reach - long()[0] * 0.7
        while at < reach:
            length, pause = long()
            path += draw(at, at + length, row)
            at += length + pause
        if len(path) > 10 * MAX_CELLS:
            raise ValueError(f"rows {gap:g} mm apart are too many: take a larger gap (or unit)")
    return path


def furrows(
    box: Box,
    gap: float = 2.6,
    angle: float = 0.0,
    seed: int = 1,
    thick: float = 0.8,
    sway: float = 0.8,
    clear: float = 0.0,
) -> Path:
    """Ploughed lines `gap` mm apart that bend together by `sway` mm; `angle` 0 is level, positive is clockwise.

    Within `clear` mm of the middle of the box they are thin, so that something can lie there.
    """
    x, y, w, h = box
    source = random.Random(seed)
    turn = math.radians(angle)
    cos, sin = math.cos(turn), math.sin(turn)
    phase, wave = source.uniform(0, 2 * math.pi), source.uniform(30, 44)
    across = [source.uniform(-0.12, 0.12) * gap for _ in range(97)]

    def long() -> tuple[float, float]:
        return source.uniform(12, 26), source.uniform(0.5, 1.5)

    def piece(start: float, end: float, row: int) -> Path:
        points, widths = [], []
        steps = max(2, math.ceil((end - start) / 2.5))
        for i in range(steps + 1):
            u = start + (end - start) * i / steps
            v = row * gap + across[row % 97] + sway * math.sin(2 * math.pi * u / wave + phase + row * 0.05)
            px, py = u * cos - v * sin, u * sin + v * cos
            calm = 0.4 + 0.6 * _smooth(math.hypot(px, py), clear * 0.7, clear * 1.3) if clear > 0 else 1.0
            points.append((x + w / 2 + px, y + h / 2 + py))
            widths.append(thick * _swell(i / steps) * calm * source.uniform(0.85, 1.15))
        inside = any(abs(px - x - w / 2) <= w / 2 + gap and abs(py - y - h / 2) <= h / 2 + gap for px, py in points)
        return cut(points, widths) if inside else []

    return _rows(box, gap, angle, long, piece)


def gouges(
    box: Box, gap: float = 2.0, angle: float = 0.0, seed: int = 1, long: float = 4.0, thick: float = 0.35
) -> Path:
    """Short cuts of the gouge in rows `gap` mm apart, about `long` mm each, as between the lines of a woodcut."""
    x, y, w, h = box
    if long <= 0:
        raise ValueError(f"cuts must be longer than 0 mm, found {long:g}")
    source = random.Random(seed)
    turn = math.radians(angle)
    cos, sin = math.cos(turn), math.sin(turn)

    def lengths() -> tuple[float, float]:
        return long * source.uniform(0.6, 1.4), long * source.uniform(0.35, 1.1)

    def piece(start: float, end: float, row: int) -> Path:
        v = row * gap + source.uniform(-0.2, 0.2) * gap
        ends = [(x + w / 2 + u * cos - v * sin, y + h / 2 + u * sin + v * cos) for u in (start, end)]
        kept = all(x + thick <= px <= x + w - thick and y + thick <= py <= y + h - thick for px, py in ends)
        return tapered(ends[0], ends[1], thick * source.uniform(0.7, 1.3)) if kept else []

    return _rows(box, gap, angle, lengths, piece)


def cut_line(box: Box, seed: int = 1, thick: float = 0.8, step: float = 4.0) -> Path:
    """A line cut by hand along the longer side of the box, about `thick` mm wide. It strays over the whole width of the
    box and changes its direction every `step` mm. ValueError: a line thicker than the box."""
    x, y, w, h = box
    length, wide = max(w, h), min(w, h)
    if not 0 < thick * 1.25 <= wide:
        raise ValueError(f"the line must be more than 0 and at most {wide / 1.25:g} mm wide here, found {thick:g}")
    source = random.Random(seed)
    count, unit = cells_along(length, step)
    sides: tuple[list[Point], list[Point]] = ([], [])
    for i in range(count + 1):
        half = thick * source.uniform(0.75, 1.25) / 2
        middle = source.uniform(half, wide - half)
        for side, v in zip(sides, (middle - half, middle + half), strict=True):
            side.append((x + i * unit, y + v) if w >= h else (x + v, y + i * unit))
    return polygon(sides[0] + sides[1][::-1])
