"""Paths as lists of segments: SVG path data in and out, basic shapes, transformations.

A path is a list of tuples `("M", x, y)`, `("L", x, y)`, `("C", x1, y1, x2, y2, x, y)` and `("Z",)`, all absolute. Every
command of SVG path data is read; quadratic curves and arcs become cubic ones.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from typing import Any

from generator.faces.display import Matrix

Segment = tuple[Any, ...]
"""A command letter and its numbers."""
Path = list[Segment]

KAPPA = 4 / 3 * (math.sqrt(2) - 1)
"""Length of the handles of the cubic that stands for a quarter of a unit circle."""

_COMMAND = re.compile(r"([MmLlHhVvCcSsQqTtAaZz])([^MmLlHhVvCcSsQqTtAaZz]*)")
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?")
_GAP = r"\s*,?\s*"
_ARC = re.compile(f"{_GAP}({_NUMBER.pattern})" * 3 + f"{_GAP}([01])" * 2 + f"{_GAP}({_NUMBER.pattern})" * 2)
_BLANK = re.compile(r"[\s,]*")
_COUNTS = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "S": 4, "Q": 4, "T": 2, "A": 7}
MAX_DATA = 500_000
LARGEST = 1_000_000


class PathDataError(ValueError):
    """Path data that cannot be read; the message says where."""


def _groups(command: str, rest: str, at: int) -> list[list[float]]:
    """The argument groups after one command letter, checked for number and for stray characters."""
    groups: list[list[float]] = []
    count = _COUNTS[command.upper()]
    if command in "Aa":
        pos = 0
        while _BLANK.fullmatch(rest, pos) is None:
            match = _ARC.match(rest, pos)
            if match is None:
                raise PathDataError(f"arc after character {at} needs rx ry turn large sweep x y")
            groups.append([max(-LARGEST, min(LARGEST, float(v))) for v in match.groups()])
            pos = match.end()
    else:
        if not _BLANK.fullmatch(_NUMBER.sub(" ", rest)):
            raise PathDataError(f"what follows '{command}' at character {at} is not a list of numbers")
        values = [float(v) for v in _NUMBER.findall(rest)]
        if any(abs(v) > LARGEST for v in values):
            raise PathDataError(f"'{command}' at character {at} has a number beyond {LARGEST:,}")
        if len(values) % count:
            raise PathDataError(f"'{command}' at character {at} takes {count} numbers at a time, found {len(values)}")
        groups = [values[i : i + count] for i in range(0, len(values), count)]
    if not groups:
        raise PathDataError(f"'{command}' at character {at} takes {count} numbers, found none")
    return groups


def parse(d: str) -> Path:
    """Read SVG path data. Raises PathDataError for anything that is not path data."""
    if len(d) > MAX_DATA:
        raise PathDataError(f"path data longer than {MAX_DATA} characters")
    stray = _COMMAND.sub("", d).strip()
    if stray:
        raise PathDataError(f"path data has {stray[:20]!r} where a command letter is due")
    path: Path = []
    x = y = start_x = start_y = 0.0
    handle_x = handle_y = 0.0
    previous = ""
    for match in _COMMAND.finditer(d):
        command, rest = match.groups()
        upper = command.upper()
        if not path and upper != "M":
            raise PathDataError(f"path data begins with '{command}', not with a move")
        if upper == "Z":
            if rest.strip(" \t\r\n,"):
                raise PathDataError(f"'{command}' at character {match.start()} takes no numbers")
            path.append(("Z",))
            x, y, previous = start_x, start_y, "Z"
            continue
        relative = command != upper
        for i, group in enumerate(_groups(command, rest, match.start())):
            dx, dy = (x, y) if relative else (0.0, 0.0)
            if previous == "Z" and upper != "M":
                path.append(("M", x, y))
            if upper == "M":
                x, y = group[0] + dx, group[1] + dy
                if i == 0:
                    path.append(("M", x, y))
                    start_x, start_y = x, y
                else:
                    path.append(("L", x, y))
            elif upper in "LHV":
                if upper == "H":
                    x = group[0] + dx
                elif upper == "V":
                    y = group[0] + dy
                else:
                    x, y = group[0] + dx, group[1] + dy
                path.append(("L", x, y))
            elif upper in "CS":
                if upper == "C":
                    x1, y1 = group[0] + dx, group[1] + dy
                else:
                    x1, y1 = (2 * x - handle_x, 2 * y - handle_y) if previous in ("C", "S") else (x, y)
                handle_x, handle_y = group[-4] + dx, group[-3] + dy
                x, y = group[-2] + dx, group[-1] + dy
                path.append(("C", x1, y1, handle_x, handle_y, x, y))
            elif upper in "QT":
                if upper == "Q":
                    handle_x, handle_y = group[0] + dx, group[1] + dy
                else:
                    handle_x, handle_y = (2 * x - handle_x, 2 * y - handle_y) if previous in ("Q", "T") else (x, y)
                end_x, end_y = group[-2] + dx, group[-1] + dy
                path.append(quadratic(x, y, handle_x, handle_y, end_x, end_y))
                x, y = end_x, end_y
            else:
                rx, ry, turn, large, sweep, end_x, end_y = group
                path += arc(x, y, rx, ry, turn, bool(large), bool(sweep), end_x + dx, end_y + dy)
                x, y = end_x + dx, end_y + dy
            previous = upper
    return path


def quadratic(x0: float, y0: float, cx: float, cy: float, x: float, y: float) -> Segment:
    """The cubic segment equal to the quadratic one from `x0, y0` by the handle `cx, cy` to `x, y`."""
    return ("C", x0 + 2 / 3 * (cx - x0), y0 + 2 / 3 * (cy - y0), x + 2 / 3 * (cx - x), y + 2 / 3 * (cy - y), x, y)


def arc(x0: float, y0: float, rx: float, ry: float, turn: float, large: bool, sweep: bool, x: float, y: float) -> Path:
    """The cubics of an SVG elliptical arc (`turn` in degrees), by the centre form of the SVG specification."""
    if (x0, y0) == (x, y):
        return []
    rx, ry = abs(rx), abs(ry)
    if rx == 0 or ry == 0:
        return [("L", x, y)]
    phi = math.radians(turn)
    cos, sin = math.cos(phi), math.sin(phi)
    mx, my = (x0 - x) / 2, (y0 - y) / 2
    px, py = cos * mx + sin * my, -sin * mx + cos * my
    grow = (px / rx) ** 2 + (py / ry) ** 2
    if grow > 1:
        rx, ry = rx * math.sqrt(grow), ry * math.sqrt(grow)
    spread = (rx * ry) ** 2 - (rx * py) ** 2 - (ry * px) ** 2
    factor = math.sqrt(max(0.0, spread / ((rx * py) ** 2 + (ry * px) ** 2)))
    if large == sweep:
        factor = -factor
    qx, qy = factor * rx * py / ry, -factor * ry * px / rx
    cx, cy = cos * qx - sin * qy + (x0 + x) / 2, sin * qx + cos * qy + (y0 + y) / 2
    start = math.atan2((py - qy) / ry, (px - qx) / rx)
    sweep_by = math.atan2((-py - qy) / ry, (-px - qx) / rx) - start
    if sweep and sweep_by < 0:
        sweep_by += 2 * math.pi
    elif not sweep and sweep_by > 0:
        sweep_by -= 2 * math.pi
    pieces = max(1, math.ceil(abs(sweep_by) / (math.pi / 2) - 1e-9))
    step = sweep_by / pieces
    reach = 4 / 3 * math.tan(step / 4)
    path: Path = []
    for i in range(pieces):
        a, b = start + i * step, start + (i + 1) * step
        points = [
            (math.cos(a) - reach * math.sin(a), math.sin(a) + reach * math.cos(a)),
            (math.cos(b) + reach * math.sin(b), math.sin(b) - reach * math.cos(b)),
            (math.cos(b), math.sin(b)),
        ]
        flat = [v for u, w in points for v in (cos * rx * u - sin * ry * w + cx, sin * rx * u + cos * ry * w + cy)]
        path.append(("C", *flat))
    path[-1] = ("C", *path[-1][1:5], x, y)
    return path


def to_d(path: Iterable[Segment], digits: int = 3) -> str:
    """A path as compact path data, rounded to that many decimals (3: to a micrometre)."""
    parts: list[str] = []
    for segment in path:
        parts.append(segment[0] + " ".join([f"{round(v, digits) + 0.0:.7g}" for v in segment[1:]]))
    return "".join(parts)


def transform(path: Iterable[Segment], m: Matrix) -> Path:
    """The path with every point taken through the matrix."""
    a, b, c, d, e, f = m
    moved: Path = []
    for segment in path:
        flat: list[float] = []
        for i in range(1, len(segment), 2):
            x, y = segment[i], segment[i + 1]
            flat += (a * x + c * y + e, b * x + d * y + f)
        moved.append((segment[0], *flat))
    return moved


def multiply(outer: Matrix, inner: Matrix) -> Matrix:
    """The matrix that does `inner` first and `outer` after it."""
    a, b, c, d, e, f = outer
    g, h, i, j, k, m = inner
    return (a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * m + e, b * k + d * m + f)


_QUARTERS = {0.0: (1.0, 0.0), 90.0: (0.0, 1.0), 180.0: (-1.0, 0.0), 270.0: (0.0, -1.0)}


def placing(x: float = 0.0, y: float = 0.0, turn: float = 0.0, scale: float = 1.0) -> Matrix:
    """Scale, turn clockwise by degrees, and move to `x, y`. Quarter turns are exact."""
    quarter = _QUARTERS.get(turn % 360.0)
    cos, sin = quarter or (math.cos(math.radians(turn)), math.sin(math.radians(turn)))
    return (scale * cos, scale * sin, -scale * sin, scale * cos, x, y)


def bounds(path: Iterable[Segment]) -> tuple[float, float, float, float]:
    """A box `(left, top, right, bottom)` around all points and handles (it may be larger than the curve)."""
    xs: list[float] = []
    ys: list[float] = []
    for segment in path:
        xs += segment[1::2]
        ys += segment[2::2]
    if not xs:
        return (0.0, 0.0, 0.0, 0.0)
    return (min(xs), min(ys), max(xs), max(ys))


# --- shapes ------------------------------------------------------------------------------------------------------


def rect(x: float, y: float, w: float, h: float, r: float = 0.0) -> Path:
    """A rectangle with corner radius `r` (at most half of the shorter side)."""
    r = max(0.0, min(r, w / 2, h / 2))
    if r == 0:
        return [("M", x, y), ("L", x + w, y), ("L", x + w, y + h), ("L", x, y + h), ("Z",)]
    k = r * (1 - KAPPA)
    right, bottom = x + w, y + h
    return [
        ("M", x + r, y),
        ("L", right - r, y),
        ("C", right - k, y, right, y + k, right, y + r),
        ("L", right, bottom - r),
        ("C", right, bottom - k, right - k, bottom, right - r, bottom),
        ("L", x + r, bottom),
        ("C", x + k, bottom, x, bottom - k, x, bottom - r),
        ("L", x, y + r),
        ("C", x, y + k, x + k, y, x + r, y),
        ("Z",),
    ]


def ellipse(cx: float, cy: float, rx: float, ry: float) -> Path:
    """An ellipse of four cubics, clockwise from the right."""
    kx, ky = rx * KAPPA, ry * KAPPA
    return [
        ("M", cx + rx, cy),
        ("C", cx + rx, cy + ky, cx + kx, cy + ry, cx, cy + ry),
        ("C", cx - kx, cy + ry, cx - rx, cy + ky, cx - rx, cy),
        ("C", cx - rx, cy - ky, cx - kx, cy - ry, cx, cy - ry),
        ("C", cx + kx, cy - ry, cx + rx, cy - ky, cx + rx, cy),
        ("Z",),
    ]


def circle(cx: float, cy: float, r: float) -> Path:
    return ellipse(cx, cy, r, r)


def polygon(points: Sequence[Sequence[float]], closed: bool = True) -> Path:
    """Straight lines through the points, closed unless told otherwise."""
    path: Path = [("M" if i == 0 else "L", point[0], point[1]) for i, point in enumerate(points)]
    if closed:
        path.append(("Z",))
    return path


def regular(cx: float, cy: float, r: float, sides: int, turn: float = 0.0, star: float = 0.0) -> Path:
    """A regular polygon whose first corner points up, turned clockwise by degrees; `star`: inner radius / r."""
    points = []
    count = sides * 2 if star else sides
    for i in range(count):
        angle = math.radians(turn - 90) + 2 * math.pi * i / count
        reach = r * star if star and i % 2 else r
        points.append((cx + reach * math.cos(angle), cy + reach * math.sin(angle)))
    return polygon(points)
