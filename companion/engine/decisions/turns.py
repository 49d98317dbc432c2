"""Turns made of steps in a menu: which step comes next, what it says, and that no more follows."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from companion.engine.decisions.fields import Field, NoSuchValue
from companion.engine.decisions.records import Value
from companion.engine.decisions.walks import STEP, Walk
from companion.engine.language.jsonmoves import part_name
from companion.engine.language.saying import about
from companion.engine.play.moves import Breach
from companion.engine.play.options import is_possible, obstacles
from companion.engine.play.parts import Part, Run, Turn, parts_of

if TYPE_CHECKING:
    from companion.engine.decisions.menus import Menu, Said


class NextStep(Field):
    """The choice of the next step in a turn, or of none (`done`)."""

    def __init__(self, menu: Menu, walk: Walk, ran: Run) -> None:
        super().__init__(
            menu, walk.move.name, STEP, lambda value: walk._replace(step=value), walk, domain=None, options=[]
        )
        self.optional = True
        self.ran = ran

    @property
    def kind(self) -> str:
        return "steps"

    @property
    def question(self) -> str:
        return "which step comes next?"

    @cached_property
    def values(self) -> list[Value]:
        """The kinds of steps, those that the rules forbid now with their reasons."""
        return [
            Value(
                value=part_name(kind),
                label=kind.words[0] or part_name(kind).replace("_", " "),
                about=about(kind),
                reasons=tuple(self._against_step(kind)),
            )
            for kind in self._kinds
        ]

    @property
    def _kinds(self) -> tuple[type[Part], ...]:
        domain = parts_of(type(self.walk.move))
        assert domain is not None
        return domain.free if self.ran.reasons else domain.every

    def _against_step(self, kind: type[Part]) -> list[Breach]:
        bare = kind()
        return [] if is_possible(bare, self.ran.after) else obstacles(bare, self.ran.after)

    @property
    def possible(self) -> bool:
        """True if any step may follow."""
        return any(is_possible(kind(), self.ran.after) for kind in self._kinds)

    @cached_property
    def unfinished(self) -> list[Breach]:
        """The reasons why the turn cannot end yet."""
        return self.menu.judged(self.walk.move).reasons

    def take(self, value: Any) -> Field | Said:
        kind = next((kind for kind in self._kinds if part_name(kind) == value), None)
        if kind is None:
            raise NoSuchValue(f"{value!r} is not a step of this turn")
        return self.menu.go_on(self.walk._replace(step=kind(), step_passed=frozenset()))

    def leave(self) -> Field | Said:
        return self.done()

    def done(self) -> Field | Said:
        """End the turn without another step; return the next field, or the whole move."""
        return self.menu.go_on(self.walk._replace(ended=True))


def all_lead(turn: Turn) -> bool:
    """True if all steps of a turn are of the kind that may come before its beginning."""
    domain = parts_of(type(turn))
    return domain is not None and all(isinstance(part, domain.free) for part in turn.parts())


__all__ = ["NextStep", "all_lead"]
