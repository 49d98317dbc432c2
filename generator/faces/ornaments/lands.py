"""Pieces of country for maps that are dealt. Each fills a square `cell` and is calm in the middle, where something will
lie. It goes on beyond its edges in the same way on every side, so that neighbours join, whichever way they are turned.

The box is the cell and as much around it as is to be drawn (a bleed); without `cell` the two are the same.
"""

from __future__ import annotations

import math
import random
from functools import lru_cache

from generator.faces.ornaments.fields import Box
from generator.faces.ornaments.woodcut import Point, cut, tapered
from generator.faces.svgpath import Path, polygon

Tree = tuple[float, float, float, str]
"""Middle of the crown, its radius, and what kind it is: round, fir, or edge (a crown that stands on an edge)."""

EDGE_CROWNS = (-0.375, -0.125, 0.125, 0.375)
"""The places of crowns on an edge of the cell, as parts of its length from its middle."""
EDGE_JOINTS = (-0.36, -0.13, 0.13, 0.36)
"""The places at which joints of stones cross an edge of the cell, likewise."""
MAX_TREES = 400


def _cell(box: Box, cell: float | None) -> tuple[float, float, float]:
    """The middle of the cell and half of its side. ValueError: a cell that is larger than its box, or none."""
    x, y, w, h = box
    side = min(w, h) if cell is None else float(cell)
    if not 0 < side <= min(w, h):
        raise ValueError(f"the cell must be more than 0 and at most as large as the box, found {side:g}")
    return x + w / 2, y + h / 2, side / 2


def _part(part: str, parts: tuple[str, ...]) -> None:
    if part not in parts:
        raise ValueError(f"the part must be one of {', '.join(parts)}, found {part!r}")


# --- trees -------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=64)
def _planted(half: float, size: float, seed: int, clear: float, firs: float) -> tuple[Tree, ...]:
    """The trees of a cell about the origin, those on the edges first."""
    source = random.Random(seed)
    edge = size * 0.46
    trees: list[Tree] = []
    for part in EDGE_CROWNS:
        u = part * 2 * half
        trees += [
            (u, -half, edge, "edge"),
            (half, u, edge, "edge"),
            (-u, half, edge, "edge"),
            (-half, -u, edge, "edge"),
        ]
    for grade, tries in ((0.58, 300), (0.48, 300), (0.38, 400), (0.27, 500)):
        for _ in range(tries):
            r = size * grade * source.uniform(0.92, 1.08)
            kind = "fir" if source.random() < firs else "round"
            cx, cy = source.uniform(-half, half), source.uniform(-half, half)
            far = math.hypot(cx, cy)
            foot = far - 1.75 * r
            if foot < clear or max(abs(cx), abs(cy)) + 1.1 * r > half or _near_corner(cx, cy, half, r):
                continue
            if len(trees) < MAX_TREES and all(_apart((cx, cy, r, kind), other) for other in trees):
                trees.append((cx, cy, r, kind))
    return tuple(trees)


def _near_corner(cx: float, cy: float, half: float, r: float) -> bool:
    """True if a crown would cover a corner of the cell, where four cells meet."""
    return math.hypot(half - abs(cx), half - abs(cy)) < r + 0.12 * half


def _apart(tree: Tree, other: Tree) -> bool:
    """True if neither the crown nor the trunk of one touches the crown of the other."""
    (ax, ay, ar, _), (bx, by, br, beside) = tree, other
    if math.dist((ax, ay), (bx, by)) < ar + br + 0.25:
        return False
    stems = (
        [((ax, ay, ar), (bx, by, br))]
        if beside == "edge"
        else [((ax, ay, ar), (bx, by, br)), ((bx, by, br), (ax, ay, ar))]
    )
    for (cx, cy, r), (ox, oy, o) in stems:
        far = math.hypot(cx, cy) or 1.0
        foot = (cx - cx / far * 1.45 * r, cy - cy / far * 1.45 * r)
        if math.dist(foot, (ox, oy)) < o + 0.4 * r:
            return False
    return True


