"""Recorded lines carried out once more: as they were written, or judged again in another position or by other rules."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from companion.engine.errors import CompanionError
from companion.engine.language import saying
from companion.engine.language.jsonmoves import recorded
from companion.engine.language.people import People
from companion.engine.play.faults import PositionError
from companion.engine.play.lines import CannotHappen, Outcome, try_line
from companion.engine.play.moves import Event, Move
from companion.engine.play.position import Position, Rules
from companion.engine.play.unbundling import unbundled
from companion.engine.table.corrections import corrected
from companion.engine.table.digests import form_of, hash_of
from companion.engine.table.history import Line, Recorded
from companion.engine.things.sealed import is_sealed, without_seals
from components.phrasing import join_and

Reasons = list[dict[str, Any]]
"""The reasons why a line does not stand: `{"rule": …, "why": …}` each."""


class Again(msgspec.Struct, kw_only=True):
    """The result of judging a recorded line again."""

    after: Position[Any]
    change: dict[str, Any] = {}
    """The fields of the line that are different now."""
    why: Reasons | None = None
    """The reasons why it no longer stands; None: it stands."""
    events: list[Event] = []


class Difference(msgspec.Struct):
    """The first line that today's code carries out otherwise than the code that recorded it."""

    number: int
    text: str
    why: str

    def __str__(self) -> str:
        return f"line {self.number} ({self.text}) has a different result under this version's rules: {self.why}"


Seen = Callable[[Position[Any]], None]
"""Looks at a position on the way."""


def play_line(at: Position[Any], line: Line, seen: Seen | None = None) -> None:
    """Carry out a recorded line, without judging it. `seen` is shown the position after each move."""
    if line.kind == "correct":
        at.state = corrected(at.rules, at.state, line.field, line.value)
    for step in line.steps:
        at.perform(recorded(step["move"], at.rules.moves, at.rules.move_keys))
        if seen is not None:
            seen(at)


def turned(at: Position[Any], rules: Rules) -> Position[Any]:
    """The position under these rules; the same one if they hold already."""
    if at.rules is rules:
        return at
    other = Position(rules, at.state, quiet=at.quiet)
    other.events = at.events
    return other


def first_difference(at: Position[Any], lines: Sequence[Line], rules_of: Callable[[str], Rules]) -> Difference:
    """The first of `lines`, played from `at`, that cannot be carried out or leads elsewhere than before.

    `rules_of`: fingerprint -> rules.
    """
    for number, line in enumerate(lines, 1):
        at = turned(at, rules_of(line.rules))
        text = in_words(line, at)
        try:
            play_line(at, line)
            found = hash_of(form_of(at.state))
        except Exception as error:  # written for other code, it may meet anything
            return Difference(number, text, stopped(line, error, at.rules, {}))
        if line.state and found != line.state:
            return Difference(number, text, "it now leads to a different position")
    return Difference(len(lines), "the last line", "it now leads to a different position")


def judged_again(at: Position[Any], line: Line, gone: dict[str, str] | None = None) -> Again:
    """A recorded line judged in the position `at`.

    `gone` says that the rules are not those it was recorded under: the pieces that they no longer have, by id and name.
    Whatever stops the line then is a reason why it does not stand. Without it, a fault is a fault.
    """
    if line.kind in ("note", "people") or not (line.steps or line.kind == "correct"):
        return Again(after=at)
    try:
        found = _corrected_again(at, line) if line.kind == "correct" else _played_again(at, line)
    except (CannotHappen, PositionError) as error:
        return Again(after=at, why=[{"rule": "", "why": str(error)}])
    except Exception as error:
        if gone is None:
            raise
        return Again(after=at, why=[{"rule": "", "why": stopped(line, error, at.rules, gone)}])
    if found.why is None:
        state = hash_of(form_of(found.after.state))
        if state != line.state:
            found.change["state"] = state
    return found


def _corrected_again(at: Position[Any], line: Line) -> Again:
    after = at.copy()
    after.state = corrected(at.rules, at.state, line.field, line.value)
    return Again(after=after)


