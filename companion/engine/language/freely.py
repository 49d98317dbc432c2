"""One thing said in no usual order: the player after the thing, the verb at the end, or no verb: `two stone from the
quarry for ann`, `mine is Old Flint`.

A line that cannot be read otherwise is tried against every kind of move that is possible now. Its verb and its player
may stand anywhere, and the words that only help a sentence fall out; every other word has to be said by a field, as
anywhere. Nothing is read this way that the rules forbid.

Where other words are left over, what the rest says is a guess. Nobody's guess is recorded: it is asked.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from companion.engine.language.arguments import Arguments
from companion.engine.language.beside import NO
from companion.engine.language.books import Books
from companion.engine.language.everything import ALL
from companion.engine.language.fields import Field, actor, fields
from companion.engine.language.named import ArgumentError
from companion.engine.language.reading import plain_heads
from companion.engine.language.synonyms import instead_of, told_in_past
from companion.engine.language.verbs import verbs
from companion.engine.language.wording import announces
from companion.engine.language.words import (
    ALSO,
    ARTICLES,
    BEING,
    EVERYBODY,
    ORDINALS,
    PLACING,
    PLURAL,
    POLITE,
    SMALL,
    TIMES,
    WISHING,
    Token,
    number,
    past,
    singular,
)
from companion.engine.play.domains import Count, Seat
from companion.engine.play.lines import try_line
from companion.engine.play.moves import Move, maker
from companion.engine.play.parts import Turn, parts_of

ME = frozenset(("i", "me", "my", "mine", "myself", "we"))
"""Words for whoever types."""
_HELPING = (
    "and n to for by from with as into onto it its that this these there here",
    "go goes going went being had do does did can could who which",
    "just again up over",
    "ha oh ah yes yeah well hey look alright right",
)
HELPING = (ARTICLES - {"a", "an"} | PLACING | POLITE | BEING | WISHING).union(*map(str.split, _HELPING))
"""Words that only help a sentence, unless they announce a field."""
ONE = frozenset(("a", "an"))
JOINING = frozenset(["to", "for", "by", "from", "with", "as", "into", "onto", "of", "in", "on", "at", "out"])
"""Words of those that join a thing to what it is to the move: of two places, where it comes from and where it goes."""
BY = frozenset(("for", "by", "of"))
"""Those that join it to whoever does it: `a pear for ana`."""
DEAREST = 3
"""In points of what words cost."""
TELLING = NO | EVERYBODY | {"without", "except", *ALL, *TIMES, *ALSO, *ORDINALS}
"""Words that no guess passes over, beside numbers and names."""
PLACES = frozenset(("last", *ORDINALS))
"""Words for the place of one of several things in a row, which their order says as well."""
UNITS = frozenset(["card", "piece", "cube", "disc", "token", "tile", "marker", "thing", "unit", "more", "new", "other"])
"""Words for whatever a number counts."""
MOST_GUESSES = 3
MOST_LEFT_OVER = 3
"""So many words more than it is read from may be left over of a guess."""


class Heard(NamedTuple):
    """A move that words may say; the less its `rank`, the likelier."""

    rank: tuple[int, ...]
    move: Move
    left: tuple[str, ...] = ()
    """The words that are left over."""


def freely(words: list[Token], books: Books, me: str) -> list[list[Move]]:
    """The moves possible now that words say in any order, every word of them; those whose verb is said before those
    whose is not."""
    return [[one.move] for one in _likeliest(_heard(words, books, me, guessing=False), books, (True, None))]


def guesses(words: list[Token], books: Books, me: str) -> tuple[str, list[list[Move]]]:
    """The words that are left over, and the moves possible now that the others may say; never one that leaves out a
    number, a name, or a word like `not` or `both`."""
    found = _likeliest(_heard(words, books, me, guessing=True), books, (True,))
    if not 0 < len(found) <= MOST_GUESSES:
        return "", []
    return " ".join(found[0].left), [[one.move] for one in found]


def _likeliest(found: list[Heard], books: Books, wanted: tuple[bool | None, ...]) -> list[Heard]:
    """Of those with the least rank whose verdict is `wanted`, each move once."""
    for rank in sorted({one.rank for one in found}):
        kept: list[Heard] = []
        for one in found:
            known = one.rank != rank or any(one.move == other.move for other in kept)
            if not known and try_line(books.at, [one.move]).verdict.legal in wanted:
                kept.append(one)
        if kept:
            return kept
    return []


def _heard(words: list[Token], books: Books, me: str, *, guessing: bool) -> list[Heard]:
    found: list[Heard] = []
    if len(words) < 2 or any(word.key for word in words):
        return found  # a name alone says nothing of its own
    for kind in books.at.rules.moves.values():
        if issubclass(kind, Turn) or not (legal := books.legal_of(kind)):
            continue
        makers = {maker(move) for move in legal}
        said, rest = _without_verb(kind, words, books)
        if not said and not kind.verbless:
            continue
        for seat, left in _by_whom(rest, makers, books, me, named=actor(kind) is not None):
            for plain, left_over in _ways_to_leave(kind, left, books, guessing=guessing):
                if not said and not _names_something(kind, plain, books):
                    continue
                evidence = len(plain) + said
                if len(left_over) > evidence + MOST_LEFT_OVER:
                    continue
                rank = (-evidence, len(left_over)) if guessing else (not said,)
                found += [Heard((*rank, cost), move, left_over) for cost, move in _read(kind, plain, books, seat)]
    return found


def is_about(words: list[Token], books: Books) -> bool:
    """True if any of some words is a verb of this game, a value of a field, or a noun for one."""
    turns = [kind for kind in books.at.rules.moves.values() if issubclass(kind, Turn)]
    steps = [step for turn in turns if (parts := parts_of(turn)) for step in parts.every]
    plain = [word for word in words if word.text not in HELPING and not word.whole]
    for kind in (*books.at.rules.moves.values(), *steps):
        heads = {first for first, *_ in _verb_words(kind)}
        if any({word.text, singular(word.text)} & heads for word in plain) or _known(kind, plain, books):
            return True
    return False


def _read(kind: type[Move], words: list[Token], books: Books, seat: str) -> list[tuple[int, Move]]:
    try:
        readings = Arguments(kind, books, words).read(seat, seat)
    except ArgumentError:
        return []
    return [(cost, move) for cost, move in readings if cost <= DEAREST]


def _ways_to_leave(
    kind: type[Move], words: list[Token], books: Books, *, guessing: bool
) -> Iterator[tuple[list[Token], tuple[str, ...]]]:
    """(the words without those that only help, what else fell out) for every way to leave words out of a kind of
    move. A word that joins is left out where nothing of the move follows it; a guess may leave out more."""
    known = _known(kind, words, books)

    def joins(n: int) -> bool:
        after = past(ARTICLES, words, n + 1)
        counts = after < len(words) and (after in known or number(words[after].text) is not None)
        return words[n].text in JOINING and counts

    plain: list[Token] = []
    left_over: tuple[str, ...] = ()
    ordered = any(field.domain is not None and field.domain.ordered for field in fields(kind))
    for n, word in enumerate(words):
        if word.text in HELPING and n not in known and not _announces(kind, word) and not joins(n):
            continue
        if guessing and n not in known and word.text not in ONE and number(word.text) is None and not word.whole:
            counted = n > 0 and number(words[n - 1].text) is not None and singular(word.text) not in UNITS
            coded = any(sign.isdigit() for sign in word.text)
            if counted or coded or (word.text in TELLING and not (ordered and word.text in PLACES)):
                return  # `with four bu` does not count armies
            left_over = (*left_over, word.typed) if word.text not in JOINING else left_over
            continue
        plain.append(word)
    yield plain, left_over
    if guessing and any(word.text in JOINING for word in plain):
        yield [word for word in plain if word.text not in JOINING], left_over


def _names_something(kind: type[Move], words: list[Token], books: Books) -> bool:
    """True if some words name a thing in a kind of move: more than a number, a player, or a general noun."""
    return any(
        match.cost <= PLURAL
        for field in fields(kind)
        if field.domain is not None and not isinstance(field.domain, Count | Seat)
        for n, word in enumerate(words)
        if number(word.text) is None
        for match in books[field].matches(words, n)
    )


def _announces(kind: type[Move], word: Token) -> bool:
    return any(announces(field, word.text) for field in fields(kind))


def _known(kind: type[Move], words: list[Token], books: Books) -> set[int]:
    """The places of the words that a field of a kind knows: its values and what they are called."""
    found: set[int] = set()
    for field in fields(kind):
        if field.domain is None:
            continue
        for n, word in enumerate(words):
            if _is_about(field, word, books):
                found.add(n)
            for match in books[field].matches(words, n):
                if match.cost <= PLURAL:
                    found |= {*range(n, n + match.length)}
    return found


def _is_about(field: Field, word: Token, books: Books) -> bool:
    """True if a word announces a field or is a noun for its values, and does more than join."""
    if word.text in HELPING or field.domain is None:
        return False
    return announces(field, word.text) or singular(word.text) in books.nouns(field.domain)


def _without_verb(kind: type[Move], words: list[Token], books: Books) -> tuple[bool, list[Token]]:
    """True if a whole verb of a kind is among the words; and the words without it. In a report without a player, the
    name before the verb is the teller: `kim draws three discs`."""
    teller = actor(kind) is None
    of_the_game = plain_heads(books)
    heads = frozenset(first for first, *_ in _verb_words(kind))
    said = [singular(word.text) for word in words]
    for n, word in enumerate(words):
        if word.whole or word.text in HELPING or (teller and n and words[n - 1].whole):
            continue
        forms = {word.text, said[n], *told_in_past(word.text)}
        forms |= set() if forms & of_the_game else {*instead_of(word.text, heads)}
        for first, *more in sorted(_verb_words(kind), key=len, reverse=True):
            if first in forms and {*said[:n], *said[n + 1 :]}.issuperset(more):
                gone = {n, *(said.index(one) for one in more)}
                again = {i for i, one in enumerate(said) if one in heads and i != n}  # `flags it and claims it`
                known = _known(kind, words, books) if again else set()
                return True, [left for i, left in enumerate(words) if i not in gone | (again - known)]
    return False, words


@cache
def _verb_words(kind: type[Move]) -> tuple[tuple[str, ...], ...]:
    """The words of the verbs of a kind that do more than join, those after the first in the singular."""
    known = [[word for word in verb.lower().split() if word not in SMALL] for verb in verbs(kind)]
    return tuple((first, *map(singular, more)) for first, *more in filter(None, known))


def _by_whom(
    words: list[Token], makers: set[str], books: Books, me: str, *, named: bool
) -> Iterator[tuple[str, list[Token]]]:
    """(seat, the words without it) for everybody who may be meant to make a move. `named`: the move says who does."""
    if not named:
        yield "", words
        return
    people = books.named
    mine = [n for n, word in enumerate(words) if word.text in ME]
    told = [n for n, word in enumerate(words) if word.whole and word.text in people]
    first = min([*told[:1], *mine[:1]], default=None)
    if first is None:
        if len(makers) == 1:
            yield next(iter(makers)), words
        return
    before = words[first - 1].text if first else ""
    if before in JOINING - BY:
        return  # `2 armies to ben` are not ben's
    who = people[words[first].text] if first in told else me
    gone = {first} if first in told else {*mine}  # of two people the one named first does it: `cem gave ann 2 cards`
    if who in makers:
        yield who, [word for n, word in enumerate(words) if n not in (gone | {first - 1} if before in BY else gone)]


__all__ = ["freely", "guesses", "is_about"]
