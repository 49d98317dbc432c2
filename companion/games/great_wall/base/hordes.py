"""Horde cards that come up: which section and row they take, and the full board (rules GW-GRID, GW-SPR-2 to -5)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

import msgspec

from companion.rules import Breach, Move, PieceName

from . import decks
from .brought import in_play
from .catalogue import At, cat, name_of
from .hand import Carriers
from .reports import TableReport
from .shame import owe_shame
from .state import SECTIONS, HordeCard
from .targets import Sections
from .year import in_tea_order, next_step


def room(at: At, section: str) -> int:
    """Empty rows of a section."""
    return int(at["grid.rows"]) - len(at.state.hordes[section])


def is_full(at: At) -> bool:
    """True if every horde space is taken."""
    return not any(room(at, section) > 0 for section in SECTIONS)


def next_with_room(at: At, section: str) -> str:
    """The section, or the next to its right with room; after the last comes the first (GW-GRID-4)."""
    start = SECTIONS.index(section)
    around = (*SECTIONS[start:], *SECTIONS[:start])
    return next((one for one in around if room(at, one) > 0), section)


def due_section(at: At, card: str) -> tuple[str, str]:
    """The section of a card that comes up, and the rule."""
    if into := at.state.horde_into:
        return (into, "GW-GK-8") if room(at, into) > 0 else (next_with_room(at, into), "GW-GRID-4")
    in_setup = at.state.season == "setup"
    for section in SECTIONS:
        if not at.state.hordes[section]:
            return section, "GW-SET-5" if in_setup else "GW-SPR-4"
    mark = cat(at).hordes[card].mark
    if room(at, mark) <= 0:
        return next_with_room(at, mark), "GW-GRID-4"
    return mark, "GW-SET-6" if in_setup else "GW-SPR-5"


def owe_hordes(at: At, n: int, into: str = "") -> None:
    """So many horde cards have to be revealed now; `into`: not by their marks, but into this section."""
    at.state.hordes_due = n
    at.state.horde_into = into or None
    go_on_if_placed(at)


def go_on_if_placed(at: At) -> None:
    """Leave the step when every card is placed, or none can be: the board is full, or no card is left."""
    s = at.state
    if s.hordes_due and is_full(at):
        s.hordes_due = 0
        if not s.spring_shame:
            s.spring_shame = True
            at.note("GW-GRID-5.full")
            owe_shame(at, dict.fromkeys(in_tea_order(at), at["grid.full_board_shame"]), "GW-GRID-5")
    if s.hordes_due and decks.is_empty(at, "horde") and not s.horde_discard:
        at.note("GW-GRID-7.nothing", n=s.hordes_due)
        s.hordes_due = 0
    if not s.hordes_due and s.season == "spring":
        s.horde_into = None
        next_step(at)


class RevealHorde(TableReport, frozen=True):
    """A horde card comes up and takes its place before the wall."""

    elsewhere = "GW-SPR-2"
    words = ("horde",)
    card: Annotated[str, PieceName("horde", secret=True)] = ""
    section: Annotated[str, Sections()] = ""
    shame_to: Carriers = msgspec.field(default_factory=dict)

    def card_options(self, at: At) -> list[str]:
        mark = at.state.horde_deck.top_mark
        return [card for card in decks.hidden(at, "horde") if mark in (None, cat(at).hordes[card].mark)]

    def section_options(self, at: At) -> list[str] | None:
        return [due_section(at, self.card)[0]] if self.card else None

    def presumes(self, at: At) -> Move | None:
        return decks.renewed(at, "horde") or super().presumes(at)

    def shows(self) -> dict[str, Any]:
        return {"horde deck": self.card}

    def forbidden(self, at: At) -> Iterator[Breach]:
        s = at.state
        if not s.hordes_due and "hordes" not in s.untold:
            yield at.breach("GW-SET-6.enough" if s.season == "setup" else "GW-SPR-2.enough")
        elif is_full(at):
            yield at.breach("GW-GRID-5.full")
        if self.card:
            yield from decks.impossible(at, "horde", [self.card])
            mark = cat(at).hordes[self.card].mark
            if s.horde_deck.top_mark not in (None, mark):
                yield at.breach("GW-INFO-7.mark", card=self.card, mark=mark, seen=s.horde_deck.top_mark)
            due, rule = due_section(at, self.card)
            if self.section and self.section != due:
                yield at.breach(f"{rule}.section", card=self.card, said=self.section, section=due, mark=mark)
        yield from decks.run_out(at, "horde")

    def apply(self, at: At) -> None:
        s = at.state
        section, rule = due_section(at, self.card)
        s.hordes[section].append(HordeCard(self.card))
        decks.take(at, "horde")
        row = len(s.hordes[section])
        at.note(f"{rule}.place", card=self.card, name=name_of(at, "horde", self.card), section=section, row=row)
        at.kept("GW-GRID-2", "GW-GRID-3")
        if s.hordes_due:
            s.hordes_due -= 1
            go_on_if_placed(at)


def no_such_mark(at: At, mark: str) -> Iterator[Breach]:
    """A breach for a mark that no card in the deck can show."""
    if mark and not any(cat(at).hordes[card].mark == mark for card in decks.hidden(at, "horde")):
        yield at.breach("GW-INFO-7.none", mark=mark)


class SeeTopMark(TableReport, frozen=True):
    """The mark on the back of the top card of the horde deck."""

    words = ("mark",)
    mark: Annotated[str, Sections()] = ""

    def already(self, at: At) -> bool:
        seen = at.state.horde_deck.top_mark
        return bool(seen) and self.mark in ("", seen)

    def forbidden(self, at: At) -> Iterator[Breach]:
        if decks.is_empty(at, "horde"):
            yield at.breach("GW-INFO-7.empty")
        seen = at.state.horde_deck.top_mark
        if seen and self.mark and seen != self.mark:
            yield at.breach("GW-INFO-7.other", said=self.mark, seen=seen)
        else:
            yield from no_such_mark(at, self.mark)

    def shows(self) -> dict[str, Any]:
        return {"top mark": self.mark}

    def apply(self, at: At) -> None:
        at.state.horde_deck.top_mark = self.mark
        at.note("GW-INFO-7.seen", mark=self.mark)
        for module in in_play(at):
            module.mark_seen(at)


MOVES = {"setup": (RevealHorde,), "spring.2": (RevealHorde,), "spring.3": (RevealHorde,)}
ANYTIME = (SeeTopMark,)
