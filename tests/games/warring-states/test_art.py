"""The faces of Warring States as a player judges them: everything is drawn, readable, and told apart without colour."""

from __future__ import annotations

from itertools import combinations

import pytest
from PIL import Image

from components.resolve import resolve_game
from generator.faces.display import PathOp, face_hash
from tests.generator import artkit
from tests.generator.artkit import INKS, art, difference

STATES = art("warring-states")


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
    middle = [(x, y) for x in range(157) for y in range(157) if not 70**2 <= (x - 78) ** 2 + (y - 78) ** 2 <= 76**2]
    for spot in middle:
        ring.putpixel(spot, 0)
    rims: dict[str, list[bool]] = {}
    for p in STATES.game.pieces:
        if p.set == "army":
            grey = STATES.picture(STATES.front(p, ink), ink, 200.0).convert("L").resize((157, 157))
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
    sides = (STATES.front(token, ink), STATES.back("province/province", ink))
    assert difference(*(STATES.picture(face, ink, 100.0) for face in sides)) > 25, (
        f"both sides of a province look alike ({ink})"
    )


def test_every_battle_card_has_a_picture_of_its_own() -> None:
    drawn = {}
    icons = STATES.maker("normal").look.icons.icons
    for p in STATES.game.pieces:
        if p.set == "battle":
            drawn[p.id] = icons[f"battle-{p.id}"]
    assert all(one != other for one, other in combinations(drawn.values(), 2))


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


def test_a_coin_has_one_colour_on_every_card() -> None:
    """Whatever the colour of the card, the Bu on it is gold."""
    gold = STATES.maker("normal").kit.colour("bronze-mid")
    for name in ("resource/mine", "resource/city", "resource/agriculture", "resource/daring-general", "event/tributes"):
        fills = [
            op.fill for op, _, _ in artkit.drawn(STATES.front(STATES.piece(name), "normal")) if isinstance(op, PathOp)
        ]
        assert gold in fills, name


def test_an_army_carries_the_beast_of_its_state() -> None:
    maker = STATES.maker("normal")
    beasts = {p.name: f"beast-{p.fields['beast']}" for p in STATES.of_set("state")}
    assert {state: seat.emblem for state, seat in maker.look.theme.seats.items()} == beasts


def test_no_card_shows_the_name_of_its_file() -> None:
    for p in STATES.game.pieces:
        if "-" in p.id and p.set in ("event", "resource", "battle"):
            assert p.id not in artkit.words(STATES.front(p, "normal")), p.id


@pytest.mark.parametrize("name", ["resource/mine", "resource/city", "resource/agriculture"])
def test_copies_are_places_of_their_own_and_say_the_same(name: str) -> None:
    maker, card = STATES.maker("normal"), STATES.piece(name)
    looks = [maker.front(card, look) for look in range(5)]
    assert len({face_hash(face) for face in looks}) == 5
    assert len({artkit.words(face) for face in looks}) == 1
