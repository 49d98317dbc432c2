"""Installing a governor (rules TX-GOV)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, ClassVar

from companion.engine.play.domains import Relative
from companion.rules import UNSAID, Breach, Count, Options, PieceName, Sum
from components.phrasing import count

from .catalogue import At, by_players, cat, name_of
from .gains import gain
from .state import Site
from .tiles import owns, receive
from .turns import Step, Unset


def spaces_open(at: At) -> int:
    """The number of meeple spaces of a building that are in use (TX-PREP-10)."""
    return by_players(at, "governor.spaces_in_use")


def wood_parts(at: At, building: str, space: int) -> tuple[int, int, int]:
    """The wood for the building, for the space and for the cost tokens there (TX-GOV-2, TX-GOV-10)."""
    found, tokens = cat(at).buildings[building], at.state.buildings[building].cost_tokens
    return found.wood, found.extra_wood[space - 1], tokens * at["governor.cost_token.wood"]


def wood_cost(at: At, building: str, space: int) -> Sum:
    """The cost of a governor there, line by line."""
    tokens, cost = at.state.buildings[building].cost_tokens, Sum()
    base, extra, more = wood_parts(at, building, space)
    cost.add("for the building", base, "TX-GOV-2")
    cost.add(f"for space {space}", extra, "TX-GOV-2")
    cost.add(f"for {count(tokens, 'cost token')}", more, "TX-GOV-10")
    return cost


def empty_spaces(at: At, building: str) -> list[int]:
    """The open spaces of a building in which nobody has a governor."""
    row = at.state.buildings[building].governors[: spaces_open(at)]
    return [n for n, owner in enumerate(row, 1) if owner is None]


class Space(Count):
    """A space of a building by its number, or by what it costs: `the cheapest`."""

    def spoken(self, at: At) -> dict[str, Any]:
        left = {word: Relative("free", _only) for word in ("free", "last free", "only free")}
        return {"cheapest": Relative("cheapest", _cheapest), **left}


def _only(said: Governor, at: At) -> int | None:
    """The empty space, if there is but one."""
    empty = empty_spaces(at, str(said.governor)) if said.governor else []
    return empty[0] if len(empty) == 1 else None


def _cheapest(said: Governor, at: At) -> int | None:
    """The empty space that costs less than any other."""
    building = str(said.governor or "")
    cost = {space: sum(wood_parts(at, building, space)) for space in empty_spaces(at, building)} if building else {}
    least = [space for space, wood in cost.items() if wood == min(cost.values())]
    return least[0] if len(least) == 1 else None


class Governor(Step, frozen=True):
    """Install a governor in a building of the region."""

    words = ("governor", "")
    needing: ClassVar[tuple[str, ...]] = ("take", "get", "occupy", "move into", "go into")
    asks: ClassVar[dict[str, str]] = {"governor": "TX-GOV-1.building", "space": "TX-GOV-8.space"}
    governor: Annotated[str | Unset, PieceName("building", after=("to", "into"))] = UNSAID
    space: Annotated[int, Space(1, of=("space", "seat", "place", "spot"))] = 0
    cost: Annotated[
        int | None, Count(lead=("cost",), after=("for", "pay", "paying"), of=("wood",), announced=True, confirms=True)
    ] = None
    """A claim of the table."""

    def governor_options(self, at: At) -> Options:
        return cat(at).regions[at.turn.region].buildings

    def space_options(self, at: At) -> Options:
        said = self.governor is not UNSAID
        return range(1, len(cat(at).buildings[str(self.governor)].extra_wood) + 1) if said else None

    def forbidden(self, at: At) -> Iterator[Breach]:
        p, here = at.state.player[at.mover], at.turn.region
        if at.turn.count(Governor):
            yield at.breach("TX-REG-6.governor", player=at.mover)
        if self.governor is not UNSAID:
            building = cat(at).buildings[str(self.governor)]
            row = at.state.buildings[building.id].governors
            if building.region != here:
                there, region = name_of(at, "region", building.region), name_of(at, "region", here)
                yield at.breach("TX-GOV-1.elsewhere", building=building.name, there=there, region=region)
            if not 0 <= self.space <= len(row):
                yield at.breach("TX-GOV-1.number", building=building.name, space=self.space, n=len(row))
                return
            if self.space > spaces_open(at):
                n = len(at.state.players)
                yield at.breach("TX-GOV-9", building=building.name, space=self.space, players=n)
            elif self.space and (owner := row[self.space - 1]):
                yield at.breach("TX-GOV-1.taken", building=building.name, space=self.space, owner=owner)
        if not p.workers:
            yield at.breach("TX-GOV-3", player=at.mover)
        if self.governor is not UNSAID and self.space and sum(wood_parts(at, str(self.governor), self.space)) > p.wood:
            cost = wood_cost(at, str(self.governor), self.space)
            figures = {"has": p.wood, "cost": cost.total, "sum": cost.detail, "space": self.space}
            yield at.breach("TX-GOV-2.wood", player=at.mover, building=building.name, **figures)
        if self.governor is not UNSAID and self.space and self.cost is not None:
            price = sum(wood_parts(at, str(self.governor), self.space))
            if self.cost != price:
                facts = {"space": self.space, "building": building.name, "cost": price, "said": self.cost}
                yield at.breach("TX-GOV-2.price", **facts)

    def apply(self, at: At) -> None:
        s, who, building = at.state, at.mover, cat(at).buildings[str(self.governor)]
        p, site, cost = s.player[who], s.buildings[building.id], wood_cost(at, building.id, self.space)
        first = empty_spaces(at, building.id)[:1]
        p.wood -= cost.total
        p.workers -= 1
        site.governors[self.space - 1] = who
        at.note("TX-GOV-2.pay", player=who, building=building.name, space=self.space, n=cost.total, sum=cost.detail)
        at.kept("TX-GOV-1", "TX-GOV-3", "TX-REG-8", *(["TX-GOV-7"] if site.governors.count(who) > 1 else []))
        if self.space not in first:
            at.kept("TX-GOV-8")
        if site.cost_tokens:
            at.note("TX-GOV-10.tokens", building=building.name, n=site.cost_tokens)
        _take_tile(at, who, site, building.name)
        if building.pays:
            at.note("TX-GOV-6.pays", building=building.name)
            gain(at, who, building.does, "TX-GOV-6")
        else:
            at.note("TX-GOV-6.lasts", building=building.name, player=who, effect=building.text)


def _take_tile(at: At, who: str, site: Site, building: str) -> None:
    """The bonus tile of the building, unless it is a figurine the player has (TX-GOV-4, -5, -11)."""
    if site.bonus is not None and owns(at, who, site.bonus):
        at.note("TX-GOV-5.stays", player=who, tile=site.bonus, building=building)
        at.kept("TX-FIG-2")
    elif site.bonus is not None:
        receive(at, who, site.bonus)
        at.note("TX-GOV-4.take", player=who, tile=site.bonus)
        at.kept("TX-GOV-11")
        site.bonus = None
