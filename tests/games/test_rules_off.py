"""Every rule that forbids changes an answer when it is switched off, and every rule is shown by a case."""

from __future__ import annotations

import pytest
from games import GAMES
from rules_off_runner import survey

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
    "great-wall": ["GW-GEN-8", "GW-INFO-2", "GW-INFO-5"],
    "tianxia": ["TX-GAME-7"],
    "xarkant": ["XK-GAME-7"],
}
"""Shuffling, secrecy, what everybody can see, gifts among players: nothing the companion could judge."""


NOTHING_INSTEAD = {"great-wall": ["GW-GK-7"], "warring-states": ["WS-PROV-5"]}
"""Rules that forbid what could not be carried out without them, either: soldiers come onto the Khan's cards, and wounds
onto hordes, by reports of their own; a province that nobody put up cannot change hands."""


@pytest.mark.parametrize("game", GAMES)
def test_rules_are_cited_truly(game: str) -> None:
    """Each rule is shown by a case; no other is cited; each that forbids changes an answer when it is switched off."""
    found = survey(game)
    assert sorted(found.judged - found.cited - found.named) == [], "shown by no case"
    assert sorted(found.cited - set(found.game.rules)) == [], "cited, but no rule"
    assert sorted(found.forbidding - found.flipped) == NOTHING_INSTEAD.get(game, []), (
        "changes nothing when it is switched off"
    )
    assert found.left_to_the_table == LEFT_TO_THE_TABLE[game]
