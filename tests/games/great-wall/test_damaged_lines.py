"""Moves and positions that cannot be: they are refused in words."""

from __future__ import annotations

import re
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


@pytest.mark.parametrize(
    ("task", "said"),
    [
        ({"who": "pine"}, "nobody can owe nothing"),
        ({"who": "pine", "move": "recruit"}, "nobody can owe recruit"),
        ({"move": "save", "args": {"unit": "spearman"}}, "nobody at the table owes this: no name"),
        ({"who": "plum", "move": "save"}, "save needs its unit, which is missing"),
        ({"who": "plum", "move": "save", "args": {"unit": "knight"}}, "save needs its unit, and 'knight' is none"),
        ({"who": "plum", "move": "choose_losses"}, "choose_losses needs its card, which is missing"),
        (
            {"who": "plum", "move": "attack_khan", "args": {"section": "L"}},
            "attack_khan needs its survivors, which is missing",
        ),
        ({"move": "assault"}, "assault needs its section, which is missing"),
        ({"move": "assault", "args": {"section": "X"}}, "assault needs its section, and 'X' is none"),
        ({"move": "defeat"}, "defeat needs its card, which is missing"),
        ({"step": "shots"}, "shots needs its section, which is missing"),
        ({"step": "go_to", "args": {"phase": "autumn"}}, "go_to needs its phase, and 'autumn' is none"),
    ],
)
def test_what_is_owed_says_everything_that_it_is_about(task: dict[str, Any], said: str) -> None:
    with pytest.raises(PositionFileError, match=re.escape(said)):
        from_form({**BUILDERS, "agenda": [task]}, RULES)


@pytest.mark.parametrize("dying", ["Qin", "wound", "pine.knight", "lotus.spearman"])
def test_who_is_about_to_die_is_a_soldier_of_the_table(dying: str) -> None:
    with pytest.raises(PositionFileError, match="is not a soldier of the table"):
        from_form({"players": ["pine", "plum", "bamboo"], "pending": {"kill": [dying]}}, RULES)


@pytest.mark.parametrize("form", [{"event": "take_shame", "by": "pine"}, {"event": "assault", "section": "L"}])
def test_a_soldier_is_named_in_words(form: dict[str, Any]) -> None:
    """Not by a number of things, which nobody could write down."""
    at: Position[Any] = Position(RULES, from_form(BUILDERS, RULES))
    many = {"wood": 100_000_000}
    said = {"carrier": many} if "by" in form else {"saves": {"pine": many}}
    with pytest.raises(CompanionError, match=r"expected text|more than anything"):
        from_json({**form, **said}, at)


def test_nobody_wins_a_game_without_players() -> None:
    at: Position[Any] = Position(RULES, from_form({"step": "ended"}, RULES))
    outcome = try_line(at, [from_json({"event": "final_score"}, at)])
    assert [breach.rule for breach in outcome.verdict.reasons] == ["GW-GEN-1"]


@pytest.mark.parametrize("line", ["swap_advisors by=pi1e support=A15 card=A15", "build by=pine what=wall section=X"])
def test_a_named_value_is_a_word_that_the_game_knows(line: str) -> None:
    at: Position[Any] = Position(RULES, from_form(BUILDERS, RULES))
    with pytest.raises(CompanionError):
        notation.read(line, at)
