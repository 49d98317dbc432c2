"""What Tianxia says at the table, line by line: whole turns and events, with every figure."""

from __future__ import annotations

from typing import Any

import games
import pytest

from companion.engine.language import notation
from companion.engine.language.jsonmoves import from_json
from companion.engine.language.positionfile import from_form
from companion.engine.play.lines import try_line
from companion.engine.play.position import Position
from companion.games.tianxia.state import Harbour, Nomad, Player, Section, Site, Space

RULES = games.rules_with("tianxia")
EVENING = {"phase": "attack", "next_order": ["bo", "ana"]}


def region(where: str, *steps: dict[str, Any]) -> dict[str, Any]:
    return {"turn": "region", "player": "ana", "region": where, "steps": [*steps]}


def fortify(*steps: dict[str, Any]) -> dict[str, Any]:
    return {"turn": "military", "player": "ana", "action": "fortify", "steps": [*steps]}


def fight(lane: str, **said: Any) -> dict[str, Any]:
    return {"event": "battle", "lane": lane, **said}


SAID: dict[str, tuple[dict[str, Any], dict[str, Any], list[str]]] = {
    "a stack": (
        {"regions": {"zhao": {"discs": ["bo", "bo"]}}, "player": {"ana": {"rice": 1, "coin": 2}}},
        region("zhao", {"exchange": 1}),
        [
            "ana pays 2 coins for the 2 markers there",
            "ana places a marker in Zhao and has 2 left",
            "ana uses the conversion of Zhao 1 time",
            "ana gives 1 rice",
            "ana gains 2 coins",
            "ana takes the crimson step of Zhao",
            "ana is on step 1 of the crimson track",
            "ana gains 1 stone",
        ],
    ),
    "a governor in a raided building": (
        {"player": {"ana": {"wood": 9}}, "buildings": {"qin_granary": {"cost_tokens": 1, "bonus": "ox"}}},
        region("qin", {"governor": "qin_granary", "space": 2}),
        [
            "ana places a marker in Qin and has 2 left",
            "ana installs a governor on space 2 of the River Granary for 4 wood"
            " (2 for the building + 1 for space 2 + 1 for 1 cost token = 4)",
            "1 cost token on the River Granary raises the cost",
            "ana takes the ox tile",
            "The River Granary pays at once",
            "ana gains 2 rice",
            "ana takes the crimson step of Qin",
            "ana is on step 1 of the crimson track",
            "ana gains 1 rice",
        ],
    ),
    "a wall and a tower": (
        {"player": {"ana": {"stone": 9}}, "sections": {"linhu": {"walls": ["ana", "ana"]}}},
        fortify({"track": "jade"}, {"wall": "yiqu"}, {"tower": "yiqu"}),
        [
            "ana places a marker on Fortify and has 2 left",
            "ana takes the step on jade",
            "ana is on step 1 of the jade track",
            "ana builds wall 3 (stone: 2)",
            "It goes on space 1 of Yiqu",
            "The defence of Yiqu is 1",
            "ana builds tower 1 (stone: 2)",
            "It goes on tower space 1 of Yiqu",
            "The defence of Yiqu is 3",
        ],
    ),
    "a wrong price": (
        {"player": {"ana": {"stone": 9}}, "sections": {"linhu": {"walls": ["ana", "ana"]}}},
        fortify({"track": "jade"}, {"wall": "yiqu", "cost": 1}),
        ["Wall 3 costs 2 stone, not 1"],
    ),
    "income": (
        {
            "phase": "income",
            "barges": {"rice": ["ana"]},
            "ports": {"yan": {"markers": ["ana", "ana"]}},
            "buildings": {"wei_canal": {"governors": ["ana", "ana"]}, "han_foundry": {"governors": ["ana"]}},
        },
        {"event": "income"},
        [
            "ana gains 3 coins: Manor",
            "ana gains 1 rice: estate slot 1",
            "ana gains 1 wood: estate slot 2",
            "ana gains 4 coins: Canal Tollhouse (2 governors)",
            "ana gains 1 stone and 1 coin: Iron Foundry",
            "ana gains 1 rice: Rice barge (1 aboard)",
            "ana's income is 8 coins, 2 rice, 1 wood and 1 stone",
            "bo gains 3 coins: Manor",
            "bo's income is 3 coins",
            "ana begins",
        ],
    ),
    "an overrun": (
        {
            "phase": "attack",
            "nomads": {"linhu": {"march": 3, "strength": 10}},
            "player": {"ana": {"coin": 2}},
            "buildings": {"wei_canal": {"governors": ["ana"], "bonus": "ox"}},
        },
        fight("linhu", losses={"ana": {"coins": 2, "points": 0}}),
        [
            "Nobody has a piece in the section, so nobody gains prestige",
            "Strength 10, less no towers and no walls: 10 left",
            "The nomad raids the Canal Tollhouse",
            "Governors of ana return from the Canal Tollhouse",
            "A cost token goes to the Canal Tollhouse, which now has 1",
            "The ox tile stays on the Canal Tollhouse",
            "It loses 2 strength; 8 left",
            "The nomad raids the Customs Hall",
            "A cost token goes to the Customs Hall, which now has 1",
            "The Customs Hall does not get a tile",
            "It loses 2 strength; 6 left",
            "The nomad raids the Iron Foundry",
            "A cost token goes to the Iron Foundry, which now has 1",
            "The Iron Foundry does not get a tile",
            "It loses 3 strength; 3 left",
            "The nomad raids the Masons' Guild",
            "A cost token goes to the Masons' Guild, which now has 1",
            "The Masons' Guild does not get a tile",
            "It loses 1 strength; 2 left",
            "Linhu is overrun: every player settles 2 strength",
            "ana loses 2 coins and no points",
            "bo loses no coins and 6 points",
            "The nomad of Linhu returns to the start of its track",
            "Its strength is 1 again",
            "The defence of Linhu is 0",
        ],
    ),
    "a battle won": (
        {
            "phase": "attack",
            "nomads": {"linhu": {"march": 3, "strength": 5}},
            "sections": {"linhu": {"walls": ["ana"], "towers": ["bo"], "soldiers": ["ana", "ana", "bo"]}},
            "buildings": {"wei_canal": {"governors": ["bo"]}},
        },
        fight("linhu"),
        [
            "In place 1: ana, with strength 3",
            "ana scores 7 points",
            "In place 2: bo, with strength 3",
            "bo scores 4 points",
            "Strength 5, less 1 tower and 1 wall: 2 left",
            "A soldier of ana leaves; strength 1",
            "ana scores 1 point",
            "A soldier of ana leaves; strength 0",
            "ana scores 1 point",
            "The battle of Linhu is won",
            "ana scores for the governors on the path: 1",
            "ana scores 1 point",
            "The nomad of Linhu returns to the start of its track",
            "Its strength is 1 again",
            "The defence of Linhu is 4",
        ],
    ),
    "ships that slide": (
        {**EVENING, "ports": {"yan": {"demand": "salt", "ship": "heron"}, "wei": {"ship": "gull"}}},
        {"event": "cleanup", "new_ships": ["ibis", "tern", "goose"]},
        [
            "All players have 3 action markers again",
            "The Gull slides up to Qi",
            "The Ibis comes to Wei",
            "The Tern comes to Chu",
            "The Goose comes to the wave space",
            "Turn order: bo and ana",
        ],
    ),
    "a step too many": (
        {"round_tiles": ["ox", "purse"], "player": {"ana": {"figurines": ["ox"], "coin": 9}}},
        {"turn": "pass", "player": "ana", "steps": [{"tile": "purse"}, {"buy": "gold"}, {"buy": "gold"}]},
        ["ana may buy 1 step with 1 figurine, and this would be number 2"],
    ),
    "a marker sold": (
        {},
        {"turn": "barge", "player": "ana", "barge": "salt", "worker": "own", "steps": [{"free": "marker"}]},
        [
            "ana discards a marker and has 2 left",
            "ana gains 2 coins",
            "ana pays 1 coin to board the salt barge",
            "ana's worker boards the salt barge",
            "ana gains 1 salt",
        ],
    ),
    "a first turn order": (
        {"phase": "prepare"},
        {"event": "prepare", "turn_order": ["bo", "ana"]},
        [
            "Turn order: bo and ana",
            "bo starts with 5 coins, 2 rice, 3 wood and 2 stone",
            "ana starts with 6 coins, 2 rice, 3 wood and 2 stone",
            "Each player is dealt 3 objective cards and keeps 2",
        ],
    ),
}


