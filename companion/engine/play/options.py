"""What may be said in a field of a move, and all that follows from it: what is filled in, asked, refused and listed.

A game says in `Move.options` what the pieces allow; the engine keeps the values the rules allow, by judging each.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec.structs import replace

from companion.engine.play.moves import Breach, Choice, Move, acting, arguments_of

if TYPE_CHECKING:
    from companion.engine.play.position import Position


class Settled(msgspec.Struct, frozen=True):
    """A move with everything filled in that can be only one thing; why it is forbidden; what has to be asked."""

    move: Move
    reasons: list[Breach]
    needs: list[Choice]


def settle(move: Move, at: Position[Any]) -> Settled:
    """Fill in what was left out of `move`, as far as it can be only one thing.

    Several values that the rules allow: `needs`. None: `reasons`, those that all values share. The seat who acts comes
    first, so that the reasons are that seat's.
    """
    who, arguments = _plan(type(move))
    if who and not getattr(move, who):
        seats = _values(move, at, who) or []
        move = replace(move, **{who: seats[0]}) if len(seats) == 1 else move
    reasons = at.reasons(move)
    for field, default, secret in arguments:
        if reasons:
            break
        if getattr(move, field) != default or (values := _values(move, at, field)) is None:
            continue
        if len(values) == 1 and not secret:
            move = replace(move, **{field: values[0]})
            reasons = at.reasons(move)
            continue
        tried = [(value, replace(move, **{field: value})) for value in values]
        refused = [(_obstacles(one, at)) for _, one in tried]
        good = [pair for pair, why in zip(tried, refused, strict=True) if not why]
        if not good:
            return Settled(move, _shared(refused) or [_nothing(move, field)], [])
        if len(good) == 1 and not secret:
            move = good[0][1]
            continue
        return Settled(move, [], move.questions(at, field, [value for value, _ in good]))
    return Settled(move, reasons, [])


@cache
def _plan(kind: type[Move]) -> tuple[str, tuple[tuple[str, Any, bool], ...]]:
    """The field of the seat who acts, and of every field its name, its default and whether it is secret."""
    fields = [(name, default, domain is not None and domain.secret) for name, domain, default in arguments_of(kind)]
    return acting(kind), tuple(fields)


def left_out(move: Move, at: Position[Any]) -> tuple[Move, list[Choice]]:
    """A move that is carried out against the rules, with what can hold one value only, and the questions for the rest:
    every value may be said."""
    questions: list[Choice] = []
    for field, domain, default in arguments_of(type(move)):
        values = _values(move, at, field) if getattr(move, field) == default else None
        if values is not None and len(values) == 1 and not (domain is not None and domain.secret):
            move = replace(move, **{field: values[0]})
        elif values is not None:
            questions += move.questions(at, field, values)
    return move, questions


def legal_moves(kind: type[Move], at: Position[Any]) -> Iterator[Move]:
    """Every legal move of a kind, from the options of its fields; a sample of a `sampled` kind."""
    if kind.sampled:
        yield from _completed(kind.candidates(at), at)
    else:
        yield from (move for move in combinations(kind(), at) if at.judge(move).legal)


def _completed(found: Iterable[Move], at: Position[Any]) -> Iterator[Move]:
    """The legal moves of a sample; a choice left open inside them is answered with its first option."""
    here = at.copy()
    here.quiet = True
    made: list[Move] = []
    for move in found:
        here.chooser = None
        legal = here.judge(move).legal
        if legal is None:
            here.chooser = lambda options: options[0]
            verdict = here.judge(move)
            move, legal = verdict.move, verdict.legal
        if legal and move not in made:
            made.append(move)
            yield move


def combinations(move: Move, at: Position[Any], fields: Sequence[str] | None = None) -> Iterator[Move]:
    """Every move that the rules do not forbid, with the values the options allow in `fields` (all of them)."""
    if at.reasons(move):
        return
    if fields is None:
        fields = [argument.name for argument in arguments_of(type(move))]
    for i, field in enumerate(fields):
        values = move.options(at, field)
        if values is not None:
            for value in list(values):
                yield from combinations(replace(move, **{field: value}), at, fields[i + 1 :])
            return
    yield move


def _open(move: Move, at: Position[Any]) -> Iterator[str]:
    """The fields of `move` that were not said and whose default is no answer."""
    for argument in arguments_of(type(move)):
        if getattr(move, argument.name) == argument.default and _values(move, at, argument.name) is not None:
            yield argument.name


def _values(move: Move, at: Position[Any], field: str) -> list[Any] | None:
    """The options of a field that has to be said; None where it may stay as it is."""
    found = move.options(at, field)
    if found is None:
        return None
    if isinstance(found, Container) and getattr(move, field) in found:
        return None
    values = list(found)
    return None if getattr(move, field) in values else values


def _obstacles(move: Move, at: Position[Any]) -> list[Breach]:
    """Why `move` cannot be completed to a legal one; empty if it can."""
    reasons = at.reasons(move)
    if reasons:
        return reasons
    for field in _open(move, at):
        refused = []
        for value in _values(move, at, field) or ():
            why = _obstacles(replace(move, **{field: value}), at)
            if not why:
                return []
            refused.append(why)
        return _shared(refused) or [_nothing(move, field)]
    return []


def _shared(refused: list[list[Breach]]) -> list[Breach]:
    """The reasons that every value meets; where there is no such reason, those of the first value."""
    if not refused:
        return []
    common = set.intersection(*({breach.rule for breach in why} for why in refused))
    return [breach for breach in refused[0] if breach.rule in common] or refused[0]


def _nothing(move: Move, field: str) -> Breach:
    """Nothing can be said in a field: the rule that would ask for it says so."""
    rule = type(move).asks.get(field, "").partition(".")[0]
    return Breach(rule, f"there is nothing to choose for {field.replace('_', ' ')}", {"field": field})


__all__ = ["Settled", "combinations", "left_out", "legal_moves", "settle"]
