"""A table of Xarkant as its players meet it: what they are asked, told and shown, and what may be kept by override."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from xml.dom import minidom

import games
import pytest
import yaml
from command_line import Companion

from companion.cli.common import Settings
from companion.engine.answers import answers
from companion.engine.language.notation import NotationError, read
from companion.engine.language.positionfile import from_form
from companion.engine.play.lines import CannotHappen, Outcome, try_line
from companion.engine.play.position import Position
from components.projects import project_root
from generator.build.places import Places
from generator.build.scenes import SceneMaker

LAND = ["QQWWFF", "FWWQFW", "QFWFFF", "QFWQWW", "WFQFWQ", "QFFWWQ"]
TURN: dict[str, Any] = {
    "players": ["ana", "bo", "cai"],
    "terrain": LAND,
    "drawer": "cai",
    "drawn": {"ana": 2, "bo": 1},
    "pieces": {
        "c1": {"kind": "workshop", "owner": "bo"},
        "d4": {"kind": "village"},
        "d6": {"kind": "work", "owner": "ana"},
        "e3": {"kind": "claim", "owner": "bo"},
        "a6": {"kind": "town", "owner": "bo"},
    },
    "player": {"ana": {"wheat": 3, "wood": 5, "stone": 4}},
}
LAST: dict[str, Any] = {
    "players": ["ana", "bo"],
    "terrain": LAND,
    "phase": "cleanup",
    "pieces": {place: {"kind": "claim", "owner": "ana"} for place in ("a1", "a3", "b6", "e1")},
    "aside": {"bo": 4},
    "progress": True,
}
LONG = 'Christian <the "Great"> & Sons of the Long House'


def at(form: dict[str, Any], **sets: Any) -> Position[Any]:
    rules = games.rules_with("xarkant", sets)
    return Position(rules, from_form(form, rules))


def kept(here: Position[Any], line: str) -> Outcome:
    """A line that the table keeps although it is against the rules."""
    outcome = try_line(here, read(line, here), force=True)
    assert outcome.done and outcome.broken
    return outcome


def told(here: Position[Any], line: str) -> list[str]:
    """What the table is told of a line, without the rules."""
    outcome = try_line(here, read(line, here))
    assert outcome.done, answers.outcome_text(outcome, here)
    return [event.what for event in outcome.events if not event.aside]


@pytest.fixture
def companion(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, home: Path
) -> Companion:
    monkeypatch.setattr(Settings, "root", None)
    return Companion(capsys, monkeypatch)


@pytest.fixture
def turn(companion: Companion, tmp_path: Path) -> Companion:
    """A table at the position TURN."""
    (tmp_path / "turn.yaml").write_text(yaml.safe_dump(TURN), encoding="utf-8")
    made = companion("new", "xarkant", "ana=Anna", "bo", "cai", "--position", str(tmp_path / "turn.yaml"))
    assert made.status == 0
    return companion


# --- what is said at the table ---------------------------------------------------------------------------------------


def test_whoever_is_next_is_named_with_the_discs_there_are() -> None:
    draw = at({"players": ["ana", "bo", "cai"], "terrain": LAND, "phase": "draw", "drawer": "bo"})
    assert "cai and ana act, in this order" in told(draw, "draw 2 ana 1 cai")
    assert told(at(TURN), "collect d5")[-1] == "ana has 1 drawn disc left"
    assert told(at({**TURN, "drawn": {"ana": 1}}), "claim d5")[-1] == "ana has no drawn discs left"
    assert told(at(TURN), "pass")[-1] == "bo acts, with 1 disc"


def test_what_is_paid_or_lost_is_said_with_what_is_left() -> None:
    assert "ana pays 1 popularity and has 2 left" in told(at(TURN), "collect a4 pay 1")
    assert "ana pays 1 popularity, has 2 left, and swaps 1 wood for 1 wheat" in told(at(TURN), "trade wood for wheat")
    poor = at({**TURN, "player": {"ana": {"wood": 6, "popularity": 0}}})
    assert "ana has no popularity left to return" in told(poor, "collect c3")


def test_owners_gain_what_the_supply_has_for_all_their_workshops() -> None:
    shops = {"b2": {"kind": "workshop", "owner": "bo"}, "c1": {"kind": "workshop", "owner": "bo"}}
    form = {"players": ["ana", "bo"], "terrain": LAND, "drawer": "bo", "drawn": {"ana": 1}, "pieces": shops}
    assert "bo gains 2 wood for 2 workshops" in told(at(form), "collect c3")
    scarce = told(at(form, **{"token_supply.wood": 7}), "collect c3")
    assert "The supply has only 7 of the 8 wood due to ana" in scarce
    assert not any(line.startswith("bo gains") for line in told(at(form, **{"token_supply.wood": 6}), "collect c3"))


def test_idle_rounds_are_told_and_shown() -> None:
    idle = {"players": ["ana", "bo"], "terrain": LAND, "phase": "cleanup", "aside": {"ana": 4, "bo": 4}}
    assert "Nobody claimed or built this round; the game ends after 1 more idle round" in told(at(idle), "cleanup")
    here = at({**idle, "phase": "draw", "aside": {}, "idle_rounds": 1})
    assert "Idle rounds: 1; 2 in a row end the game; nobody has claimed" in here.rules.show(here)


def test_after_the_end_an_action_is_told_that_the_game_is_over() -> None:
    here = at({**LAST, "phase": "end", "end_reason": "claims"})
    assert [b.why for b in try_line(here, read("bo claim f6", here)).verdict.reasons][:1] == [
        "The game is over. ana won. ana has no disc to return: all 4 are claims"
    ]


def test_a_tile_that_lies_already_is_refused_for_that_alone() -> None:
    rows = ["QQ....", "FW....", "......", "......", "......", "......"]
    here = at({"players": ["ana", "bo"], "terrain": rows, "tiles": {"1": {"tile": "T09", "rot": 90}}})
    outcome = try_line(here, read("tile T09 0", here))
    assert [breach.rule for breach in outcome.verdict.reasons] == ["XK-PREP-3"]


def test_the_question_how_a_tile_is_turned_says_what_each_turn_comes_to() -> None:
    corner = {"players": ["ana", "bo"], "phase": "setup", "terrain": [*LAND[:4], "WF....", "QF...."]}
    outcome = try_line(at(corner), read("T07", at(corner)))
    (choice,) = outcome.verdict.needs
    assert choice.options == [90, 180]
    assert "On c6 (90) and c5 (180) its star makes a field of 5" in choice.question
    first = at({"players": ["ana", "bo"], "phase": "setup"})
    assert "every turn is allowed" in try_line(first, read("T07", first)).verdict.needs[0].question


def test_a_refused_turn_of_a_tile_names_the_turn_of_that_tile_which_is_legal(companion: Companion) -> None:
    assert companion("new", "xarkant", "ana", "bo").status == 0
    assert companion("do", "T07 90", "T08").status == 0
    refused = companion("do", "T03 180")
    assert refused.status == 1
    assert "legal: tile cell 3 T03 turned 270" in refused.out


def test_a_word_that_is_no_quadrant_gets_told_which_there_are_and_how_the_move_is_typed() -> None:
    with pytest.raises(NotationError, match=r"'g9' .* quadrants go from a1 to f6; usage: .*e\.g\. claim e1"):
        read("claim g9", at(TURN))


def test_a_line_that_breaks_off_says_so() -> None:
    with pytest.raises(NotationError, match=r"nothing follows 'pay'; usage: .*collect"):
        read("collect c3 pay", at(TURN))


@pytest.mark.parametrize(
    ("line", "move"),
    [
        ("build workshop e4", {"action": "workshop", "at": "e4"}),
        ("place a church on d4", {"action": "church", "at": "d4"}),
        ("church on the wheat track", {"action": "church", "track": "wheat"}),
        ("trade 2 wood to 2 wheat", {"action": "trade", "give": {"wood": 2}, "take": {"wheat": 2}}),
        ("ana: end turn", {"action": "pass", "player": "ana"}),
    ],
)
def test_moves_are_understood_as_people_say_them(line: str, move: dict[str, Any]) -> None:
    (said,) = read(line, at(TURN))
    assert said.to_json() == move


def test_the_last_round_is_not_cleaned_up_unasked() -> None:
    here = at(LAST)
    outcome = try_line(here, read("draw 2 bo", here))
    assert outcome.verdict.legal is False
    assert "ends the game: ana has no disc to return" in outcome.verdict.reasons[0].why
    again = at({**LAST, "pieces": {}})
    assert try_line(again, read("draw 2 bo", again)).done


# --- play ------------------------------------------------------------------------------------------------------------


def test_play_takes_answers_in_words_and_asks_again_after_a_wrong_one(turn: Companion) -> None:
    lines = ["collect", "zz", "d5", "church", "the board", "wheat", "trade", "2 wood", "2 stone", "workshop", "f4"]
    result = turn("play", stdin="\n".join([*lines, "pass", "bo pass", "draw", "1 anna 2 cai"]) + "\n")
    assert "'zz' does not answer the question" in result.err
    for said in (
        "OK: Anna collect d5",
        "OK: Anna church board wheat",
        "OK: Anna trade give 2 wood for 2 stone",
        "OK: Anna workshop land f4",
        "OK: draw 1 Anna 2 cai",
    ):
        assert said in result.out


def test_an_empty_answer_records_nothing(turn: Companion) -> None:
    result = turn("play", stdin="village\n\nlog\n")
    assert "nothing recorded" in result.out
    assert "OK" not in result.out


# --- moves, show, picture --------------------------------------------------------------------------------------------


def test_moves_are_listed_by_area_and_one_by_one_for_programs(turn: Companion) -> None:
    listed = turn("moves").out.splitlines()
    assert len(listed) < 25
    assert "Anna collect … [pay 1 or 3] or claim …, with a quadrant of" in listed
    assert "  a forest of 6 with 1 workshop: d1 b2 c2 c3 c4" in listed
    assert "Anna workshop e4, f4, e5, e6 or state" in listed
    assert "Anna church e4, f4, e5, e6, d4, wheat, wood or stone" in listed
    rows = turn("moves", "--json").json["moves"]
    assert {"action": "claim", "player": "ana", "at": "c3"} in [row["move"] for row in rows]
    assert "Anna claim c3" in turn("play", stdin="moves claim\n").out.splitlines()


def test_moves_of_the_set_up_are_listed_by_tile(companion: Companion) -> None:
    assert companion("new", "xarkant", "ana", "bo").status == 0
    listed = companion("moves").out.splitlines()
    assert "T07 0, 90, 180 or 270" in listed
    assert "drawer ana" in listed
    assert len(listed) == 12


def test_a_table_of_four_with_long_names_fits_100_columns() -> None:
    here = at({**TURN, "players": ["ana", "bo", "cai", LONG]})
    text = here.rules.show(here)
    assert max(map(len, text.splitlines())) <= 100
    assert "Christian <t…" in text


def test_players_who_begin_alike_have_marks_of_their_own() -> None:
    names = ["Christian", "Christiane", "Christina", "Bo"]
    pieces = {place: {"kind": "church", "owner": name} for place, name in zip("abcd", names, strict=True)}
    here = at({"players": names, "terrain": LAND, "pieces": {f"{c}1": piece for c, piece in pieces.items()}})
    line = next(row for row in here.rules.show(here).splitlines() if "church" in row)
    marks = [part.split()[0] for part in line.strip(" |").replace("^ ", "").split("church") if part.split()]
    assert len({mark.strip("|") for mark in marks[:4]}) == 4


def test_the_picture_is_xml_whatever_the_players_are_called() -> None:
    names = [LONG, "Zoë & <b>", "red"]
    pieces = {"c1": {"kind": "workshop", "owner": LONG}, "d4": {"kind": "town", "owner": "Zoë & <b>"}}
    here = at({"players": names, "terrain": LAND, "pieces": pieces, "state_board": {"workshops": ["red", LONG]}})
    drawn = SceneMaker(here.rules.game, Places(project=project_root()))
    document = minidom.parseString(drawn.svg(drawn.picture(here.rules.scene(here))))
    (told,) = document.getElementsByTagName("desc")
    assert "Zoë & <b>" in told.firstChild.data


def test_a_seat_called_by_a_colour_has_that_colour_and_the_others_have_the_rest() -> None:
    here = at({"players": ["ana", "blue", "bo"], "terrain": LAND})
    boards = {thing.label: thing.piece for thing in here.rules.scene(here).pieces if thing.label}
    assert boards == {"ana": "player-board/red", "blue": "player-board/blue", "bo": "player-board/white"}


# --- kept against the rules ------------------------------------------------------------------------------------------


def test_a_second_disc_in_an_area_can_be_kept() -> None:
    here = at(TURN)
    outcome = kept(here, "collect e1")
    assert {broken["rule"] for broken in outcome.broken} == {"XK-COLLECT-1", "XK-LAND-4"}
    assert outcome.after.state.pieces["e1"].owner == "ana"
    assert "there are 2 discs in one area: e1, e3" in outcome.after.rules.check_whole(outcome.after.state)


@pytest.mark.parametrize(
    ("move", "why"),
    [
        ({"action": "collect", "player": "ana", "at": "z9"}, "which the land does not have"),
        ({"action": "workshop", "player": "ana", "to": "land", "at": "e3"}, "bo has 3 discs, not 4"),
        ({"action": "church", "player": "ana", "to": "village", "at": "a6"}, "bo has 4 churches, not 5"),
        ({"event": "draw", "discs": {"cai": 5}}, "the bag holds -1 discs of cai"),
    ],
)
def test_what_cannot_lie_on_the_table_cannot_be_kept(turn: Companion, move: dict[str, Any], why: str) -> None:
    before = turn("show").out
    refused = turn("do", json.dumps(move), "--override", "it happened")
    assert refused.status != 0
    assert why in refused.err or "cannot have" in refused.err
    assert turn("show").out == before


def test_a_pass_out_of_turn_is_the_pass_of_whoever_said_it() -> None:
    after = kept(at(TURN), "bo pass").after.state
    assert (after.active, after.queue, after.aside["bo"], after.drawn["ana"]) == ("ana", ["ana"], 1, 2)


def test_a_pass_kept_outside_a_phase_changes_nothing() -> None:
    here = at({"players": ["ana", "bo"], "phase": "setup"})
    after = kept(here, "ana pass").after.state
    assert after == here.state


def test_what_was_kept_says_what_was_really_paid() -> None:
    form = {**TURN, "player": {"ana": {"wood": 1}}}
    said = [event.what for event in kept(at(form), "church wheat").events]
    assert "ana pays 1 wood for a church" in said


def test_a_table_that_plays_on_after_the_end_has_not_ended() -> None:
    over = {"players": ["ana", "bo"], "terrain": TURN["terrain"], "phase": "end", "end_reason": "idle"}
    after = kept(at(over), "draw ana bo").after.state
    assert (after.phase, after.end_reason) == ("act", None)


def test_a_cleanup_kept_in_mid_round_brings_all_discs_home() -> None:
    after = kept(at(TURN), "cleanup").after.state
    assert (after.phase, after.queue, after.active) == ("draw", [], None)
    assert after.bag == {"ana": 4, "bo": 3, "cai": 4}


def test_the_first_drawer_is_missed_when_a_draw_is_kept_at_set_up() -> None:
    here = at({"players": ["ana", "bo"], "phase": "setup"})
    with pytest.raises(CannotHappen, match="nobody is the drawer"):
        try_line(here, read("draw ana bo", here), force=True)


# --- what is not accepted --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ({"query": "area", "at": {"a": 1}}, "at: expected text, found a mapping"),
        ({"query": "rotations", "cell": "1", "tile": "T01"}, "cell: expected a whole number, found text"),
        ({"query": "rotations", "cell": 1, "tile": []}, "tile: expected text, found a list"),
        ({"query": []}, "no query is called []"),
    ],
)
def test_queries_of_a_wrong_form_are_refused_by_name(turn: Companion, query: dict[str, Any], said: str) -> None:
    refused = turn("check", json.dumps(query))
    assert refused.status == 2
    assert said in refused.err


def test_an_action_at_a_table_where_nobody_sits_is_refused(companion: Companion, tmp_path: Path) -> None:
    (tmp_path / "empty.yaml").write_text("{}", encoding="utf-8")
    place = ("xarkant", "--position", str(tmp_path / "empty.yaml"))
    assert "nobody has a seat" in companion("check", *place, '{"action": "trade", "player": "ana"}').err
    assert companion("check", *place, "trade").status == 1


def test_a_church_goes_to_one_place_only() -> None:
    here = at(TURN)
    outcome = try_line(here, read("church e4 wheat", here))
    assert [breach.rule for breach in outcome.verdict.reasons] == ["XK-CHURCH-9"]


def test_seats_with_names_of_their_own(companion: Companion) -> None:
    assert "given twice" in companion("new", "xarkant", "Ana", "ana").err
    assert "2 players, clockwise: Re and Al" in companion("new", "xarkant", "Re", "Al").out


def test_tiles_that_are_not_printed_do_not_come_up(companion: Companion) -> None:
    few = companion("new", "xarkant", "ana", "bo", "--set", "tiles=3")
    assert (few.status, "needs 9 tiles, and the box holds 3" in few.out) == (1, True)
    assert companion("new", "xarkant", "ana", "bo", "--set", "tiles=9").status == 0
    assert "T10" not in companion("moves").out


@pytest.mark.parametrize(("sets", "start"), [({"popularity.start": 9}, 5), ({"popularity.tokens_per_player": 2}, 2)])
def test_a_board_starts_with_no_more_popularity_than_there_is(sets: dict[str, Any], start: int) -> None:
    here = at({"players": ["ana", "bo"]}, **sets)
    assert here.state.player["ana"].popularity == start
    assert here.rules.check_whole(here.state) == []


def test_players_called_by_numbers_can_be_read_from_yaml() -> None:
    here = at({"players": [1, 2], "terrain": LAND, "drawn": {1: 1}, "player": {2: {"wood": 3}}})
    assert (here.state.active, here.state.player["2"].wood) == ("1", 3)


# --- rules with other numbers ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("table", ["no table", "xarkant", "warring-states"])
def test_a_rule_is_shown_with_numbers_that_only_its_own_game_has(companion: Companion, table: str) -> None:
    """Whatever other games there are, and whatever is played just now."""
    if table != "no table":
        assert companion("new", table, *(["ana", "bo"] if table == "xarkant" else ["Qin", "Chu"])).status == 0
    assert "A church costs 1 wood and 4 stone." in companion("rule", "XK-CHURCH-13", "--set", "church.cost.stone=4").out
    assert "on the land and in towns only" in companion("rule", "XK-SCORE-9", "--variant", "land-only").out
    assert "costs 3 Bu" in companion("rule", "WS-BUILD-2", "--set", "army_cost=3").out
