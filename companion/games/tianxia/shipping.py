"""Shipping: a knot in the port, crates on the ship (rules TX-SHIP)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated, Any, ClassVar

import msgspec

from companion.engine.language.words import ORDINALS
from companion.engine.things.stores import together
from companion.rules import UNSAID, Breach, Domain, Options

from .catalogue import ANY_GOOD, At, cat, name_of
from .exchange import goods_held, pay
from .gains import gain
from .state import WAVE
from .turns import WAVE_ALLOWED, Step, Unset

PORT = "port"
"""The port of the region in which the turn is taken."""


class ShipPlace(Domain):
    """The place of the ship: `port`, the port of the region; `wave`; or a port by name."""

    lead = ()
    after = ("to", "from")

    def values(self, at: At) -> Iterable[str]:
        return (PORT, *cat(at).harbour)

    def spoken(self, at: At) -> dict[str, Any]:
        """The places, and the ships that lie there."""
        found: dict[str, Any] = {place: place for place in self.values(at)}
        for place, harbour in at.state.ports.items():
            said = "wave ship" if place == WAVE else f"{place} port"
            found |= dict.fromkeys((said, f"port {place}", f"port in {place}", f"port of {place}"), place)
            if harbour.ship:
                found.setdefault(harbour.ship, PORT if place == getattr(at.turn, "region", "") else place)
        return found


class Delivery(msgspec.Struct, frozen=True, omit_defaults=True):
    """One crate: the bonus space it covers, what is paid, and what its benefit asks."""

    space: int
    pay: dict[str, int] = {}
    choose: dict[str, Any] = {}

    def __hash__(self) -> int:
        return self.space

    def __str__(self) -> str:
        return str(self.space)


class Deliveries(Domain):
    """Bonus spaces of a ship, typed by their numbers; what is paid is left out where it can be only one thing."""

    many = True
    of = ("crate", "space", "delivery")
    after = ("to", "onto", "for")

    def spoken(self, at: At) -> dict[str, Any]:
        most = max(len(one.spaces) for one in cat(at).ships.values())
        named = {f"{word} space": Delivery(n) for word, n in ORDINALS.items() if n <= most}
        return {**{str(n): Delivery(n) for n in range(1, most + 1)}, **named, **self._benefits(at)}

    def _benefits(self, at: At) -> dict[str, Any]:
        """The spaces of the ship in the port of the region by what they bring: `four coins`."""
        harbour = at.state.ports.get(getattr(at.turn, "region", ""))
        ship = cat(at).ships.get(harbour.ship or "") if harbour else None
        brings = [(n, gain) for n, gain in enumerate(ship.spaces, 1) if len(gain) == 1] if ship else []
        said = [(f"{many} {'point' if kind == 'vp' else kind}", n) for n, gain in brings for kind, many in gain.items()]
        texts = [text for text, _ in said]
        return {text: Delivery(n) for text, n in said if texts.count(text) == 1}


def price(at: At, place: str) -> dict[str, int]:
    """The cost of every delivery to the ship there (TX-SHIP-6, -10, -15); `any_good` are goods of choice."""
    harbour = at.state.ports[place]
    demand = ANY_GOOD if place == WAVE else harbour.demand or ANY_GOOD
    return together(cat(at).ships[harbour.ship or ""].extra, {demand: at["shipping.demand_goods"]})


def payable(held: Mapping[str, int], cost: Mapping[str, int]) -> bool:
    """True if a player's goods pay a price, those of choice included."""
    certain = all(held.get(good, 0) >= n for good, n in cost.items() if good != ANY_GOOD)
    return certain and sum(held.values()) >= sum(cost.values())


def free_spaces(at: At, place: str) -> list[int]:
    """The bonus spaces of the ship there that no crate covers."""
    harbour = at.state.ports[place]
    if harbour.ship is None:
        return []
    return [n for n in range(1, len(cat(at).ships[harbour.ship].spaces) + 1) if n not in harbour.crates]


def wave_permission(at: At, who: str) -> bool:
    """True if a player may ship to the wave ship now (TX-SHIP-17)."""
    return WAVE_ALLOWED in at.state.this_turn or at.permits("ship_wave", who) is not None


