"""A turn of steps whose words stand in no usual order: `train cem: jade, loufan soldier`, `salt barge, then my timber
tile`, `cem's soldier heads for loufan, and training moved him up on jade`.

The line is cut wherever a step may begin. Each piece says the turn itself, one of its steps with its verb anywhere or
without one, or what the step before it asks (`gold (lacquer)`). Every word is said by one of them or only helps.
Nothing is read this way that the rules forbid.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from itertools import pairwise
from typing import Any, NamedTuple

from companion.engine.language.arguments import Arguments
from companion.engine.language.books import Books
from companion.engine.language.fields import actor, fields, value_of
from companion.engine.language.freely import ME
from companion.engine.language.helping import HELPING, known_places
from companion.engine.language.named import ArgumentError
from companion.engine.language.placed import in_one_place
from companion.engine.language.steps import CHOOSE, Steps, in_present, names_something, step_book, tagged
from companion.engine.language.turns import turn_book, turns_of
from companion.engine.language.words import PLURAL, Token, number
from companion.engine.play.lines import try_line
from companion.engine.play.moves import Move, acting
from companion.engine.play.parts import Part, Parts, Turn, parts_of
from companion.engine.play.phases import in_place

CUT = re.compile(
    r"[,;.:!()]+(?:\s+(?:and|then|plus)\b)*(?:\s+|$)|\s+\((?=\S)|\s+(?:and\s+then|and|then|plus|>)\s+", re.IGNORECASE
)
"""Where a piece may end."""
_GOING = "head heads heading hop hops hopping gets get got moved moves move lands land up which"
GOING = frozenset(_GOING.split())
"""Words by which somebody or something comes somewhere."""
JOINING = frozenset(["to", "for", "from", "with", "by", "in", "into", "on", "onto", "at", "of"])
ANSWERING = frozenset(("choosing", "taking", "giving", "getting", "choose", "chooses", "chose"))
"""Words by which the answer to what a step asks is told."""
LONGEST = 3
"""So many words say a value of the turn itself."""
MOST_PIECES = 8
MOST_WORDS = 6
"""In a longer piece no answer is looked for."""
MOST_WAYS = 24


class Way(NamedTuple):
    """A turn as far as the pieces say it."""

    turn: Turn
    parts: tuple[Part, ...] = ()
    named: bool = False
    """True if a piece says which turn it is."""
    last: tuple[Token, ...] = ()
    """The words of the last piece that says steps."""
    of_last: int = 0
    """The number of steps that it says."""


def loosely(line: str, books: Books, me: str) -> list[list[Move]]:
    """The turns possible now that a line says; none that the rules forbid, or that leave something to ask if another
    does not."""
    at = books.at
    pieces = [words for text in CUT.split(line) if (words := books.words(text))]
    kinds = [kind for kind in turns_of(at.rules) if kind in in_place(at)]
    seats = {books.named[word.text] for words in pieces for word in words if word.whole and word.text in books.named}
    stutters = any(one.text == next_one.text for words in pieces for one, next_one in pairwise(words))
    if not kinds or not 0 < len(pieces) <= MOST_PIECES or len(seats) > 1 or stutters:
        return []
    seat = next(iter(seats), me)
    pieces = [[word for word in words if not word.whole and word.text not in ME] for words in pieces]
    pieces = [words for words in pieces if words]
    turns = [turn for kind in kinds for turn in _Kind(kind, books, seat).turns(pieces)]
    judged = [(turn, try_line(at, [turn])) for turn in turns]
    for wanted in (True, None):
        fit = [(turn, outcome) for turn, outcome in judged if outcome.verdict.legal is wanted]
        if fit:
            ends: list[Any] = [outcome.after.state if wanted else turn.to_json() for turn, outcome in fit]
            return [[turn] for n, (turn, _) in enumerate(fit) if ends[n] not in ends[:n]]
    return []


class _Kind:
    """One kind of turn, by the seat that takes it."""

    def __init__(self, kind: type[Turn], books: Books, seat: str) -> None:
        self.kind = kind
        self.books = books
        self.domain: Parts = parts_of(kind) or Parts()
        who = actor(kind)
        self.first = kind(**{who.attributes[0]: seat}) if who and seat else kind()
        self.known = [*fields(kind), *(field for step in self.domain.every for field in fields(step))]

    def turns(self, pieces: list[list[Token]]) -> Iterator[Turn]:
        """The turns that all of some pieces say. The turn itself is said first, wherever it stands."""
        heads = [(n, turn, rest) for n, words in enumerate(pieces) for turn, rest in self._heads(words)]
        for n, turn, rest in [*heads, (-1, self.first, [])]:
            others = [*pieces[:n], *([rest] if rest else []), *pieces[n + 1 :]] if n >= 0 else pieces
            yield from self._with(turn, others, named=n >= 0)

    def _with(self, turn: Turn, pieces: list[list[Token]], *, named: bool) -> Iterator[Turn]:
        ways = [Way(turn, (), named)]
        for words in pieces:
            ways = [after for way in ways for after in self._after(way, words)][:MOST_WAYS]
        for way in ways:
            if way.named:
                yield way.turn.with_parts(way.parts)

    def _heads(self, words: list[Token]) -> Iterator[tuple[Turn, list[Token]]]:
        """The turn as far as a piece says it, and the words that are left for a step."""
        without = [
            self._plain([*words[:n], *words[n + match.length :]])
            for n in range(len(words))
            for match in in_present(turn_book(self.kind), words, n)
            if match.cost <= PLURAL
        ]
        plain = self._plain(words)
        for rest in [*without, plain]:
            named = rest is not plain
            yield from ((turn, []) for turn in self._header(rest, self.first) if named or turn != self.first)
            if named and rest:
                yield self.first, rest
            for start in range(len(rest)):
                for end in range(start + 1, min(start + LONGEST, len(rest)) + 1):
                    left = [*rest[:start], *rest[end:]]
                    if left:
                        found = self._header(rest[start:end], self.first)
                        yield from ((turn, left) for turn in found if turn != self.first)

    def _header(self, words: list[Token], turn: Turn) -> list[Turn]:
        if not words:
            return [turn]
        who = acting(self.kind)
        try:
            said = Arguments(self.kind, self.books, words).read(getattr(turn, who) if who else "")
        except ArgumentError:
            return []
        return [found for cost, found in said if cost <= PLURAL and isinstance(found, Turn)]

    def _after(self, way: Way, words: list[Token]) -> Iterator[Way]:
        """Things that may be said once a piece is, too."""
        turn = way.turn
        for more in self._header(self._plain(words), self.first):
            if more != self.first and (both := _both(turn, more, self.first)) is not None:
                yield way._replace(turn=both, named=True)
        for said in self._orders(words):
            for parts in self._steps(turn, said):
                yield way._replace(parts=(*way.parts, *parts), last=tuple(said), of_last=len(parts))
        if way.last:
            asking = () if any(word.text == CHOOSE for word in way.last) else (Token(CHOOSE, CHOOSE),)
            asked = [*way.last, *asking, *self._plain(words)]
            for parts in self._steps(turn, asked):
                before = way.parts[: len(way.parts) - way.of_last]
                if (*before, *parts) != way.parts:
                    yield way._replace(parts=(*before, *parts), last=tuple(asked), of_last=len(parts))

    def _steps(self, turn: Turn, words: list[Token]) -> list[tuple[Part, ...]]:
        books = self.books.within(turn)
        found = [
            tuple(in_one_place(items, frozenset(), words))
            for _, items in Steps(self.domain, books, words).every(0)
            if items
        ]
        return [parts for n, parts in enumerate(found) if parts not in found[:n]] or self._unnamed(words, books)

    def _unnamed(self, words: list[Token], books: Books) -> list[tuple[Part, ...]]:
        """The step that some words say without its verb, if only one kind of step has such things."""
        found: list[Part] = []
        for kind in self.domain.every:
            with suppress(ArgumentError):
                for cost, part in Arguments(kind, books, words).read():
                    if cost <= PLURAL and isinstance(part, Part) and names_something(part):
                        found += [one for one in (tagged(part),) if one not in found]
        return [(found[0],)] if len(found) == 1 else []

    def _orders(self, words: list[Token]) -> Iterator[list[Token]]:
        """A piece with the verb of a step before what it is about, and with what the step asks after it; first as it
        stands."""
        plain = self._plain(words)
        if not plain:
            return
        orders = [plain]
        for n in range(1, len(plain)):
            for match in in_present(step_book(self.domain), plain, n):
                if match.cost <= PLURAL:
                    end = n + match.length
                    orders.append(_ended([*plain[n:end], *plain[:n], *plain[end:]]))
        yield from orders
        for order in orders if len(plain) <= MOST_WORDS else ():
            for n in range(1, len(order)):
                said = _ended(order[:n])
                answer = order[n + 1 :] if order[n].text in JOINING | ANSWERING else order[n:]
                if said and answer:
                    yield [*said, Token(CHOOSE, CHOOSE), *answer]

    def _plain(self, words: list[Token]) -> list[Token]:
        """The words without those that only help."""
        known = known_places(self.known, words, self.books)
        plain: list[Token] = []
        for n, word in enumerate(words):
            last = n + 1 == len(words)
            joins = word.text in JOINING and not last and n > 0
            helps = word.text in HELPING or word.text in GOING or word.text in ("a", "an")
            if n in known or number(word.text) is not None or joins or not helps:
                plain.append(word)
        while plain and plain[0].text in JOINING:
            plain = plain[1:]
        return plain


def _ended(words: list[Token]) -> list[Token]:
    """The words without those at the end that only join them to something."""
    while words and words[-1].text in JOINING:
        words = words[:-1]
    return words


def _both(turn: Turn, other: Turn, first: Turn) -> Turn | None:
    """A turn with what another says of it; None if they contradict each other."""
    changed: dict[str, Any] = {}
    for field in fields(type(turn)):
        mine, theirs, plain = (value_of(one, field) for one in (turn, other, first))
        if theirs == plain:
            continue
        if len(field.attributes) > 1 or mine not in (plain, theirs):
            return None
        changed[field.attributes[0]] = theirs
    return type(turn)(**{**{name: getattr(turn, name) for name in turn.__struct_fields__}, **changed})


__all__ = ["loosely"]
