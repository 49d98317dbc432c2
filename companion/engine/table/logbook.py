"""The log of a table: its lines in words, with what happened in each, played through once more."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from companion.engine.language.people import People
from companion.engine.play.moves import Event
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


def read_log(table: Table) -> list[LogLine]:
    """The lines that count, each with its events; without events from the first line that today's code plays
    otherwise."""
    table.prove()
    at = table.start()
    at.quiet = False
    found: list[LogLine] = []
    lines, named = table.history.lines, table.named
    for number, (line, people) in enumerate(zip(lines, sitting(table.began.people, lines), strict=True), 1):
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
    return found


__all__ = ["LogLine", "read_log"]
