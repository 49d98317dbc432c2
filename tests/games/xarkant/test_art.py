"""The faces of Xarkant as a player judges them: land that joins and can be counted, colours told apart without colour,
places large enough for what lies on them."""

from __future__ import annotations

from functools import cache
from itertools import combinations, pairwise, product

import pytest
from PIL import Image

from components.model import ResolvedPiece
from components.resolve import resolve_game
from generator.faces.display import DisplayList, PathOp
from tests.generator import artkit
from tests.generator.artkit import INKS, art, difference, drawn, extent, words
from tests.generator.facekit import shipped

XARKANT = art("xarkant")
QUADRANTS = {"nw": (0, 0), "ne": (45, 0), "sw": (0, 45), "se": (45, 45)}
"""Top left corner of each quadrant on a tile, in mm."""
COLOURS = ("red", "blue", "white", "black")


# --- the land ----------------------------------------------------------------------------------------------------

DPI = 127.0
MM = DPI / 25.4


@cache
def tile(name: str, ink: str) -> Image.Image:
    """A tile in grey, 5 pixels to the mm."""
    return XARKANT.front_picture(f"landscape/{name}", ink, DPI).convert("L")


def cut_out(image: Image.Image, x: float, y: float, w: float, h: float) -> Image.Image:
    """A part of a picture, in mm."""
    return image.crop((round(x * MM), round(y * MM), round((x + w) * MM), round((y + h) * MM)))


def tiles() -> list[ResolvedPiece]:
    return XARKANT.of_set("landscape")


def quadrants(terrain: str, ink: str) -> list[Image.Image]:
    """The quadrants of that terrain, without the boundaries round them and the place of a star."""
    return [
        cut_out(tile(p.id, ink), x + 3, y + 3, 39, 39)
        for p in tiles()
        for name, (x, y) in QUADRANTS.items()
        if p.fields[name] == terrain and p.fields["star"] != name
    ]


def dark(image: Image.Image, below: int = 110) -> float:
    """Share of dark pixels."""
    pixels = image.tobytes()
    return sum(value < below for value in pixels) / len(pixels)


@pytest.mark.parametrize("ink", INKS)
def test_kinds_of_land_are_told_apart_in_grey(ink: str) -> None:
    """Not by how dark they are as a whole, but quadrant by quadrant, each in the way it is cut."""
    for one, other in combinations("FWQ", 2):
        for a, b in product(quadrants(one, ink)[::2], quadrants(other, ink)[::2]):
            assert difference(a, b) > 20, f"a quadrant {one} and a quadrant {other} look alike in grey ({ink})"


def test_no_two_quadrants_are_alike() -> None:
    for terrain in "FWQ":
        for one, other in combinations(quadrants(terrain, "normal"), 2):
            assert difference(one, other) > 3, f"two quadrants of {terrain} are the same"


@pytest.mark.parametrize("ink", INKS)
def test_the_middle_of_a_quadrant_is_calm(ink: str) -> None:
    """A piece that lies there is seen: fewer lines than in the quadrant as a whole. Furrows run on, but thin."""
    for p in tiles():
        for name, (x, y) in QUADRANTS.items():
            if p.fields["star"] != name and p.fields[name] != "F":
                whole = dark(cut_out(tile(p.id, ink), x + 3, y + 3, 39, 39))
                assert dark(cut_out(tile(p.id, ink), x + 15.5, y + 15.5, 14, 14)) < 0.75 * whole, f"{p.id} {name}"


def over_edge(name: str, side: int) -> Image.Image:
    """The half millimetre inside one side of a tile, as if it were its north side."""
    return cut_out(tile(name, "normal").rotate(90 * side), 0, 0, 90, 0.4)


def test_forests_and_quarries_go_on_over_the_edge_wherever_they_meet() -> None:
    """What stands on an edge stands there on every tile, however it is turned: edges are alike and their own mirror."""
    sides = [("nw", "ne"), ("ne", "se"), ("se", "sw"), ("sw", "nw")]
    for terrain in "WQ":
        edges = []
        for p in tiles():
            for side, ends in enumerate(sides):
                for half, name in enumerate(ends):
                    if p.fields[name] == terrain:
                        edges.append(cut_out(over_edge(p.id, side), 4 if half == 0 else 49, 0, 37, 0.4))
        assert len(edges) > 20
        for edge in edges[1:]:
            assert difference(edge, edges[0]) < 14, terrain
            assert difference(edge, edges[0].transpose(Image.Transpose.FLIP_LEFT_RIGHT)) < 14, terrain