def grove(
    box: Box,
    cell: float | None = None,
    size: float = 7.0,
    seed: int = 1,
    clear: float = 8.0,
    firs: float = 0.35,
    part: str = "crowns",
) -> Path:
    """Trees about `size` mm wide round a clearing of `clear` mm radius, all growing away from it; some on the edges.

    `firs` is their share (0 to 1). `part`: `crowns`, `firs`, `trunks`, or `cuts` (light in the crowns). All are areas.
    """
    mx, my, half = _cell(box, cell)
    _part(part, ("crowns", "firs", "trunks", "cuts"))
    if size < half / 25:
        raise ValueError(f"trees {size:g} mm wide are too many: take a larger size (or unit)")
    path: Path = []
    for i, (cx, cy, r, kind) in enumerate(_planted(half, float(size), int(seed), float(clear), float(firs))):
        source = random.Random(seed * 1009 + i)
        up = math.atan2(cy, cx)
        x, y = mx + cx, my + cy
        if part == "crowns" and kind != "fir":
            lobes = 8 if kind == "edge" else 9 if r > size * 0.4 else 7
            path += _crown(x, y, r, 0.0 if kind == "edge" else source.uniform(0, 1), lobes)
        elif part == "firs" and kind == "fir":
            path += _fir(x, y, r, up)
        elif part == "trunks" and kind != "edge":
            path += _trunk(x, y, r, up)
        elif part == "cuts":
            path += (
                _edge_cuts(x, y, r)
                if kind == "edge"
                else _fir_cuts(x, y, r, up)
                if kind == "fir"
                else _cuts(x, y, r, up)
            )
    return path


def _at(x: float, y: float, up: float, along: float, side: float) -> Point:
    """A point `along` the direction `up` (radians) and `side` mm to the right of it."""
    return x + along * math.cos(up) - side * math.sin(up), y + along * math.sin(up) + side * math.cos(up)


def _crown(x: float, y: float, r: float, turn: float, lobes: int) -> Path:
    """A round crown of leaves: a ring of lobes."""
    path: Path = []
    inner, bulge = r * 0.9, r * 1.2
    for i in range(lobes):
        a, b = 2 * math.pi * (i + turn) / lobes, 2 * math.pi * (i + 1 + turn) / lobes
        if i == 0:
            path.append(("M", x + inner * math.cos(a), y + inner * math.sin(a)))
        p, q = a + (b - a) * 0.2, b - (b - a) * 0.2
        path.append(
            (
                "C",
                x + bulge * math.cos(p),
                y + bulge * math.sin(p),
                x + bulge * math.cos(q),
                y + bulge * math.sin(q),
                x + inner * math.cos(b),
                y + inner * math.sin(b),
            )
        )
    return [*path, ("Z",)]


def _fir(x: float, y: float, r: float, up: float) -> Path:
    """A fir: three storeys of branches."""
    half = [(1.12, 0.0), (0.42, 0.5), (0.5, 0.26), (-0.18, 0.76), (-0.1, 0.42), (-0.86, 0.98)]
    outline = half + [(a, -s) for a, s in half[:0:-1]]
    return polygon([_at(x, y, up, a * r, s * r) for a, s in outline])


def _trunk(x: float, y: float, r: float, up: float) -> Path:
    sides = [(-0.7, 0.13), (-1.35, 0.15), (-1.6, 0.42), (-1.6, -0.42), (-1.35, -0.15), (-0.7, -0.13)]
    return polygon([_at(x, y, up, a * r, s * r) for a, s in sides])


def _cuts(x: float, y: float, r: float, up: float) -> Path:
    """Light in a round crown: cuts on one side that follow its curve."""
    path: Path = []
    for reach, start, end in ((0.74, 0.35, 1.75), (0.46, 0.2, 1.9), (0.18, 0.1, 2.2)):
        points = [_at(x, y, up, reach * r * math.cos(t), -reach * r * math.sin(t)) for t in _steps(start, end, 5)]
        path += cut(points, [0.04 * r, 0.16 * r, 0.2 * r, 0.16 * r, 0.04 * r])
    return path


