"""Attacking horde cards: what lets somebody attack, and the attack (rules GW-ATT)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated, ClassVar

import msgspec

from companion.rules import Breach, Move, Options, PieceName

from . import targets
from .catalogue import At
from .fall import may, spend
from .hand import Wounds
from .icons import STEP, icon, in_step, of_kind, tell_icon
from .locations import ends_use, moment, use
from .prices import FREE, Price
from .soldiers import (
    Place,
    find_horde,
    free_spots,
    has_shot,
    horde_at,
    move,
    number_at,
    on_card,
    resting,
    units_of,
)
from .targets import Origin, told
from .uses import ClerkUse
from .year import is_open

ORDERS = "war_camp"
"""The location that gives orders."""
NOT_GRANTED = {"attack": "GW-ATT-7.none", "march": "GW-CAMP-3.none"}
"""Actions that icons and tactics also grant -> the sentence if none does."""
FIRST_SHOTS = "winter.1"


# --- what lets somebody attack --------------------------------------------------------------------------------------


def allows(at: At, clan: str, what: str) -> Iterator[Breach]:
    """The reasons why a player cannot attack, march or man a wall now: no icon, tactic or order allows it (GW-ATT-7,
    GW-CAMP-1)."""
    s = at.state
    if s.step == FIRST_SHOTS and has_shot(s):
        yield at.breach("GW-FIRE-7.late", player=clan)
        return
    if not clan or may(at, clan, what):
        return
    by_icon = in_step(at) and not s.resolving and of_kind(at, what) and s.active in (None, clan)
    before_shots = s.step == FIRST_SHOTS and is_open(at, "done") and what not in s.allowed.get(clan, {})
    if (by_icon and is_open(at, "icon")) or (before_shots and attacks_first(at, clan)):
        return
    orders = s.resolving == ORDERS or (not s.resolving and ORDERS in s.resolved)
    if what not in NOT_GRANTED or (in_step(at) and (orders or not (s.active or s.resolving or s.command_track))):
        yield from moment(at, clan, ORDERS)
    else:
        yield at.breach(NOT_GRANTED[what], player=clan)


def attacks_first(at: At, clan: str) -> int:
    """With how many soldiers cards let a player attack before the shots of Winter (GW-FIRE-7)."""
    waiting = at.rules.effects(at.state).triggers.get("firing_start", ())
    return sum(
        inside.args["n"]
        for piece, effect, _ in waiting
        for inside in effect.body
        if inside.verb == "attack" and clan in (owner for owner, _ in at.rules.bearers(at.state, piece))
    )


class Order(ClerkUse, frozen=True):
    """A soldier leaves a rest zone: by an order of the War Camp, an icon or a tactic."""

    site = ORDERS
    repeats = "unit"
    deals = ("spots",)
    done_by = "unit"
    unit: Annotated[str, PieceName("unit", after=("with",))] = ""
    origin: Origin | str | None = msgspec.field(default=None, name="from")

    def unit_options(self, at: At) -> Options:
        zones = at.state.own(self.by).rest.values()
        return [unit for unit in units_of(at, self.by) if any(units.get(unit) for units in zones)]

    def origin_options(self, at: At) -> Options:
        return [Origin(rest=section) for section in resting(at, self.by, self.unit)]

    def is_order(self, at: At) -> bool:
        """True if it is an order of the War Camp."""
        return in_step(at) and not may(at, self.by, self.opens) and of_kind(at, self.opens) is None

    def rule(self, at: At) -> str:
        """The rule by which the soldier leaves."""
        return self.elsewhere

    def clerks(self, at: At) -> int:
        return int(self.is_order(at))

    def moment(self, at: At) -> Iterator[Breach]:
        yield from allows(at, self.by, self.opens)

    def obstacles(self, at: At) -> Iterator[Breach]:
        """The soldier that is named does not stand in that rest zone (GW-ATT-5, GW-ATT-6)."""
        here, facts = targets.place(self.origin), {"player": self.by, "unit": self.unit}
        if self.unit and self.unit not in units_of(at, self.by):
            yield at.breach("GW-BP-5.kind", **facts)
        elif here is not None and here.kind == "several":
            yield from targets.several(at, self.rule(at), self.origin, self.unit)
        elif here is not None and here.kind != "rest":
            yield at.breach("GW-CAMP-6" if here.kind == "wall" else "GW-ATT-6", unit=self.unit, origin=told(at, here))
        elif self.origin is not None and self.unit and not (here and number_at(at, self.by, here, self.unit)):
            yield at.breach(f"{self.rule(at)}.absent", origin=told(at, here), **facts)

    def apply(self, at: At) -> None:
        is_order = self.is_order(at)
        self.done(at, FREE)
        if is_order:
            use(at, self.by, ORDERS)
            ends_use(at, self.by)
        else:
            granted(at, self.by, self.opens)


def granted(at: At, clan: str, what: str) -> None:
    """An attack or a march has been made: take it off what an icon, a tactic or a card before the shots grants."""
    if may(at, clan, what):
        spend(at, clan, what)
    elif at.state.step == FIRST_SHOTS:
        at.state.allowed.setdefault(clan, {})[what] = attacks_first(at, clan) - 1
    elif is_open(at, "icon") and in_step(at):
        tell_icon(at, what)
        found = icon(at)
        at.state.allowed.setdefault(clan, {})[what] = (found.args["n"] if found else 1) - 1
        if not may(at, clan, what):
            at.then("icon_done")


# --- attacks --------------------------------------------------------------------------------------------------------


def attack(at: At, clan: str, unit: str, here: Place, card: str, spots: Iterable[str]) -> None:
    """Move a soldier onto vital spots, with what its attack brings (GW-ATT-1)."""
    there = on_card(card, *spots)
    move(at, clan, unit, here, there)
    at.note("GW-ATT-1.attack", player=clan, unit=unit, origin=told(at, here), target=told(at, there))
    section, row, _ = horde_at(at, card)
    at.trigger("attack", clan, unit=unit, card=card, section=section, row=row, spots=list(spots))


class Attack(Order, frozen=True):
    """Attack a horde card with a soldier from a rest zone."""

    elsewhere = "GW-ATT-7"
    opens = "attack"
    sampled = True
    asks: ClassVar[dict[str, str]] = {"card": "GW-ATT-1.card", "spots": "GW-ATT-1.spots"}
    card: Annotated[str, PieceName("horde", loose=True)] = ""
    spots: Annotated[tuple[str, ...], targets.Spots()] = ()
    extra_wound: Wounds = None

    @classmethod
    def candidates(cls, at: At) -> Iterator[Move]:
        """For each soldier at rest and each horde it reaches: its first free spot, and its first pair of spots."""
        for clan in at.rules.to_move(at.state):
            zones = {} if at.refuses(cls(by=clan)) else at.state.own(clan).rest
            for section, unit in [(section, unit) for section, units in zones.items() for unit in units]:
                found = targets.some_attacks(at, unit, (section,))
                yield from (cls(clan, unit, Origin(rest=section), card=card, spots=spots) for card, spots in found)

    def origin_options(self, at: At) -> Options:
        found = find_horde(at, self.card) if self.card else None
        return [Origin(rest=found[0])] if found else super().origin_options(at)

    def card_options(self, at: At) -> Options:
        here = targets.place(self.origin)
        return [one.card for one in at.state.hordes.get(here.section, ()) if free_spots(at, one)] if here else None

    def spots_options(self, at: At) -> Options:
        return targets.spot_sets(at, self.card, self.unit) if self.card else None

    def rule(self, at: At) -> str:
        return "GW-CAMP-2" if at.state.resolving == ORDERS else "GW-ATT-7"

    def obstacles(self, at: At) -> Iterator[Breach]:
        yield from super().obstacles(at)
        here = targets.place(self.origin)
        if self.card:
            section = here.section if here is not None and here.kind == "rest" else ""
            yield from targets.bad_spots(at, self.unit, self.card, self.spots, section)

    def done(self, at: At, price: Price) -> None:
        here = targets.sure(self.origin)
        at.kept("GW-ATT-2", self.rule(at))
        attack(at, self.by, self.unit, here, self.card, self.spots)


MOVES = {STEP: (Attack,), "winter.1.start": (Attack,)}
