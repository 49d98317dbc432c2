"""The verdict on a move in a position: what it says has happened before, what forbids it, what it leaves out.

`Position` has a method for each of these; nothing here changes the position it is asked about.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from itertools import chain
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec.structs import replace

from companion.engine.play.moves import Breach, Choice, Move, acting, maker
from companion.engine.play.options import settle
from companion.engine.play.parts import run, transacts
from companion.engine.play.pending import debt, presumable, waits
from companion.engine.play.phases import gate, in_place, is_its_moment

if TYPE_CHECKING:
    from companion.engine.play.position import Position


class Verdict(msgspec.Struct, kw_only=True):
    """The answer to "may I?": `legal` is None when a choice was left out (`needs`)."""

    move: Move
    legal: bool | None
    reasons: list[Breach] = []
    needs: list[Choice] = []
    presumed: list[Move] = []
    """Moves the table said by saying this one; they are recorded with it."""
    done_already: bool = False
    """The move repeats what happened by itself: legal, and there is nothing to do."""
    place: str = ""
    """The part of a turn that stopped it: `steps[2]`."""
    after: Any = None
    """The position reached, where judging meant carrying out; nothing runs twice."""


class Traits(msgspec.Struct, frozen=True):
    """The traits of a kind of move that matter for judging it."""

    may_repeat: bool
    presumes: bool
    who: str
    """The field of the seat who acts."""
    has_moments: bool
    """True if it cannot be made at some moments of its phase."""


@cache
def _traits(kind: type[Move]) -> Traits:
    return Traits(
        kind.already is not Move.already,
        kind.presumes is not Move.presumes,
        acting(kind),
        kind.untimely is not Move.untimely,
    )


def judge(at: Position[Any], move: Move) -> Verdict:
    """The verdict on `move`; changes nothing."""
    traits = _traits(type(move))
    if traits.may_repeat and move.already(at):
        return Verdict(move=move, legal=True, done_already=True)
    presumed: list[Move] = []
    if traits.presumes or at.rules.may_owe:
        at, presumed, asked = presuming(at, move)
        if asked:
            return Verdict(move=move, legal=None, needs=asked, presumed=presumed)
    if transacts(move):
        ran = run(move, at)
        verdict = Verdict(move=ran.move, legal=True, reasons=ran.reasons, needs=ran.needs, place=ran.place)
        if not ran.reasons and not ran.needs:
            ran.after.events[:0] = at.events if presumed else []
            verdict.after = ran.after
    else:
        settled = settle(move, at)
        verdict = Verdict(move=settled.move, legal=True, reasons=settled.reasons, needs=settled.needs)
    verdict.presumed = presumed
    if verdict.reasons or verdict.needs:
        verdict.legal = False if verdict.reasons else None
    return verdict


# --- what a move says has happened --------------------------------------------------------------------------------


def presuming(start: Position[Any], move: Move) -> tuple[Position[Any], list[Move], list[Choice]]:
    """The position in which `move` is judged, once what it says by being said has happened: debts it waits for that can
    be settled in one way only, and what the move itself presumes. And what has to be asked first: nobody's wish is
    given up by a typed line of somebody else, and nobody is asked to give one up for a move that is refused all the
    same."""
    at, presumed = start, list[Move]()
    first: tuple[Position[Any], list[Move], list[Choice]] | None = None
    while (early := implied(move, at)) is not None:
        wish = early.gives_up(at) if at.open and maker(early) != maker(move) else None
        verdict, after = foresee(at, early, own=at is not start)
        if verdict.legal is None:
            return first or (at, presumed, [replace(asked, move=asked.move or early.name) for asked in verdict.needs])
        if not verdict.legal:
            break
        if wish is not None and first is None:
            first = at, [*presumed], [replace(wish, move=wish.move or early.name)]
        at = after
        presumed += [*verdict.presumed, verdict.move]
    if first is not None:
        return (start, [], []) if _comes_too_late(move, at) or judge(at, move).legal is False else first
    if presumed and _comes_too_late(move, at):
        return start, [], []
    return at, presumed, []


def implied(move: Move, at: Position[Any]) -> Move | None:
    """The next move that `move` says has happened."""
    if at.rules.may_owe and at.rules.agenda(at.state) and waits(move, at):
        return presumable(at)
    return move.presumes(at)


def _comes_too_late(move: Move, at: Position[Any]) -> bool:
    """True if `move` belongs to no phase that its implied moves lead to: then it is refused in the phase that people
    see."""
    return not (at.rules.may_owe and at.rules.agenda(at.state)) and type(move) not in in_place(at)


def foresee(at: Position[Any], move: Move, *, own: bool = False) -> tuple[Verdict, Position[Any]]:
    """The verdict on a move and, if it is legal, the position after it. Worked out once where several moves are judged
    in a position that does not change (`ahead`). `own`: any other position may be changed in place."""
    for known, verdict, after in at.ahead or ():
        if known == move or (verdict.legal and verdict.move == move):
            return verdict, after
    verdict, after = judge(at, move), at
    if verdict.legal:
        if at.ahead is not None or not own:
            after = at.copy()
            after.quiet = at.quiet
            after.ahead = None if at.ahead is None else []
        after.carry_out(verdict)
    if at.ahead is not None:
        at.ahead.append((move, verdict, after))
    return verdict, after


def expected(at: Position[Any], move: Move) -> Verdict:
    """The verdict on a move that others may presume, foreseen where it is asked for again and again."""
    return judge(at, move) if at.ahead is None else foresee(at, move)[0]


# --- what forbids it ------------------------------------------------------------------------------------------------


def reasons(at: Position[Any], move: Move) -> list[Breach]:
    """Every rule that forbids `move` as far as it has been said: that the game is over, or first that this is not its
    moment, then its own."""
    if at.rules.over(at.state) and (ended := list(at.rules.closed(at))):
        return at.allowed(ended)
    if is_its_moment(move, at):
        return at.allowed(_objections(at, move))
    return at.allowed(chain(gate(move, at), () if _answers_nothing(at, move) else _objections(at, move)))


def refuses(at: Position[Any], move: Move) -> bool:
    """True if there are `reasons` against `move`: a quick answer that stops at the first."""
    if at.rules.over(at.state) and _counts(at, at.rules.closed(at)):
        return True
    if not is_its_moment(move, at) and _counts(at, gate(move, at)):
        return True
    return not _answers_nothing(at, move) and _counts(at, _objections(at, move))


def _answers_nothing(at: Position[Any], move: Move) -> bool:
    """True if a move that only settles debts finds none to settle; `gate` has reported it."""
    return type(move).answers and debt(at, move) is None


def _objections(at: Position[Any], move: Move) -> Iterator[Breach]:
    """The move's own objections, once its seat is known."""
    traits = _traits(type(move))
    if traits.who and not getattr(move, traits.who):
        return iter(())
    untimely = list(move.untimely(at)) if traits.has_moments else []
    return iter(untimely) if untimely else move.forbidden(at)


def _counts(at: Position[Any], breaches: Iterable[Breach]) -> bool:
    """True if a breach concerns only rules that are switched on."""
    return any(at.is_on(breach) for breach in breaches)


__all__ = ["Verdict", "expected", "foresee", "implied", "judge", "presuming", "reasons", "refuses"]
