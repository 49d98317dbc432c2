"""Where the Khan stands and goes, and the hordes that he brings (rules GW-GK-1 to -3)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated, Any

from companion.rules import Breach, PieceName, phrases
from components.phrasing import join_and

from ..base import decks
from ..base.brought import Next
from ..base.catalogue import At, name_of
from ..base.decks import RevealSeveral
from ..base.hand import HordesUp
from ..base.hordes import no_such_mark, owe_hordes
from ..base.reports import TableReport
from ..base.soldiers import khan_cards
from ..base.state import SECTIONS, Skill
from ..base.table_view import spots_line
from ..base.targets import Sections
from ..base.year import next_step


class RevealSkills(RevealSeveral, frozen=True):
    """The skill cards beside the Khan's card."""

    words = ("skills", "skill")
    example = "skills K01 K04"
    elsewhere = "GW-GK-1"
    set = "skill"
    due = "gk.skills"
    cards: Annotated[tuple[str, ...], PieceName("skill", many=True, secret=True)] = ()

    def apply(self, at: At) -> None:
        at.state.khan.skills = [Skill(card) for card in self.cards]
        at.note("GW-GK-1.skills", cards=[name_of(at, "skill", card) for card in self.cards])


def khan_comes(at: At) -> None:
    """After the last horde card of the setup the Khan stands where the top card is marked (GW-GK-1)."""
    s = at.state
    if s.season == "setup" and s.khan.section is None and not s.hordes_due and s.horde_deck.top_mark:
        s.khan.section = s.horde_deck.top_mark
        at.note("GW-GK-1.stands", section=s.khan.section)


class MoveKhan(TableReport, frozen=True):
    """The Khan moves to the section marked on the top card of the horde deck."""

    words = ("khan", "move khan", *phrases(("khan", "genghis khan"), ("moves", "goes", "rides", "comes")))
    example = "khan R"
    elsewhere = "GW-GK-3"
    section: Annotated[str, Sections()] = ""
    revealed: HordesUp = ()
    """The horde card that War Drums bring."""

    def section_options(self, at: At) -> Iterable[str]:
        return [khan_goes(at)] if khan_goes(at) else SECTIONS

    def forbidden(self, at: At) -> Iterator[Breach]:
        due = khan_goes(at)
        if self.section and due and self.section != due:
            yield at.breach("GW-GK-3.mark", said=self.section, mark=due)
        elif not due:
            yield from no_such_mark(at, self.section)

    def apply(self, at: At) -> None:
        s = at.state
        s.khan.section = self.section
        if not decks.is_empty(at, "horde"):
            s.horde_deck.top_mark = self.section
        at.note("GW-GK-3.moved", section=self.section)
        at.trigger("khan_moved", "", section=self.section)
        if not s.hordes_due:
            next_step(at)


def khan_goes(at: At) -> str:
    """Where the Khan has to go, as far as it is known: to the top mark; with no card left he stays."""
    if decks.is_empty(at, "horde"):
        return at.state.khan.section or ""
    return at.state.horde_deck.top_mark or ""


def place_horde(at: At, who: str, args: dict[str, Any], source: Any) -> None:
    """The verb `place_horde`: more horde cards into the Khan's section, unless the board was full this Spring."""
    if not at.state.spring_shame:
        owe_hordes(at, args["n"], at.state.khan.section or "")


def lacks(at: At) -> Next | None:
    done = at.state.khan.section and len(at.state.khan.skills) >= at["gk.skills"]
    return None if done else Next("the Khan's skills come up, and the mark on top", ("reveal_skills", "see_top_mark"))


def at_section(at: At, section: str) -> list[str]:
    banners = [clan for clan, p in at.state.player.items() if p.bannerman == section]
    found = ["the Khan"] if at.state.khan.section == section else []
    return found + ([f"bannerman of {join_and(banners)}"] if banners else [])


def line(at: At) -> str:
    if at.state.khan.section is None and not at.state.khan.skills:
        return ""
    names = ["Khan", *(f"{skill.card} {name_of(at, 'skill', skill.card)}" for skill in at.state.khan.skills)]
    cards = zip(names, khan_cards(at), strict=True)
    return "Khan's cards: " + " | ".join(f"{name}: {spots_line(at, covered)}" for name, covered in cards)


OPS = {"place_horde": place_horde}
MOVES = {"setup": (RevealSkills,), "spring.3": (MoveKhan,)}
