"""What all reports of The Great Wall share: one mapping with `event`, and what may be left out because the next report
presumes it. Passing: what it means to do nothing (more) in a step stands with the chapter of that step.

Somebody's report derives from `Report`, one of the table (what chance brought) from `TableReport`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Annotated, ClassVar

from companion.engine.play import pending
from companion.engine.play.moves import Breach, Move, Seat
from companion.engine.play.pending import Task
from companion.engine.play.phases import current

from .catalogue import At

BUNDLES = (
    *("shame_to", "losses", "saves", "attack_khan", "shot", "goods", "extra_wound", "discard"),
    *("uses", "revealed", "builds", "carriers"),
)
"""Fields that bring answers or further reports along."""


class Report(Move, frozen=True):
    """A report of something that a player does. `by` and `player` mean the same (`Rules.read_move`)."""

    key = "event"
    bundles: ClassVar[tuple[str, ...] | None] = BUNDLES
    by: Annotated[str, Seat()] = ""

    def debt(self, at: At) -> Task | None:
        """What the player owes that this report settles."""
        return pending.debt(at, self)

    def presumes(self, at: At) -> Move | None:
        return presumed(self, at)


class TableReport(Move, frozen=True):
    """A report of something that nobody chooses. `by` may stand in its JSON form and means nothing."""

    key = "event"
    role = "event"
    bundles: ClassVar[tuple[str, ...] | None] = BUNDLES
    by: str = ""

    def presumes(self, at: At) -> Move | None:
        return presumed(self, at)


def presumed(move: Move, at: At) -> Move | None:
    """The next report that goes without saying, because `move` can only follow it: what a phase offers as `quiet`
    (everybody passes, the cards are retired, the check), where `move` belongs to a later one."""
    phase = current(at)
    if phase is None or move.answers or type(move) in phase.moves or type(move) in at.rules.anytime:
        return None
    quiet = at.rules.quiet.get(phase.name)  # type: ignore[attr-defined]
    return quiet(at, move) if quiet else None


Passed = Callable[[At, str], None]
"""What happens when a clan passes in a step."""


class Pass(Report, frozen=True):
    """Do nothing more here: remove no more shame, take no clerk back, leave a use of a clerk."""

    words = ("pass", "done")
    example = "pine pass"

    def forbidden(self, at: At) -> Iterator[Breach]:
        phase = current(at)
        if phase is not None and phase.name not in at.rules.passes:  # type: ignore[attr-defined]
            yield at.breach("GW-GEN-4.nothing", step=phase.title)
        elif phase is not None and (check := at.rules.pass_checks.get(phase.name)):  # type: ignore[attr-defined]
            yield from check(at, self.by)

    def apply(self, at: At) -> None:
        phase = current(at)
        assert phase is not None
        at.rules.passes[phase.name](at, self.by)  # type: ignore[attr-defined]
