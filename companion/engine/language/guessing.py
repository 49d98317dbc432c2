"""Guesses at a line that cannot be read whole: moves that are possible now, the likeliest first. Always asked, never
recorded unasked.

Every kind of move that is possible now is filled in with what the line names. It counts for a move that it says what
the line names, and that the other words of the line are those by which people say such a move; it counts against it
that it says what the line does not. A move that lacks a person, a number or a thing of the line is none, unless what
happens tells of it; one is none either where the line has a `not` and people do not say the move with one.
"""

from __future__ import annotations

import re
from contextlib import suppress
from typing import Any, NamedTuple

from msgspec.structs import replace

from companion.engine.errors import CompanionError
from companion.engine.language.books import Books
from companion.engine.language.fields import actor, fields, value_of
from companion.engine.language.filling import Filling
from companion.engine.language.mentions import NUMBER, SEAT, Atom, Mention, atoms, mentions
from companion.engine.language.ways import NOT, SMALL, stem, stems, ways_of
from companion.engine.play.domains import Count, Tally
from companion.engine.play.lines import Outcome, try_line
from companion.engine.play.moves import Move, acting, maker
from companion.engine.play.phases import in_place

MOST = 3
"""So many guesses are shown."""
MOST_TRIED = 10
"""So many moves are judged, the likeliest of all."""
NAMED, UNNAMED, UNSAID = 1.0, -3.0, -0.5
"""What it counts that a move says something the line names; that it does not; that it says what the line does not."""
LOOSELY = -0.2
"""What it counts that a word is not meant which need not be."""
ANYTIME = -1.0
"""Moves for any time are seldom meant where they are not named."""
TOO, TOLD, TURNED, ASKING, THINGS = 0.3, 0.1, -0.15, -0.2, 0.3
"""What else counts: a small word that fits; who tells it; another order than told; that something is left to be asked;
a thing the line names that is a word for the kind of move, beside a word that names nothing."""
LEAST, FEW = 0.45, 2
"""A guess has to be so likely where more than a `FEW` kinds of moves are possible."""
FAR = 1.6
"""A guess that is so much less likely than the best is none."""
LONGEST = 150
"""Words of a line; one that is longer gets no guess."""
BOTH = "both"
"""The word for two things that the line does not name: nobody can tell whether a move says them."""
REASON = re.compile(
    r"(?:^|[,;.!]?\s+)(?:because|since|thanks to|so that(?!')|cause|for (?:her|his|my|the) \w+(?=,))\b[^,;.!]*", re.I
)
"""Why something is done."""


class Guess(NamedTuple):
    """A line that may be meant, how likely it is, and the words that it leaves out."""

    score: float
    moves: list[Move]
    left: str


class _Candidate(NamedTuple):
    score: float
    move: Move
    left: tuple[Mention, ...]
    """Things that the line names and the move does not say: what happens has to tell of it."""
    missed: tuple[Mention, ...]
    """Common words that need not name anything."""
    names: bool
    """The move says something that the line names, more than who makes it."""


def guesses(line: str, books: Books, me: str) -> list[Guess]:
    """At most three guesses at a line, the likeliest first; none that the rules forbid."""
    told = REASON.sub(" ", line)
    return _Guesses(told if told.strip() else line, books, me).best()