def _played_again(at: Position[Any], line: Line) -> Again:
    passed = any(step["how"] == "passed" for step in line.steps)
    outcome = try_line(at, said_moves(line, at.rules), passed=passed, force=line.marked)
    if not outcome.done:
        reasons = [{"rule": b.rule, "why": b.why} for b in outcome.verdict.reasons]
        questions = [{"rule": "", "why": f"{c.of} must choose: {c.question}"} for c in outcome.verdict.needs]
        return Again(after=at, why=reasons or questions)
    steps = steps_of(outcome)
    change: dict[str, Any] = {}
    if steps != line.steps:
        change["steps"] = steps
    if outcome.broken != line.broken:
        change["broken"] = outcome.broken
        if not outcome.broken:
            change["override"] = ""  # it is play by the rules now
    return Again(after=outcome.after, change=change, events=outcome.events)


def stopped(line: Line, error: Exception, rules: Rules, gone: dict[str, str]) -> str:
    """The reason why rules other than those of a line's recording cannot carry it out, in words for the table."""
    if isinstance(error, CompanionError):
        return str(error)
    names = [step["move"].get(key) for step in line.steps for key in rules.move_keys if key in step["move"]]
    unknown = [name for name in names if name not in rules.moves]
    if unknown:
        return f"these rules do not have the move {unknown[0]!r}"
    said = words_of([{k: v for k, v in step["move"].items() if k not in rules.move_keys} for step in line.steps])
    return without(error, said, gone)


def without(error: Exception, said: list[str], gone: dict[str, str]) -> str:
    """The missing thing that stops the rules: a piece, named or looked for, that is gone, or whatever was named and
    looked for in vain."""
    looked = error.args if isinstance(error, KeyError) else ()
    missing = [gone[word] for word in [*said, *looked] if word in gone] or [word for word in said if word in looked]
    if missing:
        return f"these rules do not have {join_and(dict.fromkeys(missing), 'or')}"
    return f"it cannot be played under these rules ({type(error).__name__}: {error})"


def words_of(value: Any) -> list[str]:
    """Every text in a recorded move, keys of counts included."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        return [word for pair in value.items() for part in pair for word in words_of(part)]
    if isinstance(value, list):
        return [word for part in value for word in words_of(part)]
    return []


def in_words(line: Line, at: Position[Any], people: People | None = None) -> str:
    """A line in a person's words; `at` is the position before it, `people` stand for their seats. Without fail: what
    cannot be written is as typed."""
    if line.kind in ("note", "people"):
        return line.text
    if line.kind == "correct":
        return f"correct {line.field} = {msgspec.json.encode(line.value).decode()}"
    try:
        written = people.move if people else saying.short
        said = (one for move in said_moves(line, at.rules) for one in unbundled(move, at))
        told = "; ".join(written(move, at) for move in said) or line.text
        return without_seals(told) if people else told
    except Exception:  # recorded under other rules, a move may name what these do not have
        return line.text or ", ".join(str(next(iter(step["move"].values()), "")) for step in line.steps)


def kept_text(outcome: Outcome, typed: str, at: Position[Any]) -> str:
    """The text of a line to keep: as typed in `at`, unless it tells what a move keeps sealed."""
    values = (value for move in outcome.said for value in words_of(move.to_json()))
    return "; ".join(saying.short(move, at) for move in outcome.said) if any(map(is_sealed, values)) else typed


def said_moves(line: Line, rules: Rules) -> list[Move]:
    """The moves of a line that people said, without those presumed."""
    kept = [step for step in line.steps if step["how"] in ("said", "forced")]
    return [recorded(step["move"], rules.moves, rules.move_keys) for step in kept]


def steps_of(outcome: Outcome) -> list[Recorded]:
    """The steps of an outcome as a journal keeps them."""
    return [{"how": step.how, "move": step.move.to_json()} for step in outcome.steps]


def plain(line: Line) -> dict[str, Any]:
    """A line as a journal and a transcript keep it."""
    body: dict[str, Any] = msgspec.to_builtins(line)
    return body


__all__ = [
    "Again",
    "Difference",
    "Reasons",
    "Seen",
    "first_difference",
    "in_words",
    "judged_again",
    "kept_text",
    "plain",
    "play_line",
    "said_moves",
    "steps_of",
    "stopped",
    "turned",
    "without",
    "words_of",
]
