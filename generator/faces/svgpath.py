"""Paths as lists of segments: SVG path data in and out, basic shapes, transformations.

A path is a list of tuples `("M", x, y)`, `("L", x, y)`, `("C", x1, y1, x2, y2, x, y)` and `("Z",)`, all absolute. Every
command of SVG path data is read (by fontTools); quadratic curves and arcs become cubic ones.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

from generator.faces.display import Matrix

Segment = tuple[Any, ...]
"""A command letter and its numbers."""
Path = list[Segment]

KAPPA = 4 / 3 * (math.sqrt(2) - 1)
"""Length of the handles of the cubic that stands for a quarter of a unit circle."""

_COMMAND = re.compile(r"([MmLlHhVvCcSsQqTtAaZz])([^MmLlHhVvCcSsQqTtAaZz]*)")
_NUMBER = re.compile(r"[+-]?(?:(?:0|[1-9]\d*)(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d+)?(?!\d)")
_GAP = r"\s*,?\s*"
_ARC = re.compile(f"{_GAP}({_NUMBER.pattern})" * 3 + f"{_GAP}([01])" * 2 + f"{_GAP}({_NUMBER.pattern})" * 2)
_BLANK = re.compile(r"[\s,]*")
_CLOSE = re.compile(r"[Zz]")
_COUNTS = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "S": 4, "Q": 4, "T": 2, "Z": 0}
_ZEROS = re.compile(r"\.?0+(?=[ MLCZ]|\Z)")
"""Zeros at the end of numbers with decimals."""
_LETTERS = str.maketrans(dict.fromkeys("MLCZ,", " "))
_WRITTEN = re.compile(r"-?\d+\.?\d*(?:e-?\d+)?")
MAX_DATA = 500_000
MOST_PARSED = 1_000
"""So many path data are kept as they were read: parts draw the same ones many times."""
LARGEST = 1_000_000


class PathDataError(ValueError):
    """Path data that cannot be read; the message says where."""


def _check(d: str) -> None:
    """Refuse what is not path data, with the place: fontTools would read past most mistakes."""
    if len(d) > MAX_DATA:
        raise PathDataError(f"path data longer than {MAX_DATA} characters")
    stray = _COMMAND.sub("", d).strip()
    if stray:
        raise PathDataError(f"path data has {stray[:20]!r} where a command letter should be")
    for n, match in enumerate(_COMMAND.finditer(d)):
        command, rest = match.groups()
        if n == 0 and command not in "Mm":
            raise PathDataError(f"path data begins with '{command}', not with a move")
        if command in "Aa":
            _check_arcs(rest, match.start())
        else:
            _check_numbers(command, rest, match.start())


def _check_numbers(command: str, rest: str, at: int) -> None:
    if not _BLANK.fullmatch(_NUMBER.sub(" ", rest)):
        raise PathDataError(f"what follows '{command}' at character {at} is not a list of numbers")
    values = _NUMBER.findall(rest)
    count = _COUNTS[command.upper()]
    if not count:
        if values:
            raise PathDataError(f"'{command}' at character {at} takes no numbers")
        return
    if any(abs(float(v)) > LARGEST for v in values):
        raise PathDataError(f"'{command}' at character {at} has a number beyond {LARGEST:,}")
    if not values or len(values) % count:
        found = len(values) or "none"
        raise PathDataError(f"'{command}' at character {at} takes {count} numbers at a time, found {found}")


def _check_arcs(rest: str, at: int) -> None:
    pos = 0
    while pos == 0 or _BLANK.fullmatch(rest, pos) is None:
        match = _ARC.match(rest, pos)
        if match is None:
            raise PathDataError(f"arc after character {at} needs rx ry turn large sweep x y")
        if any(abs(float(v)) > LARGEST for v in match.groups()):
            raise PathDataError(f"arc after character {at} has a number beyond {LARGEST:,}")
        pos = match.end()


def parse(d: str) -> Path:
    """Read SVG path data. Raises PathDataError for anything that is not path data."""
    return list(_parsed(d))


@lru_cache(MOST_PARSED)
def _parsed(d: str) -> tuple[Segment, ...]:
    _check(d)
    from generator.faces.pens import subpaths

    path: Path = []
    start = (0.0, 0.0)
    parts = _CLOSE.split(" ".join(d.replace(",", " ").split()))
    # Part by part, because fontTools draws a line back to the start before it closes.
    for n, part in enumerate(map(str.strip, parts)):
        if part:
            try:
                drawn = subpaths(part, start)
            except ArithmeticError:
                raise PathDataError("path data has an arc that cannot be drawn") from None
            path += drawn
            start = next(segment[1:] for segment in reversed(drawn) if segment[0] == "M")
        if n < len(parts) - 1:
            path.append(("Z",))
    return tuple(path)


def to_d(path: Iterable[Segment], digits: int = 3) -> str:
    """A path as compact path data, rounded to that many decimals (3: to a micrometre)."""
    forms = _forms(digits)
    d = "".join([forms[segment[0]] % segment[1:] for segment in path])
    if digits == 2:  # thousands of strokes of a brush: the quick way, with zeros at the end
        return d
    nothing = f"{0:.{digits}f}"
    return _ZEROS.sub("", d.replace(f"-{nothing}", nothing))


@lru_cache
def _forms(digits: int) -> dict[str, str]:
    """The format of a whole segment, by its letter."""
    counts = {"M": 2, "L": 2, "C": 6, "Z": 0}
    return {kind: kind + " ".join([f"%.{digits}f"] * count) for kind, count in counts.items()}


def numbers(d: str) -> list[float]:
    """The numbers of path data that `to_d` wrote, in their order."""
    try:
        return list(map(float, d.translate(_LETTERS).split()))
    except ValueError:  # `1-2`: written without spaces
        return [float(word) for word in _WRITTEN.findall(d)]


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


def bounds(path: Path) -> tuple[float, float, float, float]:
    """Left, top, width and height of a path, as its points and control points lie."""
    found = [value for segment in path for value in segment[1:]]
    xs, ys = found[0::2], found[1::2]
    if not xs:
        return 0.0, 0.0, 0.0, 0.0
    return min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys)


def inverse(matrix: Matrix) -> Matrix:
    """The matrix that undoes another one. ZeroDivisionError for one that leaves no area."""
    a, b, c, d, e, f = matrix
    area = a * d - b * c
    return (d / area, -b / area, -c / area, a / area, (c * f - d * e) / area, (b * e - a * f) / area)


_QUARTERS = {0.0: (1.0, 0.0), 90.0: (0.0, 1.0), 180.0: (-1.0, 0.0), 270.0: (0.0, -1.0)}


def placing(x: float = 0.0, y: float = 0.0, turn: float = 0.0, scale: float = 1.0, down: float | None = None) -> Matrix:
    """Scale (downward by `down`, if given), turn clockwise by degrees, and move to `x, y`. Quarter turns are exact."""
    quarter = _QUARTERS.get(turn % 360.0)
    cos, sin = quarter or (math.cos(math.radians(turn)), math.sin(math.radians(turn)))
    tall = scale if down is None else down
    return (scale * cos, scale * sin, -tall * sin, tall * cos, x, y)


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
