"""The rulings printed in the rulebooks are what the companion rules: every game, every question."""

from __future__ import annotations

from typing import Any

import pytest

from companion.engine.answers.answers import plain
from companion.engine.answers.queries import answer
from companion.engine.language.jsonmoves import from_json
from companion.engine.language.positionfile import from_form
from companion.engine.play.position import Position
from companion.games import load_rules
from components.loader import list_games
from components.model import ResolvedRuling
from components.resolve import resolve_game

ASKED = [(game, ruling) for game in list_games() for ruling in resolve_game(game).rulings]


def unlike(wanted: Any, found: Any, path: str = "") -> list[str]:
    """Where a position differs from the part of it that is expected."""
    if not isinstance(wanted, dict):
        return [] if wanted == found else [f"{path}: {found}, not {wanted}"]
    if not isinstance(found, dict):
        return [f"{path}: {found}, not {wanted}"]
    return [line for key, value in wanted.items() for line in unlike(value, found.get(key), f"{path}.{key}")]


@pytest.mark.parametrize(("game", "ruling"), ASKED, ids=[f"{game}-{ruling.id}" for game, ruling in ASKED])
def test_the_companion_rules_as_the_answer_says(game: str, ruling: ResolvedRuling) -> None:
    rules = load_rules(resolve_game(game, sets=ruling.set, variants=ruling.variants))
    position: Position[Any] = Position(rules, from_form(ruling.position, rules))
    verdicts = [position.play(from_json(move, position)) for move in ruling.moves]
    assert verdicts or ruling.query, "neither moves nor a question"
    for verdict in verdicts[:-1]:
        assert verdict.legal, verdict.reasons
    for verdict in verdicts[-1:]:
        assert verdict.legal is ruling.legal, verdict.reasons
        assert {breach.rule for breach in verdict.reasons} <= set(ruling.rules)
    assert unlike(ruling.expect, rules.dump(position.state)) == []
    if ruling.query:
        assert unlike(plain(ruling.value), plain(answer(ruling.query, position).value)) == []


def test_every_game_answers_questions() -> None:
    assert {game for game, _ in ASKED} == set(list_games())
