"""Facts once seen stay seen: a hidden thing reported otherwise than before an undo is remarked on."""

from __future__ import annotations

from typing import Any

import msgspec

from companion.engine.language.jsonmoves import MoveFormError, recorded
from companion.engine.play.lines import Outcome
from companion.engine.play.moves import Event, Move
from companion.engine.play.position import Rules
from companion.engine.table.history import Entry, Line


def seen_otherwise(entries: list[Entry], rules: Rules, outcome: Outcome) -> list[Event]:
    """A remark for each hidden thing in an outcome that the entries showed as another one, and took back."""
    seen = _seen_and_taken_back(entries, rules)
    found: list[Event] = []
    for step in outcome.steps:
        for place, value in step.move.shows().items():
            before = seen.get(place, [])
            if before:
                known, entry = before.pop(0)
                if known != value:
                    what = f"{place}: {_said(known)} was seen there before the undo; now it is {_said(value)}"
                    facts = {"place": place, "seen": known, "now": value, "entry": entry}
                    found.append(Event("", what, facts, warns=True))
    return found


def _seen_and_taken_back(entries: list[Entry], rules: Rules) -> dict[str, list[tuple[Any, int]]]:
    """Place -> what was seen there in lines taken back and has not come up again, first seen first."""
    seen: dict[str, list[tuple[Any, int]]] = {}
    shown: dict[int, list[tuple[str, Any]]] = {}
    for entry in entries:
        if entry.kind == "line":
            line = msgspec.convert(entry.body, Line)
            shown[entry.n] = [pair for move in _recorded(line, rules) for pair in move.shows().items()]
            for place, _ in shown[entry.n]:
                del seen.get(place, [])[:1]
        elif entry.kind == "undo":
            for place, value in reversed(shown.get(entry.body["target"], [])):
                seen.setdefault(place, []).insert(0, (value, entry.body["target"]))
        elif entry.kind == "redo":
            for place, known in seen.items():
                seen[place] = [pair for pair in known if pair[1] != entry.body["target"]]
    return seen


def shown_by(line: Line, rules: Rules) -> dict[str, Any]:
    """The hidden things that a line showed, by their places; they stay seen if it is taken back."""
    return {place: value for move in _recorded(line, rules) for place, value in move.shows().items()}


def _recorded(line: Line, rules: Rules) -> list[Move]:
    """The moves of a line; none if they were recorded under other rules and today's do not know them."""
    try:
        return [recorded(step["move"], rules.moves, rules.move_keys) for step in line.steps]
    except (KeyError, msgspec.ValidationError, MoveFormError):
        return []


def _said(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


__all__ = ["seen_otherwise", "shown_by"]
