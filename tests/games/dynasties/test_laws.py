"""What the rules of Dynasties promise in every position of random games."""

from __future__ import annotations

import laws
import pytest
from games import SIDES, WAYS, Way, rules_with

from companion.engine.language.positionfile import from_form
from companion.engine.play.position import Position


@pytest.mark.parametrize("way", [way for way in WAYS if way.game == "dynasties"], ids=str)
def test_what_the_rules_promise_holds_in_every_position(way: Way) -> None:
    """One colour a province, the pawn on its track, marks that stay, yellow cards that are never lost."""
    marks: dict[tuple[str, str], int] = {}
    for at, _ in laws.positions(way.rules, way.seats, 13):
        s = at.state
        for province, there in s.provinces.items():
            assert not (there.white and there.black), province
            for side in SIDES:
                now = there.marks.of(side)
                assert now >= marks.get((province, side), 0)
                marks[province, side] = now
                assert now <= 1 or s.options.warlords
        assert abs(s.pawn) <= 10
        for player in s.players.values():
            assert not {"1", "2", "3", "4", "5", "6"} & set(player.removed)
            assert player.hand_at_deploy >= 6


@pytest.mark.parametrize(("dynasty", "scored", "next_one"), [(1, 0, 3), (3, 0, 3), (3, 3, 6), (9, 6, 9)])
def test_the_score_foretells_the_next_scoring(dynasty: int, scored: int, next_one: int) -> None:
    """In a Dynasty that is scored itself, that of its own end until it has been made."""
    rules = rules_with("dynasties")
    form = {"dynasty": dynasty, "scored": scored, "phase": "battles", "provinces": {"Tibet": {"white": 1}}}
    told = rules.score(Position(rules, from_form(form, rules))).remarks
    assert told[0].rule == "DY-SCORE-1"
    assert f"Dynasty {next_one}" in told[0].what, told[0].what
