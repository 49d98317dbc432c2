"""The names of the people at a table, in whatever is printed for them: their seats are facts of the sentences.

Programs (JSON, journals, transcripts) keep the seats. A piece that is called like a seat keeps its name.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property
from types import MappingProxyType
from typing import Any

import msgspec
from msgspec.structs import replace

from companion.engine.errors import CompanionError
from companion.engine.language import notation
from companion.engine.language.saying import short, verbs
from companion.engine.play.domains import Pairs, domain_in
from companion.engine.play.moves import Breach, Choice, Event, Move, struct_fields, worded
from companion.engine.play.position import Position, Rules
from components.sentences import Sentence

TYPED = re.compile(r"(\(type: [^)]*\)|e\.g\. [^)\n]*)")
"""What a sentence says is to be typed, and examples of it."""


class People:
    """The people at the seats: `seated` is seat -> person. A person with the name of another person, or of a seat, is
    named with the own seat. Without `rules`, no pieces are known."""

    def __init__(self, rules: Rules | None, seated: Mapping[str, str]) -> None:
        self.rules = rules
        self.people = dict(seated)
        people = {seat: person for seat, person in seated.items() if person and person.lower() != seat.lower()}
        taken = [name.lower() for name in (*seated, *people.values())]
        self.names = {
            seat: person if taken.count(person.lower()) == 1 else f"{person} ({seat})"
            for seat, person in people.items()
        }
        """Seat -> how a sentence names it."""
        self.seated = people

    def __eq__(self, other: object) -> bool:
        """The same people in the same seats of the same game."""
        if not isinstance(other, People):
            return NotImplemented
        return self.people == other.people and self._game == other._game

    __hash__ = None  # type: ignore[assignment]

    @property
    def _game(self) -> str | None:
        return self.rules.game.fingerprint if self.rules else None

    @cached_property
    def typed(self) -> dict[str, str]:
        """Seat -> the person, where typing the name can mean nothing else."""
        if not self.seated or self.rules is None:
            return {}
        known = {seat.lower() for seat in self.people}
        known |= {word for kind in self.rules.moves.values() for verb in verbs(kind) for word in verb.lower().split()}
        known |= {word for spoken in self.rules.vocabulary.values() for said in spoken for word in said.lower().split()}
        return {
            seat: person
            for seat, person in self.seated.items()
            if self.names[seat] == person and known.isdisjoint((person.lower(), *person.lower().split()))
        }

    # --- facts -------------------------------------------------------------------------------------------------

    def called(self, seat: str) -> str:
        """A seat by the person who sits there."""
        return self.names.get(seat) or self._ways.get(seat, seat)

    def seat(self, seat: str) -> str:
        """A seat with the person who sits there, for where it is first named: `Ana (red)`."""
        return f"{self.seated[seat]} ({seat})" if seat in self.seated else seat

    @cached_property
    def _ways(self) -> dict[str, str]:
        """The forms of a seat in a sentence -> the person."""
        return {
            way: name
            for seat, name in self.names.items()
            for way in (seat, seat.capitalize(), *([self.rules.called(seat)] if self.rules else []))
        }

    def fact(self, value: Any) -> Any:
        """A fact of a sentence with people for seats; anything but a text, list or mapping is unchanged."""
        if isinstance(value, str):
            return self._ways.get(value) or self.text(value)
        if isinstance(value, Mapping):
            return {self.fact(key): self.fact(one) for key, one in value.items()}
        if isinstance(value, list | tuple):
            return [self.fact(one) for one in value]
        return value

    def text(self, text: str) -> str:
        """A text that was put together from facts, with people for the seats in it. What is to be typed is typed so
        that it can be read, and the names of pieces stay."""
        if not self.names:
            return text
        parts = TYPED.split(text)
        return "".join(
            self._example(part) if n % 2 else self._seats.sub(self._written, part) for n, part in enumerate(parts)
        )

    def _example(self, part: str) -> str:
        return re.sub(self._seats.pattern, self._typed, part, flags=re.IGNORECASE)

    def examples(self, text: str) -> str:
        """A text about no table, with people for the seats in its examples of what to type."""
        parts = TYPED.split(text) if self.typed else [text]
        return "".join(self._example(part) if n % 2 else part for n, part in enumerate(parts))

    def as_typed(self, line: str) -> str:
        """A line that can be typed, with people for its seats where that can be read."""
        return self._seats.sub(self._typed, line) if self.typed else line

    def _written(self, found: re.Match[str]) -> str:
        return self._ways.get(found[0], found[0])  # what is none is a piece

    def _typed(self, found: re.Match[str]) -> str:
        word = found[0]
        return next((one for seat, one in self.typed.items() if seat.lower() == word.lower()), word)

    @cached_property
    def _seats(self) -> re.Pattern[str]:
        """Seats in a text; first the names of pieces that have one in them."""
        ways = "|".join(sorted(map(re.escape, self._ways), key=len, reverse=True))
        seat = re.compile(rf"(?<![\w.-])(?<!\w')(?:{ways})(?![\w-])")
        pieces = {piece.name for piece in self.rules.game.pieces} if self.rules else set()
        longer = [re.escape(name) for name in pieces if name not in self._ways and seat.search(name)]
        names = "|".join(sorted(longer, key=len, reverse=True))
        return re.compile(rf"(?:{names})|{seat.pattern}") if longer else seat

    # --- what is told ------------------------------------------------------------------------------------------

    def said(self, told: Breach | Event) -> str:
        """The sentence of a breach or an event. Raises LacksFact."""
        return self._sentence(told.rule, told.words, told.facts)

    def cited(self, told: Breach | Event) -> str:
        """The same, with its rule."""
        return f"{self.said(told)} [{told.rule}]"

    def asked(self, choice: Choice) -> str:
        """A question."""
        return self._sentence(choice.rule, choice.words or choice.question, choice.facts)

    def options(self, choice: Choice) -> list[str]:
        """The possible answers, each as it can be typed."""
        said = map(str, choice.options)
        return [self.typed.get(one) or (self.as_typed(one) if " " in one else one) for one in said]

    def _sentence(self, rule: str, words: str | Sentence, facts: dict[str, Any]) -> str:
        if not self.names:
            return worded(rule, words, facts)
        if isinstance(words, str):
            return self.text(words)
        return worded(rule, words, {name: self.fact(value) for name, value in facts.items()})

    # --- moves -------------------------------------------------------------------------------------------------

    def move(self, move: Move, at: Position[Any]) -> str:
        """A move in words, as people read it."""
        return short(self._renamed(move, self.names), at) if self.names else short(move, at)

    def line(self, move: Move, at: Position[Any]) -> str:
        """A move as it can be typed: read in the same position it gives the same move again."""
        written = notation.write(move, at)
        if self.typed and (named := short(self._renamed(move, self.typed), at)) != written:
            try:
                if notation.read(named, at, people=self.by_name) == notation.read(written, at):
                    return named
            except CompanionError:
                pass
        return written

    @cached_property
    def by_name(self) -> dict[str, str]:
        """Person -> seat."""
        return {person: seat for seat, person in self.seated.items()}

    def _renamed(self, record: Any, names: Mapping[str, str]) -> Any:
        """A move, or a step of one, with people for seats: to be written, not to be judged."""
        changed: dict[str, Any] = {}
        kind: type[msgspec.Struct] = type(record)
        for info in struct_fields(kind):
            value = getattr(record, info.name)
            domain = domain_in(info.type)[0]
            if isinstance(value, msgspec.Struct):
                changed[info.name] = self._renamed(value, names)
            elif isinstance(value, list | tuple) and any(isinstance(one, msgspec.Struct) for one in value):
                changed[info.name] = tuple(self._renamed(one, names) for one in value)
            elif isinstance(domain, Pairs) and isinstance(value, dict):
                left, right = (names if side.people else NO_ONE for side in (domain.left, domain.right))
                changed[info.name] = {_called(key, left): _called(one, right) for key, one in value.items()}
            elif domain is not None and domain.people and value:
                changed[info.name] = _called(value, names)
        return replace(record, **changed) if changed else record


NO_ONE: Mapping[str, str] = MappingProxyType({})


def _called(value: Any, names: Mapping[str, str]) -> Any:
    if isinstance(value, str):
        return names.get(value, value)
    if isinstance(value, dict):
        return {names.get(key, key): one for key, one in value.items()}
    return [_called(one, names) for one in value] if isinstance(value, list | tuple) else value


def people_of(people: People | Mapping[str, str] | None) -> People:
    """The people, where only seat -> person is known, or nobody is."""
    return people if isinstance(people, People) else People(None, people or {})


__all__ = ["People", "people_of"]
