"""Stores of counted goods: what a cost lacks, what fits, what a common stock has left. Knows no game.

A store is a plain mapping from kind to number, so that it can stand in a state and in a position file as it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

Goods = Mapping[str, int]
"""Kind -> how many."""


def together(*goods: Goods) -> dict[str, int]:
    """The sum of several costs or stores, kinds of number 0 left out."""
    found: dict[str, int] = {}
    for one in goods:
        for kind, n in one.items():
            if n:
                found[kind] = found.get(kind, 0) + n
    return found


def lacking(store: Goods, cost: Goods) -> dict[str, int]:
    """Kind -> how many a store has too few of to pay a cost; empty if it can be paid."""
    return {kind: n - store.get(kind, 0) for kind, n in cost.items() if n > store.get(kind, 0)}


def left(total: Goods, stores: Iterable[Goods]) -> dict[str, int]:
    """The rest of a common stock of `total` after `stores` were filled from it; below 0: more is out than exists."""
    found = dict(total)
    for store in stores:
        for kind, n in store.items():
            if kind in found:
                found[kind] -= n
    return found


def ways(n: int, offer: Goods) -> Iterator[dict[str, int]]:
    """Every way in which `n` pieces can come from these kinds or places."""
    if not offer:
        yield {}
        return
    (place, most), *rest = offer.items()
    others = dict(rest)
    for k in range(min(n, most), max(0, n - sum(others.values())) - 1, -1):
        for way in ways(n - k, others):
            yield {place: k, **way} if k else way


class Counts:
    """A record whose fields are counts, each called as what it counts."""

    def of(self, kind: str) -> int:
        return int(getattr(self, kind))

    def add(self, kind: str, n: int) -> None:
        setattr(self, kind, self.of(kind) + n)


__all__ = ["Counts", "Goods", "lacking", "left", "together", "ways"]
