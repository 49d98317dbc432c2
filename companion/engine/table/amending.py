"""Changing the past of a table: amend one line, or play the whole journal under other rules, and say what no longer
stands. Nothing is lost: both are entries of the journal, and one undo takes them back."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from companion.engine.play.lines import CannotHappen, Outcome, try_line
from companion.engine.play.moves import Event, Move
from companion.engine.play.position import Position, PositionError, Rules
from companion.engine.table.corrections import corrected
from companion.engine.table.history import Fallen, Line
from companion.engine.table.table import Table, TableError, plain, play_line, said_moves, steps_of

AmendKind = Literal["replace", "drop", "insert"]


class Amended(msgspec.Struct, kw_only=True):
    """What an amendment did. `outcome` is that of the new line (None when dropping); refused: nothing was changed."""

    done: bool
    outcome: Outcome | None
    stand: int = 0
    """Later lines that stand."""
    fallen: list[Fallen] = []


class Differs(msgspec.Struct, kw_only=True):
    """A line that comes out otherwise under other rules. `fallen`: it is not legal any more."""

    number: int
    text: str
    fallen: bool
    why: list[dict[str, Any]]


class Migration(msgspec.Struct, kw_only=True):
    """How a journal fares under other rules: how many lines stand, and those that differ, in order."""

    stand: int
    differ: list[Differs]


def before(table: Table, number: int, kind: AmendKind) -> Position[Any]:
    """The position in which line `number` was played. Raises TableError if there is no such line to amend."""
    lines = table.history.lines
    if not 1 <= number <= len(lines):
        raise TableError(f"there is no line {number}; the log has {len(lines)}")
    if lines[number - 1].setup:
        raise TableError("the set-up cannot be amended; begin a new table instead")
    if kind == "replace" and lines[number - 1].kind != "move":
        raise TableError(f"line {number} is no move; drop it, or insert a move before it")
    return table.replayed(lines[: number - 1])


def amend(
    table: Table,
    number: int,
    kind: AmendKind,
    moves: list[Move],
    text: str = "",
    *,
    passed: bool = False,
    override: str = "",
) -> Amended:
    """Replace or drop line `number`, or insert `moves` before it, and judge again all that followed.

    Later lines that are no longer legal are set aside, with the reasons. A new line that is refused changes nothing.
    """
    with table.writing():
        at = before(table, number, kind)
        outcome: Outcome | None = None
        new: dict[str, Any] | None = None
        if kind != "drop":
            outcome = try_line(at, moves, passed=passed, force=bool(override))
            if not outcome.done:
                return Amended(done=False, outcome=outcome)
            at = outcome.after
            reason = override if outcome.broken else ""
            new = plain(Line(text=text, steps=steps_of(outcome), override=reason, broken=outcome.broken))
        lines = table.history.lines
        later = lines[number - 1 :] if kind == "insert" else lines[number:]
        at, changed, fell = replay_judged(at, later)
        body = {
            "at": lines[number - 1].key,
            "number": number,
            "how": kind,
            "line": new,
            "changed": {str(key): change for key, change in changed.items()},
            "fallen": {str(key): why for key, why in fell.items()},
        }
        table.journal.append("amend", body)
        table.reload()
        first = number if kind == "insert" else number + 1
        fallen = [Fallen(line, first + i, fell[line.key]) for i, line in enumerate(later) if line.key in fell]
        return Amended(done=True, outcome=outcome, stand=len(later) - len(fallen), fallen=fallen)


def migrate(table: Table, rules: Rules, *, dry_run: bool) -> Migration:
    """Play the table's journal under other rules; unless `dry_run`, go on with those. Lines that fall are set aside."""
    with table.writing():
        old = table.start()
        new = table.start(rules)
        changed: dict[str, Any] = {}
        fell: dict[str, Any] = {}
        differ: list[Differs] = []
        lines = table.history.lines
        for number, line in enumerate(lines, 1):
            text = table.text_of(line, old)
            happened = _played(old, line)
            new, change, why, events = _again(new, line)
            if why is not None:
                if line.setup:
                    raise TableError(f"the set-up does not stand under these rules: {why[0]['why']}")
                fell[str(line.key)] = why
                differ.append(Differs(number=number, text=text, fallen=True, why=why))
                continue
            if change:
                changed[str(line.key)] = change
            if change or events != happened:
                differ.append(Differs(number=number, text=text, fallen=False, why=_differences(happened, events)))
        if not dry_run:
            table.journal.keep_game(rules.game)
            body = {"fingerprint": rules.game.fingerprint, "changed": changed, "fallen": fell}
            table.journal.append("migrate", body)
            table.reload()
        return Migration(stand=len(lines) - len(differ), differ=differ)


def replay_judged(
    at: Position[Any], lines: list[Line]
) -> tuple[Position[Any], dict[int, dict[str, Any]], dict[int, list[dict[str, Any]]]]:
    """Judge recorded lines again from `at`: the position reached, changed lines and fallen lines, by key."""
    changed: dict[int, dict[str, Any]] = {}
    fell: dict[int, list[dict[str, Any]]] = {}
    for line in lines:
        at, change, why, _ = _again(at, line)
        if why is not None:
            fell[line.key] = why
        elif change:
            changed[line.key] = change
    return at, changed, fell


Again = tuple[Position[Any], dict[str, Any], list[dict[str, Any]] | None, list[Event]]


def _again(at: Position[Any], line: Line) -> Again:
    """(position after, what changed in the line, why it fell or None, events) of a recorded line judged again."""
    if line.kind == "correct":
        after = at.copy()
        try:
            after.state = corrected(at.rules, at.state, line.field, line.value)
        except PositionError as error:
            return at, {}, [{"rule": "", "why": str(error)}], []
        return after, {}, None, []
    if line.kind == "note" or not line.steps:
        return at, {}, None, []
    try:
        moves = said_moves(line, at.rules)
    except (KeyError, msgspec.ValidationError) as error:
        return at, {}, [{"rule": "", "why": f"these rules know no such move ({error})"}], []
    passed = any(step["how"] == "passed" for step in line.steps)
    try:
        outcome = try_line(at, moves, passed=passed, force=line.marked)
    except CannotHappen as error:
        return at, {}, [{"rule": "", "why": str(error)}], []
    if not outcome.done:
        reasons = [{"rule": b.rule, "why": b.why} for b in outcome.verdict.reasons]
        questions = [{"rule": "", "why": f"{c.of} has to choose: {c.question}"} for c in outcome.verdict.needs]
        return at, {}, reasons or questions, []
    steps = steps_of(outcome)
    change: dict[str, Any] = {}
    if steps != line.steps:
        change["steps"] = steps
    if outcome.broken != line.broken:
        change["broken"] = outcome.broken
        if not outcome.broken:
            change["override"] = ""  # it is play by the rules now
    return outcome.after, change, None, outcome.events


def _played(at: Position[Any], line: Line) -> list[Event]:
    """Carry out a recorded line, and what happened."""
    at.quiet, at.events = False, []
    play_line(at, line)
    return at.events


def _differences(old: list[Event], new: list[Event]) -> list[dict[str, Any]]:
    """What happens now and did not happen before, as sentences."""
    return [{"rule": e.rule, "why": e.what} for e in new if e not in old] or [
        {"rule": e.rule, "why": f"no longer: {e.what}"} for e in old if e not in new
    ]


__all__ = ["AmendKind", "Amended", "Differs", "Migration", "amend", "before", "migrate", "replay_judged"]
