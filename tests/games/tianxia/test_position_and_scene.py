"""What a position of Tianxia says and what its picture shows."""

from __future__ import annotations

from collections import Counter
from typing import Any

import games
import pytest

from companion.engine.language.positionfile import PositionFileError, from_form
from companion.engine.play.position import Position


def opened() -> Position[Any]:
    rules = games.rules_with("tianxia")
    return Position(rules, from_form({"players": ["ana", "bo", "cai"], "phase": "action"}, rules))


def test_every_lane_shows_its_nomad_its_strength_and_the_defence() -> None:
    at = opened()
    there = Counter(thing.piece.partition("/")[0] for thing in at.rules.scene(at).pieces)
    assert (there["nomad"], there["sword"], there["defence"]) == (4, 4, 4)


def test_a_position_keeps_nothing_that_ends_with_the_turn() -> None:
    at = opened()
    form = at.rules.dump(at.state)
    assert "regions" in form
    assert not {"this_turn", "used_up"} & set(form)


@pytest.mark.parametrize("phase", ["setup", "income", "action", "attack", "end"])
def test_once_the_game_has_begun_everybody_has_a_place_in_the_turn_order(phase: str) -> None:
    rules = games.rules_with("tianxia")
    with pytest.raises(PositionFileError, match="each player comes once"):
        from_form({"players": ["ana", "bo"], "phase": phase, "turn_order": []}, rules)
    assert not from_form({"players": ["ana", "bo"], "phase": "prepare", "turn_order": []}, rules).turn_order
