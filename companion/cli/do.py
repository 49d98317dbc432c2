"""`companion do` and `companion check`: play a line, or ask whether it is legal."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from companion.cli import common
from companion.engine.answers import answers
from companion.engine.answers.asked import queried, typed
from companion.engine.answers.queries import answer as answer_to
from companion.engine.language import jsonmoves, notation
from companion.engine.play.lines import Outcome, everybody_passed, try_line
from companion.engine.play.moves import Move
from companion.engine.play.position import Position
from companion.engine.table.leaps import skips
from companion.engine.table.table import Table

MOST = 2 * 2**20
"""Bytes that a file of moves may have."""
Spoken = str | dict[str, Any]
"""A move as the user gave it: a typed line, or its JSON form."""


def do(
    moves: Annotated[list[str] | None, typer.Argument(help="Moves as typed, or as JSON, in the order of play.")] = None,
    table: common.TableName = "",
    move_file: common.MoveFile = "",
    passed: common.Passed = False,
    override: Annotated[str, typer.Option(help="Record the move even if it is illegal, and why.")] = "",
    as_seat: common.As = "",
    json: common.AsJson = False,
) -> None:
    """Play one or more moves and record them.

    Example: companion do "qin meld 3 mines"
    """
    said = _given(moves or [], move_file)
    with common.open_table(table) as at:
        me = common.seat_of(at.position, as_seat, at.people) if as_seat else ""
        before = at.position
        first = len(at.history.lines) + 1
        outcomes: list[Outcome] = []
        for index, one in enumerate(said):
            if outcomes and not json:
                _say(outcomes[-1], before, at)
            before = at.position
            read = _read(one, before, index if len(said) > 1 else None, at.people, me)
            text = one if isinstance(one, str) else ""
            skipped = skips(at, read)
            outcomes.append(at.do(read, text, typed=bool(text), passed=passed, override=override))
            if not outcomes[-1].done:
                break
            if skipped:
                common.remark(f"! {skipped} If that was not meant: companion undo")
        recorded = list(range(first, len(at.history.lines) + 1))
        _finish(outcomes, before, json, table=at, recorded=recorded)


def check(
    arguments: Annotated[
        list[str] | None, typer.Argument(help="Moves as typed; with --position, the game comes first.")
    ] = None,
    table: common.TableName = "",
    position: common.PositionFile = None,
    move_file: common.MoveFile = "",
    passed: common.Passed = False,
    as_seat: common.As = "",
    variant: common.Variants = None,
    sets: common.Sets = None,
    json: common.AsJson = False,
) -> None:
    """Ask whether a move is legal, without recording it.

    Several moves are tried one after the other; the verdict is on the last, or on the first that is illegal.

    Example: companion check "attack chu"
    """
    given = list(arguments or [])
    if position is not None:
        game = common.only_game(given[0] if given else "")
        if not game and not given:
            raise common.Failure("name the game before the move: companion check GAME --position FILE MOVE")
        at = common.position_of(game or given.pop(0), position, variant, sets)
        _check(at, _given(given, move_file), None, passed, as_seat, json)
        return
    if variant or sets:
        raise common.Failure(
            "a table keeps its own rules; use --variant and --set with --position or with `companion new`"
        )
    with common.open_table(table) as kept:
        _check(kept.position, _given(given, move_file), kept, passed, as_seat, json)


def _check(at: Position[Any], said: list[Spoken], table: Table | None, passed: bool, as_seat: str, json: bool) -> None:
    people = table.people if table else {}
    me = common.seat_of(at, as_seat, people) if as_seat else ""
    before = at
    outcomes: list[Outcome] = []
    shown = False  # whether the last outcome has been printed: it comes before the answer to a query
    for index, one in enumerate(said):
        after = outcomes[-1].after if outcomes else at
        if outcomes and not json and not shown:
            _say(outcomes[-1], before, table)
        if isinstance(one, str) and (asked := queried(one)) is not None:
            one = typed(asked, after, people)
        shown = isinstance(one, dict) and "query" in one
        if isinstance(one, dict) and shown:
            _answer(one, after, json, outcomes)
            if index == len(said) - 1:
                return
            continue
        before = after
        read = _read(one, before, index if len(said) > 1 else None, people, me)
        outcome = try_line(before, read, typed=isinstance(one, str), passed=passed)
        if table is not None:
            outcome.events += table.remarks(outcome)
        outcomes.append(outcome)
        if not outcome.done:
            break
    _finish(outcomes, before, json, table=table)


def _say(outcome: Outcome, before: Position[Any], table: Table | None) -> None:
    """Print the verdict on a line that others follow."""
    text = answers.outcome_text(outcome, before, near=False, people=table.named if table else None)
    common.say(common.coloured_verdict(text))


def _finish(
    outcomes: list[Outcome],
    before: Position[Any],
    json: bool,
    *,
    table: Table | None = None,
    recorded: list[int] | None = None,
) -> None:
    """Print the verdict on the last line, said in `before`, and end with its status. `recorded`: numbers of the lines
    it wrote."""
    if not outcomes:
        raise common.Failure("give a move, or a file of moves with --move-file")
    outcome = outcomes[-1]
    evidence, people = (table.evidence, table.named) if table else (None, None)
    if json:
        form = answers.outcome_json(outcome, before, evidence=evidence, earlier=outcomes[:-1])
        if len(outcomes) > 1:
            form["index"] = len(outcomes) - 1
        if recorded is not None:
            form["recorded"] = recorded
        common.say_json(form)
    else:
        common.say(common.coloured_verdict(answers.outcome_text(outcome, before, evidence=evidence, people=people)))
        refused = outcome.verdict.legal is False and not outcome.broken
        if refused and everybody_passed(outcome.here, outcome.verdict.move)[0] is not None:
            common.remark("  If everyone has passed, add --passed.")
    if outcome.done:
        common.finish(common.DONE)
    common.finish(common.UNABLE if outcome.verdict.legal is None else common.REFUSED)


def _given(lines: list[str], move_file: str) -> list[Spoken]:
    """The moves given: typed lines (split at `;`), JSON in place of a line, and the moves of a file."""
    said: list[Spoken] = []
    for line in lines:
        if line.lstrip()[:1] in ("{", "["):
            said += jsonmoves.parse(line)
        else:
            said += [part.strip() for part in line.split(";") if part.strip()]
    if move_file:
        from components.files import read_at_most

        try:
            text = sys.stdin.read(MOST) if move_file == "-" else read_at_most(Path(move_file), MOST).decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise jsonmoves.MoveFormError(f"{move_file}: not UTF-8 text ({error})") from None
        said += jsonmoves.parse(text)
    return said


def _read(one: Spoken, at: Position[Any], index: int | None, people: dict[str, str], me: str) -> list[Move]:
    if isinstance(one, dict):
        return [jsonmoves.from_json(one, at, index)]
    try:
        return notation.read(one, at, people=people, me=me)
    except notation.NotationError:
        from companion.cli.main import COMMANDS

        word, _, rest = one.partition(" ")
        if word.lower() in COMMANDS:
            if word.lower() == "correct":
                rest = _reasoned(rest)
            run = f"companion {word.lower()} {rest}".rstrip()
            raise common.Failure(f"{word!r} is a command, not a move; run: {run}") from None
        raise


def _reasoned(said: str) -> str:
    """The rest of a `companion correct` command for a correction in one line: `walls.L 2 because it was miscounted`."""
    what, _, why = said.partition(" because ")
    return f'{what.strip().rstrip(",")} --reason "{why.strip() or "WHY"}"'


def _answer(question: dict[str, Any], at: Position[Any], json: bool, earlier: list[Outcome]) -> None:
    """Answer a query, which asks for figures and stands in place of a move. `earlier`: the moves before it."""
    answer = answer_to(question, at)
    if json:
        common.say_json(answers.query_json(question["query"], answer, earlier))
    else:
        common.say(answers.query_text(question["query"], answer))


__all__ = ["check", "do"]
