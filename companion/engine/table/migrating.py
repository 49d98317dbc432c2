"""Playing a table's whole journal under other rules, and saying what no longer stands. The journal keeps it as one
entry, and one undo takes it back."""

from __future__ import annotations

from typing import Any

import msgspec

from companion.engine.errors import CompanionError
from companion.engine.play.moves import Event
from companion.engine.play.position import Position, Rules
from companion.engine.table.history import Line
from companion.engine.table.replaying import Reasons, in_words, judged_again, play_line, without
from companion.engine.table.table import Load, Table, TableError
from components.model import ResolvedGame


class Differs(msgspec.Struct, kw_only=True):
    """A line that comes out otherwise under other rules. `fallen`: it is not legal any more."""

    number: int
    text: str
    fallen: bool
    why: Reasons


class Migration(msgspec.Struct, kw_only=True):
    """How a journal fares under other rules: how many lines stand, and those that differ, in order."""

    stand: int
    differ: list[Differs]


class Course(msgspec.Struct, kw_only=True):
    """A journal's lines under other rules: what the entry `migrate` keeps, and what there is to tell."""

    after: Position[Any]
    changed: dict[str, Any]
    fallen: dict[str, Reasons]
    differ: list[Differs]


def migrate(table: Table, rules: Rules, *, dry_run: bool) -> Migration:
    """Play the table's journal under `rules`; unless `dry_run`, go on with those. Lines that fall are set aside.

    Raises TableError if the set-up, or the position the table began with, does not stand.
    """
    with table.writing():
        table.prove()
        lines = table.history.lines
        old = None if table.differs is not None and table.differs.number == 1 else table.start()
        until = len(lines) if table.differs is None else table.differs.number - 1
        course = under(rules, begun(rules, table.about.start), lines, pieces(table.rules.game), old, until)
        if not dry_run:
            table.journal.keep_game(rules.game)
            body = {"fingerprint": rules.game.fingerprint, "changed": course.changed, "fallen": course.fallen}
            table.change("migrate", body)
        return Migration(stand=len(lines) - len(course.differ), differ=course.differ)


def begun(rules: Rules, start: Any) -> Position[Any]:
    """The position before the first line, under other rules. `start`: the form of a position that the table began with.

    Raises TableError if they cannot read it.
    """
    if start is None:
        return Position(rules, rules.new_state(), quiet=True)
    from companion.engine.language.positionfile import from_form

    try:
        from_form(start, rules)
        return Position(rules, msgspec.convert(start, rules.state), quiet=True)
    except CompanionError as error:
        raise TableError(f"the position this table began with is not valid under these rules: {error}") from error
    except Exception as error:
        raise TableError("the position this table began with is not valid under these rules") from error


def pieces(game: ResolvedGame) -> dict[str, str]:
    """Everything that a game has: id or name -> name."""
    return {word: piece.name for piece in game.pieces for word in (piece.id, piece.name)}


def rules_without(load: Load, game: ResolvedGame, had: dict[str, str]) -> Rules:
    """The rules of a game that may have lost pieces it `had`. Raises TableError if its code cannot do without them."""
    try:
        return load(game)
    except CompanionError:
        raise
    except Exception as error:
        gone = gone_from(had, game)
        if not gone:
            raise
        raise TableError(f"{game.title}: {without(error, [], gone)}") from error


def gone_from(had: dict[str, str], game: ResolvedGame) -> dict[str, str]:
    """What of the pieces there were `game` does not have."""
    have = pieces(game)
    return {word: name for word, name in had.items() if word not in have}


def under(
    rules: Rules,
    new: Position[Any],
    lines: list[Line],
    had: dict[str, str],
    old: Position[Any] | None = None,
    until: int = 0,
) -> Course:
    """The `lines` of a table judged from `new` under `rules`.

    `had`: the pieces that its own rules have (`pieces`). `old`: where the lines begin under those; `until`: how many of
    them those still carry out as they did.
    """
    gone = gone_from(had, rules.game)
    course = Course(after=new, changed={}, fallen={}, differ=[])
    for number, line in enumerate(lines, 1):
        text = in_words(line, course.after if old is None else old)
        known = old is not None and number <= until
        happened = _played(old, line) if old is not None and known else []
        again = judged_again(course.after, line, gone)
        course.after = again.after
        if again.why is not None:
            if line.setup:
                raise TableError(f"the set-up is not legal under these rules: {again.why[0]['why']}")
            course.fallen[str(line.key)] = again.why
            course.differ.append(Differs(number=number, text=text, fallen=True, why=again.why))
            continue
        if again.change:
            course.changed[str(line.key)] = again.change
        why = _differences(happened, again.events) if known else []
        if old is not None and number == until + 1 and "state" in again.change:
            why = [{"rule": "", "why": "it now leads to a different position"}]
        if why or _other(line, again.change):
            course.differ.append(Differs(number=number, text=text, fallen=False, why=why))
    return course


def _other(line: Line, change: dict[str, Any]) -> bool:
    """Whether a line was changed in more than what it presumes, the words of the rules it breaks, or the hash of what
    it leads to."""
    was, now = ([reason["rule"] for reason in reasons] for reasons in (line.broken, change.get("broken", line.broken)))
    return _said(line.steps) != _said(change.get("steps", line.steps)) or was != now


def _said(steps: list[dict[str, Any]]) -> list[Any]:
    """The moves of a line that somebody said."""
    return [step["move"] for step in steps if step["how"] != "presumed"]


def _played(at: Position[Any], line: Line) -> list[Event]:
    """Carry out a recorded line, and what happened."""
    at.quiet, at.events = False, []
    play_line(at, line)
    return at.events


def _differences(old: list[Event], new: list[Event]) -> Reasons:
    """What happens now and did not happen before, as sentences; if it is nothing, what happened before and not now."""
    was, now = ([(e.rule, e.what, e.facts) for e in events] for events in (old, new))
    return [{"rule": e[0], "why": e[1]} for e in now if e not in was] or [
        {"rule": e[0], "why": f"this no longer happens: {e[1]}"} for e in was if e not in now
    ]


__all__ = ["Course", "Differs", "Migration", "begun", "migrate", "pieces", "rules_without", "under"]
