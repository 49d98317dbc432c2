"""The laws of every game, on the toy game."""

from __future__ import annotations

from pathlib import Path

import laws
import pytest

from companion.engine.play.position import Rules
from components.model import ResolvedGame

SEATS = ["ana", "bo", "cai"]


@pytest.mark.parametrize("seed", range(4))
def test_laws_hold_in_every_position_of_random_games(rules: Rules, seed: int) -> None:
    for at, move in laws.positions(rules, SEATS, seed):
        laws.legal_list_is_what_is_legal(at)
        laws.judging_changes_nothing(at, at.legal())
        laws.a_bare_name_never_crashes(at)
        laws.pieces_are_conserved(at)
        laws.move_round_trips(at, move)
        if at.seats:
            laws.position_form_round_trip(at)


@pytest.mark.parametrize("seed", range(2))
def test_a_journal_gives_the_same_table_again(game: ResolvedGame, tmp_path: Path, seed: int) -> None:
    laws.journal_gives_the_same_table(game, SEATS, seed, tmp_path / "t.db")


def test_playouts_end(rules: Rules) -> None:
    for seed in range(10):
        laws.playout_ends(rules, SEATS[: 2 + seed % 2], seed)