def after(form: dict[str, Any], move: dict[str, Any]) -> Any:
    at = Position(RULES, from_form({"players": ["ana", "bo"], **form}, RULES))
    return try_line(at, [from_json(move, at)])


@pytest.mark.parametrize("name", SAID)
def test_every_line_is_said_as_it_is(name: str) -> None:
    form, move, lines = SAID[name]
    outcome = after(form, move)
    said = [*(event.what for event in outcome.events if not event.aside), *(b.why for b in outcome.verdict.reasons)]
    assert said == lines


def test_the_score_is_told_line_by_line_and_who_won_when_all_have_shown() -> None:
    form = {
        "players": ["ana", "bo"],
        "phase": "end",
        "round": 4,
        "scored": {"ana": ["O17"]},
        "player": {
            "ana": {
                "vp": 2,
                "coin": 3,
                "salt": 4,
                "figurines": ["ox", "carp", "tiger", "crane"],
                "tracks": {"jade": 1},
            },
            "bo": {"vp": 20, "tracks": {"gold": 3}},
        },
    }
    at = Position(RULES, from_form(form, RULES))
    found = RULES.score(at)
    assert [(line.seat, line.source, line.sum, line.points) for line in found.lines if line.points] == [
        ("ana", "score track", "2", 2),
        ("ana", "figurines", "4 kinds", 10),
        ("ana", "jade track", "step 1", 1),
        ("ana", "O17 Cabinet of Jades", "fulfilled", 6),
        ("ana", "left-overs", "(3 coins + 4 salt) ÷ 5", 1),
        ("bo", "score track", "20", 20),
        ("bo", "gold track", "step 3", 1),
    ]
    assert (found.ranking, found.ties, found.ending) == ((("bo",), ("ana",)), (), None)
    at.state.scored["bo"] = []
    ending = RULES.score(at).ending
    assert ending is not None
    assert (ending.rule, ending.winners) == ("TX-SCORE-7", ("bo",))
    assert "4 rounds are played, and the most points are 21" in ending.reason


