"""A line that says several things, one after the other: `ann buys 2 armies, deploys Daring and ben passes`.

Who acts is said once, and so is what is done: `ben cuts 12T, cem 3S`, `ann buys 2 armies and a general`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import suppress
from typing import Any

from companion.engine.language.books import Books
from companion.engine.language.fields import fields, value_of
from companion.engine.language.reading import verb_words
from companion.engine.language.saying import explicit
from companion.engine.language.shared import shared
from companion.engine.language.synonyms import instead_of
from companion.engine.language.together import DONE, NO, by_nobody, is_enough
from companion.engine.language.unread import NotationError
from companion.engine.language.verbs import verbs
from companion.engine.language.words import COURTESIES, EVERYBODY, IT, OWNER, POLITE, WISHING, past, singular, tokens
from companion.engine.play.lines import Outcome, try_line
from companion.engine.play.moves import Move, maker
from companion.engine.play.parts import Turn
from companion.engine.play.phases import awaited
from companion.engine.play.position import Position

JOINTS = re.compile(
    r"(?:\s+first(?=[,;]\s+(?:and\s+)?then\b))?\s*(?:(?:[,.;!]\s+|,(?=[^\d\s]))(?:and\s+)?(?:then\s+)?|\s(?:and\s+then|and|then)\s)\s*",
    re.IGNORECASE,
)
"""What stands between two things said in one line."""
TOGETHER = re.compile(r"\"[^\"]*\"|\[[^\]]*\]|\{[^}]*\}")
"""What is not parted."""
SAME = frozenset(("too", "also", "as", "well", "likewise", "neither", "nor", "either", "does", "do", "did", "is"))
"""Words by which somebody does the same: `ben too`."""
OTHERS = ("the others", "all others", "everybody else", "everyone else", "the rest")
"""Words for everybody from whom something is awaited and who has not been named in the line."""
THEY = re.compile(
    r"^(?:(?:they|we)\s+(?:(?:are|have|do|will)\s+)?)?(all|both)(?:\s+of\s+(?:them|us|the\s+players)|\s+(?:the\s+)?players)?\s+",
    re.IGNORECASE,
)
"""Everybody, as people say it."""
THAT_ONE = frozenset(("she", "he"))
"""Words for one of those named before."""
ONE = frozenset(("one", "another"))
"""Words for one of those that were named."""
MOST_READ = 64
"""So many pieces of one line are read before it is given up; no one types such a line."""
MOST_WAYS = 16

Ways = Callable[[str, Position[Any], str], list[list[Move]]]
"""(text, position, who acts) -> the ways to read it as one thing; empty if there is none."""


class Speakers:
    """The seats that can be named at this table, and the places where a line may be parted."""

    def __init__(self, at: Position[Any], people: Mapping[str, str]) -> None:
        self.books = Books(at, people)
        self.seats = self.books.named
        self.in_turns = any(issubclass(kind, Turn) for kind in at.rules.moves.values())
        """True if turns are typed step by step, with commas of their own."""
        self.line = ""
        self._places: list[tuple[int, int]] = []

    def parts(self, line: str) -> list[str]:
        """The line cut wherever one thing may end and another begin, but not inside brackets or quotes."""
        kept = [found.span() for found in TOGETHER.finditer(line)] if "=" in line or '"' in line else []
        places, start = [], 0
        for joint in JOINTS.finditer(line):
            if not any(begin < joint.start() < end for begin, end in kept):
                places.append((start, joint.start()))
                start = joint.end()
        places.append((start, len(line)))
        self.line = line
        self._places = [place for place in places if place[0] < place[1]] or [(0, len(line))]
        return [self.said(n, n + 1) for n in range(len(self._places))]

    def said(self, first: int, end: int) -> str:
        """The parts of the line from the `first` up to the `end`, as they stand there."""
        return self.line[self._places[first][0] : self._places[end - 1][1]]

    def strong(self, parts: list[str]) -> list[int]:
        """The places of parts that begin with somebody or with a verb, the first part among them."""
        return [0, *(i for i, part in enumerate(parts) if i and self._begins(part))]

    def _begins(self, part: str) -> bool:
        words = tokens(part)
        word = words[past(COURTESIES, words, 0)].text if words else ""
        word = "both" if THEY.match(part) else word
        if word in self.seats or word in EVERYBODY or word in ("nobody", "who", *THAT_ONE) or self._others(part):
            return True
        if self.in_turns:
            return False
        _, heads = verb_words(self.books)
        return word in heads or singular(word) in heads or any(True for _ in instead_of(word, heads))

    def _others(self, text: str) -> str:
        """The words for the others with which a text begins; "" if it does not."""
        return next((words for words in OTHERS if f"{text.lower()} ".startswith(f"{words} ")), "")

    def actors(self, text: str, at: Position[Any], named: Collection[str] = ()) -> tuple[list[str], str]:
        """Those who do something together, and what they do: `ann and ben stay out`, `everybody draws`, `the others
        pass`. No actors: not such a text. `named`: the seats named before in the line."""
        first, _, after = text.strip().partition(" ")
        rest = after if first.lower().strip(",") in POLITE else text.strip()
        said, names = rest, list[str]()
        rest = THEY.sub(r"\1 ", rest)
        if words := self._others(rest):
            left = [seat for seat in at.rules.to_move(at.state) if seat not in named]
            if named or len(left) > 1:  # else nobody is there whose others they could be
                return left, rest[len(words) :].strip(" ,")
        while rest:
            first, _, after = rest.partition(" ")
            seat = self.seats.get(first.strip(",").lower())
            if seat is None or seat in names:
                break
            names.append(seat)
            others = re.sub(r"^(?:and\s+)+", "", after.strip(), flags=re.IGNORECASE)
            joined, rest = first.endswith(",") or others != after.strip(), others
            if not joined:
                break
        if len(names) > 1 and rest:
            together = "both|all" if len(names) == 2 else "all"
            rest = rest.removesuffix(" each")
            return names, re.sub(rf"^(?:(?:are|have|do|will)\s+)?(?:{together})\s+", "", rest, flags=re.IGNORECASE)
        if names:
            return [], text  # `ann is all set`
        first, _, after = rest.partition(" ")
        before, _, last = rest.rpartition(" ")
        for who, what in ((first, after), (last, before)):  # `everybody draws`, `fill all`
            if who.lower() not in EVERYBODY:
                continue
            if named and f"{who} {what}".lower().startswith(tuple(verb_words(self.books)[0])):
                continue  # `ann draws, all set`
            awaited = list(at.rules.to_move(at.state))
            if what.lower() in DONE and (rest == said or at.rules.pass_all(at)):
                continue  # `pass all`, of which the game says whom it concerns
            what = what.removesuffix(" for")  # `income for everybody`
            if who.lower() == "both" and len(at.seats) == 2:
                awaited = awaited if len(awaited) == 2 else list(at.seats)  # one after the other
            awaited = awaited or self._able(what, at)
            if what and awaited and (who.lower() != "both" or len(awaited) == 2):
                return awaited, what.strip()
        return [], text

    def _able(self, what: str, at: Position[Any]) -> list[str]:
        """The seats that could do what a text says, where nobody is awaited."""
        words = tokens(what)
        verb = words[past(WISHING | COURTESIES, words, 0)].text if words else ""
        found = (move for move in at.legal() if maker(move))
        heads = {type(move): {text.split()[0] for text in verbs(type(move))} for move in found}
        kinds = {kind for kind, its in heads.items() if {verb, singular(verb), *instead_of(verb, its)} & its}
        return list(dict.fromkeys(maker(move) for move in at.legal() if maker(move) and type(move) in kinds))

    def named(self, text: str) -> str:
        """The seat named first in a text; "" if none is."""
        words = tokens(text.partition(" ")[0])
        return self.seats.get(words[0].text, "") if words else ""

    def is_seat(self, text: str) -> bool:
        """True if a text is a seat and nothing else."""
        return len(tokens(text)) == 1 and bool(self.named(text))

    def all_named(self, parts: list[str]) -> set[str]:
        """Every seat named in some parts of a line."""
        return {self.seats[word.text] for part in parts for word in tokens(part) if word.text in self.seats}

    def has_verb(self, text: str) -> bool:
        """True if a text has a verb after the seats it names."""
        _, heads = verb_words(self.books)
        words = [word.text for word in tokens(text) if word.text not in self.seats]
        return any(w in heads or singular(w) in heads or any(True for _ in instead_of(w, heads)) for w in words[:1])


def displaced(parts: list[str], speakers: Speakers) -> Iterator[str]:
    """A line with what one player does, told between two parts of a report, after both: `ben 6, mark from the reserve,
    ann 8`."""
    people = [n for n, part in enumerate(parts) if speakers.named(part)]
    for start in range(1, len(parts) - 1):
        end = next((n for n in people if n > start), len(parts))
        before = next((n for n in range(start - 1, -1, -1) if speakers.all_named(parts[n : n + 1])), None)
        if end == len(parts) or before is None or start in people:
            continue
        first, _, rest = parts[start].partition(" ")
        name = first.lower() in THAT_ONE
        who = next(word.typed for word in tokens(parts[before]) if word.text in speakers.seats)
        said = [f"{OWNER.sub('', who).strip(',:')} {rest if name else parts[start]}", *parts[start + 1 : end]]
        yield ", ".join([*parts[:start], parts[end], " and ".join(said), *parts[end + 1 :]])


def sequences(
    parts: list[str], at: Position[Any], me: str, speakers: Speakers, ways: Ways, *, legal: bool
) -> list[list[Move]]:
    """The ways to read a line as several things. Each is read in the position to which those before it lead. `legal`:
    the line can be read as one thing that is legal; then it is parted only where somebody or a verb begins a part."""
    walk = _Walk(parts, speakers, ways)
    found = walk.from_(0, at, me, None, speakers.strong(parts))
    if not legal and not any(try_line(at, moves).verdict.legal for moves in found):
        found += [moves for moves in walk.from_(0, at, me, None, list(range(len(parts)))) if moves not in found]
    return found


class _Walk:
    """Reads the parts of a line from left to right, each as long as it can be."""

    def __init__(self, parts: list[str], speakers: Speakers, ways: Ways) -> None:
        self.parts = parts
        self.speakers = speakers
        self.ways = ways
        self.read = 0

    def from_(
        self, start: int, here: Position[Any], me: str, before: Move | None, begins: list[int], said: str = ""
    ) -> list[list[Move]]:
        """Every way to read the parts from `start` on; as one thing only if several do it. `said`: the last text before
        them that had a verb."""
        found: list[list[Move]] = []
        named = self.speakers.all_named(self.parts[:start])
        ends = [*(i for i in begins if i > start), len(self.parts)]
        for end in ends:
            for text in self._whose(self.speakers.said(start, end), start):
                whole = start == 0 and end == len(self.parts)
                if (whole and not self.speakers.actors(text, here)[0]) or self.read > MOST_READ:
                    continue
                if end < len(self.parts) and self.speakers.is_seat(text) and self.speakers.named(self.parts[end]):
                    continue  # one of those who do something together: `cem and dora nothing`
                seat = self.speakers.named(text) or me
                ways = self._possible(self._clause(text, here, seat, before, said, named), here)
                if named and tokens(text)[0].text == "no":  # `ann passes, no recall` is about her
                    ways = [(moves, outcome) for moves, outcome in ways if {*map(maker, moves)} <= {*named, ""}]
                over = before is not None and seat in ("", me, maker(before)) and self._is_over(text, seat, here)
                if before is not None and over and all(one.verdict.legal is False for _, one in ways):
                    rest = [[]] if end == len(self.parts) else self.from_(end, here, me, before, begins, said)
                    found += [moves for moves in rest if moves not in found]
                    continue
                for moves, outcome in ways:
                    if end == len(self.parts):
                        found.append(moves)
                        continue
                    after = outcome.after if outcome.done else here
                    if isinstance(moves[-1], Turn) and not self._begins_another(self.parts[end], moves[-1], outcome):
                        continue
                    verb = text if self.speakers.has_verb(text) or not said else said
                    found += [
                        shared(moves, others, here, same=self._says(end, IT), another=self._says(end, ONE))
                        if others
                        else moves
                        for others in self.from_(end, after, seat or maker(moves[-1]), moves[-1], begins, verb)
                    ]
                    if len(found) > MOST_WAYS:
                        return found
        return found

    def _is_over(self, text: str, seat: str, here: Position[Any]) -> bool:
        """True if a text says only that a seat does nothing more, and that seat has nothing more to do."""
        whose = [name for name, one in self.speakers.seats.items() if one == seat]
        return bool(seat) and is_enough(tokens(text), whose) and seat not in awaited(here)

    def _says(self, n: int, pronouns: Collection[str]) -> bool:
        """True if a part contains a pronoun."""
        return any(word.text in pronouns for word in tokens(self.parts[n]))

    def _whose(self, text: str, start: int) -> list[str]:
        """A text with the seat last named before it for `who`, and with each of those named for `she`: `ann picks ben,
        who loses Daring`."""
        first, _, rest = text.partition(" ")
        if first.lower() not in ("who", *THAT_ONE):
            return [text]
        words = [word for part in self.parts[:start] for word in tokens(part)]
        before = {self.speakers.seats[word.text]: word.typed for word in words if word.text in self.speakers.seats}
        meant = [f"{OWNER.sub('', name).strip(',:')} {rest}" for name in before.values()]
        return (meant[-1:] if first.lower() == "who" else meant) or [text]

    def _possible(self, ways: list[list[Move]], here: Position[Any]) -> list[tuple[list[Move], Outcome]]:
        """The ways that nothing forbids here, with what becomes of them; all of them if everything is forbidden."""
        outcomes = [(moves, try_line(here, moves)) for moves in ways]
        return [one for one in outcomes if one[1].verdict.legal is not False] or outcomes

    def _begins_another(self, text: str, turn: Turn, outcome: Outcome) -> bool:
        """True if a part can begin something new after a turn: an unnamed seat is not the one that took it, unless that
        seat has the next turn, too."""
        return bool(self.speakers.named(text)) or (outcome.done and maker(turn) in awaited(outcome.after))

    def _clause(
        self, text: str, here: Position[Any], me: str, before: Move | None, said: str, named: Collection[str]
    ) -> list[list[Move]]:
        """The ways to read one thing, said by one or by several; if need be with the verb of the one before, as it
        was `said`."""
        self.read += 1
        seats, rest = self.speakers.actors(text, here, named)
        if seats:
            return self._each(seats, rest, here, before, said) or self._one(text, here, me, before, said)
        return self._one(text, here, me, before, said)

    def _each(
        self, seats: list[str], rest: str, here: Position[Any], before: Move | None, said: str
    ) -> list[list[Move]]:
        """The ways to read what several seats do, one after the other."""
        found: list[list[Move]] = [[]]
        for seat in seats:
            ways = self._one(f"{seat} {rest}", here, seat, before, said)
            done = [(moves, outcome) for moves in ways if (outcome := try_line(here, moves)).done]
            found = [[*moves, *more] for moves in found for more in ([moves for moves, _ in done] or ways)][:MOST_WAYS]
            here = done[0][1].after if done else here
        return found

    def _one(self, text: str, here: Position[Any], me: str, before: Move | None, said: str) -> list[list[Move]]:
        """The ways to read what one seat does."""
        carries = before is not None and not isinstance(before, Turn)
        if before is not None and carries and (of_it := self._of_it(text, here, me, before, said)):
            return of_it
        if carries and self._is_another_object(text, said):
            text = f"{self.speakers.named(said) or me} {self._verbs(said, before)[-1]} {text}"
        if carries and self._the_same(text):
            return self.ways(f"{self.speakers.named(text)} {self._without_actor(said)}", here, me)
        if before is not None and carries and (one := self._one_more(text, here, me, before, said)):
            return one
        verbless = carries and bool(said) and not self.speakers.has_verb(text) and not by_nobody(tokens(text))
        found = [] if verbless else self.ways(text, here, me)
        goes_on = carries or (before is not None and bool(self.speakers.named(text)))
        if before is None or not goes_on or self._can_be(found, here):
            return found
        own, *others = self._verbs(said, before)
        if (carried := self.ways(self._with_verb(text, own), here, me)) and verbless:
            again = [way for verb in others for way in self.ways(self._with_verb(text, verb), here, me)]
            return [*carried, *(way for way in again if way not in carried and self._can_begin(way, here))]
        for verb in others:
            carried = carried or self.ways(self._with_verb(text, verb), here, me)
        if carried and self._can_be(carried, here):
            return carried
        found = found or (self.ways(text, here, me) if verbless else [])
        who = me or next(iter(seats), "") if len(seats := awaited(here)) == 1 else me
        if not found and who and not self.speakers.named(text):
            found = self.ways(f"{who} {text}", here, me)  # `ben 3 armies and daring`
        return found or carried

    def _one_more(self, text: str, here: Position[Any], me: str, before: Move, said: str) -> list[list[Move]]:
        """The ways to read `one at C` or `another one at b1`, after what may be made again (`Move.repeats`)."""
        first, _, rest = text.partition(" ")
        if type(before).repeats is None or first.lower() not in ONE or not rest or self.speakers.has_verb(text):
            return []
        rest = rest.removeprefix("one ")
        every = [self.ways(self._with_verb(rest, verb), here, me) for verb in self._verbs(said, before)]
        return [way for ways in every for way in ways if type(way[0]) is type(before)][:1]

    def _of_it(self, text: str, here: Position[Any], me: str, before: Move, said: str) -> list[list[Move]]:
        """The ways to read what is said of `it`, if only one of the things named last can be meant."""
        words = text.split(" ")
        pronouns = {word for word in words if word.lower().strip(",.") in IT}
        if not pronouns:
            return []
        values = [value for field in fields(type(before)) if (value := value_of(before, field)) != field.default]
        things = [str(one) for value in values for one in (value if isinstance(value, tuple | list) else [value])]
        found: list[tuple[list[Move], Outcome]] = []
        people = {word.lower().strip(",.") for word in pronouns} == {"him"}
        mine = {maker(before), self.speakers.named(text)}
        for thing in dict.fromkeys(one for one in things if " " not in one and one not in mine):
            if thing in here.seats and not people:
                continue
            named = " ".join(thing if word in pronouns else word for word in words)
            found += self._possible(self._one(named, here, me, before, said), here)
        done = [one for one in found if one[1].verdict.legal is not False]
        alike = all(one[1].after.state == done[0][1].after.state for one in done[1:])
        return [done[0][0]] if done and alike else []

    def _can_begin(self, way: list[Move], here: Position[Any]) -> bool:
        """True if nothing forbids a reading, though it may leave a question open."""
        return try_line(here, way).verdict.legal is not False

    def _can_be(self, ways: list[list[Move]], here: Position[Any]) -> bool:
        return any(try_line(here, moves).done for moves in ways)

    def _the_same(self, text: str) -> bool:
        """True if a text makes its seat do the same as the one before: `ben too`, or only `ben`."""
        words = [word.text for word in tokens(text)]
        return words[0] in self.speakers.seats and SAME.issuperset(words[1:])

    def _without_actor(self, said: str) -> str:
        """A text without the seats that it names first."""
        words = said.split(" ")
        while words and OWNER.sub("", words[0].strip(",:").lower()) in (*self.speakers.seats, "and"):
            words = words[1:]
        return " ".join(words)

    def _is_another_object(self, text: str, said: str) -> bool:
        """True if a text is another seat that the same is done to: `ann attacks ben and cem`."""
        words = [word.text for word in tokens(said)]
        return len(tokens(text)) == 1 and len(words) > 2 and {text.lower(), words[-1]} <= {*self.speakers.seats}

    def _verbs(self, said: str, before: Move | None) -> list[str]:
        """The verb of a move, and that of the text that says it."""
        _, heads = verb_words(self.speakers.books)
        own = verbs(type(before))[:1] if before is not None else []
        return [*dict.fromkeys([*own, *[word.typed for word in tokens(said) if singular(word.text) in heads][:1]])]

    def _with_verb(self, text: str, verb: str) -> str:
        """A text without a verb, with one from before it."""
        if self.speakers.named(text):
            first, _, rest = text.partition(" ")
            return f"{first} {verb} {rest}"
        return f"{verb} {text}"


def each_in_any_order(
    parts: list[str], speakers: Speakers, at: Position[Any], read: Callable[[str, Position[Any], bool], list[Move]]
) -> list[Move]:
    """The moves of a line in which the words of somebody's part stand in any order, and what others do follows: `ana
    puts hers on spot 2, bo on 1 and cai on 3`; [] if it is no such line. `read` takes a text, its position, and whether
    its words may stand in any order."""
    strong = speakers.strong(parts)
    if len(strong) < 2 or any(word.text in NO for part in parts for word in tokens(part)):
        return []  # a denial may be about what was said before it
    first, rest = speakers.said(0, strong[1]), speakers.said(strong[1], len(parts))
    with suppress(NotationError):
        moves = read(first, at, True)
        outcome = try_line(at, moves, typed=True)
        if outcome.verdict.legal:
            with suppress(NotationError):
                found = read(f"{', '.join(map(explicit, moves))}, {rest}", at, False)
                if found[: len(moves)] == moves and try_line(at, found, typed=True).verdict.legal:
                    return found
            found = [*moves, *read(rest, outcome.after, True)]
            return found if try_line(at, found, typed=True).verdict.legal else []
    return []


__all__ = ["Speakers", "displaced", "each_in_any_order", "sequences"]
