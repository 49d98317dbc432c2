"""What is found out once while one line is read, however often it is tried: phrase books, and what its texts mean."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from companion.engine.language.books import Books
from companion.engine.language.unread import NotationError
from companion.engine.play.moves import Move
from companion.engine.play.position import Position


class Known:
    """The books of the positions that one line leads through, each made once. `ended`: the end of a sentence before one
    that begins with somebody."""

    def __init__(self, people: Mapping[str, str], first: Books) -> None:
        self.people = people
        named = "|".join(map(re.escape, {*people, *first.at.seats}))
        self.ended = re.compile(rf"\.\s+(?:{named})(?!\w)", re.IGNORECASE)
        self._books = {id(first.at): first}

    def books(self, at: Position[Any]) -> Books:
        if id(at) not in self._books:
            self._books[id(at)] = Books(at, self.people)  # it keeps the position
        return self._books[id(at)]


class Memory:
    """The readings of the texts of which one line is made up, each in its position: many are tried more than once."""

    def __init__(self, read: Ways) -> None:
        self._ways = read
        self._read: dict[tuple[str, int, str], tuple[Position[Any], list[list[Move]] | NotationError]] = {}

    def ways(self, text: str, known: Known, at: Position[Any], me: str) -> list[list[Move]]:
        """Every equally good way to read a text as one thing. Raises NotationError."""
        if (said := (text, id(at), me)) not in self._read:
            self._read[said] = (at, [])  # it keeps the position
            try:
                self._read[said] = (at, self._ways(text, known, at, me))
            except NotationError as error:
                self._read[said] = (at, error)
        _, found = self._read[said]
        if isinstance(found, NotationError):
            raise found
        return found


Ways = Callable[[str, Known, Position[Any], str], list[list[Move]]]
"""(text, books, position, who acts) -> the ways to read it as one thing. Raises NotationError."""


__all__ = ["Known", "Memory"]
