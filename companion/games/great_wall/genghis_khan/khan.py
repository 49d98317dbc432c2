"""Genghis Khan: where he stands and goes, the hordes he brings, his power, his cards and who covers them, his skills in a
breach (rules GW-GK)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated, Any, ClassVar

import msgspec

from companion.rules import Breach, Choice, Domain, Figure, Move, Pairs, PieceName, Source, Task
from components.model import ResolvedPiece
from components.phrasing import join_and

from ..base import decks, targets
from ..base.brought import Bearers, Next
from ..base.catalogue import At, Catalogue, name_of
from ..base.decks import RevealSeveral
from ..base.hand import Hand, HordesUp, OnCards
from ..base.hordes import no_such_mark, owe_hordes
from ..base.losses import Toll, owe_losses
from ..base.named import NONE, Said, SoldierName, counted, unit_of
from ..base.prices import gain
from ..base.reports import May, TableReport
from ..base.soldiers import (
    free_spots,
    has_soldier,
    khan_cards,
    move,
    on_card,
    rest,
    share_edge,
    soldiers_on,
    spots_of_unit,
)
from ..base.state import KHAN, SECTIONS, Claimed, Skill, State
from ..base.table_view import spots_line
from ..base.targets import Sections
from ..base.year import first_in_tea, in_tea_order, next_step, set_trigger

MODULE = "genghis_khan"


class RevealSkills(RevealSeveral, frozen=True):
    """The skill cards beside the Khan's card."""

    words = ("skills",)
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

    words = ("khan",)
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
    """The Khan's next section, as far as it is known: that of the top mark; with no card left, the present one."""
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


# --- his power and his skills -------------------------------------------------------------------------------------


def power(at: At, section: str) -> int:
    """The Khan's power in the offence of his section (GW-GK-4)."""
    here = MODULE in at.state.modules and at.state.khan.section == section
    return int(at["gk.power"][at.state.side]) if here else 0


def read_skills(at: At, section: str, ladder: bool) -> None:
    """A breach begins: which skills work in it, those with a free spot (GW-GK-8, GW-GK-15)."""
    at.state.skills_read = [skill.card for skill in at.state.khan.skills if free_spots(at, skill)]


def breach_dealt(at: At, section: str, ladder: bool) -> None:
    """Right after the shame of a breach (GW-GK-15)."""
    at.trigger("breach_dealt", "", section=section)


def breach_done(at: At, section: str, ladder: bool) -> None:
    """After the last loss of a breach (GW-GK-15)."""
    at.trigger("breach_done", "", section=section)


def lose_wall(at: At, who: str, args: dict[str, Any], source: Source) -> None:
    """The verb `lose_wall`: the section loses levels from the top."""
    section = str(source.about["section"])
    lost = min(at.state.walls[section], args["n"])
    at.state.walls[section] -= lost
    at.note("GW-GK-15.wall", card=source.name, section=section, n=lost)


def lose_stores(at: At, who: str, args: dict[str, Any], source: Source) -> None:
    """The verb `lose_stores`: the Warehouse loses resources, in the order of the goods."""
    lost: dict[str, int] = {}
    stores = at.state.warehouse
    for kind in at["goods"]:
        if n := min(stores[kind], args["n"] - sum(lost.values())):
            stores[kind] -= n
            lost[kind] = n
    at.note("GW-GK-15.stores", card=source.name, lost=lost)


# --- losses on his cards ------------------------------------------------------------------------------------------


def toll(at: At, clan: str) -> Toll:
    """The deaths that a breach of the Khan's section causes on his three cards (GW-GK-9)."""
    n = at["gk.lethality"]
    own = [one for covered in khan_cards(at) for one in soldiers_on(covered).get(clan, ())]
    return Toll("GW-GK-9", own, Figure(n, n), at.state.khan.section or "")


def khan_losses(at: At, section: str, ladder: bool) -> None:
    """After breach 4 each player with soldiers on his cards loses some, if it is his section."""
    if section == at.state.khan.section:
        owe_losses(at, KHAN, [clan for clan in at.state.players if toll(at, clan).soldiers])