def test_a_tie_is_told_with_the_stock_that_breaks_it() -> None:
    form = {"phase": "end", "round": 4, "player": {"ana": {"vp": 5, "coin": 1}, "bo": {"vp": 5, "rice": 2}}}
    at = Position(RULES, from_form({"players": ["ana", "bo", "cai"], **form}, RULES))
    found = RULES.score(at)
    assert found.ranking == (("bo",), ("ana",), ("cai",))
    assert [(tie.rule, tie.figures) for tie in found.ties] == [("TX-SCORE-7", {"ana": 1, "bo": 2})]


def test_only_goods_that_are_held_are_offered() -> None:
    asked = after({"player": {"ana": {"salt": 1, "lacquer": 2}}}, region("zhou", {"exchange": 1})).verdict.needs
    assert [[str(one) for one in choice.options] for choice in asked] == [["salt", "lacquer"]]


@pytest.mark.parametrize(
    ("form", "field"),
    [
        ({}, "turn_order"),
        ({"turn_order": ["bo", "ana"]}, "bonus"),
        ({"turn_order": ["bo", "ana"], "buildings": {id: {"bonus": "wares"} for id in RULES.names("building")}}, ""),
    ],
)
def test_preparation_asks_for_one_thing_after_the_other(form: dict[str, Any], field: str) -> None:
    asked = after({"phase": "prepare", **form}, {"event": "prepare"}).verdict.needs
    assert [choice.field for choice in asked] == ([field] if field else ["demand"])


def test_nothing_lies_on_a_record_of_which_nothing_is_said() -> None:
    for kind in (Player, Space, Site, Section, Nomad, Harbour):
        empty = kind()
        assert not any(getattr(empty, field) for field in kind.__struct_fields__), kind


def test_the_space_of_a_governor_without_the_building_asks_for_the_building() -> None:
    at: Position[Any] = Position(RULES, from_form({"player": {"ana": {"wood": 9}, "bo": {}}}, RULES))
    outcome = try_line(at, notation.read("ana region qin, governor 1", at))
    assert outcome.verdict.legal is None and outcome.verdict.needs
