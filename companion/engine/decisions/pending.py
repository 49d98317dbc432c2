"""The decisions that are open at a table: what is owed first, or else what the phase awaits."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator
from typing import Any

import msgspec

from companion.engine.decisions.lacking import only_lacks_something
from companion.engine.play.moves import Move, acting, made_by
from companion.engine.play.pending import Task, presumable
from companion.engine.play.phases import Phase, Who, awaited, current, in_place
from companion.engine.play.position import Position, Verdict
from companion.engine.play.secrets import seen_by

NOT_AWAITED = ("free", "claim")
"""Roles of moves for which nobody waits."""
TABLE = ""
"""The seat of nobody: the table, which reports what came up by chance and the steps that it has done."""


Judge = Callable[[Move], Verdict]


class Decision(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """Something that somebody has to say."""

    who: str
    """The seat; "" for the table."""
    kinds: tuple[str, ...]
    """The names of the moves that answer it."""
    rule: str = ""
    """The rule from which it comes."""
    question: str = ""
    """The question, in one sentence."""
    n: int = 1
    """The number of such answers owed."""
    about: dict[str, Any] = {}
    """Its subject, as the rules keep it: the card that kills, the soldier that dies."""
    passing: str = ""
    """The name of the move by which the seat says that it is done here; "" where there is none."""


def decisions(at: Position[Any], seat: str | None = None) -> list[Decision]:
    """The decisions that are open now, those of `seat` alone if one is given (`TABLE`: the table's), as it may know
    them; without one, as anybody may."""
    known = seen_by(at, seat or TABLE)
    known.quiet = True
    return open_decisions(known, seat)


def open_decisions(
    at: Position[Any], seat: str | None = None, judge: Judge | None = None, *, asked: bool = True
) -> list[Decision]:
    """The same in a position that shows no more than may be known. `judge` may remember verdicts; without `asked` the
    questions, which take longest, are left out."""
    judge = judge or at.judge
    question = at.rules.awaits(at) if asked else ""
    rules = at.rules
    if rules.over(at.state):
        return []
    if rules.may_owe and (agenda := rules.agenda(at.state)):
        return [one for one in _owed(at, agenda, judge if asked else None, question) if seat in (None, one.who)]
    phase = current(at)
    if phase is None:
        return _without_phases(at, seat, judge, question)
    return _standing(at, phase, seat, judge, question)


def _owed(at: Position[Any], agenda: list[Task], judge: Judge | None, otherwise: str) -> list[Decision]:
    """The first debt of each seat before the first step that waits. Of kinds that seats settle one after the other only
    the first; the table's only if no other comes before."""
    found: list[Decision] = []
    seen: set[str] = set()
    in_turn: set[str] = set()
    for task in agenda:
        if task.step:
            break
        kind = at.rules.moves[task.move]
        if task.who in seen or (kind.in_turn and task.move in in_turn) or (not task.who and found):
            continue
        seen.add(task.who)
        in_turn.add(task.move)
        asked = judge(made_by(kind, task.who)).needs if judge else []
        question = asked[0].question if asked else otherwise
        found.append(
            Decision(
                who=task.who, kinds=(task.move,), rule=task.rule, question=question, n=task.n, about=dict(task.args)
            )
        )
    return found


def _standing(at: Position[Any], phase: Phase, seat: str | None, judge: Judge, question: str) -> list[Decision]:
    """The decisions that a phase awaits: of each seat that acts in it, and of the table where it has something to
    report. If all its own moves are refused, the moves of any time supply them."""
    seats = [] if phase.who in (Who.TABLE, Who.AUTO) else awaited(at)
    passing = phase.passing.name if phase.passing else ""
    waiting = _by_seat(seats, _to_make(at, phase.moves, seats, seat, judge))
    if not waiting and not any(_to_make(at, phase.moves, seats, None, judge)):
        at_any_time = (kind for kind in at.rules.anytime if kind.role not in NOT_AWAITED and not kind.idle)
        waiting = _by_seat([], _to_make(at, at_any_time, [], seat, judge))
    return [
        Decision(who=who, kinds=tuple(kinds), rule=phase.rule, question=question, passing=passing if who else "")
        for who, kinds in waiting.items()
    ]


def _without_phases(at: Position[Any], seat: str | None, judge: Judge, question: str) -> list[Decision]:
    """Of a game without a table of phases: every move, of those to move."""
    seats = at.rules.to_move(at.state)
    waiting = _by_seat(seats, _to_make(at, at.rules.moves.values(), seats, seat, judge))
    return [Decision(who=who, kinds=tuple(kinds), question=question) for who, kinds in waiting.items()]


def _to_make(
    at: Position[Any], kinds: Iterable[type[Move]], seats: list[str], only: str | None, judge: Judge
) -> Iterator[tuple[str, str]]:
    """Seats, and the names of the moves that are theirs to make: of those awaited every kind, or else of whoever can
    make it; and the table's, as far as the rules do not forbid them altogether. `only`: of this seat."""
    for kind in kinds:
        for who in (seats or at.seats) if acting(kind) else [TABLE]:
            if only in (None, who) and ((who and seats) or _can_be_made(made_by(kind, who), at, judge)):
                yield who, kind.name


def _can_be_made(move: Move, at: Position[Any], judge: Judge) -> bool:
    return judge(move).legal is not False or only_lacks_something(move, at)


def _by_seat(seats: list[str], moves: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    """Seat -> the names of its moves; those awaited come first."""
    found: dict[str, list[str]] = {seat: [] for seat in seats}
    for who, name in moves:
        found.setdefault(who, []).append(name)
    return {who: names for who, names in found.items() if names}


def kinds_in_place(at: Position[Any]) -> list[Container[type[Move]]]:
    """The kinds of moves that belong here: now, and once what is owed has settled itself."""
    found = [in_place(at)]
    while at.rules.may_owe and at.rules.agenda(at.state) and (early := presumable(at)) is not None:
        at = at.foresee(early)[1]
        found.append(in_place(at))
    return found


__all__ = ["TABLE", "Decision", "decisions", "kinds_in_place", "open_decisions"]
