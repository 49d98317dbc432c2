"""Barracks and War Camp: recruiting, and where recruits go at once; orders to attack, to march and to man the wall (rules
GW-REC, GW-SHAME-9, GW-CAMP).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated, Any, ClassVar, Self

import msgspec
from msgspec.structs import replace

from companion.rules import Breach, Brings, Count, Move, PieceName, Unspoken

from . import targets
from .attacking import ORDERS, Order, attack
from .brought import modules
from .catalogue import SPEARMAN, At, beside_tower, cat
from .decks import has_towers
from .fall import FallReport
from .hand import Hand, Shots, Wounds, as_move
from .icons import STEP
from .locations import SEVERAL, left, moment, too_many, use
from .prices import FREE, Pay, Price, cost_of
from .shame import said
from .soldiers import SUPPLY, Place, is_shooter, move, units_of, wall
from .state import SECTIONS, TOWERS
from .targets import Destination, Target, told
from .uses import ClerkUse, Leave

BARRACKS = "barracks"


def cannot_recruit(at: At, clan: str, unit: str) -> Iterator[Breach]:
    """No clean soldier of the kind lies in the supply (GW-REC-2, GW-SHAME-9)."""
    p = at.state.own(clan)
    if unit not in units_of(at, clan):
        known = cat(at).units[unit].module in at.state.modules if unit in cat(at).units else False
        yield at.breach("GW-BP-5.kind" if known else "GW-BP-5.module", player=clan, unit=unit)
    elif not p.supply.get(unit):
        shamed = p.shamed.get(unit, 0)
        yield at.breach("GW-SHAME-9.recruit" if shamed else "GW-REC-2", player=clan, unit=unit, n=shamed)


def bad_target(at: At, clan: str, unit: str, there: Place) -> Iterator[Breach]:
    """The reasons why a recruit cannot go there (GW-REC-4 to -6, GW-ATT-1 to -4, GW-BP-7)."""
    if there.kind == "wall":
        yield from targets.bad_wall(at, clan, unit, there.section)
    elif there.kind == "tower":
        yield from targets.bad_tower(at, clan, unit, there.tower)
    elif there.card:
        yield from targets.bad_spots(at, unit, there.card, there.spots)
    elif there.kind != "rest" or not there.section:
        yield at.breach("GW-REC-4")


def targets_of(at: At, clan: str, unit: str, attacks: Iterable[tuple[str, tuple[str, ...]]]) -> Iterator[Target]:
    """The places where a recruit of a kind could go. `attacks`: onto which spots of which cards."""
    yield from (Target(rest=section) for section in SECTIONS)
    if is_shooter(at, unit):
        yield from (Target(wall=section) for section in SECTIONS)
    if unit == SPEARMAN and has_towers(at):
        yield from (Target(tower=tower) for tower in TOWERS)
    yield from (Target(card=card, spots=spots) for card, spots in attacks)


class Recruit(ClerkUse, frozen=True):
    """Recruit a soldier, who attacks at once or goes to a rest zone, a wall or a tower."""

    elsewhere = "GW-REC-1"
    site = BARRACKS
    repeats = "unit"
    deals = ("to.spots",)
    shares = ("to.card",)
    sampled = True
    asks: ClassVar[dict[str, str]] = {"spots": "GW-ATT-1.spots"}
    unit: Annotated[str, PieceName("unit", of=("unit", "new", "recruit", "soldier"))] = ""
    to: Target | str | None = None
    spots: Annotated[tuple[str, ...], Unspoken()] = ()
    """The spots of a horde card that `to` names alone."""
    shot: Shots = None
    extra_wound: Wounds = None
    pay: Pay = None

    @classmethod
    def candidates(cls, at: At) -> Iterator[Move]:
        """Each kind to each rest zone, wall and tower, and onto each horde card (its first free spot, and first pair)."""
        for clan in at.rules.to_move(at.state):
            for unit in units_of(at, clan):
                if at.refuses(cls(by=clan, unit=unit)):
                    continue
                found = targets_of(at, clan, unit, targets.some_attacks(at, unit))
                yield from (cls(by=clan, unit=unit, to=target) for target in found)

    def unit_options(self, at: At) -> tuple[str, ...]:
        return units_of(at, self.by)

    def to_options(self, at: At) -> list[Target]:
        return list(targets_of(at, self.by, self.unit, targets.attackable(at, self.unit)))

    def spots_options(self, at: At) -> list[tuple[str, ...]] | None:
        there = targets.place(self.to)
        return targets.spot_sets(at, there.card, self.unit) if there and there.card and not there.spots else None

    def facts(self, at: At) -> dict[str, Any]:
        there = targets.place(self.to)
        return {"card": there.card} if there else {}

    def _whole(self) -> Target | str | None:
        """The target, with the spots named beside it."""
        there = targets.place(self.to) if self.spots else None
        if there is None or there.spots == self.spots:
            return self.to
        to = self.to if isinstance(self.to, Target) else Target(rest=there.section, tower=there.tower)
        return replace(to, spots=(*to.spots, *self.spots))

    def there(self, at: At) -> Place | None:
        """The recruit's place; None if it is unnamed or does not exist."""
        return targets.place(self._whole())

    def obstacles(self, at: At) -> Iterator[Breach]:
        yield from targets.no_towers(at, self.there(at))
        if self.unit:
            yield from cannot_recruit(at, self.by, self.unit)
        there, to = self.there(at), self._whole()
        on_wall = ["GW-REC-5"] if isinstance(to, Target) and to.wall else []
        yield from targets.several(at, "GW-REC-4", to, self.unit, *on_wall)
        if there is not None and there.kind != "several":
            yield from bad_target(at, self.by, self.unit, there)
        elif self.to is not None and there is None:
            yield at.breach("GW-REC-4")

    def price(self, at: At) -> Price:
        if self.unit not in units_of(at, self.by):
            return FREE
        return Price("GW-REC-3", self.unit, cost_of(at, f"recruit.{self.unit}.cost", self.by, unit=self.unit))

    def done(self, at: At, price: Price) -> None:
        there = self.there(at)
        if there is None or there.kind == "several":
            raise KeyError(self.to)
        at.note("GW-REC-2.recruit", player=self.by, unit=said(at, self.unit), cost=price.cost, sum=price.sum)
        at.kept("GW-REC-1", "GW-REC-3")
        enter(at, self.by, self.unit, there)


