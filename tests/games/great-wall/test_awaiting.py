"""What The Great Wall says comes next: who does what, with lines that can be typed and are legal there."""

from __future__ import annotations

import re
from random import Random
from typing import Any

import games
import pytest

from companion.engine.language import notation
from companion.engine.language.positionfile import from_form
from companion.engine.play.position import Position

TYPED = re.compile(r"\(type: ([^)]*)\)")


@pytest.mark.parametrize("modules", [(), games.GREAT_WALL], ids=["base", "all"])
def test_what_next_suggests_is_legal(modules: tuple[str, ...]) -> None:
    """In every position of a random game something is awaited; of what the sentence offers nothing is refused."""
    rules, rng = games.rules_with("great-wall"), Random(7)
    at: Position[Any] = Position(rules, rules.new_state(), quiet=True)
    at.chooser = rng.choice
    at.play(rules.setup_move(games.CLANS[:3], {"modules": ["base", *modules]}))
    while not rules.over(at.state) and at.state.year < 3:
        found = TYPED.search(rules.awaits(at))
        assert found, rules.awaits(at)
        for line in found[1].split(", or: "):
            assert [at.judge(move).legal for move in notation.read(line, at)] != [False], (line, rules.awaits(at))
        while not at.play(rules.propose(at, rng)).legal:
            pass


def test_a_choice_without_effect_is_not_awaited() -> None:
    """In the first year no pile holds a card that could come back (GW-SUM-9)."""
    rules = games.rules_with("great-wall")
    piles = {clan: {"discard": []} for clan in ("pine", "bamboo", "plum")}
    form = {"step": "summer.4", "tea": ["pine", "bamboo", "plum"], "player": piles}
    at = Position(rules, from_form(form, rules))
    assert rules.awaits(at).startswith("bamboo, plum and pine choose a command card in secret (type: bamboo choose)")


def test_a_refusal_names_no_place_that_nobody_said() -> None:
    """Who gathers while the Barracks resolve has not spoken of the Lumber Camp (GW-LOC-6)."""
    rules = games.rules_with("great-wall")
    form = {"step": "fall.3", "active": "pine", "active_card": "C3", "resolving": "barracks", "tea": ["pine", "plum"]}
    at = Position(rules, from_form({**form, "locations": {"barracks": {"pine": 1}}}, rules))
    [move] = notation.read("pine gathers", at)
    [reason] = at.judge(move).reasons
    assert reason.why == "The clerks in the Barracks are being used now, not those in a production location"
