"""Questions as players ask them find a rule or ruling that answers them among the first three answers.

`questions/GAME.yaml` maps each question to every id that answers it. Those after the first part were written from the
text of the source alone and asked for the first time when all of a part were written; the glossaries learned from them
afterwards.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from companion.engine.answers.ask import search
from components.loader import list_games
from components.resolve import resolve_game

FOLDER = Path(__file__).parent / "questions"
SHARE = 36 / 40
"""The part of the questions that have to be answered."""


def questions(game: str) -> dict[str, list[str]]:
    found: Any = yaml.safe_load((FOLDER / f"{game}.yaml").read_text("utf-8"))
    return dict(found)


@pytest.mark.parametrize("name", list_games())
def test_questions_find_their_rules(name: str, caches: Path) -> None:
    game = resolve_game(name)
    asked = questions(name)
    assert len(asked) >= 120
    missed = {}
    for question, answers in asked.items():
        found = [one.id for one in search(game, question, 3, caches)]
        if not set(answers) & set(found):
            missed[question] = found
    assert len(missed) <= (1 - SHARE) * len(asked), missed


@pytest.mark.parametrize("name", list_games())
def test_answers_are_rules_rulings_or_pieces_of_the_game(name: str) -> None:
    game = resolve_game(name)
    known = {*game.rules, *(ruling.id for ruling in game.rulings)} | {f"{p.set}/{p.id}" for p in game.pieces}
    assert {answer for answers in questions(name).values() for answer in answers} <= known
