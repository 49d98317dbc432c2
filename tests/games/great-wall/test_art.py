"""The cards of The Great Wall as a player judges them: spots large enough for what lies there, clans and hordes told
apart without colour, backs that mark no card, figures printed from the data."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest
from PIL import Image

from components.resolve import resolve_game
from generator.faces.display import DisplayList
from generator.faces.quotes import typographic
from generator.paper.formats import load_formats
from tests.generator import artkit
from tests.generator.artkit import INKS, art, difference, words
from tests.generator.facekit import shipped

WALL = art("great-wall")
CLANS = ("bamboo", "plum", "pine", "lotus", "willow")
DECKS = ("general", "tactic", "artifact", "skill", "relic", "rat-card", "dragon-card", "beast", "khan")
"""Decks whose cards share one back."""
ROOM = 1.0
"""A spot is larger than its piece by so many mm."""
PITCH = {"horde": 20.0, "khan": 20.0, "skill": 18.0}
"""From one cell to the next, in mm."""


def vital(grid: list[str]) -> set[str]:
    """The names of the vital spots of a grid."""
    return {f"{'abc'[col]}{row + 1}" for row, line in enumerate(grid) for col, cell in enumerate(line) if cell == "V"}


def edges(image: Image.Image) -> Image.Image:
    """A picture in black and white by its own middle grey, so that only form is left."""
    grey = image.convert("L")
    middle = sorted(grey.tobytes())[grey.width * grey.height // 2]
    return grey.point([255 if value >= middle else 0 for value in range(256)])


# --- places ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("deck", PITCH)
def test_every_vital_spot_is_a_place_for_a_soldier(deck: str) -> None:
    """Named as players name it, apart by the pitch of the grid, and two neighbours hold a horseman."""
    forms = load_formats()
    chit, long = forms["token16"], forms["chit36x16"]
    for p in WALL.of_set(deck):
        pitch = PITCH[deck] * forms[p.format].scale
        places = WALL.front(p, "normal").anchors
        spots = {name: place for name, place in places.items() if "-" not in name}
        assert set(spots) == vital(p.fields["grid"]), p.id
        assert all(spot.w >= chit.w + ROOM and spot.h >= chit.h + ROOM for spot in spots.values()), p.id
        for (name, one), (neighbour, other) in combinations(spots.items(), 2):
            far = sorted((abs(one.x - other.x), abs(one.y - other.y)))
            assert all(abs(by - pitch * round(by / pitch)) < 0.01 for by in far), p.id
            if far[0] < 0.01 and far[1] < pitch + 0.01:
                between = places[f"{name}-{neighbour}"]
                assert (between.x, between.y) == pytest.approx(((one.x + other.x) / 2, (one.y + other.y) / 2))
        form = forms[p.format]
        inside = [(spot.x - long.w / 4, spot.x + long.w / 4, spot.y) for spot in spots.values()]
        assert all(low >= 0 and high <= form.w and 8 <= y <= form.h - 8 for low, high, y in inside), p.id


def test_a_beast_has_a_place_for_its_marker_at_each_level() -> None:
    marker = load_formats()[WALL.piece("beast-marker/marker").format]
    for p in WALL.of_set("beast"):
        spots = {name: at for name, at in WALL.front(p, "normal").anchors.items() if name != "module-sign"}
        assert list(spots) == [f"level.{n + 1}" for n in range(len(p.fields["levels"]))]
        assert all(spot.w >= marker.w + ROOM and spot.h >= marker.h + ROOM for spot in spots.values())


@pytest.mark.parametrize("ink", INKS)
def test_the_supportive_effect_stands_in_the_strip_that_looks_out(ink: str) -> None:
    for p in WALL.of_set("advisor"):
        face = WALL.back(f"advisor/{p.id}", ink)
        assert words(face).count(p.fields["back"]) == 2
        form = WALL.maker(ink).formats[p.format]
        for op, matrix in artkit.texts(face):
            heights = [y for _, y in WALL.corners(op, matrix, ink)]
            assert max(heights) < 18 or min(heights) > form.h - 18, p.id


def test_the_lower_edge_of_a_general_stays_free() -> None:
    """An advisor lies under it: nothing but the card's id stands in the lowest 11 mm."""
    for p in WALL.of_set("general"):
        low = [op.text for op, matrix in artkit.texts(WALL.front(p, "normal")) if matrix[3] * op.y + matrix[5] > 109]
        assert low == [p.id]


# --- told apart --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ink", INKS)
def test_no_two_hordes_wear_the_same_mask(ink: str) -> None:
    cards = [*WALL.of_set("horde"), WALL.piece("khan/A")]
    masks = {p.id: WALL.front_picture(f"{p.set}/{p.id}", ink, 63.5).crop((5, 45, 80, 150)).convert("L") for p in cards}
    for (one, a), (other, b) in combinations(masks.items(), 2):
        assert difference(a, b) > 28, f"{one} and {other} look alike"


