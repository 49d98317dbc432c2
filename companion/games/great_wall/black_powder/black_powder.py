"""Black Powder: higher walls and war machines, their shots, the Ladder's breach, towers, siege damage (rules GW-BP)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations
from typing import Annotated, Any, ClassVar, Self

from msgspec.structs import replace

from companion.engine.things.paths import found
from companion.rules import Breach, Choice, Move, PieceName
from components.model import Effect
from components.phrasing import join_and

from ..base.assault import keyword_in, too_early
from ..base.brought import Next
from ..base.catalogue import At, beside_tower, cat, name_of
from ..base.firing import beside
from ..base.losses import owe_save
from ..base.named import NONE, counted
from ..base.preparation import PlaceOfModule
from ..base.prices import gain
from ..base.reports import Bundled, May, TableReport
from ..base.shame import owe_shame
from ..base.soldiers import find_horde, free_spots, horde_at, rest
from ..base.state import SECTIONS, TOWERS, WOUND
from ..base.targets import Sections, Spots, bad_cover, by_card
from ..base.wounds import said_rows, woundable
from ..base.year import in_tea_order, unit


def begins(at: At) -> None:
    """Walls and overseers begin higher."""
    at.note("GW-BP-1", level=at["bp.start_level"])
    at.note("GW-BP-3", level=at["bp.start_overseer"])
    at.kept("GW-BP-2", "GW-BP-5", "GW-BP-17")


def standing(at: At) -> list[str]:
    """The war machines that stand somewhere."""
    return found(at.state, "machines.*.*")


class PlaceMachine(PlaceOfModule, frozen=True):
    """A war machine of the setup is placed in a section."""

    words = ("machine",)
    elsewhere = "GW-BP-4"
    what = "a war machine"
    machine: Annotated[str, PieceName("machine")] = ""
    section: Annotated[str, Sections()] = ""

    @classmethod
    def placed(cls, at: At) -> int:
        return len(standing(at))

    def machine_options(self, at: At) -> list[str]:
        return [machine for machine in cat(at).of("machine") if machine not in standing(at)]

    def forbidden(self, at: At) -> Iterator[Breach]:
        yield from super().forbidden(at)
        if self.machine in standing(at):
            yield at.breach("GW-BP-4.used", machine=name_of(at, "machine", self.machine))
        if self.section and len(at.state.machines[self.section]) >= at["machine.max_per_section"]:
            yield at.breach("GW-BP-6.full", section=self.section, n=at["machine.max_per_section"])

    def apply(self, at: At) -> None:
        at.state.machines[self.section].append(self.machine)
        name = name_of(at, "machine", self.machine)
        at.note("GW-BP-4.placed", player=self.by, machine=name, section=self.section)


def lacks(at: At) -> Next | None:
    if set(standing(at)) == set(cat(at).of("machine")):
        return None
    return Next(f"{at.state.tea[len(standing(at))]} places a war machine", ("place_machine",))


def at_section(at: At, section: str) -> list[str]:
    machines = at.state.machines[section]
    return [", ".join(name_of(at, "machine", machine) for machine in machines)] if machines else []


def line(at: At) -> str:
    manned = [f"{tower} {join_and(clans)}" for tower, clans in at.state.towers.items() if clans]
    return f"Towers: {', '.join(manned)}" if manned else ""


RAM, TREBUCHET = "ram", "trebuchet"
SIEGE = ((RAM, 1), (TREBUCHET, 3))
"""Keyword -> the row in which it damages the wall (GW-BP-12)."""
EACH_CARD = "wound_each_card"
VERBS = (EACH_CARD,)
"""A shot is reported whole, so that nothing is left for the interpreter to do."""


# --- where things stand -------------------------------------------------------------------------------------------


def shot_of(at: At, machine: str) -> Effect:
    """The shot printed on a war machine."""
    return cat(at).of("machine")[machine].effect[0]


def in_reach(at: At, machine: str, section: str) -> dict[str, list[str]]:
    """Horde card -> the free spots that a war machine in a section could wound."""
    shot = shot_of(at, machine)
    near = beside(section) if shot.args.get("section") == "own_or_neighbour" else []
    return woundable(at, "", {"section": [section, *near], "rows": said_rows(shot.args)})


# --- shots --------------------------------------------------------------------------------------------------------


def may_shoot(at: At, clan: str, sections: Iterable[str], machine: str = "") -> None:
    """Let a player shoot with one war machine of the sections, or with the one that was built (GW-BP-8)."""
    among = list(sections)
    ready = [(one, section) for section in among for one in at.state.machines[section] if machine in ("", one)]
    if any(in_reach(at, one, section) for one, section in ready):
        at.owe(clan, MachineShot.name, rule="GW-BP-8", sections="".join(among), machine=machine)


def built(at: At, clan: str, machine: str, section: str) -> None:
    may_shoot(at, clan, [section], machine)


def manned(at: At, clan: str, tower: str) -> None:
    may_shoot(at, clan, beside_tower(at, tower))


def claimer_shoots(at: At, card: str, section: str, claimer: str, survivors: str) -> None:
    """After a claim and the slide a war machine of the section may shoot."""
    if claimer:
        may_shoot(at, claimer, [section])


class MachineShot(May, frozen=True):
    """Shoot with a war machine; without one: do not shoot."""

    owes: ClassVar[dict[str, str] | None] = {}
    elsewhere = "GW-BP-8"
    role = "choice"
    answers = True
    words = ("fires",)
    sampled = True
    machine: Annotated[str, PieceName("machine")] = ""
    section: Annotated[str, Sections()] = ""
    """The section of the machine, if two are possible."""
    card: Annotated[str, PieceName("horde")] = ""
    spots: Annotated[tuple[str, ...] | dict[str, tuple[str, ...] | str], Spots().bringing()] = ()
    """Spots of the card; for a machine that wounds several cards: card -> spots."""

    @classmethod
    def candidates(cls, at: At) -> Iterator[Move]:
        """No shot; and each machine at each horde in its reach: the first spot alone, and as many as it may wound."""
        for clan in dict.fromkeys(task.who for task in at.state.agenda if task.move == cls.name):
            none = cls(by=clan)
            yield none
            for machine, section in dict.fromkeys(none._ready(at)):
                shot, n = replace(none, machine=machine, section=section), shot_of(at, machine).args["n"]
                for card, free in shot._reach(at, machine, section).items():
                    yield from (replace(shot, card=card, spots=tuple(free[:k])) for k in sorted({1, min(n, len(free))}))

    def _ready(self, at: At) -> list[tuple[str, str]]:
        """(machine, section) of those that may shoot now."""
        task = self.debt(at)
        args = task.args if task else {}
        named = str(args.get("machine") or "")
        return [
            (one, section)
            for section in str(args.get("sections", ""))
            for one in at.state.machines[section]
            if named in ("", one)
        ]

    def _reach(self, at: At, machine: str, section: str) -> dict[str, list[str]]:
        """The spots it could wound, without the cards that this shot has wounded already."""
        task = self.debt(at)
        wounded = str(task.args.get("wounded", "")).split() if task else []
        return {card: free for card, free in in_reach(at, machine, section).items() if card not in wounded}

    def machine_options(self, at: At) -> list[str]:
        found = (one for one, section in self._ready(at) if self._reach(at, one, section))
        return list(dict.fromkeys(found if self.section or self.card or self.spots else ("", *found)))

    def section_options(self, at: At) -> list[str] | None:
        return [section for one, section in self._ready(at) if one == self.machine] if self.machine else None

    def card_options(self, at: At) -> list[str] | None:
        some = self.machine and not isinstance(self.spots, dict)
        return list(self._reach(at, self.machine, self.section)) if some else None

    def spots_options(self, at: At) -> list[tuple[str, ...]] | None:
        if not self.machine or isinstance(self.spots, dict):
            return None
        free, n = self._reach(at, self.machine, self.section).get(self.card, []), shot_of(at, self.machine).args["n"]
        return [some for k in range(1, n + 1) for some in combinations(free, k)]

    def _hits(self) -> list[tuple[str, list[str]]]:
        """(card, spots) of what is wounded; the cards after the first are reports of their own."""
        if isinstance(self.spots, Mapping):
            return list(by_card(self.spots).items())
        return [(self.card, list(self.spots))] if self.card else []

    def alone(self) -> Self | None:
        hits = self._hits() if isinstance(self.spots, Mapping) else []
        return replace(self, card=hits[0][0], spots=tuple(hits[0][1])) if hits else self

    def acts(self) -> bool:
        return bool(self.machine or self.section or self.card or self.spots)

    def whether(self, at: At) -> Choice | None:
        able = [one for one in self.machine_options(at) if one]
        return at.ask("GW-BP-8.whether", "machine", self.by, [*able, NONE]) if able else None

    def forbidden(self, at: At) -> Iterator[Breach]:
        yield from super().forbidden(at)
        ready, machine = self._ready(at), name_of(at, "machine", self.machine)
        if self.machine and not any(one == self.machine and self.section in ("", section) for one, section in ready):
            yield at.breach("GW-BP-8.there", player=self.by, machine=machine)
        elif self.card and isinstance(self.spots, Mapping):
            yield at.breach("GW-BP-8.card", card=name_of(at, "horde", self.card))
        elif self.machine and self.section:
            for card, spots in self._hits()[:1]:
                yield from self._bad_wounds(at, machine, card, spots)

    def _bad_wounds(self, at: At, machine: str, card: str, spots: list[str]) -> Iterator[Breach]:
        reach, most = self._reach(at, self.machine, self.section), shot_of(at, self.machine).args["n"]
        facts: dict[str, Any] = {"machine": machine, "card": name_of(at, "horde", card), "section": self.section}
        found = find_horde(at, card)
        if found:
            yield from bad_cover(at, found[2], spots, ("GW-GRID-8",), ("GW-GRID-9.taken",), **facts)
        if card not in reach and not (found and not free_spots(at, found[2])):
            yield at.breach("GW-BP-8.reach", **facts)
        if len(set(spots)) < len(spots):
            yield at.breach("GW-GRID-9.twice", **facts)
        if len(spots) > most:
            yield at.breach("GW-BP-8.number", machine=machine, n=len(spots), most=most)

    def apply(self, at: At) -> None:
        for card, spots in self._hits()[:1] if self.machine else ():
            _, _, horde = horde_at(at, card)
            horde.spots |= dict.fromkeys(spots, WOUND)
            machine, name = name_of(at, "machine", self.machine), name_of(at, "horde", card)
            at.note("GW-BP-8.shot", player=self.by, card=name, machine=machine, spots=spots)
            at.kept("GW-BP-18", "GW-GRID-9")
            task = self.debt(at)
            others = [other for other in self._reach(at, self.machine, self.section) if other != card]
            if task and others and shot_of(at, self.machine).verb == EACH_CARD:
                cards = f"{card} {task.args.get('wounded', '')}".strip()
                task.args = {"sections": self.section, "machine": self.machine, "wounded": cards}
                task.n += 1  # the other cards are said in reports of their own

    def follow_ups(self, at: At) -> Iterator[Move]:
        if others := dict(self._hits()[1:]):
            yield replace(self, spots=others)


# --- the Ladder ---------------------------------------------------------------------------------------------------


def ladder_falls(at: At, section: str, ladder: bool) -> None:
    """Breach 3: the rest zone and the war machines of the section are lost, if a Ladder stands in row 1 (GW-BP-9)."""
    if not ladder:
        return
    for clan in in_tea_order(at):
        spared = at.state.saved_in_breach.get(clan, {})
        units = at.state.own(clan).rest[section]
        fallen = [kind for kind, n in units.items() for _ in range(n - spared.get(kind, 0))]
        if fallen:
            at.note("GW-BP-9.rest", player=clan, units=counted(fallen), section=section)
        for kind in fallen:
            owe_save(at, clan, kind, rest(section), section)
    if gone := at.state.machines[section]:
        at.note("GW-BP-9.machines", machines=[name_of(at, "machine", one) for one in gone], section=section)
        at.state.machines[section] = []


# --- towers -------------------------------------------------------------------------------------------------------


class ScoreTowers(Bundled, frozen=True):
    """Score the spearmen in the towers: honor for sections that held, shame for breached ones."""

    elsewhere = "GW-BP-10"
    words = ("towers",)

    def forbidden(self, at: At) -> Iterator[Breach]:
        yield from too_early(at, "GW-BP-10")

    def apply(self, at: At) -> None:
        for tower in TOWERS:
            for clan in in_tea_order(at, at.state.towers[tower]):
                self._score(at, tower, clan)
        at.kept("GW-BP-11", "GW-BP-14")
        at.then("towers_over")

    def _score(self, at: At, tower: str, clan: str) -> None:
        """One clan in one tower, honor before shame."""
        sections, n = beside_tower(at, tower), at.state.towers[tower].count(clan)
        breached = sum(at.state.breached[section] for section in sections) * n
        held = len(sections) * n - breached
        if held:
            gain(at, clan, {"honor": held * at["tower.honor_per_unbreached"]}, "GW-BP-10.honor", tower=tower)
        if breached:
            tokens = breached * at["tower.shame_per_breached"]
            at.note("GW-BP-10.shame", player=clan, n=tokens, tower=tower)
            owe_shame(at, {clan: tokens}, "GW-BP-10")


def towers_over(at: At) -> None:
    unit(at, "towers")
    at.then("go_to", phase="winter.2.siege")


# --- siege damage -------------------------------------------------------------------------------------------------


class SiegeDamage(TableReport, frozen=True):
    """Rams in row 1 and Trebuchets in row 3 damage the wall."""

    elsewhere = "GW-BP-12"
    words = ("siege",)

    def forbidden(self, at: At) -> Iterator[Breach]:
        yield from too_early(at, "GW-BP-12")

    def apply(self, at: At) -> None:
        walls = at.state.walls
        for section in SECTIONS:
            for keyword, row in SIEGE:
                if keyword_in(at, section, row) == keyword:
                    lost = min(walls[section], at["siege.levels"])
                    walls[section] -= lost
                    at.note("GW-BP-12.damage", section=section, n=lost, level=walls[section], keyword=keyword)
                    at.kept("GW-BP-13")
        unit(at, "siege")
        at.then("go_to", phase="winter.3")


OWED = (MachineShot,)
MOVES = {
    "setup": (PlaceMachine,),
    "winter.2.towers": (ScoreTowers,),
    "winter.2.siege": (SiegeDamage,),
}
STEPS = {"claimer_shoots": claimer_shoots, "ladder_falls": ladder_falls, "towers_over": towers_over}
