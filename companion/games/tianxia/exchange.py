"""Exchange: the conversion printed in a region (rules TX-EXCH)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, ClassVar

from companion.rules import UNSAID, Breach, Count, Options

from .catalogue import ANY_GOOD, At, cat
from .gains import gain
from .turns import Step, Unset, whose


def goods_held(at: At, who: str) -> dict[str, int]:
    """The goods a player has."""
    p = at.state.player[who]
    return {good: n for good in at["goods"] if (n := p.of(good)) > 0}


def pay(at: At, who: str, cost: Mapping[str, int], key: str) -> dict[str, int]:
    """Pay a price, goods of choice last: `key` asks for each of them. What was paid."""
    p, paid = at.state.player[who], dict(cost)
    free = paid.pop(ANY_GOOD, 0)
    for kind, n in paid.items():
        p.add(kind, -n)
    for _ in range(free):
        if not (held := list(goods_held(at, who))):
            raise KeyError(ANY_GOOD)
        good = at.choose("give", who, held, key)
        p.add(good, -1)
        paid[good] = paid.get(good, 0) + 1
    return paid


OFTEN = {"once": 1, "twice": 2, "thrice": 3}
MOST_SAID = 2
"""So many times as often as is allowed may be said in words."""


BUYING = ("buy", "get", "gain")


class Conversions(Count):
    """The number of conversions: `2`, `twice`, and in a region the goods given and received, `2 rice for 4 coins`."""

    telling = True

    def spoken(self, at: At) -> dict[str, Any]:
        found: dict[str, Any] = dict(OFTEN)
        region = cat(at).regions.get(getattr(at.turn, "region", ""))
        if region is None or len(region.exchange.give) != 1 or len(region.exchange.get) != 1:
            return found
        ((given, each),), ((got, gain),) = region.exchange.give.items(), region.exchange.get.items()
        given, got = given.removeprefix("any_"), got.removeprefix("any_")
        mine = at.state.player.get(whose(at))
        has = mine.of(given) // each if mine is not None and given in at.rules.catalogue.stock else 0  # type: ignore[attr-defined]
        for n in range(1, MOST_SAID * at["exchange.max_times"] + 1):
            found |= {f"{buy} {n * gain} {got}": n for buy in BUYING}
            whole = ("all", *(("both",) if has * each == 2 else ())) if n == has else ()
            for all_of in (*whole, *(f"{word} {n * each}" for word in whole)):
                found |= {f"{all_of} {given}": n, f"{all_of} {given} for {got}": n, f"{all_of} {given} into {got}": n}
            found[f"{n * each} {given}"] = n
            for into in ("for", "into", "to", "against"):
                found |= dict.fromkeys(
                    (f"{n * each} {given} {into} {n * gain} {got}", f"{n * each} {given} {into} {got}"), n
                )
        return found


class Exchange(Step, frozen=True):
    """Use the conversion of the region so many times."""

    words = ("exchange", "")
    asks: ClassVar[dict[str, str]] = {"exchange": "TX-EXCH-2.times"}
    exchange: Annotated[int | Unset, Conversions(0, of=("time",))] = UNSAID

    by_answers = True

    def everything(self, at: At, field: str) -> Any:
        """The goods of the active player, where a region takes any."""
        region, who = cat(at).regions.get(getattr(at.turn, "region", "")), whose(at)
        any_good = region is not None and ANY_GOOD in region.exchange.give
        return goods_held(at, who) if field == "exchange" and any_good and who else None

    def exchange_options(self, at: At) -> Options:
        return range(1, at["exchange.max_times"] + 1)

    def forbidden(self, at: At) -> Iterator[Breach]:
        region, n, most = cat(at).regions[at.turn.region], self.exchange, at["exchange.max_times"]
        if at.turn.count(Exchange):
            yield at.breach("TX-REG-6.exchange", player=at.mover)
        if not region.exchange.give:
            yield at.breach("TX-EXCH-1", region=region.name)
        if not isinstance(n, int):
            return
        if n < 1:
            yield at.breach("TX-EXCH-3", n=n)
        if n > most:
            yield at.breach("TX-EXCH-2.most", n=n, most=most)
        for kind, each in region.exchange.give.items():
            what = "good" if kind == ANY_GOOD else kind
            has = sum(goods_held(at, at.mover).values()) if kind == ANY_GOOD else at.state.player[at.mover].of(kind)
            if has < n * each:
                yield at.breach("TX-EXCH-4.short", player=at.mover, has={what: has}, n=n, cost={what: n * each})

    def apply(self, at: At) -> None:
        """All conversions at once: what they bring can never pay for the next one."""
        who, region, n = at.mover, cat(at).regions[at.turn.region], self.exchange
        assert isinstance(n, int)
        at.note("TX-EXCH-2.exchange", player=who, region=region.name, n=n)
        at.kept("TX-EXCH-1", "TX-EXCH-3", "TX-REG-8")
        given = pay(at, who, {kind: each * n for kind, each in region.exchange.give.items()}, "TX-EXCH-4.give")
        at.note("TX-EXCH-4.pay", player=who, given=given)
        gain(at, who, {kind: each * n for kind, each in region.exchange.get.items()}, "TX-EXCH-4")
