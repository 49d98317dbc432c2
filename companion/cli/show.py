"""`companion show`, `moves`, `log` and `score`: the position, the legal moves, the history and the score."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from companion.cli import common
from companion.cli.pages import overview, page
from companion.cli.terminal import ENDLESS, fitted, size
from companion.engine.answers import answers
from companion.engine.language import listing, notation, saying
from companion.engine.language.people import People
from companion.engine.play.position import Position
from companion.engine.table import course
from companion.engine.table.history import line_of
from companion.engine.table.logs import changes_json, log_json, log_text
from companion.engine.table.replaying import in_words
from companion.engine.table.table import Table

Game = Annotated[
    str, typer.Argument(help="The game; only taken with --position. Default: the only one of your project.")
]


def place_of(
    game: str, table: str, position: Path | None, variant: list[str] | None, sets: list[str] | None
) -> tuple[Position[Any], Table | None]:
    """The position to work on, and its table if it has one."""
    if position is not None:
        game = game or common.only_game()
        if not game:
            raise common.Failure("name the game: companion COMMAND GAME --position FILE")
        return common.position_of(game, position, variant, sets), None
    if game:
        raise common.Failure(f"{game!r}: name a game only with --position; to name a table, use --table")
    if variant or sets:
        raise common.Failure(
            "a table keeps its own rules; use --variant and --set with --position or with `companion new`"
        )
    opened = common.open_table(table)
    return opened.position, opened


def show(
    game: Annotated[
        str,
        typer.Argument(
            metavar="[PART]",
            help="Only this part of the table (`land`, `wall`), or what this person has. With --position: the game.",
        ),
    ] = "",
    table: common.TableName = "",
    position: common.PositionFile = None,
    position_out: Annotated[
        Path | None, typer.Option("--position-out", help="Also write the position to this file, as YAML.")
    ] = None,
    seat: Annotated[
        str, typer.Option("--seat", help="Show what this seat (or person) may know: no secrets but its own.")
    ] = "",
    svg: Annotated[
        Path | None, typer.Option("--svg", help="Also draw the table into this file, as SVG; '-' prints only the SVG.")
    ] = None,
    png: Annotated[Path | None, typer.Option("--png", help="Also draw the table into this file, as PNG.")] = None,
    pdf: Annotated[Path | None, typer.Option("--pdf", help="Also draw the table into this file, as PDF.")] = None,
    variant: common.Variants = None,
    sets: common.Sets = None,
    json: common.AsJson = False,
) -> None:
    """Show the position: what each player has, the phase and whose turn it is.

    Example: companion show --table friday
    """
    part, game = ("", game) if position is not None else (game, "")
    at, opened = place_of(game, table, position, variant, sets)
    rules = at.rules
    people = opened.about.people if opened else {}
    named = opened.named if opened else People(rules, {})
    seat = common.seat_of(at, seat, named.by_name) if seat else ""
    form = rules.dump(at.state)
    if seat:
        from companion.engine.play.secrets import seen_by, seen_form

        form, at = seen_form(at, seat), seen_by(at, seat)
    drawn = _drawn(at, {"svg": svg, "png": png, "pdf": pdf}, json)
    if position_out is not None:
        from companion.engine.language.positionfile import write_position

        write_position(position_out, form)
        common.remark(f"wrote {position_out}")
    for file, picture in drawn.items():
        if str(file) == "-":
            sys.stdout.buffer.write(picture)
            return
    for file, picture in drawn.items():
        from components.files import write_whole

        write_whole(file, picture)
        common.remark(f"wrote {file}")
    if json:
        answer = {
            "version": answers.VERSION,
            "game": rules.game.id,
            "fingerprint": rules.game.fingerprint,
            "table": opened.about.table if opened else None,
            "people": people,
            "phase": rules.phase(at.state),
            "to_move": rules.to_move(at.state),
            "over": rules.over(at.state),
            "overrides": _marks(opened),
            "state": form,
        }
        common.say_json(answer)
        return
    head = ""
    if opened:
        seated = ", ".join(map(named.seat, people))
        head = fitted(f"{rules.game.title}, table {opened.about.table}: {seated}") + "\n"
    width, tall = size()
    room = (width, tall if tall == ENDLESS else tall - head.count("\n"))
    common.say(head + page(at, named, part, seat, room))


def _drawn(at: Position[Any], files: dict[str, Path | None], json: bool) -> dict[Path, bytes]:
    """The pictures of the table by their files, drawn before anything is written.

    Raises Failure if the game draws none, or if two results would go to stdout.
    """
    wanted = {kind: file for kind, file in files.items() if file is not None}
    if not wanted:
        return {}
    taken = [f"--{kind} -" for kind, file in wanted.items() if str(file) == "-"] + ["--json"] * json
    if len(taken) > 1:
        both = " and ".join(reversed(taken))
        raise common.Failure(f"{both} would both write to stdout; give --{taken[0][2:-2]} a file")
    from companion.cli.picture import pictures

    return dict(zip(wanted.values(), pictures(at, list(wanted)), strict=True))


def moves(
    game: Game = "",
    table: common.TableName = "",
    position: common.PositionFile = None,
    help_moves: Annotated[
        bool, typer.Option("--help-moves", help="Show how to type every move of the game, legal now or not.")
    ] = False,
    variant: common.Variants = None,
    sets: common.Sets = None,
    json: common.AsJson = False,
) -> None:
    """List the legal moves as you would type them (--json lists each one).

    Example: companion moves --help-moves
    """
    if help_moves and game and position is None:
        rules = common.rules_of(game, variant, sets)
        _help(Position(rules, rules.new_state()), json)
        return
    at, opened = place_of(game, table, position, variant, sets)
    if help_moves:
        _help(at, json)
        return
    legal = at.legal()
    if json:
        rows = [{"text": notation.write(move, at), "move": move.to_json()} for move in legal]
        waiting = at.rules.to_move(at.state)
        examples = [kind.name for kind in listing.samples(legal)]
        common.say_json({"version": answers.VERSION, "to_move": waiting, "examples_only": examples, "moves": rows})
        return
    for line in overview(legal, at, opened.named if opened else People(at.rules, {})):
        common.say(line)
    if not legal:
        common.remark("the game is over" if at.rules.over(at.state) else "no move is legal now")


def _help(at: Position[Any], json: bool) -> None:
    if not json:
        for kind in at.rules.moves.values():
            common.say(saying.explained(kind, at))
        return
    rows: list[dict[str, Any]] = []
    for name, kind in at.rules.moves.items():
        row = {"name": name, "kind": kind.role, "usage": saying.usage(kind), "about": saying.about(kind)}
        steps = [{"usage": step.usage, "about": step.about} for step in saying.steps_of(kind, at)]
        rows.append({**row, "example": kind.example, **({"steps": steps} if steps else {})})
    common.say_json({"version": answers.VERSION, "moves": rows})


def log(
    table: common.TableName = "",
    events: Annotated[bool, typer.Option("--events", help="Also show what each line did, step by step.")] = False,
    everything: Annotated[
        bool, typer.Option("--all", help="Also show undone lines and lines that an amendment set aside.")
    ] = False,
    seat: Annotated[
        str, typer.Option("--seat", help="Show what this seat (or person) may know: no secrets but its own.")
    ] = "",
    json: common.AsJson = False,
) -> None:
    """Show the log. '!' marks a line against the rules or a correction, '#' a note, '==' where other rules begin.

    Example: companion log --events
    """
    with common.open_table(table) as at:
        lines, people = at.log(), None if json else at.named
        taken_back: list[dict[str, Any]] = [
            {"entry": e.n, "when": e.when, "text": at.describe(e.n, people)}
            for e in at.entries
            if e.n in at.history.undone
        ]
        aside: list[dict[str, Any]] = [
            {"number": f.number, "text": in_words(f.line, at.position, people), "why": f.why} for f in at.history.fallen
        ]
        if seat and (seat := common.seat_of(at.position, seat, at.people)):
            from companion.engine.table.private import known_line, known_lines

            lines = known_lines(lines, at.position, seat)
            for row, entry in zip(taken_back, (e for e in at.entries if e.n in at.history.undone), strict=True):
                if entry.kind == "line":
                    known = known_line(line_of(entry, at.history.fingerprint), at.position, seat)
                    row["text"] = in_words(known, at.position)
            for row, fallen in zip(aside, at.history.fallen, strict=True):
                row["text"] = in_words(known_line(fallen.line, at.position, seat), at.position)
        if json:
            form = {
                "version": answers.VERSION,
                "table": at.about.table,
                "game": at.about.game,
                "fingerprint": at.history.fingerprint,
                "people": at.about.people,
                "lines": log_json(lines),
                "rules": changes_json(at),
                "taken_back": taken_back,
                "set_aside": aside,
            }
            common.say_json(form)
            return
        common.say(log_text(lines, changes_json(at), events=events))
        if everything:
            for row in taken_back:
                common.say(f"undone (entry {row['entry']}): {row['text']}")
            for row in aside:
                common.say(f"set aside (was {row['number']}): {row['text']}")
                for why in row["why"]:
                    common.say(f"       {why['rule']} {at.named.text(why['why'])}".rstrip())


def score(
    game: Game = "",
    table: common.TableName = "",
    position: common.PositionFile = None,
    variant: common.Variants = None,
    sets: common.Sets = None,
    json: common.AsJson = False,
) -> None:
    """Show the score with its arithmetic, any tie-breaks and how the game ended.

    Example: companion score --table friday
    """
    at, opened = place_of(game, table, position, variant, sets)
    ledger = at.rules.score(at) if opened is None else course.score(opened)
    marks = _marks(opened)
    if json:
        common.say_json({**answers.ledger_json(ledger), "overrides": marks})
        return
    common.say(answers.ledger_text(ledger, opened.named if opened else {}, len(marks)))


def _marks(table: Table | None) -> list[dict[str, Any]]:
    """The lines of a table that break the rules, and the corrections."""
    if table is None:
        return []
    lines = enumerate(table.history.lines, 1)
    return [
        {"line": number, "kind": line.kind, "reason": line.override, "broken": line.broken}
        for number, line in lines
        if line.marked
    ]


__all__ = ["log", "moves", "place_of", "score", "show"]
