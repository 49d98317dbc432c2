"""What players of Dynasties type, and the score they are shown."""

from __future__ import annotations

from typing import Any

import games
import pytest

from companion.engine.answers import answers
from companion.engine.errors import CompanionError
from companion.engine.language import notation
from companion.engine.language.jsonmoves import from_json
from companion.engine.language.positionfile import from_form
from companion.engine.play.position import Position
from companion.games import load_rules
from components.resolve import resolve_game

BATTLE = {"dynasty": 2, "phase": "battles", "order": ["Tibet", "Gansu", "Qinghai", "Xinjiang", "Mandarin"]}
MARK = {"phase": "battles", "provinces": {"Gansu": {"white": 2}}, "players": {"white": {"shown": {"Tibet": "6"}}}}
PLACE = {"white": {"reserve": 0, "shown": {"Qinghai": "4"}}, "black": {"shown": {"Qinghai": "1"}}}
STANDING = {"Tibet": {"white": 2}, "Gansu": {"white": 3}}
WARLORDS = {"options": {"warlords": True}, "phase": "deploy", "dynasty": 2, "provinces": {"Tibet": {"white": 1}}}


def at(form: dict[str, Any]) -> Position[Any]:
    rules = games.rules_with("dynasties")
    return Position(rules, from_form(form, rules))


@pytest.mark.parametrize(
    ("form", "line", "said"),
    [
        ({}, "tiles e c g i a", {"action": "tiles", "letters": ["E", "C", "G", "I", "A"]}),
        ({}, "Ben ready", {"action": "ready", "player": "black"}),
        (
            {"dynasty": 2, "phase": "order"},
            "order tibet gansu",
            {"action": "choose_order", "order": ["Tibet", "Gansu"]},
        ),
        (BATTLE, "reveal tibet 7 +1", {"action": "reveal", "province": "Tibet", "white": "7", "black": "+1"}),
        (BATTLE, "reveal plague -1", {"action": "reveal", "white": "Plague", "black": "-1"}),
        (BATTLE, "7 +1", {"action": "reveal", "white": "7", "black": "+1"}),
        (BATTLE, "plague 10", {"action": "reveal", "white": "Plague", "black": "10"}),
        (MARK, "mark reserve", {"action": "pay_mark", "source": "reserve"}),
        (MARK, "ann mark from gansu", {"action": "pay_mark", "player": "white", "source": "Gansu"}),
        (MARK, "ann mark tibet", {"action": "pay_mark", "player": "white", "to": "Tibet"}),
        (
            {"dynasty": 2, "phase": "battles", "players": PLACE, "provinces": STANDING},
            "place 1 tibet 2 gansu",
            {"action": "place", "sources": {"Tibet": 1, "Gansu": 2}},
        ),
        (
            WARLORDS,
            "ann play st-1 tibet",
            {"action": "play_warlord", "player": "white", "card": "ST-1", "province": "Tibet"},
        ),
        (
            WARLORDS,
            "play forced march from tibet to qinghai",
            {"action": "play_warlord", "card": "ST-4", "from": "Tibet", "to": "Qinghai"},
        ),
        (WARLORDS, "declare pestilence gansu", {"action": "declare_warlord", "card": "KS-3", "province": "Gansu"}),
        (
            {"options": {"deck": "expert"}},
            "ann exchange plague",
            {"action": "exchange", "player": "white", "card": "Plague"},
        ),
        ({"phase": "clean", "dynasty": 2}, "draw ben", {"action": "draw", "player": "black"}),
    ],
)
def test_lines_as_players_type_them(form: dict[str, Any], line: str, said: dict[str, Any]) -> None:
    here = at(form)
    moves = notation.read(line, here, people={"Ann": "white", "Ben": "black"})
    assert [move.to_json() for move in moves] == [from_json(said, here).to_json()]


def test_two_cards_alone_are_no_reveal_before_the_battles() -> None:
    with pytest.raises(notation.NotationError):
        notation.read("7 +1", at({"phase": "deploy", "dynasty": 2}))


SCORED = {
    "dynasty": 3,
    "phase": "score",
    "pawn": 9,
    "provinces": {"Xinjiang": {"tile": [2, 3, 5], "white": 2}, "Tibet": {"tile": [1, 4, 5], "black": 1}},
}


