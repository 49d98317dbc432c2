"""`companion tables`, `rename`, `archive` and `delete`: the tables there are, and where they are kept."""

from __future__ import annotations

import sys
from datetime import datetime, timedelta
from pathlib import Path
from typing import Annotated, Any

import typer

from companion.cli import common
from companion.engine.answers import answers
from components.phrasing import count
from components.safe_text import one_line

Name = Annotated[str, typer.Argument(metavar="TABLE", help="The table.", show_default=False)]


def tables(
    archived: Annotated[bool, typer.Option("--archived", help="List the archived tables instead.")] = False,
    json: common.AsJson = False,
) -> None:
    """List the tables, the one played last first. If one is damaged, say what is wrong with it and exit with status 1.

    Example: companion tables
    """
    shelf = common.shelf()
    rows = [_row(name, shelf.path(name, archived=archived)) for name in shelf.names(archived=archived)]
    rows += [_misnamed(file) for file in shelf.misnamed(archived=archived)]
    rows.sort(key=lambda row: row["played"] or "", reverse=True)
    if json:
        common.say_json({"version": answers.VERSION, "archived": archived, "tables": rows})
    else:
        for row in rows:
            common.say(f"{row['table']}: {_in_words(row)}")
        if not rows:
            common.remark("no table is archived" if archived else "there are no tables yet")
        elif not archived and (more := len(shelf.names(archived=True))):
            common.remark(f"{count(more, 'archived table')}: companion tables --archived")
    if any(row["problem"] for row in rows):
        common.finish(common.REFUSED)


_OF_A_TABLE = ("game", "people", "lines", "phase", "over", "created", "played", "problem")


def _row(name: str, path: Path) -> dict[str, Any]:
    """The row of one table in `tables`. If the table cannot be opened, the row gives the reason, and the others are
    still listed."""
    from companion.engine.errors import CompanionError

    row: dict[str, Any] = {"table": name, **dict.fromkeys(_OF_A_TABLE)}
    try:
        with common.opened(path, glance=True) as at:
            row["game"], row["people"], row["created"] = at.about.game, at.about.people, at.about.created
            row["lines"] = len(at.history.lines)
            row["played"] = at.entries[-1].when if at.entries else at.about.created
            row["phase"], row["over"] = at.rules.phase(at.position.state), at.rules.over(at.position.state)
    except CompanionError as error:
        row["problem"] = str(error)
    except Exception as error:
        row["problem"] = f"{path}: cannot be opened because of a bug in Tablewright ({type(error).__name__}: {error})"
    return row


def _misnamed(file: Path) -> dict[str, Any]:
    """The row in `tables` of a file whose name no table can have."""
    from companion.engine.table.shelf import LETTERS

    name = one_line(file.stem)
    problem = f"{one_line(str(file))}: no table can have this name; rename the file: {LETTERS}"
    return {"table": name, **dict.fromkeys(_OF_A_TABLE), "problem": problem}


def _in_words(row: dict[str, Any]) -> str:
    if row["problem"]:
        return str(row["problem"])
    seated = ", ".join(f"{seat} {person}".strip() for seat, person in row["people"].items())
    phase = "over" if row["over"] else row["phase"]
    return f"{row['game']}, {count(row['lines'], 'line')}, {phase} ({seated}), last played {when(row['played'])}"


def when(stamp: str) -> str:
    """A moment as people say it: `today 20:15`, `yesterday 9:05`, `2026-11-20 20:15`."""
    try:
        then = datetime.fromisoformat(stamp).astimezone()
    except (ValueError, OverflowError):
        return stamp
    today = datetime.now().astimezone().date()
    days = {today: "today", today - timedelta(days=1): "yesterday"}
    return f"{days.get(then.date(), then.date().isoformat())} {then:%H:%M}"


def rename(
    old: Name,
    new: Annotated[str, typer.Argument(metavar="NEW", help="Its new name.", show_default=False)],
    json: common.AsJson = False,
) -> None:
    """Give a table another name. (To rename a person: companion people --rename ANN=ANNA.)

    Example: companion rename xarkant-2 friday
    """
    shelf = common.shelf()
    path, to = shelf.existing(old), shelf.free(new)
    was_last = shelf.used_last() == old
    shelf.move(path, to)
    if was_last:
        shelf.remember(new)
    _tell({"table": new, "was": old}, f"table {old} is now called {new}", json)


def archive(
    table: Name,
    undo: Annotated[bool, typer.Option("--undo", help="Bring an archived table back.")] = False,
    json: common.AsJson = False,
) -> None:
    """Put a table away. It is kept and counts in `companion stats`, but only `tables --archived` lists it.

    Example: companion archive friday
    """
    shelf = common.shelf()
    path, to = shelf.existing(table, archived=undo), shelf.path(table, archived=not undo)
    if to.exists():
        there = "there is a table" if undo else "there is an archived table"
        raise common.Failure(f"{there} {table!r} already; rename this one first")
    shelf.move(path, to)
    told = f"table {table} is back" if undo else f"table {table} is archived; --undo brings it back"
    _tell({"table": table, "archived": not undo}, told, json)


def delete(
    table: Name,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    json: common.AsJson = False,
) -> None:
    """Delete a table for good, archived or not. Its log cannot be restored; `companion export` keeps a copy.

    Example: companion delete test-2
    """
    shelf = common.shelf()
    kept = shelf.path(table, archived=True)
    path = kept if kept.is_file() and not shelf.path(table).is_file() else shelf.existing(table)
    if not yes:
        if not sys.stdin.isatty():
            raise common.Failure(f"this deletes table {table} for good; say --yes if that is meant")
        row = _row(table, path)
        common.say(f"{table}: {_in_words(row)}")
        if not typer.confirm("Delete it for good?"):
            common.say("nothing deleted")
            return
    shelf.delete(path)
    _tell({"table": table, "deleted": True}, f"table {table} is deleted", json)


def _tell(form: dict[str, Any], told: str, json: bool) -> None:
    if json:
        common.say_json({"version": answers.VERSION, **form})
    else:
        common.say(told)


__all__ = ["archive", "delete", "rename", "tables", "when"]
