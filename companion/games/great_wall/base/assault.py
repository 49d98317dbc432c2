"""The assault: offence against defence, and the four effects of a breach (rules GW-ASLT)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated, ClassVar, NamedTuple

from companion.engine.errors import CompanionError
from companion.rules import Answer, Breach, Figure, Flag
from components.phrasing import suggest

from .brought import modules
from .catalogue import At, cat
from .defeat import follow
from .losses import ChooseLosses, owe_losses, owe_save
from .named import counted
from .reports import Bundled, TableReport
from .shame import owe_shame
from .soldiers import has_soldier, soldiers_on, wall
from .state import SECTIONS, Section
from .targets import Sections
from .year import ENDED, in_tea_order, tell_step, unit

LADDER = "ladder"

BREACH = (
    *("skills_read", "breach_shame", "breach_dealt", "shooters_fall", "ladder_falls"),
    *("banners_flee", "breach_losses", "khan_losses", "breach_done", "section_over"),
)


class Comparison(NamedTuple):
    """Offence against defence in a section."""

    section: str
    offence: Figure
    defence: Figure
    ladder: bool
    """The first-row card has a Ladder that counts."""

    @property
    def breached(self) -> bool:
        return self.ladder or int(self.offence) > int(self.defence)


def compare(at: At, section: str) -> Comparison:
    """Compare offence and defence of a section as it stands (GW-ASLT-2 to -7)."""
    s = at.state
    hordes = s.hordes[section]
    power = sum(cat(at).hordes[horde.card].power for horde in hordes) + sum(
        one.power(at, section) for one in modules(at)
    )
    stakes = s.barricades[section] * at["barricade.defence"]
    offence = at.value("section.power", base=power, section=section)
    defence = at.value("section.defence", base=s.walls[section] + stakes, section=section)
    return Comparison(section, offence, defence, keyword_in(at, section, 1) == LADDER)


def keyword_in(at: At, section: str, row: int) -> str:
    """The keyword of the horde card in a row, as far as it counts; `none` if there is no card."""
    hordes = at.state.hordes[section]
    keyword = cat(at).hordes[hordes[row - 1].card].keyword if len(hordes) >= row else "none"
    return "none" if keyword == LADDER and at.permits("ignore_ladder", section=section) else keyword


def ask_assault(at: At, section: str) -> Answer:
    """Offence and defence of a section, and whether it would hold."""
    if section not in at.state.hordes:
        raise CompanionError(f"query assault: there is no section {section!r}{suggest(section, at.state.hordes)}")
    found = compare(at, section)
    value = {"offence": int(found.offence), "defence": int(found.defence), "held": not found.breached}
    rules = ["GW-ASLT-2", "GW-ASLT-3", "GW-ASLT-4", *(["GW-ASLT-5"] if found.ladder else [])]
    return Answer(value, [*rules, *found.offence.rules, *found.defence.rules])


# --- the assault of one section -----------------------------------------------------------------------------------


def due(at: At) -> str:
    """The section that has to be compared next, as far as the position says it; empty if it does not."""
    s = at.state
    task = next((task for task in s.agenda if task.move == Assault.name), None)
    if task is not None:
        return str(task.args["section"])
    if s.section:
        return s.section
    return after(s.unit_finished) if s.unit_finished in SECTIONS else ""


def too_early(at: At, rule: str) -> Iterator[Breach]:
    """A breach of what follows the comparison of all sections, while one has not been compared."""
    if section := due(at):
        yield at.breach(f"{rule}.early", section=section)


def after(section: str) -> str:
    """The section to the right; empty after the last."""
    place = SECTIONS.index(section) + 1
    return SECTIONS[place] if place < len(SECTIONS) else ""


class Assault(Bundled, frozen=True):
    """Compare a section: it holds or is breached."""

    owes: ClassVar[dict[str, str] | None] = {"section": "section"}
    elsewhere = "GW-ASLT-1"
    done_by = "section"
    section: Annotated[str, Sections(after=("to", "against", "for"), of=("section", "wall"))] = ""
    held: Annotated[bool, Flag("holds", "hold", "held", confirms=True)] = False
    breached: Annotated[bool, Flag("breached", "breach", "breaches", "falls", confirms=True)] = False
    """The outcome, if reported."""

    def section_options(self, at: At) -> Iterable[str]:
        return [due(at)] if due(at) else SECTIONS

    def forbidden(self, at: At) -> Iterator[Breach]:
        next_one, s = due(at), at.state
        if self.section and next_one and self.section != next_one:
            yield at.breach("GW-ASLT-1.first", section=self.section, due=next_one)
        elif self.section and s.unit_finished == SECTIONS[-1]:
            yield at.breach("GW-ASLT-1.done", section=self.section)
        elif self.section and (self.held or self.breached):
            yield from self._otherwise(compare(at, self.section), at)

    def _otherwise(self, found: Comparison, at: At) -> Iterator[Breach]:
        """The reasons why the reported outcome is wrong."""
        facts = {"section": found.section, "offence": int(found.offence), "defence": int(found.defence)}
        if self.held and found.breached:
            yield at.breach("GW-ASLT-5.breached" if found.ladder else "GW-ASLT-4.breached", **facts)
        elif self.breached and not found.breached:
            yield at.breach("GW-ASLT-4.held", **facts)

    def apply(self, at: At) -> None:
        tell_step(at, "winter.2")
        found, s = compare(at, self.section), at.state
        s.section = self.section
        s.breached[self.section] = found.breached
        facts = {
            "section": self.section,
            "offence": f"{found.offence}{found.offence.why}",
            "defence": f"{found.defence}{found.defence.why}",
        }
        if found.breached:
            at.note("GW-ASLT-5.ladder" if found.ladder else "GW-ASLT-4.breached", **facts)
            at.kept("GW-ASLT-2", "GW-ASLT-3", "GW-ASLT-11", "GW-ASLT-12")
            follow(at, BREACH, section=self.section, ladder=found.ladder)
            return
        at.note("GW-ASLT-4.held", **facts)
        at.kept("GW-ASLT-2", "GW-ASLT-3", *self._no_ladder(at))
        for clan in in_tea_order(at):
            at.trigger("section_held", clan, section=self.section)
        at.then("section_over", section=self.section, ladder=False)

    def _no_ladder(self, at: At) -> list[str]:
        """The rules that say why a Ladder or an empty section does not matter."""
        behind = [keyword_in(at, self.section, row) for row in range(2, at["grid.rows"] + 1)]
        found = ["GW-ASLT-6"] if LADDER in behind else []
        return found if at.state.hordes[self.section] else [*found, "GW-ASLT-7"]


# --- a breach -----------------------------------------------------------------------------------------------------


def shame(at: At, section: str, ladder: bool) -> None:
    """Breach 1: a token for each horde card without one of the player's soldiers, read before anybody dies (GW-ASLT-8, GW-ASLT-14)."""
    hordes = at.state.hordes[section]
    owed = {clan: sum(not has_soldier(horde, clan) for horde in hordes) for clan in in_tea_order(at)}
    at.kept("GW-ASLT-14")
    for clan, n in owed.items():
        if n:
            at.note("GW-ASLT-8", player=clan, n=n)
            at.trigger("breach_shame", clan, section=section)
    owe_shame(at, owed, "GW-ASLT-8")


