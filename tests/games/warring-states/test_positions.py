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
        ("seats: [Qin, Qin]", "1:8", "Qin is named twice"),
        ("players: {Qin: {}}\nwar: {turn_of: Song}", "2:16", "there is no State Song"),
        ("war: {campaign: {attacker: Qin, defender: Qin}}", "1:43", "Qin is the attacker already"),
        (
            "war: {campaign: {attacker: Qin, defender: Chu, destiny: {Yan: Infantry}}}",
            "1:63",
            "Yan is neither attacker nor defender",
        ),
        ("seats: [Qin, Chu]\nevent: ''", "2:8", "there is no Event ''"),
        (
            "seats: [Qin, Chu]\nowed: [{player: Qin, choice: steal, what: general}]",
            "2:8",
            "which the position does not name",
        ),
        ("seats: [Qin, Chu]\nphase: event\nwar: {turn_of: Qin}", "3:6", "there is a war, but the phase is event"),
        ("phase: trade", "1:1", "nobody sits at the table in phase trade"),
        (
            "players: {Qin: {battle_hand: 1, battle_known: [Swords, Ambush]}}",
            "1:47",
            "names more cards than the 1 in hand",
        ),
        (
            "seats: [Qin, Chu]\ndecks: {battle: {discard: [Swords], discard_count: 3, discard_unknown: 1}}",
            "2:52",
            "from which 2 follows",
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


def test_the_size_of_a_discard_pile_says_how_many_cards_have_no_name(rules: Rules, tmp_path: Path) -> None:
    file = tmp_path / "p.yaml"
    battle, resource = "{discard: [Swords], discard_count: 3}", "{discard: [Mine, Mine, City]}"
    text = f"seats: [Qin, Chu]\ndecks: {{battle: {battle}, resource: {resource}}}"
    file.write_text(text, encoding="utf-8")
    decks = read_position(file, rules).decks
    assert (decks.battle.discard_unknown, decks.battle.draw) == (2, 27)
    assert decks.resource.discard == {"Mine": 2, "City": 1}
    file.write_text("seats: [Qin, Chu]\ndecks: {event: {discard: 4}}", encoding="utf-8")
    assert read_position(file, rules).decks.event.discard_unknown == 4
