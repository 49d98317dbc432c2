"""What people type at a table of Warring States Period, mistakes included."""

from __future__ import annotations

import io
import sys
from pathlib import Path
from typing import Any

import pytest

from companion.cli import main as cli
from companion.engine.answers import queries
from companion.engine.language import notation
from companion.engine.language.positionfile import from_form
from companion.engine.play.position import Position, Rules
from companion.games import load_rules
from companion.games.warring_states.state import State
from components.resolve import resolve_game

At = Position[State]


@pytest.fixture(scope="module")
def rules() -> Rules:
    return load_rules(resolve_game("warring-states"))


def at_event(rules: Rules, **more: object) -> At:
    return Position(rules, from_form({"seats": ["Qin", "Chu", "Zhao"], "phase": "event", **more}, rules))


def test_the_rival_of_an_event_may_be_mistyped(rules: Rules) -> None:
    at = at_event(rules)
    with pytest.raises(notation.NotationError, match=r"'zao' cannot be read after 'target'; did you mean 'zhao'"):
        notation.read("reveal fire zao", at)
    (refused,) = notation.read("reveal fire chu", at_event(rules, decks={"event": {"discard": ["Fire"]}}))
    assert refused.to_json() == {"action": "reveal_event", "card": "Fire"}  # and the verdict says why


def test_people_called_like_an_event_and_a_rival(rules: Rules) -> None:
    people = {"Fire": "Chu", "Chu": "Zhao", "Mine": "Qin"}
    moves = [move.to_json() for move in notation.read("reveal fire chu", at_event(rules), people=people)]
    assert moves == [{"action": "reveal_event", "card": "Fire"}, {"action": "choose_target", "player": "Chu"}]
    (trade,) = notation.read("mine trade fire 2 mines for 1", at_event(rules), people=people)
    assert trade.to_json() == {"action": "trade", "a": "Qin", "b": "Chu", "a_gives": {"Mine": 2}, "b_gives": 1}


@pytest.mark.parametrize(
    ("line", "kind"),
    [("qin raises 2 armies", "buy_army"), ("qin appoints daring", "deploy_general"), ("qin rebuilds 1", "rebuild")],
)
def test_the_verbs_of_the_rulebook_can_be_typed(rules: Rules, line: str, kind: str) -> None:
    (move,) = notation.read(line, at_event(rules, phase="build"))
    assert move.name == kind


def test_the_question_of_an_event_names_who_chooses(rules: Rules) -> None:
    at = at_event(rules, event="Fire", active="Qin")
    assert rules.awaits(at).startswith("Which rival does Qin choose?")


def test_a_battle_card_is_not_named_by_its_value_alone(rules: Rules) -> None:
    with pytest.raises(notation.NotationError, match="'12' cannot be read after 'clash'"):
        notation.read("clash 12 7", at_event(rules))


def test_everybody_draws_once_the_event_leaves_nothing_open(rules: Rules) -> None:
    at = at_event(rules, event="Annex", event_target="Chu")
    for move in notation.read("pass all", at):
        assert at.play(move).legal
    assert at.state.phase == "trade"
    assert at.state.players["Qin"].provinces.intact == 8


def test_a_person_is_an_answer_in_play(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TABLEWRIGHT_HOME", str(tmp_path))
    cli.main(["new", "warring-states", "Qin=Ann", "Chu=Ben", "Zhao=Cem"])
    cli.main(["do", "cut qin 12T", "cut chu 7S", "cut zhao 3T", "reveal fire"])
    monkeypatch.setattr(sys, "stdin", io.StringIO("ben\n"))
    cli.main(["play"])
    assert "OK: target Ben" in capsys.readouterr().out


CLASH: dict[str, Any] = {
    "seats": ["Qin", "Chu", "Wu"],
    "war": {"campaign": {"attacker": "Qin", "defender": "Chu", "round": "clash"}},
    "players": {"Qin": {"generals": ["Daring"], "armies": 2}, "Chu": {"armies": 1}, "Wu": {"armies": 1}},
    "phase": "war",
}


@pytest.mark.parametrize(
    ("line", "cards"), [("qin clash 14S", ("Concentrate Force", None)), ("c clash 3T", (None, "Spears"))]
)
def test_a_destiny_card_said_with_its_player_is_that_players(
    rules: Rules, line: str, cards: tuple[str | None, str | None]
) -> None:
    (move,) = notation.read(line, at_event(rules, **CLASH))
    assert (move.attacker_card, move.defender_card) == cards  # type: ignore[attr-defined]


def test_only_belligerents_show_destiny_cards(rules: Rules) -> None:
    at = at_event(rules, **CLASH)
    (move,) = notation.read("wu clash 14S", at)
    assert move.cards == {"Wu": "Concentrate Force"}  # type: ignore[attr-defined]
    assert [breach.rule for breach in at.judge(move).reasons] == ["WS-TACT-2"]


@pytest.mark.parametrize(
    ("question", "total", "rule"),
    [
        ({"query": "income", "player": "Chu"}, 6, "WS-INCOME-2"),
        ({"query": "fill", "player": "Qin"}, 6, "WS-TACT-5"),
        ({"query": "redraw", "player": "Qin"}, 1, "WS-TACT-6"),
        ({"query": "total", "side": "attacker"}, 4, "WS-CLASH-8"),
        ({"query": "meld", "player": "Wu", "kind": "bronze"}, None, "WS-TAX-1"),
    ],
)
def test_questions_about_figures(rules: Rules, question: dict[str, Any], total: int | None, rule: str) -> None:
    found = queries.answer(question, at_event(rules, **CLASH))
    assert total is None or found.value["total"] == total
    assert rule in found.rules


@pytest.mark.parametrize(
    ("question", "says"),
    [
        ({"query": "income", "player": "Chuu"}, "did you mean 'Chu'"),
        ({"query": "total", "side": "both"}, "side"),
        ({"query": "meld", "player": "Wu", "kind": "bronz"}, "did you mean 'bronze'"),
    ],
)
def test_questions_that_cannot_be_answered(rules: Rules, question: dict[str, Any], says: str) -> None:
    with pytest.raises(queries.QueryError, match=says):
        queries.answer(question, at_event(rules, **CLASH))


def test_without_a_war_there_is_no_battle_total(rules: Rules) -> None:
    with pytest.raises(queries.QueryError, match="there is no war going on"):
        queries.answer({"query": "total", "side": "attacker"}, at_event(rules))