def shooters_fall(at: At, section: str, ladder: bool) -> None:
    """Breach 2: the shooters on the section's wall are killed (GW-ASLT-9)."""
    for clan in in_tea_order(at):
        units = at.state.own(clan).wall[section]
        fallen = [kind for kind, n in units.items() if kind in cat(at).shooters for _ in range(n)]
        if fallen:
            at.note("GW-ASLT-9", player=clan, units=counted(fallen), section=section)
        for kind in fallen:
            owe_save(at, clan, kind, wall(section), section)


def losses(at: At, section: str, ladder: bool) -> None:
    """Breach 4: soldiers on each horde card die by its lethality; the others stay (GW-ASLT-10, GW-ASLT-11)."""
    for horde in at.state.hordes[section]:
        owe_losses(at, horde.card, soldiers_on(horde))


def section_over(at: At, section: str, ladder: bool) -> None:
    """The section is finished before the next (GW-ASLT-1, GW-END-3)."""
    s = at.state
    s.saved_in_breach.clear()
    s.skills_read = None
    s.section = None
    unit(at, section)
    if s.step != ENDED:
        s.section = after(section) or None
    if not s.section:
        at.then("go_to", phase="winter.2.barricades")


def begin(at: At) -> None:
    """Winter step 2 begins: the sections are compared from left to right."""
    for section in SECTIONS:
        at.then("face_section", section=section)
        at.owe("", Assault.name, rule="GW-ASLT-1", section=section)


def go_to(at: At, phase: str) -> None:
    """The next part of Winter begins, unless the game is over."""
    if at.state.step != ENDED:
        at.enter(phase)


def face_section(at: At, section: Section) -> None:
    """The section that is compared next."""
    at.state.section = section


# --- the barricades -----------------------------------------------------------------------------------------------


class DiscardBarricades(TableReport, frozen=True):
    """After the three sections all barricades are discarded."""

    elsewhere = "GW-ASLT-13"

    def forbidden(self, at: At) -> Iterator[Breach]:
        yield from too_early(at, "GW-ASLT-13")

    def apply(self, at: At) -> None:
        s = at.state
        n = sum(s.barricades.values())
        s.barricades = dict.fromkeys(SECTIONS, 0)
        at.note("GW-ASLT-13.gone", n=n)
        unit(at, "barricades")
        at.then("go_to", phase="winter.2.towers")


MOVES = {
    "winter.2.assault": (Assault, ChooseLosses),
    "winter.2.barricades": (DiscardBarricades,),
}
ENTER = {"winter.2.assault": begin}
STEPS = {
    "breach_shame": shame,
    "shooters_fall": shooters_fall,
    "breach_losses": losses,
    "section_over": section_over,
    "face_section": face_section,
    "go_to": go_to,
}
QUERIES = {"assault": ask_assault}
