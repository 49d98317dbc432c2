"""Defeating hordes: the check, honor, claiming, losses, rest and slide (rules GW-DEF)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated, Any, ClassVar

from companion.rules import Answer, Breach, Move, PieceName

from .brought import modules
from .catalogue import ARCHER, At, name_of
from .firing import next_shooter
from .icons import all_done
from .losses import ChooseLosses, owe_losses
from .named import counted
from .prices import gain
from .reports import Bundled, TableReport
from .soldiers import Soldier, covered_card, find_horde, free_spots, horde_at, move, rest, soldiers_on
from .state import SECTIONS, Claimed, HordeCard
from .year import ENDED, first_in_tea, in_tea_order, is_open, unit

FIRING = "winter.1"
"""The step alone: a position that does not say which part of it is running."""
ASSAULT = "winter.2.assault"

AFTER_CLAIM = ("defeat_losses", "horde_leaves")
AFTER_LEAVING = ("khan_lies_open", "claimer_shoots", "defeat_over")


def follow(at: At, steps: Iterable[str], **args: Any) -> None:
    """Let steps follow, each once what is owed before it has been settled; those of modules that are not in play do
    not."""
    absent = {step for module in modules(at) if module.name not in at.state.modules for step in module.steps}
    for step in steps:
        if step not in absent:
            at.then(step, **args)


# --- the check ----------------------------------------------------------------------------------------------------


def complete(at: At) -> list[HordeCard]:
    """The horde cards whose vital spots are all covered: sections L, C, R, rows 1 to 3 (GW-DEF-1, GW-DEF-2)."""
    return [horde for section in SECTIONS for horde in at.state.hordes[section] if not free_spots(at, horde)]


def check(at: At) -> None:
    """Look for a defeated horde; the first has to be reported, and after it the search starts again (GW-DEF-1)."""
    if found := complete(at):
        at.owe("", Defeat.name, rule="GW-DEF-1", card=found[0].card)


def firing_over(at: At) -> bool:
    """True if nothing is left to do in Winter step 1, in a position that leaves its progress open."""
    shooting = any(next_shooter(at, section) for section in SECTIONS)
    return at.rules.stage(at.state) == FIRING and not shooting and not complete(at)


def quiet(at: At, move: Move) -> Move | None:
    """A report of Winter step 2 says that the check after the shots found nothing (more)."""
    later = type(move) in at.rules.phase_table[ASSAULT].moves
    return Check() if later and firing_over(at) else None


def checks_now(at: At) -> bool:
    """True if the search for defeated hordes can be running, as far as the position gives its progress."""
    s = at.state
    if s.resolving or s.agenda:
        return False
    return not s.active or is_open(at, "icon")


def card_ends(at: At) -> Move | None:
    """The end of the command card, which a search for defeated hordes says has come once all icons are done."""
    return at.rules.moves["end_card"]() if all_done(at) and not at.state.agenda else None


class Check(TableReport, frozen=True):
    """Look for defeated hordes. Where a position does not say how far Winter step 1 has got and nothing is left in it,
    the assault follows; otherwise nothing changes."""

    idle = True
    elsewhere = "GW-DEF-1"

    def presumes(self, at: At) -> Move | None:
        return card_ends(at) or super().presumes(at)

    def apply(self, at: At) -> None:
        found = [name_of(at, "horde", horde.card) for horde in complete(at)]
        at.note("GW-DEF-1.found" if found else "GW-DEF-1.nothing", cards=found)
        if not at.state.agenda and firing_over(at):
            at.enter(ASSAULT)


def ask_check(at: At) -> Answer:
    """The hordes to be defeated, in order."""
    return Answer([horde.card for horde in complete(at)], ["GW-DEF-1", "GW-DEF-2"])


def ask_spots(at: At, card: str) -> Answer:
    """The free vital spots of a horde card, or of one of the Khan's."""
    found = covered_card(at, card)
    return Answer(free_spots(at, found) if found else [], ["GW-GRID-8", "GW-GRID-9"])


# --- a defeat -----------------------------------------------------------------------------------------------------


