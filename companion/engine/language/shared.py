"""What two things said in one line share: `recruits a spearman and an archer to L`, `builds barricades at L and R`."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from companion.engine.play.lines import try_line
from companion.engine.play.moves import Move, acting, arguments_of
from companion.engine.play.position import Position


def shared(moves: list[Move], others: list[Move], at: Position[Any]) -> list[Move]:
    """Two things one after the other; where the first lacks its end, it is that of the second, if nothing forbids that.
    What the second lacks before what it says may be that of the first (`Move.shares`)."""
    whole = [*moves, *others]
    first, second = moves[-1], others[0]
    if type(first) is not type(second):
        return whole
    said, also = _said(first), _said(second)
    if not said or not also:
        return whole
    if try_line(at, moves, typed=True).verdict.legal is None:
        end = {name: also[name] for name in [*also][[*also].index(_last(said)) + 1 :]} if _last(said) in also else {}
        ended = [replace(move, **end) for move in moves]
        if end and said.keys() <= also.keys() and try_line(at, [*ended, *others[:1]]).done:
            return [*ended, *others]
    elif len(moves) == 1:
        names = [*said]
        start = names[: names.index(next(iter(also)))] if next(iter(also)) in said else []
        lacking = {name: said[name] for name in start if name in type(second).shares}
        if lacking and try_line(at, several := [first, replace(second, **lacking)]).done:
            return [*several, *others[1:]]
    return whole


def _last(said: dict[str, Any]) -> str:
    return [*said][-1]


def _said(move: Move) -> dict[str, Any]:
    """What a move says beside who makes it, in the order of its fields."""
    who = acting(type(move))
    found = ((one.name, getattr(move, one.name), one.default) for one in arguments_of(type(move)))
    return {name: value for name, value, default in found if name != who and value != default}


__all__ = ["shared"]
