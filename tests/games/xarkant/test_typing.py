"""What players of Xarkant type, what they may leave out, the questions they ask and the score they are shown."""

from __future__ import annotations

from typing import Any

import games
import pytest

from companion.engine.answers import answers, queries
from companion.engine.errors import CompanionError
from companion.engine.language import notation
from companion.engine.language.jsonmoves import MoveFormError, from_json
from companion.engine.language.positionfile import from_form
from companion.engine.play.lines import try_line
from companion.engine.play.position import Position

LAND = ["QQWWFF", "FWWQFW", "QFWFFF", "QFWQWW", "WFQFWQ", "QFFWWQ"]
PEOPLE = {"Ana": "red", "Bo": "blue"}
ACT: dict[str, Any] = {"terrain": LAND, "drawer": "blue", "drawn": {"red": 1}}
DRAW: dict[str, Any] = {"terrain": LAND, "drawer": "blue", "phase": "draw"}
TILES: dict[str, Any] = {"phase": "setup", "terrain": ["QQWWFF", "FWWQFW", "QF....", "QF....", "......", "......"]}


def at(form: dict[str, Any], **sets: Any) -> Position[Any]:
    rules = games.rules_with("xarkant", sets)
    return Position(rules, from_form({"players": ["red", "blue"], **form}, rules))


def ask(here: Position[Any], query: str, **said: Any) -> Any:
    return queries.answer({"query": query, **said}, here).value


@pytest.mark.parametrize(
    ("form", "line", "said"),
    [
        (TILES, "tile T02 180", {"event": "place_tile", "tile": "T02", "rot": 180}),
        (TILES, "tile 5 t2 turned 270", {"event": "place_tile", "cell": 5, "tile": "T02", "rot": 270}),
        (TILES, "T02 180", {"event": "place_tile", "tile": "T02", "rot": 180}),
        (TILES, "drawer bo", {"event": "first_drawer", "player": "blue"}),
        (TILES, "first drawer red", {"event": "first_drawer", "player": "red"}),
        (DRAW, "draw 2 red", {"event": "draw", "discs": {"red": 2}}),
        (DRAW, "draw ana bo", {"event": "draw", "discs": {"red": 1, "blue": 1}}),
        (DRAW, "draw ana ana", {"event": "draw", "discs": {"red": 2}}),
        (DRAW, "draw 1 Ana and 1 Bo", {"event": "draw", "discs": {"red": 1, "blue": 1}}),
        (DRAW, "draw all", {"event": "draw"}),
        (ACT, "collect c3", {"action": "collect", "at": "c3"}),
        (ACT, "ana collect C3 pay 3", {"action": "collect", "player": "red", "at": "c3", "pay_popularity": 3}),
        (ACT, "collect c3 paying 1 popularity", {"action": "collect", "at": "c3", "pay_popularity": 1}),
        (ACT, "bo claim e1", {"action": "claim", "player": "blue", "at": "e1"}),
        (ACT, "workshop f4", {"action": "workshop", "at": "f4"}),
        (ACT, "house f4", {"action": "workshop", "at": "f4"}),
        (ACT, "workshop on the state board", {"action": "workshop", "to": "state"}),
        (ACT, "church c2", {"action": "church", "at": "c2"}),
        (ACT, "church wheat", {"action": "church", "track": "wheat"}),
        (ACT, "village b4", {"action": "village", "at": "b4"}),
        (
            ACT,
            "trade 2 wood 1 stone for 3 wheat",
            {"action": "trade", "give": {"wood": 2, "stone": 1}, "take": {"wheat": 3}},
        ),
        (ACT, "swap wood for stone", {"action": "trade", "give": {"wood": 1}, "take": {"stone": 1}}),
        (ACT, "done", {"action": "pass"}),
        (ACT, "clean up", {"event": "cleanup"}),
    ],
)
def test_lines_as_players_type_them(form: dict[str, Any], line: str, said: dict[str, Any]) -> None:
    here = at(form)
    moves = notation.read(line, here, people=PEOPLE)
    assert [move.to_json() for move in moves] == [from_json(said, here).to_json()]


