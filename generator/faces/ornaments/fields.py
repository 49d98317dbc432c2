"""Patterns that fill a box. `unit` is the size of one cell in mm; whole cells are fitted to the box.

Patterns that run over the edge are listed in `generator.faces.ornaments.CLIPPED` and are drawn clipped to their box.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Sequence

from generator.faces.svgpath import Path, circle, polygon, rect

Box = Sequence[float]
MAX_CELLS = 20_000


def cells(box: Box, unit: float, tall: float = 1.0) -> tuple[int, int, float, float]:
    """The number of cells of about `unit` x `unit * tall` mm that fill the box, and their exact size. ValueError:
    absurd."""
    nx, cw = cells_along(box[2], unit)
    ny, ch = cells_along(box[3], unit * tall)
    if nx * ny > MAX_CELLS:
        raise ValueError(f"{nx} x {ny} cells are too many: take a larger unit than {unit:g} mm")
    return nx, ny, cw, ch


def cells_along(length: float, unit: float) -> tuple[int, float]:
    """The number of cells of about `unit` mm that fill a length, and their exact size. ValueError: absurd."""
    if unit <= 0:
        raise ValueError(f"the unit must be more than 0 mm, found {unit:g}")
    count = max(1, round(length / unit))
    if count > MAX_CELLS:
        raise ValueError(f"{count} cells are too many: take a larger unit than {unit:g} mm")
    return count, length / count


def _lines(points: Iterator[tuple[float, float, float, float]]) -> Path:
    path: Path = []
    for x1, y1, x2, y2 in points:
        path += [("M", x1, y1), ("L", x2, y2)]
    return path


def stripes(box: Box, gap: float = 1.5, angle: float = 45.0) -> Path:
    """Parallel lines `gap` mm apart; `angle` 0 is horizontal, positive is clockwise."""
    x, y, w, h = box
    if gap <= 0 or (w + h) / gap > MAX_CELLS:
        raise ValueError(f"stripes {gap:g} mm apart are too many: take a larger gap (or unit)")
    turn = math.radians(angle)
    dx, dy = math.cos(turn), math.sin(turn)
    reach = math.hypot(w, h) / 2
    cx, cy = x + w / 2, y + h / 2
    count = math.floor(reach / gap)
    return _lines(
        (cx - dx * reach - dy * d, cy - dy * reach + dx * d, cx + dx * reach - dy * d, cy + dy * reach + dx * d)
        for d in (i * gap for i in range(-count, count + 1))
    )


def lattice(box: Box, unit: float = 3.0, angle: float = 45.0) -> Path:
    """Two families of stripes crossing at right angles."""
    return stripes(box, unit, angle) + stripes(box, unit, angle + 90)


def grid(box: Box, unit: float = 3.0) -> Path:
    """Upright lattice whose whole cells fill the box."""
    x, y, w, h = box
    nx, ny, cw, ch = cells(box, unit)
    upright = ((x + i * cw, y, x + i * cw, y + h) for i in range(nx + 1))
    level = ((x, y + j * ch, x + w, y + j * ch) for j in range(ny + 1))
    return _lines(upright) + _lines(level)


def dots(box: Box, unit: float = 2.0, r: float = 0.3) -> Path:
    """Discs in staggered rows."""
    x, y, _, _ = box
    nx, ny, cw, ch = cells(box, unit, 0.866)
    path: Path = []
    for j in range(ny):
        shift = 0.75 if j % 2 else 0.25
        for i in range(nx):
            path += circle(x + (i + shift) * cw, y + (j + 0.5) * ch, r)
    return path


def checks(box: Box, unit: float = 2.0) -> Path:
    """Every other square of a grid, to be filled."""
    x, y, _, _ = box
    nx, ny, cw, ch = cells(box, unit)
    path: Path = []
    for j in range(ny):
        for i in range(j % 2, nx, 2):
            path += rect(x + i * cw, y + j * ch, cw, ch)
    return path


def chevrons(box: Box, unit: float = 2.0) -> Path:
    """Zigzag lines, one above the other."""
    x, y, _, _ = box
    nx, ny, cw, ch = cells(box, unit)
    path: Path = []
    for j in range(-1, ny + 1):
        points = [(x + i * cw / 2, y + (j + (0.75 if i % 2 else 0.25)) * ch) for i in range(2 * nx + 1)]
        path += polygon(points, closed=False)
    return path


def hexes(box: Box, unit: float = 3.0) -> Path:
    """Honeycomb of pointy-top hexagons `unit` mm wide."""
    x, y, w, h = box
    cells(box, unit)
    side = unit / math.sqrt(3)
    path: Path = []
    for j in range(math.ceil(h / (1.5 * side)) + 1):
        shift = unit / 2 if j % 2 else 0.0
        for i in range(-1, math.ceil(w / unit) + 1):
            cx, cy = x + i * unit + shift, y + j * 1.5 * side
            half = unit / 2
            path += polygon(
                [(cx, cy + side), (cx - half, cy + side / 2), (cx - half, cy - side / 2), (cx, cy - side)], closed=False
            )
            path += [("M", cx, cy - side), ("L", cx + half, cy - side / 2)]
    return path


def bricks(box: Box, unit: float = 3.0, long: float = 2.2) -> Path:
    """Courses of bricks `unit` mm high and `long` times as long, each shifted by half a brick."""
    x, y, w, _ = box
    nx, ny, cw, ch = cells(box, unit * long, 1 / long)
    path = _lines((x, y + j * ch, x + w, y + j * ch) for j in range(ny + 1))
    joints = (
        (x + (i + (0.5 if j % 2 else 0.0)) * cw, y + j * ch, x + (i + (0.5 if j % 2 else 0.0)) * cw, y + (j + 1) * ch)
        for j in range(ny)
        for i in range(nx + (0 if j % 2 else 1))
    )
    return path + _lines(joints)


def waves(box: Box, unit: float = 5.0, rings: int = 3) -> Path:
    """Wave scales: rows of `rings` concentric arcs, each row lying over the one above it."""
    x, y, _, h = box
    nx, _, cw, _ = cells(box, unit)
    big = cw / 2
    if not 1 <= rings <= 20:
        raise ValueError(f"waves take 1 to 20 rings, found {rings}")
    radii = [big * (1 - ring / rings) for ring in range(rings)]
    arcs = [(r, _free_from(big, r)) for r in radii]
    path: Path = []
    for j in range(-1, math.ceil(h / (big / 2)) + 2):
        shift = 0.5 if j % 2 else 0.0
        for i in range(-1, nx + 1):
            cx, cy = x + (i + 0.5 + shift) * cw, y + j * big / 2 + big
            for r, end in arcs:
                path += sweep(cx, cy, r, math.pi + end, 2 * math.pi - end)
    return path


def _free_from(big: float, r: float) -> float:
    """The angle above which a circle `r` in the middle of a scale is not covered by the scales of the row below."""
    low, high = -math.pi / 4, math.pi / 2
    for _ in range(30):
        middle = (low + high) / 2
        free = math.hypot(r * math.cos(middle) - big, -r * math.sin(middle) - big / 2) >= big
        low, high = (low, middle) if free else (middle, high)
    return high


def sweep(cx: float, cy: float, r: float, start: float, end: float, join: bool = False) -> Path:
    """An arc from one angle to another (radians, clockwise from the right); `join`: goes on from the last point."""
    pieces = max(1, math.ceil(abs(end - start) / (math.pi / 2) - 1e-9))
    step = (end - start) / pieces
    reach = 4 / 3 * math.tan(step / 4) * r
    path: Path = [] if join else [("M", cx + r * math.cos(start), cy + r * math.sin(start))]
    for i in range(pieces):
        a, b = start + i * step, start + (i + 1) * step
        path.append(
            (
                "C",
                cx + r * math.cos(a) - reach * math.sin(a),
                cy + r * math.sin(a) + reach * math.cos(a),
                cx + r * math.cos(b) + reach * math.sin(b),
                cy + r * math.sin(b) - reach * math.cos(b),
                cx + r * math.cos(b),
                cy + r * math.sin(b),
            )
        )
    return path


def ice(box: Box, unit: float = 6.0, seed: int = 1, even: float = 0.5) -> Path:
    """Ice-crack lattice: the box is split along irregular chords until no pane is larger than about `unit` squared.

    `even` (0 to 1): how strictly panes are split through their middle.
    """
    x, y, w, h = box
    cells(box, unit / 2)
    source = random.Random(seed)
    path = rect(x, y, w, h)
    panes: list[list[tuple[float, float]]] = [[(x, y), (x + w, y), (x + w, y + h), (x, y + h)]]
    while panes:
        pane = panes.pop()
        if _area(pane) <= unit * unit * (0.8 + 0.6 * source.random()):
            continue
        chord, halves = _split(pane, source, even)
        path += polygon(chord, closed=False)
        panes += halves
    return path


def _area(points: Sequence[tuple[float, float]]) -> float:
    pairs = zip(points, [*points[1:], points[0]], strict=True)
    return abs(sum(ax * by - bx * ay for (ax, ay), (bx, by) in pairs)) / 2


def _split(
    pane: list[tuple[float, float]], source: random.Random, even: float
) -> tuple[list[tuple[float, float]], list[list[tuple[float, float]]]]:
    """Cut a convex pane from its longest side to a side that faces it."""
    n = len(pane)
    lengths = [math.dist(pane[i], pane[(i + 1) % n]) for i in range(n)]
    first = max(range(n), key=lengths.__getitem__)
    others = [i for i in range(n) if i != first and (n == 3 or i not in ((first + 1) % n, (first - 1) % n))]
    second = source.choices(others, [lengths[i] for i in others])[0]
    spread = 0.5 * (1 - even)
    ends = []
    for side in (first, second):
        t = 0.5 + spread * (2 * source.random() - 1) * 0.9
        (ax, ay), (bx, by) = pane[side], pane[(side + 1) % n]
        ends.append((ax + (bx - ax) * t, ay + (by - ay) * t))
    a, b = sorted((first, second))
    start, end = (ends[0], ends[1]) if a == first else (ends[1], ends[0])
    return ends, [[start, *pane[a + 1 : b + 1], end], [end, *pane[b + 1 :], *pane[: a + 1], start]]


def rays(box: Box, count: int = 24, inner: float = 0.0, turn: float = 0.0) -> Path:
    """Lines from the middle of the box outward, beginning `inner` mm from it."""
    x, y, w, h = box
    if not 1 <= count <= 720:
        raise ValueError(f"the count must be from 1 to 720, found {count}")
    cx, cy, reach = x + w / 2, y + h / 2, math.hypot(w, h) / 2
    angles = (math.radians(turn) + 2 * math.pi * i / count for i in range(count))
    return _lines(
        (cx + inner * math.cos(a), cy + inner * math.sin(a), cx + reach * math.cos(a), cy + reach * math.sin(a))
        for a in angles
    )