class _Guesses:
    def __init__(self, line: str, books: Books, me: str) -> None:
        self.books, self.at, self.me = books, books.at, me
        self.words = books.words(line)
        self.named = mentions(self.words, books, me)
        inside = {n for one in self.named for n in range(one.start, one.end)}
        self.other = [word for n, word in enumerate(self.words) if n not in inside and not word.whole]
        self.stems = stems(self.other)
        self.things = stems([word for n, word in enumerate(self.words) if n in inside and not word.whole])
        self.denied = NOT in self.stems
        self.ways = ways_of(self.at)

    def best(self) -> list[Guess]:
        if not self.words or len(self.words) > LONGEST or any(word.text == BOTH for word in self.words):
            return []
        if any(any(map(str.isdigit, word.text)) for word in self.other):
            return []  # a code that nothing has
        legal: dict[type[Move], list[Move]] = {}
        for move in self.books.legal:
            legal.setdefault(type(move), []).append(move)
        here = in_place(self.at)
        kinds = [kind for kind in self.at.rules.moves.values() if kind in legal or kind in here]
        found: list[_Candidate] = []
        for kind in kinds:
            found += self._of_kind(kind, legal.get(kind, []))
        found.sort(key=lambda one: -one.score)
        return self._judged(found, len(legal))

    def _of_kind(self, kind: type[Move], legal: list[Move]) -> list[_Candidate]:
        """The likeliest moves of a kind."""
        like = self.ways.like(kind, self.stems) + THINGS * self.ways.like(kind, self.things)
        like += ANYTIME if kind in self.at.rules.anytime or kind.role == "claim" else 0.0
        certain = self._certain(legal)
        filled = Filling(kind, self.words, self.named, self.books).moves()
        found = [self._scored(move, certain, min(cost, 0) * 0.3) for cost, move in filled]
        known = [move for _, move in filled]
        found += [self._scored(move, certain, -0.1) for move in legal if move not in known]
        if self.denied and not self.ways.knows(kind, NOT):
            found = [one for one in found if self._says_none(one.move)]
        found.sort(key=lambda one: -one.score)
        return [one._replace(score=one.score + like) for one in found[:4]]

    @staticmethod
    def _says_none(move: Move) -> bool:
        """True if a move says that there are none of something: `no draw for Ben`."""
        return any(value_of(move, field) == 0 for field in fields(type(move)) if isinstance(field.domain, Count))

    @staticmethod
    def _certain(legal: list[Move]) -> list[Atom]:
        """The atoms of every legal move of a kind: nobody needs to say them."""
        others = [atoms(move) for move in legal[1:30]]
        return [atom for atom in atoms(legal[0]) if all(atom in other for other in others)] if legal else []

    def _scored(self, move: Move, certain: list[Atom], score: float) -> _Candidate:
        kind = type(move)
        said = atoms(move)
        used: set[int] = set()
        left: list[Mention] = []
        missed: list[Mention] = []
        counted = self._counted(move)
        last = -1
        for mention in self.named:
            n = self._where(mention, said, used)
            if n is not None:
                used.add(n)
                score += TOO if mention.loose or mention.mine else NAMED
                if n < last and said[n].field.group == said[last].field.group:
                    score += TURNED
                last = n
                continue
            numbers = [one.value for one in mention.says if one.group == NUMBER]
            seats = [one.value for one in mention.says if one.group == SEAT]
            if (numbers and numbers[0] in counted) or (seats and seats[0] == maker(move)):
                score += TOO
            elif seats and actor(kind) is None and self._tells(kind, said, seats[0]):
                score += TOLD
            elif mention.mine and not maker(move):
                continue
            elif mention.loose:
                score += LOOSELY
            elif not seats and not numbers and self._is_way(kind, mention):
                score += TOO
            elif mention.weak and not self._has_group(kind, mention):
                score += LOOSELY
                missed.append(mention)
            else:
                score += UNNAMED
                left.append(mention)
        unsaid = [atom for n, atom in enumerate(said) if n not in used and atom not in certain]
        score += sum(self._against(atom, acting(kind)) for atom in unsaid)
        names = any(said[n].group != SEAT for n in used)
        return _Candidate(score, move, tuple(left), tuple(missed), names)

    def _against(self, atom: Atom, who: str) -> float:
        """The cost of something that a move says and the line does not."""
        if atom.group == SEAT and atom.field.path[-1] == who:
            return 0.5 * UNSAID if not self.me else 0.0 if atom.value == self.me else UNSAID
        return 0.1 * UNSAID if atom.group == NUMBER and atom.value == 1 else UNSAID

    def _is_way(self, kind: type[Move], mention: Mention) -> bool:
        """True if the words of a mention are words for a kind of move."""
        words = stems(self.words[mention.start : mention.end])
        return bool(words) and all(self.ways.knows(kind, word) for word in words)

    @staticmethod
    def _has_group(kind: type[Move], mention: Mention) -> bool:
        groups = {one.group for one in mention.says}
        return any(field.group in groups for field in fields(kind))

    @staticmethod
    def _counted(move: Move) -> set[int]:
        """The number of things in each field that holds several, and the sum where they are counted."""
        found: set[int] = set()
        for field in fields(type(move)):
            value = value_of(move, field)
            if field.many and isinstance(value, list | tuple | dict):
                found.add(len(value))
                if isinstance(field.domain, Tally) and isinstance(value, dict):
                    found.add(sum(value.values()))
        return found

    def _where(self, mention: Mention, said: list[Atom], used: set[int]) -> int | None:
        """The place of a mention among the atoms of a move, preferably one not yet used; None if there is none."""
        again = None
        for n, atom in enumerate(said):
            if any(one.group == atom.group and one.value == atom.value for one in mention.says):
                if n not in used:
                    return n
                again = n
        return again

    def _tells(self, kind: type[Move], said: list[Atom], seat: str) -> bool:
        """True if the seat named may be the teller of a move that nobody makes."""
        if any(atom.group == SEAT for atom in said):
            return False
        one = kind.made_here_by(self.at)
        awaited = list(self.at.rules.to_move(self.at.state))
        return seat == one if one else (not awaited or seat in awaited)

    # --- judging ---------------------------------------------------------------------------------------------------

    def _judged(self, found: list[_Candidate], possible: int) -> list[Guess]:
        """The likeliest of those that the rules do not forbid; of two that come to the same, one."""
        least = LEAST if possible > FEW else 0.0
        guesses: list[Guess] = []
        states: list[Any] = []
        for one in found[:MOST_TRIED]:
            if one.score < min([least, *(guess.score - FAR for guess in guesses[:1])]) and not one.left:
                break
            outcome = self._tried(one.move)
            if outcome is None or outcome.verdict.legal is False:
                continue
            score = one.score
            if one.left:
                if not all(self._is_true(mention, outcome, one.move) for mention in one.left):
                    continue
                score -= len(one.left) * (UNNAMED - TOO)
            if score < least:
                continue
            gone = self._not_heard(one)
            if outcome.verdict.legal is None and gone and not one.names:
                continue  # `reveal plgue` is more than the beginning of a question
            state = outcome.after.state if outcome.verdict.legal else outcome.verdict.move
            if any(state == other for other in states) or any(_says_more(one.move, guess) for guess in guesses):
                continue
            states.append(state)
            score += 0.0 if outcome.verdict.legal else ASKING
            guesses.append(Guess(score, [_with_maker(one.move, outcome)], gone))
        guesses.sort(key=lambda one: -one.score)
        return [one for one in guesses[:MOST] if one.score > guesses[0].score - FAR]

    def _tried(self, move: Move) -> Outcome | None:
        with suppress(CompanionError):
            return try_line(self.at, [move], typed=True)
        return None

    def _is_true(self, mention: Mention, outcome: Outcome, move: Move) -> bool:
        """True if the events of a move tell of a mention."""
        texts = " ".join(event.what for event in outcome.events).lower()
        told = set(re.findall(r"[\w'+-]+", texts))
        numbers = [one.value for one in mention.says if one.group == NUMBER]
        if numbers:
            return str(numbers[0]) in told
        return {stem(word.text) for word in self.words[mention.start : mention.end]} <= {*map(stem, told)}

    def _not_heard(self, one: _Candidate) -> str:
        """The words of a line that are neither part of a move nor ways to say it."""
        left = {n for mention in (*one.left, *one.missed) for n in range(mention.start, mention.end)}
        inside = {n for mention in self.named for n in range(mention.start, mention.end)}
        kind = type(one.move)
        gone = [
            word.typed
            for n, word in enumerate(self.words)
            if n in left or (n not in inside and word.text not in SMALL and not self.ways.knows(kind, stem(word.text)))
        ]
        return " ".join(gone)


def _says_more(move: Move, guess: Guess) -> bool:
    """True if a move says all that a likelier one of its kind says, and something more that nobody said."""
    first, said = guess.moves[0], atoms(move)
    return type(first) is type(move) and all(atom in said for atom in atoms(first) if atom.group != SEAT)


def _with_maker(move: Move, outcome: Outcome) -> Move:
    """The move with the seat that makes it, where only one can."""
    seat, who = acting(type(move)), maker(outcome.verdict.move)
    return replace(move, **{seat: who}) if seat and who and not maker(move) else move


__all__ = ["Guess", "guesses"]
