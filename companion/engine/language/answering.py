"""Answers given with a step to the questions it asks: after `choose`, as people tell it, or by how many of which.

gold, she takes lacquer
uses the levy in Linhu
sells two salt and a silk
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from companion.engine.language.books import Books, phrasebook
from companion.engine.language.everything import ALL, MOST_TIMES
from companion.engine.language.words import BEGINNING, COURTESIES, Phrasebook, Token, number, past, singular
from companion.engine.play.parts import ANY, Part

CHOOSING = frozenset(("choose", "choosing", "pick", "taking", "giving"))
"""Words, in the singular, after which the answers to what a step asks are said."""
CHOOSE = "choose"
"""The one of them that is written."""
TELLERS = frozenset(("he", "she", "they"))
TAKING = frozenset(("draw", "get", "go", "name", "place", "put", "stand", "take", "want"))
"""Words by which an answer is told after a comma: `gold, she takes lacquer`."""
JOINED = frozenset(("at", "for", "in", "into", "on", "to", "with"))
"""Words between a step and an answer told with it: `uses the levy in Linhu`."""
TOLD = 5
"""What it costs that an answer is told without `choose`: whatever can be a step is one."""
COMMA = 1
"""What it costs that a comma stands inside a step."""


class Answering:
    """The words of a line, and the answers that they say."""

    def __init__(self, books: Books, words: list[Token], breaks: frozenset[int] = frozenset()) -> None:
        self.books = books
        self.words = words
        self.breaks = breaks
        self.furthest = 0
        """The place of the word at which the reading stopped."""
        self.stuck: Any = None
        """The step inside which it stopped; None: between two steps."""
        self.wrong_answer = False

    def _reached(self, place: int, inside: Any = None) -> None:
        if place > self.furthest:
            self.furthest, self.stuck = place, inside

    def _times_before(self, place: int) -> tuple[int, int]:
        """The number at `place`, with the place after it; 1 if none stands there."""
        n = number(self.words[place].text) if place < len(self.words) and not self.words[place].key else None
        return (n, place + 1) if n and n <= MOST_TIMES else (1, place)

    def _counted(self, place: int) -> int:
        while place < len(self.words) and self.words[place].text in COURTESIES:
            place += 1
        return place

    def _answers(self, kind: type[Part], end: int) -> Iterator[tuple[int, list[str], int]]:
        """(cost, answers, place after them) for what a step asks, said after it; none, where none are said."""
        begin = self._counted(end)
        price = 0
        if begin >= len(self.words) or singular(self.words[begin].text) not in CHOOSING:
            yield 0, [], end
            if not kind.answered_by or end >= len(self.words):
                return
            if (telling := self._telling(end, kind)) is None:
                return
            begin, price = telling - 1, TOLD
        answers: list[str] = []
        told = bool(price)
        book, place = answer_book(kind, self.books), self._counted(begin + 1)
        while place < len(self.words):
            if place in self.breaks:
                price += COMMA
            times, word = self._times_before(place)
            said = min(book.matches(self.words, self._counted(word)), key=lambda match: match.cost, default=None)
            if said is None or (told and not self._is_called(kind, said.value, end, begin + 1)):
                break
            answers += [said.value] * times
            place = self._counted(word) + said.length
            yield price, list(answers), place
            noun = singular(self.words[place].text) if place < len(self.words) else ""
            if told and self.words[end].text in JOINED and noun in answer_nouns(kind, self.books):
                place += 1  # `for a gold step`
                yield price, list(answers), place
            place = self._counted(place)
        if told:
            return
        if not answers or self._counted(place) not in self.breaks:
            self.wrong_answer = place >= self.furthest
        self._reached(place)

    def _telling(self, end: int, kind: type[Part]) -> int | None:
        """The place of an answer that is told after a step, past what tells it: `she takes`, `the free soldier goes
        to`, `for a step on`; None: nothing is told there."""
        joined = self.words[end].text in JOINED
        if not joined and end not in self.breaks:
            return None
        begin = past(TELLERS, self.words, end) if not joined else end
        nouns = answer_nouns(kind, self.books)
        while begin + 1 < len(self.words) and begin + 1 not in self.breaks:
            word = self.words[begin]
            taking = not joined and singular(word.text) in TAKING
            if word.key or not (taking or word.text in COURTESIES | JOINED or singular(word.text) in nouns):
                break
            begin += 1
        return begin

    def _is_called(self, kind: type[Part], answer: Any, start: int, end: int) -> bool:
        """True if an answer is of the kind that the words before it name: `the free soldier` is not a good."""
        words = {singular(word.text) for word in self.words[start:end]} & answer_nouns(kind, self.books)
        return not words or any(
            words <= {*domain.nouns(self.books.at)} and answer in domain.spoken(self.books.at).values()
            for domain in kind.answered_by
        )

    def _counted_up(self, kind: type[Part], place: int) -> Iterator[tuple[int, Part]]:
        """(place after it, step) for every way to say how often it is taken by what it asks: `all three salt and a
        silk`."""
        there = kind().everything(self.books.at, kind.tag()) or {}
        book = phrasebook({piece: piece for piece in there})
        answers: list[str] = []
        while (place := self._counted(place)) < len(self.words) and (not answers or place not in self.breaks):
            word = self.words[place].text
            times, after = self._times_before(place + (word in ALL))
            begin = self._counted(after)
            said = next(book.matches(self.words, begin), None) if begin < len(self.words) else None
            if said is None or said.cost >= BEGINNING:
                return
            has = there[said.value]
            if word in ALL:
                times = times if after > place + 1 else has
                if times != has or ALL[word] not in (None, has):
                    return
            elif after == place and self.words[begin - 1].text not in ("a", "an"):
                return  # `sells salt` does not say how many
            answers += [said.value] * times
            place = begin + said.length
            yield place, replace(kind(), **{kind.__struct_fields__[0]: len(answers), "choose": {ANY: answers}})


def answer_book(kind: type[Part], books: Books) -> Phrasebook:
    """The words that may stand after `choose`, for anything a kind of step may ask."""
    spoken: dict[str, Any] = {}
    for domain in kind.answered_by:
        spoken |= {word: value for word, value in domain.spoken(books.at).items() if word not in spoken}
    return phrasebook(spoken)


def answer_nouns(kind: type[Part], books: Books) -> frozenset[str]:
    """The words, in the singular, for what a kind of step may ask: `the free soldier`, `a step`."""
    return frozenset(noun for domain in kind.answered_by for noun in domain.nouns(books.at))


__all__ = ["CHOOSE", "COMMA", "TOLD", "Answering", "answer_book"]
