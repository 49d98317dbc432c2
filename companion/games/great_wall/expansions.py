"""What the modules add to the setup: walls and towers, war machines, the Khan and his skills (GW-BP-1 to -4, GW-GK-1)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated, Any

from companion.engine.play.moves import Breach, OneOf, PieceName
from companion.engine.play.position import Position

from . import decks, hordes
from .catalogue import At, cat, name_of
from .decks import out_of_play
from .preparation import READY, SETUP
from .reports import Report, TableReport
from .state import SECTIONS, Skill
from .year import wrong_turn


def too_early(at: At, what: str) -> Iterator[Breach]:
    """A breach while the tea pile is not known: the modules' setup comes last (GW-SET-18)."""
    if (
        at.state.season == "setup"
        and not all(p.general for p in at.state.player.values())
        and "generals" not in at.state.untold
    ):
        yield at.breach("GW-SET-18.early", what=what)


# --- Black Powder -------------------------------------------------------------------------------------------------


def fortify(at: At) -> None:
    """The walls of Black Powder, and overseers at their first level (GW-BP-1, GW-BP-3)."""
    s = at.state
    s.walls = dict.fromkeys(SECTIONS, int(at["bp.start_level"]))
    s.barricades = dict.fromkeys(SECTIONS, 0)
    at.note("GW-BP-1", level=at["bp.start_level"])
    for p in s.player.values():
        p.overseers = dict.fromkeys(cat(at).production, int(at["bp.start_overseer"]))
        p.supply[cat(at).tower_unit] -= sum(level > 0 for level in p.overseers.values())
    at.note("GW-BP-3", level=at["bp.start_overseer"])
    at.kept("GW-BP-2", "GW-BP-5", "GW-BP-17")


def standing(at: At) -> list[str]:
    """The war machines that stand somewhere."""
    return [machine for machines in at.state.machines.values() for machine in machines]


def machines_stand(at: At) -> bool:
    return set(standing(at)) == set(cat(at).of("machine"))


class PlaceMachine(Report, frozen=True):
    """A war machine of the setup is placed in a section."""

    words = ("machine", "place machine")
    example = "pine machine cannon L"
    elsewhere = "GW-BP-4"
    machine: Annotated[str, PieceName("machine")] = ""
    section: Annotated[str, OneOf(*SECTIONS)] = ""

    def options(self, at: At, field: str) -> Iterable[Any] | None:
        if field == "by":
            return at.state.tea[len(standing(at)) :][:1] or at.state.players
        if field == "machine":
            return [machine for machine in cat(at).of("machine") if machine not in standing(at)]
        return super().options(at, field)

    def forbidden(self, at: At) -> Iterator[Breach]:
        yield from too_early(at, "a war machine")
        yield from wrong_turn(at, self.by, at.state.tea[len(standing(at)) :], "GW-BP-4")
        yield from out_of_play(at, "black_powder", "a war machine")
        if self.machine in standing(at):
            yield at.breach("GW-BP-4.used", machine=name_of(at, "machine", self.machine))
        if self.section and len(at.state.machines[self.section]) >= at["machine.max_per_section"]:
            yield at.breach("GW-BP-6.full", section=self.section, n=at["machine.max_per_section"])

    def apply(self, at: At) -> None:
        at.state.machines[self.section].append(self.machine)
        name = name_of(at, "machine", self.machine)
        at.note("GW-BP-4.placed", player=self.by, machine=name, section=self.section)


# --- Genghis Khan -------------------------------------------------------------------------------------------------


class RevealSkills(TableReport, frozen=True):
    """The skill cards beside the Khan's card."""

    words = ("skills", "skill")
    example = "skills K01 K04"
    elsewhere = "GW-GK-1"
    cards: Annotated[tuple[str, ...], PieceName("skill", many=True, secret=True)] = ()

    def options(self, at: At, field: str) -> Iterable[Any] | None:
        left = decks.hidden(at, "skill")
        return [tuple(left[: at["gk.skills"]])] if field == "cards" and left else None

    def shows(self) -> dict[str, Any]:
        return {"skills": sorted(self.cards)}

    def forbidden(self, at: At) -> Iterator[Breach]:
        yield from out_of_play(at, "genghis_khan", "a skill card")
        if at.state.khan.skills:
            yield at.breach("GW-GK-1.shown")
        elif self.cards and len(self.cards) != at["gk.skills"]:
            yield at.breach("GW-GK-1.number", n=len(self.cards), due=at["gk.skills"])
        yield from decks.impossible(at, "skill", self.cards)

    def apply(self, at: At) -> None:
        at.state.khan.skills = [Skill(card) for card in self.cards]
        at.note("GW-GK-1.skills", cards=[name_of(at, "skill", card) for card in self.cards])


def khan_comes(at: Position[Any]) -> None:
    """After the last horde card of the setup the Khan stands where the top card is marked (GW-GK-1)."""
    s = at.state
    if s.season == "setup" and s.khan.section is None and not s.hordes_due and s.horde_deck.top_mark:
        s.khan.section = s.horde_deck.top_mark
        at.note("GW-GK-1.stands", section=s.khan.section)


def khan_ready(at: At) -> bool:
    return at.state.khan.section is not None and len(at.state.khan.skills) >= at["gk.skills"]


SETUP["black_powder"] = fortify
READY["black_powder"] = machines_stand
READY["genghis_khan"] = khan_ready
hordes.SEEN["genghis_khan"] = khan_comes
MOVES = {"setup": (PlaceMachine, RevealSkills)}
