"""What a journal's entries amount to: the lines that count, in order. Pure data in, pure data out; knows no rules.

An entry never changes. `undo` and `redo` name the entry they take back or give back; `amend` and `migrate` carry what
became of the later lines when they were judged again, so that folding never has to judge anything. A `migrate` that
brought the table of an earlier version up to date (`upgrade`) is not taken back, nor is a change before it: what stood
before was written for other code.
"""

# No `from __future__ import annotations`: msgspec reads them whenever a command begins, and texts take it long.

from typing import Any, Literal

import msgspec

EntryKind = Literal["line", "undo", "redo", "amend", "migrate"]
LineKind = Literal["move", "note", "correct"]


class Line(msgspec.Struct, omit_defaults=True, kw_only=True):
    """One thing that happened at the table. `steps` are recorded moves: `{"how": …, "move": {…}}`."""

    kind: LineKind = "move"
    text: str = ""
    """As it was typed, or the note."""
    steps: list[dict[str, Any]] = []
    override: str = ""
    """Why the table kept it against the rules, or why it was corrected."""
    broken: list[dict[str, Any]] = []
    """The rules it breaks: `{"rule": …, "why": …}`."""
    remarks: list[str] = []
    """What the companion remarked besides the verdict."""
    field: str = ""
    value: Any = None
    setup: bool = False
    key: int = 0
    """Number of the entry that brought the line; 0 until it is recorded."""
    when: str = ""
    state: str = ""
    """Hash of the state after the line; empty for notes."""

    @property
    def marked(self) -> bool:
        """True if the line is not play by the rules and has to be marked wherever it is shown."""
        return bool(self.override)


class Fallen(msgspec.Struct, omit_defaults=True):
    """A line that no longer stood when an earlier one was changed, and why."""

    line: Line
    number: int
    """Its number before the change."""
    why: list[dict[str, Any]]


class Entry(msgspec.Struct):
    """One row of the journal. `body` is the plain form of a Line (kind `line`) or the change described above."""

    n: int
    when: str
    kind: EntryKind
    body: dict[str, Any]


class History(msgspec.Struct):
    """The fold: lines that count, what `redo` would give back (last one next), lines that fell, the rules' version."""

    lines: list[Line]
    redoable: list[int]
    undone: set[int]
    fallen: list[Fallen]
    fingerprint: str
    last: int
    """Number of the last entry, 0 if there is none."""
    undoable: int | None
    """The entry that `undo` would take back."""


def fold(entries: list[Entry], fingerprint: str) -> History:
    """Entries in order -> history. `fingerprint` is that of the game the table was begun with."""
    undone, redoable, standing = _taken_back(entries)
    lines: list[Line] = []
    fallen: list[Fallen] = []
    for entry in entries:
        if entry.n in undone or entry.kind in ("undo", "redo"):
            continue
        if entry.kind == "line":
            lines.append(line_of(entry))
            continue
        if entry.kind == "migrate":
            fingerprint = entry.body["fingerprint"]
        lines, lost = _changed(lines, entry)
        fallen += lost
    return History(
        lines=lines,
        redoable=redoable,
        undone=undone,
        fallen=fallen,
        fingerprint=fingerprint,
        last=entries[-1].n if entries else 0,
        undoable=standing[-1] if standing else None,
    )


def with_line(history: History, entry: Entry) -> History:
    """The history with one more entry, which brings a line."""
    return msgspec.structs.replace(
        history, lines=[*history.lines, line_of(entry)], redoable=[], last=entry.n, undoable=entry.n
    )


def _taken_back(entries: list[Entry]) -> tuple[set[int], list[int], list[int]]:
    """The entries that are undone, those that `redo` would give back, and those that `undo` would take back; of both
    the last is next."""
    undone: set[int] = set()
    redoable: list[int] = []
    standing: list[int] = []
    changes: set[int] = set()
    for entry in entries:
        if entry.kind == "undo":
            target = entry.body["target"]
            undone.add(target)
            standing.remove(target)
            redoable.append(target)
        elif entry.kind == "redo":
            target = entry.body["target"]
            undone.discard(target)
            redoable.remove(target)
            standing.append(target)
        else:
            redoable = []
            if entry.body.get("upgrade"):
                last = max((place for place, n in enumerate(standing, 1) if n in changes), default=0)
                standing = [n for n in standing[last:] if str(n) not in entry.body["fallen"]]
            elif not entry.body.get("setup"):
                standing.append(entry.n)
            if entry.kind != "line":
                changes.add(entry.n)
    return undone, redoable, standing


def line_of(entry: Entry) -> Line:
    """The line an entry of kind `line` brought."""
    line = msgspec.convert(entry.body, Line)
    line.key, line.when = entry.n, entry.when
    return line


def _changed(lines: list[Line], entry: Entry) -> tuple[list[Line], list[Fallen]]:
    """The lines after an amendment or migration, and those that fell by it."""
    body = entry.body
    again = {int(key): change for key, change in body.get("changed", {}).items()}
    fell = {int(key): why for key, why in body.get("fallen", {}).items()}
    result: list[Line] = []
    fallen: list[Fallen] = []
    for number, line in enumerate(lines, 1):
        if line.key == body.get("at"):
            if body["line"] is not None:
                new = msgspec.convert(body["line"], Line)
                new.key, new.when = entry.n, entry.when
                result.append(new)
            if body["how"] != "insert":
                continue
        if line.key in fell:
            fallen.append(Fallen(line, number, fell[line.key]))
        elif line.key in again:
            result.append(msgspec.structs.replace(line, **again[line.key]))
        else:
            result.append(line)
    return result, fallen


__all__ = ["Entry", "EntryKind", "Fallen", "History", "Line", "LineKind", "fold", "line_of", "with_line"]
