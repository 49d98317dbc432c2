"""The law of hearing: every word of a typed line is part of what is recorded, and nothing is chosen in silence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Any

import hearing
import laws
import pytest
from games import TOYS, WAYS, Way, each

from companion.engine.play.position import Position

each_way = pytest.mark.parametrize("way", each(WAYS), ids=str)
PAIRS = 40
"""Joined lines of each way to play; `make torture` reads 10,000 of each game."""
PHRASED = 60
"""Lines of each way to play with a phrase of the glossary in them."""
LONG = pytest.param(1, marks=pytest.mark.torture, id="long")
SHORT = pytest.param(8, id="short")
"""Every position of a game is tried, or every eighth."""


def lines_heard(
    way: Way, many: int, seed: int, saying: Callable[[Position[Any], Random], hearing.Joined | None] = hearing.joined
) -> Counter[str]:
    """What became of so many lines in positions of random games."""
    rng, found = Random(seed), Counter[str]()
    for _ in range(many):
        played = laws.positions(way.rules, way.seats, rng.randrange(10**6), 150)
        for at, _ in rng.sample(played, min(40, len(played))):
            if became := hearing.nothing_is_lost(at, saying(at, rng)):
                found[became] += 1
            if found.total() == many:
                return found
    raise AssertionError(f"{way}: {many} games have {found.total()} such lines")


@each_way
def test_two_things_in_one_line_are_both_heard(way: Way) -> None:
    found = lines_heard(way, PAIRS, 11)
    assert found["heard"] > 0.75 * found.total(), found


@pytest.mark.parametrize("many", [PHRASED, pytest.param(2_000, marks=pytest.mark.torture)])
@pytest.mark.parametrize("way", each([way for way in WAYS if way.game not in TOYS]), ids=str)
def test_a_phrase_beside_what_a_move_says_says_no_other_move(way: Way, many: int) -> None:
    found = lines_heard(way, many, 7, hearing.phrased)
    assert found["heard"] > 0.2 * found.total(), found


@pytest.mark.parametrize("step", [SHORT, LONG])
@each_way
def test_a_word_more_or_less_does_not_say_the_same(way: Way, step: int) -> None:
    rng = Random(7)
    played = laws.positions(way.rules, way.seats, 3, 150)
    vocabulary = sorted({word for at, move in played[1:] for word in hearing.saying.short(move, at).split()})
    tried = sum(
        hearing.every_word_counts(at, rng.choice(at.legal() or [move]), rng, vocabulary)
        for at, move in played[1:-1:step]
    )
    assert tried > 25


@pytest.mark.parametrize("step", [SHORT, LONG])
@each_way
def test_what_is_offered_can_be_typed_back(way: Way, step: int) -> None:
    rng, tried = Random(5), 0
    for at, move in laws.positions(way.rules, way.seats, 4, 150)[1::step]:
        tried += hearing.what_is_offered_is_legal(at, rng.choice((hearing.saying.short(move, at), "sings")))
    assert tried > 15


def test_a_bare_word_that_could_be_two_moves_is_asked() -> None:
    way = next(one for one in WAYS if str(one) == "great-wall-all modules")
    tried = 0
    for seed in range(3):
        tried += sum(hearing.bare_words_are_asked(at) for at, _ in laws.positions(way.rules, way.seats, seed, 150)[1:])
    assert tried, "no shot was offered to anybody who could have passed"


@pytest.mark.torture
@each_way
def test_bare_words_that_could_be_two_moves_are_asked(way: Way) -> None:
    for seed in range(8):
        for at, _ in laws.positions(way.rules, way.seats, seed, 150)[1:]:
            hearing.bare_words_are_asked(at)


@pytest.mark.torture
@each_way
def test_ten_thousand_lines_heard(way: Way) -> None:
    shares = sum(other.game == way.game for other in WAYS)
    assert lines_heard(way, 10_000 // shares + 1, 1)["heard"]
