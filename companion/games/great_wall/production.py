"""Production locations: gathering, and overseers for the income of Summer (rules GW-PROD)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated, Any, ClassVar

from companion.engine.play.moves import Breach, PieceName
from companion.engine.things.figures import Figure

from .activation import ClerkUse
from .catalogue import SPEARMAN, At, cat, name_of
from .icons import STEP
from .locations import ends_use, too_many, use
from .prices import changes, figure_rules, misclaimed, unpaid
from .supplies import gain, pay, plain


class Production(ClerkUse, frozen=True):
    """The use of a clerk in a production location."""

    location: Annotated[str, PieceName("location", loose=True)] = ""

    @classmethod
    def sites(cls, at: At) -> tuple[str, ...]:
        return tuple(cat(at).production)

    def where(self, at: At) -> str:
        return self.location

    def options(self, at: At, field: str) -> Iterable[Any] | None:
        if field == "location":
            return [at.state.resolving] if at.state.resolving in cat(at).production else list(cat(at).production)
        return super().options(at, field)

    def forbidden(self, at: At) -> Iterator[Breach]:
        if self.location and self.location not in cat(at).production:
            yield at.breach("GW-PROD-1", location=name_of(at, "location", self.location))
        elif self.location:
            yield from self.moment(at)
            yield from self.obstacles(at)

    def obstacles(self, at: At) -> Iterator[Breach]:
        """What else stands in the way."""
        yield from too_many(at, self.by)


class Gather(Production, frozen=True):
    """Use a clerk to gather the resource of the location."""

    name = "gather"
    elsewhere = "GW-PROD-2"
    words = ("gather", "gathers")
    example = "pine gather"

    def apply(self, at: At) -> None:
        use(at, self.by, self.location)
        kind = cat(at).production.get(self.location, "")
        n = at["production.yield"].get(kind, 0)
        gain(at, self.by, {kind: n}, "GW-PROD-2.gather", location=name_of(at, "location", self.location))
        ends_use(at, self.by)


class UpgradeOverseer(Production, frozen=True):
    """Use a clerk to raise the own overseer of the location by one level."""

    name = "upgrade_overseer"
    elsewhere = "GW-PROD-2"
    words = ("overseer", "upgrade")
    example = "pine overseer"
    asks: ClassVar[dict[str, str]] = {"location": "GW-PROD-2.location"}
    pay: dict[str, dict[str, int]] | None = None

    def obstacles(self, at: At) -> Iterator[Breach]:
        if not self.by:
            return
        p = at.state.own(self.by)
        level = p.overseers.get(self.location, 0) + 1
        facts = {"player": self.by, "location": name_of(at, "location", self.location)}
        if level > at["overseer.max_level"]:
            yield at.breach("GW-PROD-4", n=at["overseer.max_level"], **facts)
            return
        if level == 1 and not p.supply.get(SPEARMAN):
            shamed = p.shamed.get(SPEARMAN, 0)
            yield at.breach("GW-SHAME-9.overseer" if shamed else "GW-PROD-5", **facts)
        yield from too_many(at, self.by)
        cost = overseer_cost(at, self.by, level)
        yield from unpaid(at, self.by, f"level {level}", cost, "GW-PROD-3")
        yield from misclaimed(at, self.pay, plain(cost))

    def apply(self, at: At) -> None:
        p = at.state.own(self.by)
        level = p.overseers.get(self.location, 0) + 1
        cost = overseer_cost(at, self.by, level)
        use(at, self.by, self.location)
        pay(at, self.by, cost)
        if level == 1:
            p.supply[SPEARMAN] -= 1
            at.kept("GW-PROD-5", "GW-PROD-6")
        p.overseers[self.location] = level
        at.kept(*figure_rules(cost))
        facts = {"player": self.by, "location": name_of(at, "location", self.location), "level": level}
        at.note("GW-PROD-3.paid", "", cost=plain(cost), sum=changes(cost), **facts)
        ends_use(at, self.by)


def overseer_cost(at: At, clan: str, level: int) -> dict[str, Figure]:
    """The price of an overseer level for a clan (GW-PROD-3)."""
    table: Mapping[Any, Mapping[str, int]] = at["overseer.cost"]
    level = min(level, len(table))
    printed = table.get(level) or table[str(level)]
    return {kind: at.value(f"overseer.cost.{kind}", clan, base=n) for kind, n in printed.items()}


MOVES = {STEP: (Gather, UpgradeOverseer)}

__all__ = ["MOVES", "Gather", "UpgradeOverseer", "overseer_cost"]
