"""What was played is said in words: every move of the golden games, and of games by chance, as a line that can be typed
again. No log line is JSON."""

from __future__ import annotations

import re
from random import Random
from typing import Any

import case_runner
import games
import playthrough_runner
import pytest

from companion.engine.language import notation, saying
from companion.engine.language.jsonmoves import from_json
from companion.engine.language.positionfile import from_form
from companion.engine.play.lines import try_line
from companion.engine.play.moves import Move
from companion.engine.play.position import Position
from companion.engine.play.unbundling import unbundled

FORM = re.compile(r"[{}\[\]\"()]")
MOST = 120
"""Moves of a game by chance."""
SEATS = {"dynasties": ["white", "black"], "xarkant": ["ana", "bo", "cai"], "tianxia": ["ana", "bo", "cai"]}


def faults(move: Move, at: Position[Any]) -> list[str]:
    """Where the words of a legal move are none, or lead elsewhere than the move."""
    wanted = try_line(at, [move])
    parts = unbundled(move, at)
    lines = [saying.short(one, at) for one in parts]
    here = at
    for line in lines:
        if FORM.search(line):
            return [f"{line}: JSON"]
        outcome = try_line(here, notation.read(line, here))
        if not outcome.done:
            return [f"{lines}: {line!r} is not played: {[b.why for b in outcome.verdict.reasons]}"]
        here = outcome.after
    same = here.state == wanted.after.state
    return [] if same else [f"{lines} leads elsewhere than {move.to_json()}"]


@pytest.mark.parametrize("game", games.GAMES)
def test_moves_of_golden_games_are_said_in_words(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    found: list[str] = []

    def typed(line: str, at: Position[Any], people: dict[str, str]) -> tuple[Position[Any], str]:
        try:
            outcome = try_line(at, notation.read(line, at, people=people), typed=True)
        except notation.NotationError:
            return at, ""
        if outcome.done and len(outcome.said) == 1:
            found.extend(faults(outcome.said[0], at))
        after = outcome.after if outcome.done else at
        after.events.clear()
        return after, "OK: "

    monkeypatch.setattr(playthrough_runner, "typed", typed)
    for file in playthrough_runner.transcripts(game):
        playthrough_runner.replayed(game, file.read_text("utf-8"))
    assert found == []


def test_a_report_with_all_that_it_brings_along_is_said_in_words() -> None:
    """The JSON reports of the cases; how a price is split, and a field set by hand, have no words."""
    forms: list[str] = []
    for case in case_runner.cases("great-wall")[::4]:
        if case.said.get("legal") is True and not case.sets and isinstance(case.said["moves"][0], dict):
            rules = games.rules_with(case.game, {}, case.variants)
            at: Position[Any] = Position(rules, from_form(case.said.get("position") or {}, rules))
            move = from_json(case.said["moves"][0], at)
            said = "; ".join(saying.short(one, at) for one in unbundled(move, at))
            forms += [said] if "{" in said and "pay=" not in said and move.name != "correct" else []
    assert forms == []


@pytest.mark.parametrize("game", games.GAMES)
def test_moves_of_games_by_chance_are_said_in_words(game: str) -> None:
    rules, rng = games.rules_with(game, {}, ()), Random(7)
    at: Position[Any] = Position(rules, rules.new_state())
    at.play(rules.setup_move(SEATS.get(game, list(games.resolved(game).seats)[:4]), {}))
    found: list[str] = []
    for _ in range(MOST):
        move = None if rules.over(at.state) else rules.propose(at, rng)
        if move is None:
            break
        at.events.clear()
        found += faults(move, at) if at.judge(move).legal else []
        at.play(move)
    assert found == []