@pytest.mark.parametrize("ink", INKS)
def test_a_bold_line_divides_unlike_quadrants_and_none_divides_like_ones(ink: str) -> None:
    for p in tiles():
        for one, other, box in (
            ("nw", "ne", (44, 6, 2, 32)),
            ("sw", "se", (44, 52, 2, 32)),
            ("nw", "sw", (6, 44, 32, 2)),
            ("ne", "se", (52, 44, 32, 2)),
        ):
            strip = cut_out(tile(p.id, ink), *box)
            upright = box[2] < box[3]
            lines = [
                strip.crop((0, i, strip.width, i + 1) if upright else (i, 0, i + 1, strip.height)) for i in range(160)
            ]
            crossed = sum(min(line.tobytes()) < 80 for line in lines) / len(lines)
            if p.fields[one] == p.fields[other]:
                assert crossed < 0.85, f"{p.id}: {one} and {other} are the same, but look divided"
            else:
                assert crossed > 0.98, f"{p.id}: no line between {one} and {other}"


@pytest.mark.parametrize("ink", INKS)
def test_the_star_is_on_its_quadrant_only(ink: str) -> None:
    colour = XARKANT.maker(ink).kit.colour("star")
    for p in tiles():
        stars = [
            extent(op, m) for op, m, _ in drawn(XARKANT.front(p, ink)) if isinstance(op, PathOp) and op.fill == colour
        ]
        assert len(stars) == 1, p.id
        left, top, wide, high = stars[0]
        x, y = QUADRANTS[p.fields["star"]]
        assert (left + wide / 2, top + high / 2) == pytest.approx((x + 22.5, y + 22.5), abs=0.1)
        assert wide > 14, "seen from across the table"


def test_a_tile_names_itself_and_nothing_else() -> None:
    for p in tiles():
        assert words(XARKANT.front(p, "normal")) == p.id


@pytest.mark.parametrize("ink", INKS)
def test_the_backs_of_the_land_are_alike_in_all_turns(ink: str) -> None:
    artkit.assert_one_back(XARKANT, "landscape", ink)
    back = XARKANT.picture(XARKANT.back("landscape/T01", ink), ink, DPI)
    for turn in (Image.Transpose.ROTATE_90, Image.Transpose.ROTATE_180):
        assert difference(back, back.transpose(turn)) < 1.5, f"the back shows which way a tile lies ({turn.name})"


def test_the_frame_names_each_column_and_row_to_both_ends_of_the_table() -> None:
    for p in XARKANT.of_set("frame"):
        face = XARKANT.front(p, "normal")
        printed = [(op.text, round(m[0]), round(m[1])) for op, m in artkit.texts(face)]
        for mark in p.fields["marks"]:
            turns = [(cos, sin) for text, cos, sin in printed if text == mark]
            assert len(turns) == 2 and turns[0] == (-turns[1][0], -turns[1][1]), f"{p.id}: {mark}"
            assert (turns[0][0] == 0) == (p.id in ("west", "east"))


# --- the four colours --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ink", INKS)
@pytest.mark.parametrize("kind", ["workshop", "church", "disc", "disc-card", "player-board"])
def test_colours_are_told_apart_without_colour(kind: str, ink: str) -> None:
    fronts = {c: XARKANT.front_picture(f"{kind}/{c}", ink, 60.0) for c in COLOURS}
    if kind == "player-board":
        fronts = {c: image.crop((22, 22, 238, 54)) for c, image in fronts.items()}
    for one, other in combinations(COLOURS, 2):
        assert difference(fronts[one], fronts[other]) > 12, f"{kind}: {one} and {other} are alike in grey ({ink})"


def test_each_colour_has_a_pattern_and_an_animal_of_its_own() -> None:
    seats = XARKANT.maker("normal").look.theme.seats
    assert list(seats) == XARKANT.game.seats == list(COLOURS)
    for what in ([seat.pattern for seat in seats.values()], [seat.emblem for seat in seats.values()]):
        assert len(set(what)) == len(COLOURS)


@pytest.mark.parametrize("ink", INKS)
@pytest.mark.parametrize("colour", COLOURS)
def test_work_and_claim_are_told_apart_and_show_the_same_colour(colour: str, ink: str) -> None:
    name = f"disc/{colour}"
    work, claim = XARKANT.front(XARKANT.piece(name), ink), XARKANT.back(name, ink)
    assert difference(*(XARKANT.picture(face, ink, 100.0) for face in (work, claim))) > 25, (
        f"both sides of a disc look alike ({ink})"
    )
    grounds = [{op.fill for op in face.ops if isinstance(op, PathOp)} for face in (work, claim)]
    assert all(XARKANT.maker(ink).kit.colour(f"{colour}-body") in fills for fills in grounds)


