"""The laws of every game, and this game's own, on random games of Dynasties in each way to play."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import laws
import pytest

from companion.engine.play.moves import Move
from companion.engine.play.position import Rules
from companion.games import load_rules
from components.model import ResolvedGame
from components.resolve import resolve_game

SEATS = ["white", "black"]
WAYS: dict[str, dict[str, Any]] = {
    "basic": {},
    "expert": {"options.deck": "expert"},
    "warlords": {"options.warlords": True},
    "both": {"options.deck": "expert", "options.warlords": True},
}


@pytest.fixture(scope="module", params=WAYS)
def game(request: pytest.FixtureRequest) -> ResolvedGame:
    return resolve_game("dynasties", sets=WAYS[request.param])


@pytest.fixture(scope="module")
def rules(game: ResolvedGame) -> Rules:
    return load_rules(game)


@pytest.mark.parametrize("seed", range(2))
def test_laws_hold_in_every_position_of_a_random_game(rules: Rules, seed: int) -> None:
    for at, move in laws.positions(rules, SEATS, seed):
        laws.pieces_are_conserved(at)
        if at.state.players:
            laws.position_form_round_trip(at)
        laws.judging_changes_nothing(at, [move])
        laws.a_bare_name_never_crashes(at)


def test_the_legal_list_is_what_is_legal(rules: Rules) -> None:
    for at, _ in laws.positions(rules, SEATS, 5)[::3]:
        laws.legal_list_is_what_is_legal(at)


@pytest.mark.parametrize("seed", range(3))
def test_moves_are_read_as_they_are_written(rules: Rules, seed: int) -> None:
    written: set[type[Move]] = set()
    for at, move in laws.positions(rules, SEATS, seed + 50):
        laws.move_round_trips(at, move)
        written.add(type(move))
    assert len(written) > 5


def test_a_journal_gives_the_same_table_again(game: ResolvedGame, tmp_path: Path) -> None:
    laws.journal_gives_the_same_table(game, SEATS, 3, tmp_path / "t.db", most=120)


@pytest.mark.parametrize("seed", range(5))
def test_playouts_end(rules: Rules, seed: int) -> None:
    laws.playout_ends(rules, SEATS, seed)


def test_replaying_the_moves_gives_the_same_state(rules: Rules) -> None:
    laws.replaying_gives_the_same_state(rules, SEATS, 21)


def test_a_copy_shares_nothing_with_its_original(rules: Rules) -> None:
    for at, move in laws.positions(rules, SEATS, 9):
        laws.a_copy_shares_nothing(at, move)


def test_what_the_rules_promise_holds_in_every_position(rules: Rules) -> None:
    """One colour a province, the pawn on its track, marks that stay, yellow cards that are never lost."""
    marks: dict[tuple[str, str], int] = {}
    for at, _ in laws.positions(rules, SEATS, 13):
        s = at.state
        for province, there in s.provinces.items():
            assert not (there.white and there.black), province
            for side in SEATS:
                now = there.marks.of(side)
                assert now >= marks.get((province, side), 0)
                marks[province, side] = now
                assert now <= 1 or s.options.warlords
        assert abs(s.pawn) <= 10
        for player in s.players.values():
            assert not {"1", "2", "3", "4", "5", "6"} & set(player.removed)
            assert player.hand_at_deploy >= 6
