"""`companion new`, `tables`, `export`, `import` and `migrate`: tables as a whole."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from companion.cli import common
from companion.engine.answers import answers
from companion.engine.table.table import Table
from components.phrasing import plural, suggest

if TYPE_CHECKING:
    from companion.engine.table.salvage import Salvaged


def new(
    game: Annotated[
        str,
        typer.Argument(
            help="Id of a game, as `companion games` lists it. The only one of your project may be left out.",
            show_default=False,
        ),
    ] = "",
    seats: Annotated[
        list[str] | None, typer.Argument(help="SEAT=NAME for each player in seat order; =NAME may be left out.")
    ] = None,
    table: Annotated[
        str, typer.Option("--table", "-t", help="Name of the new table. Default: the id of the game.")
    ] = "",
    position: common.PositionFile = None,
    option: Annotated[
        list[str] | None, typer.Option("--option", help="Make a choice of the set-up, as key=value. Repeat for more.")
    ] = None,
    variant: common.Variants = None,
    sets: common.Sets = None,
    json: common.AsJson = False,
) -> None:
    """Begin a new table, from the set-up of the game or from a position file.

    Example: companion new warring-states Qin=Ann Chu=Ben Zhao=Cem --table friday
    """
    if only := common.only_game(game):
        game, seats = only, [*([game] if game else []), *(seats or [])]
    resolved = common.resolve(common.named(game), variant, sets)
    rules = common.load(resolved)
    shelf = common.shelf()
    people = _people(seats or [], resolved.seats, free=rules.free_seats)
    start = None
    if position is not None:
        from companion.engine.language.positionfile import read_position

        start = read_position(position, rules)
        missing = [seat for seat in people if seat not in rules.seats(start)]
        if missing:
            raise common.Failure(f"{position} has no seat {missing[0]}; it has {', '.join(rules.seats(start))}")
        people = {seat: people.get(seat, "") for seat in rules.seats(start)}
        for law in rules.check_whole(start):
            common.remark(f"  ! the pieces of {position} do not add up: {law}")
    name = table or _free_name(game, shelf.names())
    path = shelf.path(name)
    if path.exists():
        raise common.Failure(f"table {name!r} already exists; choose another name with --table")
    from companion.engine.play.position import Position

    before: Any = Position(rules, rules.new_state())
    opened, outcome = Table.create(
        path, resolved, common.load, people=people, options=common.assignments(option or []), start=start
    )
    if opened is None and outcome is not None:
        if json:
            common.say_json(answers.outcome_json(outcome, before))
        else:
            common.say(common.coloured_verdict(answers.outcome_text(outcome, before)))
        common.finish(common.UNABLE if outcome.verdict.legal is None else common.REFUSED)
    if opened is None:
        raise RuntimeError("the set-up was neither played nor refused")
    with opened:
        shelf.remember(name)
        if json:
            form = {
                "version": answers.VERSION,
                "table": name,
                "game": game,
                "fingerprint": resolved.fingerprint,
                "people": people,
                "events": answers.events_json(outcome.events if outcome else []),
                "state": rules.dump(opened.position.state),
            }
            common.say_json(form)
            return
        common.say(f"Table {name}: {resolved.title}")
        for text in answers.events_text(outcome.events if outcome else []):
            common.say(text)


def _people(pairs: list[str], offered: list[str], *, free: bool = False) -> dict[str, str]:
    """Seat -> person from `Seat=Name` texts; seats may be abbreviated where the game offers fixed ones.

    `free`: a seat that the game does not offer keeps the name typed.
    """

    people: dict[str, str] = {}
    for pair in pairs:
        said, _, person = pair.partition("=")
        seat = said.strip()
        if offered:
            found = [s for s in offered if s.lower() == seat.lower()]
            if not found and not free:
                found = [s for s in offered if seat and s.lower().startswith(seat.lower())]
            if len(found) != 1 and not free:
                seated = "" if person else f"; to seat a person: {offered[0]}={seat}"
                raise common.Failure(
                    f"no seat of this game is called {seat!r}{suggest(seat, offered, 'seats')}{seated}"
                )
            seat = found[0] if len(found) == 1 else seat
        if not seat:
            raise common.Failure(f"{pair!r} does not have the form SEAT=NAME")
        if seat.lower() in map(str.lower, people):
            raise common.Failure(f"the seat {seat} is given twice")
        people[seat] = person.strip()
    names = [person.lower() for person in people.values() if person]
    for name in names:
        if names.count(name) > 1:
            raise common.Failure(f"two people are called {name!r}; give them different names")
    return people


def _free_name(game: str, taken: list[str]) -> str:
    names = [game, *(f"{game}-{n}" for n in range(2, len(taken) + 3))]
    return next(name for name in names if name not in taken)


def tables(json: common.AsJson = False) -> None:
    """List the tables. If one is damaged, say what is wrong with it and exit with status 1.

    Example: companion tables
    """
    shelf = common.shelf()
    rows = [_row(name, shelf.path(name)) for name in shelf.names()]
    if json:
        common.say_json({"version": answers.VERSION, "tables": rows})
    else:
        for row in rows:
            common.say(f"{row['table']}: {_in_words(row)}")
        if not rows:
            common.remark("there are no tables yet")
    if any(row["problem"] for row in rows):
        common.finish(common.REFUSED)


_OF_A_TABLE = ("game", "people", "lines", "phase", "over", "created", "problem")


def _row(name: str, path: Path) -> dict[str, Any]:
    """What `tables` says about one table. If it cannot be opened, the row says why, and the others are still listed."""
    from companion.engine.errors import CompanionError

    row: dict[str, Any] = {"table": name, **dict.fromkeys(_OF_A_TABLE)}
    try:
        with common.opened(path) as at:
            row["game"], row["people"], row["created"] = at.about.game, at.about.people, at.about.created
            row["lines"] = len(at.history.lines)
            row["phase"], row["over"] = at.rules.phase(at.position.state), at.rules.over(at.position.state)
    except CompanionError as error:
        row["problem"] = str(error)
    except Exception as error:
        row["problem"] = f"{path}: cannot be opened because of a bug in Tablewright ({type(error).__name__}: {error})"
    return row


def _in_words(row: dict[str, Any]) -> str:
    if row["problem"]:
        return str(row["problem"])
    seated = ", ".join(f"{seat} {person}".strip() for seat, person in row["people"].items())
    lines = f"{row['lines']} {plural(row['lines'], 'line')}"
    return f"{row['game']}, {lines}, {'over' if row['over'] else row['phase']} ({seated})"


def export(
    table: common.TableName = "",
    out: Annotated[Path | None, typer.Option("--out", "-o", help="File to write. Default: standard output.")] = None,
    form: Annotated[Literal["jsonl", "yaml"], typer.Option("--format", help="JSON lines, or YAML.")] = "jsonl",
    json: common.AsJson = False,
) -> None:
    """Write a whole table as text: a header, then one row for each line of the log. Overrides stay marked.

    From a damaged table, every line that can still be read is written; the exit status is then 1.

    Example: companion export --table friday --out friday.jsonl
    """
    from companion.engine.table import transcript
    from companion.engine.table.journal import Damaged
    from components.files import write_whole

    saved: Salvaged | None = None
    try:
        with common.open_table(table) as at:
            whole = transcript.of_table(at)
    except Damaged as error:
        from companion.engine.table.salvage import salvage

        shelf = common.shelf()
        saved = salvage(shelf.existing(table or shelf.last()))
        whole = saved.transcript
        common.remark(f"! {error.path}: damaged ({error.what})")
    text = transcript.to_json_lines(whole) if json or form == "jsonl" else transcript.to_yaml(whole)
    if out is None:
        common.say(text.rstrip("\n"))
    else:
        write_whole(out, text.encode(), sync=True)
        common.remark(f"wrote {out}")
    if saved is not None:
        common.remark(f"  lines saved: {len(whole.lines)}")
        if saved.lost:
            more = f" and {len(saved.lost) - 12} more" if len(saved.lost) > 12 else ""
            common.remark(f"  entries lost: {', '.join(map(str, saved.lost[:12]))}{more}")
        common.remark("  `companion import FILE --set-aside` begins a table with the saved lines that are still legal")
        common.finish(common.REFUSED)


def import_(
    file: Annotated[Path, typer.Argument(help="A transcript that `companion export` wrote.")],
    table: Annotated[str, typer.Option("--table", "-t", help="Name of the new table.")] = "",
    set_aside: Annotated[
        bool, typer.Option("--set-aside", help="Leave out lines that are no longer legal, and list them.")
    ] = False,
    json: common.AsJson = False,
) -> None:
    """Begin a table from a transcript, judging every line again by today's rules.

    Example: companion import friday.jsonl --table friday-again
    """
    from companion.engine.table import transcript

    whole = transcript.read(file)
    header = whole.header
    sets = [f"{key}={common.typed(value)}" for key, value in header.sets.items()]
    resolved = common.resolve(header.game, header.variants, sets)
    shelf = common.shelf()
    name = table or _free_name(header.table, shelf.names())
    path = shelf.path(name)
    if path.exists():
        raise common.Failure(f"table {name!r} already exists; choose another name with --table")
    aside: list[str] | None = [] if set_aside else None
    with transcript.replay(whole, path, resolved, common.load, aside=aside) as at:
        shelf.remember(name)
        for what in aside or ():
            common.remark(f"! {what}")
        count = len(at.history.lines)
        same = header.fingerprint == resolved.fingerprint
        if json:
            form = {"version": answers.VERSION, "table": name, "lines": count, "same_rules": same}
            common.say_json({**form, "state": at.rules.dump(at.position.state)})
            return
        common.say(f"Table {name}: {resolved.title}, {count} {plural(count, 'line')}")
        if not same:
            common.remark(
                "the rules have changed since the transcript was written; every line here is legal by today's rules"
            )


def migrate(
    table: common.TableName = "",
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only show what would change.")] = False,
    variant: common.Variants = None,
    sets: common.Sets = None,
    reset: Annotated[bool, typer.Option("--reset", help="Drop the table's variants and settings first.")] = False,
    json: common.AsJson = False,
) -> None:
    """Move a table to today's rules. Lines that are no longer legal are set aside and listed with the reasons.

    The table keeps its variants and settings as they are defined today; --variant and --set add to them.

    Example: companion migrate --dry-run
    """
    from companion.engine.table import migrating

    with common.open_table(table) as at:
        old = at.rules.game
        kept = {} if reset else old.sets
        chosen = [] if reset else old.variants
        same = [f"{key}={common.typed(value)}" for key, value in kept.items()]
        resolved = common.resolve(old.id, list(dict.fromkeys([*chosen, *(variant or [])])), [*same, *(sets or [])])
        rules = migrating.rules_without(common.load, resolved, migrating.pieces(old))
        found = migrating.migrate(at, rules, dry_run=dry_run)
        if json:
            form = {
                "version": answers.VERSION,
                "from": old.fingerprint,
                "to": resolved.fingerprint,
                "dry_run": dry_run,
                "stand": found.stand,
                "first": found.differ[0].number if found.differ else None,
                "differ": answers.plain(found.differ),
            }
            common.say_json(form)
            return
        first = f", the first at {found.differ[0].number}" if found.differ else ""
        stand = f"{found.stand} {plural(found.stand, 'line')} still {plural(found.stand, 'stands', 'stand')}"
        common.say(f"{stand}, {len(found.differ)} differ{'s' if len(found.differ) == 1 else ''}{first}.")
        for row in found.differ:
            common.say(f"  {row.number} {row.text}{' (no longer legal)' if row.fallen else ''}")
            for why in row.why:
                common.say(f"      {why['why']} [{why['rule']}]" if why["rule"] else f"      {why['why']}")


__all__ = ["export", "import_", "migrate", "new", "tables"]
