"""Trade with the supply (rules XK-TRADE)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations_with_replacement
from typing import Annotated

import msgspec

from companion.engine.play.moves import Breach, Choice, Move
from companion.engine.things.stores import lacking, together
from components.phrasing import count

from .actions import ResourceAction
from .catalogue import At, spell, supply
from .domains import Resources
from .prices import spell_all
from .state import KINDS
from .storage import room_for

Tokens = dict[str, Annotated[int, msgspec.Meta(ge=0, le=1_000)]]


class Trade(ResourceAction, frozen=True):
    """Pay popularity and swap resource tokens with the supply, one for one."""

    name = "trade"
    words = ("trade", "swap")
    example = "trade 2 wood 1 stone for 3 wheat"
    builds = False
    give: Annotated[Tokens | None, Resources(lead=("give",))] = None
    take: Annotated[Tokens | None, Resources(lead=("for", "take", "to", "into"))] = None

    def _fee(self, at: At) -> int:
        return int(at["trade.cost.popularity"]) if at.on("XK-TRADE-1") else 0

    def breaks(self, at: At) -> Iterator[Breach]:
        yield from super().breaks(at)
        yield from self._swap(at)
        have, fee = at.state.player[self.player].popularity, self._fee(at)
        if have < fee:
            why = f"a trade costs {fee} popularity; {self.player} has {have}"
            yield Breach("XK-TRADE-1", why, {"fee": fee, "popularity": have})

    def _swap(self, at: At) -> Iterator[Breach]:
        give, take = together(self.give or {}), together(self.take or {})
        given, taken = sum(give.values()), sum(take.values())
        facts = {"give": give, "take": take}
        most = at["trade.max_cubes"]
        if self.give is not None and not 1 <= given <= most:
            yield Breach("XK-TRADE-2", f"1 to {most} tokens are returned, not {given}", {**facts, "max": most})
        if self.give is not None and self.take is not None and given != taken:
            yield Breach("XK-TRADE-3", f"{count(given, 'token')} for {taken}: it is one for one", facts)
        both = sorted(set(give) & set(take))
        if both:
            yield Breach("XK-TRADE-4", f"{both[0]} is both returned and taken", facts)
        store = at.state.player[self.player].stored()
        if lacking(store, give):
            have = spell_all({kind: store[kind] for kind in give})
            yield Breach("XK-TRADE-5", f"{self.player} has {have}, not {spell(give)}", {**facts, "have": store})
        for kind, n in take.items():
            space = room_for(at, self.player, kind) + (0 if at.on("XK-STORE-6") else given)
            if n > space + give.get(kind, 0):
                why = f"{self.player} has room for {space} more {kind}, not for {n}"
                yield Breach("XK-TRADE-6", why, {**facts, "kind": kind, "room": space})
        short = lacking({kind: n + give.get(kind, 0) for kind, n in supply(at).items()}, take)
        for kind in short:
            why = f"the supply has only {max(0, supply(at)[kind])} {kind}"
            yield Breach("XK-TRADE-7", why, {**facts, "supply": supply(at)[kind]})

    def left_out(self, at: At) -> Iterator[Choice]:
        if self.give is None:
            have = [kind for kind, n in at.state.player[self.player].stored().items() if n]
            yield Choice("give", self.player, "which tokens are returned?", have)
        if self.take is None:
            options = [kind for kind in KINDS if kind not in (self.give or {})]
            yield Choice("take", self.player, "which tokens are taken?", options)

    def carry_out(self, at: At) -> None:
        p = at.state.player[self.player]
        fee = min(self._fee(at), p.popularity)
        p.popularity -= fee
        give, take = together(self.give or {}), together(self.take or {})
        for kind, n in give.items():
            p.add(kind, -min(n, p.of(kind)))
        for kind, n in take.items():
            p.add(kind, n)
        what = f"{self.player} pays {fee} popularity, {p.popularity} left, and swaps {spell(give)} for {spell(take)}"
        at.note("XK-TRADE-1", what, give=give, take=take, popularity=p.popularity)
        most = at["trade.max_cubes"]
        at.cite("XK-TRADE-2", f"{count(sum(give.values()), 'token')} of at most {most}", max=most)
        at.cite("XK-TRADE-3", "one for one")
        at.cite("XK-TRADE-4", "no kind is both returned and taken")
        at.cite("XK-TRADE-5", "the returned tokens were owned")
        at.cite("XK-TRADE-6", "the taken tokens fit")
        at.cite("XK-TRADE-7", f"the supply has {spell(supply(at))} left", supply=supply(at))

    @classmethod
    def candidates(cls, at: At) -> Iterator[Move]:
        s = at.state
        player = s.active
        if player is None or s.player[player].popularity < at["trade.cost.popularity"]:
            return
        store = s.player[player].stored()
        for n in range(1, at["trade.max_cubes"] + 1):
            for give in _bundles(n):
                if lacking(store, give):
                    continue
                yield from (cls(player, give, take) for take in _bundles(n) if not set(give) & set(take))


def _bundles(n: int) -> Iterator[dict[str, int]]:
    """Every way to name `n` tokens."""
    for chosen in combinations_with_replacement(KINDS, n):
        yield {kind: chosen.count(kind) for kind in dict.fromkeys(chosen)}


__all__ = ["Trade"]
