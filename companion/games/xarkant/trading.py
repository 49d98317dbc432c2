"""Trading with the supply (rules XK-TRADE)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import combinations_with_replacement
from typing import Annotated

from companion.engine.play.moves import Amounts
from companion.engine.things.stores import together
from companion.rules import Breach, Options, Tally, lacking

from .catalogue import At
from .state import KINDS
from .storage import room_for, supply
from .turns import Action


class Trade(Action, frozen=True):
    """Pay popularity and swap resource tokens with the supply, one for one."""

    give: Annotated[Amounts | None, Tally("resource", lead=("give",))] = None
    take: Annotated[
        Amounts | None,
        Tally("resource", whole=True, lead=("for", "take", "get", "receive", "to", "into"), after=("against",)),
    ] = None

    def give_options(self, at: At) -> Options:
        return [swap for n in range(1, at["trade.max_cubes"] + 1) for swap in bundles(n)]

    def take_options(self, at: At) -> Options:
        return bundles(sum((self.give or {}).values()))

    def everything(self, at: At, field: str) -> Amounts | None:
        """All tokens that a player has, and as many of a kind as are given."""
        if field == "take":
            given = sum((self.give or {}).values())
            return dict.fromkeys(KINDS, given) if given else None
        board = at.state.player.get(self.player or at.state.active or "")
        return board.stored() if board else None

    def forbidden(self, at: At) -> Iterator[Breach]:
        yield from super().forbidden(at)
        p = self.board(at)
        yield from self._swap(at)
        have, fee = p.popularity, at["trade.cost.popularity"]
        if have < fee:
            yield at.breach("XK-TRADE-1", player=self.player, fee=fee, popularity=have)

    def _swap(self, at: At) -> Iterator[Breach]:
        give, take = together(self.give or {}), together(self.take or {})
        given, taken, most = sum(give.values()), sum(take.values()), at["trade.max_cubes"]
        facts = {"player": self.player, "give": give, "take": take}
        if self.give is not None and not 1 <= given <= most:
            yield at.breach("XK-TRADE-2", n=given, max=most, **facts)
        if self.give is not None and self.take is not None and given != taken:
            yield at.breach("XK-TRADE-3", given=given, taken=taken, **facts)
        if both := sorted(set(give) & set(take)):
            yield at.breach("XK-TRADE-4", both=both, **facts)
        have, stock = self.board(at).stored(), supply(at)
        if short := lacking(have, give):
            yield at.breach("XK-TRADE-5", missing=short, have=have, **facts)
        for kind, n in take.items():
            space = room_for(at, self.player, kind)
            if n > space + give.get(kind, 0):
                yield at.breach(f"XK-TRADE-6.{'few' if space else 'none'}", kind=kind, room=space, n=n, **facts)
            if n > stock[kind] + give.get(kind, 0):
                yield at.breach(
                    f"XK-TRADE-7.{'few' if stock[kind] > 0 else 'none'}", kind=kind, supply=max(0, stock[kind]), **facts
                )

    def apply(self, at: At) -> None:
        p = self.board(at)
        fee = min(at["trade.cost.popularity"], p.popularity)
        p.popularity -= fee
        give, take = together(self.give or {}), together(self.take or {})
        for kind, n in give.items():
            p.add(kind, -min(n, p.of(kind)))
        for kind, n in take.items():
            p.add(kind, n)
        at.note("XK-TRADE-1", player=self.player, fee=fee, give=give, take=take, popularity=p.popularity)


@cache
def bundles(n: int) -> list[dict[str, int]]:
    """Every way to name `n` tokens."""
    return [dict(Counter(chosen)) for chosen in combinations_with_replacement(KINDS, n)]
