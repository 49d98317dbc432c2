"""Clerks: who places how many where, when a command card or a tactic lets them (rules GW-CLERK)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Annotated, Any

from companion.engine.play.moves import Breach, Move, PieceName
from companion.engine.things.figures import Figure

from .catalogue import At, cat, name_of
from .fall import FallReport, may, placed, spend
from .icons import CLERKS, STEP, of_kind, placers, tell_icon
from .locations import clerks_in, slots
from .year import is_open

EXTRA = "place_clerks"
"""What a tactic allows."""


def most(at: At, clan: str) -> Figure | None:
    """How many clerks a player may place for the icon that resolves (GW-CLERK-2); None if it places none."""
    found = of_kind(at, CLERKS)
    if found is None:
        known = bool(at.state.active) or not is_open(at, "icon")
        return None if known else at.value("command.clerks_active", clan)
    name, base = ("active", "active") if clan == at.state.active else ("other", "others")
    return at.value(f"command.clerks_{name}", clan, base=found.args[base])


def limit(at: At, clan: str) -> int:
    """How many clerks a player may place at once: of those that a tactic brings first, then those of the icon."""
    if may(at, clan, EXTRA):
        return at.state.allowed.get(clan, {}).get(EXTRA, 0)
    return int(most(at, clan) or 0)


class PlaceClerks(FallReport, frozen=True):
    """Place clerks from the own supply in locations; none at all is possible, too."""

    name = "place_clerks"
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
            if at.reasons(cls(by=clan)):
                continue
            n = min(limit(at, clan), at.state.own(clan).clerks.supply)
            yield cls(by=clan)
            for location in cat(at).locations:
                free = slots(at, location) - sum(clerks_in(at, location).values())
                for some in sorted({1, min(n, free)} - {0}) if min(n, free) > 0 else ():
                    yield cls(by=clan, to=(location,) * some)

    def options(self, at: At, field: str) -> Iterable[Any] | None:
        return None if field == "to" else super().options(at, field)

    def forbidden(self, at: At) -> Iterator[Breach]:
        s, extra = at.state, may(at, self.by, EXTRA)
        figure = None if extra else most(at, self.by) if self.by else None
        if self.by and not extra:
            if figure is None or s.resolving or s.queue:
                yield at.breach("GW-CLERK-1", player=self.by)
                return
            yield from self._turn(at)
        wanted = Counter(self.to)
        if unknown := [location for location in wanted if location not in cat(at).locations]:
            yield at.breach("GW-CLERK-3.nowhere", places=unknown)
            return
        if self.by and len(self.to) > s.own(self.by).clerks.supply:
            yield at.breach("GW-CLERK-3", player=self.by, n=len(self.to), has=s.own(self.by).clerks.supply)
        for location, n in wanted.items():
            free = slots(at, location) - sum(clerks_in(at, location).values())
            if n > free:
                facts = {"location": name_of(at, "location", location), "slots": slots(at, location)}
                yield at.breach("GW-CLERK-4", n=n, free=max(0, free), **facts)
        if self.by and len(self.to) > (allowed := limit(at, self.by)):
            facts = {"most": allowed, "sum": figure.sum if figure and figure.changes else str(allowed)}
            yield at.breach("GW-CLERK-2.number", player=self.by, n=len(self.to), **facts)

    def _turn(self, at: At) -> Iterator[Breach]:
        s = at.state
        if self.by in s.done:
            yield at.breach("GW-CLERK-2.twice", player=self.by)
        elif s.order and s.order[0] != self.by:
            yield at.breach("GW-CLERK-2.turn", player=self.by, first=s.order[0])

    def apply(self, at: At) -> None:
        s = at.state
        extra = may(at, self.by, EXTRA)
        figure = None if extra else most(at, self.by)
        for location in self.to:
            there = s.locations[location]
            there[self.by] = there.get(self.by, 0) + 1
        s.own(self.by).clerks.supply -= len(self.to)
        where = {name_of(at, "location", location): n for location, n in Counter(self.to).items()}
        at.note("GW-CLERK-3.placed" if where else "GW-CLERK-3.none", player=self.by, locations=where, n=len(self.to))
        if extra:
            spend_all(at, self.by)
            return
        if figure is not None and len(self.to) > int(figure.base):
            at.spend(figure)
        if is_open(at, "icon"):
            tell_icon(at, CLERKS)
            s.order = placers(at, self.by)
        placed(at, self.by)


def spend_all(at: At, clan: str) -> None:
    """The clerks that a tactic allows are placed at once."""
    spend(at, clan, EXTRA)
    at.state.allowed[clan].pop(EXTRA, None)


MOVES = {STEP: (PlaceClerks,)}

__all__ = ["MOVES", "PlaceClerks", "most"]
