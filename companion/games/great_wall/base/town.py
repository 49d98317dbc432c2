"""The town: production locations, Tea House, Warehouse and Scholars' Hall (rules GW-PROD, GW-TOWN-1, GW-TOWN-8 to -11,
GW-CARD-5, GW-CARD-6).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated, Any, ClassVar

import msgspec

from companion.engine.play.pending import owing
from companion.rules import Breach, Brings, Count, Figure, PieceName, Tally

from . import decks
from .catalogue import SPEARMAN, At, cat, name_of
from .effects import draw, up
from .icons import STEP
from .locations import left
from .prices import FREE, Pay, Price, cost_of, gain
from .reports import Report
from .state import GOODS
from .uses import ClerkUse
from .year import is_open

TEA_HOUSE, WAREHOUSE, HALL = "tea_house", "warehouse", "scholars_hall"


# --- Tea House ------------------------------------------------------------------------------------------------------


class TakeChi(ClerkUse, frozen=True):
    """Use a clerk in the Tea House to gain chi."""

    elsewhere = "GW-TOWN-1"
    words = ("chi",)
    site = TEA_HOUSE
    amount: Annotated[int, Count(confirms=True)] = 0
    """The gain, if reported."""

    def amount_options(self, at: At) -> Iterable[int]:
        return (0, at["tea_house.chi"])

    def obstacles(self, at: At) -> Iterator[Breach]:
        if self.amount not in (0, n := at["tea_house.chi"]):
            yield at.breach("GW-TOWN-1.gains", gains={"chi": n})

    def done(self, at: At, price: Price) -> None:
        gain(at, self.by, {"chi": at["tea_house.chi"]}, "GW-TOWN-1.chi")


class TeaUp(ClerkUse, frozen=True):
    """Use a clerk in the Tea House to move your tea marker up."""

    elsewhere = "GW-TOWN-1"
    words = ("tea",)
    counted = ("place", "step", "spot", "clerk")
    site = TEA_HOUSE

    def done(self, at: At, price: Price) -> None:
        up(at, self.by, at["tea_house.places"], "GW-TOWN-1")


# --- Warehouse ------------------------------------------------------------------------------------------------------


class Donate(ClerkUse, frozen=True):
    """Use a clerk in the Warehouse to donate goods for honor."""

    elsewhere = "GW-TOWN-8"
    site = WAREHOUSE
    sampled = True
    resources: Annotated[dict[str, int], Tally("resource")] = msgspec.field(default_factory=dict)

    @classmethod
    def candidates(cls, at: At) -> Iterator[Donate]:
        """One of each good, and as many of it as one clerk may donate."""
        for clan in at.rules.to_move(at.state):
            if at.refuses(cls(by=clan)):
                continue
            most, p = int(at.value("warehouse.max_per_clerk", clan)), at.state.own(clan)
            for good in GOODS:
                n = min(most, p.res[good], room(at, good))
                yield from (cls(by=clan, resources={good: some}) for some in sorted({1, n}) if some <= n)

    def most(self, at: At) -> Figure:
        """The number of goods that a clerk may donate."""
        return at.value("warehouse.max_per_clerk", self.by)

    def clerks(self, at: At) -> int:
        return max(1, -(-sum(self.resources.values()) // max(1, int(self.most(at)))))

    def obstacles(self, at: At) -> Iterator[Breach]:
        given = {kind: n for kind, n in self.resources.items() if n}
        if wrong := [kind for kind in given if kind not in at["goods"]]:
            yield at.breach("GW-TOWN-8.goods", "GW-GEN-10", kinds=wrong)
            return
        if self.resources and min(given.values(), default=0) <= 0:
            yield at.breach("GW-TOWN-8.nothing")
        for kind, n in given.items():
            if n > room(at, kind):
                yield at.breach("GW-TOWN-10", kind=kind, n=n, room=room(at, kind), capacity=capacity(at)[kind])

    def too_many(self, at: At) -> Iterator[Breach]:
        if 0 < (clerks := left(at, self.by, self.site)) < self.clerks(at):
            n, most = sum(self.resources.values()), self.most(at)
            yield at.breach("GW-TOWN-8.number", player=self.by, n=n, most=int(most), clerks=clerks, sum=most.sum)
        else:
            yield from super().too_many(at)

    def price(self, at: At) -> Price:
        return Price("GW-TOWN-8", "the donation", self.resources)

    def done(self, at: At, price: Price) -> None:
        n = sum(self.resources.values())
        at.state.clerk_uses[self.by].donated += n
        for kind, some in self.resources.items():
            at.state.warehouse[kind] += some
        gain(at, self.by, {"honor": n * at["warehouse.honor"]})
        at.note("GW-TOWN-9", player=self.by, goods=dict(self.resources), honor=n * at["warehouse.honor"])
        at.kept("GW-TOWN-8")


def capacity(at: At) -> dict[str, int]:
    """The capacity of the Warehouse (GW-TOWN-10)."""
    found: dict[str, int] = at["warehouse_capacity"][at.state.side]
    return found


def room(at: At, kind: str) -> int:
    """The room left in the Warehouse for a good."""
    return capacity(at).get(kind, 0) - at.state.warehouse.get(kind, 0)


# --- Scholars' Hall and tactics in hand -----------------------------------------------------------------------------


class DrawTactic(ClerkUse, frozen=True):
    """Use clerks in the Scholars' Hall to draw tactics."""

    elsewhere = "GW-TOWN-11"
    words = ("draw",)
    site = HALL
    n: Annotated[int, Count(1, of=("tactic", "card"))] = 1
    """The number of clerks used."""
    discard: Annotated[tuple[str, ...] | str, Brings("discard_tactic")] = ()

    def clerks(self, at: At) -> int:
        return self.n

    def too_many(self, at: At) -> Iterator[Breach]:
        if (most := left(at, self.by, self.site)) > 0 and not 1 <= self.n <= most:
            yield at.breach("GW-TOWN-11.number", "GW-LOC-6", player=self.by, n=self.n, left=most)
        else:
            yield from super().too_many(at)

    def n_options(self, at: At) -> Iterable[int]:
        return range(1, max(1, left(at, self.by)) + 1)

    def done(self, at: At, price: Price) -> None:
        draw(at, self.by, self.n * at["scholars_hall.tactics"], "GW-TOWN-11")


