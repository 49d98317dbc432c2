"""Random games of Tianxia: almost everything proposed is legal, and everything that can be done comes up."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Any, NamedTuple

import games
import pytest

from companion.engine.language.positionfile import from_form
from companion.engine.play.position import Position

RULES = games.rules_with("tianxia")
SEATS = ["ana", "bo", "cai", "dee"]
GAMES = 150


class Played(NamedTuple):
    """A legal move as JSON, the position form before it, and whose move it was."""

    move: dict[str, Any]
    form: dict[str, Any]
    who: str


@cache
def played() -> tuple[list[Played], int]:
    """Every move of some games, and how many proposals were refused."""
    found, refused = [], 0
    for seed in range(GAMES):
        rng, at = Random(seed), Position(RULES, RULES.new_state())
        move = RULES.setup_move(SEATS[: 2 + seed % 3], {})
        while move is not None:
            at.chooser = rng.choice
            verdict = at.judge(move)
            if verdict.legal:
                said = verdict.move.to_json()
                form = RULES.dump(at.state) if "turn" in said else {}
                found.append(Played(said, form, said.get("player", "")))
                at.carry_out(verdict)
            else:
                refused += 1
                assert refused < 50 + len(found) / 25, "one proposal after the other is refused"
            move = None if RULES.over(at.state) else RULES.propose(at, rng)
    return found, refused


def steps(one: Played) -> list[dict[str, Any]]:
    return one.move.get("steps") or []


def test_hardly_anything_proposed_is_refused() -> None:
    found, refused = played()
    assert refused < len(found) / 45


def test_every_turn_and_every_step_comes_up() -> None:
    found, _ = played()
    turns = {tuple(one.move.get(key, "") for key in ("turn", "region", "action", "barge")) for one in found}
    assert len({region for _, region, _, _ in turns if region}) == 8
    assert {action for _, _, action, _ in turns if action} == {"fortify", "train"}
    assert {barge for _, _, _, barge in turns if barge} == {"rice", "wood", "stone", "salt"}
    kinds = {step.get("free") or next(iter(step)) for one in found for step in steps(one)}
    region = {"track", "bubble", "governor", "exchange", "ship"}
    free = {"marker", "tile", "objective", "merchant", "recall"}
    assert kinds >= region | free | {"wall", "tower", "soldier", "buy"}


def test_what_is_left_is_spent_down_to_the_last() -> None:
    """A rule of thumb that keeps something back would never try the edges of the rules."""
    seen: set[str] = set()
    for one in played()[0]:
        has = one.form["player"][one.who] if "turn" in one.move else {}
        done = [step.get("free") or next(iter(step)) for step in steps(one)]
        if done.count("soldier") == 2 and has["rice"] == 4:
            seen.add("two soldiers for the last rice")
        if "marker" in done:
            seen.add(f"marker discarded, {has['markers'] - 1} left")
        if "recall" in done and has["merchants"][steps(one)[done.index("recall")]["row"]] == 1:
            seen.add("the only merchant called home")
        if one.move.get("turn") == "pass" and 0 < len(has["figurines"]) == done.count("buy"):
            seen.add("a step for each figurine")
        if one.move.get("region") == "zhou" and done[0] in ("track", "bubble"):
            seen.add(f"the {done[0]} taken before the action")
        if one.move.get("region") and len({"governor", "exchange", "ship"} & set(done)) > 1:
            seen.add("two actions")
        if one.move.get("turn") == "barge" and has["coin"] == 1 and not done:
            seen.add("boarded for the last coin")
        if one.move.get("worker") == "neutral":
            seen.add("a grey worker sent")
    assert seen == {
        "two soldiers for the last rice",
        "marker discarded, 1 left",
        "marker discarded, 2 left",
        "the only merchant called home",
        "a step for each figurine",
        "the track taken before the action",
        "the bubble taken before the action",
        "two actions",
        "boarded for the last coin",
        "a grey worker sent",
    }


def proposed(form: dict[str, Any], sets: dict[str, Any] = {}) -> list[dict[str, Any]]:  # noqa: B006
    """What is proposed in a position, again and again; all of it is legal. `sets`: other figures of the table."""
    found, rules = [], games.rules_with("tianxia", sets)
    for seed in range(60):
        rng, at = Random(seed), Position(rules, from_form({"players": ["ana", "bo"], **form}, rules))
        at.chooser = rng.choice
        move = rules.propose(at, rng)
        assert move is not None
        verdict = at.judge(move)
        assert verdict.legal, verdict.reasons
        found.append(verdict.move.to_json())
    return found


def test_what_a_nomad_leaves_is_paid_in_every_way() -> None:
    """Ten against nothing, two left: none, one or both in coins, as far as there are coins."""
    form = {"phase": "attack", "nomads": {"linhu": {"march": 3, "strength": 10}}, "player": {"ana": {"coin": 5}}}
    fights = proposed({**form, "buildings": {"wei_canal": {"bonus": "ox"}}})
    assert {fight["lane"] for fight in fights} == {"linhu"}
    assert all(set(fight["replenish"]) == {"wei_customs", "han_foundry", "han_masons"} for fight in fights)
    ana = [fight.get("losses", {}).get("ana", {"coins": 0, "points": 2}) for fight in fights]
    assert {(loss["coins"], loss["points"]) for loss in ana} == {(0, 2), (1, 1), (2, 0)}
    assert not any("bo" in fight.get("losses", {}) for fight in fights)


def test_what_a_nomad_leaves_is_paid_at_a_dearer_table() -> None:
    """Two coins for each strength: with five coins, two of the three left at most."""
    form = {"phase": "attack", "nomads": {"linhu": {"march": 3, "strength": 11}}, "player": {"ana": {"coin": 5}}}
    fights = proposed(form, {"ravage.coin_per_strength": 2})
    assert {fight.get("losses", {}).get("ana", {"coins": 0})["coins"] for fight in fights} == {0, 1, 2}
    assert proposed(form, {"ravage.coin_per_strength": 0})


def test_a_turn_goes_to_every_space_that_can_be_paid() -> None:
    """One marker that costs the last coin is no obstacle, two are; an Envoy used first makes both free."""
    ana = {"coin": 1, "rice": 2, "wood": 0, "stone": 0}
    form = {
        "active": "ana",
        "player": {"ana": ana},
        "regions": {"zhao": {"discs": ["bo"]}, "wei": {"discs": ["bo"] * 2}},
    }
    assert {turn["region"] for turn in proposed(form) if "region" in turn} == {"zhao", "han", "qi"}
    turns = proposed({**form, "player": {"ana": {**ana, "tiles": ["envoy"]}}})
    envoy = [turn["region"] for turn in turns if "region" in turn and turn["steps"][0].get("tile") == "envoy"]
    assert "wei" in envoy


def test_a_turn_uses_what_is_there() -> None:
    """Both marker spaces at the wall, one soldier or two, each barge."""
    turns = proposed({"active": "ana", "player": {"ana": {"coin": 9, "rice": 4, "stone": 1}}})
    pieces = [[next(iter(step)) for step in turn["steps"]] for turn in turns if turn["turn"] == "military"]
    assert {tuple(sorted(kinds)) for kinds in pieces} == {
        ("track", "wall"),
        ("soldier", "track"),
        ("soldier", "soldier", "track"),
    }
    assert {turn["barge"] for turn in turns if turn["turn"] == "barge"} == {"rice", "wood", "stone", "salt"}


def test_passing_buys_none_or_as_many_steps_as_can_be_paid() -> None:
    ana = {"coin": 4, "markers": 0, "figurines": ["ox", "carp", "tiger"]}
    turns = proposed({"active": "ana", "player": {"ana": ana}, "round_tiles": ["purse", "ox"]})
    passed = [turn["steps"] for turn in turns if turn["turn"] == "pass"]
    assert {steps[0]["tile"] for steps in passed} == {"purse"}
    assert {len(steps) - 1 for steps in passed} == {0, 1, 2}
    free = proposed({"active": "ana", "player": {"ana": ana}, "round_tiles": ["purse"]}, {"figurine.step.cost.coin": 0})
    assert max(len(turn["steps"]) for turn in free if turn["turn"] == "pass") == 4


def test_everybody_shows_cards_that_were_not_shown() -> None:
    form = {"phase": "end", "round": 4, "scored": {"bo": ["O01"]}, "player": {"ana": {"objectives": 2}}}
    shown = [turn["objectives"] for turn in proposed(form)]
    assert {len(cards) for cards in shown} == {2}
    assert not any("O01" in cards for cards in shown)


TWELVE = {"yiqu": {"soldiers": ["ana"] * 6}, "linhu": {"soldiers": ["ana"] * 6}}
FULL: list[dict[str, Any]] = [
    {"player": {"ana": {"stone": 9}}, "sections": {"yiqu": {"walls": ["ana"] * 5}, "linhu": {"walls": ["ana"]}}},
    {"player": {"ana": {"stone": 9}}, "sections": {"yiqu": {"towers": ["ana"] * 2}, "linhu": {"towers": ["ana"]}}},
    {"player": {"ana": {"stone": 1}}, "sections": {"yiqu": {"walls": ["ana"] * 2}}},
    {"player": {"ana": {"stone": 1}}, "sections": {lane: {"walls": ["bo"]} for lane in ("yiqu", "linhu")}},
    {"player": {"ana": {"stone": 9}}, "sections": {"yiqu": {"walls": ["bo"] * 5}, "linhu": {"towers": ["bo"] * 2}}},
    {"player": {"ana": {"rice": 9}}, "sections": {"yiqu": {"soldiers": ["bo"] * 6}}},
    {"player": {"ana": {"rice": 1}}},
    {"player": {"ana": {"rice": 9, "wood": 9}}, "sections": TWELVE},
    {"player": {"ana": {"salt": 9, "ship_markers": 0}}, "ports": {"yan": {"demand": "salt", "ship": "heron"}}},
    {
        "player": {"ana": {"salt": 9, "crates": 0, "delivered": 12}},
        "ports": {"yan": {"demand": "salt", "ship": "heron"}},
    },
    {
        "player": {"ana": {"salt": 9}},
        "ports": {"yan": {"demand": "salt", "ship": "egret", "crates": {1: "bo", 2: "bo"}}},
    },
    {"player": {"ana": {"silk": 9}}, "ports": {"yan": {"demand": "salt", "ship": "heron"}}},
    {"player": {"ana": {"salt": 1}}, "ports": {"yan": {"demand": "salt", "ship": "goose"}}},
    {"player": {"ana": {"coin": 9, "markers": 0}}},
    {"player": {"ana": {"coin": 1, "markers": 1}}, "barges": {"rice": ["ana"], "wood": ["bo"] * 3}},
    {"player": {"ana": {"coin": 1, "markers": 0, "figurines": ["ox"]}}, "round_tiles": ["ox"]},
    {"player": {"ana": {"coin": 9, "markers": 0, "tracks": dict.fromkeys(("crimson", "indigo", "gold", "jade"), 8)}}},
    {"player": {"ana": {"merchants": {"stall": 1, "caravan": 2}, "markers": 1}}},
]
"""Tables at which something is full, spent or a coin short."""


@pytest.mark.parametrize("form", FULL)
def test_what_is_full_or_spent_is_not_proposed(form: dict[str, Any]) -> None:
    assert proposed({"active": "ana", **form})
