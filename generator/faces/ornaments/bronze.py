"""Ornament in the manner of old bronzes: squared spirals, key bands, interlocking T, masks, seals."""

from __future__ import annotations

import random
from collections.abc import Sequence
from math import pi

from generator.faces.ornaments.fields import Box, cells, cells_along, sweep
from generator.faces.svgpath import Path, polygon, rect, transform

_SPIRAL = [(1, 7), (1, 1), (7, 1), (7, 7), (3, 7), (3, 3), (5, 3), (5, 5)]
"""A squared spiral on a grid of 8; lines are 2 apart, also those of neighbouring cells."""
_HOOK = [(0, 8), (0, 0), (6, 0), (6, 6), (2, 6), (2, 2), (4, 2), (4, 4)]
"""The same, hanging on a rail at y = 8 that it shares with its neighbours."""


def _scaled(points: Sequence[tuple[float, float]], x: float, y: float, w: float, h: float) -> Path:
    return polygon([(x + px * w / 8, y + py * h / 8) for px, py in points], closed=False)


def meander(box: Box, unit: float = 4.0) -> Path:
    """Squared spirals in every cell, mirrored like a chessboard. Lines are a quarter of a cell apart."""
    x, y, _, _ = box
    nx, ny, cw, ch = cells(box, unit)
    path: Path = []
    for j in range(ny):
        for i in range(nx):
            points = _SPIRAL if (i + j) % 2 == 0 else [(8 - px, 8 - py) for px, py in _SPIRAL]
            path += _scaled(points, x + i * cw, y + j * ch, cw, ch)
    return path


def key_band(box: Box, rail: bool = True) -> Path:
    """A running key along a band as high as the box, hanging on a rail along its lower edge (or without the rail)."""
    x, y, w, h = box
    nx, cw = cells_along(w, h)
    path: Path = []
    for i in range(nx):
        path += _scaled(_HOOK, x + i * cw, y, cw, h)
    return path + ([("M", x, y + h), ("L", x + w, y + h)] if rail else [])


def meander_frame(box: Box, depth: float = 4.0) -> Path:
    """Spirals as a band of `depth` mm inside the edge of the box; corners are nested squares; point-symmetric."""
    x, y, w, h = box
    if not 0 < depth <= min(w, h) / 2:
        raise ValueError(f"the depth must be more than 0 and at most half of the box, found {depth:g}")
    path: Path = []
    along_x, along_y = w - 2 * depth, h - 2 * depth
    for length, turn, ox, oy in (
        (along_x, 0, x + depth, y),
        (along_y, 1, x + w, y + depth),
        (along_x, 2, x + w - depth, y + h),
        (along_y, 3, x, y + h - depth),
    ):
        cos, sin = ((1, 0), (0, 1), (-1, 0), (0, -1))[turn]
        count = max(1, round(length / depth)) if length > 0 else 0
        for i in range(count):
            points = _SPIRAL if i < count / 2 else [(8 - px, py) for px, py in _SPIRAL]
            cell = _scaled(points, i * length / count, 0, length / count, depth)
            path += transform(cell, (cos, sin, -sin, cos, ox, oy))
    for cx, cy in ((x, y), (x + w - depth, y), (x + w - depth, y + h - depth), (x, y + h - depth)):
        for inset in (1, 3):
            k = depth * inset / 8
            path += rect(cx + k, cy + k, depth - 2 * k, depth - 2 * k)
    return path


def interlocking_t(box: Box, unit: float = 4.0) -> Path:
    """Rows of upright and hanging T shapes whose stems stand between one another's bars."""
    x, y, _, _ = box
    nx, ny, cw, ch = cells(box, unit, 0.75)
    path: Path = []
    for j in range(ny):
        top, low = y + (j + 0.1) * ch, y + (j + 0.9) * ch
        stem = 0.52 * ch
        for i in range(nx + 1):
            up = x + (i + (0.5 if j % 2 else 0.0)) * cw
            for middle, bar, end in ((up, top, top + stem), (up + cw / 2, low, low - stem)):
                left, right = max(middle - cw * 0.34, x), min(middle + cw * 0.34, x + box[2])
                if right - left > cw * 0.3:
                    path += [("M", left, bar), ("L", right, bar), ("M", middle, bar), ("L", middle, end)]
    return path


def seal(box: Box, seed: int = 1, lines: int = 5) -> Path:
    """An invented seal: a square frame with a mirrored fret of `lines` x `lines` strokes inside, to be stroked."""
    x, y, w, h = box
    if not 3 <= lines <= 12:
        raise ValueError(f"a seal has 3 to 12 lines, found {lines}")
    side = min(w, h)
    x, y = x + (w - side) / 2, y + (h - side) / 2
    step = side / (lines + 1)
    source = random.Random(seed)
    path = rect(x, y, side, side)
    middle = (lines - 1) / 2
    for j in range(lines):
        at = y + (j + 1) * step
        reach = source.choice([middle, middle, middle - 1, max(0.5, middle / 2)])
        left, right = x + (1 + middle - reach) * step, x + (1 + middle + reach) * step
        path += [("M", left, at), ("L", right, at)]
        if j < lines - 1:
            for offset in sorted(source.sample(range(int(middle) + 1), k=min(2, int(middle) + 1))):
                for sign in (-1, 1) if offset else (1,):
                    px = x + (1 + middle + sign * offset) * step
                    path += [("M", px, at), ("L", px, at + step)]
    return path


def slips(box: Box, unit: float = 5.0, cords: Sequence[float] = (0.2, 0.8), thick: float = 1.2) -> Path:
    """Bamboo slips side by side, bound by cords at the given heights (parts of the box): lines, to be stroked."""
    x, y, w, h = box
    nx, cw = cells_along(w, unit)
    path: Path = [s for i in range(1, nx) for s in (("M", x + i * cw, y), ("L", x + i * cw, y + h))]
    for part in cords:
        at = y + part * h
        half = thick / 2
        for i in range(nx + 1):
            px = x + i * cw
            path += [("M", px - half, at - half), ("L", px + half, at + half)]
            path += [("M", px - half, at + half), ("L", px + half, at - half)]
        for i in range(nx):
            left, right = x + i * cw + half, x + (i + 1) * cw - half
            for shift in (-half, half):
                path += [("M", left, at + shift), ("L", right, at + shift)]
    return path


def clouds(box: Box, unit: float = 10.0, rows: int = 1) -> Path:
    """Cloud scrolls on a running line: each cell has a pair of curls that face one another."""
    x, y, w, h = box
    nx, cw = cells_along(w, unit)
    if not 1 <= rows <= 100:
        raise ValueError(f"clouds take 1 to 100 rows, found {rows}")
    ch = h / rows
    path: Path = []
    for j in range(rows):
        base = y + (j + 0.82) * ch
        big = min(cw * 0.235, ch * 0.34)
        path += [("M", x, base), ("L", x + w, base)]
        for i in range(nx):
            middle = x + (i + 0.5) * cw
            for sign in (-1, 1):
                cx, cy, r = middle + sign * big, base - big, big
                curl = sweep(cx, cy, r, pi / 2, 2 * pi)
                inner = sweep(cx + r * 0.35, cy, r * 0.65, 2 * pi, 3 * pi, join=True)
                last = sweep(cx + r * 0.05, cy, r * 0.35, pi, 2 * pi, join=True)
                spiral = curl + inner + last
                path += spiral if sign < 0 else transform(spiral, (-1, 0, 0, 1, 2 * cx, 0))
            top = base - 2 * big
            path += sweep(middle, top + big * 0.25, big * 0.75, pi, 2 * pi)
    return path
