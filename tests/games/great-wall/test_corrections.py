"""Fields of The Great Wall set by hand: what the table could not hold is refused in words."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import games
import pytest

from companion.engine.language.positionfile import from_form
from companion.engine.play.faults import PositionError
from companion.engine.play.position import Position
from companion.engine.table.corrections import corrected
from companion.engine.table.table import Table
from companion.games import load_rules


def table(**said: Any) -> Position[Any]:
    rules = games.rules_with("great-wall")
    return Position(rules, from_form({"players": ["plum", "pine", "lotus"], **said}, rules))


def test_a_field_below_a_number_can_be_corrected() -> None:
    """The spaces of the command track are numbered."""
    at = table(command_track={4: {"player": "pine", "card": "C1"}})
    changed = corrected(at.rules, at.state, "command_track.4.card", "C2")
    assert changed.command_track[4].card == "C2"
    with pytest.raises(PositionError, match="unknown field 'x' in command_track"):
        corrected(at.rules, at.state, "command_track.x.card", "C2")


def test_a_step_has_no_other_parts_than_those_of_the_rulebook() -> None:
    at = table(step="winter.2")
    with pytest.raises(PositionError, match=r"winter\.2 has no part Qin"):
        corrected(at.rules, at.state, "part", "Qin")


def test_a_table_begun_at_a_position_without_its_season_opens_again(tmp_path: Path) -> None:
    at = table()
    people = dict.fromkeys(at.seats, "")
    made, _ = Table.create(tmp_path / "t.db", at.rules.game, load_rules, people=people, start=at.state)
    assert made is not None
    made.close()
    with Table.open(tmp_path / "t.db", load_rules) as again:
        assert again.position.state == at.state
        again.correct("year", 2, "miscounted")
        again.undo()
        assert again.position.state == at.state


def test_a_row_holds_no_more_than_its_parameter_says_and_what_lies_there_is_named() -> None:
    at = table()
    machine = ["ballista", "cannon", "rocket_launcher"]
    most = at["machine.max_per_section"]
    with pytest.raises(PositionError, match=f"{most + 1} war machines, and there can be {most} at most"):
        corrected(at.rules, at.state, "machines.L", machine[: most + 1])
    with pytest.raises(PositionError, match="the card that lies there is not named"):
        corrected(at.rules, at.state, "hordes.L", [{"spots": {"a1": "wound"}}])
