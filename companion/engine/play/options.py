"""Values for the fields of a move, and their consequences: what is filled in, asked, refused and listed.

A game says in `Move.options` what the pieces allow; the engine keeps the values the rules allow, by judging each.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec.structs import replace

from companion.engine.play.domains import Seat
from companion.engine.play.moves import Breach, Choice, Move, acting, arguments_of, domains_of, own_options

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
    first, so that the reasons are that seat's. What a typed line leaves to somebody (`Move.unsaid`) comes last.
    """
    who, arguments = plan(type(move))
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
        good = [pair for pair in tried if is_possible(pair[1], at)]
        if not good:
            return Settled(move, shared([obstacles(one, at) for _, one in tried]) or [_nothing(move, at, field)], [])
        if len(good) == 1 and not secret:
            move = good[0][1]
            continue
        return Settled(move, [], move.questions(at, field, [value for value, _ in good]))
    return Settled(move, reasons, list(islice(move.unsaid(at), 1)) if at.open and not reasons else [])


@cache
def plan(kind: type[Move]) -> tuple[str, tuple[tuple[str, Any, bool], ...]]:
    """The field of the seat who acts, and of every field that may have options its name, its default and whether it is
    secret. (What is chosen on the way is asked for when it comes up.)"""
    own = kind.options is not Move.options
    fields = [
        (name, default, domain is not None and domain.secret)
        for name, domain, default in arguments_of(kind)
        if (own or domain is not None or name in own_options(kind)) and name != "choose"
    ]
    return acting(kind), tuple(fields)


def left_out(move: Move, at: Position[Any]) -> tuple[Move, list[Choice]]:
    """A move that is carried out against the rules, with what can hold one value only, and the questions for the rest:
    every value may be said."""
    questions: list[Choice] = []
    who = acting(type(move))
    for field, domain, default in arguments_of(type(move)):
        if questions and who and not getattr(move, who):
            break
        values = _values(move, at, field) if getattr(move, field) == default else None
        if values is not None and len(values) == 1 and not (domain is not None and domain.secret):
            move = replace(move, **{field: values[0]})
        elif values is not None:
            questions += move.questions(at, field, values)
    return move, questions


def legal_moves(kind: type[Move], at: Position[Any]) -> Iterator[Move]:
    """Every legal move of a kind, from the options of its fields; a sample of a `sampled` kind."""
    if kind.sampled:
        found = combinations(kind(), at, few=kind.few) if kind.few else kind.candidates(at)
        yield from _completed(found, at)
    else:
        for move in combinations(kind(), at):
            if at.is_settled_by_reasons(move) or at.judge(move).legal:
                yield move


def _completed(found: Iterable[Move], at: Position[Any]) -> Iterator[Move]:
    """The legal moves of a sample; a choice left open inside them is answered with its first option."""
    here = type(at)(at.rules, at.state, quiet=True)
    here.ahead = []
    chosen: list[Any] = []

    def first(options: list[Any]) -> Any:
        chosen.append(options[0])
        return options[0]

    here.chooser = first
    made: list[Move] = []
    for move in found:
        chosen.clear()
        verdict = here.judge(move)
        if verdict.legal:
            move = verdict.move if chosen else move
            if move not in made:
                made.append(move)
                yield move


def combinations(move: Move, at: Position[Any], fields: Sequence[str] | None = None, *, few: int = 0) -> Iterator[Move]:
    """Every move that the rules do not forbid, with the values the options allow in `fields` (all of them). `few`: at
    most so many values of each field but seats, the last among them."""
    if at.refuses(move):
        return
    if fields is None:
        fields = [argument.name for argument in arguments_of(type(move))]
    for i, field in enumerate(fields):
        domain = domains_of(type(move))[field]
        values = None if domain is not None and domain.confirms else move.options(at, field)
        if values is not None:
            tried = [replace(move, **{field: value}) for value in list(values)]
            if few and len(tried) > few and not isinstance(domain, Seat):
                good = list(islice((one for one in tried if not at.refuses(one)), few - 1))
                last = next((one for one in reversed(tried) if not at.refuses(one)), None)
                tried = good if last is None or last in good else [*good, last]
            for one in tried:
                yield from combinations(one, at, fields[i + 1 :], few=few)
            return
    yield move


def _open(move: Move, at: Position[Any]) -> tuple[str, list[Any]] | None:
    """The first unset field of `move` that needs a value, with its options."""
    for field, default, _ in plan(type(move))[1]:
        if getattr(move, field) == default and (values := _values(move, at, field)) is not None:
            return field, values
    return None


def _values(move: Move, at: Position[Any], field: str) -> list[Any] | None:
    """The options of a field that has to be said; None where it may stay as it is."""
    found = move.options(at, field)
    if not found and field == acting(type(move)):
        found = at.rules.to_move(at.state) or at.seats  # somebody makes it
    if found is None:
        return None
    values = found if isinstance(found, list | tuple | dict) else list(found)
    return None if getattr(move, field) in values else list(values)


def obstacles(move: Move, at: Position[Any]) -> list[Breach]:
    """The reasons why `move` cannot be completed to a legal one; empty if it can."""
    reasons = at.reasons(move)
    if reasons or (left := _open(move, at)) is None:
        return reasons
    field, values = left
    refused = []
    for value in values:
        why = obstacles(replace(move, **{field: value}), at)
        if not why:
            return []
        refused.append(why)
    return shared(refused) or [_nothing(move, at, field)]


def is_possible(move: Move, at: Position[Any]) -> bool:
    """True if `move` can be completed to a legal one: without `obstacles`, but found more quickly."""
    if at.refuses(move):
        return False
    if (left := _open(move, at)) is None:
        return True
    field, values = left
    return any(is_possible(replace(move, **{field: value}), at) for value in values)


def shared(refused: list[list[Breach]]) -> list[Breach]:
    """The reasons that every value meets; where there is no such reason, those of the first value."""
    if not refused:
        return []
    common = set.intersection(*({breach.rule for breach in why} for why in refused))
    return [breach for breach in refused[0] if breach.rule in common] or refused[0]


def _nothing(move: Move, at: Position[Any], field: str) -> Breach:
    """Nothing can be said in a field: the rule that would ask for it says so."""
    rule = at.rules.question(type(move), field).partition(".")[0]
    return Breach(rule, f"there is nothing to choose for {field.replace('_', ' ')}", {"field": field})


__all__ = [
    "Settled",
    "combinations",
    "is_possible",
    "left_out",
    "legal_moves",
    "obstacles",
    "plan",
    "settle",
    "shared",
]
