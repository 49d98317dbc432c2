"""Turns made of steps on a typed line: who takes the turn, what it is, and its steps.

    zhao track, bubble, governor horses 1, exchange 3
    ana discards a marker, then trains 2 soldiers in linhu, gold

A turn whose name may be left out (`""` among its words) is known by its arguments, or by a step that no other turn has.
What may stand before the beginning of a turn may also be said before its name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache, partial
from typing import Any, NamedTuple

from msgspec.structs import replace

from companion.engine.language.answering import TELLERS
from companion.engine.language.arguments import Arguments
from companion.engine.language.books import Books
from companion.engine.language.complaints import misfit, nearest_values
from companion.engine.language.fields import actor, fields
from companion.engine.language.named import ArgumentError
from companion.engine.language.placed import in_one_place
from companion.engine.language.steps import BARE, Beginnings, Steps, Way, in_present, step_book
from companion.engine.language.verbs import around, verbs
from companion.engine.language.words import (
    BEGINNING,
    COURTESIES,
    PLACING,
    PLURAL,
    WISHING,
    Phrasebook,
    Token,
    number,
    past,
    segments,
    singular,
)
from companion.engine.play.domains import PieceName
from companion.engine.play.moves import acting
from companion.engine.play.parts import Part, Parts, Turn, parts_of
from companion.engine.play.position import Rules

AT = frozenset(("at", "for", "from", "in", "to"))
"""Words between a step and the place of the turn."""
LATE_VERB = 3
"""A verb may follow what it is about by so many words: `the rice barge`."""


class Header(NamedTuple):
    """The beginning of a turn: what its words cost, the place after them, and whether they say which turn it is."""

    cost: int
    end: int
    turn: Turn
    named: bool


def read_turn(line: str, books: Books, me: str = "") -> tuple[list[Turn], Callable[[], str] | None]:
    """Every turn that a line can be, the cheapest readings only; or what finds out what to say of the word at which the
    reading stopped, if it got anywhere."""
    words: list[Token] = []
    breaks: set[int] = set()
    for segment in segments(line):
        breaks.add(len(words))
        words += books.words(segment)
    words, breaks = _with_places(words, breaks, books)
    reading = _Reading(words, frozenset(breaks), books, me)
    kinds = sorted(turns_of(books.at.rules), key=lambda kind: not reading.names(kind))  # the cheapest way comes first
    found = [way for kind in kinds for way in reading.of(kind)]
    if not found or min(cost for (cost, _), _ in found) >= BEGINNING:
        for kind, turned, parted in _named_late(words, breaks, books):
            found += _Reading(turned, frozenset(parted), books, me).of(kind)
    least = min((cost for cost, _ in found), default=(0, 0))
    turns = [turn for cost, turn in found if cost == least]
    return [turn for i, turn in enumerate(turns) if turn not in turns[:i]], None if turns else reading.trouble


def _with_places(words: list[Token], breaks: set[int], books: Books) -> tuple[list[Token], set[int]]:
    """The words with the place said last for `there`, and where a comma stands before them: `a wall in Yiqu, the
    soldier goes there too`."""
    for there in range(len(words) - 1, 0, -1):
        if words[there].text != "there" or words[there].key:
            continue
        name = next((name for at in range(there - 2, -1, -1) if (name := _place_at(words, at, books))), [])
        words = [*words[:there], *name, *words[there + 1 :]] if name else words
        breaks = {n + len(name) - 1 if name and n > there else n for n in breaks}
    return words, breaks


def _place_at(words: list[Token], at: int, books: Books) -> list[Token]:
    """The name of a piece after a word that places something; [] if there is none."""
    begin = past(COURTESIES, words, at + 1)
    if words[at].text not in PLACING | AT or begin == at + 1 == len(words):
        return []
    turns = [(kind, parts_of(kind)) for kind in turns_of(books.at.rules)]
    every = {one for kind, steps in turns for one in (kind, *(steps.every if steps else ()))}
    places = [field for kind in every for field in fields(kind)]
    found = [
        match.length
        for field in places
        if isinstance(field.domain, PieceName)
        for match in books[field].matches(words, begin)
        if match.cost < BEGINNING
    ]
    return words[begin : begin + max(found)] if found else []


def _named_late(
    words: list[Token], breaks: set[int], books: Books
) -> Iterator[tuple[type[Turn], list[Token], set[int]]]:
    """(kind, words, breaks) for every turn whose place is said in one of its steps, with that place before them: `ships
    two crates to Yan`, `takes the wood in Yan`."""
    start = next((match.length for match in books.seats().matches(words, 0)), 0)
    for kind in turns_of(books.at.rules):
        named = [field for field in fields(kind) if isinstance(field.domain, PieceName)] if "" in kind.words else []
        for field in named[:1]:
            for place in range(start + 1, len(words) - 1):
                if words[place].text not in AT or number(words[place - 1].text) is not None:
                    continue  # `ships one to Yan` does not say one of what
                begin = past(COURTESIES, words, place + 1)
                for match in books[field].matches(words, begin):
                    if match.cost < BEGINNING:
                        end = begin + match.length
                        name = words[begin:end]
                        turned = [*words[:start], *name, *words[start:place], *words[end:]]
                        moved = {n + len(name) if n <= place else n + len(name) + place - end for n in breaks if n}
                        yield kind, turned, {0, start + len(name), *(n for n in moved if n < len(turned))}


class _Reading:
    """One line as a turn of any kind."""

    def __init__(self, words: list[Token], breaks: frozenset[int], books: Books, me: str) -> None:
        self.words = words
        self.breaks = breaks
        self.books = books
        self.me = me
        self.own = own_steps(books.at.rules)
        self.before: dict[tuple[type[Turn], int], Beginnings] = {}
        self._after: list[tuple[int, Turn, tuple[Steps, list[Way]]]] = []
        self.least: int | None = None
        """The cost of the cheapest way found so far; None: none is found."""
        self.stopped = (-1, False)
        """The furthest place at which a reading stopped, and whether the turn was named."""
        self.trouble: Callable[[], str] | None = None
        """The words that tell of it."""

    def names(self, kind: type[Turn]) -> bool:
        """True if a verb of the turn stands at the beginning, or after the seat named there."""
        starts = [start for start, _, _ in self._openings()]
        return any(match.cost <= PLURAL for n in starts for match in turn_book(kind).matches(self.words, n))

    def _too_dear(self, cost: int) -> bool:
        """True if this costs more than the best reading so far."""
        return self.least is not None and cost > self.least

    def of(self, kind: type[Turn]) -> Iterator[tuple[tuple[int, int], Turn]]:
        """(cost, turn) for every way to read the line as a turn of one kind. Of equal costs, that of the turn that says
        more of itself before its steps is less."""
        domain = parts_of(kind)
        if domain is None:
            return
        for start, seat, price in self._openings():
            for cost, place, lead in self._leading(kind, domain, start, seat):
                if self._too_dear(price + cost):
                    continue
                for header in self._headers(kind, place, seat, price + cost):
                    if self._too_dear(price + cost + header.cost):
                        continue  # its steps cannot make it cheaper
                    for more, turn in self._with_steps(kind, domain, header):
                        least = price + cost + more
                        self.least = least if self.least is None else min(least, self.least)
                        yield (least, -header.end), turn.with_parts((*lead, *turn.parts()))

    def _openings(self) -> list[tuple[int, str, int]]:
        """(place after it, seat, cost) of who is named first; at the very beginning nobody is."""
        words = self.words
        found = [(past(COURTESIES, words, 0), "", 0)]
        named = [(match.length, match.value, match.cost) for match in self.books.seats().matches(words, 0)]
        if words[0].text in TELLERS and len(words) > 1:
            named.append((1, "", 0))  # whoever is to move
        if self.me and words[0].text in ("i", "we"):
            named.append((1, self.me, 0))
        for length, seat, cost in named:
            start = past(COURTESIES | WISHING, words, length)
            found.append((start, seat, cost))
        return found

    def _leading(
        self, kind: type[Turn], domain: Parts, start: int, seat: str
    ) -> Iterator[tuple[int, int, tuple[Part, ...]]]:
        """(cost, place after them, steps) for every way to begin with steps before the turn is named; first of all with
        none."""
        yield 0, start, ()
        if not domain.free:
            return
        steps = Steps(_leads(domain), self.books, self.words, self.breaks, seat)
        begun: list[tuple[int, int, tuple[Part, ...]]] = [(0, start, ())]
        while begun:
            cost, place, lead = begun.pop()
            for more, end, items in steps.at(place, type(lead[-1]) if lead else None):
                if end < len(self.words) and (after := steps.joint(end)) is not None:
                    way = (cost + more, after, (*lead, *(item.part for item in items)))
                    begun.append(way)
                    yield way
        self._stops(steps, kind, named=False)

    def _headers(self, kind: type[Turn], place: int, seat: str, spent: int) -> Iterator[Header]:
        """Every way to say at `place` which turn it is; last of all nothing, so that the steps have to say it. `spent`:
        what the words before it cost."""
        words = self.words
        if place >= len(words):
            return
        for match in in_present(turn_book(kind), words, place):
            if match.cost < BEGINNING or len(words[place].text) > 1:
                yield from self._arguments(kind, place + match.length, (), seat, match.cost, needed=False)
        for rest in around(kind).get(singular(words[place].text), ()):
            if {singular(word.text) for word in words[place + 2 :]}.issuperset(rest):
                yield from self._arguments(kind, place + 1, rest, seat, PLURAL, needed=False)
        for late in range(place + 1, min(place + LATE_VERB, len(words))):
            for match in turn_book(kind).matches(words, late):
                if match.cost <= PLURAL:
                    turned = [*words[place:late], *words[late + match.length :]]
                    for header in self._arguments(kind, 0, (), seat, match.cost + 1, needed=True, words=turned):
                        if header.end == late - place:
                            yield header._replace(end=late + match.length)
        if "" in kind.words and not self._too_dear(spent + BARE):
            yield from self._arguments(kind, place, (), seat, BARE, needed=True)
            who = actor(kind)
            turn = kind(**{who.attributes[0]: seat or self.me}) if who and (seat or self.me) else kind()
            yield Header(2 * BARE, place, turn, False)

    def _arguments(
        self,
        kind: type[Turn],
        start: int,
        rest: tuple[str, ...],
        seat: str,
        price: int,
        *,
        needed: bool,
        words: list[Token] | None = None,
    ) -> Iterator[Header]:
        """The turn as far as its own arguments say it, up to every place where they may end. `needed`: there have to
        be some."""
        words = self.words if words is None else words
        verb = words[start - 1].text if start else ""
        if any(word.key for word in words[start:]):
            stop = min((place for place in self.breaks if place >= start + needed), default=len(words))
            try:
                found = Arguments(kind, self.books, words[start:stop], rest, verb).read(seat, self.me)
            except ArgumentError:
                return
            ends: list[Any] = [(cost, stop - start, turn) for cost, turn in found]
        else:
            breaks = frozenset(place - start for place in self.breaks if place >= start + needed)
            reading = Beginnings(kind, self.books, words[start:], rest, verb, breaks)
            ends = reading.all_ends(seat, self.me)
            self.before[kind, start + reading.furthest] = reading
            if not needed and reading.stuck and reading.furthest > max((end for _, end, _ in ends), default=-1):
                self._stopped_at(start + reading.furthest, True, partial(misfit, reading, self.books))
        who = acting(kind)
        for cost, end, turn in ends:
            if not needed or (replace(turn, **{who: ""}) if who else turn) != kind():
                yield Header(price + cost, start + end, turn, True)

    def _with_steps(self, kind: type[Turn], domain: Parts, header: Header) -> Iterator[tuple[int, Turn]]:
        who = actor(kind)
        seat = getattr(header.turn, who.attributes[0]) if who else ""
        steps, ways = self._steps_after(domain, header, seat)
        if not ways:
            self._stops(steps, kind, named=header.named)
        for cost, items in ways:
            undone = [type(item.part) for item in items if item.undone]
            items = tuple(item for item in items if not item.undone)
            if undone and not {type(item.part) for item in items}.isdisjoint(undone):
                continue
            parts = in_one_place(items, self.breaks, self.words)
            first = next((item for item in items if not isinstance(item.part, domain.free)), None)
            own = first is not None and first.whole and type(first.part) in self.own.get(kind, ())
            alone = not domain.kinds and bool(items) and all(item.named or type(item.part).needing for item in items)
            if header.named or own or alone:
                yield header.cost + cost, header.turn.with_parts(parts)

    def _steps_after(self, domain: Parts, header: Header, seat: str) -> tuple[Steps, list[Way]]:
        """The steps after a beginning of a turn, read once however the beginning was said."""
        for end, turn, found in self._after:
            if end == header.end and type(turn) is type(header.turn) and turn == header.turn:
                return found
        steps = Steps(domain, self.books.within(header.turn), self.words, self.breaks, seat)
        ways: list[Way] = steps.every(header.end) if header.end < len(self.words) else [(0, ())]
        self._after.append((header.end, header.turn, (steps, ways)))
        return steps, ways

    def _stops(self, steps: Steps, kind: type[Turn], *, named: bool) -> None:
        """Keep what to say where the reading stopped, if it came further than any before."""
        place = steps.furthest
        inside = steps.stuck
        broken_off = place >= len(self.words) and not (inside is not None and inside.line and inside.cut_off)
        if not broken_off and (inside is not None or named):
            said_at = partial(self._said_at, steps, kind, place, inside, wrong_answer=steps.wrong_answer)
            self._stopped_at(place, named, said_at)

    def _stopped_at(self, place: int, named: bool, trouble: Callable[[], str]) -> None:
        if (place, named) > self.stopped:
            self.stopped, self.trouble = (place, named), trouble

    def _said_at(
        self, steps: Steps, kind: type[Turn], place: int, inside: Beginnings | None, *, wrong_answer: bool
    ) -> str:
        if inside is not None:
            return misfit(inside, steps.books)
        word = self.words[place]
        said = word.typed
        if wrong_answer:
            return f"{said!r} does not answer any question of a step"
        if close := self._close(steps, kind, word):
            return f"{said!r} cannot be read; did you mean {close[0]!r}?"
        names = ", ".join(dict.fromkeys(one.words[0] for one in steps.domain.every))
        return f"{said!r} is not a step of this turn; the steps of {kind.words[0]!r} are {names}"

    def _close(self, steps: Steps, kind: type[Turn], word: Token) -> list[str]:
        """The likely meanings of a word: something that the step before it, or the turn, still lacks, or a verb."""
        before = steps.before.get(steps.furthest) or self.before.get((kind, steps.furthest))
        close = nearest_values(before, [word]) if before is not None else []
        return [one for one in (*close, *step_book(steps.domain).nearest(word.text)) if one != word.text]


def turns_of(rules: Rules) -> tuple[type[Turn], ...]:
    """The kinds of turns a game has."""
    return _turns_among(tuple(rules.moves.values()))


@cache
def _turns_among(kinds: tuple[Any, ...]) -> tuple[type[Turn], ...]:
    return tuple(kind for kind in kinds if issubclass(kind, Turn))


def own_steps(rules: Rules) -> dict[type[Turn], frozenset[type[Part]]]:
    """The steps that belong to one kind of turn alone, of turns whose name may be left out."""
    return _own_steps(turns_of(rules))


@cache
def _own_steps(kinds: tuple[type[Turn], ...]) -> dict[type[Turn], frozenset[type[Part]]]:
    of = {kind: frozenset(domain.every) for kind in kinds if (domain := parts_of(kind))}
    return {
        kind: steps.difference(*(others for other, others in of.items() if other != kind))
        for kind, steps in of.items()
        if "" in kind.words
    }


@cache
def turn_book(kind: type[Turn]) -> Phrasebook:
    """The words for a turn, ready to be matched. None is shortened: `use` is not `use marker`."""
    return Phrasebook(dict.fromkeys(verbs(kind), kind))


@cache
def _leads(domain: Parts) -> Parts:
    """The steps that may stand before a turn is named."""
    return Parts(*domain.free)


def read_steps(words: list[Token], domain: Parts, books: Books) -> list[Part] | None:
    """The steps that words say; None if they say none, or could say several things."""
    ways = Steps(domain, books, words).every(0)
    return in_one_place(ways[0][1], frozenset(), words) or None if len(ways) == 1 else None


__all__ = ["own_steps", "read_steps", "read_turn", "turns_of"]
