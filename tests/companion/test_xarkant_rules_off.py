"""Every rule that Xarkant is judged by changes an answer when it is switched off."""

from __future__ import annotations

import pytest
from rules_off_runner import Survey, survey


@pytest.fixture(scope="module")
def found() -> Survey:
    return survey("xarkant", "xarkant_*.yaml")


def test_every_rule_is_cited_and_no_other(found: Survey) -> None:
    assert sorted(found.judged - found.cited) == []
    assert sorted(found.cited - set(found.game.rules)) == []


def test_every_rule_switched_off_changes_an_answer(found: Survey) -> None:
    assert sorted(found.judged - found.flipped) == []


def test_one_rule_is_left_to_the_table(found: Survey) -> None:
    """Gifts among players: the companion knows of no such move, and cannot see one."""
    assert found.left_to_the_table == ["XK-GAME-7"]
