"""What the lab keeps of one game: whole numbers, the same wherever it is played, enough to play it again."""

from __future__ import annotations

from collections import Counter
from typing import Any

import msgspec
import pytest

from companion.engine.play.moves import maker
from companion.engine.play.position import Position, Rules
from companion.games import load_rules
from companion.lab.playing import UNDEALT, play
from companion.lab.record import GameRecord, Recorder
from components.model import ResolvedGame

pytestmark = pytest.mark.lab

SEATS = ["ana", "bo", "cai"]
BOTS = [UNDEALT] * 3


def test_a_game_has_one_record(rules: Rules, game: ResolvedGame) -> None:
    record, _ = play(rules, SEATS, BOTS, 1, 7)
    assert play(rules, SEATS, BOTS, 1, 8)[0] != record
    assert play(rules, SEATS, BOTS, 1, 7)[0] == record == play(load_rules(game), SEATS, BOTS, 1, 7)[0]
    assert not any(isinstance(number, float) for number in _flat(msgspec.to_builtins(record)))


def _flat(value: Any) -> list[Any]:
    if isinstance(value, dict | list | tuple):
        return [x for inner in (value.values() if isinstance(value, dict) else value) for x in _flat(inner)]
    return [value]


def test_what_a_record_counts(rules: Rules) -> None:
    record, lines = play(rules, SEATS, BOTS, 1, 10, keep=True)
    assert (record.end, sum(record.won) >= 1, min(record.ranks)) == ("over", True, 1)
    assert record.moves == len(lines) - 1 == sum(use.used for use in record.moves_by.values()) - 1
    picked = [move.fruit for line in lines for move in line if move.name == "pick"]  # type: ignore[attr-defined]
    assert record.cards["fruit/Pear"].used >= picked.count("Pear") > 0
    assert record.cited["OR-DRAW-1"].used == len(picked) == 12
    assert record.refused == sum(use.refused for use in record.moves_by.values()) > 0
    assert record.cited["OR-RAID-1"].refused > 0
    assert record.listed > 0 and record.options >= record.listed >= record.forced
    assert 0 < record.moves_by["pick"].offered <= record.listed
    use = record.moves_by["pick"]
    assert use.games == 1 and use.seats == 3 and use.won == sum(record.won)


def test_the_moves_of_a_game_lead_to_its_end(rules: Rules) -> None:
    record, lines = play(rules, SEATS, BOTS, 3, 0, keep=True)
    at: Position[Any] = Position(rules, rules.new_state(), quiet=True)
    for line in lines:
        at.replay(line)
    totals = rules.score(at).totals()
    assert [totals[seat] for seat in SEATS] == list(record.scores)
    assert play(rules, SEATS, BOTS, 3, 0)[1] == []


def test_a_game_without_end_is_cut_and_says_where(rules: Rules) -> None:
    record, _ = play(rules, SEATS, BOTS, 1, 0, most=5)
    assert (record.end, record.moves, sum(record.won)) == ("cut", 5, 0)
    assert record.phase in ("market", "turns")
    assert any(use.used for use in record.moves_by.values())
    assert not any(use.seats for use in record.moves_by.values()), "nobody could win, so nothing is worth less for it"


def test_lead_changes_and_drama() -> None:
    record = GameRecord(
        seed=1,
        number=0,
        seats=("a", "b"),
        players=("random", "random"),
        rules="",
        end="over",
        won=(1, 0),
        scores=(9, 5),
        course=((0, 4), (3, 3), (5, 4), (5, 6)),
    )
    assert (record.lead_changes, record.drama) == (3, 4)


def test_refusals_and_options_are_counted(at: Position[Any]) -> None:
    recorder = Recorder(at.rules, SEATS, ["random"] * 3, 1, 0)
    moves = at.rules.moves
    assert not recorder.play(at, moves["raid"]("ana", "bo")).legal  # type: ignore[call-arg]
    options = [moves["ladder"]("ana"), moves["done"]()]  # type: ignore[call-arg]
    assert recorder.play(at, options[0], options).legal
    record = recorder.end(at, "cut")
    assert (record.refused, record.cited["OR-RAID-1"].refused, record.cited["OR-LADDER-1"].used) == (1, 1, 1)
    assert (record.listed, record.options, record.forced, record.most_options) == (1, 2, 0, 2)
    assert record.moves_by["done"].offered == 1 and record.moves_by["done"].used == 0


def test_a_restricted_player_never_does_it_unless_forced(rules: Rules) -> None:
    bots = [UNDEALT, f"{UNDEALT} without ladder", f"{UNDEALT} without fruit/Pear"]
    said: Counter[tuple[str, str, str]] = Counter()
    for number in range(30):
        _, lines = play(rules, SEATS, bots, 1, number, keep=True)
        said.update((move.name, maker(move), getattr(move, "fruit", "")) for line in lines for move in line)
    assert said["ladder", "ana", ""] and not said["ladder", "bo", ""]
    assert said["pick", "cai", "Pear"]  # nobody chooses what comes out of the bag
    assert said["lose", "cai", "Pear"] < said["lose", "bo", "Pear"]  # some have nothing but pears to lose
