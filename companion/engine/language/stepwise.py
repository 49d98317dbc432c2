"""A line of which every word is accounted for by one possible turn of steps, in whatever order they are told: `cem
calls one home from his caravan, dossier tile, O12 away, then wood barge`.

The line falls into pieces: one says which turn it is, each of the others one of its steps, or what the step before it
asks. They are tried against the rules from left to right. Two turns that come to different positions are not read here,
nor is one that leaves something open.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Any, NamedTuple

from msgspec.structs import replace

from companion.engine.language.accounted import PLAIN
from companion.engine.language.books import Books
from companion.engine.language.mentions import ME
from companion.engine.language.pieces import LONGEST, Pieces, fitting, readings
from companion.engine.language.turns import turns_of
from companion.engine.language.ways import stem
from companion.engine.language.words import Token, number, tokens
from companion.engine.play.drafts import added
from companion.engine.play.lines import try_line
from companion.engine.play.moves import Move, acting
from companion.engine.play.parts import ANY, Part, Run, Turn, run
from companion.engine.play.phases import awaited, in_place

JOINT = re.compile(r"[,;.:!()]+(?:\s+|$)|\s+plus\s+|\s+(?=(?:and|then)\s)", re.IGNORECASE)
"""What stands between two pieces."""
MOST_WORDS = 40
MOST_HEADS = 24
"""So many ways to say which turn it is are tried."""
MOST_WAYS = 12
"""So many ways to read the words up to one place are kept."""
MOST_RUNS = 150
"""So many beginnings of turns are judged."""
BRINGING = frozenset(("for", "into"))
"""Words before what a step brings."""


FIRST = "first"
AFTER = frozenset(("after", "having"))
"""Words before what was done before the rest."""


class _Head(NamedTuple):
    """The words from `start` up to `end` say which turn it is. `bare`: they say its kind at most."""

    start: int
    end: int
    turn: Turn
    bare: bool = False


class _Way(NamedTuple):
    """The steps that the words up to some place say. `last`: how many of them the last piece says; `bare`: it says them
    only by what they are about, and the step beside it has to be of the same kind."""

    parts: tuple[Part, ...] = ()
    last: int = 0
    bare: bool = False


def stepwise(line: str, books: Books, me: str) -> list[list[Move]]:
    """The one turn possible now of which the steps account for every word of a line; [] if there is none, or more."""
    words, cuts = list[Token](), set[int]()
    for text in JOINT.split(line):
        cuts.add(len(words))
        words += books.words(text)
    if not 0 < len(words) <= MOST_WORDS or any(word.key for word in words):
        return []
    seats = [books.named[word.text] for word in words if word.whole and word.text in books.named]
    if len(seats) > 1 or any(one.text == other.text for one, other in pairwise(words)):
        return []
    seat = seats[0] if seats else me
    first = ME if me else frozenset[str]()
    kept = [n for n, word in enumerate(words) if not word.whole and not (n == 0 and word.text in first | AFTER)]
    cuts = {sum(n < cut for n in kept) for cut in cuts}
    turns = _Turns([words[n] for n in kept], frozenset(cuts), books, seat)
    return turns.read() if not seat or seat in awaited(books.at) else []


def says_a_step_twice(turn: Turn) -> bool:
    """True if two steps of a turn are the same: `discards Two Patrons` read as two cards of that name."""
    parts = list(turn.parts())
    return any(part in parts[:n] for n, part in enumerate(parts))


class _Turns:
    def __init__(self, words: list[Token], cuts: frozenset[int], books: Books, seat: str) -> None:
        self.words, self.cuts, self.books, self.seat = words, cuts, books, seat
        self.at = books.at
        self.runs: dict[str, Run] = {}

    def read(self) -> list[list[Move]]:
        found: Turn | None = None
        state: Any = None
        pieces: dict[str, Pieces] = {}
        for head in self._heads():
            key = _form(head.turn)
            if key not in pieces:
                pieces[key] = Pieces(head.turn, self.words, self.cuts, self.books)
            for turn in self._with(head, pieces[key]):
                outcome = try_line(self.at, [turn], typed=True)
                if outcome.verdict.legal is False or (outcome.verdict.legal is None and head.bare):
                    continue  # it lacks what would say which turn it is
                if not outcome.verdict.legal or (found is not None and outcome.after.state != state):
                    return []
                if found is None or len(turn.parts()) < len(found.parts()):
                    found, state = turn, outcome.after.state
        return [[self._shorter(found, state)]] if found is not None else []

    def _shorter(self, turn: Turn, state: Any) -> Turn:
        """A turn without a step that only says again which turn it is: `boards the rice barge`."""
        again = turn.with_parts(part for part in turn.parts() if part.words[0] not in type(turn).words)
        return again if again != turn and try_line(self.at, [again]).after.state == state else turn

    # --- which turn it is --------------------------------------------------------------------------------------

    def _heads(self) -> list[_Head]:
        """The ways to say which turn it is; where a turn need not be named, also with no word."""
        found: list[_Head] = []
        here = in_place(self.at)
        for kind in turns_of(self.at.rules):
            if kind not in here:
                continue
            who = acting(kind)
            bare = kind(**{who: self.seat}) if who and self.seat else kind()
            found += _shortest([*self._said(kind, bare)], self.words)
            if "" in kind.words:
                found.append(_Head(0, 0, bare, bare=True))
        return found[:MOST_HEADS]

    def _said(self, kind: type[Turn], bare: Turn) -> Iterator[_Head]:
        fits = fitting(kind, self.words, self.books)
        for start in range(len(self.words)):
            if not fits[start]:
                continue
            seen: set[str] = set()
            for end in range(start + 1, min(len(self.words), start + LONGEST) + 1):
                word = self.words[end - 1]
                if not (fits[end - 1] or word.text in PLAIN) or (word.text in seen and word.text not in PLAIN):
                    break
                seen.add(word.text)
                if len([cut for cut in self.cuts if start < cut < end]) > 1:
                    break
                if not fits[end - 1]:
                    continue
                for turn, phrased in readings(kind, self.words[start:end], self.books, self.seat):
                    if phrased or ("" in kind.words and turn != bare):
                        yield _Head(start, end, turn, turn == bare)

    # --- its steps ---------------------------------------------------------------------------------------------

    def _with(self, head: _Head, pieces: Pieces) -> Iterator[Turn]:
        """The turns of a head that account for all words."""
        ways: dict[int, list[_Way]] = {0: [_Way()]}
        many = len(self.words)
        for place in range(many):
            here = ways.pop(place, [])
            if place == head.start and head.end > head.start:
                _keep(ways, head.end, here)
                continue
            stop = head.start if place < head.start else many
            for way in here:
                if pieces.helps(place):
                    _keep(ways, place + 1, [way])
                for end, longer in self._after(way, place, stop, head.turn, pieces):
                    _keep(ways, end, [longer])
        for way in ways.get(many, ()):
            if not way.bare:
                yield head.turn.with_parts(way.parts)

    def _after(self, way: _Way, place: int, stop: int, turn: Turn, pieces: Pieces) -> Iterator[tuple[int, _Way]]:
        """(place after it, steps) for every piece that may stand at a place after some steps."""
        before = way.parts[-1] if way.parts else None
        for said in pieces.steps(place, stop):
            alike = before is not None and type(said.part) is type(before)
            bare = not said.named and not type(said.part).unnamed(turn)
            if way.bare and not alike:
                continue
            parts = (*way.parts, *([said.part] * said.times))
            if self._possible(turn, parts):
                yield said.end, _Way(parts, said.times, bare and not (alike and not way.bare))
        alone = len(way.parts) == way.last and (not way.parts or place + 1 in self.cuts)
        if alone and self.words[place].text == FIRST:
            yield place + 1, way
        if before is None:
            return
        asking = way.last == 1 and self._asks(turn, way.parts)
        for end, answers, told_so in pieces.answers(type(before), place, stop) if asking else ():
            told = (before.choose or {}).get(ANY, []) if hasattr(before, "choose") else []
            longer = replace(before, choose={ANY: [*told, *answers]})
            parts = (*way.parts[:-1], longer)
            if self._possible(turn, parts):
                yield end, way._replace(parts=parts, bare=way.bare and not told_so)
        end = self._brought(way, place, stop, turn)
        if end:
            yield end, way._replace(bare=False)

    def _possible(self, turn: Turn, parts: tuple[Part, ...]) -> bool:
        """True if the rules do not forbid a turn as far as it goes, and no step but the last asks anything."""
        done = self._run(turn, parts)
        if done is None or done.reasons:
            return False
        last = f"steps[{len(parts) - 1}]"
        return not any(need.field.startswith("steps[") and not need.field.startswith(last) for need in done.needs)

    def _asks(self, turn: Turn, parts: tuple[Part, ...]) -> bool:
        """True if the last step leaves a choice open that comes up while it is carried out."""
        done, last = self._run(turn, parts), f"steps[{len(parts) - 1}]."
        return done is not None and any(
            f".{need.field}".startswith(f".{last}") and "choose." in need.field for need in done.needs
        )

    def _run(self, turn: Turn, parts: tuple[Part, ...]) -> Run | None:
        longer = turn.with_parts(parts)
        key = _form(longer)
        if key not in self.runs:
            if len(self.runs) >= MOST_RUNS:
                return None
            self.runs[key] = run(longer, self.at, close=False)
        return self.runs[key]

    def _brought(self, way: _Way, place: int, stop: int, turn: Turn) -> int:
        """The place after the words at `place` that say what the last steps bring: `2 markers for 4 coins`; 0 if they
        do not."""
        if self.words[place].text not in BRINGING or place + 2 >= stop + 1:
            return 0
        n = number(self.words[place + 1].text) or (1 if self.words[place + 1].text in ("a", "an") else 0)
        if not n or n % way.last or place + 2 >= len(self.words):
            return 0
        before, after = self._run(turn, way.parts[: -way.last]), self._run(turn, way.parts)
        if before is None or after is None or after.needs:
            return 0
        wanted = {str(n // way.last), stem(self.words[place + 2].text)}
        told = [
            event.what
            for event in added(before.after.events, after.after.events)
            if wanted <= {stem(word.text) for word in tokens(event.what)}
        ]
        return place + 3 if len(told) == way.last else 0


def _shortest(heads: list[_Head], words: list[Token]) -> list[_Head]:
    """The heads without those that say no more than others with a helping word less."""
    known = [(head.start, head.end, _form(head.turn)) for head in heads]
    kept: list[_Head] = []
    for head, (start, end, form) in zip(heads, known, strict=True):
        begins = words[start].text in PLAIN and (start + 1, end, form) in known
        ends = words[end - 1].text in PLAIN and (start, end - 1, form) in known
        if not begins and not ends and head not in kept:
            kept.append(head)
    return kept


def _keep(ways: dict[int, list[_Way]], place: int, more: list[_Way]) -> None:
    known = ways.setdefault(place, [])
    known += [way for way in more if way not in known]
    del known[MOST_WAYS:]


def _form(turn: Turn) -> str:
    return json.dumps(turn.to_json(), sort_keys=True, default=str)


__all__ = ["says_a_step_twice", "stepwise"]
