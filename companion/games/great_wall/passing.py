"""Passing: what it means to do nothing (more) in a step stands with the chapter of that step."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from companion.engine.play.moves import Breach
from companion.engine.play.phases import current

from .catalogue import At
from .reports import Report

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
