"""Words that say all there is of something: `all armies`, `both Generals`, `everything`, `her cards`; and what a move
that says so says."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sized
from itertools import combinations
from math import comb
from typing import Any, NamedTuple

import msgspec

from companion.engine.language.fields import build, fields
from companion.engine.language.named import Said
from companion.engine.language.words import ARTICLES
from companion.engine.play.domains import Relative
from companion.engine.play.moves import Move
from companion.engine.play.position import Position

ALL: Mapping[str, int | None] = {"all": None, "both": 2, "everything": None, "last": 1}
"""Words that say everything there is in a field of several things (`Move.everything`), and how many these are: `his
last army` is all there are of them."""
OWNING = ARTICLES - {"a", "an"}
"""Words that point at something known: with one thing, at all there is of it."""
TOGETHER = frozenset(("unit", "thing", "one"))
"""Words, after such a one, for things of several fields: `with all units`."""
MOST_TIMES = 20
"""How often a number before a word may say it."""
HAVING = re.compile(r"^(?:that )?(?:she|he|they|i|we|it)(?: has| have)?(?: got)?$")
"""What may follow such a word: `with all she has`."""


class Everything(NamedTuple):
    """The word `all`, until its extent is known; `n` if it was counted."""

    n: int | None = None
    bare: bool = False
    """True if no word says of what."""
    alone: bool = False
    """True if no word says `all`: a piece without a number, where it can only be so many (`Tally.whole`)."""
    things: bool = False
    """True if it says of which things: `all his armies` are those that stand there, `all` may be those that are due."""

    def is_so_many(self, value: Any) -> bool:
        """True if a value has the size that was counted."""
        size = sum(value.values()) if isinstance(value, dict) else value if isinstance(value, int) else len(value)
        return self.n in (None, size)


class Times(list[Any]):
    """A word said several times by a number before it."""


class Some(list[Any]):
    """So many of what there is (`2 crates`), and which they are as far as it was said."""

    def __init__(self, many: int, said: Iterable[Any] = ()) -> None:
        super().__init__(said)
        self.many = many


class Unclear(Exception):
    """Nobody knows what is all of something (`word`: `all`), or which of several things are meant."""

    def __init__(self, words: Iterable[str] = ()) -> None:
        super().__init__()
        self.words = frozenset(words)


def moves_with(kind: type[Move], said: Said, at: Position[Any]) -> Iterator[Move]:
    """The moves that say all this; several where `2 crates` may be one or the other. Raises Unclear, and
    msgspec.ValidationError where a value has the wrong type."""
    for path, value in said.items():
        if isinstance(value, Relative):
            others = {one: other for one, other in said.items() if isinstance(other, str | int)}
            if (found := value.find(build(kind, others), at)) is None:
                raise Unclear((value.word,))
            said = {**said, path: found}
    for path in sorted(said, key=lambda path: _is_alone(said[path])):  # a piece alone is as many as the others leave
        said = {**said, path: _counted(kind, said, path, at)}
    all_of = {path: value for path, value in said.items() if isinstance(value, Everything)}
    some_of = {path: value for path, value in said.items() if isinstance(value, Some)}
    move = build(kind, {path: value for path, value in said.items() if path not in {*all_of, *some_of}})
    if (whole := all_of.pop((), None)) is not None:
        every = move.everything(at, "")
        every = every if isinstance(every, dict) and set(every) <= set(kind.__struct_fields__) else None
        if not every or all_of or some_of or not whole.is_so_many(pieces(every)):
            raise Unclear(ALL)
        yield msgspec.structs.replace(move, **every)
        return
    for path, wanted in all_of.items():
        everything = _everything(move, path, at)
        if wanted.bare and move.everything(at, ""):
            return  # not of this field alone
        if everything is None or not wanted.is_so_many(everything):
            raise Unclear({*ALL, *OWNING})
        move = _with(move, path, everything)
    moves = [move]
    for path, some in some_of.items():
        moves = [_with(one, path, way) for one in moves for way in _ways_to_have(one, path, some, at)]
    yield from moves


def _is_alone(value: Any) -> bool:
    return isinstance(value, dict) and any(isinstance(n, Everything) and n.alone for n in value.values())


def _counted(kind: type[Move], said: Said, path: tuple[str, ...], at: Position[Any]) -> Any:
    """The value of a field, with numbers for `all` of a piece and for a piece alone."""
    value = said[path]
    if not isinstance(value, dict) or not any(isinstance(n, Everything) for n in value.values()):
        return value
    plain = {p: v for p, v in said.items() if p != path and isinstance(v, str | int)}
    tallies = {p: v for p, v in said.items() if p != path and isinstance(v, dict)}
    others = {p: v for p, v in tallies.items() if not any(isinstance(n, Everything) for n in v.values())}
    there = _everything(build(kind, {**plain, **others}), path, at)
    counted = {}
    for piece, n in value.items():
        if isinstance(n, Everything):
            most = there.get(piece) if isinstance(there, dict) else None
            whole = n.things and n.n in (None, 1)  # `both armies` are the two that are due
            standing = build(kind, {**plain, **others}).standing(at, path[-1]) if whole else None
            if standing is not None and standing.get(piece, 0) > (most or 0):
                raise Unclear(ALL)  # more stand there than can be meant
            if n.alone:
                counted[piece] = most if most and len(value) == 1 else 1
            elif most is None or not n.is_so_many(most):
                raise Unclear({*ALL, *OWNING})
            else:
                counted[piece] = most
        else:
            counted[piece] = n
    return counted


def _everything(move: Move, path: tuple[str, ...], at: Position[Any]) -> Any:
    return move.everything(at, path[-1]) if len(path) == 1 else None


def _with(move: Move, path: tuple[str, ...], value: Any) -> Move:
    attribute = next(field.attributes[0] for field in fields(type(move)) if field.path == path)
    return msgspec.structs.replace(move, **{attribute: value})


def _ways_to_have(move: Move, path: tuple[str, ...], some: Some, at: Position[Any]) -> Iterable[Any]:
    """Every way to have so many things in a field."""
    if some:
        return [tuple(some)] if len(some) == some.many else []
    everything = _everything(move, path, at)
    if everything is None or comb(len(everything), some.many) > MOST_TIMES:
        raise Unclear
    return combinations(everything, some.many)


def pieces(every: Mapping[str, Any]) -> int:
    """The number of things in several fields together."""
    sizes = (
        value if isinstance(value, int) else len(value) for value in every.values() if isinstance(value, int | Sized)
    )
    return sum(sizes)


__all__ = ["ALL", "HAVING", "MOST_TIMES", "OWNING", "TOGETHER", "Everything", "Some", "Times", "Unclear", "moves_with"]
