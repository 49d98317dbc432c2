"""Position files of Warring States Period that cannot be: refused with the place and what is wrong there."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.engine.language.positionfile import PositionFileError, read_position
from companion.engine.play.position import Rules
from companion.games import load_rules
from components.resolve import resolve_game


@pytest.fixture(scope="module")
def rules() -> Rules:
    return load_rules(resolve_game("warring-states"))


@pytest.mark.parametrize(
    ("text", "place", "what"),
    [
        ("players: {Song: {}}", "1:17", "there is no State Song"),
        ("seats: [Qin, Qin]", "1:8", "Qin sits at the table twice"),
        ("players: {Qin: {}}\nwar: {turn_of: Song}", "2:16", "there is no State Song"),
        ("war: {campaign: {attacker: Qin, defender: Qin}}", "1:43", "Qin is the attacker already"),
        (
            "war: {campaign: {attacker: Qin, defender: Chu, destiny: {Yan: Infantry}}}",
            "1:63",
            "Yan is neither attacker nor defender",
        ),
        ("war: {campaign: {attacker: Qin, defender: Chu, round: klash}}", "1:55", "'klash' for 'round'"),
    ],
)
def test_a_position_that_cannot_be(rules: Rules, tmp_path: Path, text: str, place: str, what: str) -> None:
    file = tmp_path / "p.yaml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(PositionFileError) as error:
        read_position(file, rules)
    (problem,) = error.value.problems
    assert f"{problem.line}:{problem.column}" == place
    assert what in problem.what
