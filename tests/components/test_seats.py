"""Pieces that belong to seats: counted for the seats that are asked for."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from components.errors import SetError
from components.model import ResolvedGame
from components.resolve import resolve_for_seats, resolve_game


def copies(game: ResolvedGame) -> Counter[str]:
    return Counter({f"{piece.set}/{piece.id}": piece.copies for piece in game.pieces if piece.copies})


def test_only_what_belongs_to_the_seats_and_the_rest_for_so_many_players() -> None:
    found = copies(resolve_for_seats("warring-states", ["chu", "Zhao"]))
    armies = {name: n for name, n in found.items() if name.startswith("army/")}
    box = copies(resolve_game("warring-states"))
    assert armies == {name: box[name] for name in ("army/army-chu", "army/army-zhao")}
    for_two = copies(resolve_game("warring-states", players=2))
    common = [name for name in for_two if name.split("/")[0] not in ("army", "state")]
    assert {name: found[name] for name in common} == {name: for_two[name] for name in common}


def test_seats_are_not_the_first_so_many_of_the_box() -> None:
    """Without seats, two players of Xarkant get red and blue."""
    found = copies(resolve_for_seats("xarkant", ["white", "black"]))
    assert found["player-board/white"] == found["player-board/black"] == 1
    assert not found["player-board/red"]
    assert sum(found.values()) == sum(copies(resolve_game("xarkant", players=2)).values())


@pytest.mark.parametrize("game", ["warring-states", "dynasties", "xarkant"])
def test_every_seat_of_a_game_has_pieces(game: str) -> None:
    box = resolve_game(game)
    assert {piece.seat for piece in box.pieces if piece.seat} == set(box.seats)


@pytest.mark.parametrize(
    ("seats", "what", "hint"),
    [
        (["red", "blak"], "no seat 'blak'", "black"),
        (["red", "Red"], "named twice", ""),
        (["red"], "1 player", ""),
    ],
)
def test_seats_that_cannot_be(seats: list[str], what: str, hint: str) -> None:
    with pytest.raises(SetError) as caught:
        resolve_for_seats("xarkant", seats)
    assert what in caught.value.problems[0].what
    assert hint in caught.value.problems[0].hint


def test_a_piece_of_a_seat_the_game_has_not(orchard: Any) -> None:
    orchard.swap("cards.yaml", "set: cards\n", "set: cards\nseat: north\n")
    problem = orchard.problem()
    assert (problem.code, problem.what) == ("DEF-060", "there is no seat 'north'")
    orchard.swap("game.yaml", "engine: orchard\n", "engine: orchard\nseats: [north, south]\n")
    assert {piece.seat for piece in orchard.resolve().pieces if piece.set == "cards"} == {"north"}
