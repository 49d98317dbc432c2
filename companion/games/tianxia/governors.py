"""Installing a governor (rules TX-GOV)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated, Any, ClassVar

import msgspec

from companion.engine.play.moves import Breach, Count
from companion.engine.play.parts import UNSAID, Part
from companion.engine.things.sums import Sum

from . import domains
from .catalogue import At, by_players, cat, name_of
from .free import Choose, Unset
from .gains import gain
from .tiles import owns, receive


def spaces_open(at: At) -> int:
    """How many meeple spaces of a building are in use (TX-PREP-10)."""
    return by_players(at, "governor.spaces_in_use")


def wood_cost(at: At, building: str, space: int) -> Sum:
    """What a governor costs there (TX-GOV-2, TX-GOV-10)."""
    found, site = cat(at).buildings[building], at.state.buildings[building]
    cost = Sum()
    cost.add("for the building", found.wood, "TX-GOV-2")
    cost.add(f"for space {space}", found.extra_wood[space - 1], "TX-GOV-2")
    tokens = site.cost_tokens * at["governor.cost_token.wood"]
    cost.add(f"for {site.cost_tokens} cost token{'s' * (site.cost_tokens != 1)}", tokens, "TX-GOV-10")
    return cost


def empty_spaces(at: At, building: str) -> list[int]:
    """The open spaces of a building in which nobody has a governor."""
    row = at.state.buildings[building].governors
    return [n for n, owner in enumerate(row, 1) if owner is None and n <= spaces_open(at)]


class Governor(Part, frozen=True):
    """Install a governor in a building of the region."""

    words = ("governor", "install", "install governor")
    asks: ClassVar[dict[str, str]] = {"governor": "TX-GOV-1.building", "space": "TX-GOV-8.space"}
    governor: Annotated[str | Unset, domains.building()] = UNSAID
    space: Annotated[int, Count(1)] = 0
    choose: Choose = msgspec.field(default_factory=dict)

    def options(self, at: At, field: str) -> Iterable[Any] | None:
        if field == "governor":
            return cat(at).regions[at.turn.region].buildings
        if field == "space" and self.governor is not UNSAID:
            return range(1, len(cat(at).buildings[str(self.governor)].extra_wood) + 1)
        return None

    def forbidden(self, at: At) -> Iterator[Breach]:
        if at.turn.count(Governor):
            yield at.breach("TX-REG-6.governor", player=at.mover)
        p = at.state.player[at.mover]
        if self.governor is UNSAID:
            if not p.workers:
                yield at.breach("TX-GOV-3", player=at.mover)
            return
        building = cat(at).buildings[str(self.governor)]
        if building.region != at.turn.region:
            there, region = name_of(at, "region", building.region), name_of(at, "region", at.turn.region)
            yield at.breach("TX-GOV-1.elsewhere", building=building.name, there=there, region=region)
        row = at.state.buildings[str(self.governor)].governors
        if self.space > len(building.extra_wood) or self.space < 0:
            yield at.breach("TX-GOV-1.number", building=building.name, space=self.space, n=len(building.extra_wood))
            return
        if self.space > spaces_open(at):
            n = len(at.state.players)
            yield at.breach("TX-GOV-9", building=building.name, space=self.space, players=n)
        elif self.space and (owner := row[self.space - 1]):
            yield at.breach("TX-GOV-1.taken", building=building.name, space=self.space, owner=owner)
        if not p.workers:
            yield at.breach("TX-GOV-3", player=at.mover)
        if self.space and (cost := wood_cost(at, str(self.governor), self.space)).total > p.wood:
            figures = {"has": p.wood, "cost": cost.total, "sum": cost.detail, "space": self.space}
            yield at.breach("TX-GOV-2.wood", player=at.mover, building=building.name, **figures)

    def apply(self, at: At) -> None:
        s, who, id = at.state, at.mover, str(self.governor)
        p, site, building = s.player[who], s.buildings[id], cat(at).buildings[id]
        cost = wood_cost(at, id, self.space)
        p.wood -= cost.total
        p.workers -= 1
        site.governors[self.space - 1] = who
        at.note("TX-GOV-2.pay", player=who, building=building.name, space=self.space, n=cost.total, sum=cost.detail)
        at.kept("TX-GOV-1", "TX-GOV-3", "TX-REG-8", *(["TX-GOV-7"] if site.governors.count(who) > 1 else []))
        if any(found < self.space for found in empty_spaces(at, id)):
            at.kept("TX-GOV-8")
        if site.cost_tokens:
            at.note("TX-GOV-10.tokens", building=building.name, n=site.cost_tokens)
        _take_tile(at, who, id)
        if building.pays:
            at.note("TX-GOV-6.pays", building=building.name)
            gain(at, who, building.income, "TX-GOV-6")
        else:
            at.note("TX-GOV-6.lasts", building=building.name, player=who, effect=building.piece.text)


def _take_tile(at: At, who: str, building: str) -> None:
    """The bonus tile of the building, unless it is a figurine the player has (TX-GOV-4, -5, -11)."""
    site = at.state.buildings[building]
    if site.bonus is None:
        return
    if owns(at, who, site.bonus):
        at.note("TX-GOV-5.stays", player=who, tile=site.bonus, building=name_of(at, "building", building))
        at.kept("TX-FIG-2")
        return
    receive(at, who, site.bonus)
    at.note("TX-GOV-4.take", player=who, tile=site.bonus)
    at.kept("TX-GOV-11")
    site.bonus = None
