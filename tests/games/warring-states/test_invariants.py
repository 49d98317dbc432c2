"""The conservation laws of Warring States Period: a whole position keeps them, and each breach of one is noticed."""

from __future__ import annotations

from typing import Any

import pytest

from companion.engine.language.positionfile import from_form
from companion.engine.play.position import Position, Rules
from companion.games import load_rules
from components.resolve import resolve_game


def whole() -> dict[str, Any]:
    """Three players in a Clash Round: 21 tokens, 29 Events, 40 Resource and 30 Battle cards."""
    return {
        "seats": ["Qin", "Chu", "Yan"],
        "turn": 3,
        "phase": "war",
        "active": "Qin",
        "event": "Fire",
        "event_target": "Chu",
        "players": {
            "Qin": {
                "bu": 4,
                "provinces": {"intact": 7, "razed": 1},
                "armies": 2,
                "generals": ["Daring", "Thoughtful"],
                "resource_hand": 0,
                "battle_hand": 6,
            },
            "Chu": {
                "bu": 0,
                "provinces": {"intact": 5, "razed": 2},
                "armies": 1,
                "generals": ["Daring"],
                "resource_hand": 0,
                "battle_hand": 5,
            },
            "Yan": {
                "bu": 9,
                "provinces": {"intact": 6, "razed": 0},
                "armies": 0,
                "generals": [],
                "resource_hand": 0,
                "battle_hand": 0,
            },
        },
        "war": {
            "turn_of": "Qin",
            "campaign": {
                "attacker": "Qin",
                "defender": "Chu",
                "committed": {"generals": ["Daring"], "armies": 1},
                "round": "clash",
            },
        },
        "decks": {
            "event": {"draw": 26, "discard": ["Plague", "Tributes"]},
            "resource": {"draw": 12, "discard": {"Mine": 6, "Steadfast General": 1}, "discard_unknown": 18},
            "battle": {"draw": 15, "discard": ["Swords", "Ambush"], "discard_unknown": 2},
        },
    }


@pytest.fixture(scope="module")
def laws() -> Rules:
    return load_rules(resolve_game("warring-states"))


def test_a_whole_position_keeps_every_law(laws: Rules) -> None:
    assert laws.check_whole(from_form(whole(), laws)) == []


@pytest.mark.parametrize(
    ("path", "value", "word"),
    [
        pytest.param("players.Chu.provinces.razed", 3, "22", id="a token too many"),
        pytest.param("players.Qin.provinces.intact", 6, "20", id="a token too few"),
        pytest.param("decks.event.draw", 27, "Event", id="an Event too many"),
        pytest.param("decks.event.discard", ["Plague"], "Event", id="an Event too few"),
        pytest.param("decks.resource.draw", 13, "Resource", id="a Resource card too many"),
        pytest.param("players.Yan.resource_hand", 1, "Resource", id="a Resource card both held and elsewhere"),
        pytest.param("players.Chu.generals", [], "Resource", id="a General out of play and nowhere else"),
        pytest.param("decks.battle.discard_unknown", 1, "Battle", id="a Battle card too few"),
        pytest.param("players.Yan.battle_hand", 1, "Battle", id="a Battle card too many"),
        pytest.param("players.Yan.generals", ["Daring"], "Daring", id="a third General of one name"),
    ],
)
def test_a_broken_law_is_named(laws: Rules, path: str, value: Any, word: str) -> None:
    form = whole()
    *steps, last = path.split(".")
    into: Any = form
    for step in steps:
        into = into[step]
    into[last] = value
    faults = laws.check_whole(from_form(form, laws))
    assert any(word in fault for fault in faults), faults


@pytest.mark.parametrize("field", ["bu", "armies", "resource_hand", "battle_hand"])
def test_counts_below_zero_are_noticed(laws: Rules, field: str) -> None:
    state = from_form(whole(), laws)
    setattr(state.players["Yan"], field, -1)
    assert any("less than 0" in fault for fault in laws.check_whole(state))


def test_deck_counts_below_zero_are_noticed(laws: Rules) -> None:
    state = from_form(whole(), laws)
    state.decks.battle.draw -= 20
    state.decks.battle.discard_unknown += 20
    assert any("less than 0" in fault for fault in laws.check_whole(state))


def test_players_equal_in_all_are_named_clockwise_from_the_active_one() -> None:
    rules = load_rules(resolve_game("warring-states"))
    at = Position(rules, from_form({"seats": ["Qin", "Chu", "Yan"], "phase": "build", "active": "Chu"}, rules))
    assert rules.score(at).ranking == (("Chu", "Yan", "Qin"),)
