"""The laws of every game on random games, in each way to play it; what one game promises stands in its folder."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import games
import laws
import pytest
from games import WAYS, Way, each

from companion.engine.play.moves import Move
from companion.engine.play.position import Position
from components.resolve import resolve_game

MOST = 200
"""Moves of a game that are looked at."""

each_way = pytest.mark.parametrize("way", each(WAYS), ids=str)


@cache
def positions(way: Way, seed: int) -> list[tuple[Position[Any], Move]]:
    return laws.positions(way.rules, way.seats, seed, MOST)


@each_way
@pytest.mark.parametrize("seed", range(2))
def test_laws_hold_in_every_position_of_a_random_game(way: Way, seed: int) -> None:
    for n, (at, move) in enumerate(positions(way, seed)):
        laws.pieces_are_conserved(at)
        laws.judging_changes_nothing(at, [move])
        laws.move_round_trips(at, move)
        if n % 2 == 1:
            laws.position_form_round_trip(at)
            laws.stored_state_round_trip(at)
            laws.a_bare_name_never_crashes(at)
        if n % 5 == 1:
            laws.the_table_can_be_shown(at)
            laws.an_empty_text_says_nothing(at, move)
        laws.a_copy_shares_nothing(at, move)


@each_way
def test_the_legal_list_is_what_is_legal(way: Way) -> None:
    for at, _ in positions(way, 1)[::9]:
        laws.legal_list_is_what_is_legal(at)


@each_way
def test_what_is_legal_stands_in_the_options(way: Way) -> None:
    """Of 200 games, shared out over the ways to play, some positions of each."""
    rng, tried = Random(5), 0
    for seed in range(200 // sum(other.game == way.game for other in WAYS)):
        played = laws.positions(way.rules, way.seats, seed, 60)
        for at, move in rng.sample(played[1:-1], min(6, len(played) - 2)):
            tried += laws.what_is_legal_stands_in_the_options(at, move, rng)
    assert tried > 1_000


@pytest.mark.parametrize("game", (*games.GAMES, *games.TOYS))
def test_random_games_show_most_moves(game: str) -> None:
    """Otherwise the laws would say nothing of them."""
    ways = [way for way in WAYS if way.game == game]
    seen = {move.name for way in ways for seed in range(2) for _, move in positions(way, seed)}
    known = {name for way in ways for name in way.rules.moves}
    assert len(known - seen) <= len(known) / 3, f"never played: {sorted(known - seen)}"


@each_way
def test_a_journal_gives_the_same_table_again(way: Way, tmp_path: Path) -> None:
    game = resolve_game(way.game, root=games.root_of(way.game), sets=way.sets)
    laws.journal_gives_the_same_table(game, way.seats, 3, tmp_path / "t.db", most=80)


@each_way
def test_playouts_end(way: Way) -> None:
    for seed in range(2):
        laws.playout_ends(way.rules, way.seats, seed)


@each_way
def test_replaying_the_moves_gives_the_same_state(way: Way) -> None:
    laws.replaying_gives_the_same_state(way.rules, way.seats, 21)