class DiscardTactic(Report, frozen=True):
    """Discard a tactic above the hand limit."""

    owes: ClassVar[dict[str, str] | None] = {}
    elsewhere = "GW-CARD-5"
    role = "choice"
    words = ("discard",)
    card: Annotated[str, PieceName("tactic", secret=True)] = ""

    def card_options(self, at: At) -> list[str]:
        return decks.hidden(at, "tactic")

    def forbidden(self, at: At) -> Iterator[Breach]:
        if owing(at, DiscardTactic, self.by) is None and not is_open(at, f"tactics:{self.by}"):
            yield at.breach("GW-CARD-5.none", player=self.by)
        elif self.card and self.card in at.state.tactic_discard:
            yield at.breach("GW-CARD-3.gone", card=name_of(at, "tactic", self.card))

    def apply(self, at: At) -> None:
        at.state.own(self.by).tactics -= 1
        at.state.tactic_discard.append(self.card)
        at.note("GW-CARD-5.discarded", player=self.by, card=name_of(at, "tactic", self.card))


class Production(ClerkUse, frozen=True):
    """The use of a clerk in a production location."""

    location: Annotated[str, PieceName("location", after=("from", "to", "into"), loose=True)] = ""

    @classmethod
    def sites(cls, at: At) -> tuple[str, ...]:
        return tuple(cat(at).production)

    def where(self, at: At) -> str:
        return self.location

    def location_options(self, at: At) -> Iterable[str]:
        return [at.state.resolving] if at.state.resolving in cat(at).production else cat(at).production

    def forbidden(self, at: At) -> Iterator[Breach]:
        if self.location and self.location not in cat(at).production:
            yield at.breach("GW-PROD-1", location=name_of(at, "location", self.location))
        elif self.location:
            yield from super().forbidden(at)
        elif (now := at.state.resolving) and now not in cat(at).production:
            yield at.breach("GW-LOC-6.production", resolving=name_of(at, "location", now))


class Gather(Production, frozen=True):
    """Use a clerk to gather the resource of the location."""

    elsewhere = "GW-PROD-2"
    gains: Annotated[str, PieceName("resource", confirms=True)] = ""
    amount: Annotated[int, Count(confirms=True)] = 0
    """The gain, if reported."""

    def amount_options(self, at: At) -> Iterable[int]:
        kind = cat(at).production.get(self.location, "")
        return (0, *([at["production.yield"][kind]] if kind else []))

    def obstacles(self, at: At) -> Iterator[Breach]:
        kind = cat(at).production.get(self.location, "")
        n = at["production.yield"].get(kind, 0)
        if kind and (self.gains not in ("", kind) or self.amount not in (0, n)):
            yield at.breach("GW-PROD-2.gains", location=name_of(at, "location", self.location), gains={kind: n})

    def done(self, at: At, price: Price) -> None:
        kind = cat(at).production.get(self.location, "")
        n = at["production.yield"].get(kind, 0)
        gain(
            at, self.by, {kind: n} if kind else {}, "GW-PROD-2.gather", location=name_of(at, "location", self.location)
        )


class UpgradeOverseer(Production, frozen=True):
    """Use a clerk to raise your overseer of the location by one level."""

    elsewhere = "GW-PROD-2"
    counted = ("level", "clerk")
    words = ("overseer",)
    pay: Pay = None

    def level(self, at: At) -> int:
        """The level it leads to."""
        return at.state.own(self.by).overseers.get(self.location, 0) + 1

    def obstacles(self, at: At) -> Iterator[Breach]:
        p, facts = at.state.own(self.by), {"player": self.by, "location": name_of(at, "location", self.location)}
        if self.level(at) > at["overseer.max_level"]:
            yield at.breach("GW-PROD-4", n=at["overseer.max_level"], **facts)
        elif self.level(at) == 1 and not p.supply.get(SPEARMAN):
            yield at.breach("GW-SHAME-9.overseer" if p.shamed.get(SPEARMAN) else "GW-PROD-5", **facts)

    def price(self, at: At) -> Price:
        """The price of the level (GW-PROD-3)."""
        level = self.level(at)
        if level > at["overseer.max_level"]:
            return FREE
        return Price("GW-PROD-3", f"level {level}", cost_of(at, "overseer.cost", self.by, at["overseer.cost"][level]))

    def done(self, at: At, price: Price) -> None:
        p, level = at.state.own(self.by), self.level(at)
        if level == 1:
            p.supply[SPEARMAN] -= 1
            at.kept("GW-PROD-5", "GW-PROD-6")
        p.overseers[self.location] = level
        facts: dict[str, Any] = {"location": name_of(at, "location", self.location), "level": level}
        at.note("GW-PROD-3.paid", player=self.by, cost=price.cost, sum=price.sum, **facts)


MOVES = {STEP: (Gather, UpgradeOverseer, TakeChi, TeaUp, Donate, DrawTactic, DiscardTactic)}
