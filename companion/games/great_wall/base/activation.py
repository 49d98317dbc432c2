"""Clerks are placed (rules GW-CLERK), and locations activated: which ones, in what order, and what an advanced
activation costs (GW-LOC).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import permutations
from typing import Annotated

import msgspec

from companion.rules import Breach, Brings, Figure, Flag, Move, PieceName
from components.model import Effect

from .catalogue import At, cat, name_of
from .fall import FallReport, may, placed, spend
from .hand import Carriers, Discards, Entry, Hand, Shots, Wounds, as_move
from .icons import ACTIVATE, CLERKS, STEP, in_step, of_kind, placers, tell_icon
from .locations import clerks_in, free_slots, idle, idles, is_full, next_location, slots, taken_by, used_up
from .reports import Pass, Window
from .uses import next_use, sites_of
from .year import ENDED, is_open


def refused(at: At, location: str, icon: Effect) -> Iterator[Breach]:
    """The reasons why an icon does not activate a location (GW-LOC-1, GW-LOC-2, GW-LOC-7)."""
    present, facts = clerks_in(at, location), {"location": name_of(at, "location", location)}
    if not cat(at).locations[location].red:
        if not present:
            yield at.breach("GW-LOC-2", **facts)
    elif not is_full(at, location):
        counts = {"clerks": sum(present.values()), "slots": slots(at, location)}
        if not icon.args.get("advanced"):
            yield at.breach("GW-LOC-1", **facts, **counts)
        elif not present.get(at.state.active or ""):
            yield at.breach("GW-LOC-7.absent", "GW-LOC-1", player=at.state.active, **facts, **counts)


def qualifying(at: At, icon: Effect) -> list[str]:
    """The locations that an icon can activate: those of its list (all of them, GW-LOC-3), or any (GW-LOC-7)."""
    listed = icon.args.get("list")
    named = cat(at).locations if listed is None else listed
    return [location for location in named if not at.allowed(refused(at, location, icon))]


class Activate(FallReport, frozen=True):
    """Activate the locations of an icon, in the order that the active player chooses."""

    name = ACTIVATE
    elsewhere = "GW-LOC-3"
    opens = ACTIVATE
    order: Annotated[tuple[str, ...] | None, PieceName("location", many=True, ordered=True)] = None
    advanced: Annotated[tuple[str, ...], PieceName("location", many=True, lead=("advanced",))] = ()
    later: Annotated[bool, Flag("rest later", "others later", confirms=True)] = False
    """The order of the others is said when these have resolved."""
    uses: Annotated[dict[str, list[Entry]], Brings()] = msgspec.field(default_factory=dict)
    """Player -> what each clerk does."""
    shame_to: Carriers = msgspec.field(default_factory=dict)
    """Player -> carriers."""
    goods: Annotated[dict[str, list[str]] | list[str], Brings("gain", "toll")] = msgspec.field(default_factory=list)
    """Goods that a player chooses or gives up on the way."""
    shot: Shots = None
    extra_wound: Wounds = None
    discard: Discards = None

    def order_options(self, at: At) -> list[tuple[str, ...]] | None:
        icon = of_kind(at, ACTIVATE)
        if icon is None:
            return None
        able = qualifying(at, icon)
        numbers = range(1, icon.args["choose"] + 1) if icon.args.get("list") is None else [len(able)]
        return [order for n in numbers for order in permutations(able, n) if order] or None

    def _missing(self, at: At, icon: Effect) -> list[str]:
        """The locations that the icon activates, too, of which nothing is said."""
        listed, order = icon.args.get("list"), self.order
        return [] if listed is None or order is None else [one for one in qualifying(at, icon) if one not in order]

    def forbidden(self, at: At) -> Iterator[Breach]:
        s, icon = at.state, of_kind(at, ACTIVATE)
        if s.active and self.by != s.active:
            yield at.breach("GW-LOC-4.turn", player=self.by, active=s.active)
        elif s.resolving or s.queue:
            yield at.breach("GW-LOC-4.running", location=name_of(at, "location", s.resolving or s.queue[0]))
        elif icon is not None:
            yield from self._wrong(at, icon)
        elif s.active or not is_open(at, "icon"):
            yield at.breach("GW-FALL-6.activate", player=self.by)

    def _wrong(self, at: At, icon: Effect) -> Iterator[Breach]:
        """The faults of the order for an icon."""
        order, listed = self.order or (), icon.args.get("list")
        if len(set(order)) < len(order):
            yield at.breach("GW-LOC-7.twice")
        for location in order:
            if listed is not None and location not in listed:
                yield at.breach("GW-LOC-3.unlisted", location=name_of(at, "location", location))
            else:
                yield from refused(at, location, icon)
        if listed is None and len(order) > icon.args["choose"]:
            yield at.breach("GW-LOC-7.number", n=len(order), most=icon.args["choose"])
        if self.advanced and not icon.args.get("advanced"):
            yield at.breach("GW-LOC-7.ordinary", locations=[name_of(at, "location", one) for one in self.advanced])
        if (missing := self._missing(at, icon)) and not (self.later and order):
            yield at.breach("GW-LOC-3.missing", locations=[name_of(at, "location", one) for one in missing])

    def apply(self, at: At) -> None:
        s, icon = at.state, of_kind(at, ACTIVATE)
        s.rest_later = self.later and icon is not None and bool(self._missing(at, icon))
        tell_icon(at, ACTIVATE)
        if "done" in s.untold:
            s.untold.remove("done")
        s.order.clear()
        s.done.clear()
        s.resolved.clear()
        s.queue = list(self.order or ())
        s.advanced = [one for one in s.queue if cat(at).locations[one].red and not is_full(at, one)]
        names = [name_of(at, "location", one) for one in s.queue]
        at.kept("GW-LOC-3", *(["GW-LOC-7"] if s.advanced else []))
        if set(self.advanced) - set(s.advanced):
            at.kept("GW-LOC-10")
        at.note("GW-LOC-4.order" if names else "GW-LOC-4.none", player=s.active, locations=names)
        next_location(at)

    def further(self, at: At, hand: Hand) -> Iterator[Move] | None:
        return self._uses(at) if self.uses or "take_shame" in hand.spoken else None

    def _uses(self, at: At) -> Iterator[Move]:
        """The uses of all players, while somebody is to act; then those that no clerk was left for."""
        there = {location: clerks_in(at, location) for location in self.order or ()}
        said = {clan: list(entries) for clan, entries in self.uses.items()}
        idled: dict[tuple[str, str], tuple[int, str]] = {}
        while not at.state.agenda and in_step(at) and at.state.resolving and at.state.order:
            clan = at.state.order[0]
            here = at.state.resolving
            idled.update({(one, here): idle(at, one, here) for one in clerks_in(at, here) if (one, here) not in idled})
            yield next_use(at, clan, said.get(clan, []))
        for clan, entries in said.items():
            for entry in entries:
                if entry != Pass.name:
                    self._refuse(at, clan, entry, there, idled)
                    yield as_move(at, clan, entry)

    def _refuse(
        self,
        at: At,
        clan: str,
        entry: Entry,
        there: dict[str, dict[str, int]],
        idled: dict[tuple[str, str], tuple[int, str]],
    ) -> None:
        """A use that no clerk was left for. `there`: the locations that were activated, and the clerks in them; `idled`:
        clan and location -> how many of them did not work there, and by which rule."""
        if at.state.step == ENDED:
            at.refuse(at.breach("GW-END-5.phase"))
        elif sites := [location for location in there if location in sites_of(at, entry)]:
            site = next((location for location in sites if there[location].get(clan)), sites[0])
            absent = at.breach("GW-LOC-6.absent", player=clan, location=name_of(at, "location", site))
            n, rule = idled.get((clan, site), (0, ""))
            kept = idles(at, clan, site, n, rule) if n else used_up(at, clan, site, 0)
            at.refuse(kept if there[site].get(clan) else absent)


def opens(place: str, at: At) -> list[Move] | None:
    """The moves that a place at the start of a line stands for: a location that resolves, or can be activated now; the
    section whose turn it is. None: no such place."""
    s, said = at.state, place.lower()
    spoken = {word.lower(): location for word, location in at.rules.spoken("place").items()}
    if (where := spoken.get(said)) is None or where in (s.resolving, s.section):
        return None if where is None else []
    if where not in cat(at).locations:
        return None
    ways: list[Move] = [Activate(by=s.active or "", order=(where,), later=later) for later in (False, True)]
    possible = (way for way in ways if in_step(at) and not s.resolving and at.judge(way).legal)
    return next(([way] for way in possible), None)


EXTRA = "place_clerks"
"""The permission that a tactic gives."""


def most(at: At, clan: str) -> Figure | None:
    """The number of clerks a player may place: those that a tactic brings, otherwise those of the icon that resolves
    (GW-CLERK-2); None if it places none."""
    if extra := at.state.allowed.get(clan, {}).get(EXTRA):
        return Figure(extra, extra)
    found = of_kind(at, CLERKS)
    if found is None:
        known = bool(at.state.active) or not is_open(at, "icon")
        return None if known else at.value("command.clerks_active", clan)
    name, base = ("active", "active") if clan == at.state.active else ("other", "others")
    return at.value(f"command.clerks_{name}", clan, base=found.args[base])


class PlaceClerks(FallReport, frozen=True):
    """Place clerks from your supply in locations, or none at all."""

    elsewhere = "GW-CLERK-1"
    opens = CLERKS
    words = ("place",)
    sampled = True
    to: Annotated[
        tuple[str, ...],
        PieceName("location", many=True, after=("to", "into", "onto"), of=("clerk", "location"), loose=True),
    ] = ()

    @classmethod
    def candidates(cls, at: At) -> Iterator[Move]:
        """None, one clerk in each location, and all clerks in one."""
        for clan in at.rules.to_move(at.state):
            if at.refuses(cls(by=clan)):
                continue
            n = min(int(most(at, clan) or 0), at.state.own(clan).clerks.supply)
            yield cls(by=clan)
            for location in cat(at).locations:
                numbers = {1, min(n, free_slots(at, location))} if n and free_slots(at, location) > 0 else ()
                yield from (cls(by=clan, to=(location,) * some) for some in sorted(numbers))

    def forbidden(self, at: At) -> Iterator[Breach]:
        s, wanted, figure = at.state, Counter(self.to), most(at, self.by)
        if not may(at, self.by, EXTRA):
            if figure is None or s.resolving or s.queue:
                yield at.breach("GW-CLERK-1", player=self.by)
                return
            yield from self._turn(at)
        if unknown := [location for location in wanted if location not in cat(at).locations]:
            yield at.breach("GW-CLERK-3.nowhere", places=unknown)
            return
        if len(self.to) > (has := s.own(self.by).clerks.supply):
            yield at.breach("GW-CLERK-3", player=self.by, n=len(self.to), has=has)
        for location, n in wanted.items():
            if n > (free := free_slots(at, location)):
                filled = taken_by(at, location)
                all_slots = slots(at, location) + (filled is not None)
                facts = {
                    "location": name_of(at, "location", location),
                    "slots": all_slots,
                    "n": n,
                    "free": max(0, free),
                }
                yield at.breach("GW-CLERK-4", *([filled.piece.rule] if filled and n <= free + 1 else []), **facts)
        if figure is not None and len(self.to) > int(figure):
            facts = {"most": int(figure), "sum": figure.sum}
            yield at.breach("GW-CLERK-2.number", player=self.by, n=len(self.to), **facts)

    def _turn(self, at: At) -> Iterator[Breach]:
        s = at.state
        if self.by in s.done:
            yield at.breach("GW-CLERK-2.twice", player=self.by)
            return
        known = s.active and not is_open(at, "done")
        order = s.order or (placers(at) if known else [])
        if order and order[0] != self.by:
            yield at.breach("GW-CLERK-2.turn", player=self.by, first=order[0])

    def apply(self, at: At) -> None:
        s, figure = at.state, most(at, self.by)
        for location in self.to:
            there = s.locations[location]
            there[self.by] = there.get(self.by, 0) + 1
        s.own(self.by).clerks.supply -= len(self.to)
        where = {name_of(at, "location", location): n for location, n in Counter(self.to).items()}
        at.note("GW-CLERK-3.placed" if where else "GW-CLERK-3.none", player=self.by, locations=where, n=len(self.to))
        if may(at, self.by, EXTRA):
            spend(at, self.by, EXTRA)
            s.allowed[self.by].pop(EXTRA, None)  # the clerks that a tactic allows are placed at once
            return
        if figure is not None and len(self.to) > int(figure.base):
            at.spend(figure)
        if is_open(at, "icon"):
            tell_icon(at, CLERKS)
            s.order = placers(at, self.by)
        placed(at, self.by)


def may_place(at: At, clan: str) -> bool:
    """True if a player could still place clerks for the icon that resolves."""
    s = at.state
    room = any(free_slots(at, location) > 0 for location in cat(at).locations)
    return clan in s.order and room and s.own(clan).clerks.supply > 0 and int(most(at, clan) or 0) > 0


MOVES = {STEP: (PlaceClerks, Activate)}
WINDOWS = {STEP: Window("GW-CLERK-2.left", may_place)}