@pytest.mark.parametrize("ink", INKS)
@pytest.mark.parametrize("name", ["command/C1-{}", "help-powder/{}"])
def test_clans_are_told_apart_in_grey_by_pattern_and_crest(name: str, ink: str) -> None:
    faces = {clan: edges(WALL.front_picture(name.format(clan), ink, 127.0).crop((0, 0, 315, 75))) for clan in CLANS}
    for (one, a), (other, b) in combinations(faces.items(), 2):
        assert difference(a, b) > 7, f"{one} and {other} look alike"


@pytest.mark.parametrize("ink", INKS)
def test_the_backs_of_the_clans_are_told_apart_in_grey(ink: str) -> None:
    backs = {clan: WALL.back(f"command/C1-{clan}", ink) for clan in CLANS}
    faces = {clan: edges(WALL.picture(back, ink, 127.0)) for clan, back in backs.items()}
    for (one, a), (other, b) in combinations(faces.items(), 2):
        assert difference(a, b) > 7, f"{one} and {other} look alike"


# --- backs -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ink", INKS)
def test_decks_share_their_backs(ink: str) -> None:
    for deck in DECKS:
        artkit.assert_one_back(WALL, deck, ink)
    for clan in CLANS:
        own = [WALL.reverse(p, ink) for p in WALL.of_set("command") if p.seat == clan]
        assert len(own) == 6 and all(back == own[0] for back in own)


@pytest.mark.parametrize("ink", INKS)
def test_the_back_of_a_horde_or_an_advisor_tells_its_mark_or_effect_and_nothing_else(ink: str) -> None:
    for deck, field, count in (("horde", "mark", 3), ("advisor", "support", 6)):
        backs: dict[str, DisplayList] = {}
        for p in WALL.of_set(deck):
            back = WALL.back(f"{deck}/{p.id}", ink)
            assert backs.setdefault(p.fields[field], back) == back, p.id
        assert len(backs) == count
        for a, b in combinations(backs.values(), 2):
            assert difference(WALL.picture(a, ink, 60.0), WALL.picture(b, ink, 60.0)) > 1


# --- figures -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ink", INKS)
def test_figures_stand_on_horde_cards(ink: str) -> None:
    for p in WALL.of_set("horde"):
        face, fields = WALL.front(p, ink), p.fields
        printed = words(face).split()
        assert {str(fields["power"]), str(fields["honor"]), p.id, *vital(fields["grid"])} <= set(printed)
        assert typographic(p.name) in words(face)
        named = fields["keyword"].capitalize() in printed
        assert named == (fields["keyword"] != "none"), p.id


def test_lethality_is_shown_by_as_many_skulls() -> None:
    """Each skull has a disc, and nothing else on the card is of its size."""
    scale = load_formats()["horde94"].scale
    for p in WALL.of_set("horde"):
        discs = [
            extent
            for op, matrix, _ in artkit.drawn(WALL.front(p, "normal"))
            if isinstance(op, artkit.PathOp) and op.d
            for extent in [artkit.extent(op, matrix)]
            if 27 < extent[0] / scale < 29 and all(abs(side / scale - 6.6) < 0.01 for side in extent[2:])
        ]
        assert len(discs) == p.fields["lethality"], p.id


def changed(name: str, **sets: Any) -> str:
    """The words of a front under house rules."""
    game = resolve_game("great-wall", sets=sets)
    return words(shipped("great-wall").faces(game, "normal").front(artkit.find(game, name)))


def test_cards_follow_the_figures_of_the_rules() -> None:
    assert "7" in changed("command/C1-pine", **{"command.clerks_active": 7}).split()
    assert "7" in changed("beast/B1", **{"beast.upgrade_honor": {2: 2, 3: 7}}).split()


@pytest.mark.parametrize(
    "sets",
    [
        {"command.clerks_active": 7, "command.clerks_other": 8},
        {"award.honor": 12, "gk.bannerman_attackers": 9, "gk.bannerman_cost": {"gold": 2, "chi": 1}},
        {"beast.upgrade_cost": {2: {"chi": 9}, 3: {"chi": 9}}, "beast.upgrade_honor": {2: 9, 3: 9}},
        {"tower.honor_per_unbreached": 9, "machine.honor": 9},
    ],
    ids=lambda sets: ", ".join(sets),
)
def test_house_rules_with_other_numbers_still_fit(sets: dict[str, Any]) -> None:
    cards = ("command", "award", "help-khan", "help-powder", "beast", "khan")
    artkit.assert_all_is_drawn(resolve_game("great-wall", sets=sets), sets=cards)
