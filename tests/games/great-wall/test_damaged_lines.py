"""Moves and positions that cannot be: they are refused in words."""

from __future__ import annotations

from typing import Any

import games
import pytest

from companion.engine.errors import CompanionError
from companion.engine.language import notation
from companion.engine.language.jsonmoves import from_json
from companion.engine.language.positionfile import PositionFileError, from_form
from companion.engine.play.lines import try_line
from companion.engine.play.position import Position

RULES = games.rules_with("great-wall")
BUILDERS: dict[str, Any] = {
    "tea": ["pine", "bamboo", "plum"],
    "step": "fall.3",
    "active": "pine",
    "active_card": "C2",
    "resolving": "builders_encampment",
    "locations": {"builders_encampment": {"pine": 1}},
    "player": {"pine": {"res": {"wood": 9, "stone": 9}}},
}


@pytest.mark.parametrize(
    "build",
    [
        {"what": "wall", "section": ["x"]},
        {"what": {}, "section": "L"},
        {"what": "wall", "section": "L", "colour": "red"},
        {"what": "wall", "section": 10**20},
    ],
)
def test_one_of_several_builds_is_read_like_any_move(build: dict[str, Any]) -> None:
    at: Position[Any] = Position(RULES, from_form(BUILDERS, RULES))
    with pytest.raises(CompanionError):
        try_line(at, [from_json({"event": "build", "by": "pine", "builds": [build]}, at)])


def test_what_is_owed_has_to_be_known() -> None:
    for task in ({"step": "bamboo"}, {"move": "bamboo", "who": "pine"}):
        with pytest.raises(PositionFileError, match=r"there is no (step|move) 'bamboo'"):
            from_form({**BUILDERS, "agenda": [task]}, RULES)


@pytest.mark.parametrize("line", ["swap_advisors by=pi1e support=A15 card=A15", "build by=pine what=wall section=X"])
def test_a_named_value_is_a_word_that_the_game_knows(line: str) -> None:
    at: Position[Any] = Position(RULES, from_form(BUILDERS, RULES))
    with pytest.raises(CompanionError):
        notation.read(line, at)
