"""Random playouts: repeatable, counted, and stopped by a broken law."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from companion.engine.play.moves import Move
from companion.engine.play.playout import PlayoutError, play_out, simulate
from companion.engine.play.position import Position, Rules

SEATS = ["ana", "bo", "cai"]


def test_a_seed_gives_one_game(rules: Rules) -> None:
    first, at = play_out(rules, SEATS, 7)
    second, same = play_out(rules, SEATS, 7, laws=True)
    assert (first.moves, first.refused, first.winners, first.end) == (
        second.moves,
        second.refused,
        second.winners,
        "over",
    )
    assert at.state == same.state
    assert play_out(rules, SEATS, 8)[1].state != at.state


def test_statistics_add_up(rules: Rules) -> None:
    found = simulate(rules, SEATS, 20, 1, laws=True)
    assert found.ends == {"over": 20}
    assert sum(found.wins.values()) >= 20
    assert found.length[0] <= found.length[1] <= found.length[2]
    assert found.moves == sum(play_out(rules, SEATS, 1 + i)[0].moves for i in range(20))


def test_a_playout_that_does_not_end_is_cut(rules: Rules) -> None:
    assert play_out(rules, SEATS, 1, most=5)[0].end == "cut"


def test_a_playout_in_which_nothing_can_be_done_is_stuck(rules: Rules, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rules, "propose", lambda at, rng: None)
    assert play_out(rules, SEATS, 1)[0].end == "stuck"
    assert list(simulate(rules, SEATS, 3, 1).stuck.values()) == [3]
    move = rules.moves["done"]()
    monkeypatch.setattr(rules, "propose", lambda at, rng: move)
    assert play_out(rules, SEATS, 1)[0].end == "stuck"


def test_a_refused_set_up_is_said(rules: Rules) -> None:
    with pytest.raises(PlayoutError, match="1 farmer cannot play"):
        play_out(rules, ["ana"], 1)


def test_a_broken_law_names_seed_and_moves(rules: Rules, monkeypatch: pytest.MonkeyPatch) -> None:
    def leaky(at: Position[Any], rng: Random) -> Move | None:
        at.state.bag -= 1
        return type(rules).propose(rules, at, rng)

    monkeypatch.setattr(rules, "propose", leaky)
    with pytest.raises(PlayoutError) as error:
        play_out(rules, SEATS, 3, laws=True)
    assert error.value.seed == 3
    assert len(error.value.moves) == 2
    assert "in the bag, not 12" in error.value.what
