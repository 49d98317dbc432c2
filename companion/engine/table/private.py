"""A log as one seat may read it: without what only others know of the moves they said."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from companion.engine.language.fields import fields
from companion.engine.play.domains import Seat
from companion.engine.play.moves import Event, Move
from companion.engine.play.position import Position
from companion.engine.play.secrets import keeps_secret, marked
from companion.engine.table.history import Line, Recorded
from companion.engine.table.logbook import LogLine
from companion.engine.table.replaying import in_words, words_of


def known_lines(log: list[LogLine], at: Position[Any], seat: str = "") -> list[LogLine]:
    """The lines of a log as `seat` may know them, or as everybody may. `at`: a position of their table."""
    return [_known(entry, at, seat) for entry in log]


def known_line(line: Line, at: Position[Any], seat: str) -> Line:
    """A line as `seat` may know it: the same one, if there is nothing in it to hide."""
    return _hidden(line, at, seat)[0]


def _known(entry: LogLine, at: Position[Any], seat: str) -> LogLine:
    line, told = _hidden(entry.line, at, seat)
    if line is entry.line:
        return entry
    events = [event for event in entry.events if not _tells(event, told)]
    move = line.kind == "move"
    text = in_words(line, at) if move else line.text
    words = in_words(line, at, entry.named) if move else line.text
    moves = [step["move"] for step in line.steps]
    return replace(entry, line=line, text=text, words=words, moves=moves, events=events)


def _hidden(line: Line, at: Position[Any], seat: str) -> tuple[Line, set[str]]:
    """A line without what `seat` may not know, and the words that would tell it."""
    if line.kind == "correct" and keeps_secret(at, line.field.split("."), seat):
        told = f"correct {line.field}"
        return replace(line, kind="note", text=told, value=None, override=""), set()
    words: set[str] = set()
    steps: list[Recorded] = []
    for step in line.steps:
        move, secret = _without(step["move"], at, seat)
        words.update(secret)
        steps.append({"how": step["how"], "move": move})
    if steps == line.steps:
        return line, words
    line = replace(
        line, steps=steps, text="", remarks=[said for said in line.remarks if words.isdisjoint(said.split())]
    )
    return replace(line, text=in_words(line, at)), words


def _without(form: dict[str, Any], at: Position[Any], seat: str) -> tuple[dict[str, Any], list[str]]:
    """The JSON form of a move without the secrets that it does not share with `seat`, and the words of these."""
    name = next((form[key] for key in at.rules.move_keys if key in form), None)
    kind = at.rules.moves.get(name) if isinstance(name, str) else None
    secret = [key for key in _secret_fields(kind) if key in form] if kind is not None else []
    if kind is None or not secret or seat in _named(kind, form):
        return form, []
    kept = {key: value for key, value in form.items() if key not in secret}
    return kept, [word for key in secret for word in words_of(form[key])]


def _secret_fields(kind: type[Move]) -> list[str]:
    return [field.path[0] for field in fields(kind) if marked(field.type)]


def _named(kind: type[Move], form: dict[str, Any]) -> list[str]:
    """The seats that a move names: what it says is between them."""
    seats = (form.get(field.path[0], "") for field in fields(kind) if isinstance(field.domain, Seat))
    return [seat for said in seats for seat in words_of(said)]


def _tells(event: Event, words: set[str]) -> bool:
    return not words.isdisjoint(words_of(event.facts)) or any(word in event.what for word in words)


__all__ = ["known_line", "known_lines"]