@pytest.mark.parametrize("ink", INKS)
def test_disc_cards_have_one_back(ink: str) -> None:
    artkit.assert_one_back(XARKANT, "disc-card", ink)
    artkit.assert_same_upside_down(XARKANT, "disc-card/red", ink)


@pytest.mark.parametrize("ink", INKS)
def test_resources_are_told_apart_in_grey(ink: str) -> None:
    shown = {kind: XARKANT.front_picture(f"resource/{kind}", ink, 127.0) for kind in ("wheat", "wood", "stone")}
    for one, other in combinations(shown, 2):
        assert difference(shown[one], shown[other]) > 20, f"{one} and {other} ({ink})"


def test_nobody_mixes_these_backs_up_with_those_of_other_games() -> None:
    ours = [(XARKANT, "disc-card/red"), (XARKANT, "landscape/T01")]
    theirs = [(art("warring-states"), n) for n in ("event/plague", "resource/mine", "battle/infantry", "state/qin")]
    theirs += [(art("dynasties"), n) for n in ("action-white/6", "action-black/6", "tile/a")]
    pictures = [
        [game.picture(game.back(n, "normal"), "normal", 40.0).resize((80, 120)) for game, n in side]
        for side in (ours, theirs)
    ]
    assert min(difference(one, other) for one, other in product(*pictures)) > 12


# --- places on boards --------------------------------------------------------------------------------------------


def places(face: DisplayList, w: float, h: float, more: float = 1.8) -> int:
    """How many framed shapes of at least that size, and no more than `more` mm larger, there are on a face."""
    found = set()
    for op, matrix, _ in drawn(face):
        if isinstance(op, PathOp) and op.fill and op.stroke:
            x, y, wide, high = extent(op, matrix)
            if w <= wide <= w + more and h <= high <= h + more:
                found.add((round(x, 1), round(y, 1)))
    return len(found)


def stands(face: DisplayList, kind: str, w: float, h: float) -> int:
    """How many places of a kind there are on a face, each as large as its piece."""
    found = [place for name, place in face.anchors.items() if name.startswith(f"{kind}.")]
    assert all((place.w, place.h) == (w, h) for place in found)
    return len(found)


def board(name: str, **sets: object) -> DisplayList:
    played = resolve_game("xarkant", sets=sets) if sets else XARKANT.game
    maker = shipped("xarkant").faces(played) if sets else XARKANT.maker("normal")
    return maker.front(artkit.find(played, name))


def test_places_are_as_large_as_what_lies_on_them_and_2_mm_more() -> None:
    size = {name: (form.w, form.h) for name, form in XARKANT.maker("normal").formats.items()}
    house, token = (tuple(v + 2 for v in size[name]) for name in ("house15x18", "token15"))
    state, churches, player = (
        board(n) for n in ("state-board/state-board", "church-board/church-board", "player-board/red")
    )
    assert places(state, *house) == 8
    assert places(state, size["tile40"][0] + 2, size["tile40"][1] + 2) == XARKANT.game.params["villages"] == 6
    assert sum(stands(churches, kind, *size["church15x24"]) for kind in ("wheat", "wood", "stone")) == 15
    assert stands(player, "workshop", *size["house15x18"]) == 5
    assert stands(player, "church", *size["church15x24"]) == 5
    assert places(player, *token) == 5
    assert places(player, size["chit14"][0] + 1.6, size["chit14"][1] + 1.6, 0.4) == 18
    assert places(player, size["token25"][0] + 1, size["token25"][1] + 1) == 3


def test_the_outline_in_a_village_is_as_large_as_a_church() -> None:
    face = XARKANT.front(XARKANT.piece("village/village"), "normal")
    outlines = [extent(op, m) for op, m, _ in drawn(face) if isinstance(op, PathOp) and op.dash and op.fill]
    (_, _, wide, high), *others = outlines
    assert not others
    assert 11 < wide <= 15 and 19 < high <= 24


