"""Every rule that Dynasties is judged by changes an answer when it is switched off."""

from __future__ import annotations

import pytest
from rules_off_runner import Survey, survey


@pytest.fixture(scope="module")
def found() -> Survey:
    return survey("dynasties", "dynasties_*.yaml")


def test_every_rule_is_cited_and_no_other(found: Survey) -> None:
    assert sorted(found.judged - found.cited) == []
    assert sorted(found.cited - set(found.game.rules)) == []


def test_every_rule_switched_off_changes_an_answer(found: Survey) -> None:
    assert sorted(found.judged - found.flipped) == []


def test_few_rules_are_left_to_the_table(found: Survey) -> None:
    """Shuffling, secrecy, what everybody can see: nothing the companion could judge."""
    assert found.left_to_the_table == [
        "DY-SETUP-10",
        "DY-SETUP-11",
        "DY-DEPLOY-4",
        "DY-REVEAL-1",
        "DY-CLEAN-10",
        "DY-WL-2",
        "DY-WL-6",
    ]