# --- survivors attack him -----------------------------------------------------------------------------------------

Spots = OnCards
"""The Khan's card or a skill card -> the spots that are covered."""


def open_spots(at: At) -> list[tuple[str, str]]:
    """The free vital spots of his three cards."""
    return [(covered.card, spot) for covered in khan_cards(at) for spot in free_spots(at, covered)]


def khan_lies_open(at: At, card: str, section: str, claimer: str, survivors: str) -> None:
    """At any defeat survivors may attack his cards, in tea order; they rest until their owner says so (GW-GK-6)."""
    units: dict[str, list[str]] = {}
    for name in survivors.split() if open_spots(at) else ():
        clan, _, unit = name.partition(".")
        units.setdefault(clan, []).append(unit)
    for clan in in_tea_order(at, units):
        at.owe(clan, AttackKhan.name, rule="GW-GK-6", section=section, survivors=" ".join(units[clan]))


def listed(said: Spots) -> list[tuple[str, str]]:
    """(card, spot) of every spot a report names."""
    return [(card, spot) for card, spots in targets.by_card(said).items() for spot in spots]


def assigned(at: At, spots: list[tuple[str, str]], units: list[str]) -> list[tuple[str, str, tuple[str, ...]]] | None:
    """The soldiers that cover the spots: (unit, card, spots), as few pairs as the spots need; None if the units do not
    suffice (GW-ATT-4)."""
    if not spots:
        return []
    (card, spot), others = spots[0], spots[1:]
    mates: list[tuple[str, ...]] = [(other,) for name, other in others if name == card and share_edge(spot, other)]
    for pair in ((), *mates):
        for kind in dict.fromkeys(units):
            if len(pair) < spots_of_unit(at, kind):
                left = list(units)
                left.remove(kind)
                further = assigned(at, [one for one in others if one != (card, *pair)], left)
                if further is not None:
                    return [(kind, card, (spot, *pair)), *further]
    return None


class KhanCard(Domain):
    """The Khan's card, or one of his skill cards."""

    def values(self, at: At) -> Iterable[str]:
        return (KHAN, *at.rules.names("skill"))


