"""Everybody passes, and a seat passes where it owes something that it may leave: a soldier unsaved, a shot not fired."""

from __future__ import annotations

from companion.engine.play.phases import current
from companion.rules import Move, Task

from .brought import brought
from .catalogue import At
from .icons import STEP
from .reports import May, Pass
from .year import in_tea_order

WORDS = (*Pass.words, "passes")


def everybody_passes(at: At) -> list[Move]:
    """The reports by which everybody leaves what may be left now; empty where nobody can pass."""
    debts, phase = [task for task in at.state.agenda if task.move], current(at)
    if debts:
        end = next((n for n, task in enumerate(debts) if not _may_be_left(at, task)), len(debts))
        return [_left(at, task) for task in debts[:end]]
    if phase is None or phase.name not in brought(at).passes:
        return []
    passes: list[Move] = [Pass(by=clan) for clan in _to_pass(at, phase.name)]
    return passes if passes and not at.refuses(passes[0]) else []


def _to_pass(at: At, phase: str) -> list[str]:
    """Who passes in a phase, one after the other."""
    s = at.state
    if phase == STEP:
        return list(s.order) or list(at.rules.to_move(s))[:1]
    allowed = [clan for clan in in_tea_order(at) if clan not in s.done]
    return [clan for clan in allowed if clan in s.allowed] if phase.startswith("winter") else allowed


def passes(text: str, at: At) -> list[Move] | None:
    """`pine pass` where pine owes something that may be left: then it is left. None: another line."""
    first = next((task for task in at.state.agenda if task.move), None)
    who, _, verb = text.strip().lower().rpartition(" ")
    if first is None or verb not in WORDS or who not in ("", first.who) or not _may_be_left(at, first):
        return None
    return [_left(at, first)]


def _may_be_left(at: At, task: Task) -> bool:
    return issubclass(at.rules.moves[task.move], May)


def _left(at: At, task: Task) -> Move:
    kind = at.rules.moves[task.move]
    assert issubclass(kind, May)
    return kind(by=task.who, none=True)


__all__ = ["everybody_passes", "passes"]
