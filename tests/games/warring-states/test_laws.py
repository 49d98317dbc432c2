"""The laws of every game, and this game's own, on random games of Warring States Period."""

from __future__ import annotations

from pathlib import Path

import laws
import pytest

from companion.engine.play.moves import Move
from companion.engine.play.position import Rules
from companion.games import load_rules
from companion.games.warring_states import effects
from components.model import ResolvedGame
from components.resolve import resolve_game

STATES = ["Qin", "Wu", "Chu", "Qi", "Yan", "Zhao", "Han"]


@pytest.fixture(scope="module")
def warring() -> ResolvedGame:
    return resolve_game("warring-states")


@pytest.fixture(scope="module")
def warring_rules(warring: ResolvedGame) -> Rules:
    return load_rules(warring)


@pytest.mark.parametrize("players", range(2, 8))
def test_laws_hold_in_every_position_of_random_games(warring_rules: Rules, players: int) -> None:
    for at, move in laws.positions(warring_rules, STATES[:players], seed=players, most=260):
        laws.pieces_are_conserved(at)
        if at.seats:
            laws.position_form_round_trip(at)
        laws.judging_changes_nothing(at, [move])


@pytest.mark.parametrize("seed", range(3))
def test_the_legal_list_is_what_is_legal(warring_rules: Rules, seed: int) -> None:
    kinds: set[str] = set()
    for at, move in laws.positions(warring_rules, STATES[: 3 + seed], seed, most=240)[::3]:
        laws.legal_list_is_what_is_legal(at)
        kinds.add(type(move).name)
    assert len(kinds) > 8, kinds


@pytest.mark.parametrize("seed", range(4))
def test_moves_are_read_as_they_are_written(warring_rules: Rules, seed: int) -> None:
    written: set[type[Move]] = set()
    for at, move in laws.positions(warring_rules, STATES[: 2 + seed], seed + 50, most=220):
        laws.move_round_trips(at, move)
        written.add(type(move))
    assert len(written) > 10


@pytest.mark.parametrize("players", [2, 5])
def test_a_journal_gives_the_same_table_again(warring: ResolvedGame, tmp_path: Path, players: int) -> None:
    laws.journal_gives_the_same_table(warring, STATES[:players], 3, tmp_path / "t.db", most=150)


@pytest.mark.parametrize("players", range(2, 8))
def test_playouts_end_with_somebody_who_has_enough_provinces(warring_rules: Rules, players: int) -> None:
    laws.playout_ends(warring_rules, STATES[:players], players)


def test_a_copy_shares_nothing_with_its_original(warring_rules: Rules) -> None:
    for at, move in laws.positions(warring_rules, STATES[:4], 9, most=400):
        laws.a_copy_shares_nothing(at, move)


def test_every_verb_of_the_vocabulary_is_executed_and_no_other(warring: ResolvedGame) -> None:
    groups = (set(effects.INSTANT), set(effects.LASTING), set(effects.SCOPES), set(effects.ON_GENERALS))
    known = set().union(*groups)
    assert known == set(warring.verbs)
    assert sum(map(len, groups)) == len(known), "a verb stands in two tables"


def test_replaying_the_moves_gives_the_same_state(warring_rules: Rules) -> None:
    laws.replaying_gives_the_same_state(warring_rules, STATES[:5], 21)
