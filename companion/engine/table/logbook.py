"""The log of a table: its lines in words, with what happened in each, played through once more."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from companion.engine.language.people import People
from companion.engine.play.moves import Event
from companion.engine.play.position import Position
from companion.engine.table.history import Line, sitting
from companion.engine.table.replaying import in_words, play_line, turned

if TYPE_CHECKING:
    from companion.engine.table.table import Table


class LogLine(msgspec.Struct, kw_only=True):
    """One line of the log: its number, where the game stood, what was said, what happened and how it is marked."""

    number: int
    when: str
    phase: str
    line: Line
    text: str
    moves: list[dict[str, Any]]
    events: list[Event]
    words: str
    """The text with people for their seats."""
    named: People
    """Those who sat there then."""


class Logbook:
    """The log of one table, which is read on from where it was read before: a line that has been added costs no more in
    a long game than in a short one."""

    def __init__(self) -> None:
        self._found: list[LogLine] = []
        self._at: Position[Any] | None = None
        """The position after the last of them."""

    def read(self, table: Table) -> list[LogLine]:
        """The lines that count, each with its events; without events from the first line that today's code plays
        otherwise."""
        table.prove()
        lines, named = table.history.lines, table.named
        seated = list(sitting(table.began.people, lines))
        found, at = self._known(table, lines, seated)
        self._at = None  # if a line stops halfway, the log is read from its beginning
        for number, (line, people) in enumerate(zip(lines, seated, strict=True), 1):
            if number <= len(found):
                continue
            at = turned(at, table.rules_of(line.rules))
            at.events = []
            phase = at.rules.phase(at.state)
            if named.rules is not at.rules or named.people != people:
                named = People(at.rules, people)
            text, words = in_words(line, at), in_words(line, at, named)
            if table.differs is None or number < table.differs.number:
                play_line(at, line)
            found.append(
                LogLine(
                    number=number,
                    when=line.when,
                    phase=phase,
                    line=line,
                    text=text,
                    moves=[step["move"] for step in line.steps],
                    events=at.events,
                    words=words,
                    named=named,
                )
            )
        self._found, self._at = found, at
        return list(found)

    def _known(
        self, table: Table, lines: list[Line], seated: list[dict[str, str]]
    ) -> tuple[list[LogLine], Position[Any]]:
        """The lines read before, if the table has only gone on since, and the position after them."""
        found, at = self._found, self._at
        if (
            at is not None
            and len(found) <= len(lines)
            and (not found or at.rules is table.rules_of(found[-1].line.rules))
            and all(
                one.line == line and one.named.people == people
                for one, line, people in zip(found, lines, seated, strict=False)
            )
        ):
            return found, at
        at = table.start()
        at.quiet = False
        return [], at


__all__ = ["LogLine", "Logbook"]
