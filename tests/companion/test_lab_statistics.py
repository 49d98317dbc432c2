"""The statistics of the lab: known values, and a thousand comparisons of a thing with itself."""

from __future__ import annotations

from math import isclose
from random import Random

import pytest

from companion.lab.statistics import (
    Interval,
    holm,
    mean,
    paired_share,
    sequence_mean,
    sequence_share,
    share,
    student,
    surprise,
)

pytestmark = pytest.mark.lab

TRIES = 1_000


def test_wilson_has_its_known_values() -> None:
    found = share(15, 50)
    assert (round(found.low, 4), round(found.high, 4)) == (0.191, 0.4375)
    assert share(0, 10).low == 0.0 and round(share(0, 10).high, 4) == 0.2775
    assert share(10, 10).high == 1.0
    assert share(0, 0) == Interval(0.0, 0.0, 1.0, 0)


@pytest.mark.parametrize(
    ("freedom", "value"),
    [(1, 12.7062), (2, 4.3027), (3, 3.1824), (4, 2.7764), (5, 2.5706), (9, 2.2622), (30, 2.0423), (1000, 1.9623)],
)
def test_quantiles_of_t(freedom: int, value: float) -> None:
    assert isclose(student(0.95, freedom), value, abs_tol=2e-3)
    assert student(0.99, freedom) > student(0.95, freedom)


def test_means_from_sums() -> None:
    values = [3, 5, 8, 4, 10]
    found = mean(5, sum(values), sum(v * v for v in values))
    assert found.value == 6.0 and (round(found.low, 2), round(found.high, 2)) == (2.38, 9.62)
    assert mean(0, 0, 0).low == float("-inf") and mean(1, 3, 9).high == float("inf")
    big = 10**12
    assert mean(3, 3 * big, 3 * big * big).half == 0.0


def test_corrections_for_many() -> None:
    assert holm([0.01, 0.04, 0.03, 0.005]) == [0.03, 0.06, 0.06, 0.02]
    assert holm([]) == []
    rng = Random(5)
    false_alarms = 0
    for _ in range(300):
        chances = [surprise(sum(rng.random() < 0.25 for _ in range(60)), 60, 0.25) for _ in range(20)]
        false_alarms += min(holm(chances)) < 0.05
    assert false_alarms <= 300 * 0.08


def test_intervals_of_fixed_size_cover_what_they_should() -> None:
    rng, covered, half = Random(1), {"share": 0, "pair": 0, "mean": 0}, 400
    for _ in range(TRIES):
        hits = sum(rng.random() < 0.25 for _ in range(half))
        covered["share"] += not share(hits, half).excludes(0.25)
        more = sum(rng.random() < 0.2 for _ in range(half))
        fewer = sum(rng.random() < 0.25 for _ in range(half - more))  # 0.2 of all, one or the other
        covered["pair"] += not paired_share(more - fewer, more + fewer, half).excludes(0.0)
        sample = [int(rng.expovariate(1 / 30)) - int(rng.expovariate(1 / 30)) for _ in range(60)]
        covered["mean"] += not mean(60, sum(sample), sum(v * v for v in sample)).excludes(0.0)
    assert all(0.93 * TRIES <= found <= 0.97 * TRIES for found in covered.values()), covered


def test_sequences_seldom_alarm_however_often_one_looks() -> None:
    rng, alarms = Random(2), {"share": 0, "mean": 0}
    for _ in range(TRIES):
        wins, total, squares, cried = 0, 0, 0, set()
        for looked in range(1, 11):
            rolls = rng.choices((0, 1, 2), (25, 25, 50), k=200)
            won, lost = rolls.count(0), rolls.count(1)
            wins, total, squares = wins + won, total + lost - won, squares + lost + won
            n = looked * 200
            if sequence_share(wins, n).excludes(0.25):
                cried.add("share")
            if sequence_mean(n, total, squares).excludes(0.0):
                cried.add("mean")
        for name in cried:
            alarms[name] += 1
    assert all(found <= 0.05 * TRIES for found in alarms.values()), alarms


def test_a_sequence_finds_what_is_there_and_narrows() -> None:
    assert sequence_share(600, 2_000).excludes(0.25)
    assert sequence_share(0, 0).high == 1.0
    assert share(500, 2_000).half < sequence_share(500, 2_000).half < 2 * share(500, 2_000).half
    assert sequence_mean(100, 5, 30).high == float("inf")
    assert sequence_mean(2_000, 200, 800).excludes(0.0)
    assert sequence_mean(400, 0, 0).half > 0.0