@pytest.mark.parametrize(
    ("form", "line", "hint"),
    [
        (ACT, "colect c3", "collect"),
        (ACT, "collect z9", "a1 to f6"),
        (ACT, "claim c3 c4", "one word too many"),
        (ACT, "ann claim c3", "Ana"),
        (ACT, "trade 2 wod for 2 stone", "wood"),
        (DRAW, "draw 1 ana 1 cai", "'cai' cannot be read"),
        (TILES, "tile T11 90", "T10"),
        (TILES, "tile T02 45", "45"),
    ],
)
def test_what_cannot_be_read_is_told_with_what_may_have_been_meant(form: dict[str, Any], line: str, hint: str) -> None:
    with pytest.raises(notation.NotationError) as refused:
        notation.read(line, at(form), people=PEOPLE)
    assert hint in str(refused.value.what) + " ".join(refused.value.nearest)


# --- what may be left out --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("form", "said", "filled"),
    [
        (TILES, {"event": "place_tile", "tile": "T08"}, {"cell": 5, "rot": 0}),
        ({**DRAW, "bag": {"red": 1, "blue": 1}}, {"event": "draw"}, {"discs": {"red": 1, "blue": 1}}),
        ({**DRAW, "bag": {"red": 0, "blue": 3}}, {"event": "draw"}, {"discs": {"blue": 2}}),
        (ACT, {"action": "collect", "at": "c3"}, {"player": "red"}),
        (ACT, {"action": "pass"}, {"player": "red"}),
        ({**ACT, "player": {"red": {"wheat": 2, "wood": 2}}}, {"action": "workshop", "to": "state"}, {"player": "red"}),
        (
            {**ACT, "player": {"red": {"wood": 1, "stone": 3}}},
            {"action": "church", "track": "stone"},
            {"to": "church_board"},
        ),
        (
            {
                **ACT,
                "pieces": {"d4": {"kind": "village"}, "c4": {"kind": "work", "owner": "red"}},
                "player": {"red": {"wood": 1, "stone": 3}},
            },
            {"action": "church", "at": "d4"},
            {"to": "village"},
        ),
    ],
)
def test_what_can_mean_one_thing_only_need_not_be_said(
    form: dict[str, Any], said: dict[str, Any], filled: dict[str, Any]
) -> None:
    here = at(form)
    verdict = here.judge(from_json(said, here))
    assert verdict.legal, verdict.reasons or verdict.needs
    assert filled.items() <= verdict.move.to_json().items()


@pytest.mark.parametrize(
    ("form", "said", "field", "options"),
    [
        (TILES, {"event": "place_tile", "tile": "T02"}, "rot", [180, 270]),
        (DRAW, {"event": "draw"}, "discs", ["red", "blue"]),
        (TILES, {"event": "first_drawer"}, "player", ["red", "blue"]),
        (
            {**ACT, "pieces": {"a4": {"kind": "work", "owner": "red"}}, "player": {"red": {"wheat": 2, "stone": 1}}},
            {"action": "village"},
            "at",
            ["b4", "a5"],
        ),
        (
            {**ACT, "pieces": {"a1": {"kind": "work", "owner": "red"}}, "player": {"red": {"wheat": 2, "wood": 2}}},
            {"action": "workshop"},
            "to",
            ["land", "state"],
        ),
        (
            {
                **ACT,
                "player": {"red": {"wood": 1, "stone": 3}},
                "church_board": {"wheat": ["red", "blue", "blue"]},
            },
            {"action": "church", "to": "church_board"},
            "track",
            ["wood", "stone"],
        ),
        (
            {**ACT, "player": {"red": {"wood": 2}}},
            {"action": "trade", "give": {"wood": 2}},
            "take",
            ["wheat", "stone"],
        ),
    ],
)
def test_a_choice_left_out_is_asked_for_with_its_possibilities(
    form: dict[str, Any], said: dict[str, Any], field: str, options: list[Any]
) -> None:
    here = at(form)
    verdict = here.judge(from_json(said, here))
    assert verdict.legal is None
    assert [(choice.field, list(choice.options)) for choice in verdict.needs] == [(field, options)]


@pytest.mark.parametrize(
    "said",
    [
        {"action": "trade", "give": {"wood": -1}, "take": {"stone": -1}},
        {"action": "trade", "give": {"gold": 1}, "take": {"stone": 1}},
        {"action": "collect", "at": "c3", "player": "green"},
        {"action": "church", "to": "church_board", "track": "gold"},
        {"event": "draw", "discs": {"red": 3, "blue": -1}},
        {"event": "place_tile", "cell": 5, "tile": "T11", "rot": 0},
        {"action": "collect", "where": "c3"},
        {"action": "colect", "at": "c3"},
    ],
)
def test_json_that_is_no_move_is_told_from_a_move_that_is_forbidden(said: dict[str, Any]) -> None:
    with pytest.raises(MoveFormError):
        from_json(said, at(ACT))


