"""Firing: the shooters on the wall wound hordes, section by section (rules GW-FIRE)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, ClassVar

import msgspec

from companion.engine.things.figures import use
from companion.rules import Breach, Brings, Choice, Flag, Move, PieceName

from .brought import modules
from .catalogue import ARCHER, At, cat, name_of
from .hand import Wounds
from .reports import Pass, Report, Window
from .soldiers import find_horde, free_spots, horde_at, resting, shooters_on_wall
from .state import SECTIONS, WOUND
from .targets import Sections, Spot, bad_cover
from .wounds import woundable
from .year import in_tea_order, tell_step, unit

Target = tuple[str, str]
"""Horde card and vital spot."""


def left(at: At, clan: str, section: str) -> list[str]:
    """The shooters of a clan on a section's wall that have not shot: archers first (GW-FIRE-2, GW-FIRE-4)."""
    p = at.state.own(clan)
    units = [unit for unit, n in p.wall[section].items() if unit in cat(at).shooters for _ in range(n)]
    return sorted(units, key=lambda unit: (unit != ARCHER, unit))[p.shots_done[section] :]


def targets(at: At, clan: str, section: str) -> list[Target]:
    """The spots of a section's hordes that a clan's shooters may wound (GW-FIRE-2, GW-FIRE-5)."""
    able = woundable(at, clan, {"section": section, "by": "shooter"})
    return [(card, spot) for card, free in able.items() for spot in free]


def may_shoot(at: At, clan: str, section: str) -> bool:
    """True if nothing keeps the shooters on a section's wall from shooting at all."""
    return not at.allowed(at.forbids("shoot", clan, section=section))


def beside(section: str) -> list[str]:
    """The sections next to one."""
    place = SECTIONS.index(section)
    return [SECTIONS[n] for n in (place - 1, place + 1) if 0 <= n < len(SECTIONS)]


def must(at: At, clan: str, section: str) -> bool:
    """True if a clan has to shoot from a section's wall (GW-FIRE-3)."""
    return bool(left(at, clan, section)) and may_shoot(at, clan, section) and bool(targets(at, clan, section))


def may_reach(at: At, clan: str, section: str) -> bool:
    """True if a shooter without a target in its own section may shoot into a neighbouring one."""
    permitted = at.permits("shoot_adjacent_section", clan, section=section)
    return (
        permitted is not None
        and bool(left(at, clan, section))
        and may_shoot(at, clan, section)
        and any(targets(at, clan, other) for other in beside(section))
    )


def next_shooter(at: At, section: str) -> str:
    """The next clan to shoot from a section's wall: the first in tea order that still has to, or may (GW-FIRE-1)."""
    return next((one for one in in_tea_order(at) if must(at, one, section) or may_reach(at, one, section)), "")


# --- the part of the step -----------------------------------------------------------------------------------------


def start(at: At) -> None:
    """Effects that come before all shooting, in tea order (GW-FIRE-7)."""
    for clan in in_tea_order(at):
        at.trigger("firing_start", clan)


def attackers(at: At) -> list[str]:
    """The clans that may still attack before the shots, and could."""
    return [
        clan
        for clan in in_tea_order(at)
        if at.state.allowed.get(clan, {}).get("attack")
        and any(free_spots(at, horde) for one in resting(at, clan) for horde in at.state.hordes[one])
    ]


def started(at: At) -> None:
    """The shooting follows."""
    unit(at, "firing_start")


def passed(at: At, clan: str) -> None:
    """A player does not attack before the shots."""
    at.state.allowed.pop(clan, None)


def quiet(at: At, move: Move) -> Move | None:
    """Before a shot: nobody attacks any more."""
    left = attackers(at)
    return Pass(by=left[0]) if left else None


def begin(at: At) -> None:
    """The shooting begins: the sections from left to right, then the check."""
    for section in SECTIONS:
        at.then("shots", section=section)
    at.then("check")
    at.then("go_to", phase="winter.2.assault")


def shots(at: At, section: str) -> None:
    """The next shot from a section's wall is owed; after the last one the section is done (GW-END-3)."""
    at.state.section = section
    if clan := next_shooter(at, section):
        at.owe(clan, Shoot.name, rule="GW-FIRE-1", section=section)
        at.then("shots", section=section)
    else:
        at.state.section = None
        unit(at, f"shots {section}")


