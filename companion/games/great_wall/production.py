"""Production locations: gathering, and overseers for the income of Summer (rules GW-PROD)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated, Any

from companion.engine.play.moves import Breach, PieceName
from companion.engine.things.figures import Figure

from .catalogue import SPEARMAN, At, cat, name_of
from .icons import STEP
from .prices import FREE, Price
from .supplies import gain
from .uses import ClerkUse


class Production(ClerkUse, frozen=True):
    """The use of a clerk in a production location."""

    location: Annotated[str, PieceName("location", loose=True)] = ""

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


class Gather(Production, frozen=True):
    """Use a clerk to gather the resource of the location."""

    elsewhere = "GW-PROD-2"
    words = ("gather", "gathers")
    example = "pine gather"

    def done(self, at: At, price: Price) -> None:
        kind = cat(at).production.get(self.location, "")
        n = at["production.yield"].get(kind, 0)
        gain(at, self.by, {kind: n}, "GW-PROD-2.gather", location=name_of(at, "location", self.location))


class UpgradeOverseer(Production, frozen=True):
    """Use a clerk to raise the own overseer of the location by one level."""

    elsewhere = "GW-PROD-2"
    words = ("overseer", "upgrade")
    example = "pine overseer"
    pay: dict[str, dict[str, int]] | None = None

    def level(self, at: At) -> int:
        """The level it leads to."""
        return at.state.own(self.by).overseers.get(self.location, 0) + 1

    def obstacles(self, at: At) -> Iterator[Breach]:
        if not self.by:
            return
        p, facts = at.state.own(self.by), {"player": self.by, "location": name_of(at, "location", self.location)}
        if self.level(at) > at["overseer.max_level"]:
            yield at.breach("GW-PROD-4", n=at["overseer.max_level"], **facts)
        elif self.level(at) == 1 and not p.supply.get(SPEARMAN):
            yield at.breach("GW-SHAME-9.overseer" if p.shamed.get(SPEARMAN) else "GW-PROD-5", **facts)

    def price(self, at: At) -> Price:
        """The price of the level (GW-PROD-3)."""
        level = self.level(at)
        table: Mapping[Any, Mapping[str, int]] = at["overseer.cost"]
        if level > at["overseer.max_level"]:
            return FREE
        printed = table.get(level) or table[str(level)]
        cost: dict[str, Figure | int] = {
            kind: at.value(f"overseer.cost.{kind}", self.by, base=n) for kind, n in printed.items()
        }
        return Price("GW-PROD-3", f"level {level}", cost)

    def done(self, at: At, price: Price) -> None:
        p, level = at.state.own(self.by), self.level(at)
        if level == 1:
            p.supply[SPEARMAN] -= 1
            at.kept("GW-PROD-5", "GW-PROD-6")
        p.overseers[self.location] = level
        facts: dict[str, Any] = {"location": name_of(at, "location", self.location), "level": level}
        at.note("GW-PROD-3.paid", player=self.by, cost=price.cost, sum=price.sum, **facts)


MOVES = {STEP: (Gather, UpgradeOverseer)}
