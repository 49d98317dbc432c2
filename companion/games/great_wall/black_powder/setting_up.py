"""How Black Powder is set up: higher walls, and the war machines (rules GW-BP-1 to -5)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from companion.engine.things.paths import found
from companion.rules import Breach, PieceName
from components.phrasing import join_and

from ..base.brought import Next
from ..base.catalogue import At, cat, name_of
from ..base.preparation import PlaceOfModule
from ..base.targets import Sections


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

    words = ("machine", "place machine")
    example = "pine machine cannon L"
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


MOVES = {"setup": (PlaceMachine,)}
