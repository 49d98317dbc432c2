"""What people type at a table of Warring States Period, mistakes included."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest

from companion.cli import main as cli
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
    assert "OK: target Chu" in capsys.readouterr().out
