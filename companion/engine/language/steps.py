"""Steps of a turn on a typed line, with commas, `and` or nothing between them.

    track, bubble, governor horses 1, exchange 3
    two walls in linhu and a tower in donghu, gold

A step begins with its verb, with a number and the verb (`2 walls`), or, where its kind can be known by what it names
(`""` among its words) or goes on with the step before it (`wall linhu, donghu`), with what it names. Every word belongs
to a step, or joins two of them. Of all ways to read the words the cheapest are found.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

from msgspec.structs import replace

from companion.engine.language.answering import CHOOSE, COMMA, TOLD, Answering, answer_book
from companion.engine.language.arguments import Arguments, Forced
from companion.engine.language.books import Books
from companion.engine.language.everything import MOST_TIMES
from companion.engine.language.fields import Field, fields, value_of
from companion.engine.language.named import ArgumentError, Said
from companion.engine.language.synonyms import told_in_past
from companion.engine.language.verbs import around
from companion.engine.language.words import (
    BEGINNING,
    COURTESIES,
    NUMBERS,
    PLURAL,
    POLITE,
    Match,
    Phrasebook,
    Token,
    number,
    singular,
)
from companion.engine.play.domains import Count, Domain, Flag, OneOf
from companion.engine.play.moves import Move
from companion.engine.play.parts import ANY, UNSAID, Part, Parts

OFTEN = {"once": 1, "twice": 2, "thrice": 3}
GOES_ON, BARE = 1, 2
"""What it costs that a step goes on with the verb of the one before, or has none."""
MOST_WAYS = 16


class Item(NamedTuple):
    """A step as it was said, the place of its first word, and whether its verb is there."""

    part: Part
    start: int
    named: bool
    undone: bool = False
    """It is said that no such step is taken: `no steps`, `buys nothing`."""
    first: bool = False
    """It is said to come before the others: `takes the bubble first`."""

    @property
    def whole(self) -> bool:
        """True if it names by itself the action and its object."""
        return self.named and is_said(self.part)


Way = tuple[int, tuple[Item, ...]]
"""What its words cost, and the steps."""
End = tuple[int, int, Any]
"""(cost, place of the word after it, what was said)."""


class Beginnings(Arguments):
    """Reads as many words as say something of a kind: what the words up to each place say. `breaks`: the places of
    words before which a comma stands."""

    def __init__(
        self,
        kind: type[Move],
        books: Books,
        line: list[Token],
        rest: tuple[str, ...] = (),
        verb: str = "",
        breaks: frozenset[int] = frozenset(),
    ) -> None:
        super().__init__(kind, books, line, rest, verb)
        self.breaks = breaks
        self.ends: list[End] = []

    def all_ends(self, seat: str = "", me: str = "") -> list[End]:
        """Every place up to which something is said, the cheapest readings of each."""
        self.read(seat, me)
        best: dict[int, int] = {}
        for cost, end, _ in self.ends:
            best[end] = min(cost, best.get(end, cost))
        return [found for found in self.ends if found[0] == best[found[1]]]

    def _step(
        self,
        i: int,
        cost: int,
        said: Said,
        seats: list[str],
        forced: Forced,
        closed: frozenset[tuple[str, ...]],
        rest: tuple[str, ...],
        last: str = "",
    ) -> None:
        self.end = i
        if forced is None and not rest and i < len(self.line):
            self._finish(cost, said, seats)
        cost += COMMA if i in self.breaks else 0
        super()._step(i, cost, said, seats, forced, closed, rest, last)

    def _found(self, cost: int, move: Move) -> None:
        if not any(move == known and self.end == end and price <= cost for price, end, known in self.ends):
            self.ends.append((cost, self.end, move))


class Steps(Answering):
    """The steps of one kind of turn, read from the words of a line. `who` takes the turn: that seat may be named again
    before a step."""

    def __init__(
        self, domain: Parts, books: Books, words: list[Token], breaks: frozenset[int] = frozenset(), who: str = ""
    ) -> None:
        super().__init__(books, words, breaks)
        self.domain = domain
        self.who = who.lower()
        self.before: dict[int, Beginnings] = {}
        """The place where a step was read no further, by the place of the next word."""
        self._ways: dict[tuple[int, type[Part] | None], list[Way]] = {}

    def every(self, start: int, before: type[Part] | None = None) -> list[Way]:
        """The cheapest ways to read all words from `start` on; none if some word belongs to no step. `before`: the kind
        of the step before them, which may go on."""
        if (key := (start, before)) in self._ways:
            return self._ways[key]
        place = self.joint(start)
        found: list[Way] = [] if place is not None else [(0, ())]
        for cost, end, items in self.at(place, before) if place is not None else ():
            last = items[-1].part
            for more, others in self.every(end, type(last) if is_said(last) else None):
                found.append((cost + more, (*items, *others)))
        least = min((cost for cost, _ in found), default=0)
        kept: list[Way] = []
        for way in found:
            if way[0] == least and len(kept) < MOST_WAYS and way not in kept:
                kept.append(way)
        fewest = min((_unsaid(items) for _, items in kept), default=0)
        self._ways[key] = kept = [way for way in kept if _unsaid(way[1]) == fewest]
        return kept

    def joint(self, start: int) -> int | None:
        """The place where the next step begins, past what joins it to the one before; None if nothing follows."""
        place = start
        while place < len(self.words) and self._joins(place):
            place += 1
        if place < len(self.words):
            if place >= self.furthest:
                self.furthest, self.stuck = place, None
            return place
        if all(word.text in POLITE for word in self.words[start:]):
            return None
        self._reached(place - 1)
        return place

    def _joins(self, place: int) -> bool:
        word = self.words[place]
        return not word.key and (word.text in COURTESIES or bool(self.who and word.text == self.who))

    def at(self, place: int, before: type[Part] | None) -> Iterator[tuple[int, int, tuple[Item, ...]]]:
        """(cost, place after it, steps) for every way to read one step, said once or several times."""
        if place >= len(self.words):
            return
        yield from self._undone(place)
        for kind, price, begin, rest, named in self._openings(place, before):
            times, args = self._times_before(begin) if begin > place and repeats(kind) else (1, begin)
            yield from self._said(kind, place, args, rest, price, times, named)
        times, begin = self._times_before(place)
        if begin > place and begin not in self.breaks:
            for kind, price, args, rest, named in self._openings(self._counted(begin), before):
                if repeats(kind):
                    yield from self._said(kind, place, args, rest, price, times, named)

    def _undone(self, place: int) -> Iterator[tuple[int, int, tuple[Item, ...]]]:
        """A step that is said not to be taken: `no steps`, `buys no steps`, `buys nothing`."""
        for kind in self.domain.every:
            for phrase in kind.undone:
                parts = phrase.split()
                said = [singular(word.text) for word in self.words[place : place + len(parts)] if not word.key]
                if said == [*map(singular, parts)] and (end := place + len(parts)) in {*self.breaks, len(self.words)}:
                    yield 0, end, (Item(kind(), place, False, undone=True),)

    def _openings(
        self, place: int, before: type[Part] | None
    ) -> Iterator[tuple[type[Part], int, int, tuple[str, ...], bool]]:
        """(kind, cost, place of the first argument, words of the verb that have to come, whether the verb was said) for
        every kind of step that may begin at `place`."""
        if place >= len(self.words) or self.words[place].key:
            return
        for match in in_present(step_book(self.domain), self.words, place):
            for kind in match.value:
                yield kind, match.cost, place + match.length, (), True
        word = singular(self.words[place].text)
        for kind in self.domain.every:
            for rest in around(kind).get(word, ()):
                after = {singular(word.text) for word in self.words[place + 2 :]}
                if after.issuperset(rest):
                    yield kind, PLURAL, place + 1, rest, True
            for match in in_present(_needing_book(kind), self.words, place) if kind.needing else ():
                yield kind, match.cost, place + match.length, (), False
            if kind is before and _goes_on(kind):
                yield kind, GOES_ON, place, (), False
            elif kind.unnamed(self.books.at.turn):
                yield kind, BARE, place, (), False

    def _said(
        self, kind: type[Part], start: int, args: int, rest: tuple[str, ...], price: int, times: int, named: bool
    ) -> Iterator[tuple[int, int, tuple[Item, ...]]]:
        verb = self.words[args - 1].text if args else ""
        for end, part in self._counted_up(kind, args) if named and kind.by_answers else ():
            yield price + TOLD, end, (Item(part, start, named),)
        for cost, end, part in self._arguments(kind, args, rest, verb, named):
            if not named and not (end > args and (_says_which(part) or _is_told(part, end - args))):
                continue
            part = tagged(part)
            often, after = self._times_after(kind, end, part) if times == 1 else (1, end)
            for more, answers, last in self._answers(kind, after):
                if more >= TOLD and cost >= BEGINNING:
                    continue
                one = replace(part, choose={ANY: answers}) if answers else part
                yield price + cost + more, last, (Item(one, start, named),) * (times * often)
                if self._is_first(last):
                    yield price + cost + more, last + 1, (Item(one, start, named, first=True),) * (times * often)

    def _arguments(self, kind: type[Part], args: int, rest: tuple[str, ...], verb: str, named: bool) -> list[End]:
        """The readings of the words from `args` on as arguments of a kind. `name=value` extends to the next comma."""
        stop = next((place for place in sorted(self.breaks) if place > args), len(self.words))
        stop = args if args in self.breaks else stop
        if any(word.key for word in self.words[args:stop]):
            try:
                read = Arguments(kind, self.books, self.words[args:stop], rest, verb).read()
            except ArgumentError:
                return []
            return [(cost, stop, part) for cost, part in read]
        plain = next((n for n, word in enumerate(self.words[args:]) if word.key), len(self.words) - args)
        breaks = frozenset(place - args for place in self.breaks if place >= args + (not named))
        reading = Beginnings(kind, self.books, self.words[args : args + plain], rest, verb, breaks)
        ends = [(cost, args + end, part) for cost, end, part in reading.all_ends()]
        if named:
            self._reached(args + reading.furthest, reading)
            self.before[args + reading.furthest] = reading
        return ends

    def _times_after(self, kind: type[Part], end: int, part: Part) -> tuple[int, int]:
        """The number of times that the words at `end` give for the step: `twice`, `2 times`, `x2`; 1 by default."""
        word = self.words[end].text if end < len(self.words) else ""
        if not word or not repeats(kind) or not is_said(part):
            return 1, end
        if word in OFTEN:
            return OFTEN[word], end + 1
        n = number(word) or 0
        unit = singular(self.words[end + 1].text) if end + 1 < len(self.words) else ""
        if 0 < n <= MOST_TIMES and unit == "time":
            return n, end + 2
        if 0 < n <= MOST_TIMES and "x" in word and word not in NUMBERS:
            return n, end + 1
        return 1, end

    def _is_first(self, end: int) -> bool:
        """True if the word at `end` calls the step before it the first: `takes the bubble first`."""
        said = end < len(self.words) and self.words[end].text == "first"
        return said and (end + 1 in self.breaks or end + 1 == len(self.words))


@cache
def _needing_book(kind: type[Part]) -> Phrasebook:
    """The verbs that say a step only beside what it names."""
    return Phrasebook(dict.fromkeys(kind.needing, kind))


@cache
def step_book(domain: Parts) -> Phrasebook:
    """The verbs of the steps of a turn, ready to be matched: verb -> the kinds that have it."""
    found: dict[str, tuple[type[Part], ...]] = {}
    for kind in domain.every:
        for verb in (*filter(None, kind.words), kind.tag()):
            if kind not in found.get(verb, ()):
                found[verb] = (*found.get(verb, ()), kind)
    return Phrasebook(found)


def in_present(book: Phrasebook, words: list[Token], place: int) -> list[Match]:
    """The matches of a book of verbs at a place; if none, those for the verb in the past tense: `swapped`."""
    if found := [*book.matches(words, place)]:
        return found
    said = words[place]
    for verb in told_in_past(said.text) if not said.key else ():
        if found := [*book.matches([Token(verb, said.typed), *words[place + 1 : place + 4]], 0)]:
            return found
    return []


def repeats(kind: type[Part]) -> bool:
    """True if a number beside a step can only mean how often: the step has no number of its own."""
    return not any(isinstance(f.domain, Flag) or _is_number(f.domain) or f.many for f in fields(kind))


def _is_number(domain: Domain | None) -> bool:
    return isinstance(domain, Count) and not domain.announced


def _goes_on(kind: type[Part]) -> bool:
    """True if a step may be repeated without its verb: it names something, and has no number of its own."""
    return repeats(kind) and any(_names(field) for field in fields(kind))


def _names(field: Field) -> bool:
    return not (field.domain is None or isinstance(field.domain, Count | Flag) or _of_one_word(field.domain))


def _of_one_word(domain: Domain | None) -> bool:
    return isinstance(domain, OneOf) and len(domain.words) == 1


def needs_no_name(kind: type[Part]) -> bool:
    """True if nothing that a step holds has a name: a verb is all it takes."""
    return not any(_names(field) and not isinstance(field.domain, Flag) for field in fields(kind))


def names_something(part: Part) -> bool:
    """True if a step has more than a number."""
    return any(
        value_of(part, field) != field.default
        for field in fields(type(part))
        if field.domain is not None and not isinstance(field.domain, Count) and not _of_one_word(field.domain)
    )


def _says_which(part: Part) -> bool:
    """True if a step is known without its verb, or by a verb that needs its object."""
    return names_something(part) or (bool(type(part).needing) and is_said(part))


def _unsaid(items: tuple[Item, ...]) -> int:
    """The number of steps without an object."""
    return sum(1 for item in items if not item.undone and not is_said(item.part))


def _is_told(part: Part, words: int) -> bool:
    """True if the words for a step's number identify it without its verb: `one wood for lacquer`."""
    first = fields(type(part))[0]
    return words > 1 and first.domain is not None and first.domain.telling and is_said(part)


def is_said(part: Part) -> bool:
    """True if the first field of a step has a value."""
    return getattr(part, part.__struct_fields__[0]) is not UNSAID


def _by_name(kind: type[Part]) -> bool:
    """True if naming a step sets its first field."""
    domain = fields(kind)[0].domain
    return isinstance(domain, Flag) or _of_one_word(domain)


def tagged(part: Part) -> Part:
    """A step whose tag can have one value only has it by being named."""
    first = fields(type(part))[0]
    if is_said(part) or first.domain is None or not _by_name(type(part)):
        return part
    value = True if isinstance(first.domain, Flag) else first.domain.words[0]  # type: ignore[attr-defined]
    return replace(part, **{first.attributes[0]: value})


__all__ = [
    "BARE",
    "CHOOSE",
    "Beginnings",
    "Item",
    "Steps",
    "Way",
    "answer_book",
    "is_said",
    "names_something",
    "needs_no_name",
    "repeats",
    "step_book",
    "tagged",
]
