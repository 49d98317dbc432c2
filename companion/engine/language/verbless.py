"""A line without a verb that says what came up: `7 +1`, `gansu, white 9, black 4`, `sun tzu`, `T07 90`."""

from __future__ import annotations

from companion.engine.language.arguments import ArgumentError, Arguments, Books
from companion.engine.language.fields import actor, fields, value_of
from companion.engine.language.words import FILLERS, Token
from companion.engine.play.domains import PieceName
from companion.engine.play.moves import Move
from companion.engine.play.parts import Turn

DEAREST = 3
"""In points of what words cost: one that only begins like a name is no report without its verb."""


def reported(words: list[Token], books: Books) -> Move | None:
    """The event possible now that a line reports by what came up alone, all of it; None if there is no such event, or
    more than one."""
    if not words or any(word.key for word in words):
        return None
    found: list[Move] = []
    possible = {type(move) for move in books.at.legal()}
    for kind in books.at.rules.moves.values():
        if kind not in possible or kind.role != "event" or issubclass(kind, Turn) or actor(kind) is not None:
            continue
        try:
            readings = Arguments(kind, books, [word for word in words if word.text not in FILLERS]).read()
        except ArgumentError:
            continue
        found += [move for cost, move in readings if cost <= DEAREST and _whole(kind, move)]
    return found[0] if len(found) == 1 else None


def _whole(kind: type[Move], move: Move) -> bool:
    """Whether a report says everything that comes up by chance, or at least which piece it is about."""
    known = [(field, field.domain) for field in fields(kind) if field.domain is not None]
    secret = [field for field, domain in known if domain.secret]
    drawn = secret or [field for field, domain in known if isinstance(domain, PieceName)]
    return bool(drawn) and all(value_of(move, field) != field.default for field in drawn)


__all__ = ["reported"]
