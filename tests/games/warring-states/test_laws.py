"""Every verb of the Events of Warring States Period is executed, and no other."""

from __future__ import annotations

import games

from companion.games.warring_states import effects


def test_every_verb_of_the_vocabulary_is_executed_and_no_other() -> None:
    groups = (set(effects.INSTANT), set(effects.LASTING), set(effects.SCOPES), set(effects.ON_GENERALS))
    known = set().union(*groups)
    assert known == set(games.resolved("warring-states").verbs)
    assert sum(map(len, groups)) == len(known), "a verb stands in two tables"