def enter(at: At, clan: str, unit: str, there: Place, here: Place = SUPPLY) -> None:
    """A soldier goes to its place, with what that brings: an attack, a bomb from the wall, a shot from the tower."""
    if there.card:
        at.kept("GW-REC-4")
        attack(at, clan, unit, here, there.card, there.spots)
        return
    move(at, clan, unit, here, there)
    at.note("GW-REC-5.wall" if there.kind == "wall" else "GW-REC-4.goes", player=clan, unit=unit, place=told(at, there))
    if there.kind == "wall":
        at.trigger("deployed_on_wall", clan, unit=unit, section=there.section)
    for module in modules(at) if there.kind == "tower" else ():
        module.tower_manned(at, clan, there.tower)


class March(Order, frozen=True):
    """A soldier moves from a rest zone to another section's rest zone."""

    elsewhere = "GW-CAMP-3"
    opens = "march"
    to: Destination | str | None = None

    def to_options(self, at: At) -> list[Destination] | None:
        here = targets.place(self.origin)
        return [Destination(rest=section) for section in SECTIONS if section != here.section] if here else None

    def obstacles(self, at: At) -> Iterator[Breach]:
        yield from super().obstacles(at)
        here, there = targets.place(self.origin), targets.place(self.to)
        yield from targets.several(at, "GW-CAMP-3", self.to, self.unit)
        if there is not None and there.kind == "several":
            return
        if self.to is not None and (there is None or there.kind != "rest" or (here and there == here)):
            yield at.breach("GW-CAMP-3.where", unit=self.unit)

    def done(self, at: At, price: Price) -> None:
        here, there = targets.sure(self.origin), targets.sure(self.to)
        move(at, self.by, self.unit, here, there)
        at.note("GW-CAMP-3.march", player=self.by, unit=self.unit, origin=here.section, to=there.section)
        at.kept("GW-CAMP-5")


