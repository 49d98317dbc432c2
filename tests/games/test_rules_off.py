"""Every rule that forbids changes an answer when it is switched off, and every rule is shown by a case."""

from __future__ import annotations

import pytest
from rules_off_runner import Survey, survey

from components.loader import list_games

LEFT_TO_THE_TABLE = {
    "dynasties": [
        "DY-SETUP-10",
        "DY-SETUP-11",
        "DY-DEPLOY-4",
        "DY-REVEAL-1",
        "DY-CLEAN-10",
        "DY-WL-2",
        "DY-WL-6",
    ],
    "warring-states": [
        "WS-SETUP-3",
        "WS-SETUP-8",
        "WS-SETUP-11",
        "WS-INFO-1",
        "WS-INFO-2",
        "WS-INFO-3",
        "WS-DECK-1",
        "WS-CLASH-2",
        "WS-WIN-6",
    ],
    "xarkant": ["XK-GAME-7"],
}
"""Shuffling, secrecy, what everybody can see, gifts among players: nothing the companion could judge."""


@pytest.fixture(scope="module", params=list_games())
def found(request: pytest.FixtureRequest) -> Survey:
    return survey(request.param)


def test_every_rule_is_shown_and_no_other_is_cited(found: Survey) -> None:
    assert sorted(found.judged - found.cited - found.named) == []
    assert sorted(found.cited - set(found.game.rules)) == []


def test_every_rule_that_forbids_changes_an_answer_when_it_is_switched_off(found: Survey) -> None:
    assert sorted(found.forbidding - found.flipped) == []


def test_few_rules_are_left_to_the_table(found: Survey) -> None:
    assert found.left_to_the_table == LEFT_TO_THE_TABLE[found.game.id]