class Ship(Step, frozen=True):
    """Deliver crates to a ship: to that in the port of the region, or to the wave ship."""

    words = ("ship",)
    asks: ClassVar[dict[str, str]] = {"ship": "TX-SHIP-17.ship", "deliveries": "TX-SHIP-18.deliveries"}
    ship: Annotated[str | Unset, ShipPlace()] = UNSAID
    deliveries: Annotated[tuple[Delivery, ...] | None, Deliveries()] = None

    def ship_options(self, at: At) -> Options:
        return (PORT, WAVE) if wave_permission(at, at.mover) else (PORT,)

    def deliveries_options(self, at: At) -> Options:
        free = None if self.ship is UNSAID else free_spaces(at, self.place(at))
        return None if free is None else [*((Delivery(n),) for n in free), ()]

    def things(self, at: At, field: str) -> Iterable[Any] | None:
        if field != "deliveries" or self.ship is UNSAID:
            return None
        return map(Delivery, free_spaces(at, self.place(at)))

    def everything(self, at: At, field: str) -> Any:
        """Every space that is free."""
        place = getattr(at.turn, "region", "") if self.ship in (UNSAID, PORT) else str(self.ship)
        return tuple(map(Delivery, free_spaces(at, place))) if place in at.state.ports else None

    def place(self, at: At) -> str:
        """The place of the ship."""
        return at.turn.region if self.ship == PORT else str(self.ship)

    def forbidden(self, at: At) -> Iterator[Breach]:
        if at.turn.count(Ship):
            yield at.breach("TX-REG-6.ship", player=at.mover)
        region = cat(at).regions[at.turn.region]
        if not region.port:
            yield at.breach("TX-SHIP-1.none", region=region.name)
        if self.ship is UNSAID or (self.ship == PORT and not region.port):
            return
        if self.ship == WAVE and not wave_permission(at, at.mover):
            yield at.breach("TX-SHIP-9", "TX-SHIP-17", player=at.mover)
        if self.ship not in (PORT, WAVE, region.id):
            yield at.breach("TX-SHIP-1.elsewhere", region=region.name, port=name_of(at, "region", str(self.ship)))
            return
        harbour = at.state.ports[self.place(at)]
        if harbour.ship is None:
            yield at.breach("TX-SHIP-11.empty", place=name_of(at, "place", self.place(at)))
            return
        yield from self._bad_spaces(at, harbour.ship)
        p = at.state.player[at.mover]
        if not p.ship_markers:
            yield at.breach("TX-SHIP-13", player=at.mover)
        n = 1 if self.deliveries is None else len(self.deliveries)
        if p.crates < n:
            yield at.breach("TX-SHIP-12", player=at.mover, has=p.crates, n=n)
        if self.deliveries:
            yield from self._unpaid(at, self.deliveries[0])

    def _bad_spaces(self, at: At, ship: str) -> Iterator[Breach]:
        free, name = free_spaces(at, self.place(at)), cat(at).ships[ship].name
        if not free:
            yield at.breach("TX-SHIP-11.full", ship=name)
        if self.deliveries is not None and len(self.deliveries) < at["shipping.min_deliveries"]:
            yield at.breach("TX-SHIP-5", least=at["shipping.min_deliveries"], n=len(self.deliveries))
        for delivery in self.deliveries or ():
            if delivery.space not in free:
                yield at.breach("TX-SHIP-4", ship=name, space=delivery.space, free=list(free))
            else:
                free.remove(delivery.space)

    def _unpaid(self, at: At, delivery: Delivery) -> Iterator[Breach]:
        """The reasons why a delivery cannot be paid as stated, or at all (TX-SHIP-6)."""
        cost, held = price(at, self.place(at)), goods_held(at, at.mover)
        said = {"good of choice" if kind == ANY_GOOD else kind: n for kind, n in cost.items()}
        free = cost.pop(ANY_GOOD, 0)
        facts = {"player": at.mover, "cost": said}
        over = {good: delivery.pay.get(good, 0) - cost.get(good, 0) for good in (*delivery.pay, *cost)}
        wrong = any(n < 0 for n in over.values()) or sum(over.values()) != free or set(over) - set(at["goods"])
        if delivery.pay and wrong:
            yield at.breach("TX-SHIP-6.price", **facts, pay=delivery.pay)
        elif not payable(held, delivery.pay or {**cost, ANY_GOOD: free}):
            yield at.breach("TX-SHIP-6.short", **facts, has=held)

    def apply(self, at: At) -> None:
        who, region, place = at.mover, at.turn.region, self.place(at)
        p = at.state.player[who]
        slot = at["shipping.markers"] - p.ship_markers + 1
        p.ship_markers -= 1
        at.state.ports[region].markers.append(who)
        at.note("TX-SHIP-2.knot", player=who, port=name_of(at, "region", region), slot=slot)
        at.kept("TX-SHIP-1", "TX-SHIP-3", "TX-SHIP-5", "TX-SHIP-8", "TX-SHIP-13", "TX-SHIP-14", "TX-SHIP-18")
        at.kept("TX-REG-8", *(["TX-SHIP-10", "TX-SHIP-17"] if place == WAVE else []))
        aboard = place in at.state.ports and at.state.ports[place].ship
        for i, delivery in enumerate((self.deliveries or ()) if aboard else ()):
            with at.choosing(delivery.choose, f"deliveries[{i}]"):
                if i:
                    at.kept("TX-SHIP-15", "TX-SHIP-16")
                    at.refuse(*self._unpaid(at, delivery))
                self._deliver(at, who, place, delivery)

    def _deliver(self, at: At, who: str, place: str, delivery: Delivery) -> None:
        p, harbour = at.state.player[who], at.state.ports[place]
        ship = cat(at).ships[harbour.ship or ""]
        paid = pay(at, who, delivery.pay or price(at, place), "TX-SHIP-6.give")
        harbour.crates[delivery.space] = who
        p.crates -= 1
        p.delivered += 1
        at.note("TX-SHIP-6.pay", player=who, pay=paid, ship=ship.name, space=delivery.space)
        at.kept("TX-SHIP-4", "TX-SHIP-12")
        gain(at, who, ship.spaces[delivery.space - 1], "TX-SHIP-7")
        if not free_spaces(at, place):
            at.kept("TX-SHIP-11")
        at.trigger("delivery", who)
