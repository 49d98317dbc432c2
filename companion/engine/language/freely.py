"""One thing said in no usual order: the player after the thing, the verb at the end, or no verb: `two stone from the
quarry for ann`, `mine is Old Flint`.

A line that cannot be read otherwise is tried against every kind of move that is possible now. Its verb and its player
may stand anywhere, and the words that only help a sentence fall out; every other word has to be said by a field, as
anywhere. Nothing is read this way that the rules forbid.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from companion.engine.language.arguments import Arguments
from companion.engine.language.books import Books
from companion.engine.language.everything import ALL
from companion.engine.language.fields import actor, fields
from companion.engine.language.helping import (
    BEFORE,
    HELPING,
    LIGHT,
    PLACES,
    Place,
    all_values,
    in_row,
    is_told,
    is_true,
    joins_one_way,
    known_places,
    naming,
    value_places,
    where_it_is,
)
from companion.engine.language.mentions import ME as I
from companion.engine.language.named import ArgumentError
from companion.engine.language.reading import plain_heads
from companion.engine.language.synonyms import instead_of, told_in_past
from companion.engine.language.together import NO
from companion.engine.language.verbs import verbs
from companion.engine.language.wording import announces
from companion.engine.language.words import (
    ALSO,
    ARTICLES,
    BEING,
    EVERYBODY,
    ORDINALS,
    OWNER,
    PLACING,
    PLURAL,
    SMALL,
    TIMES,
    Token,
    number,
    past,
    singular,
)
from companion.engine.play.domains import Count, Seat
from companion.engine.play.lines import try_line
from companion.engine.play.moves import Move, maker
from companion.engine.play.parts import Turn

ME = I | {"we"}
"""Words for whoever types."""
SEVERAL = frozenset(("we", "they"))
ONE = frozenset(("a", "an"))
JOINING = frozenset(["to", "for", "by", "from", "with", "as", "into", "onto", "of", "in", "on", "at", "out"])
"""Words of those that join a thing to what it is to the move: of two places, where it comes from and where it goes."""
ONCE = frozenset(("one", "1", "+1", "another", "more", "once"))
"""Words that say that a move is made once, or once more."""
DEFINITE = frozenset(("the", "my", "your", "his", "her", "its", "our", "their", "this", "that", *PLACING)) | JOINING
"""Words before something known."""
BY = frozenset(("for", "by", "of"))
"""Those that join it to whoever does it: `a pear for ana`."""
DEAREST = 3
"""In points of what words cost."""
TOLD = 2
"""Words that only the rules of a move tell fell out."""
TELLING = NO | EVERYBODY | {"without", "except", *ALL, *TIMES, *ALSO, *ORDINALS}
"""Words that are never passed over, beside numbers and names."""


class Heard(NamedTuple):
    """A move that words may say; the less its `rank`, the likelier."""

    rank: tuple[int, ...]
    move: Move


def freely(words: list[Token], books: Books, me: str) -> list[list[Move]]:
    """The moves possible now that words say in any order, every word of them; those whose verb is said before those
    whose is not."""
    return [[one.move] for one in _likeliest(_heard(words, books, me), books)]


def _likeliest(found: list[Heard], books: Books) -> list[Heard]:
    """Of those with the least rank that the rules do not forbid, each move once."""
    for rank in sorted({one.rank for one in found}):
        kept: list[Heard] = []
        for one in found:
            known = one.rank != rank or any(one.move == other.move for other in kept)
            if not known and try_line(books.at, [one.move]).verdict.legal is not False:
                kept.append(one)
        if kept:
            return kept
    return []


def _heard(words: list[Token], books: Books, me: str) -> list[Heard]:
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
        for seat, left in whoever(rest, makers, books, me, named=actor(kind) is not None):
            for way in _ways_to_leave(kind, left, books, words):
                if not said and way.wide == TOLD:
                    continue  # `ben has a cup of tea` names Shared Cup, and tells nothing of what is done with it
                if not said and not _names_something(kind, way.plain, books) and not _is_event(kind, way):
                    continue
                if not in_row(kind, way.places, way.plain, books):
                    continue
                found += [
                    Heard((not said, way.wide, cost), move)
                    for cost, move in _read(kind, way.plain, books, seat)
                    if is_true(kind, move, way.nouns, books) and is_told(move, way.told, books)
                ]
    return found


def _read(kind: type[Move], words: list[Token], books: Books, seat: str) -> list[tuple[int, Move]]:
    try:
        readings = Arguments(kind, books, words).read(seat, seat)
    except ArgumentError:
        return []
    return [(cost, move) for cost, move in readings if cost <= DEAREST]


class Left(NamedTuple):
    """The words of a line that have to be said by a kind of move, and those that fell out."""

    plain: list[Token]
    nouns: tuple[str, ...] = ()
    """Words for what a thing is, to be true of what the move says."""
    places: tuple[Place, ...] = ()
    """Words for the place of a thing in a row, to be true of it, too."""
    definite: frozenset[int] = frozenset()
    """The places among the plain words of those that say something known: `the deck`, `in hand`."""
    told: tuple[str, ...] = ()
    """Words that have to stand in the rules by which the move is made."""
    wide: int = 0
    """The kinds of words that fell out: 1, those of the kind of move; TOLD, those of its rules, too."""


def _ways_to_leave(kind: type[Move], words: list[Token], books: Books, line: list[Token]) -> Iterator[Left]:
    """Every way to leave words out of a kind of move. A word that joins is left out where nothing of the move follows
    it."""
    known = known_places(fields(kind), words, books)

    def joins(n: int) -> bool:
        after = past(ARTICLES, words, n + 1)
        counts = after < len(words) and (after in known or number(words[after].text) is not None)
        return words[n].text in JOINING and counts

    ordered = any(field.domain is not None and field.domain.ordered for field in fields(kind))
    plain = [
        word
        for n, word in enumerate(words)
        if not _helps(kind, word) or n in known or _announces(kind, word) or joins(n)
    ]
    yield Left(plain)
    wide = _widely(kind, words, books, line, ordered=ordered)
    if len(wide.plain) < len(plain):
        yield wide
    told = _told_by_rules(kind, wide, books)
    if told is not None:
        yield told


def _widely(kind: type[Move], words: list[Token], books: Books, line: list[Token], *, ordered: bool) -> Left:
    """The words without those by which the game calls a kind of move or what it is about, and without those that say
    which of several in a row a thing is."""
    values = value_places(fields(kind), words, books)
    known = fields(kind)
    counting = any(field.many or isinstance(field.domain, Count) for field in known)
    plain: list[Token] = []
    nouns: list[str] = []
    places: list[Place] = []
    definite: set[int] = set()
    event = kind.role == "event" and actor(kind) is None and not values
    for n, word in enumerate(words):
        one = singular(word.text)
        after = past(ARTICLES, words, n + 1)
        follows = after < len(words) and (after in values or number(words[after].text) is not None)
        announcing = _announces(kind, word)
        if not counting and (word.text in ONE or (word.text in ONCE and not follows)):
            continue  # it is made once
        before = next((one.text for one, after_it in pairwise(line) if after_it is word), "")
        if before in DEFINITE or (plain and len(plain) - 1 in definite and plain[-1] is words[n - 1]):
            definite.add(len(plain))
        if word.text == "there" and not any(one.text in BEING for one in words[n + 1 : n + 2]):
            plain.append(word)  # a place
            continue
        if n in values or word.whole or number(word.text) is not None:
            plain.append(word)
        elif word.text in JOINING and (follows or (after < len(words) and words[after].whole)):
            if before == "up" or not joins_one_way(kind, words, after, books):
                plain.append(word)
        elif announcing and not (word.text in HELPING or word.text in JOINING):
            plain.append(word)
        elif ordered and (word.text in PLACES or word.text == BEFORE):
            places.append(Place(word.text, len(plain)))
        elif _helps(kind, word) or (word.text in JOINING and after == len(words)):
            continue
        elif any(field.domain is not None and one in books.nouns(field.domain) for field in known):
            counting_it = [one.text for one in words[:n] if one.text not in ARTICLES and one.text != "of"][-1:]
            if counting_it and (number(counting_it[0]) is not None or counting_it[0] in ALL):
                plain.append(word)  # `all her armies`
            else:
                nouns.append(one)
        elif one not in naming(kind) or not event:
            plain.append(word)
    while plain and plain[-1].text in ONE:
        plain.pop()
    return Left(plain, tuple(nouns), tuple(places), frozenset(definite), wide=1)


def _told_by_rules(kind: type[Move], way: Left, books: Books) -> Left | None:
    """The words without those that nothing of the move says, and without the place where the game is; None where one
    of them says something by itself: a number, a name, a thing of the game, what somebody does."""
    words = way.plain
    values = value_places(fields(kind), words, books)
    counted = any(number(word.text) is not None or word.whole for word in words)
    event = kind.role == "event" and actor(kind) is None and not values and not counted
    of_the_game, things = plain_heads(books), all_values(books)
    kept: list[Token] = []
    told: list[str] = []
    end = 0
    for n, word in enumerate(words):
        one = singular(word.text)
        if n < end:
            continue
        if (
            n in values
            or word.whole
            or number(word.text) is not None
            or word.text in JOINING
            or (_announces(kind, word) and not event)
        ):
            kept.append(word)
        elif one in things and (end := where_it_is(words, n, books)):
            while kept and kept[-1].text in JOINING:
                kept.pop()
        elif word.text in NO or word.text in ONE or (not event and not _may_be_told(n, way, things | of_the_game)):
            return None
        else:
            told.append(word.text)
    while event and kept and kept[-1].text in JOINING:
        kept.pop()
    if kept and not TELLING.isdisjoint(told):
        return None
    return way._replace(plain=kept, told=tuple(told), wide=TOLD) if len(kept) < len(words) else None


def _may_be_told(n: int, way: Left, of_the_game: frozenset[str]) -> bool:
    """True if a word beside what a move says may only tell of it: something known that is no thing of the game and no
    verb, or a word without a meaning of its own that has no number after it."""
    word, after = way.plain[n], way.plain[n + 1 : n + 2]
    counts = bool(after) and (number(after[0].text) is not None or after[0].text in ONE)
    known = {word.text, singular(word.text)} & of_the_game or word.text == "there"
    return not known and not counts and (n in way.definite or word.text in LIGHT)


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


def _helps(kind: type[Move], word: Token) -> bool:
    """True if a word only helps a sentence; those for several people do where a move says nobody who makes it."""
    return word.text in HELPING and (word.text not in SEVERAL or actor(kind) is None)


def _is_event(kind: type[Move], way: Left) -> bool:
    """True if an event that nobody makes is told by words for it alone."""
    return kind.role == "event" and actor(kind) is None and not way.plain and bool(way.nouns)


def _announces(kind: type[Move], word: Token) -> bool:
    return any(announces(field, word.text) for field in fields(kind))


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
                known = known_places(fields(kind), words, books) if again else set()
                return True, [left for i, left in enumerate(words) if i not in gone | (again - known)]
    return False, words


@cache
def _verb_words(kind: type[Move]) -> tuple[tuple[str, ...], ...]:
    """The words of the verbs of a kind that do more than join, those after the first in the singular."""
    phrases = [verb.lower().split() for verb in verbs(kind)]
    known = [[word for word in said if word not in SMALL] for said in phrases if "for" not in said[1:]]
    return tuple((first, *map(singular, more)) for first, *more in filter(None, known))


def whoever(
    words: list[Token], makers: set[str], books: Books, me: str, *, named: bool
) -> Iterator[tuple[str, list[Token]]]:
    """(seat, the words without it) for everybody who may be meant to make a move. `named`: the move says who does."""
    if not named:
        yield "", [Token(me.lower(), word.typed, whole=True) if me and word.text == "me" else word for word in words]
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
    if before in JOINING - BY and not OWNER.search(words[first].typed):
        if first not in told or not mine:
            return  # `2 armies to ben` are not ben's
        first = mine[0]  # `war on ben! i send 2 armies`
        before = ""
    who = people[words[first].text] if first in told else me
    gone = {first} if first in told else {*mine}  # of two people the one named first does it: `cem gave ann 2 cards`
    if who in makers:
        yield who, [word for n, word in enumerate(words) if n not in (gone | {first - 1} if before in BY else gone)]


__all__ = ["ME", "freely", "whoever"]