class AttackKhan(May, frozen=True):
    """Put survivors of a defeated horde on the Khan's cards; without spots: none."""

    owes: ClassVar[dict[str, str] | None] = {"section": "section", "survivors": ""}
    elsewhere = "GW-GK-6"
    role = "choice"
    answers = True
    words = ("attacks khan",)
    entry = "spots"
    sampled = True
    survivors: Annotated[tuple[Said, ...], SoldierName(many=True)] = ()
    """The survivors, if the kind matters."""
    spots: Annotated[Spots, Pairs(KhanCard(), targets.Spot())] = msgspec.field(default_factory=dict)
    """Card -> the spots that are covered."""

    @classmethod
    def candidates(cls, at: At) -> Iterator[Move]:
        """Nobody, and one survivor on each free spot."""
        task = next((one for one in at.state.agenda if one.move == cls.name), None)
        if task is not None:
            yield cls(by=task.who)
            yield from (cls(by=task.who, spots={card: [spot]}) for card, spot in open_spots(at))

    def _survivors(self, at: At) -> list[str]:
        task = self.debt(at)
        units = str(task.args["survivors"]).split() if task else []
        return sorted(units, key=lambda unit: (spots_of_unit(at, unit), unit))

    def _placed(self, at: At) -> list[tuple[str, str, tuple[str, ...]]] | None:
        units = [unit_of(form) for form in self.survivors] or self._survivors(at)
        return assigned(at, listed(self.spots), units)

    def acts(self) -> bool:
        return bool(self.survivors or self.spots)

    def whether(self, at: At) -> Choice | None:
        able = [f"{card} {spot}" for card, spot in open_spots(at)] if self._survivors(at) else []
        units = counted(self._survivors(at))
        return at.ask("GW-GK-6.whether", "spots", self.by, [*able, NONE], units=units) if able else None

    def forbidden(self, at: At) -> Iterator[Breach]:
        yield from super().forbidden(at)
        own, named = self._survivors(at), [unit_of(form) for form in self.survivors]
        if missing := [one for one in named if named.count(one) > own.count(one)]:
            yield at.breach("GW-GK-6.survivors", player=self.by, unit=missing[0])
        his = {covered.card: covered for covered in khan_cards(at)}
        for card, spots in targets.by_card(self.spots).items():
            name = _called(at, card)
            if card in his:
                yield from targets.bad_cover(at, his[card], spots, ("GW-GRID-8",), ("GW-GRID-9.taken",), card=name)
            else:
                yield at.breach("GW-GK-6.card", card=name)
        if len(set(listed(self.spots))) < len(listed(self.spots)) or self._placed(at) is None:
            yield at.breach("GW-GK-6.number", "GW-ATT-4", player=self.by, units=counted(named or own))

    def apply(self, at: At) -> None:
        task = self.debt(at)
        if task is None:  # nobody survived, even where GW-GK-6 is switched off
            return
        for kind, card, spots in self._placed(at) or ():
            move(at, self.by, kind, rest(str(task.args["section"])), on_card(card, *spots))
            at.note("GW-GK-6.attacks", player=self.by, unit=kind, card=_called(at, card), spots=list(spots))
        if self.spots and not open_spots(at):
            falls(at)

    @classmethod
    def taken(cls, at: At, task: Task, hand: Hand) -> Move | None:
        """The attack said for a player; if there are some for others, silence means none."""
        if cls.name not in hand.spoken:
            return None
        said = hand.of(cls.name, task.who)
        spots = said.pop(0) if said else {}
        return cls(by=task.who, spots=spots, none=not spots)


def _called(at: At, card: str) -> str:
    """One of his cards as a sentence names it."""
    return "the Khan's card" if card == KHAN else name_of(at, "skill", card)


def falls(at: At) -> None:
    """Every spot of his three cards is covered: he is defeated (GW-GK-10, GW-GK-11)."""
    at.note("GW-GK-10")
    counts = {
        clan: sum(len(soldiers_on(covered).get(clan, ())) for covered in khan_cards(at))
        for clan in at.state.players
        if any(has_soldier(covered, clan) for covered in khan_cards(at))
    }
    for clan in in_tea_order(at, counts):
        gain(at, clan, {"honor": at["gk.participation_honor"]}, "GW-GK-11.honor")
    claimer = first_in_tea(at, [clan for clan, n in counts.items() if n == max(counts.values())])
    at.state.own(claimer).claimed.append(Claimed(KHAN))
    at.note("GW-GK-11.claims", player=claimer)
    set_trigger(at, "khan")


def no_target(at: At, card: str) -> Iterator[Breach]:
    """His spots are covered in no other way than by survivors (GW-GK-7)."""
    if card == KHAN or card in at.rules.known("skill"):
        yield at.breach("GW-GK-7", card=_called(at, card))


def works(catalogue: Catalogue, s: State, piece: ResolvedPiece) -> Bearers:
    """A skill works while a vital spot of its card is free; in a breach those work that did so when it began (GW-GK-8,
    GW-GK-15)."""
    free = [one.card for one in s.khan.skills if len(one.spots) < len(catalogue.spots[one.card])]
    return [("", s.khan.section)] if piece.id in (free if s.skills_read is None else s.skills_read) else []


TOLLS = {KHAN: toll}
BEARERS = {"skill": works}
OPS = {"place_horde": place_horde, "lose_wall": lose_wall, "lose_stores": lose_stores}
MOVES = {"setup": (RevealSkills,), "spring.3": (MoveKhan,)}
OWED = (AttackKhan,)
STEPS = {
    "khan_lies_open": khan_lies_open,
    "skills_read": read_skills,
    "breach_dealt": breach_dealt,
    "khan_losses": khan_losses,
    "breach_done": breach_done,
}
