"""Every verb of the Events of Warring States Period is executed, and no other."""

from __future__ import annotations

import games


def test_every_verb_of_the_vocabulary_is_executed_and_no_other() -> None:
    rules = games.rules_with("warring-states", {})
    assert not set(rules.ops) & rules.verbs
    assert set(rules.ops) | rules.verbs == set(games.resolved("warring-states").verbs)
