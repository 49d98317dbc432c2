"""The War Camp: orders to attack, to march and to man the wall (rules GW-CAMP)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

import msgspec

from companion.engine.play.moves import Breach, Count, Move

from . import targets
from .attacking import ORDERS, Order
from .barracks import enter
from .bundles import Bundle, Shots
from .catalogue import At, beside_tower
from .fall import FallReport
from .icons import STEP
from .locations import SEVERAL, left, moment, too_many, use
from .prices import Price
from .shame import said
from .soldiers import is_shooter, move, wall
from .state import SECTIONS, TOWERS
from .targets import Destination, told
from .uses import Leave, as_move


class March(Order, frozen=True):
    """A soldier moves from a rest zone to another section's rest zone."""

    elsewhere = "GW-CAMP-3"
    opens = "march"
    words = ("march", "marches")
    example = "pine march spearman from L to C"
    to: Destination | str | None = None

    def to_options(self, at: At) -> list[Destination] | None:
        here = targets.place(self.origin)
        return [Destination(rest=section) for section in SECTIONS if section != here.section] if here else None

    def obstacles(self, at: At) -> Iterator[Breach]:
        yield from super().obstacles(at)
        here, there = targets.place(self.origin), targets.place(self.to)
        if self.to is not None and (there is None or there.kind != "rest" or (here and there == here)):
            yield at.breach("GW-CAMP-3.where", unit=self.unit)

    def done(self, at: At, price: Price) -> None:
        here, there = targets.place(self.origin), targets.place(self.to)
        assert here is not None
        assert there is not None
        move(at, self.by, self.unit, here, there)
        at.note("GW-CAMP-3.march", player=self.by, unit=self.unit, origin=here.section, to=there.section)
        at.kept("GW-CAMP-5")


class Man(Order, frozen=True):
    """A shooter goes from a rest zone onto the wall of its section; a spearman into a tower next to it."""

    elsewhere = "GW-CAMP-4"
    opens = "man"
    words = ("man", "mans")
    example = "pine man archer from L"
    to: Destination | str | None = None
    shot: Shots = None
    extra_wound: Any = None

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
        elif self.unit and not is_shooter(at, self.unit) and "black_powder" not in at.state.modules:
            yield at.breach("GW-CAMP-4.shooter", unit=self.unit)

    def done(self, at: At, price: Price) -> None:
        here, there = targets.place(self.origin), targets.place(self.to)
        assert here is not None
        assert there is not None
        onto = wall(there.section) if there.kind == "rest" else there
        at.note("GW-CAMP-4.man", player=self.by, unit=said(at, self.unit), place=told(at, onto))
        enter(at, self.by, self.unit, onto, here)


class Orders(FallReport, frozen=True):
    """All orders of one or more clerks in the War Camp, carried out in turn."""

    bundles = None
    elsewhere = "GW-CAMP-1"
    words = ("orders",)
    example = "pine orders 1"
    opens = "use"
    sampled = True
    n: Annotated[int, Count(1)] = msgspec.field(default=1, name="clerks")
    orders: tuple[dict[str, Any], ...] = ()
    shot: Shots = None
    extra_wound: Any = None

    @classmethod
    def sites(cls, at: At) -> tuple[str, ...]:
        """The location where they are given."""
        return (ORDERS,)

    def _given(self, at: At) -> int:
        """How many orders its clerks give."""
        return self.n * SEVERAL[ORDERS].per(at, self.by)

    def forbidden(self, at: At) -> Iterator[Breach]:
        yield from moment(at, self.by, ORDERS)
        yield from too_many(at, self.by)
        if self.by:
            most = self._given(at) + int(at.value(SEVERAL[ORDERS].extra, self.by))
            if len(self.orders) > most:
                yield at.breach("GW-CAMP-1.number", player=self.by, n=len(self.orders), most=most, clerks=self.n)

    def apply(self, at: At) -> None:
        use(at, self.by, ORDERS, 0)

    def further(self, at: At, bundle: Bundle) -> Iterator[Move]:
        before = left(at, self.by)
        yield from (as_move(at, self.by, entry) for entry in self.orders)
        s = at.state
        if s.resolving == ORDERS and s.order[:1] == [self.by] and not s.agenda:
            unused = min(left(at, self.by), self._given(at) - (before - left(at, self.by)))
            if unused > 0:
                yield Leave(by=self.by, n=unused)


MOVES = {STEP: (March, Man, Orders)}