class Shoot(Report, frozen=True):
    """A shooter on the wall wounds a horde of its section."""

    owes: ClassVar[dict[str, str] | None] = {"section": "section"}
    elsewhere = "GW-FIRE-1"
    repeats = ""
    shares = ("section", "card")
    done_by = "unit"
    section: Annotated[str, Sections()] = ""
    card: Annotated[str, PieceName("horde", loose=True)] = ""
    spot: Annotated[str, Spot()] = ""
    target_section: Annotated[str, Brings()] = ""
    """The neighbouring section in which the horde stands."""
    extra_wound: Wounds = None
    """The extra wound that a card gives the shooter: a spot, or card and spot."""
    unit: Annotated[str, PieceName("unit", after=("with",), confirms=True)] = ""
    """The shooter, if named."""
    skip: Annotated[bool, Flag("pass")] = msgspec.field(default=False, name="pass")
    """The shot is lost."""

    def section_options(self, at: At) -> list[str]:
        return [due] if (due := self._due(at)) else [one for one in SECTIONS if left(at, self.by, one)]

    def card_options(self, at: At) -> list[str] | None:
        if self.skip:
            return None
        cards = dict.fromkeys(card for card, spot in self._targets(at) if self.spot in ("", spot))
        return [*cards, *([] if self.spot or must(at, self.by, self.section) else [""])]

    def spot_options(self, at: At) -> list[str] | None:
        return [spot for card, spot in self._targets(at) if card == self.card] if self.card else None

    def skip_options(self, at: At) -> None:
        return None

    def unsaid(self, at: At) -> Iterator[Choice]:
        """Ask a clan that may, but need not, shoot into a neighbouring section."""
        if not self.skip and not self.card and (found := [card for card in self.card_options(at) or () if card]):
            yield from self.questions(at, "card", [*found, "pass"])

    def _due(self, at: At) -> str:
        task = next((task for task in at.state.agenda if task.move == self.name), None)
        return str(task.args["section"]) if task else at.state.section or ""

    def _targets(self, at: At) -> list[Target]:
        if self.skip or not self.section:
            return []
        reach = [self.section, *(beside(self.section) if self._permit(at) else [])]
        return [target for section in reach for target in targets(at, self.by, section)]

    def _permit(self, at: At) -> Any:
        return at.permits("shoot_adjacent_section", self.by, section=self.section)

    def forbidden(self, at: At) -> Iterator[Breach]:
        if not self.section:
            return
        due = self._due(at)
        if left(at, self.by, self.section) and not may_shoot(at, self.by, self.section) and not self.skip:
            yield from at.forbids("shoot", self.by, section=self.section)
        elif due and due != self.section and self._too_soon(at, due):
            yield at.breach("GW-FIRE-1.section", section=self.section, due=due)
        elif not left(at, self.by, self.section):
            some = shooters_on_wall(at, self.by, self.section)
            yield at.breach(
                "GW-FIRE-2.done" if some else "GW-FIRE-2.none", player=self.by, section=self.section, n=some
            )
        elif self.unit and self.unit not in left(at, self.by, self.section):
            yield at.breach("GW-FIRE-2.unit", player=self.by, section=self.section, unit=self.unit)
        elif (first := next_shooter(at, self.section)) not in ("", self.by) and "done" not in at.state.untold:
            yield at.breach("GW-FIRE-1.turn", player=self.by, first=first)
        elif self.skip or not self.card:
            if self.skip and must(at, self.by, self.section):
                yield at.breach("GW-FIRE-3", player=self.by, section=self.section)
        else:
            yield from self._bad_target(at)

    def _too_soon(self, at: At, due: str) -> bool:
        """True if the section named is finished, or the present one is not."""
        earlier = SECTIONS.index(self.section) < SECTIONS.index(due)
        return earlier or bool(next_shooter(at, due))

    def _bad_target(self, at: At) -> Iterator[Breach]:
        found, card = find_horde(at, self.card), name_of(at, "horde", self.card)
        facts: dict[str, Any] = {"player": self.by, "card": card, "section": self.section}
        if found is None:
            for module in modules(at):
                yield from module.off_board(at, self.card)
            yield at.breach("GW-FIRE-2.there", **facts)
            return
        section, row, horde = found
        if section != self.section and (section not in beside(self.section) or not self._permit(at)):
            yield at.breach("GW-FIRE-2.other", there=section, **facts)
        elif self.target_section and self.target_section != section:
            yield at.breach("GW-FIRE-2.there", **facts)
        outside, taken = ("GW-FIRE-5.outside", "GW-GRID-8"), ("GW-FIRE-5.covered", "GW-GRID-9")
        yield from bad_cover(at, horde, filter(None, [self.spot]), outside, taken, **facts)
        yield from at.forbids("wound", self.by, by="shooter", row=row, section=section)

    def apply(self, at: At) -> None:
        tell_step(at, "winter.1")
        kind = self.unit or left(at, self.by, self.section)[0]
        at.state.own(self.by).shots_done[self.section] += 1
        if not at.state.agenda:
            at.state.section = self.section
        if not self.card:
            at.note("GW-FIRE-3.lost", player=self.by, section=self.section)
            return
        section, row, horde = horde_at(at, self.card)
        if section != self.section and (permit := self._permit(at)):
            use(at, permit)
        horde.spots[self.spot] = WOUND
        at.note("GW-FIRE-2", player=self.by, unit=kind, card=name_of(at, "horde", self.card), spot=self.spot)
        at.kept("GW-FIRE-4", "GW-GRID-9")
        at.trigger("shoot", self.by, unit=kind, section=section, row=row, card=self.card)


MOVES = {"winter.1.start": (Pass,), "winter.1.shots": (Shoot,)}
ENTER = {"winter.1.start": start, "winter.1.shots": begin}
STEPS = {"shots": shots}
PASSES = {"winter.1.start": passed}
QUIET = {"winter.1.start": quiet}
WINDOWS = {"winter.1.start": Window("GW-FIRE-7.left", lambda at, clan: clan in attackers(at))}
