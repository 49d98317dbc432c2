"""Words that help a sentence and say nothing of a move, and those that say of a move what is true of it anyway.

The first are one list for all games, and no game may add to it. The second are words of the game: those by which it
calls a kind of move (`the provincial army`, `the tiles of the round`), what a thing is that the move names (`the
daring general`), and the place of a thing among several whose order counts (`Tibet first, Gansu last`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from functools import cache
from typing import NamedTuple

from companion.engine.language.books import Books
from companion.engine.language.fields import Field, actor, fields, value_of
from companion.engine.language.synonyms import told_in_past
from companion.engine.language.verbs import verbs
from companion.engine.language.wording import announces
from companion.engine.language.words import (
    ARTICLES,
    BEING,
    ORDINALS,
    PLACING,
    PLURAL,
    POLITE,
    SMALL,
    WISHING,
    Token,
    number,
    singular,
    tokens,
)
from companion.engine.play.domains import Count, Pairs, Tally
from companion.engine.play.lines import try_line
from companion.engine.play.moves import Move

_HELPING = (
    "and n to for by from with as into onto it its that this these there here = >",
    "go goes going went being been had having does do did can could may who which what where",
    "we they she he you hers theirs ours yours let lets",
    "just again up over finally exactly simply really",
    "ha oh ah yes yeah well hey look alright right sorry sadly luckily anyway thanks thank fine course",
)
HELPING = (ARTICLES - {"a", "an"} | PLACING | POLITE | BEING | WISHING).union(*map(str.split, _HELPING))
"""Words that only help a sentence, unless they announce a field."""
_LIGHT = "got come comes came coming gone bring brings brought use uses used choose chose chosen play played"
LIGHT = frozenset(_LIGHT.split())
"""Words that only say that something happens, beside words that say what."""
_HAPPENING = "gets get put make made pick want wanted off out up down back next over done taken passed start begin"
HAPPENING = LIGHT.union(_HAPPENING.split())
"""Those that do so of an event that comes by itself."""
LAST = "last"
PLACES = frozenset((LAST, *ORDINALS))
"""Words for the place of one of several things in a row, which their order says as well."""
BEFORE = "before"
"""Word between two of them."""


class Place(NamedTuple):
    """A word for a place in a row, and between which of the words that stay it stood."""

    word: str
    at: int


@cache
def naming(kind: type[Move]) -> frozenset[str]:
    """The words, in the singular, by which a game calls a kind of move."""
    names = (kind.name.replace("_", " "), *verbs(kind))
    return frozenset(singular(word) for name in names for word in name.lower().split() if word not in SMALL)


def is_true(kind: type[Move], move: Move, nouns: Iterable[str], books: Books) -> bool:
    """True if each of some nouns says what something is that a move says."""
    return all(any(_is_a(field, move, noun, books) for field in fields(kind)) for noun in nouns)


def _is_a(field: Field, move: Move, noun: str, books: Books) -> bool:
    domain, value = field.domain, value_of(move, field)
    if domain is None or value == field.default or noun not in books.nouns(domain):
        return False
    values = [*value] if isinstance(value, list | tuple | dict) else [value]
    return isinstance(domain, Count) or all(domain.is_a(books.at, one, noun) for one in values)


def in_row(kind: type[Move], places: Collection[Place], words: list[Token], books: Books) -> bool:
    """True if words like `first` and `last` say of the things before them, or of those after them, which they are."""
    ordered = [field for field in fields(kind) if field.domain is not None and field.domain.ordered]
    if not places:
        return True
    if len(ordered) != 1:
        return False
    starts = _starts(ordered[0], words, books)
    return any(all(_is_there(place, starts, after) for place in places) for after in (True, False))


def _starts(field: Field, words: list[Token], books: Books) -> list[int]:
    """The places where the values of a field begin."""
    found, n = list[int](), 0
    while n < len(words):
        longest = max((m.length for m in books[field].matches(words, n) if m.cost <= PLURAL), default=0)
        found += [n] if longest else []
        n += longest or 1
    return found


def _is_there(place: Place, starts: list[int], after: bool) -> bool:
    before = sum(start < place.at for start in starts)
    if place.word == BEFORE:
        return 0 < before < len(starts)
    which = before if after else before - 1
    wanted = len(starts) - 1 if place.word == LAST else ORDINALS[place.word] - 1
    return which == wanted


def joins_one_way(kind: type[Move], words: list[Token], n: int, books: Books) -> bool:
    """True if what stands at `n` can be but one thing to a kind of move, so that nothing hangs on the word before it:
    no two fields hold such things, and it is nobody."""
    taking = [
        field
        for field in fields(kind)
        if field.domain is not None
        and (
            any(match.cost <= PLURAL for match in books[field].matches(words, n))
            or (isinstance(field.domain, Count | Tally) and number(words[n].text) is not None)
        )
    ]
    groups = [field.group for field in fields(kind)]
    if len(taking) != 1 or groups.count(taking[0].group) != 1:
        return False
    return not isinstance(taking[0].domain, Pairs | Tally) and (taking[0] != actor(kind))


def known_places(of: Iterable[Field], words: list[Token], books: Books) -> set[int]:
    """The places of the words that some fields know: their values, and what announces these or says what they are and
    does more than join."""
    of = [field for field in of if field.domain is not None]
    about = {
        n
        for n, word in enumerate(words)
        if word.text not in HELPING and any(is_about(field, word.text, books) for field in of)
    }
    return about | value_places(of, words, books)


def is_about(field: Field, word: str, books: Books) -> bool:
    """True if a word announces a field, or is a noun for its values."""
    return announces(field, word) or (field.domain is not None and singular(word) in books.nouns(field.domain))


def value_places(of: Iterable[Field], words: list[Token], books: Books) -> set[int]:
    """The places of the words that are values of some fields."""
    found: set[int] = set()
    for field in of:
        for n in range(len(words)) if field.domain is not None else ():
            for match in books[field].matches(words, n):
                if match.cost <= PLURAL:
                    found |= {*range(n, n + match.length)}
    return found


def all_values(books: Books) -> frozenset[str]:
    """The words, in the singular, for things of the game."""
    rules = books.at.rules
    found: frozenset[str] | None = rules.__dict__.get("_all_values")
    if found is None:
        known = [field for kind in rules.moves.values() for field in fields(kind) if field.domain is not None]
        texts = [text for field in known if not isinstance(field.domain, Count) for text in books[field].texts()]
        texts += [text for words in rules.vocabulary.values() for text in words]
        found = frozenset(singular(word) for text in texts for word in text.lower().split() if word not in SMALL)
        rules.__dict__["_all_values"] = found
    return found


def where_it_is(words: list[Token], n: int, books: Books) -> int:
    """The place after the words at `n` that name where the game is just now; 0 if they do not."""
    for end in range(min(len(words), n + 3), n, -1):
        if books.at.rules.opens(" ".join(word.text for word in words[n:end]), books.at) == []:
            return end
    return 0


def is_told(move: Move, told: Collection[str], books: Books) -> bool:
    """True if some words stand in what the rules tell of a move, or in the rules by which it is made."""
    if not told:
        return True
    outcome = try_line(books.at, [move])
    if not outcome.done:
        return False
    rules = books.at.rules.game.rules
    cited = dict.fromkeys(event.rule for event in outcome.events if not event.aside)
    texts = [f"{rules[rule].title} {rules[rule].text}" for rule in cited if rule in rules]
    texts += [event.what for event in outcome.events if not event.aside]
    said = {singular(word.text) for text in texts for word in tokens(text)}
    said |= LIGHT if type(move).role != "event" else HAPPENING
    return all(singular(word) in said or not said.isdisjoint(told_in_past(word)) for word in told)


__all__ = [
    "BEFORE",
    "HELPING",
    "LIGHT",
    "PLACES",
    "Place",
    "all_values",
    "in_row",
    "is_about",
    "is_told",
    "is_true",
    "joins_one_way",
    "known_places",
    "naming",
    "value_places",
    "where_it_is",
]