def _fir_cuts(x: float, y: float, r: float, up: float) -> Path:
    path: Path = []
    for along, side in ((0.55, 0.2), (0.0, 0.42), (-0.62, 0.62)):
        path += tapered(_at(x, y, up, along * r + 0.2 * r, -0.05 * r), _at(x, y, up, along * r, -side * r), 0.17 * r)
    return path


def _edge_cuts(x: float, y: float, r: float) -> Path:
    """Light in a crown on an edge, the same on either side of it."""
    path: Path = []
    for i in range(8):
        turn = math.pi / 8 + i * math.pi / 4
        path += tapered(_at(x, y, turn, r * 0.26, 0), _at(x, y, turn, r * 0.8, 0), 0.17 * r, 0.6)
    return path


def _steps(start: float, end: float, count: int) -> list[float]:
    return [start + (end - start) * i / (count - 1) for i in range(count)]


# --- stone -------------------------------------------------------------------------------------------------------


def terraces(
    box: Box, cell: float | None = None, seed: int = 1, clear: float = 8.5, stairs: bool = True, part: str = "joints"
) -> Path:
    """A quarry: two courses of cut stones, the outer going on over the edges, and steps to a floor of radius `clear`.

    `part`: `top`, `bench` and `floor` (one lies on the other), `risers` (shaded faces of the steps), `joints` (lines
    round stones and steps), `picks` (what the pick left on the stones), `stairs` and `treads` (if there are `stairs`).
    All are areas.
    """
    mx, my, half = _cell(box, cell)
    _part(part, ("top", "bench", "floor", "risers", "joints", "picks", "stairs", "treads"))
    if not 0 < clear < half * 0.5:
        raise ValueError(f"the floor must be more than 0 and less than {half * 0.5:g} mm in radius, found {clear:g}")
    source = random.Random(seed)
    room = half * 0.7 - clear
    reaches = (clear, clear + room * 0.28, clear + room * 0.68, half * 0.7, half * 0.86)
    rings = [_ring(reach, 4 + 2 * (i > 2), source) for i, reach in enumerate(reaches)]
    floor, foot, bench, top, course = [[(mx + x, my + y) for x, y in ring] for ring in rings]
    if part in ("top", "bench", "floor"):
        return polygon({"top": course, "bench": top, "floor": foot}[part])
    if part == "risers":
        return _faces(foot, floor, source) + _faces(top, bench, source)
    side = source.randrange(4) * math.pi / 2
    if part in ("stairs", "treads"):
        return _stairs(mx, my, side, clear - 0.6, half * 0.72, part) if stairs else []
    inner, outer = _course_joints(source), _edge_joints(course, mx, my, half)
    if part == "joints":
        lines = [(foot, 0.55), (bench, 0.3), (top, 0.6), (course, 0.42)]
        path = [s for ring, wide in lines for s in _outline(ring, wide)]
        for at in range(source.randrange(3), RING, 3):
            path += cut([foot[at], bench[at]], [0.3, 0.36])
        return path + [s for at in inner for s in cut([top[at], course[at]], [0.45, 0.38])] + outer
    return _shades(top, course, inner, source) + _edge_picks(mx, my, half, source)


RING = 24
"""Corners of a ring of stones."""


def _ring(reach: float, power: int, source: random.Random) -> list[Point]:
    """A ragged square with blunt corners about the origin."""
    points = []
    for i in range(RING):
        turn = 2 * math.pi * (i + 0.5) / RING
        cos, sin = math.cos(turn), math.sin(turn)
        far = reach / (abs(cos) ** power + abs(sin) ** power) ** (1 / power) * source.uniform(0.965, 1.035)
        points.append((far * cos, far * sin))
    return points


