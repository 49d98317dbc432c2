from __future__ import annotations

import inspect

import pytest

from generator.ornaments import CLIPPED, ORNAMENTS, arguments
from generator.svgpath import Path, bounds, to_d

BOX = (3.0, 4.0, 57.0, 80.0)
BANDS = {"key-band": (3.0, 4.0, 57.0, 5.0), "clouds": (3.0, 4.0, 57.0, 12.0)}


def drawn(kind: str, **changes: object) -> Path:
    return ORNAMENTS[kind](BANDS.get(kind, BOX), **changes)


@pytest.mark.parametrize("kind", sorted(ORNAMENTS))
def test_same_arguments_same_path(kind: str) -> None:
    path = drawn(kind)
    assert path[0][0] == "M"
    assert to_d(path) == to_d(drawn(kind))


@pytest.mark.parametrize("kind", sorted(set(ORNAMENTS) - CLIPPED))
def test_ornaments_stay_in_their_box(kind: str) -> None:
    x, y, w, h = BANDS.get(kind, BOX)
    left, top, right, bottom = bounds(drawn(kind))
    assert left >= x - 1e-6 and top >= y - 1e-6
    assert right <= x + w + 1e-6 and bottom <= y + h + 1e-6


@pytest.mark.parametrize("kind", ["bricks", "checks", "grid", "ice", "interlocking-t", "meander", "meander-frame"])
def test_ornaments_reach_the_edges_of_their_box(kind: str) -> None:
    """Whole cells are fitted to the box, so nothing is cut off and nothing is left over."""
    x, y, w, h = BOX
    left, top, right, bottom = bounds(drawn(kind))
    assert left - x < 1.0 and top - y < 1.0
    assert x + w - right < 1.0 and y + h - bottom < 1.0


@pytest.mark.parametrize("kind", sorted(kind for kind in ORNAMENTS if "unit" in arguments(kind)))
def test_units_that_make_no_sense_are_refused(kind: str) -> None:
    for unit in (0, -1, 0.001):
        with pytest.raises(ValueError, match="unit"):
            drawn(kind, unit=unit)


@pytest.mark.parametrize("kind", ["ice", "seal"])
def test_another_seed_is_another_drawing(kind: str) -> None:
    assert to_d(drawn(kind, seed=1)) != to_d(drawn(kind, seed=2))


@pytest.mark.parametrize("size", [(57.0, 80.0), (40.0, 40.0), (30.0, 61.0)])
def test_the_frame_of_a_back_looks_the_same_upside_down(size: tuple[float, float]) -> None:
    w, h = size
    path = ORNAMENTS["meander-frame"]((0.0, 0.0, w, h), depth=4.0)
    points = {(round(s[1], 4), round(s[2], 4)) for s in path if s[0] != "Z"}
    assert {(round(w - x, 4), round(h - y, 4)) for x, y in points} == points


@pytest.mark.parametrize("part", ["lines", "eyes"])
def test_the_mask_is_symmetric(part: str) -> None:
    path = ORNAMENTS["taotie"]((0.0, 0.0, 40.0, 30.0), part=part)
    half = len(path) // 2
    for right, left in zip(path[:half], path[half:], strict=True):
        assert right[0] == left[0]
        assert [40 - x for x in right[1::2]] == pytest.approx(list(left[1::2]))
        assert right[2::2] == pytest.approx(left[2::2])


def test_every_ornament_takes_a_box_first_and_is_described() -> None:
    for make in ORNAMENTS.values():
        assert next(iter(inspect.signature(make).parameters)) == "box"
        assert inspect.getdoc(make)
