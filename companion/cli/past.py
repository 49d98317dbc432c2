"""`companion undo`, `redo`, `amend`, `note` and `correct`: setting the record right. No entry is ever lost."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from companion.cli import common
from companion.engine.answers import answers
from companion.engine.language import notation
from companion.engine.table.amending import Amended, AmendKind
from companion.engine.table.amending import amend as amend_table
from companion.engine.table.amending import before as position_before
from companion.engine.table.mending import fallen, fate, noted
from companion.engine.table.table import Table


def undo(
    count: Annotated[int, typer.Argument(min=1, help="How many lines to undo.")] = 1,
    table: common.TableName = "",
    json: common.AsJson = False,
) -> None:
    """Undo what was recorded last. `redo` restores it.

    That may be a move, a note, a correction, an amendment, a change of people or of rules; the answer says what it was.

    Example: companion undo
    """
    with common.open_table(table) as at:
        taken = [at.undo(named=not json) for _ in range(min(count, len(at.history.lines) + 1))]
        _tell("taken_back", "undone", taken, at, json)


def redo(
    entry: Annotated[
        int, typer.Argument(min=0, help="Play this undone line again; its entry number is in `log --all`.")
    ] = 0,
    table: common.TableName = "",
    json: common.AsJson = False,
) -> None:
    """Redo what `undo` has undone.

    Example: companion redo
    """
    with common.open_table(table) as at:
        if not entry:
            _tell("had_back", "redone", [at.redo(named=not json)], at, json)
            return
        before = at.position
        outcome = at.again(entry)
        if json:
            common.say_json(answers.outcome_json(outcome, before))
        else:
            common.say(answers.outcome_text(outcome, before, people=at.named))
        if not outcome.done:
            common.finish(common.UNABLE if outcome.verdict.legal is None else common.REFUSED)


def _tell(key: str, what: str, texts: list[str], table: Table, json: bool) -> None:
    """Say what was done; `key` is its key in JSON, `what` its word."""
    if json:
        form = {
            "version": answers.VERSION,
            key: texts,
            "lines": len(table.history.lines),
            "state": table.rules.dump(table.position.state),
        }
        common.say_json(form)
    else:
        for text in texts:
            common.say(f"{what}: {text}")


def amend(
    number: Annotated[int, typer.Argument(help="Number of the line in the log.")],
    move: Annotated[str, typer.Argument(help="The move that really happened, or `note TEXT`.")] = "",
    drop: Annotated[bool, typer.Option("--drop", help="The line never happened: remove it.")] = False,
    insert: Annotated[bool, typer.Option("--insert", help="MOVE happened before this line and was forgotten.")] = False,
    passed: common.Passed = False,
    override: Annotated[str, typer.Option(help="Why the table keeps an illegal move that happened.")] = "",
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only show what would happen to the later lines.")] = False,
    table: common.TableName = "",
    json: common.AsJson = False,
) -> None:
    """Replace, drop or insert a line of the past, and judge all later lines again.

    Later lines that are no longer legal are set aside and listed with the reasons. One `undo` restores everything.

    Example: companion amend 14 "qin meld 3 cities"
    """
    if drop == bool(move) or (drop and insert):
        raise common.Failure("give either a move or --drop; --insert needs a move")
    kind: AmendKind = "drop" if drop else "insert" if insert else "replace"
    with common.open_table(table) as at:
        said = noted(at, move)
        before = position_before(at, number, kind, note=bool(said))
        read = notation.read(move, before, people=at.people) if move and not said else []
        done = amend_table(
            at, number, kind, read, move, note=said, typed=True, passed=passed, override=override, dry_run=dry_run
        )
        if json:
            common.say_json({**_amended_json(done, before, at), "dry_run": dry_run})
        else:
            if done.outcome is not None:
                common.say(common.coloured_verdict(answers.outcome_text(done.outcome, before, people=at.named)))
            if done.done:
                common.say(fate(done, before, at.named))
        if not done.done and done.outcome is not None:
            common.finish(common.UNABLE if done.outcome.verdict.legal is None else common.REFUSED)


def _amended_json(done: Amended, before: Any, table: Table) -> dict[str, Any]:
    return {
        "version": answers.VERSION,
        "done": done.done,
        "verdict": answers.outcome_json(done.outcome, before) if done.outcome else None,
        "stand": done.stand,
        "fallen": fallen(done, before),
        "state": table.rules.dump(table.position.state),
    }


def note(
    text: Annotated[str, typer.Argument(help="The text of the note.")],
    table: common.TableName = "",
    json: common.AsJson = False,
) -> None:
    """Add a note to the log.

    Example: companion note "Ben had to leave; Dora takes over"
    """
    if not text.strip() or len(text) > notation.LONGEST_LINE:
        raise common.Failure(f"a note must have 1 to {notation.LONGEST_LINE} characters")
    with common.open_table(table) as at:
        at.note(text.strip())
        _tell("noted", "noted", [text.strip()], at, json)


def correct(
    field: Annotated[str, typer.Argument(help="Field of the position, e.g. players.Qin.bu, or in short ann.bu.")],
    value: Annotated[str, typer.Argument(help="Its true value on the table.")],
    reason: Annotated[str, typer.Option(help="Why it needs correcting.")],
    table: common.TableName = "",
    json: common.AsJson = False,
) -> None:
    """Set one field of the position to what is really on the table. The log and the score mark it as an override.

    Example: companion correct players.Qin.bu 7 --reason "a coin had rolled under the table"
    """
    if not reason.strip():
        raise common.Failure("a correction needs a reason: --reason WHY")
    with common.open_table(table) as at:
        field = at.correct(field, common.value_of(value), reason.strip())
        broken = at.rules.check_whole(at.position.state)
        if not json:
            for law in broken:
                common.remark(f"  ! the pieces do not add up: {law}")
        _tell("corrected", "corrected", [f"{field} = {value}"], at, json)


__all__ = ["amend", "correct", "note", "redo", "undo"]