class Man(Order, frozen=True):
    """A shooter goes from a rest zone onto the wall of its section; a spearman into a tower next to it."""

    elsewhere = "GW-CAMP-4"
    opens = "man"
    to: Destination | str | None = None
    shot: Shots = None
    extra_wound: Wounds = None

    def to_options(self, at: At) -> list[Destination] | None:
        here = targets.place(self.origin)
        if here is None or not self.unit:
            return None
        if is_shooter(at, self.unit):
            return [Destination(wall=here.section)]
        return [Destination(tower=tower) for tower in TOWERS if here.section in beside_tower(at, tower)]

    def obstacles(self, at: At) -> Iterator[Breach]:
        here, there = targets.place(self.origin), targets.place(self.to)
        yield from targets.no_towers(at, there)
        yield from super().obstacles(at)
        yield from targets.several(at, "GW-CAMP-4", self.to, self.unit)
        if there is not None and there.kind == "several":
            return
        if there is not None and there.kind == "tower":
            sides = beside_tower(at, there.tower)
            if here is not None and here.section not in sides:
                facts = {"tower": there.tower, "section": here.section, "beside": list(sides)}
                yield at.breach("GW-CAMP-4.tower", "GW-BP-2", **facts)
            yield from targets.bad_tower(at, self.by, self.unit, there.tower)
        elif there is not None:
            if here is not None and there.section != here.section:
                yield at.breach("GW-CAMP-4.section", unit=self.unit, section=here.section)
            yield from targets.bad_wall(at, self.by, self.unit, there.section, "GW-CAMP-4")
        elif self.to is not None:
            yield at.breach("GW-CAMP-4.nowhere", unit=self.unit)
        elif self.unit and not is_shooter(at, self.unit) and not has_towers(at):
            yield at.breach("GW-CAMP-4.shooter", unit=self.unit)

    def done(self, at: At, price: Price) -> None:
        here, there = targets.sure(self.origin), targets.sure(self.to)
        onto = wall(there.section) if there.kind == "rest" else there
        at.note("GW-CAMP-4.man", player=self.by, unit=said(at, self.unit), place=told(at, onto))
        enter(at, self.by, self.unit, onto, here)


class Orders(FallReport, frozen=True):
    """All orders of one or more clerks in the War Camp, carried out in turn."""

    always_followed = True
    elsewhere = "GW-CAMP-1"
    opens = "use"
    sampled = True
    n: Annotated[int, Count(1)] = msgspec.field(default=1, name="clerks")
    orders: Annotated[tuple[dict[str, Any], ...], Brings()] = ()
    shot: Shots = None
    extra_wound: Wounds = None

    @classmethod
    def sites(cls, at: At) -> tuple[str, ...]:
        """The location where they are given."""
        return (ORDERS,)

    def alone(self) -> Self | None:
        return None if self.orders else self

    def _given(self, at: At) -> int:
        """The number of orders that its clerks give."""
        return self.n * SEVERAL[ORDERS].per(at, self.by)

    def forbidden(self, at: At) -> Iterator[Breach]:
        yield from moment(at, self.by, ORDERS)
        yield from too_many(at, self.by)
        most = self._given(at) + int(at.value(SEVERAL[ORDERS].extra, self.by))
        if len(self.orders) > most:
            yield at.breach("GW-CAMP-1.number", player=self.by, n=len(self.orders), most=most, clerks=self.n)

    def apply(self, at: At) -> None:
        use(at, self.by, ORDERS, 0)

    def further(self, at: At, hand: Hand) -> Iterator[Move]:
        before = left(at, self.by)
        yield from (as_move(at, self.by, entry) for entry in self.orders)
        s = at.state
        if s.resolving == ORDERS and s.order[:1] == [self.by] and not s.agenda:
            unused = min(left(at, self.by), self._given(at) - (before - left(at, self.by)))
            if unused > 0:
                yield Leave(by=self.by, n=unused)


MOVES = {STEP: (Recruit, March, Man, Orders)}
