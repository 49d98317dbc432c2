"""A report that brings answers along, as the moves that people would say one after the other."""

from __future__ import annotations

from typing import Any

from companion.engine.play.moves import Move
from companion.engine.play.options import settle
from companion.engine.play.parts import after, perform
from companion.engine.play.position import Position


def unbundled(move: Move, at: Position[Any]) -> list[Move]:
    """The move without what it brings along, and each answer in it as a move of its own, in the order in which they are
    asked for. `at` is the position before it; a move that is not legal there stays whole."""
    bare = move.alone()
    if bare == move or not at.judge(move).legal:
        return [move]
    here = at.presuming(move)[0].copy()
    here.quiet = here.answering = True
    move.apply(here)
    after(move, here)
    found = [] if bare is None else [bare]
    for follow in move.follow_ups(here):
        said = settle(follow, here).move
        found += unbundled(said, here)
        perform(said, here)
    return found


__all__ = ["unbundled"]