# --- seats -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("seats", "rule"),
    [
        ([], "XK-GAME-2"),
        (["red"], "XK-GAME-2"),
        (["red", "blue", "white", "black", "green"], "XK-GAME-2"),
        (["Eva", "Eva"], "XK-GAME-5"),
    ],
)
def test_who_may_sit_down(seats: list[str], rule: str | None) -> None:
    rules = games.rules_with("xarkant")
    here: Position[Any] = Position(rules, rules.new_state())
    verdict = here.judge(rules.setup_move(seats, {}))
    assert not verdict.legal
    assert [breach.rule for breach in verdict.reasons] == ([rule] if rule else [])


def test_players_sit_down_under_any_name() -> None:
    rules = games.rules_with("xarkant")
    here: Position[Any] = Position(rules, rules.new_state())
    assert here.play(rules.setup_move(["Eva", "Joris", "red"], {})).legal
    assert here.state.players == ["Eva", "Joris", "red"]
    assert notation.read("drawer joris", here)[0].to_json() == {"event": "first_drawer", "player": "Joris"}


# --- positions and questions -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("form", "path"),
    [
        ({"terrain": LAND[:5]}, "terrain"),
        ({"terrain": [*LAND[:5], "QFFWW"]}, "terrain[5]"),
        ({"terrain": [*LAND[:5], "QFFWWX"]}, "terrain[5]"),
        ({"phase": "lunch"}, "phase"),
        ({"drawer": "green"}, "drawer"),
        ({"active": "green"}, "active"),
        ({"drawn": {"green": 1}}, "drawn"),
        ({"bag": {"red": -1}}, "bag.red"),
        ({"pieces": {"g1": {"kind": "village"}}}, "pieces.g1"),
        ({"pieces": {"a1": {"kind": "tower", "owner": "red"}}}, "pieces.a1"),
        ({"pieces": {"a1": {"kind": "work"}}}, "pieces.a1.owner"),
        ({"pieces": {"a1": {"kind": "work", "owner": "green"}}}, "pieces.a1.owner"),
        ({"player": {"green": {}}}, "player.green"),
        ({"player": {"red": {"wheat": -1}}}, "player.red.wheat"),
        ({"player": {"red": {"wood": 9}}}, "player.red.wood"),
        ({"player": {"red": {"popularity": 7}}}, "player.red.popularity"),
        ({"player": {"red": {"gold": 1}}}, "gold"),
        ({"state_board": {"workshops": ["green"]}}, "state_board.workshops"),
        ({"church_board": {"gold": ["red"]}}, "church_board.gold"),
        ({"church_board": {"wood": ["green"]}}, "church_board.wood"),
        ({"players": ["red", "red"]}, "players"),
        ({"players": list("abcde")}, "players"),
        ({"round": 0}, "round"),
        ({"tiles": {"1": {"tile": "T11"}}}, "tiles.1"),
    ],
)
def test_positions_that_cannot_be_are_refused_with_the_place(form: dict[str, Any], path: str) -> None:
    with pytest.raises(CompanionError) as refused:
        at(form)
    assert path in str(refused.value)


@pytest.mark.parametrize(
    ("pieces", "law"),
    [
        ({"c1": {"kind": "work", "owner": "red"}, "c4": {"kind": "claim", "owner": "blue"}}, "2 discs in one area"),
        ({f"{c}1": {"kind": "workshop", "owner": "red"} for c in "abcdef"}, "workshop"),
        ({f"{c}1": {"kind": "town", "owner": "red"} for c in "abcdef"}, "church"),
        ({f"{c}{row}": {"kind": "village"} for c in "abcdef" for row in (1, 3)}, "12 villages"),
        ({f"{c}{row}": {"kind": "claim", "owner": "red"} for c in "abcde" for row in (1, 6)}, "red has 10 discs"),
    ],
)
def test_a_whole_position_has_the_pieces_of_the_box(pieces: dict[str, Any], law: str) -> None:
    here = at({"terrain": LAND, "pieces": pieces})
    assert any(law in fault for fault in here.rules.check_whole(here.state))


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("area", {"at": "g1"}),
        ("rotations", {"cell": 10, "tile": "T01"}),
        ("rotations", {"cell": 1, "tile": "T11"}),
        ("score", {"player": "green"}),
    ],
)
def test_a_question_about_what_there_is_not_is_refused(query: str, said: dict[str, Any]) -> None:
    with pytest.raises(CompanionError):
        ask(at(ACT), query, **said)


