"""The War Camp: orders to attack, to march and to man the wall (rules GW-CAMP)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated, Any, ClassVar

import msgspec

from companion.engine.play.moves import Breach, Count, Move, PieceName

from . import targets
from .activation import ClerkUse, as_move
from .answers import Answers
from .attacking import ORDERS, allows, counted, is_order, kinds_at_rest, not_there, resting
from .barracks import enter
from .catalogue import At, cat
from .fall import FallReport
from .icons import STEP
from .locations import SEVERAL, ends_use, left, moment, too_many, use
from .shame import said
from .soldiers import is_shooter, move, wall
from .state import SECTIONS, TOWERS
from .targets import Destination, Origin, told


class Moved(FallReport, frozen=True):
    """A soldier leaves a rest zone."""

    unit: Annotated[str, PieceName("unit")] = ""
    origin: Origin | str | None = msgspec.field(default=None, name="from")
    to: Destination | str | None = None

    @classmethod
    def sites(cls, at: At) -> tuple[str, ...]:
        """The location where it is an order."""
        return (ORDERS,)

    def options(self, at: At, field: str) -> Iterable[Any] | None:
        if field == "unit":
            return kinds_at_rest(at, self.by)
        if field == "origin":
            return [Origin(rest=section) for section in resting(at, self.by, self.unit)]
        return super().options(at, field)


class March(Moved, frozen=True):
    """A soldier moves from a rest zone to another section's rest zone."""

    name = "march"
    elsewhere = "GW-CAMP-3"
    opens = "march"
    words = ("march", "marches")
    example = "pine march spearman from L to C"
    asks: ClassVar[dict[str, str]] = {
        "unit": "GW-CAMP-3.unit",
        "origin": "GW-CAMP-3.origin",
        "to": "GW-CAMP-3.to",
    }

    def options(self, at: At, field: str) -> Iterable[Any] | None:
        here = targets.place(self.origin)
        if field == "to" and here is not None:
            return [Destination(rest=section) for section in SECTIONS if section != here.section]
        return super().options(at, field) if field != "to" else None

    def forbidden(self, at: At) -> Iterator[Breach]:
        yield from allows(at, self.by, "march")
        here, there = targets.place(self.origin), targets.place(self.to)
        yield from not_there(at, self.by, self.unit, here, self.elsewhere)
        if self.to is not None and (there is None or there.kind != "rest" or (here and there == here)):
            yield at.breach("GW-CAMP-3.where", unit=self.unit)
        if self.by and is_order(at, self.by, "march"):
            yield from too_many(at, self.by)

    def apply(self, at: At) -> None:
        here, there = targets.place(self.origin), targets.place(self.to)
        assert here is not None
        assert there is not None
        move(at, self.by, self.unit, here, there)
        at.note("GW-CAMP-3.march", player=self.by, unit=self.unit, origin=here.section, to=there.section)
        at.kept("GW-CAMP-5")
        counted(at, self.by, "march")


