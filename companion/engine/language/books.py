"""The phrase books of a table: the words that each field of a move may be said with, in one position."""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from functools import cached_property
from types import MappingProxyType
from typing import Any

from companion.engine.language.fields import Field
from companion.engine.language.words import Phrasebook, Token, singular, tokens
from companion.engine.play.domains import Domain
from companion.engine.play.moves import Move
from companion.engine.play.position import Position

NOBODY: Mapping[str, Any] = MappingProxyType({})
MOST_BOOKS = 500
_known: dict[Any, Phrasebook] = {}


def phrasebook(spoken: Mapping[str, Any], names: Mapping[str, Any] = NOBODY, *, shortened: bool = False) -> Phrasebook:
    """The phrase book of these words. It is kept: nearly all words are the same in every position."""
    key = (tuple(spoken.items()), tuple(map(type, spoken.values())), tuple(names.items()), shortened)
    try:
        found = _known.get(key)
    except TypeError:  # a value that cannot be a key
        return Phrasebook(dict(spoken), names, shortened=shortened)
    if found is None:
        if len(_known) >= MOST_BOOKS:
            _known.clear()
        found = _known[key] = Phrasebook(dict(spoken), names, shortened=shortened)
    return found


class Books:
    """The phrase books of the fields in one position, each made when it is first needed. `people`: person -> seat."""

    def __init__(self, at: Position[Any], people: Mapping[str, str] | None = None) -> None:
        self.at = at
        seats = {seat.lower() for seat in at.seats}
        self.people = {person: seat for person, seat in (people or {}).items() if person.lower() not in seats}
        self._books: dict[str, Phrasebook] = {}
        self._rights: dict[str, Phrasebook] = {}
        self._nouns: dict[int, frozenset[str]] = {}
        self._legal_of: dict[type[Move], list[Move]] = {}
        self._names = seats | {person.lower() for person in people or {}}

    @cached_property
    def legal(self) -> list[Move]:
        """The legal moves of the position, found once however often a line is tried."""
        return self.at.legal()

    def legal_of(self, kind: type[Move]) -> list[Move]:
        """The legal moves of one kind, found once."""
        if kind not in self._legal_of:
            at = self.at
            every = "legal" in self.__dict__ or (at.rules.may_owe and at.rules.agenda(at.state))
            found = [move for move in self.legal if type(move) is kind] if every else at.legal_of(kind)
            self._legal_of[kind] = found
        return self._legal_of[kind]

    @cached_property
    def named(self) -> dict[str, str]:
        """Every name by which somebody may be meant, in small letters -> the seat."""
        people = {person.lower(): seat for person, seat in self.people.items()}
        return {**people, **{seat.lower(): seat for seat in self.at.seats}}

    def words(self, text: str) -> list[Token]:
        """The words of a text, with the names of seats and people marked."""
        return [word._replace(whole=True) if word.text in self._names else word for word in tokens(text)]

    def right(self, field: Field, domain: Domain) -> Phrasebook:
        """The phrase book of the values of pairs."""
        if field.group not in self._rights:
            self._rights[field.group] = phrasebook(domain.spoken(self.at), shortened=domain.shortened)
        return self._rights[field.group]

    def nouns(self, domain: Domain) -> frozenset[str]:
        """The words for what the values of a domain are, in the singular."""
        if (found := self._nouns.get(id(domain))) is None:
            found = self._nouns[id(domain)] = frozenset(map(singular, domain.nouns(self.at)))
        return found

    def __getitem__(self, field: Field) -> Phrasebook:
        if field.group not in self._books:
            domain = field.domain or Domain()
            names = self.people if domain.people else NOBODY
            self._books[field.group] = phrasebook(domain.spoken(self.at), names, shortened=domain.shortened)
        return self._books[field.group]

    def seats(self) -> Phrasebook:
        """The words for those who sit at the table."""
        return phrasebook({seat: seat for seat in self.at.seats}, self.people)

    def within(self, turn: Move) -> Books:
        """The books for the steps of a turn, whose words may depend on what the turn names."""
        here = copy(self.at)
        here.turn = turn
        return Books(here, self.people)


__all__ = ["Books", "phrasebook"]
