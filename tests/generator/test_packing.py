"""Packing: how many pieces lie in a rectangle, and that none touches another or the edge."""

from __future__ import annotations

import math
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.sheets.packing import Packing, discs, fits, grid, hexes


def test_a_row_holds_a_piece_that_fits_exactly() -> None:
    assert fits(63, 63, 6) == 1
    assert fits(62.9, 63, 6) == 0
    assert fits(3 * 63, 63, 0) == 3
    assert fits(3 * 63 + 12, 63, 6) == 3


@pytest.mark.parametrize(
    ("space", "d", "gap", "least"),
    [
        ((198.6, 281.2), 20, 3, 108),  # the square grid holds 8 x 12 = 96
        ((100, 100), 20, 0, 25),  # 5 x 5: staggering gains nothing here
        ((20, 20), 20, 3, 1),
        ((19, 100), 20, 3, 0),
    ],
)
def test_discs_take_the_packing_that_holds_most(space: tuple[float, float], d: float, gap: float, least: int) -> None:
    packed = discs(space, d, gap)
    assert len(packed.slots) >= least
    assert len(packed.slots) >= len(grid(space, d, d, gap).slots)


def test_with_equal_numbers_discs_lie_in_a_square_grid() -> None:
    assert discs((43, 43), 20, 3) == grid((43, 43), 20, 20, 3)


def test_slots_run_in_rows_from_the_top() -> None:
    packed = discs((100, 300), 20, 3)
    assert list(packed.slots) == sorted(packed.slots, key=lambda slot: (slot[1], slot[0]))


def inside(packed: Packing, space: tuple[float, float]) -> bool:
    return all(
        x >= -1e-6 and y >= -1e-6 and x + packed.w <= space[0] + 1e-5 and y + packed.h <= space[1] + 1e-5
        for x, y in packed.slots
    )


spaces = st.tuples(st.floats(5, 320), st.floats(5, 320))


@settings(max_examples=60, deadline=None)
@given(spaces, st.floats(15, 60), st.floats(0, 6))
def test_discs_never_come_closer_than_the_gap(space: tuple[float, float], d: float, gap: float) -> None:
    packed = discs(space, d, gap)
    assert inside(packed, space)
    for (ax, ay), (bx, by) in combinations(packed.slots, 2):
        assert math.hypot(ax - bx, ay - by) >= d + gap - 1e-6


@settings(max_examples=60, deadline=None)
@given(spaces, st.floats(20, 90), st.floats(20, 90), st.floats(0, 6))
def test_a_grid_keeps_its_pieces_apart(space: tuple[float, float], w: float, h: float, gap: float) -> None:
    packed = grid(space, w, h, gap)
    assert inside(packed, space)
    for (ax, ay), (bx, by) in combinations(packed.slots, 2):
        assert abs(ax - bx) >= w + gap - 1e-6 or abs(ay - by) >= h + gap - 1e-6


@settings(max_examples=40, deadline=None)
@given(spaces, st.floats(20, 60), st.floats(0, 6))
def test_hexes_form_a_honeycomb(space: tuple[float, float], w: float, gap: float) -> None:
    packed = hexes(space, w, w * 2 / math.sqrt(3), gap)
    assert inside(packed, space)
    for (ax, ay), (bx, by) in combinations(packed.slots, 2):
        assert math.hypot(ax - bx, ay - by) >= w + gap - 1e-6
