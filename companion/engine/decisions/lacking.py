"""Moves of which too little has been said: the rules refuse them as they stand, but something in a field will do."""

from __future__ import annotations

from typing import Any

from companion.engine.decisions.things import known_things
from companion.engine.decisions.walks import Walk, next_asked
from companion.engine.play.moves import Move
from companion.engine.play.options import is_possible
from companion.engine.play.phases import in_place
from companion.engine.play.position import Position

MOST_TRIED = 10
"""So many things are tried in a field of several of which nothing is known."""


def only_lacks_something(move: Move, at: Position[Any]) -> bool:
    """True if a bare move is refused only because an optional field is empty, and some value in it will do."""
    here = at.presuming(move)[0]
    if type(move) not in in_place(here) or here.gate(move):
        return False
    walk, asked = next_asked(Walk(move), here)
    if asked is None or asked.options is not None:
        return something_mends(Walk(move), here)
    (name, domain, default), _, things = asked
    if domain is None or not domain.many or default != ():
        return domain is not None and domain.secret
    known = (things or known_things(domain, here))[:MOST_TRIED]
    return any(is_possible(walk.said(name, tuple(known[:n])).move, here) for n in range(1, len(known) + 1))


def something_mends(walk: Walk, here: Position[Any]) -> bool:
    """True if some value of the next field, which is optional, makes a refused move legal."""
    walk, asked = next_asked(walk, here)
    if asked is None or asked.options is None or asked.argument.default not in asked.options:
        return False
    name = asked.argument.name
    return any(is_possible(walk.said(name, value).move, here) for value in asked.options)


__all__ = ["only_lacks_something", "something_mends"]