def test_a_village_belongs_to_no_area() -> None:
    here = at({**ACT, "pieces": {"d4": {"kind": "village"}}})
    assert ask(here, "area", at="d4") == {"type": None, "size": 0, "cells": [], "occupied": False}


# --- answers ---------------------------------------------------------------------------------------------------------

SCORED: dict[str, Any] = {
    **ACT,
    "phase": "end",
    "drawn": {},
    "end_reason": "villages",
    "pieces": {
        "c2": {"kind": "claim", "owner": "red"},
        "c1": {"kind": "church", "owner": "red"},
        "b2": {"kind": "church", "owner": "blue"},
        "d4": {"kind": "town", "owner": "blue"},
    },
    "church_board": {"wheat": ["red"]},
    "player": {"red": {"wheat": 2, "popularity": 4}, "blue": {"popularity": 5}},
}


def test_the_score_says_where_every_point_comes_from() -> None:
    here = at(SCORED)
    text = answers.ledger_text(here.rules.score(here), {"red": "Ana"})
    assert "1. Ana (red): 23 points" in text
    assert "popularity: (5 - 4) x -1 [XK-SCORE-1]" in text
    assert "pieces in play: (0 workshops + 2 churches) x 1 [XK-SCORE-2]" in text
    assert "wheat track: 1 church x 2 wheat x 1 [XK-SCORE-3]" in text
    assert "beside 1 town (d4): 2 [XK-SCORE-4]" in text
    assert "own church on c1: 6 x 2 [XK-SCORE-5]" in text
    assert "church of blue on b2: 6 x 1 [XK-SCORE-5]" in text
    assert "Ana won." in text and "[XK-END-2]" in text


def test_before_the_end_the_score_says_so() -> None:
    here = at({**SCORED, "phase": "act", "drawn": {"red": 1}, "end_reason": None})
    text = answers.ledger_text(here.rules.score(here), {})
    assert "points if the game ended now" in text and "The game is not over." in text


def test_a_tie_that_is_decided_shows_the_figures() -> None:
    form = {
        **ACT,
        "phase": "end",
        "drawn": {},
        "pieces": {"a1": {"kind": "claim", "owner": "red"}, "c1": {"kind": "claim", "owner": "blue"}},
    }
    here = at(form)
    text = answers.ledger_text(here.rules.score(here), {})
    assert "tie-break quadrants in claimed areas: red 2, blue 6 [XK-SCORE-11]" in text
    assert "blue won." in text


def test_a_refusal_names_every_rule_that_is_broken_and_what_would_be_legal() -> None:
    here = at({**ACT, "active": "red", "drawn": {}, "pieces": {"c1": {"kind": "work", "owner": "blue"}}})
    outcome = try_line(here, [from_json({"action": "collect", "at": "c3", "pay_popularity": 4}, here)])
    assert [breach.rule for breach in outcome.verdict.reasons][:2] == ["XK-TURN-4", "XK-COLLECT-1"]
    assert {"XK-LAND-4", "XK-COLLECT-8"} <= {breach.rule for breach in outcome.verdict.reasons}
    form = answers.outcome_json(try_line(at(ACT), [from_json({"action": "workshop", "at": "c3"}, at(ACT))]), at(ACT))
    assert form["legal"] is False
    assert {reason["rule"] for reason in form["reasons"]} == {"XK-WORKSHOP-5", "XK-WORKSHOP-1"}


def test_the_table_shows_areas_pieces_boards_and_what_is_next() -> None:
    here = at({**ACT, "pieces": {"c3": {"kind": "village"}, "c1": {"kind": "work", "owner": "blue"}}})
    text = here.rules.show(here)
    for words in ("| village |", "B work", "State Board: 5 villages", "red acts with 1 disc left"):
        assert words in text, words


def test_an_unfinished_land_asks_for_the_next_tile_and_then_for_the_drawer() -> None:
    for form, words in ((TILES, "tile for cell 5"), ({"phase": "setup", "terrain": LAND}, "first drawer")):
        here = at(form)
        assert words in here.rules.show(here)


def test_everybody_passed_ends_the_phase() -> None:
    here = at({**ACT, "drawn": {"red": 1, "blue": 1}})
    draw = from_json({"event": "draw", "discs": {"red": 2}}, here)
    assert not try_line(here, [draw]).done
    outcome = try_line(here, [draw], passed=True)
    assert outcome.done and outcome.after.state.aside == {"red": 1, "blue": 1}