class Defeat(Bundled, frozen=True):
    """Defeat a horde whose vital spots are all covered."""

    owes: ClassVar[dict[str, str] | None] = {"card": "horde"}
    elsewhere = "GW-DEF-1"
    done_by = "card"
    card: Annotated[str, PieceName("horde")] = ""

    def presumes(self, at: At) -> Move | None:
        return card_ends(at) or super().presumes(at)

    def card_options(self, at: At) -> list[str]:
        return [horde.card for horde in complete(at)[:1]]

    def forbidden(self, at: At) -> Iterator[Breach]:
        if not any(task.move == self.name for task in at.state.agenda) and not checks_now(at):
            yield at.breach("GW-DEF-1.moment")
        if not self.card:
            if not complete(at):
                yield at.breach("GW-DEF-2.none")
            return
        found, card = find_horde(at, self.card), name_of(at, "horde", self.card)
        if found is None:
            yield at.breach("GW-DEF-1.there", card=card)
        elif free := free_spots(at, found[2]):
            yield at.breach("GW-DEF-2.free", card=card, spots=free)
        elif (due := complete(at)[0].card) != self.card:
            yield at.breach("GW-DEF-1.first", card=card, due=name_of(at, "horde", due))

    def apply(self, at: At) -> None:
        section, _, horde = horde_at(at, self.card)
        there = soldiers_on(horde)
        at.note("GW-DEF-2.defeated", card=name_of(at, "horde", self.card), section=section)
        for clan in in_tea_order(at, there):
            gain(at, clan, {"honor": at["defeat.participation_honor"]}, "GW-DEF-3")
            at.trigger("defeat_participant", clan, card=self.card, section=section)
        _honor_archers(at, self.card, section)
        claimer = _claim(at, self.card, section, there)
        follow(at, AFTER_CLAIM, card=self.card, section=section, claimer=claimer)


def archers(at: At, clan: str, section: str) -> int:
    """The archers of a clan on a section's wall, with what counts as one (GW-DEF-4)."""
    units = at.state.own(clan).wall[section]
    return sum(n for unit, n in units.items() if unit == ARCHER or at.permits("count_as_archer", clan, unit=unit))


def _honor_archers(at: At, card: str, section: str) -> None:
    for clan in in_tea_order(at):
        if n := archers(at, clan, section):
            gain(at, clan, {"honor": n * at["defeat.archer_honor"]}, "GW-DEF-4", n=n)
            at.trigger("defeat_archer_support", clan, card=card, section=section)


def claimer_of(at: At, card: str, section: str, there: dict[str, list[Soldier]]) -> str:
    """The clan with the most soldiers on a card; empty if there are none (GW-DEF-5 to -7)."""
    facts = {"card": card, "section": section}
    counts = {clan: int(at.value("claim_count", clan, base=len(own), **facts)) for clan, own in there.items()}
    most = max(counts.values(), default=0)
    tied = [clan for clan, n in counts.items() if n == most]
    if len(tied) > 1:
        at.kept("GW-DEF-6", "GW-TEA-6")
    return first_in_tea(at, tied) if tied else ""


def _claim(at: At, card: str, section: str, there: dict[str, list[Soldier]]) -> str:
    claimer, name = claimer_of(at, card, section, there), name_of(at, "horde", card)
    if not claimer:
        at.note("GW-DEF-7", card=name)
        return ""
    at.state.own(claimer).claims_this_year += 1
    at.note("GW-DEF-5", player=claimer, card=name)
    at.kept("GW-DEF-8")
    at.trigger("claim", claimer, card=card, section=section)
    return claimer


def losses(at: At, card: str, section: str, claimer: str) -> None:
    """Each player on the card loses soldiers by its lethality (GW-DEF-9)."""
    _, _, horde = horde_at(at, card)
    owe_losses(at, card, soldiers_on(horde))


def leaves(at: At, card: str, section: str, claimer: str) -> None:
    """The survivors rest, the card leaves, and what stands behind it slides forward (GW-DEF-10, GW-DEF-11)."""
    _, row, horde = horde_at(at, card)
    survivors = soldiers_on(horde)
    for clan, own in survivors.items():
        for one in own:
            move(at, clan, one.unit, one.place, rest(section))
        at.note("GW-DEF-10", player=clan, units=counted(one.unit for one in own), section=section)
    at.state.hordes[section].remove(horde)
    if claimer:
        at.state.own(claimer).claimed.append(Claimed(card))
    else:
        at.state.horde_discard.append(card)
    behind = [name_of(at, "horde", other.card) for other in at.state.hordes[section][row - 1 :]]
    at.kept("GW-DEF-11", *(["GW-GRID-6"] if behind else []))
    if behind:
        at.note("GW-GRID-6", cards=behind)
    names = " ".join(one.name for own in survivors.values() for one in own)
    follow(at, AFTER_LEAVING, card=card, section=section, claimer=claimer, survivors=names)


def over(at: At, card: str, section: str, claimer: str, survivors: str) -> None:
    """The unit is over; the search for defeated hordes starts again (GW-DEF-1, GW-END-3)."""
    unit(at, card)
    if at.state.step != ENDED:
        at.then("check")


MOMENTS = (Check, Defeat, ChooseLosses)
MOVES = {"fall.3": MOMENTS, "winter.1": MOMENTS, "winter.1.shots": MOMENTS}
STEPS = {"check": check, "defeat_losses": losses, "horde_leaves": leaves, "defeat_over": over}
QUIET = {FIRING: quiet}
QUERIES = {"check": ask_check, "spots": ask_spots}
