"""The course of the score: what was scored at the end of each round of a table, in order."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from companion.engine.answers.ledger import Ledger, Stage
from companion.engine.play.position import Position
from companion.engine.table.table import Table


class Course:
    """Keeps the scorings while the lines of a table are played through; `see` looks at the position after each move."""

    def __init__(self) -> None:
        self.stages: list[Stage] = []
        self._reached = 0

    def see(self, at: Position[Any]) -> None:
        """A round has passed where the next one is counted. The score at the end of the game is the ledger itself."""
        past, self._reached = self._reached, at.rules.stretch(at.state)
        if not 0 < past < self._reached or at.rules.over(at.state):
            return
        ledger = at.rules.scored(at)
        if ledger is not None:
            title = f"{at.rules.counts.capitalize()} {past}"
            self.stages.append(Stage(title, ledger.unit, ledger.totals(), ledger.lines, ledger.remarks))


def score(table: Table) -> Ledger:
    """The score of a table with every scoring before it."""
    table.prove()
    course = Course()
    whole = table.history.lines if table.differs is None else table.history.lines[: table.differs.number - 1]
    course.see(table.start())
    table.replayed(whole, course.see)
    return replace(table.rules.score(table.position), course=tuple(course.stages))


__all__ = ["Course", "score"]
