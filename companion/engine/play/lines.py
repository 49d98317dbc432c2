"""One line of play: moves judged one after the other in a copy of the position, nothing recorded.

Both `check` (which throws the copy away) and a table's `do` (which records and keeps it) go through here.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from companion.engine.errors import CompanionError
from companion.engine.play.faults import PositionError
from companion.engine.play.moves import Choice, Event, Move, maker
from companion.engine.play.parts import STEPS, Asked, Part, Refused, Turn
from companion.engine.play.position import Position, Verdict

How = Literal["said", "presumed", "passed", "forced"]
MISSING = "something is missing from this move; type it in full"
MOST_PHASES = 12
"""The most phases in a row that `--passed` closes."""


class Step(msgspec.Struct, frozen=True):
    """One move carried out: said, presumed by what was said, part of everybody passing, or forced against the rules."""

    move: Move
    how: How


class Outcome(msgspec.Struct, kw_only=True):
    """The outcome of a line. `verdict` is that of the last move reached, `index` its place among those given."""

    verdict: Verdict
    index: int
    steps: list[Step]
    events: list[Event]
    said: list[Move]
    """The moves of the line as far as they were judged, with everything filled in; the last is that of `verdict`."""
    here: Position[Any]
    """The position in which a refused move was judged."""
    after: Position[Any]
    """The position after the line: a line that is refused anywhere has changed nothing."""
    broken: list[dict[str, Any]] = []
    """Rules broken by forced moves."""

    @property
    def done(self) -> bool:
        """True if every move was carried out."""
        return bool(self.verdict.legal) or bool(self.broken)


class CannotHappen(CompanionError):
    """A forced move that is not only against the rules but cannot be carried out with the pieces there are."""

    kind = "impossible"
    status = 1


def try_line(
    at: Position[Any], moves: list[Move], *, typed: bool = False, passed: bool = False, force: bool = False
) -> Outcome:
    """Judge and carry out `moves` in order in a copy of `at`; stop at the first that is refused.

    `typed`: people said the moves in words, so what they leave to somebody is asked; otherwise it takes the default of
    the rules. `passed`: a move of a later phase says that everybody has passed. `force`: what the rules forbid is
    carried out all the same, if it physically can be (CannotHappen if not).
    """
    here = at.copy()
    here.open = typed
    steps: list[Step] = []
    broken: list[dict[str, Any]] = []
    said: list[Move] = []
    judged_in = here
    verdict: Verdict | None = None
    index = -1
    for move in moves:
        index += 1
        judged_in = here
        with _as_far_as_it_can_happen(move, unfit=bool(here.off)):
            verdict = here.judge(move)
        if passed and (verdict.legal is False or any(choice.move for choice in verdict.needs)):
            after, closing = everybody_passed(here, move)
            if after is not None:
                judged_in = here = after
                verdict = here.judge(move)
                steps += [Step(m, "passed") for m in closing]
        said.append(verdict.move)
        if not verdict.legal:
            if not force or verdict.legal is None:
                break
            verdict.move, verdict.needs = _left_out(verdict.move, here)
            said[-1] = verdict.move
            if verdict.needs:
                verdict.legal = None
                break
            here = _forced(here, verdict)
            broken += [{"rule": b.rule, "why": b.why} for b in verdict.reasons]
            steps += [Step(m, "presumed") for m in verdict.presumed] + [Step(verdict.move, "forced")]
            continue
        if not verdict.done_already:
            with _as_far_as_it_can_happen(move, unfit=bool(here.off)):
                here.carry_out(verdict)
            steps += [Step(m, "presumed") for m in verdict.presumed] + [Step(verdict.move, "said")]
    if verdict is None:
        raise ValueError("a line needs at least one move")
    if not verdict.legal and not (broken and verdict.legal is False):
        return Outcome(verdict=verdict, index=index, steps=[], events=[], said=said, here=judged_in, after=at.copy())
    here.open = False
    return Outcome(
        verdict=verdict,
        index=index,
        steps=steps,
        events=here.events,
        said=said,
        here=judged_in,
        after=here,
        broken=broken,
    )


def everybody_passed(at: Position[Any], move: Move) -> tuple[Position[Any] | None, list[Move]]:
    """The position in which `move` is legal because everyone has passed, and the moves that lead to it; (None, []) if
    passing does not help.
    """
    here = at.copy()
    here.events = list(at.events)
    made: list[Move] = []
    for _ in range(MOST_PHASES):
        closing = here.rules.pass_all(here)
        if not closing:
            break
        for one in closing:
            verdict = here.play(one)
            if not verdict.legal:
                return None, []
            made += [*verdict.presumed, verdict.move]
        if here.judge(move).legal is not False:
            return here, made
    return None, []


def _left_out(move: Move, at: Position[Any]) -> tuple[Move, list[Choice]]:
    """A forbidden move with what is certain, and the choices it leaves open. A game need not be able to say so: then
    it has to be said in full."""
    try:
        move, questions = at.left_out(move)
        return _left_out_of_steps(move, at) if isinstance(move, Turn) and not questions else (move, questions)
    except Exception as error:  # `needs` is written for positions in which nothing forbids the move
        raise CannotHappen(MISSING) from error


def _left_out_of_steps(turn: Turn, at: Position[Any]) -> tuple[Turn, list[Choice]]:
    """The same for the steps of a turn, each as if those before it had been taken."""
    here = at.copy()
    here.mover = maker(turn)
    for index, part in enumerate(turn.parts()):
        before, after = turn.parts()[:index], turn.parts()[index + 1 :]
        here.turn = turn.with_parts(before)
        certain, questions = here.left_out(part)
        assert isinstance(certain, Part)
        turn = turn.with_parts((*before, certain, *after))
        if questions:
            return turn, [replace(one, field=f"{STEPS}[{index}].{one.field}") for one in questions]
    return turn, []


def _forced(at: Position[Any], verdict: Verdict) -> Position[Any]:
    """The position after a move that the rules forbid."""
    here = at.copy()
    here.events = list(at.events)
    before = set(at.rules.impossible(at.state))
    with _as_far_as_it_can_happen(verdict.move):
        here.carry_out(verdict)
    wrong = [law for law in here.rules.impossible(here.state) if law not in before]
    if wrong:
        raise CannotHappen(f"this cannot have happened: {'; '.join(wrong)}")
    return here


@contextmanager
def _as_far_as_it_can_happen(move: Move, *, unfit: bool = True) -> Iterator[None]:
    """Carry out a move that `apply` need not fit (`unfit`), because a rule that would forbid it does not count: it may
    name what is not where `apply` looks for it, count on what is not there, or leave choices that nobody can make. Any
    other fault is one of ours, and stays one."""
    try:
        yield
    except (Refused, Asked, PositionError, LookupError, ValueError, ArithmeticError, StopIteration) as error:
        if not unfit:
            raise
        if isinstance(error, PositionError):
            raise CannotHappen(f"this cannot have happened: {error}") from error
        if isinstance(error, Asked):
            raise CannotHappen(MISSING) from error
        if isinstance(error, Refused):
            raise CannotHappen(f"this cannot have happened: {error.breach.why}") from error
        piece = next((word for word in error.args if _says(move.to_json(), word)), "something that it needs")
        raise CannotHappen(f"this cannot have happened: {piece} is not there") from error


def _says(form: Any, word: Any) -> bool:
    """True if `word` stands anywhere in the JSON form of a move."""
    if isinstance(form, dict):
        return word in form or any(_says(part, word) for part in form.values())
    if isinstance(form, list):
        return any(_says(part, word) for part in form)
    return bool(form == word)


__all__ = ["CannotHappen", "How", "Outcome", "Step", "everybody_passed", "try_line"]