def _outline(ring: list[Point], width: float) -> Path:
    closed = [*ring, ring[0]]
    return cut(closed, [width * (0.8 + 0.4 * (i % 3 == 0)) for i in range(len(closed))])


def _faces(upper: list[Point], lower: list[Point], source: random.Random) -> Path:
    """The shaded face between two rings: cuts from the upper to the lower edge."""
    path: Path = []
    for i, (a, b) in enumerate(zip(upper, [*upper[1:], upper[0]], strict=True)):
        c, d = lower[i], lower[(i + 1) % RING]
        count = max(2, round(math.dist(a, b) / 0.95))
        for k in range(count):
            t = (k + 0.5) / count
            start, end = _between(a, b, t), _between(c, d, t)
            path += tapered(start, _between(start, end, source.uniform(0.7, 1.0)), 0.62, 0.12)
    return path


def _between(a: Point, b: Point, t: float) -> Point:
    return a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t


def _course_joints(source: random.Random) -> list[int]:
    """At which corners of the rings the stones of the inner course meet."""
    found, at = [], source.randrange(2)
    while at < RING - 1:
        found.append(at)
        at += source.choice((2, 2, 3))
    return found


def _shades(inner: list[Point], outer: list[Point], joints: list[int], source: random.Random) -> Path:
    """Cuts on one side of each stone of the inner course, side by side with its joint."""
    path: Path = []
    for at in joints:
        a, b, c, d = inner[at], outer[at], inner[(at + 1) % RING], outer[(at + 1) % RING]
        for k in range(source.choice((2, 3, 3, 4))):
            t = 0.13 + 0.14 * k
            low, high = _between(a, c, t), _between(b, d, t)
            path += tapered(_between(low, high, 0.1), _between(low, high, 0.9 - 0.2 * k), 0.34, 0.2)
    return path


def _edge_joints(ring: list[Point], mx: float, my: float, half: float) -> Path:
    """Joints from the ring over the edges; they stand where those of a neighbour do."""
    path: Path = []
    for turn in range(4):
        up = turn * math.pi / 2
        for part in EDGE_JOINTS:
            side = part * 2 * half
            edge, beyond = _at(mx, my, up, half, side), _at(mx, my, up, half * 1.3, side)
            path += cut([min(ring, key=lambda spot: math.dist(spot, edge)), edge, beyond], [0.42, 0.46, 0.46])
    return path


def _edge_picks(mx: float, my: float, half: float, source: random.Random) -> Path:
    """Cuts along the far side of the stones of the outer course, the same on all sides, and marks of the pick."""
    path: Path = []
    for turn in range(4):
        up = turn * math.pi / 2
        for part in EDGE_JOINTS:
            for k in range(3):
                side = (part + math.copysign(0.016 + 0.017 * k, part)) * 2 * half
                path += tapered(
                    _at(mx, my, up, half * 1.08, side), _at(mx, my, up, half * (0.93 + 0.03 * k), side), 0.32, 0.5
                )
        for _ in range(3):
            spot = _at(mx, my, up, half * source.uniform(0.91, 0.96), half * source.uniform(-0.2, 0.2))
            path += tapered(spot, _at(*spot, source.uniform(0, math.pi), source.uniform(0.7, 1.3), 0), 0.32)
    return path


def _stairs(mx: float, my: float, up: float, low: float, high: float, part: str) -> Path:
    """A flight of stairs from the floor to the courses, in the direction `up` from the middle."""
    wide = 2.6
    if part == "stairs":
        return polygon(
            [_at(mx, my, up, along, side) for along, side in ((low, -wide), (high, -wide), (high, wide), (low, wide))]
        )
    count = 6
    path: Path = []
    for side in (-wide, wide):
        path += cut([_at(mx, my, up, low, side), _at(mx, my, up, high, side)], [0.4, 0.55])
    for i in range(count + 1):
        along = low + (high - low) * i / count
        path += cut([_at(mx, my, up, along, -wide), _at(mx, my, up, along, wide)], [0.5, 0.36])
    return path
