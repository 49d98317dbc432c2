"""Statistics from a number of games about all that could be played: an effect with an interval, never a bare
probability.

Intervals of fixed size hold for a number of games that was settled before. Sequences hold however often somebody looks
and stops: they are wider, and that is the price.

Sources: Wilson 1927 (shares); Agresti and Min 2005 (paired shares); Hill 1970 (quantiles of t); Robbins 1970 and Ville
1939 (sequences from mixtures); Holm 1979; Benjamini and Yekutieli 2005 (intervals after a selection).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from math import erfc, exp, lgamma, log, sqrt
from statistics import NormalDist

import msgspec

CONFIDENCE = 0.95
FEWEST = 200
"""A sequence of means begins to hold after so many games; before, its interval has no bounds worth showing."""


class Interval(msgspec.Struct, frozen=True):
    """An effect, and where it lies with the confidence asked for. `n`: of how many games or pairs."""

    value: float
    low: float
    high: float
    n: int

    @property
    def half(self) -> float:
        return (self.high - self.low) / 2

    def excludes(self, value: float) -> bool:
        return not self.low <= value <= self.high


@cache
def quantile(confidence: float) -> float:
    """The number of standard errors on either side, for large samples."""
    return NormalDist().inv_cdf((1 + confidence) / 2)


@cache
def student(confidence: float, freedom: int) -> float:
    """The same for a mean of a few: the quantile of Student's t with so many degrees of freedom."""
    z, v = quantile(confidence), max(freedom, 1)
    if v == 1:
        from math import pi, tan

        return tan(pi * confidence / 2)
    if v == 2:
        p = (1 + confidence) / 2
        return (2 * p - 1) * sqrt(2 / (4 * p * (1 - p)))
    a = 1 / (v - 0.5)
    b = 48 / a**2
    c = ((20700 * a / b - 98) * a - 16) * a + 96.36
    d = ((94.5 / (b + c) - 3) / b + 1) * sqrt(a * 1.5707963267948966) * v
    y = (d * (1 - confidence)) ** (2 / v)
    if y > 0.05 + a:
        if v < 5:
            c += 0.3 * (v - 4.5) * (-z + 0.6)
        c = (((0.05 * d * -z - 5) * -z - 7) * -z - 2) * -z + b + c
        x = z
        y = x * x
        y = (((((0.4 * y + 6.3) * y + 36) * y + 94.5) / c - y - 3) / b + 1) * x
        y = a * y * y
        y = exp(y) - 1 if y > 0.002 else 0.5 * y * y + y
    else:
        y = ((1 / (((v + 6) / (v * y) - 0.089 * d - 0.822) * (v + 2) * 3) + 0.5 / (v + 4)) * y - 1) * (v + 1) / (
            v + 2
        ) + 1 / y
    return sqrt(v * y)


def share(hits: int, n: int, confidence: float = CONFIDENCE) -> Interval:
    """A share with Wilson's interval."""
    if n == 0:
        return Interval(0.0, 0.0, 1.0, 0)
    z, p = quantile(confidence), hits / n
    middle, wide = p + z * z / (2 * n), z * sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    low = 0.0 if hits == 0 else (middle - wide) / (1 + z * z / n)
    high = 1.0 if hits == n else (middle + wide) / (1 + z * z / n)
    return Interval(p, low, high, n)


def mean(n: int, total: int, squares: int, confidence: float = CONFIDENCE) -> Interval:
    """A mean, or a mean difference of pairs, from its sums with Student's interval."""
    if n == 0:
        return Interval(0.0, float("-inf"), float("inf"), 0)
    middle = total / n
    if n == 1:
        return Interval(middle, float("-inf"), float("inf"), 1)
    wide = student(confidence, n - 1) * deviation(n, total, squares) / sqrt(n)
    return Interval(middle, middle - wide, middle + wide, n)


def deviation(n: int, total: int, squares: int) -> float:
    """The standard deviation of what was summed. The sums are whole, so nothing is lost before the last step."""
    return sqrt(max(0, n * squares - total * total) / (n * (n - 1))) if n > 1 else 0.0


def paired_share(balance: float, changed: float, n: int, confidence: float = CONFIDENCE) -> Interval:
    """The difference of two shares of the same `n` games: what McNemar's test asks, as an effect with its interval.

    `balance`: games won on the second side alone, less those won on the first alone; `changed`: both together. A win
    that is shared counts for its part, and in `changed` for the square of it."""
    if n == 0:
        return Interval(0.0, -1.0, 1.0, 0)
    m, z = n + 2, quantile(confidence)
    middle = balance / m
    wide = z * sqrt(max(0.0, changed + 1 - balance * balance / m)) / m
    return Interval(balance / n, max(-1.0, middle - wide), min(1.0, middle + wide), n)


def sequence_share(hits: int, n: int, confidence: float = CONFIDENCE) -> Interval:
    """A share that may be looked at after every game: the values at which a mixture of bets, even on all shares, would
    not yet have made a fortune. Holds exactly, by Ville's inequality."""
    if n == 0:
        return Interval(0.0, 0.0, 1.0, 0)
    limit = -log(1 - confidence)
    mixed = lgamma(hits + 1) + lgamma(n - hits + 1) - lgamma(n + 2)

    def rich(p: float) -> bool:
        return mixed - hits * log(p) - (n - hits) * log(1 - p) > limit

    p = hits / n
    low = 0.0 if hits == 0 else _edge(rich, 1e-12, p)
    high = 1.0 if hits == n else _edge(rich, 1 - 1e-12, p)
    return Interval(p, low, high, n)


def _edge(outside: Callable[[float], bool], far: float, near: float) -> float:
    """The point where `outside` begins between a value that is outside and one that is not."""
    if not outside(far):
        return far
    for _ in range(60):
        middle = (far + near) / 2
        far, near = (middle, near) if outside(middle) else (far, middle)
    return far


def sequence_mean(n: int, total: int, squares: int, confidence: float = CONFIDENCE, *, tuned: int = 2_000) -> Interval:
    """A mean that may be looked at as often as one likes, from `FEWEST` games on: Robbins' normal mixture with the
    deviation as it was measured. It is narrowest around `tuned` games."""
    middle = total / n if n else 0.0
    if n < FEWEST:
        return Interval(middle, float("-inf"), float("inf"), n)
    alpha = 1 - confidence
    rho = (-2 * log(alpha) + log(-2 * log(alpha)) + 1) / tuned
    grown = n * rho + 1
    spread = max(deviation(n, total, squares), 1 / n)
    wide = spread * sqrt(2 * grown / (n * n * rho) * log(sqrt(grown) / alpha))
    return Interval(middle, middle - wide, middle + wide, n)


def surprise(hits: int, n: int, expected: float) -> float:
    """The probability of a share so far from the expected one, if that one were true. Only to rank and to correct: it
    is never shown."""
    if n == 0 or not 0 < expected < 1:
        return 1.0
    return erfc(abs(hits / n - expected) / sqrt(2 * expected * (1 - expected) / n))


def holm(chances: Sequence[float]) -> list[float]:
    """The probabilities corrected for how many were asked, by Holm's steps."""
    order = sorted(range(len(chances)), key=lambda i: (chances[i], i))
    found, worst = [0.0] * len(chances), 0.0
    for step, i in enumerate(order):
        worst = max(worst, min(1.0, chances[i] * (len(chances) - step)))
        found[i] = worst
    return found


__all__ = ["CONFIDENCE", "FEWEST", "Interval", "deviation", "holm", "mean", "paired_share"]
__all__ += ["quantile", "sequence_mean", "sequence_share", "share", "student", "surprise"]
