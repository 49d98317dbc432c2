"""The faces of Warring States as a player judges them: everything is drawn, readable, and told apart without colour."""

from __future__ import annotations

from itertools import combinations

import pytest
from PIL import Image

from components.model import ResolvedPiece
from components.resolve import resolve_game
from tests.generator import artkit
from tests.generator.artkit import COVER_SIZES, INKS, art, difference

STATES = art("warring-states")


def look(p: ResolvedPiece) -> object:
    """Face template and kind (category, type, State …), which is all that changes the grounds of a face."""
    return p.set, p.face, p.back, p.fields.get("category") or p.fields.get("type") or p.fields.get("colour")


@pytest.mark.parametrize("ink", INKS)
def test_every_piece_is_drawn_and_its_type_is_large_enough(ink: str) -> None:
    artkit.assert_type_is_large_enough(STATES, ink)


@pytest.mark.parametrize("ink", INKS)
def test_what_a_card_does_is_printed_in_full_and_at_least_7_pt(ink: str) -> None:
    artkit.assert_effects_are_printed(STATES, ink)


def test_text_keeps_clear_of_the_cut() -> None:
    artkit.assert_text_keeps_clear_of_the_cut(STATES)


@pytest.mark.parametrize("ink", INKS)
def test_text_stands_out_from_its_ground(ink: str) -> None:
    artkit.assert_text_stands_out(STATES, ink, artkit.one_of_each(STATES.game.pieces, look), dpi=80.0)


@pytest.mark.parametrize("ink", INKS)
@pytest.mark.parametrize("name", ["event/plague", "resource/mine", "battle/infantry", "state/qin"])
def test_card_backs_look_the_same_upside_down(name: str, ink: str) -> None:
    artkit.assert_same_upside_down(STATES, name, ink)


@pytest.mark.parametrize("ink", INKS)
def test_decks_have_one_back_each_and_no_two_alike(ink: str) -> None:
    backs = {}
    for deck in ("event", "resource", "battle", "state"):
        backs[deck] = STATES.picture(artkit.assert_one_back(STATES, deck, ink), ink, 60.0)
    for one, other in combinations(backs, 2):
        assert difference(backs[one], backs[other]) > 12, f"{one} and {other} are alike in grey"


@pytest.mark.parametrize("ink", INKS)
def test_armies_of_two_states_differ_without_colour(ink: str) -> None:
    """Light and dark of the rims, whichever is which, differ in more than a sixth of their area."""
    ring = Image.new("1", (157, 157))
    ring.paste(1, (0, 0, 157, 157))
    middle = [(x, y) for x in range(157) for y in range(157) if not 60**2 <= (x - 78) ** 2 + (y - 78) ** 2 <= 76**2]
    for spot in middle:
        ring.putpixel(spot, 0)
    rims: dict[str, list[bool]] = {}
    for p in STATES.game.pieces:
        if p.set == "army":
            grey = STATES.picture(STATES.maker(ink).front(p), ink, 200.0).convert("L").resize((157, 157))
            shades = grey.tobytes()
            low, high = min(shades), max(shades)
            values = zip(shades, ring.convert("L").tobytes(), strict=True)
            rims[p.id] = [value > (low + high) / 2 for value, kept in values if kept]
    assert len(rims) == len(STATES.game.seats)
    for one, other in combinations(rims, 2):
        share = sum(a != b for a, b in zip(rims[one], rims[other], strict=True)) / len(rims[one])
        assert min(share, 1 - share) > 1 / 6, f"{one} and {other} have rims that are alike in grey"


def test_states_differ_in_pattern_emblem_letters_and_seal() -> None:
    seats = STATES.maker("normal").look.theme.seats
    assert list(seats) == STATES.game.seats
    states = [p.fields for p in STATES.game.pieces if p.set == "state"]
    for what in (
        [seat.pattern for seat in seats.values()],
        [seat.emblem for seat in seats.values()],
        [state["initial"] for state in states],
        [state["seal_sides"] for state in states],
    ):
        assert len(set(what)) == len(what) == len(STATES.game.seats)


@pytest.mark.parametrize("ink", INKS)
def test_a_razed_province_is_not_taken_for_an_intact_one(ink: str) -> None:
    token = STATES.piece("province/province")
    sides = (STATES.maker(ink).front(token), STATES.back("province/province", ink))
    assert difference(*(STATES.picture(face, ink, 100.0) for face in sides)) > 25


def test_every_battle_card_has_a_picture_of_its_own() -> None:
    drawn = {}
    icons = STATES.maker("normal").look.icons.icons
    for p in STATES.game.pieces:
        if p.set == "battle":
            drawn[p.id] = icons[f"battle-{p.id}"]
    assert all(one != other for one, other in combinations(drawn.values(), 2))


def test_every_icon_of_an_effect_is_drawn_for_this_game() -> None:
    artkit.assert_icons_are_drawn(STATES)


def test_low_ink_faces_are_mostly_white() -> None:
    names = ("event/plague", "resource/city", "battle/spears", "battle/ambush", "state/qin")
    artkit.assert_low_ink_is_mostly_white(STATES, names)


@pytest.mark.parametrize(
    "sets",
    [
        {"build.army_cost": 12, "build.general_cost": 12, "tax.bronze": {"cards": 12, "bu": 12}, "tax.pair.bu": 10},
        {"income.base": 12, "income.provinces_per_card": 1, "victory.razed_count": False, "army.supply_limit": 12},
        {"tactics.base_hand": 12, "tactics.redraw_per_general": 3, "war.min_armies": 12, "casualty.units": 2},
        {"war.turns": "active_only", "war.reinforce_between_battles": False, "tactics.cards_per_army": 0},
    ],
    ids=lambda sets: ", ".join(sets),
)
def test_house_rules_with_larger_numbers_still_fit(sets: dict[str, object]) -> None:
    artkit.assert_all_is_drawn(resolve_game("warring-states", sets=sets), sets=("aid", "resource"))


@pytest.mark.parametrize("ink", INKS)
@pytest.mark.parametrize("size", COVER_SIZES, ids=["half of A4", "half of letter"])
def test_the_rulebook_cover_fits_either_page_and_stays_off_its_edges(size: tuple[float, float], ink: str) -> None:
    artkit.assert_cover_fits(STATES, size, ink)
