"""Activating locations: which ones, in what order, what an advanced activation costs, and reports that bundle the uses
of several clerks (rules GW-LOC)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import permutations
from typing import Annotated, Any, ClassVar

import msgspec

from companion.engine.language.jsonmoves import from_json
from companion.engine.play.moves import Breach, Count, Move, PieceName, acting, arguments_of
from components.model import Effect

from .answers import Answers
from .catalogue import At, cat, name_of
from .fall import FallReport
from .icons import ACTIVATE, STEP, in_step, of_kind, tell_icon
from .locations import (
    SEVERAL,
    clerks_in,
    ends_use,
    is_full,
    left,
    moment,
    next_location,
    of_one_clerk,
    slots,
    too_many,
    use,
    used_up,
)
from .year import is_open

PASS = "pass"
Entry = str | dict[str, Any]
"""The name of a report, or `{EVENT: first parameter, others}`."""


# --- which locations ----------------------------------------------------------------------------------------------


def refused(at: At, location: str, icon: Effect) -> Iterator[Breach]:
    """Why a location is not activated by an icon (GW-LOC-1, GW-LOC-2, GW-LOC-7)."""
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


def qualifies(at: At, location: str, icon: Effect) -> bool:
    return not list(at.allowed(refused(at, location, icon)))


def listed(at: At, icon: Effect) -> list[str]:
    """The locations that a list activates: all of them that meet their condition (GW-LOC-3)."""
    return [location for location in icon.args.get("list") or () if qualifies(at, location, icon)]


class Activate(FallReport, frozen=True):
    """Activate the locations of an icon, in the order that the active player chooses."""

    name = ACTIVATE
    elsewhere = "GW-LOC-3"
    opens = ACTIVATE
    words = ("activate", "activates")
    example = "activate quarry barracks"
    asks: ClassVar[dict[str, str]] = {"order": "GW-LOC-4.order"}
    order: Annotated[tuple[str, ...] | None, PieceName("location", many=True)] = None
    advanced: Annotated[tuple[str, ...], PieceName("location", many=True, lead=("advanced",))] = ()
    uses: dict[str, list[Entry]] = msgspec.field(default_factory=dict)
    """Player -> what each clerk does."""
    shame_to: dict[str, Any] = msgspec.field(default_factory=dict)
    """Player -> carriers."""
    goods: dict[str, list[str]] | list[str] = msgspec.field(default_factory=list)
    """Goods that a player chooses or gives up on the way."""
    shot: Any = None

    def options(self, at: At, field: str) -> Iterable[Any] | None:
        icon = of_kind(at, ACTIVATE)
        if field == "order" and icon is not None:
            if icon.args.get("list") is not None:
                return list(permutations(listed(at, icon))) if listed(at, icon) else None
            able = [location for location in cat(at).locations if qualifies(at, location, icon)]
            some = [order for n in range(1, icon.args["choose"] + 1) for order in permutations(able, n)]
            return some or None
        return super().options(at, field) if field == "by" else None

    def forbidden(self, at: At) -> Iterator[Breach]:
        s, icon = at.state, of_kind(at, ACTIVATE)
        if s.active and self.by and self.by != s.active:
            yield at.breach("GW-LOC-4.turn", player=self.by, active=s.active)
        elif s.resolving or s.queue:
            yield at.breach("GW-LOC-4.running", location=name_of(at, "location", s.resolving or s.queue[0]))
        elif icon is None:
            if s.active or not is_open(at, "icon"):
                yield at.breach("GW-FALL-6.activate", player=self.by)
        else:
            yield from self._wrong(at, icon)

    def _wrong(self, at: At, icon: Effect) -> Iterator[Breach]:
        """What is wrong with the order for an icon."""
        order = self.order or ()
        if len(set(order)) < len(order):
            yield at.breach("GW-LOC-7.twice")
        chosen = icon.args.get("list")
        for location in order:
            if chosen is not None and location not in chosen:
                yield at.breach("GW-LOC-3.unlisted", location=name_of(at, "location", location))
            else:
                yield from refused(at, location, icon)
        if chosen is None and len(order) > icon.args["choose"]:
            yield at.breach("GW-LOC-7.number", n=len(order), most=icon.args["choose"])
        if self.advanced and not icon.args.get("advanced"):
            yield at.breach("GW-LOC-7.ordinary", locations=[name_of(at, "location", one) for one in self.advanced])
        missing = [] if chosen is None or self.order is None else [x for x in listed(at, icon) if x not in order]
        if missing:
            yield at.breach("GW-LOC-3.missing", locations=[name_of(at, "location", one) for one in missing])

    def apply(self, at: At) -> None:
        s = at.state
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

    def follow_ups(self, at: At) -> Iterator[Move]:
        answers = Answers(self)
        there = {location: clerks_in(at, location) for location in self.order or ()}
        yield from answers.given(at)
        if self.uses or any(answers.shame_to.values()):
            said = {clan: list(entries) for clan, entries in self.uses.items()}
            while at.state.agenda or (in_step(at) and at.state.resolving and at.state.order):
                if not at.state.agenda:
                    yield _next_use(at, at.state.order[0], said)
                elif (answer := answers.settled(at)) is not None:
                    yield answer
                else:
                    break
            for clan, entries in said.items():
                yield from _unused(at, clan, entries, there)
        yield from answers.left(at)


def _unused(at: At, clan: str, entries: list[Entry], there: dict[str, dict[str, int]]) -> Iterator[Move]:
    """Uses that no clerk was left for. `there`: the locations that were activated, and the clerks in them."""
    for entry in entries:
        if entry == PASS:
            continue
        if sites := [location for location in there if location in _sites(at, entry)]:
            site = next((location for location in sites if there[location].get(clan)), sites[0])
            absent = at.breach("GW-LOC-6.absent", player=clan, location=name_of(at, "location", site))
            at.refuse(used_up(at, clan, site, 0) if there[site].get(clan) else absent)
        yield as_move(at, clan, entry)


# --- bundles of uses ------------------------------------------------------------------------------------------------


def as_move(at: At, clan: str, entry: Entry) -> Move:
    """The report that an entry of `uses` stands for. Raises MoveFormError for what is none."""
    if entry == PASS:
        return Leave(by=clan)
    if isinstance(entry, str):
        return from_json({"event": entry, "by": clan}, at)
    name = next((key for key in entry if key in at.rules.moves), next(iter(entry), ""))
    kind = at.rules.moves.get(name)
    form = {key: value for key, value in entry.items() if key != name}
    if kind is not None and entry.get(name) is not None:
        first = next((one.name for one in arguments_of(kind) if one.name != acting(kind)), None)
        if first is not None and first not in form:
            form[first] = entry[name]
    return from_json({"event": name, "by": clan, **form}, at)


def _fits(at: At, entry: Entry) -> bool:
    """Whether an entry can be a use in the location that resolves."""
    resolving = at.state.resolving or ""
    if entry == PASS:
        return True
    if _is_tactic(entry):
        piece = cat(at).of("tactic").get(str(entry["play_tactic"]))  # type: ignore[index]
        return piece is not None and piece.fields["window"] == f"resolve:{resolving}"
    return resolving in _sites(at, entry)


def _sites(at: At, entry: Entry) -> tuple[str, ...]:
    """The locations where an entry can be a use."""
    name = entry if isinstance(entry, str) else next((key for key in entry if key in at.rules.moves), "")
    kind = at.rules.moves.get(name)
    sites: tuple[str, ...] = kind.sites(at) if kind is not None and hasattr(kind, "sites") else ()
    said = entry.get("location", entry[name]) if isinstance(entry, Mapping) and len(sites) > 1 else None
    return sites if said is None else tuple(site for site in sites if site == said)


def _next_use(at: At, clan: str, said: dict[str, list[Entry]]) -> Move:
    """The next use of a player in the location: the next entry, or what is missing is passed."""
    entries = said.get(clan)
    if entries and _fits(at, entries[0]) and (left(at, clan) or _is_tactic(entries[0])):
        return as_move(at, clan, entries.pop(0))
    return at.rules.moves[PASS](by=clan)


def _is_tactic(entry: Entry) -> bool:
    return isinstance(entry, dict) and "play_tactic" in entry


# --- uses -----------------------------------------------------------------------------------------------------------


class ClerkUse(FallReport, frozen=True):
    """The use of a clerk in the location that resolves."""

    opens = "use"
    site: ClassVar[str] = ""

    @classmethod
    def sites(cls, at: At) -> tuple[str, ...]:
        """The locations where clerks do it."""
        return (cls.site,)

    def where(self, at: At) -> str:
        """The location where it is done."""
        return self.site

    def moment(self, at: At) -> Iterator[Breach]:
        """Why the player cannot use a clerk there now."""
        yield from moment(at, self.by, self.where(at))

    def follow_ups(self, at: At) -> Iterator[Move]:
        answers = Answers(self)
        yield from answers.given(at)
        yield from answers.left(at)


class Leave(FallReport, frozen=True):
    """Leave what is left of one clerk in the location; or so many recruits, builds or orders."""

    name = "leave"
    elsewhere = "GW-LOC-6"
    opens = "use"
    words = ("leave",)
    example = "leave"
    sampled = True
    n: Annotated[int, Count()] = 0

    def options(self, at: At, field: str) -> Iterable[Any] | None:
        return super().options(at, field) if field == "by" else None

    def forbidden(self, at: At) -> Iterator[Breach]:
        yield from moment(at, self.by, at.state.resolving or "")
        yield from too_many(at, self.by, self.n or 1)

    def apply(self, at: At) -> None:
        location = at.state.resolving or ""
        use(at, self.by, location, self.n or of_one_clerk(at, self.by, location))
        at.note("GW-GEN-4.passed", player=self.by)
        ends_use(at, self.by)


class TakeUses(FallReport, frozen=True):
    """All that the clerks of one player do in the location that resolves."""

    name = "take_uses"
    bundles = None
    elsewhere = "GW-LOC-6"
    opens = "use"
    words = ("take uses",)
    example = "pine take uses barracks"
    sampled = True
    location: Annotated[str, PieceName("location")] = ""
    uses: tuple[Entry, ...] = ()
    shot: Any = None

    def options(self, at: At, field: str) -> Iterable[Any] | None:
        if field == "location":
            return [at.state.resolving] if at.state.resolving else None
        return super().options(at, field) if field == "by" else None

    def forbidden(self, at: At) -> Iterator[Breach]:
        if not self.location:
            return
        yield from moment(at, self.by, self.location)
        if self.by and at.state.resolving == self.location and not any(map(_is_tactic, self.uses)):
            yield from too_many(at, self.by, len(self.uses))

    def apply(self, at: At) -> None:
        use(at, self.by, self.location, 0)

    def follow_ups(self, at: At) -> Iterator[Move]:
        yield from _in_turn(at, self.by, list(self.uses), Answers(self))


def _in_turn(at: At, clan: str, entries: list[Entry], answers: Answers) -> Iterator[Move]:
    """The uses of one player, with the answers they ask for; what is missing is passed."""
    location = at.state.resolving
    while entries or at.state.agenda:
        if at.state.agenda and (answer := answers.settled(at)) is not None:
            yield answer
        elif entries:
            yield as_move(at, clan, entries.pop(0))
        else:
            break
    s = at.state
    if not s.agenda and in_step(at) and s.resolving == location and s.order[:1] == [clan]:
        yield at.rules.moves[PASS](by=clan)
    yield from answers.left(at)


MOVES = {STEP: (Activate, TakeUses, Leave)}

__all__ = ["MOVES", "SEVERAL", "Activate", "ClerkUse", "Leave", "TakeUses", "as_move", "qualifies", "refused"]