def test_before_a_scoring_the_score_says_what_it_would_do() -> None:
    here = at({**SCORED, "phase": "deploy"})
    text = answers.ledger_text(here.rules.score(here), {"white": "Ann"})
    assert "Ann (white): 9 spaces on the scoring track" in text
    assert "If Dynasty 3 were scored now: [DY-SCORE-1]" in text
    assert "Xinjiang would pay Ann 2 (first value of tile E 2-3-5) [DY-SCORE-3]" in text
    assert "from +9 to +10 [DY-SCORE-5]" in text
    assert "Qinghai, Gansu and Mandarin have no armies and pay nobody [DY-SCORE-4]" in text
    assert "The game is not over." in text


def test_after_a_scoring_the_score_says_what_it_did_and_who_won() -> None:
    here = at(SCORED)
    assert here.play(from_json({"action": "score"}, here)).legal
    ledger = here.rules.score(here)
    assert ledger.totals() == {"white": 2, "black": 1}
    assert [remark.rule for remark in ledger.remarks] == ["DY-SCORE-4", "DY-SCORE-5"]
    assert ledger.ending is not None and ledger.ending.winners == ("white",)
    assert "white won. The pawn is on the red space +10 [DY-WIN-1]" in answers.ledger_text(ledger, {})
    assert [remark["rule"] for remark in answers.ledger_json(ledger)["remarks"]] == ["DY-SCORE-4", "DY-SCORE-5"]


def test_a_scoring_stays_in_the_score_until_the_next_cards_are_laid() -> None:
    here = at({**SCORED, "pawn": 0})
    assert here.play(from_json({"action": "score"}, here)).legal
    assert here.rules.score(here).unit == "points in Dynasty 3"
    assert here.play(from_json({"action": "ready", "player": "white"}, here)).legal
    assert here.rules.score(here).unit == "spaces on the scoring track"


def test_the_table_may_choose_its_game_at_set_up() -> None:
    rules = games.rules_with("dynasties")
    here: Position[Any] = Position(rules, rules.new_state())
    assert here.play(rules.setup_move(["white", "black"], {"deck": "expert", "warlords": True})).legal
    assert here.state.players["white"].deck == 11
    assert here.state.phase == "setup"


def test_a_variant_has_only_the_pieces_of_its_own_game() -> None:
    rules = load_rules(resolve_game("dynasties", variants=["basic"]))
    here: Position[Any] = Position(rules, rules.new_state())
    verdict = here.judge(rules.setup_move(["white", "black"], {"deck": "expert"}))
    assert [breach.rule for breach in verdict.reasons] == ["DY-SETUP-9"]


def test_a_table_without_order_asks_which_province_comes_next() -> None:
    here = at({"dynasty": 2, "phase": "battles"})
    verdict = here.judge(from_json({"action": "reveal", "white": "3", "black": "2"}, here))
    assert verdict.legal is None
    assert [choice.field for choice in verdict.needs] == ["province"]
    assert "reveal a province: Xinjiang, Tibet" in here.rules.show(here)


@pytest.mark.parametrize(
    ("form", "path"),
    [
        ({"pawn": 11}, "pawn"),
        ({"dynasty": 0}, "dynasty"),
        ({"provinces": {"Tibet": {"tile": "Z"}}}, "provinces.Tibet.tile"),
        ({"provinces": {"Tibet": {"white": -1}}}, "provinces.Tibet.white"),
        ({"phase": "battles", "order": ["Tibet", "Tibet"]}, "order"),
        ({"phase": "battles", "battle": {"province": "Tibet"}}, "players.white.shown"),
        ({"players": {"white": {"removed": ["11"]}}}, "players.white.removed"),
        ({"players": {"black": {"reserve": -1}}}, "players.black.reserve"),
    ],
)
def test_positions_that_cannot_be_are_refused_with_the_place(form: dict[str, Any], path: str) -> None:
    with pytest.raises(CompanionError) as refused:
        at(form)
    assert path in str(refused.value)


def test_a_battle_is_over_in_any_other_phase() -> None:
    """A position that leaves out its end would wait for it without end."""
    shown = {colour: {"shown": {"Tibet": card}} for colour, card in (("white", "7"), ("black", "3"))}
    battle = {"province": "Tibet", "resolved": True, "winner": "white", "placed": {"reserve": 4}}
    here = at({"dynasty": 2, "phase": "clean", "players": shown, "battle": battle})
    assert here.state.fighting is None
    assert "draw" in {type(move).name for move in here.legal()}
    assert "draws" in here.rules.show(here)
