"""The legal moves as they are listed: one line for each, or as the game takes them together."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from companion.engine.language.fields import actor, fields
from companion.engine.language.notation import write
from companion.engine.language.verbs import verbs
from companion.engine.play.moves import Move, maker
from companion.engine.play.position import Position
from components.phrasing import count, join_and

MOST_ALIKE = 8
"""So many moves of one kind by one seat are listed one by one."""


def overview(
    legal: list[Move], at: Position[Any], line: Callable[[Move, Position[Any]], str] | None = None
) -> list[str]:
    """The legal moves as `moves` lists them: one line for each, or as the game takes them together. `line`: how a move
    is written (default: `write`)."""
    lines = at.rules.overview(at, legal)
    lines = _listed_shortly(legal, at, line or write) if lines is None else lines
    if kinds := samples(legal):
        named = join_and([verbs(kind)[0] for kind in kinds])
        lines = [*lines, f"examples only: {named}; leave out the end of such a line to be asked for it"]
    return lines


def _listed_shortly(legal: list[Move], at: Position[Any], line: Callable[[Move, Position[Any]], str]) -> list[str]:
    """One line for each move; of many of one kind by one seat, the first, and how many others there are."""
    groups: dict[tuple[type[Move], str], list[Move]] = {}
    for move in legal:
        groups.setdefault((type(move), maker(move)), []).append(move)
    lines: list[str] = []
    for moves in groups.values():
        if len(moves) > MOST_ALIKE:
            lines.append(f"{line(moves[0], at)} ({count(len(moves) - 1, 'other way')})")
        else:
            lines += [line(move, at) for move in moves]
    return lines


def samples(legal: list[Move]) -> list[type[Move]]:
    """The kinds of which a list of legal moves holds examples only, because there are too many ways to say them."""
    kinds: dict[type[Move], None] = dict.fromkeys(type(move) for move in legal)
    return [kind for kind in kinds if kind.sampled and len(fields(kind)) > bool(actor(kind))]


__all__ = ["overview", "samples"]
