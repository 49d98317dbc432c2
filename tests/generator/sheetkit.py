"""What tests of sheets share: where a back must land, whether boxes overlap."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest

from generator.faces.display import PathOp
from generator.sheets.sheets import Backs, Box, Placement, Sheet

TOLERANCE = 0.01


def behind(sheet: Sheet, spot: tuple[float, float], backs: Backs) -> tuple[float, float]:
    """Where a point of a front page lies on its back page, worked out from how the paper is turned over."""
    x, y = spot
    upright_axis = (backs == "long") == (sheet.h >= sheet.w)
    return (sheet.w - x, y) if upright_axis else (x, sheet.h - y)


def corner(placed: Placement, u: float, v: float) -> tuple[float, float]:
    """Where the point `u`, `v` (parts of the face's width and height, from its upper left) lies on the sheet."""
    x, y = u - 0.5, v - 0.5
    w, h = (placed.w, placed.h) if placed.turn % 180 == 0 else (placed.h, placed.w)
    angle = math.radians(placed.turn)
    dx = x * w * math.cos(angle) - y * h * math.sin(angle)
    dy = x * w * math.sin(angle) + y * h * math.cos(angle)
    return placed.x + placed.w / 2 + dx, placed.y + placed.h / 2 + dy


def assert_lands(
    front: Placement, back: Placement, turned: Callable[[tuple[float, float]], tuple[float, float]]
) -> None:
    """The upper left corner of the back lies behind the upper right of the front, and so on round the piece: what one
    sees on turning the piece over like a page is the back, upright."""
    assert back.face == front.face.replace("front", "back")
    for u, v in ((0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (1.0, 1.0)):
        assert turned(corner(front, u, v)) == pytest.approx(corner(back, 1 - u, v), abs=TOLERANCE)


def fold_of(sheet: Sheet) -> tuple[float, ...]:
    """The ends of the dashed line along which a sheet is folded."""
    (line,) = [op for op in sheet.marks if isinstance(op, PathOp) and op.dash]
    return tuple(float(word) for word in line.d.replace("M", " ").replace("L", " ").split())


def assert_folds(sheet: Sheet) -> None:
    """Every back of a gutterfold sheet lands behind its front when the sheet is folded, and none crosses the fold."""
    x1, y1, x2, _ = fold_of(sheet)
    fronts = [placed for placed in sheet.placements if not placed.reverse]
    backs = [placed for placed in sheet.placements if placed.reverse]

    def folded(spot: tuple[float, float]) -> Any:
        return (2 * x1 - spot[0], spot[1]) if x1 == x2 else (spot[0], 2 * y1 - spot[1])

    for ours, theirs in zip(fronts, backs, strict=True):
        assert_lands(ours, theirs, folded)
        if x1 == x2:
            assert ours.seen.right - TOLERANCE <= x1 <= theirs.seen.x + TOLERANCE
        else:
            assert ours.seen.bottom - TOLERANCE <= y1 <= theirs.seen.y + TOLERANCE


def overlap(a: Box, b: Box) -> bool:
    return min(a.right, b.right) - max(a.x, b.x) > 1e-6 and min(a.bottom, b.bottom) - max(a.y, b.y) > 1e-6
