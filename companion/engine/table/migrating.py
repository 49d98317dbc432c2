"""Playing a table's journal, or its lines from one on, under other rules, and saying what no longer stands. The journal
keeps it as one entry, and one undo takes it back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from companion.engine.errors import CompanionError
from companion.engine.play.moves import Event
from companion.engine.play.position import Position, Rules
from companion.engine.table.corrections import wrong
from companion.engine.table.digests import form_of, hash_of
from companion.engine.table.history import Line, Recorded
from companion.engine.table.replaying import Reasons, in_words, judged_again, play_line, turned, without
from companion.engine.table.table import Load, Table, TableError
from components.model import ResolvedGame
from components.phrasing import count


class Differs(msgspec.Struct, kw_only=True):
    """A line that comes out otherwise under other rules. `fallen`: it is not legal any more."""

    number: int
    text: str
    fallen: bool
    why: Reasons


class Migration(msgspec.Struct, kw_only=True):
    """The fate of a journal under other rules: how many lines stand, and those that differ, in order."""

    stand: int
    differ: list[Differs]
    remarks: list[str] = []
    """The inconsistencies where the other rules begin, in sentences."""


class Course(msgspec.Struct, kw_only=True):
    """A journal's lines under other rules: what the entry `migrate` keeps, and what there is to tell."""

    after: Position[Any]
    changed: dict[str, Any]
    fallen: dict[str, Reasons]
    differ: list[Differs]


Books = Callable[[str], Rules]
"""Fingerprint of the rules a line stands under -> rules."""


def migrate(table: Table, rules: Rules | Mapping[str, Rules], *, dry_run: bool, first: int = 1) -> Migration:
    """Play the table's journal from line `first` on under `rules`; unless `dry_run`, go on with those. Lines that fall
    are set aside, and the lines before `first` stay under the rules they were judged by.

    `rules`: one for all lines, or by the fingerprint of those a line stands under now. Raises TableError if the set-up,
    or the position where other rules begin, does not stand.
    """
    with table.writing():
        table.prove()
        history = table.history
        past, lines = history.lines[: first - 1], history.lines[first - 1 :]
        if first < 1 or len(past) < first - 1:
            raise TableError(f"there is no line {first}; the log has {count(len(past), 'line')}")
        if past:
            table.settled()
        known = {history.begun, history.fingerprint, *(line.rules for line in history.lines)}
        books = dict.fromkeys(known, rules) if isinstance(rules, Rules) else dict(rules)
        begins = lines[0].rules if lines else history.fingerprint
        remarks: list[str] = []
        if past:
            old: Position[Any] | None = turned(table.replayed(past), table.rules_of(begins))
            new, remarks = taken_over(table.replayed(past), books[begins], first)
            if _set_up(table, books[begins]) != _set_up(table, table.rules_of(begins)):
                remarks.append("these rules change the set-up too, but what was set up stays as it is")
        else:
            new = begun(books[begins], table.began.start)
            old = None if table.differs is not None and table.differs.number == 1 else table.start()
        until = len(history.lines) if table.differs is None else table.differs.number - 1
        had = {word: name for old_rules in known for word, name in pieces(table.rules_of(old_rules).game).items()}
        course = under(new, lines, books.__getitem__, had, old, table.rules_of, until=until, first=first)
        if not dry_run:
            _keep(table, books, course, first)
        return Migration(stand=len(lines) - len(course.differ), differ=course.differ, remarks=remarks)


def _keep(table: Table, books: Mapping[str, Rules], course: Course, first: int) -> None:
    """Write a migration into the journal; only inside `writing`."""
    body: dict[str, Any] = {"fingerprint": books[table.history.fingerprint].game.fingerprint}
    for rules in books.values():
        table.journal.keep_game(rules.game)
    if len(set(books.values())) > 1:
        body["games"] = {old: rules.game.fingerprint for old, rules in books.items()}
    if first > 1:
        body["from"] = first
    table.change("migrate", {**body, "changed": course.changed, "fallen": course.fallen})