def test_boards_follow_the_figures_of_the_rules() -> None:
    player = board("player-board/red", **{"storage.capacity.wood": 9, "workshops_per_player": 7, "popularity.max": 6})
    assert places(player, 15.6, 15.6, 0.4) == 21
    assert stands(player, "workshop", 15, 18) == 7
    assert places(player, 17, 17) == 6
    church = board("church-board/church-board", **{"church_board.slots_per_track": {2: 2, 3: 5, 4: 6}})
    assert sum(stands(church, kind, 15, 24) for kind in ("wheat", "wood", "stone")) == 18
    assert words(church).count("3+") == 9
    state = board("state-board/state-board", **{"village.cost": {"stone": 4}, "workshop.state.popularity": 5})
    assert "+5" in words(state)
    assert [words(state).split().count(mark) for mark in ("all", "3+")] == [4, 2]
    few = board("state-board/state-board", **{"state.workshop_slots_per_player": 1, "villages": 9})
    assert [words(few).split().count(mark) for mark in ("all", "3+")] == [2, 1]
    assert places(few, 42, 42) == 9


@pytest.mark.parametrize("villages", [2, 6, 12])
def test_village_spots_overlap_evenly_and_the_bare_one_is_the_last_to_be_seen(villages: int) -> None:
    face = board("state-board/state-board", villages=villages)
    spots = [
        (extent(op, m), op.fill)
        for op, m, _ in drawn(face)
        if isinstance(op, PathOp) and op.fill and op.stroke and all(42 < side < 44 for side in extent(op, m)[2:])
    ]
    lefts = [x for (x, *_), _ in spots]
    assert lefts == sorted(lefts) and lefts[0] > 5 and lefts[-1] + 43 < 210 - 5
    steps = [b - a for a, b in pairwise(lefts)]
    assert max(steps) - min(steps) < 0.01 and min(steps) > 12
    earth, meadow = (XARKANT.maker("normal").kit.colour(name) for name in ("earth", "forest-ground"))
    assert [fill for _, fill in spots] == [earth] + [meadow] * (villages - 1)


def test_start_popularity_is_marked() -> None:
    colour = XARKANT.maker("normal").kit.colour("madder-light")
    for start in (3, 1):
        face = board("player-board/red", **{"popularity.start": start})
        rings = [
            extent(op, m) for op, m, _ in drawn(face) if isinstance(op, PathOp) and op.fill == colour and "C" in op.d
        ]
        assert sum(17 < w < 18 and abs(w - h) < 0.1 for _, _, w, h in rings) == start


# --- house rules, variants ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "sets",
    [
        {"workshops_per_player": 8, "churches_per_player": 8, "popularity.max": 9, "popularity.tokens_per_player": 9},
        {"storage.capacity": {"wheat": 12, "wood": 12, "stone": 12}, "villages": 12, "discs_per_player": 8},
        {"workshops_per_player": 1, "churches_per_player": 0, "villages": 0, "end.no_villages": False},
        {
            "workshop.cost": {"wheat": 6, "wood": 6, "stone": 6},
            "church.cost": {},
            "village.cost": {"wood": 6, "stone": 6},
        },
        {"state.workshop_extra": [{"wheat": 1, "wood": 2, "stone": 3}] * 12, "state.workshop_slots_per_player": 3},
        {"state.workshop_extra": [{"wheat": 6, "stone": 6}] * 10, "villages": 1},
        {"state.workshop_extra": [], "villages": 9, "end.no_villages": False},
        {"state.workshop_extra": [{}, {"stone": 6}], "state.workshop_slots_per_player": 0},
        {"collect.popularity_bonus": {1: 1, 2: 2, 3: 3, 4: 4, 5: 5}, "overflow.popularity": 5, "end.idle_rounds": 9},
        {"collect.popularity_bonus": {}, "overflow.popularity": 0, "draw.count": 8, "drawer.passes": "each_round"},
        {
            "church_board.slots_per_track": {2: 7, 3: 7, 4: 7},
            "vp.church_track_per_resource": 9,
            "score.pieces_on": "land",
        },
        {"grid.rows": 1, "grid.cols": 2, "trade.max_cubes": 12, "workshop.state.popularity": 0, "tiles": 3},
    ],
    ids=lambda sets: ", ".join(sets),
)
def test_house_rules_with_other_numbers_still_fit(sets: dict[str, object]) -> None:
    changed = ("aid", "state-board", "church-board", "player-board", "frame", "landscape")
    artkit.assert_all_is_drawn(resolve_game("xarkant", sets=sets), sets=changed)


@pytest.mark.parametrize("variant", sorted(XARKANT.game.variant_names))
def test_every_variant_is_drawn(variant: str) -> None:
    artkit.assert_all_is_drawn(resolve_game("xarkant", variants=[variant]), "low")
