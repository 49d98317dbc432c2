"""Words shared by two things in one line: `recruits a spearman and an archer to L`, `builds barricades at L and R`."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from companion.engine.play.lines import try_line
from companion.engine.play.moves import Move, acting, arguments_of
from companion.engine.play.position import Position


def shared(
    moves: list[Move], others: list[Move], at: Position[Any], *, same: bool = False, another: bool = False
) -> list[Move]:
    """Two things one after the other; where the first lacks its end, it is that of the second, if nothing forbids that
    (`Move.unshared` never is: each thing has its own).
    What the second lacks before what it says may be that of the first (`Move.shares`). `same`: the second is said of
    `it`, so it only says more of the first; `another`: it is said of `one` or `another` of them."""
    whole = [*moves, *others]
    first, second = moves[-1], others[0]
    if type(first) is not type(second):
        return [*moves, _done_by_the_same(first, second), *others[1:]]
    said, also = _said(first), _said(second)
    if not said or not also:
        return whole
    if try_line(at, moves, typed=True).verdict.legal is None:
        if same:
            return others if len(moves) == 1 and said.items() <= also.items() else whole
        if another and len(moves) > 1:
            return _each_its_own(moves, others, at) or whole
        after = [*also][[*also].index(_last(said)) + 1 :] if _last(said) in also else []
        may = {*after, *type(first).shares} - {*type(first).unshared}
        end = {name: also[name] for name in also if name not in said and name in may}
        ended = [replace(move, **end) for move in moves]
        if end and said.keys() <= also.keys() and try_line(at, [*ended, *others[:1]]).done:
            return [*ended, *others]
    elif len(moves) == 1:
        return _shared_beginning(first, others, at, another) or whole
    return whole


def _done_by_the_same(first: Move, second: Move) -> Move:
    """The second of two different moves, of the thing that does the first if it names none: `ben marches a spearman to
    the right and attacks c2`."""
    mine, theirs = type(first).done_by, type(second).done_by
    if not mine or mine != theirs or getattr(second, theirs):
        return second
    return replace(second, **{theirs: getattr(first, mine)})


def _shared_beginning(first: Move, others: list[Move], at: Position[Any], another: bool) -> list[Move]:
    """The first and those after it, each with what it lacks at its beginning; empty if they do not share it."""
    found = [first]
    for other in others:
        if type(other) is not type(first):
            break
        said, also = _said(first), _said(other)
        begins = next(iter(also), "")
        start = [*said][: [*said].index(begins)] if begins in said else []
        lacking = {name: said[name] for name in start if another or name in type(other).shares}
        lacking |= _within(said, also, type(other).shares)
        if not lacking:
            break
        who = acting(type(other))
        lacking |= {who: getattr(first, who)} if who and not getattr(other, who) else {}
        found.append(replace(other, **lacking))
    return [*found, *others[len(found) - 1 :]] if len(found) > 1 and try_line(at, found).done else []


def _within(said: dict[str, Any], also: dict[str, Any], shares: tuple[str, ...]) -> dict[str, Any]:
    """The records of the second of two things with what they share with those of the first: `to.card` in `onto the
    Riders a1 and another on a2`."""
    found: dict[str, Any] = {}
    for path in shares:
        name, _, within = path.partition(".")
        first: Any = said.get(name)
        second: Any = also.get(name)
        alike = bool(within) and first is not None and type(first) is type(second)
        if alike and not getattr(second, within) and (value := getattr(first, within)):
            found[name] = replace(second, **{within: value})
    return found


def _each_its_own(moves: list[Move], others: list[Move], at: Position[Any]) -> list[Move]:
    """Several of a kind, each with its own end: `2 barricades, one at L and one at R`; empty: not as many."""
    own = [other for other in others if type(other) is type(moves[0])]
    found = [replace(move, **_said(other)) for move, other in zip(moves, own, strict=False)]
    return found if len(own) == len(others) == len(moves) and try_line(at, found).done else []


def _last(said: dict[str, Any]) -> str:
    return [*said][-1]


def _said(move: Move) -> dict[str, Any]:
    """The fields set in a move, in order, without its player."""
    who = acting(type(move))
    found = ((one.name, getattr(move, one.name), one.default) for one in arguments_of(type(move)))
    return {name: value for name, value, default in found if name != who and value != default}


__all__ = ["shared"]