def taken_over(at: Position[Any], rules: Rules, number: int) -> tuple[Position[Any], list[str]]:
    """A position from which other rules hold, and its new inconsistencies. Raises TableError for a position that these
    rules cannot hold. `number`: of the first line under them."""
    form = msgspec.to_builtins(at.state)
    before = wrong(at.rules, form)
    found = [what for what in wrong(rules, form) if what not in before]
    if found:
        raise TableError(f"the position before line {number} is not valid under these rules: {'; '.join(found)}")
    known = at.rules.check_whole(at.state)
    odd = [law for law in rules.check_whole(at.state) if law not in known]
    return turned(at, rules), [f"the pieces do not add up: {law}" for law in odd]


def _set_up(table: Table, rules: Rules) -> str:
    """The hash of the position to which the set-up of a table leads under these rules; "" if it has none, or if they do
    not know what was said in it."""
    first = table.history.lines[0]
    at = Position(rules, rules.new_state(), quiet=True)
    try:
        play_line(at, first)
    except Exception:  # recorded under other rules, it may meet anything
        return ""
    return hash_of(form_of(at.state)) if first.setup else ""


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


def unswitchable(game: ResolvedGame) -> list[str]:
    """The rules a table was begun without and that cannot be switched off: a rule that forbids nothing (it has no
    `breaks`) goes by its parameters. Where no rule of a game has `breaks` yet, none is named."""
    forbids = {id for id, rule in game.rules.items() if any(key.startswith("breaks.") for key in rule.words)}
    return [rule for rule in game.off if forbids and rule not in forbids]


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
    """The pieces in `had` that `game` lacks."""
    have = pieces(game)
    return {word: name for word, name in had.items() if word not in have}


def under(
    new: Position[Any],
    lines: list[Line],
    books: Books,
    had: dict[str, str],
    old: Position[Any] | None = None,
    old_books: Books | None = None,
    *,
    until: int = 0,
    first: int = 1,
) -> Course:
    """The `lines` of a table judged from `new`, each under the rules that `books` gives for those it stands under.

    `had`: the pieces that its own rules have (`pieces`). `old`: where the lines begin under those (`old_books`);
    `until`: the last line that those still carry out as they did. `first`: the number of the first of the lines.
    """
    course = Course(after=new, changed={}, fallen={}, differ=[])
    for number, line in enumerate(lines, first):
        course.after = turned(course.after, books(line.rules))
        gone = gone_from(had, course.after.rules.game)
        if old is not None and old_books is not None:
            old = turned(old, old_books(line.rules))
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
    """True if more of a line changed than its presumed moves, the words of the rules it breaks, or the hash of its
    result."""
    was, now = ([reason["rule"] for reason in reasons] for reasons in (line.broken, change.get("broken", line.broken)))
    return _said(line.steps) != _said(change.get("steps", line.steps)) or was != now


def _said(steps: list[Recorded]) -> list[Any]:
    """The moves of a line that somebody said."""
    return [step["move"] for step in steps if step["how"] != "presumed"]


def _played(at: Position[Any], line: Line) -> list[Event]:
    """Carry out a recorded line, and what happened."""
    at.quiet, at.events = False, []
    play_line(at, line)
    return at.events


def _differences(old: list[Event], new: list[Event]) -> Reasons:
    """The sentences of events that are new; if there are none, those of events that no longer happen."""
    was, now = ([(e.rule, e.what, e.facts) for e in events] for events in (old, new))
    return [{"rule": e[0], "why": e[1]} for e in now if e not in was] or [
        {"rule": e[0], "why": f"this no longer happens: {e[1]}"} for e in was if e not in now
    ]


__all__ = ["Books", "Course", "Differs", "Migration", "begun", "migrate", "pieces", "rules_without", "taken_over"]
__all__ += ["under", "unswitchable"]
