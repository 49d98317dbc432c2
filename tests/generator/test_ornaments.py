from __future__ import annotations

import inspect
import math

import pytest
from facekit import bounds

from generator.faces.ornaments import CLIPPED, ORNAMENTS, STRAYING, arguments
from generator.faces.svgpath import Path, to_d

BOX = (3.0, 4.0, 57.0, 80.0)
BANDS = {
    "cloud": (3.0, 4.0, 57.0, 12.0),
    "key-band": (3.0, 4.0, 57.0, 5.0),
    "clouds": (3.0, 4.0, 57.0, 12.0),
    "cut-line": (3.0, 4.0, 57.0, 2.0),
}


def drawn(kind: str, **changes: object) -> Path:
    return ORNAMENTS[kind](BANDS.get(kind, BOX), **changes)


@pytest.mark.parametrize("kind", sorted(ORNAMENTS))
def test_same_arguments_same_path(kind: str) -> None:
    path = drawn(kind)
    assert path[0][0] == "M"
    assert to_d(path) == to_d(drawn(kind))


@pytest.mark.parametrize("kind", sorted(set(ORNAMENTS) - CLIPPED - STRAYING))
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


@pytest.mark.parametrize("kind", sorted(STRAYING))
def test_a_brush_strays_only_a_little(kind: str) -> None:
    x, y, w, h = BOX
    left, top, right, bottom = bounds(drawn(kind))
    assert left >= x - 0.6 * w and top >= y - 0.35 * h and right <= x + 1.6 * w and bottom <= y + 1.15 * h


@pytest.mark.parametrize(
    "kind", ["cut-line", "furrows", "gouges", "grove", "ice", "seal", "terraces", *sorted(STRAYING)]
)
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


LANDS = {
    "grove": ("crowns", "firs", "trunks", "cuts"),
    "terraces": ("top", "bench", "floor", "risers", "joints", "picks", "stairs", "treads"),
}


def outlines(path: Path) -> list[list[tuple[float, float]]]:
    """The points of each closed outline of a path, those that steer its curves too."""
    found: list[list[tuple[float, float]]] = []
    for name, *numbers in path:
        if name == "M":
            found.append([])
        found[-1] += zip(numbers[::2], numbers[1::2], strict=True)
    return found


def over_an_edge(kind: str, part: str, seed: int, side: int) -> set[tuple[float, ...]]:
    """Where outlines reach over one edge of a cell of 40 mm, as (left and right end along that edge)."""
    found = set()
    for points in outlines(ORNAMENTS[kind]((-24.0, -24.0, 48.0, 48.0), cell=40, seed=seed, part=part)):
        turned = [((x, y), (y, -x), (-x, -y), (-y, x))[side] for x, y in points]
        along = [x for x, y in turned if y > 20.3]
        if along and max(abs(x) for x, _ in turned) < 20:
            found.add((round(min(along), 2), round(max(along), 2)))
    return found


@pytest.mark.parametrize(("kind", "part"), [("grove", "crowns"), ("terraces", "joints")])
def test_lands_go_on_over_every_edge_at_the_same_places(kind: str, part: str) -> None:
    """So two of them join, whatever their seeds, whichever way they are turned: the places are their own mirror."""
    first = over_an_edge(kind, part, 1, 0)
    assert len(first) >= 4
    assert {(-b, -a) for a, b in first} == first
    for seed in (2, 3):
        for side in range(4):
            assert over_an_edge(kind, part, seed, side) == first


@pytest.mark.parametrize(("kind", "part"), [(kind, part) for kind, parts in LANDS.items() for part in parts])
def test_each_part_of_a_land_is_there_and_leaves_its_middle_alone(kind: str, part: str) -> None:
    path = ORNAMENTS[kind]((0.0, 0.0, 45.0, 45.0), seed=4, clear=7.0, part=part)
    assert path
    if part not in ("top", "bench", "floor"):
        points = [spot for outline in outlines(path) for spot in outline]
        assert min((x - 22.5) ** 2 + (y - 22.5) ** 2 for x, y in points) > 5.5**2


def test_trees_do_not_grow_through_each_other() -> None:
    path = ORNAMENTS["grove"]((0.0, 0.0, 45.0, 45.0), seed=8, firs=0, part="crowns")
    crowns = [bounds_of(outline) for outline in outlines(path)]
    assert len(crowns) > 24
    for i, (ax, ay, ar) in enumerate(crowns):
        for bx, by, br in crowns[:i]:
            assert ((ax - bx) ** 2 + (ay - by) ** 2) ** 0.5 > 0.8 * (ar + br)


def bounds_of(outline: list[tuple[float, float]]) -> tuple[float, float, float]:
    """Middle and half width of an outline."""
    xs, ys = zip(*outline, strict=True)
    return (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2, (max(xs) - min(xs)) / 2


def test_furrows_are_thin_where_something_will_lie() -> None:
    """Widths are measured across the lines, which run level."""

    def widest(path: Path, inside: bool) -> float:
        found = 0.0
        for points in outlines(path):
            for (x, top), (_, low) in zip(points[: len(points) // 2], points[: len(points) // 2 - 1 : -1], strict=True):
                if (math.hypot(x - 20, (top + low) / 2 - 20) < 5) == inside:
                    found = max(found, abs(low - top))
        return found

    path = ORNAMENTS["furrows"]((0.0, 0.0, 40.0, 40.0), clear=9, thick=0.8)
    assert widest(path, inside=True) < 0.55 * widest(path, inside=False)


@pytest.mark.parametrize(
    ("kind", "changes"),
    [
        ("grove", {"part": "leaves"}),
        ("grove", {"cell": 90}),
        ("grove", {"size": 0.1}),
        ("terraces", {"part": "lift"}),
        ("terraces", {"clear": 30}),
        ("cut-line", {"thick": 3}),
        ("furrows", {"gap": 0}),
        ("gouges", {"long": 0}),
        ("gouges", {"gap": 0.001}),
    ],
)
def test_woodcuts_refuse_what_makes_no_sense(kind: str, changes: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"must be|are too many"):
        drawn(kind, **changes)


def test_every_ornament_takes_a_box_first_and_is_described() -> None:
    for make in ORNAMENTS.values():
        assert next(iter(inspect.signature(make).parameters)) == "box"
        assert inspect.getdoc(make)


@pytest.mark.parametrize("hand", ["brush", "chisel", "gouge", "brick", "ribbon"])
def test_five_hands_write_every_sign_within_the_box(hand: str) -> None:
    x, y, w, h = BOX
    for text in ("0123456789+-", "ABCDEFGHIJKLM", "NOPQRSTUVWXYZ"):
        left, top, right, bottom = bounds(ORNAMENTS["lettering"](BOX, text=text, hand=hand))
        assert left >= x - 3 and right <= x + w + 3 and top >= y - 3 and bottom <= y + h + 3
    with pytest.raises(ValueError, match="strokes"):
        ORNAMENTS["lettering"](BOX, text="?", hand=hand)
    with pytest.raises(ValueError, match="hand"):
        ORNAMENTS["lettering"](BOX, text="A", hand="pen")
