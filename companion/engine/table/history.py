"""The lines of a journal that count, in order, from its entries. Pure data in, pure data out; knows no rules.

An entry never changes. `undo` and `redo` name the entry they take back or give back; `amend` and `migrate` carry what
became of the later lines when they were judged again, so that folding never has to judge anything. A `migrate` holds
`from` the number of a line on (else for all), and each line knows which rules it stands under. A `migrate` that
brought the table of an earlier version up to date (`upgrade`) is not taken back, nor is a change before it: what stood
before was written for other code.
"""

# No `from __future__ import annotations`: msgspec reads them whenever a command begins, and texts take it long.

from collections.abc import Iterator
from itertools import pairwise
from typing import Any, Literal, TypedDict

import msgspec

from companion.engine.play.lines import How

EntryKind = Literal["line", "undo", "redo", "amend", "migrate"]
LineKind = Literal["move", "note", "correct", "people"]


class Recorded(TypedDict):
    """A move as a line keeps it: how it came about, and its JSON form."""

    how: How
    move: dict[str, Any]


class Line(msgspec.Struct, omit_defaults=True, kw_only=True):
    """One thing that happened at the table."""

    kind: LineKind = "move"
    text: str = ""
    """As it was typed, or the note."""
    steps: list[Recorded] = []
    override: str = ""
    """The reason to keep it against the rules, or for the correction."""
    broken: list[dict[str, Any]] = []
    """The rules it breaks: `{"rule": …, "why": …}`."""
    remarks: list[str] = []
    """The companion's remarks besides the verdict."""
    field: str = ""
    """The corrected field; `rename` for people who were named wrongly."""
    value: Any = None
    """The corrected value; of a line about people, seat -> person."""
    setup: bool = False
    key: int = 0
    """Number of the entry that brought the line; 0 until it is recorded."""
    when: str = ""
    state: str = ""
    """Hash of the state after the line; empty for notes."""
    keys: dict[str, str] = {}
    """The keys of the sealed choices that it showed: seal -> key."""
    by: str = ""
    """The seat on whose page it was said, where somebody else acts in it."""
    told: str = ""
    """The page's name for it, so that the same line is never recorded twice."""
    rules: str = ""
    """Fingerprint of the rules it stands under; the fold knows it, and nothing else keeps it."""

    def __post_init__(self) -> None:
        if self.kind == "people":
            msgspec.convert(self.value, dict[str, str])

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


class _Target(msgspec.Struct):
    target: int


class _LineChange(msgspec.Struct):
    steps: list[Recorded] = []
    broken: list[dict[str, Any]] = []
    override: str = ""
    state: str = ""


class _Migration(msgspec.Struct):
    fingerprint: str
    first: int = msgspec.field(name="from", default=1)
    games: dict[str, str] = {}
    changed: dict[str, _LineChange] = {}
    fallen: dict[str, list[dict[str, Any]]] = {}
    upgrade: bool = False


class _Amendment(msgspec.Struct):
    at: int
    number: int
    how: Literal["replace", "drop", "insert"]
    line: Line | None
    changed: dict[str, _LineChange] = {}
    fallen: dict[str, list[dict[str, Any]]] = {}


_BODIES: dict[str, type[msgspec.Struct]] = {
    "line": Line,
    "undo": _Target,
    "redo": _Target,
    "amend": _Amendment,
    "migrate": _Migration,
}


def typed(n: Any, when: Any, kind: Any, body: Any) -> Entry:
    """The entry in a row, which a stranger may have written. Raises ValidationError if the row does not hold one: later
    readers need not check its contents."""
    entry = msgspec.convert({"n": n, "when": when, "kind": kind, "body": body}, Entry)
    msgspec.convert(entry.body, _BODIES[entry.kind])
    return entry


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

    @property
    def begun(self) -> str:
        """Fingerprint of the rules that the table begins with."""
        return self.lines[0].rules if self.lines else self.fingerprint

    def changes(self) -> list[tuple[int, str]]:
        """The lines at which other rules begin to hold: the number, which may be that of the next line, and their
        fingerprint."""
        under = [*(line.rules for line in self.lines), self.fingerprint]
        pairs = enumerate(pairwise(under), 2)
        return [(number, now) for number, (before, now) in pairs if now != before]


def fold(entries: list[Entry], fingerprint: str) -> History:
    """Entries in order -> history. `fingerprint` is that of the game the table was begun with."""
    undone, redoable, standing = _taken_back(entries)
    lines: list[Line] = []
    fallen: list[Fallen] = []
    for entry in entries:
        if entry.n in undone or entry.kind in ("undo", "redo"):
            continue
        if entry.kind == "line":
            lines.append(line_of(entry, fingerprint))
            continue
        if entry.kind == "migrate":
            lines, fingerprint = _under_others(lines, entry.body), entry.body["fingerprint"]
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
    line = line_of(entry, history.fingerprint)
    return msgspec.structs.replace(history, lines=[*history.lines, line], redoable=[], last=entry.n, undoable=entry.n)


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


def line_of(entry: Entry, rules: str) -> Line:
    """The line an entry of kind `line` brought, under the rules of that fingerprint."""
    line = msgspec.convert(entry.body, Line)
    line.key, line.when, line.rules = entry.n, entry.when, rules
    return line


def _under_others(lines: list[Line], body: dict[str, Any]) -> list[Line]:
    """The lines with the rules that a migration puts them under. `games`: old fingerprint -> new one, where a table has
    more than one."""
    first, games = body.get("from", 1), body.get("games", {})
    return [
        line if number < first else msgspec.structs.replace(line, rules=games.get(line.rules, body["fingerprint"]))
        for number, line in enumerate(lines, 1)
    ]


def seated(people: dict[str, str], lines: list[Line]) -> dict[str, str]:
    """Seat -> the person who sits there after the lines. `people`: who sat there at first."""
    now = dict(people)
    for line in lines:
        if line.kind == "people":
            now.update(line.value)
    return now


def sat(people: dict[str, str], lines: list[Line]) -> dict[str, list[tuple[int, str]]]:
    """Seat -> everybody who sat there, each with the number of the line from which on. Somebody who was named wrongly
    has the right name from the first."""
    found = {seat: [(1, person)] for seat, person in people.items()}
    for number, line in enumerate(lines, 1):
        if line.kind != "people":
            continue
        for seat, person in line.value.items():
            since = found.setdefault(seat, [(1, "")])
            if line.field == "rename":
                since[-1] = (since[-1][0], person)
            else:
                since.append((number, person))
    return found


def sitting(people: dict[str, str], lines: list[Line]) -> Iterator[dict[str, str]]:
    """Seat -> who sat there, for each line in turn, as `sat` tells it."""
    there = sat(people, lines)
    for number in range(1, len(lines) + 1):
        yield {seat: [person for since, person in row if since <= number][-1] for seat, row in there.items()}


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
                new.key, new.when, new.rules = entry.n, entry.when, line.rules
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


__all__ = ["Entry", "EntryKind", "Fallen", "History", "Line", "LineKind", "Recorded", "fold", "line_of", "sat"]
__all__ += ["seated", "typed", "with_line"]
