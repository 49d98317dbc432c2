"""A turn that is being put together step by step: what each next step would cost and bring, a step back, the checks of
the end. A draft changes nothing at the table until it is finished and said as a whole.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from msgspec.structs import replace

from companion.engine.play.moves import Choice, Event, arguments_of
from companion.engine.play.options import combinations
from companion.engine.play.parts import Part, Run, Turn, parts_of, run
from companion.engine.play.position import Position


class NextStep(NamedTuple):
    """A step that may come next: what happens with it, or what it would ask."""

    part: Part
    events: list[Event]
    asks: list[Choice]


class TurnDraft:
    """A turn begun at a position. `so_far` is what has come of it."""

    def __init__(self, turn: Turn, at: Position[Any]) -> None:
        self.at = at
        self.so_far: Run = run(turn, at, close=False)

    @property
    def turn(self) -> Turn:
        """The turn as far as it goes."""
        assert isinstance(self.so_far.move, Turn)
        return self.so_far.move

    @property
    def begun(self) -> bool:
        """True if the turn may be taken as far as it goes."""
        return not self.so_far.reasons and not self.so_far.needs

    def grown(self, turn: Turn) -> Run:
        """Run a longer version of this turn; keep the run only if nothing is forbidden or asked."""
        longer = run(turn, self.at, close=False)
        if not longer.reasons and not longer.needs:
            self.so_far = longer
        return longer

    def back(self) -> Part | None:
        """Take the last step back; None if there is none."""
        if not self.turn.parts():
            return None
        *kept, last = self.turn.parts()
        self.so_far = run(self.turn.with_parts(kept), self.at, close=False)
        return last

    def next_steps(self) -> list[NextStep]:
        """Every step that may come next, with what it would cost and bring."""
        domain = parts_of(type(self.turn))
        found: list[NextStep] = []
        for kind in domain.every if domain else ():
            for part in _offered(kind, self.so_far.after):
                longer = run(self.turn.with_parts((*self.turn.parts(), part)), self.at, close=False)
                if not longer.reasons:
                    found.append(NextStep(part, added(self.so_far.after.events, longer.after.events), longer.needs))
        return found


def added(before: list[Event], after: list[Event]) -> list[Event]:
    """The events of a longer turn beyond those of a shorter one; a free step that leads comes before the beginning."""
    same = next((n for n, (a, b) in enumerate(zip(before, after, strict=False)) if a != b), len(before))
    return after[same : same + max(0, len(after) - len(before))]


def _offered(kind: type[Part], at: Position[Any]) -> list[Part]:
    """The steps of a kind that the rules do not forbid. What only somebody at the table knows (which card it is) is
    left open, and so stands there once; a step that only says what stands anyway is not offered."""
    first = arguments_of(kind)[0].domain
    if first is not None and first.confirms:
        return []
    secret = {one.name: one.default for one in arguments_of(kind) if one.domain is not None and one.domain.secret}
    found: list[Part] = []
    for part in combinations(kind(), at):
        assert isinstance(part, Part)
        left_open = replace(part, **secret)
        if left_open not in found:
            found.append(left_open)
    return found


__all__ = ["NextStep", "TurnDraft", "added"]
