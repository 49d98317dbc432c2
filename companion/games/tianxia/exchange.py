"""Exchange: the conversion printed in a region (rules TX-EXCH)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Annotated, Any, ClassVar

import msgspec

from companion.engine.play.moves import Breach, Count
from companion.engine.play.parts import UNSAID, Part

from .catalogue import At, cat
from .free import Choose, Unset
from .gains import gain

ANY_GOOD = "any_good"
"""In a price: a good of the player's choice."""


def goods_held(at: At, who: str) -> dict[str, int]:
    """The goods a player has."""
    return {good: n for good in at["goods"] if (n := at.state.player[who].of(good)) > 0}


def give_any(at: At, who: str, key: str) -> str:
    """A good of the player's choice is given away; `key` asks which."""
    if not (held := list(goods_held(at, who))):
        raise KeyError(ANY_GOOD)
    good: str = at.choose("give", who, held, key)
    at.state.player[who].add(good, -1)
    return good


def times(said: int | Unset) -> int:
    """How often the conversion is used, as far as it is said."""
    return said if isinstance(said, int) else 0


class Exchange(Part, frozen=True):
    """Use the conversion of the region so many times."""

    words = ("exchange", "convert")
    asks: ClassVar[dict[str, str]] = {"exchange": "TX-EXCH-2.times"}
    exchange: Annotated[int | Unset, Count(0)] = UNSAID
    choose: Choose = msgspec.field(default_factory=dict)

    def options(self, at: At, field: str) -> Iterable[Any] | None:
        return range(1, at["exchange.max_times"] + 1) if field == "exchange" else None

    def forbidden(self, at: At) -> Iterator[Breach]:
        if at.turn.count(Exchange):
            yield at.breach("TX-REG-6.exchange", player=at.mover)
        region = cat(at).regions[at.turn.region]
        if not region.give:
            yield at.breach("TX-EXCH-1", region=region.name)
        if self.exchange is UNSAID:
            return
        n, most = times(self.exchange), at["exchange.max_times"]
        if n < 1:
            yield at.breach("TX-EXCH-3", n=n)
        if n > most:
            yield at.breach("TX-EXCH-2.most", n=n, most=most)
        for kind, each in region.give.items():
            goods = goods_held(at, at.mover)
            has = sum(goods.values()) if kind == ANY_GOOD else at.state.player[at.mover].of(kind)
            if has < n * each:
                what = "good" if kind == ANY_GOOD else kind
                yield at.breach("TX-EXCH-4.short", player=at.mover, has={what: has}, n=n, cost={what: n * each})

    def apply(self, at: At) -> None:
        """All conversions at once: what they bring can never pay for the next one."""
        who, region, n = at.mover, cat(at).regions[at.turn.region], times(self.exchange)
        at.note("TX-EXCH-2.exchange", player=who, region=region.name, n=n)
        at.kept("TX-EXCH-1", "TX-EXCH-3", "TX-REG-8")
        given = {kind: each * n for kind, each in region.give.items()}
        for kind, amount in given.items():
            if kind != ANY_GOOD:
                at.state.player[who].add(kind, -amount)
        free = Counter(give_any(at, who, "TX-EXCH-4.give") for _ in range(given.pop(ANY_GOOD, 0)))
        at.note("TX-EXCH-4.pay", player=who, given={**given, **free})
        gain(at, who, {kind: each * n for kind, each in region.get.items()}, "TX-EXCH-4")
