"""Open debts: who owes what, by which rule; and the steps that wait until they are settled.

A game keeps its tasks where its position form has them (`Rules.agenda`). Debts come first, in order; a step that waits
(`at.then`) runs by itself once the debts before it are settled. A debt that can be settled in only one way is presumed.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import msgspec

from companion.engine.play.moves import Move, made_by, maker

if TYPE_CHECKING:
    from companion.engine.play.position import Position


class Task(msgspec.Struct, omit_defaults=True):
    """A debt (`move`: the kind of move that settles it) or a step that waits (`step`: a name of `Rules.steps`)."""

    who: str = ""
    move: str = ""
    n: int = 1
    rule: str = ""
    step: str = ""
    args: dict[str, str | int | bool | None] = {}


def owing(at: Position[Any], kind: type[Move], who: str) -> Task | None:
    """The first debt that a move of this kind, made by `who`, settles."""
    return debt(at, made_by(kind, who))


def debt(at: Position[Any], move: Move) -> Task | None:
    """The debt that `move` settles: the first that its seat owes and that it can mean. What the table owes has to wait
    for every debt before it."""
    first = next((task for task in at.rules.agenda(at.state) if task.move), None)
    return next((task for task in _meant(at, move) if task.who or task == first), None)


def settled(at: Position[Any], move: Move) -> None:
    """Take what `move` settles off the debts; it may have brought others, which stand before it."""
    task = next(_meant(at, move), None)
    if task is not None:
        at.rules.settle_task(at.state, task, move.settles())


def _meant(at: Position[Any], move: Move) -> Iterator[Task]:
    """The debts that a move can mean, in order."""
    who = maker(move)
    for task in at.rules.agenda(at.state):
        if task.move == move.name and (not who or task.who in ("", who)) and move.means(task):
            yield task


def presumable(at: Position[Any]) -> Move | None:
    """The next move that the table need not say: the settling of the first debt, where it is possible in one way
    only."""
    agenda = at.rules.agenda(at.state)
    if not agenda or not agenda[0].move:
        return None
    task = agenda[0]
    kind = at.rules.moves[task.move]
    if kind.role == "event":
        return None
    verdict = at.expected(made_by(kind, task.who))
    return verdict.move if verdict.legal else None


def waits(move: Move, at: Position[Any]) -> bool:
    """True if a move has to wait for a debt."""
    kind = type(move)
    return not kind.idle and kind not in at.rules.anytime and debt(at, move) is None


__all__ = ["Task", "debt", "owing", "presumable", "settled", "waits"]
