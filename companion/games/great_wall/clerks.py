"""Clerks: who places how many where, when a command card or a tactic lets them (rules GW-CLERK)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Annotated

from companion.engine.play.moves import Breach, Move, PieceName
from companion.engine.things.figures import Figure

from .catalogue import At, cat, name_of
from .fall import FallReport, may, placed, spend
from .icons import CLERKS, STEP, of_kind, placers, tell_icon
from .locations import free_slots, slots
from .year import is_open

EXTRA = "place_clerks"
"""What a tactic allows."""


def most(at: At, clan: str) -> Figure | None:
    """How many clerks a player may place: those that a tactic brings, otherwise those of the icon that resolves
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
    """Place clerks from the own supply in locations; none at all is possible, too."""

    elsewhere = "GW-CLERK-1"
    opens = CLERKS
    words = ("place", "places", "clerks")
    example = "pine place quarry quarry barracks"
    sampled = True
    to: Annotated[tuple[str, ...], PieceName("location", many=True, loose=True)] = ()

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
        s, wanted, figure = at.state, Counter(self.to), most(at, self.by) if self.by else None
        if self.by and not may(at, self.by, EXTRA):
            if figure is None or s.resolving or s.queue:
                yield at.breach("GW-CLERK-1", player=self.by)
                return
            yield from self._turn(at)
        if unknown := [location for location in wanted if location not in cat(at).locations]:
            yield at.breach("GW-CLERK-3.nowhere", places=unknown)
            return
        if self.by and len(self.to) > (has := s.own(self.by).clerks.supply):
            yield at.breach("GW-CLERK-3", player=self.by, n=len(self.to), has=has)
        for location, n in wanted.items():
            if n > (free := free_slots(at, location)):
                facts = {"location": name_of(at, "location", location), "slots": slots(at, location)}
                yield at.breach("GW-CLERK-4", n=n, free=max(0, free), **facts)
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


MOVES = {STEP: (PlaceClerks,)}
