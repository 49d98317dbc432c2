"""The cells of a `grid` or of `rows`: equal or weighted parts of a box with gaps between them. Lengths in mm."""

from __future__ import annotations

import math
from typing import Any

from generator.faces.arguments import Args, box, number, numbers
from generator.faces.faults import Fault

CELLS = {"grid": ("box", "columns", "rows", "gap"), "rows": ("box", "weights", "gap")}
"""Drawing key -> the arguments that say where its cells lie."""
MOST = 1000
Cell = tuple[float, float, float, float]


def cells(kind: str, args: Args, count: int) -> list[Cell]:
    """The boxes of at least `count` cells, row by row. Raises Fault where the cells are too few."""
    x, y, w, h = box(args)
    across, down = _gaps(args)
    if kind == "rows":
        columns, rows = [1.0], _weights(args, "weights", count)
    else:
        columns = _weights(args, "columns", 1)
        rows = _weights(args, "rows", math.ceil(count / len(columns)))
    if len(columns) * len(rows) < count:
        key = "weights" if kind == "rows" else "rows"
        raise Fault("LAY-002", f"{count} entries need more than {len(columns) * len(rows)} cells", key=key)
    lines = [(left, wide) for left, wide in _parts(x, w, columns, across)]
    return [(left, top, wide, high) for top, high in _parts(y, h, rows, down) for left, wide in lines]


def _gaps(args: Args) -> tuple[float, float]:
    if isinstance(args.get("gap"), list):
        across, down = numbers(args, "gap", 2)
        return across, down
    gap = number(args, "gap", 0)
    return gap, gap


def _weights(args: Args, key: str, default: int) -> list[float]:
    """A list of weights, or a number of equal parts."""
    value: Any = args.get(key, max(1, default))
    if isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= MOST:
        return [1.0] * value
    if isinstance(value, list) and 1 <= len(value) <= MOST:
        weights = numbers(args, key, len(value))
        if min(weights) > 0:
            return weights
    raise Fault("LAY-002", f"'{key}' must be a whole number, or a list of weights above 0, found {value!r}", key=key)


def _parts(start: float, length: float, weights: list[float], gap: float) -> list[tuple[float, float]]:
    """Start and length of each part. Raises Fault where the gaps leave nothing."""
    free = length - gap * (len(weights) - 1)
    if free < 0:
        raise Fault("LAY-002", f"{len(weights)} cells with gaps of {gap:g} mm do not fit {length:g} mm", key="gap")
    parts: list[tuple[float, float]] = []
    for weight in weights:
        size = free * weight / sum(weights)
        parts.append((start, size))
        start += size + gap
    return parts
