from __future__ import annotations

import itertools
import math

import pytest
from facekit import bounds

from generator.faces import svgpath
from generator.faces.svgpath import PathDataError, parse, to_d, transform


@pytest.mark.parametrize(
    ("data", "absolute"),
    [
        ("M1 2 3 4", "M1 2L3 4"),
        ("m1 2 3 4 5-6", "M1 2L4 6L9 0"),
        ("M1,2h3v4H0V0z", "M1 2L4 2L4 6L0 6L0 0Z"),
        ("M0 0c1 0 2 1 2 2s1 2 2 2", "M0 0C1 0 2 1 2 2C2 3 3 4 4 4"),
        ("M0 0S1 1 2 2", "M0 0C0 0 1 1 2 2"),
        ("M0 0Q3 0 3 3T6 6", "M0 0C2 0 3 1 3 3C3 5 4 6 6 6"),
        ("M1.5.5L-.5-.5", "M1.5 0.5L-0.5 -0.5"),
        ("M1e1 2E-1", "M10 0.2"),
        ("M5 5l1 1zl2 0", "M5 5L6 6ZM5 5L7 5"),
        ("M5 5l1 1zm2 0l1 0", "M5 5L6 6ZM7 5L8 5"),
        ("M5 5\n l1,1 0 0Z z", "M5 5L6 6L6 6ZZ"),
        ("M0 0A5 5\n0 0 1\t6 0Z", "M0 0C1.778 -1.333 4.222 -1.333 6 0Z"),
        ("M0 0A5 5 0 0 1 0 0", "M0 0"),
        ("M0 0A0 5 0 0 1 4 0", "M0 0L4 0"),
        ("", ""),
    ],
)
def test_every_command_becomes_absolute(data: str, absolute: str) -> None:
    assert to_d(parse(data)) == absolute


@pytest.mark.parametrize(("data", "large", "sweep"), [("00", 0, 0), ("01", 0, 1), ("10", 1, 0), ("11", 1, 1)])
def test_arcs_lie_on_their_circle(data: str, large: int, sweep: int) -> None:
    """The flags may be written without space; all points keep the radius; the way round is the asked one."""
    path = parse(f"M0 0a5 5 0 {data}6 2")
    assert path[-1][-2:] == (6.0, 2.0)
    points = [(0.0, 0.0)]
    for segment in path[1:]:
        start = points[-1]
        c1, c2, end = (segment[1:3], segment[3:5], segment[5:7])
        for t in (0.25, 0.5, 0.75, 1.0):
            points.append(
                tuple(  # type: ignore[arg-type]
                    (1 - t) ** 3 * a + 3 * t * (1 - t) ** 2 * b + 3 * t * t * (1 - t) * c + t**3 * d
                    for a, b, c, d in zip(start, c1, c2, end, strict=True)
                )
            )
    chord = math.hypot(6, 2)
    rise = math.sqrt(25 - (chord / 2) ** 2)
    side = 1 if large != sweep else -1
    centre = (3 - side * rise * 2 / chord, 1 + side * rise * 6 / chord)
    for x, y in points:
        assert math.hypot(x - centre[0], y - centre[1]) == pytest.approx(5, abs=0.005)
    length = sum(math.dist(a, b) for a, b in itertools.pairwise(points))
    assert (length > math.pi * 5) == bool(large)


def test_an_arc_too_small_for_its_ends_grows() -> None:
    left, top, right, bottom = bounds(parse("M0 0A1 1 0 0 1 10 0"))
    assert (left, right) == pytest.approx((0, 10))
    assert (top, bottom) == pytest.approx((-5, 0))


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ("L1 2", "not with a move"),
        ("M1", "2 numbers"),
        ("M1 2 L3 4 5", "2 numbers"),
        ("M0 0A5 5 0 2 1 3 3", "rx ry turn large sweep"),
        ("#M0 0", "command letter"),
        ("M0 0 X", "not a list of numbers"),
        ("M0 0L1 #2", "not a list of numbers"),
        ("M0 0Z5", "'Z' at character 4 takes no numbers"),
        ("M0 0L007 1", "'L' at character 4 is not a list of numbers"),
        ("M0 0A5 5 0 0 1", "arc after character 4"),
        ("M0 0L1 2000000", "beyond 1,000,000"),
        ("M0 0" + "L1 1" * 200_000, "longer than"),
    ],
)
def test_bad_path_data_is_refused_in_words(data: str, said: str) -> None:
    with pytest.raises(PathDataError, match=said):
        parse(data)


def test_quarter_turns_are_exact() -> None:
    assert transform([("M", 1.0, 0.0)], svgpath.placing(5, 6, 90)) == [("M", 5.0, 7.0)]
    assert svgpath.placing(turn=-90) == svgpath.placing(turn=270)


def test_multiply_does_the_inner_first() -> None:
    outer, inner = svgpath.placing(10, 0, 90), svgpath.placing(1, 0, 0, 2)
    point = [("M", 1.0, 1.0)]
    assert transform(point, svgpath.multiply(outer, inner)) == transform(transform(point, inner), outer)


@pytest.mark.parametrize("r", [0, 2, 99])
def test_rounded_rectangles_keep_their_size(r: float) -> None:
    assert bounds(svgpath.rect(1, 2, 10, 6, r)) == (1, 2, 11, 8)


def test_regular_points_up_and_turns_clockwise() -> None:
    square = svgpath.regular(0, 0, 10, 4)
    assert square[0][1:] == pytest.approx((0, -10))
    assert svgpath.regular(0, 0, 10, 4, 90)[0][1:] == pytest.approx((10, 0))
    assert len(svgpath.regular(0, 0, 10, 5, star=0.5)) == 11
