"""The pieces of a line that tells a turn of steps: a step, an answer to what a step asks, or which turn it is.

A piece says something if every word of it is a value of that step or announces one, belongs to a phrase by which people
say it (a verb, or one of the `phrases` in the game's `glossary.yaml`), or only helps the sentence. No two words of a
piece are the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from typing import Any, NamedTuple

from companion.engine.language.accounted import AWAY, BY, PLAIN, phrases_of
from companion.engine.language.answering import CHOOSING, TAKING, answer_book, answer_nouns
from companion.engine.language.arguments import Arguments
from companion.engine.language.books import Books
from companion.engine.language.everything import MOST_TIMES
from companion.engine.language.fields import Field, fields
from companion.engine.language.named import ArgumentError
from companion.engine.language.steps import is_said, names_something, needs_no_name, repeats, tagged
from companion.engine.language.ways import SMALL, stem
from companion.engine.language.words import ORDINALS, PLURAL, TIMES, Token, number, singular, tokens
from companion.engine.play.domains import Count, Domain
from companion.engine.play.moves import Move, acting
from companion.engine.play.parts import Part, Turn, parts_of
from companion.engine.play.spoken import with_steps

LONGEST = 11
"""Words of a piece."""
MOST_CUTS = 2
"""So many joints of the line may stand inside a piece."""
AWARE = AWAY | BY | {"against", "off", "out", "over", "back", "down"}
"""Words that help a sentence elsewhere, and in a step say where something comes from, or whose it is."""
GOING = frozenset(("go", "goes", "going", "come", "comes", "coming", "land", "lands"))
"""Words by which something comes somewhere, beside words that say what."""
CHOSEN = CHOOSING | TAKING | {"choice", "chosen", "chose", "took", "taken", "gain", "gained", "got", "going", "goe"}
"""Words by which the answer to what a step asks is told."""


class Said(NamedTuple):
    """A step that the words from `start` up to `end` say, `times` in a row. `named`: by a word for it, and not only by
    what it is about."""

    start: int
    end: int
    part: Part
    times: int
    named: bool


class Pieces:
    """The pieces of the words of a line within one turn. `cuts`: the places of words before which a joint stands."""

    def __init__(self, turn: Turn, words: list[Token], cuts: frozenset[int], books: Books) -> None:
        self.turn, self.words, self.cuts = turn, words, cuts
        self.books = books.within(turn)
        domain = parts_of(type(turn))
        self.kinds = domain.every if domain else ()
        self.fitting = {kind: fitting(kind, words, self.books) for kind in self.kinds}
        self._steps: dict[int, list[Said]] = {}

    def helps(self, n: int) -> bool:
        """True if a word may stand between two pieces."""
        word = self.words[n]
        return not word.whole and not word.key and (word.text in PLAIN or word.text in GOING)

    def steps(self, start: int, stop: int) -> list[Said]:
        """Every step that the words from `start` on say, ending at `stop` at the latest."""
        if start not in self._steps:
            self._steps[start] = [said for kind in self.kinds for said in self._of(kind, start)]
        return [said for said in self._steps[start] if said.end <= stop]

    def _of(self, kind: type[Part], start: int) -> Iterator[Said]:
        for end in self._ends(start, self.fitting[kind]):
            words = self.words[start:end]
            if all(number(word.text) is not None for word in words):
                continue  # in `governor horses 2` the number is that of the space
            known: list[Part] = []
            for part, phrased in readings(kind, words, self.books):
                named = phrased or self._is_called(kind, words)
                if _is_whole(part, phrased=phrased) and tagged(part) not in known:
                    known.append(tagged(part))
                    yield Said(start, end, tagged(part), 1, named)
            if not known and repeats(kind):
                yield from self._several(kind, start, end)

    def _several(self, kind: type[Part], start: int, end: int) -> Iterator[Said]:
        """A step that is taken so often as a number says: `2 markers`, `the bubble twice`."""
        words = self.words[start:end]
        for n, word in enumerate(words):
            times = TIMES.get(word.text) or number(word.text) or 0
            if not 0 < times <= MOST_TIMES or not (word.text in TIMES or self._counts(kind, words, n)):
                continue
            for part, phrased in readings(kind, [*words[:n], *words[n + 1 :]], self.books):
                named = phrased or self._is_called(kind, words)
                if named and _is_whole(part, phrased=phrased):
                    yield Said(start, end, tagged(part), times, named)

    def _counts(self, kind: type[Part], words: list[Token], n: int) -> bool:
        """True if a number counts a word for a step: `two walls`, and not `the wall in section 2`."""
        after = words[n + 1 : n + 2]
        return any(stem(word.text) in words_said(kind, self.books) or self._is_called(kind, [word]) for word in after)

    def _ends(self, start: int, fits: list[bool]) -> Iterator[int]:
        """Where a piece from `start` may end: it neither begins nor ends with a word that only helps."""
        if self.helps(start) and self.words[start].text not in TIMES and not fits[start]:
            return
        seen: set[str] = set()
        for n in range(start, min(len(self.words), start + LONGEST)):
            word = self.words[n]
            if word.whole or word.key or not (fits[n] or self.helps(n)):
                return
            if word.text in seen and not self.helps(n):
                return
            seen.add(word.text)
            if len([cut for cut in self.cuts if start < cut <= n]) > MOST_CUTS:
                return
            if fits[n] and (n + 1 == len(self.words) or n + 1 in self.cuts or not self._joins(n)):
                yield n + 1

    def _joins(self, n: int) -> bool:
        """True if a word wants another one after it."""
        return self.words[n].text in ("to", "into", "onto", "from", "for", "with", "a", "an", "the", "by")

    def _is_called(self, kind: type[Part], words: list[Token]) -> bool:
        """True if a word says what the things are that a step is about: `the timber tile`."""
        nouns = {noun for field in fields(kind) if field.domain for noun in self.books.nouns(field.domain)}
        return any(singular(word.text) in nouns for word in words)

    def answers(self, kind: type[Part], start: int, stop: int) -> Iterator[tuple[int, list[str], bool]]:
        """(place after them, answers, whether a word tells that they are answers) for every way in which the words from
        `start` on answer what a step may ask."""
        if not kind.answered_by:
            return
        book, nouns = answer_book(kind, self.books), answer_nouns(kind, self.books)
        found: list[str] = []
        said: set[str] = set()
        calling: set[str] = set()
        n, times, told, joined = start, 0, False, False
        while n < min(stop, start + LONGEST):
            word = self.words[n]
            one = singular(word.text)
            if (
                word.whole
                or word.key
                or (word.text in said and not self.helps(n))
                or (n in self.cuts and n > start and found)
            ):
                return
            said.add(word.text)
            match = min(book.matches(self.words, n), key=lambda match: match.cost, default=None)
            if match is not None and match.cost <= PLURAL and n + match.length <= stop:
                found += [match.value] * (times or 1)
                n, times = n + match.length, 0
            elif (count := number(word.text)) and not times:
                n, times = n + 1, count
            elif one in nouns:
                calling.add(one)
                n += 1
            elif {one, word.text} & CHOSEN or self._moves(kind, word):
                n, told = n + 1, True
            elif word.text in TOWARDS or self.helps(n):
                joined = joined or (word.text in TOWARDS and not found)
                n += 1
            else:
                return
            if found and (told or joined) and not times and self._fit(kind, found, calling):
                yield n, list(found), told

    def _moves(self, kind: type[Part], word: Token) -> bool:
        """True if people say such an answer with a word, as they say a step that names the same: `up on gold`."""
        groups = {getattr(domain, "set", "") for domain in kind.answered_by} - {""}
        return any(
            stem(word.text) in words_said(one, self.books)
            for one in every_part(self.books)
            if any(getattr(field.domain, "set", "") in groups for field in fields(one)[:1])
        )

    def _fit(self, kind: type[Part], found: list[str], calling: set[str]) -> bool:
        """True if every answer is what the words beside it call it."""
        at = self.books.at
        return all(
            any(noun in domain.nouns(at) and {*found} & {*domain.spoken(at).values()} for domain in kind.answered_by)
            for noun in calling
        )


def _is_whole(part: Part, *, phrased: bool) -> bool:
    """True if it is said which step it is, and what it is about."""
    return names_something(part) or (needs_no_name(type(part)) and (phrased or is_said(part)))


TOWARDS = frozenset(("to", "into", "onto", "for", "in", "at", "on", "with", "as"))


def fitting(kind: type[Move], words: list[Token], books: Books) -> list[bool]:
    """For each word, whether a kind of step or turn may need it."""
    said = words_said(kind, books)
    known = {singular(word) for field in fields(kind) if field.domain for word in _words_of(field, books)}
    return [
        not word.whole
        and (
            number(word.text) is not None
            or word.text in TIMES
            or word.text in ORDINALS
            or singular(word.text) in known
            or word.text in known
            or stem(word.text) in said
        )
        for word in words
    ]


def _words_of(field: Field, books: Books) -> Iterator[str]:
    domain: Domain | None = field.domain
    if domain is None or not domain.typed:
        return
    for text in books[field].texts():
        yield from text.lower().split()
    yield from books.nouns(domain)
    yield from (*domain.lead, *domain.after, field.path[-1].lower())


def words_said(kind: type[Move], books: Books) -> frozenset[str]:
    """The stems of the words in phrases for a kind."""
    kept: dict[type[Move], frozenset[str]] = books.at.rules.__dict__.setdefault("_words_said", {})
    if kind not in kept:
        kept[kind] = frozenset(word for phrase in phrases_of(kind, books.at.rules) for word in phrase)
    return kept[kind]


def every_part(books: Books) -> list[type[Part]]:
    """All kinds of steps of a game."""
    return [kind for kind in with_steps(books.at.rules.moves.values()) if issubclass(kind, Part)]


def readings(kind: type[Move], words: list[Token], books: Books, seat: str = "") -> Iterator[tuple[Any, bool]]:
    """(move or step, whether a phrase says it) for every way in which some words say a kind and nothing else."""
    stems = [stem(word.text) for word in words]
    done: list[list[Token]] = []
    needing = needing_of(kind)
    for phrase in phrases_of(kind, books.at.rules):
        if len(phrase) > len(words) or phrase[0] not in stems:
            continue
        for places in _places(phrase, stems):
            if not isinstance(fields(kind)[0].domain, Count) and _counted(words, places):
                continue
            rest = _needed(kind, [word for n, word in enumerate(words) if n not in places], books)
            if rest not in done and (rest or phrase not in needing):
                done.append(rest)
                yield from ((found, True) for found in _arguments(kind, rest, books, seat))
    yield from ((found, False) for found in _arguments(kind, _needed(kind, words, books), books, seat))


def _counted(words: list[Token], places: frozenset[int]) -> bool:
    """True if a number counts a word of a phrase: `3 crates` are not the crate on space 3."""
    return any(n - 1 not in places and number(words[n - 1].text) is not None for n in places if n)


@cache
def needing_of(kind: type[Move]) -> frozenset[tuple[str, ...]]:
    """The phrases that say a step only together with what it names."""
    texts = kind.needing if issubclass(kind, Part) else ()
    return frozenset(tuple(stem(word.text) for word in tokens(text) if word.text not in SMALL) for text in texts)


def _places(phrase: tuple[str, ...], stems: list[str]) -> Iterator[frozenset[int]]:
    """Where the words of a phrase stand, in order."""
    for start, one in enumerate(stems):
        if one != phrase[0]:
            continue
        places, n = [start], start
        for wanted in phrase[1:]:
            n = next((at for at in range(n + 1, len(stems)) if stems[at] == wanted), -1)
            if n < 0:
                break
            places.append(n)
        else:
            yield frozenset(places)


def _needed(kind: type[Move], words: list[Token], books: Books) -> list[Token]:
    """The words without those that only help."""
    known = {word for field in fields(kind) if field.domain for word in _words_of(field, books)}
    return [
        word
        for n, word in enumerate(words)
        if word.text in known
        or word.text in AWARE
        or not (word.text in PLAIN or word.text in GOING)
        or (word.text in SMALL and n + 1 < len(words) and number(word.text) is not None)
    ]


def _arguments(kind: type[Move], words: list[Token], books: Books, seat: str) -> list[Any]:
    """What some words say as values of the fields of a kind, each in full."""
    if not words:
        who = acting(kind)
        return [kind(**{who: seat}) if who and seat else kind()]
    tried = [words]
    if words[-1].text in TOWARDS or words[0].text in TOWARDS:
        tried.append([word for n, word in enumerate(words) if word.text not in TOWARDS or 0 < n < len(words) - 1])
    for said in tried:
        with suppress(ArgumentError):
            if found := [one for cost, one in Arguments(kind, books, said).read(seat) if cost <= PLURAL]:
                return found
    return []


__all__ = ["Pieces", "Said", "every_part", "fitting", "readings"]
