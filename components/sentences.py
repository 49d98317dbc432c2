"""Sentences of a rulebook with the figures of the moment: the words of a refusal, of a question, of what happened.

They stand in `rules.yaml` beside the rule (`breaks`, `asks`, `says`). Code gives the facts by name:

    {name}           the fact: a number, a name, a list (`a, b and c`), amounts (`2 coins and 1 wood`)
    {n|army}         the fact counted: `no armies`, `1 army`, `3 armies`; `{n|staff|staves}` for odd plurals
    {n:is|are}       only the word that goes with the number
    {name's}         the possessive of a name

Everything else is text. Nothing is evaluated, so a sentence costs a few string operations at the table.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from components.phrasing import amounts, join_and, plural

Part = str | Callable[[Mapping[str, Any]], str]

FIELD = re.compile(r"\{([^{}]*)\}")
FORM = re.compile(r"([a-z_][a-z0-9_]*)(?:('s)|([|:])([^|]+)(?:\|([^|]+))?)?")


class SentenceFault(ValueError):
    """A sentence that cannot be compiled; the message says what is wrong with it."""


class Sentence:
    """One compiled sentence. `names` are the facts it needs. Raises SentenceFault for a field it cannot read."""

    __slots__ = ("names", "parts", "plurals", "text")

    def __init__(self, text: str, plurals: Mapping[str, str] = {}) -> None:
        self.text = text
        self.plurals = plurals
        self.names: set[str] = set()
        self.parts: list[Part] = []
        end = 0
        for field in FIELD.finditer(text):
            self.parts.append(_plain(text[end : field.start()]))
            self.parts.append(self._field(field[1]))
            end = field.end()
        self.parts.append(_plain(text[end:]))

    @classmethod
    def plain(cls, text: str) -> Sentence:
        """A sentence without facts: every sign in `text` stands for itself."""
        sentence = cls("")
        sentence.text, sentence.parts = text, [text]
        return sentence

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sentence) and other.text == self.text

    def __hash__(self) -> int:
        return hash(self.text)

    def say(self, facts: Mapping[str, Any]) -> str:
        """The sentence with its facts. Raises KeyError for a fact that is missing."""
        return "".join(part if isinstance(part, str) else part(facts) for part in self.parts)

    def _field(self, code: str) -> Part:
        read = FORM.fullmatch(code)
        if read is None:
            raise SentenceFault(f"{{{code}}} is neither {{name}}, {{name's}}, {{name|noun}} nor {{name:one|many}}")
        fact, owner, sign, one, many = read.groups("")
        self.names.add(fact)
        if owner:
            return lambda facts: possessive(said(facts[fact], self.plurals))
        if sign == "|":
            plural_form = many or self.plurals.get(one, "")
            return lambda facts: counted(facts[fact], one, plural_form)
        if sign == ":":
            if not many:
                raise SentenceFault(f"{{{code}}} needs the word for one and the word for many")
            return lambda facts: plural(_number(facts[fact]), one, many)
        return lambda facts: said(facts[fact], self.plurals)


def said(value: Any, plurals: Mapping[str, str] = {}) -> str:
    """A fact as a sentence says it. `plurals`: of the goods that are counted."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        return amounts(value, plurals=plurals)
    if isinstance(value, Iterable):
        return join_and(said(one, plurals) for one in value) or "nothing"
    return "nobody" if value is None else str(value)


def counted(number: Any, one: str, many: str = "") -> str:
    """`no armies`, `1 army`, `3 armies`."""
    n = _number(number)
    return f"{n or 'no'} {plural(n, one, many)}"


def possessive(name: str) -> str:
    """`Ana's`, `the players'`."""
    return f"{name}'" if name.endswith("s") else f"{name}'s"


def _number(value: Any) -> Any:
    """The number in a fact: of a list or mapping, how many it holds."""
    if isinstance(value, Mapping):
        return sum(value.values())
    return len(value) if isinstance(value, list | tuple | set) else getattr(value, "value", value)


def _plain(text: str) -> str:
    if "{" in text or "}" in text:
        raise SentenceFault("a brace has no partner")
    return text


__all__ = ["Sentence", "SentenceFault", "counted", "possessive", "said"]
