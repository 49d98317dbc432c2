"""One move said several times by a number: `recruits 2 spearmen`, `gathers twice`, `takes chi with both clerks`.

A kind of move says whether it may be repeated so, and what a number counts (`Move.repeats`, `Move.counted`). Values
that each of the moves needs are dealt out: `2 spearmen on a1 and b1`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from msgspec.structs import replace

from companion.engine.language.books import Books
from companion.engine.language.fields import Field, fields, value_of
from companion.engine.language.words import PLURAL, Token, number, singular
from companion.engine.play.moves import Move

ONCE = {"once": 1, "twice": 2, "thrice": 3}
MOST = 20
"""No one does a thing more often in one line."""


class Said(NamedTuple):
    """The words without those that say how often, and how often."""

    times: int
    words: list[Token]


def repeated(kind: type[Move], words: list[Token], books: Books) -> Iterator[Said]:
    """Every way in which a number among the words of a move says how often it is made."""
    if kind.repeats is None:
        return
    for i, word in enumerate(words):
        if word.text in ONCE:
            yield Said(ONCE[word.text], [*words[:i], *words[i + 1 :]])
            continue
        n = 2 if word.text == "both" else number(word.text)
        if n is None or not 1 <= n <= MOST or i + 1 == len(words):
            continue
        if singular(words[i + 1].text) == "time":
            yield Said(n, [*words[:i], *words[i + 2 :]])
        elif singular(words[i + 1].text) in kind.counted:
            if i and words[i - 1].text in ("with", "by"):
                yield Said(n, [*words[: i - 1], *words[i + 2 :]])
            else:
                yield Said(n, [*words[:i], *words[i + 2 :]])
                yield Said(n, [*words[:i], *words[i + 1 :]])
        elif kind.repeats and any(match.cost <= PLURAL for match in _book(kind, books).matches(words, i + 1)):
            yield Said(n, [*words[:i], *words[i + 1 :]])


def _book(kind: type[Move], books: Books) -> Any:
    return books[next(field for field in fields(kind) if field.name == kind.repeats)]


def dealt(move: Move, times: int) -> list[Move]:
    """The move so many times, each with its share of what is dealt out; empty if the shares are not equal."""
    if times == 1:
        return [move]
    for field in fields(type(move)):
        if field.name in type(move).deals and (values := value_of(move, field)):
            if len(values) % times:
                return []
            share = len(values) // times
            return [_with(move, field, values[n * share : (n + 1) * share]) for n in range(times)]
    return [move] * times


def _with(move: Any, field: Field, value: Any) -> Any:
    """The move with another value in a field, which may lie in a record of its own."""
    first, *rest = field.attributes
    if rest:
        value = replace(getattr(move, first), **{rest[0]: value})
    return replace(move, **{first: value})


__all__ = ["dealt", "repeated"]
