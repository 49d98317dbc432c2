"""Preparation: seats, the first turn order, tiles on the buildings, demands and ships (rules TX-PREP)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import permutations, product
from typing import Annotated, Any, ClassVar

import msgspec

from companion.engine.play.forms import furnish
from companion.engine.things.cards import beyond
from companion.engine.things.tracks import printed_at
from companion.rules import Breach, Choice, Pairs, PieceName, Reported, Seat, Seating

from .catalogue import At, by_players, cat, name_of
from .tiles import in_supply, too_many


def base_strength(at: At) -> int:
    """The strength of a nomad at the start of its track (TX-PREP-7, TX-BAT-10)."""
    return by_players(at, "nomad.base_strength")


GETTING = ("gets", "get", "has", "have", "with")
"""Words between a place and what is laid there."""


class Setup(Seating, frozen=True):
    """Seat the players."""

    name = "setup"
    key = "event"
    role = "event"
    asks: ClassVar[dict[str, str]] = {"seats": "TX-GAME-3.seats"}
    told: ClassVar[dict[str, str]] = {key: f"TX-GAME-3.{key}" for key in ("seated", "number", "twice", "option")}

    def apply(self, at: At) -> None:
        """The table as a position has it that says nothing but who sits there, and that the hands are empty."""
        s = at.state
        s.players = list(self.seats)
        furnish(at.rules, s, {"phase": s.phase})
        s.untold_hands.clear()
        at.note("TX-GAME-4.pieces", players=list(s.players), workers=at["workers"], crates=at["crates"])
        at.kept("TX-ACT-3", "TX-SHIP-12", "TX-SHIP-13", "TX-BARGE-11")
        at.note("TX-PREP-7.nomads", n=base_strength(at))
        if (closed := by_players(at, "governor.spaces_in_use")) < len(next(iter(s.buildings.values())).governors):
            at.note("TX-PREP-10.closed", n=closed)


ASKED_BY = {
    "turn_order": "TX-PREP-1.turn_order",
    "bonus": "TX-PREP-11.bonus",
    "demand": "TX-PREP-5.demand",
    "ships": "TX-PREP-6.ships",
}


class Prepare(Reported, frozen=True):
    """The layout by chance: the turn order, the tiles on the buildings, the demands and the ships; all at once, or one
    after the other."""

    name = "prepare"
    turn_order: Annotated[tuple[str, ...], Seat(actor=False, many=True, lead=("order",))] = ()
    bonus: Annotated[
        dict[str, str],
        Pairs(PieceName("building"), PieceName("tile"), lead=("bonus", "tiles"), between=GETTING, secret=True),
    ] = msgspec.field(default_factory=dict)
    demand: Annotated[
        dict[str, str],
        Pairs(
            PieceName("port"), PieceName("demand"), lead=("demand", "demands"), between=("wants", "want"), secret=True
        ),
    ] = msgspec.field(default_factory=dict)
    ships: Annotated[dict[str, str], Pairs(PieceName("place"), PieceName("ship"), lead=("ships",), secret=True)] = (
        msgspec.field(default_factory=dict)
    )

    def shows(self) -> dict[str, Any]:
        laid = {"bonus": self.bonus, "demand": self.demand, "ships": self.ships}
        return {f"{kind} of {place}": what for kind, there in laid.items() for place, what in there.items()}

    def options(self, at: At, field: str) -> Iterable[Any] | None:
        """Whoever says nothing is asked for what lacks first. One outcome stands for all of chance."""
        if not at.state.players or any(getattr(self, name) for name in self.__struct_fields__):
            return None
        lacking = open_places(at)
        first = next((name for name, places in lacking.items() if places), None)
        if field != first:
            return None
        if field == "turn_order":
            return permutations(at.state.players)
        known = {"bonus": in_supply(at), "demand": cat(at).demand, "ships": in_stack(at)}
        return [{lacking[field][0]: one} for one in known[field]]

    def things(self, at: At, field: str) -> Iterable[Any] | None:
        """Anything may lie in any place that nobody has told; an order that is set is not set again."""
        if field == "turn_order" and at.state.turn_order:
            return ()
        places = open_places(at)
        known = {"bonus": in_supply(at), "demand": cat(at).demand, "ships": in_stack(at)}
        return product(places[field], dict.fromkeys(known[field])) if field in known and at.state.players else None

    def questions(self, at: At, field: str, values: list[Any]) -> list[Choice]:
        places = open_places(at)[field]
        return [at.ask(ASKED_BY[field], field, "", places, places=places)]

    def forbidden(self, at: At) -> Iterator[Breach]:
        s = at.state
        if not s.players:
            yield at.breach("TX-GAME-3.unseated")
            return
        if self.turn_order and s.turn_order:
            yield at.breach("TX-PREP-1.known", order=list(s.turn_order))
        elif self.turn_order and sorted(self.turn_order) != sorted(s.players):
            yield at.breach("TX-PREP-1.each", order=list(self.turn_order), players=list(s.players))
        for building in self.bonus:
            if (tile := s.buildings[building].bonus) is not None:
                yield at.breach("TX-PREP-11.lies", building=name_of(at, "building", building), tile=tile)
        yield from too_many(at, self.bonus.values())
        for port in self.demand:
            if (good := s.ports[port].demand) is not None:
                yield at.breach("TX-PREP-5.lies", port=name_of(at, "place", port), good=good)
        wanted = Counter([*self.demand.values(), *(port.demand for port in s.ports.values() if port.demand)])
        for good, n in wanted.items():
            if n > cat(at).demand[good]:
                yield at.breach("TX-PREP-5.tiles", good=good, n=n, copies=cat(at).demand[good])
        for place in self.ships:
            if (ship := s.ports[place].ship) is not None:
                yield at.breach("TX-PREP-6.lies", place=name_of(at, "place", place), ship=ship)
        yield from shown_before(at, list(self.ships.values()))

    def apply(self, at: At) -> None:
        s = at.state
        if self.turn_order:
            s.turn_order = list(self.turn_order)
            at.note("TX-PREP-1.order", order=list(self.turn_order))
            self._stock(at)
        for building, tile in self.bonus.items():
            s.buildings[building].bonus = tile
        if self.bonus:
            at.note("TX-PREP-4", n=len(self.bonus))
            at.kept("TX-PREP-9", "TX-PREP-11", "TX-TILE-1")
        for port, good in self.demand.items():
            s.ports[port].demand = good
            at.note("TX-PREP-5.demand", port=name_of(at, "place", port), good=good)
        for place, ship in self.ships.items():
            s.ports[place].ship = ship
            at.note("TX-PREP-6.ship", place=name_of(at, "place", place), ship=name_of(at, "ship", ship))
        if not any(open_places(at).values()):
            at.enter("setup")

    def _stock(self, at: At) -> None:
        """Give everybody the starting stock (TX-PREP-2, TX-PREP-3)."""
        for n, seat in enumerate(at.state.turn_order):
            p = at.state.player[seat]
            stock = {"coin": printed_at(at["start.coin_by_seat"], n), **at["start.stock"]}
            for kind, amount in stock.items():
                p.add(kind, amount)
            p.objectives += at["objectives.kept"]
            at.note("TX-PREP-2.stock", player=seat, gains=stock)
        at.note("TX-PREP-3.dealt", dealt=at["objectives.dealt"], kept=at["objectives.kept"])


def open_places(at: At) -> dict[str, list[str]]:
    """The places that preparation still has to fill, by field."""
    s = at.state
    return {
        "turn_order": [] if s.turn_order else list(s.players),
        "bonus": [building for building, site in s.buildings.items() if site.bonus is None],
        "demand": [port for port in cat(at).ports if s.ports[port].demand is None],
        "ships": [place for place in cat(at).harbour if s.ports[place].ship is None],
    }


def in_stack(at: At) -> list[str]:
    """The ships that have not been revealed."""
    seen = [*at.state.discarded_ships, *(port.ship for port in at.state.ports.values())]
    return [ship for ship in cat(at).ships if ship not in seen]


def shown_before(at: At, ships: list[str]) -> Iterator[Breach]:
    """A ship that has been revealed cannot come up again (TX-GAME-5)."""
    for ship in beyond(ships, in_stack(at)):
        yield at.breach("TX-GAME-5.ship", ship=name_of(at, "ship", ship))