class Man(Moved, frozen=True):
    """A shooter goes from a rest zone onto the wall of its section; a spearman into a tower next to it."""

    name = "man"
    elsewhere = "GW-CAMP-4"
    opens = "man"
    words = ("man", "mans")
    example = "pine man archer from L"
    asks: ClassVar[dict[str, str]] = {"unit": "GW-CAMP-4.unit", "origin": "GW-CAMP-4.origin", "to": "GW-CAMP-4.to"}
    shot: Any = None
    extra_wound: Any = None

    def options(self, at: At, field: str) -> Iterable[Any] | None:
        here = targets.place(self.origin)
        if field != "to":
            return super().options(at, field) if field in ("by", "unit", "origin") else None
        if here is None or not self.unit:
            return None
        if is_shooter(at, self.unit):
            return [Destination(wall=here.section)]
        return [Destination(tower=tower) for tower in TOWERS if here.section in beside(at, tower)]

    def forbidden(self, at: At) -> Iterator[Breach]:
        if self.by:
            yield from moment(at, self.by, ORDERS)
        here, there = targets.place(self.origin), targets.place(self.to)
        yield from not_there(at, self.by, self.unit, here, self.elsewhere)
        if there is not None and there.kind == "tower":
            if here is not None and here.section not in beside(at, there.tower):
                yield at.breach(
                    "GW-CAMP-4.tower",
                    "GW-BP-2",
                    tower=there.tower,
                    section=here.section,
                    beside=list(beside(at, there.tower)),
                )
            yield from targets.bad_tower(at, self.by, self.unit, there.tower)
        elif there is not None:
            if here is not None and there.section != here.section:
                yield at.breach("GW-CAMP-4.section", unit=self.unit, section=here.section)
            yield from targets.bad_wall(at, self.by, self.unit, there.section, "GW-CAMP-4")
        elif self.unit and not is_shooter(at, self.unit) and "black_powder" not in at.state.modules:
            yield at.breach("GW-CAMP-4.shooter", unit=self.unit)
        if self.by:
            yield from too_many(at, self.by)

    def apply(self, at: At) -> None:
        here, there = targets.place(self.origin), targets.place(self.to)
        assert here is not None
        assert there is not None
        onto = wall(there.section) if there.kind == "rest" else there
        use(at, self.by, ORDERS)
        at.note("GW-CAMP-4.man", player=self.by, unit=said(at, self.unit), place=told(at, onto))
        enter(at, self.by, self.unit, onto, here)
        ends_use(at, self.by)

    def follow_ups(self, at: At) -> Iterator[Move]:
        answers = Answers(self)
        yield from answers.given(at)
        yield from answers.left(at)


def beside(at: At, tower: str) -> tuple[str, ...]:
    """The sections next to a tower (GW-BP-2)."""
    piece = cat(at).of("tower").get(tower)
    return tuple(piece.fields["beside"]) if piece else ()


class Orders(ClerkUse, frozen=True):
    """All orders of one or more clerks in the War Camp, carried out in turn."""

    name = "orders"
    bundles = None
    elsewhere = "GW-CAMP-1"
    words = ("orders",)
    example = "pine orders 1"
    sampled = True
    site = ORDERS
    clerks: Annotated[int, Count(1)] = 1
    orders: tuple[dict[str, Any], ...] = ()
    shot: Any = None
    extra_wound: Any = None

    def options(self, at: At, field: str) -> Iterable[Any] | None:
        return super().options(at, field) if field == "by" else None

    def forbidden(self, at: At) -> Iterator[Breach]:
        yield from self.moment(at)
        if not self.by:
            return
        yield from too_many(at, self.by)
        rights = SEVERAL[ORDERS]
        most = self.clerks * int(at.value(rights.per_clerk, self.by)) + int(at.value(rights.extra, self.by))
        if len(self.orders) > most:
            yield at.breach("GW-CAMP-1.number", player=self.by, n=len(self.orders), most=most, clerks=self.clerks)

    def apply(self, at: At) -> None:
        use(at, self.by, ORDERS, 0)

    def follow_ups(self, at: At) -> Iterator[Move]:
        answers, entries = Answers(self), list(self.orders)
        before = left(at, self.by)
        while entries or at.state.agenda:
            if at.state.agenda and (answer := answers.settled(at)) is not None:
                yield answer
            elif entries:
                yield as_move(at, self.by, entries.pop(0))
            else:
                break
        s = at.state
        if s.resolving == ORDERS and s.order[:1] == [self.by] and not s.agenda:
            given = self.clerks * int(at.value(SEVERAL[ORDERS].per_clerk, self.by))
            unused = min(left(at, self.by), given - (before - left(at, self.by)))
            if unused > 0:
                yield at.rules.moves["leave"](by=self.by, n=unused)
        yield from answers.left(at)


MOVES = {STEP: (March, Man, Orders)}

__all__ = ["MOVES", "Man", "March", "Orders", "beside"]
