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
from companion.engine.language.verbs import verbs
from companion.engine.language.words import ALSO, ARTICLES, PLURAL, Token, number, singular
from companion.engine.play.domains import Tally
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
        if kind.deals and _several(kind, words, i, books):
            yield Said(0, words)  # as many as there are values to deal out
        if word.text in ONCE:
            yield Said(ONCE[word.text], [*words[:i], *words[i + 1 :]])
            continue
        if word.text == "other" and kind.counted and (begin := _with_the(words, i)) is not None:
            yield Said(1, [*words[:begin], *words[i + 1 :]])  # `raises the overseer with the other`
            continue
        n = ALSO.get(word.text) or number(word.text)
        if n is None or not 1 <= n <= MOST or i + 1 == len(words):
            continue
        more = i + 2 if words[i + 1].text == "more" and i + 2 < len(words) else i + 1
        before, unit = words[:i], singular(words[more].text)
        after = [one for one in words[more + 1 :] if not _all_of(one, n)]
        if unit == "time":
            yield Said(n, [*before, *after])
        elif unit in kind.counted and not (word.text == "both" and _holds(kind, unit, books)):
            if i and words[i - 1].text in ("with", "by"):
                yield Said(n, [*words[: i - 1], *after])
            elif not _is_of_another(kind, unit, books):
                yield Said(n, [*before, *after])
                yield Said(n, [*before, words[more], *after])
        elif kind.repeats and _says_one(kind, words, more, books):
            yield Said(n, [*before, words[more], *after])


def _holds(kind: type[Move], unit: str, books: Books) -> bool:
    """True if some field of several things holds the things with this name, so that `both` means all there are."""
    return any(field.many and field.domain and unit in books.nouns(field.domain) for field in fields(kind))


def _is_of_another(kind: type[Move], unit: str, books: Books) -> bool:
    """True if a verb with the things that are counted is one of another kind: `buys another clerk`, with no advisor."""
    with_unit = {f"{verb} {unit}" for verb in verbs(kind)}
    return any(not with_unit.isdisjoint(verbs(other)) for other in books.at.rules.moves.values() if other is not kind)


def _with_the(words: list[Token], i: int) -> int | None:
    """The place of `with the` or `with her` before a word; None if it does not stand there."""
    begin = i - 1 if i and words[i - 1].text in ARTICLES else i
    return begin - 1 if begin and words[begin - 1].text in ("with", "by") else None


def _all_of(word: Token, n: int) -> bool:
    """True if a word says that all of them do it: `2 archers, both onto the wall`."""
    return n > 1 and (word.text == "all" or (word.text == "both" and n == 2))


def _says_one(kind: type[Move], words: list[Token], i: int, books: Books) -> bool:
    return any(match.cost <= PLURAL for match in _book(kind, books).matches(words, i))


def _several(kind: type[Move], words: list[Token], i: int, books: Books) -> bool:
    """True if a word is a plural, without a number, of the thing that is repeated: `spearmen`."""
    text = words[i].text
    counted = i > 0 and (number(words[i - 1].text) is not None or words[i - 1].text == "both")
    return bool(kind.repeats) and singular(text) != text and not counted and _says_one(kind, words, i, books)


def _book(kind: type[Move], books: Books) -> Any:
    return books[next(field for field in fields(kind) if field.name == kind.repeats)]


def dealt(move: Move, times: int) -> list[Move]:
    """The move so many times, each with its share of what is dealt out; empty if the shares are not equal."""
    if times == 1:
        return [move]
    for field in fields(type(move)):
        if isinstance(field.domain, Tally) and field.path == ("pay",) and (paid := value_of(move, field)):
            if any(n % times for n in paid.values()):
                return []
            move = _with(move, field, {kind: n // times for kind, n in paid.items()})
    for field in fields(type(move)):
        if field.name in type(move).deals and (values := value_of(move, field)):
            many = times or len(values)
            share = len(values) // many
            return (
                []
                if len(values) % many
                else [_with(move, field, values[n * share : (n + 1) * share]) for n in range(many)]
            )
    return [move] * times


def _with(move: Any, field: Field, value: Any) -> Any:
    """The move with another value in a field, which may lie in a record of its own."""
    first, *rest = field.attributes
    if rest:
        value = replace(getattr(move, first), **{rest[0]: value})
    return replace(move, **{first: value})


__all__ = ["dealt", "repeated"]
