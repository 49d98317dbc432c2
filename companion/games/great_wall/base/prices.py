"""Wood, stone, gold and chi behind the screens: what a report costs and gains, what the supply lacks, what somebody claims to
have paid (GW-GEN-5 to -10, GW-BUILD-3)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any

import msgspec

from companion.rules import Breach, Figure, Tally, lacking

from .catalogue import At

Cost = Mapping[str, int]
"""Resource -> how much."""
Claimed = dict[str, int | dict[str, int]] | None
"""The reported payment: `own` and `warehouse`, or all together."""
PAYING = ("for", "paying", "pay", "costing", "with")
Pay = Annotated[Claimed, Tally("resource", lead=PAYING, loose=True)]
"""The reported payment: `for 2 gold`. The rules decide the source if it is not named."""


def cost_of(at: At, name: str, clan: str, printed: Cost | None = None, **where: Any) -> dict[str, Figure]:
    """The cost that the parameter `name` (`recruit.spearman.cost`) says, or `printed`, as it is for a clan now: each of
    its resources is a figure of its own (`recruit.spearman.cost.gold`), which cards may change."""
    cost: Cost = at[name] if printed is None else printed
    return {kind: at.value(f"{name}.{kind}", clan, base=n, **where) for kind, n in cost.items()}


def plain(cost: Mapping[str, int | Figure]) -> dict[str, int]:
    """A cost as numbers, resources of number 0 left out."""
    return {kind: int(n) for kind, n in cost.items() if int(n)}


class Price(msgspec.Struct, frozen=True):
    """A price: the rule, its purpose, and each resource as a figure that cards may have changed."""

    rule: str
    what: str
    figures: Mapping[str, Figure | int]
    stores: Mapping[str, int] | None = None
    """The part that the Warehouse pays; None: it never does."""

    @property
    def cost(self) -> dict[str, int]:
        """The price as numbers."""
        return plain(self.figures)

    @property
    def own(self) -> dict[str, int]:
        """The part paid from the player's supply."""
        return less(self.cost, self.stores or {})

    @property
    def changed(self) -> list[Figure]:
        """The figures that cards may have changed."""
        return [n for n in self.figures.values() if isinstance(n, Figure)]

    @property
    def rules(self) -> list[str]:
        """The rules of the cards that changed it."""
        return list(dict.fromkeys(rule for figure in self.changed for rule in figure.rules))

    @property
    def sum(self) -> str:
        """The changes by cards: ` (gold: 2, less 1 by Foreman)`; empty if there are none."""
        said = [f"{kind}: {n.sum}" for kind, n in self.figures.items() if isinstance(n, Figure) and n.changes]
        return f" ({'; '.join(said)})" if said else ""


FREE = Price("", "", {})
"""The price of a free action, or of one not yet complete."""


def less(cost: Mapping[str, int], paid: Mapping[str, int]) -> dict[str, int]:
    """The rest of a cost after a part of it has been paid."""
    return {kind: n - paid.get(kind, 0) for kind, n in cost.items() if n > paid.get(kind, 0)}


def unpaid(at: At, clan: str, price: Price) -> Iterator[Breach]:
    """A price that the player's supply does not cover (GW-GEN-6, GW-GEN-7)."""
    if lacks := lacking(at.state.own(clan).res, price.own):
        facts = {"what": price.what, "cost": price.cost, "lacks": lacks, "sum": price.sum}
        yield at.breach(f"{price.rule}.price", "GW-GEN-6", player=clan, **facts)


def misclaimed(at: At, said: Claimed, price: Price) -> Iterator[Breach]:
    """A payment that somebody claims, but that is not the price (GW-GEN-6, GW-GEN-7, GW-BUILD-3)."""
    if said is None:
        return
    if all(isinstance(n, int) for n in said.values()):
        if {kind: n for kind, n in said.items() if n} != price.cost:
            yield at.breach("GW-GEN-6.claimed", own=price.own, warehouse=dict(price.stores or {}))
        return
    stores, own = (_paid(said.get(of, {})) for of in ("warehouse", "own"))
    if price.stores is None and stores:
        yield at.breach("GW-GEN-7", goods=stores)
    elif (own, stores) != (price.own, dict(price.stores or {})):
        rule = "GW-GEN-6.claimed" if price.stores is None else "GW-BUILD-3.claimed"
        yield at.breach(rule, own=price.own, warehouse=dict(price.stores or {}))


def _paid(said: int | dict[str, int]) -> dict[str, int]:
    """The reported payment of one of the two."""
    return {kind: n for kind, n in said.items() if n} if isinstance(said, dict) else {}


def charge(at: At, clan: str, price: Price) -> None:
    """Pay a price that was found affordable, and use up the limits of the cards that changed it."""
    for kind, n in (price.stores or {}).items():
        at.state.warehouse[kind] -= n
    for kind, n in price.own.items():
        at.state.own(clan).res[kind] -= n
    for figure in price.changed:
        use_once(at, figure)


def use_once(at: At, figure: Any) -> None:
    """Use up the limits of what changed a figure, and the tactics that work for one build or purchase."""
    at.spend(figure)
    for change in figure.changes:
        if change.source.piece.set == "tactic":
            at.state.own(change.source.owner).used_this_unit.append(change.source.piece.id)


def pay(at: At, clan: str, cost: Mapping[str, int | Figure]) -> None:
    """Pay a cost that was found affordable, and use up the limits of the cards that lowered it."""
    res = at.state.player[clan].res
    for kind, n in cost.items():
        if isinstance(n, Figure):
            at.spend(n)
        res[kind] -= int(n)


def gain(at: At, clan: str, gains: Mapping[str, int], rule: str = "", **more: Any) -> None:
    """Gain resources and honor, and note it in the words of `rule` (with `player`, `gains` and `more`); without a rule,
    silently."""
    p = at.state.player[clan]
    for kind, n in gains.items():
        if kind == "honor":
            p.honor += n
        else:
            p.res[kind] += n
    if rule and any(gains.values()):
        at.note(rule, player=clan, gains={kind: n for kind, n in gains.items() if n}, **more)


def lose_honor(at: At, clan: str, n: int, rule: str, **more: Any) -> None:
    """Lose honor, if need be below 0 (GW-SHAME-12)."""
    at.state.player[clan].honor -= n
    at.note(rule, player=clan, n=n, honor=at.state.player[clan].honor, **more)
