"""A whole table as one text file, to keep or to send, as JSON lines or YAML: a header, then each line of the log.

The header names the game, its variants and the fingerprint of its rules. An import plays the transcript again under
today's rules, so it finds and names any line that is no longer legal.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from companion.engine.errors import CompanionError
from companion.engine.language.jsonmoves import from_json
from companion.engine.play.moves import Move
from companion.engine.play.position import Position, Rules
from companion.engine.table.aside import made_aside
from companion.engine.table.digests import form_of
from companion.engine.table.history import Line
from companion.engine.table.journal import About, JournalError
from companion.engine.table.keys import unshown
from companion.engine.table.migrating import migrate
from companion.engine.table.people import seat
from companion.engine.table.replaying import plain
from companion.engine.table.table import Load, Table, TableError
from companion.engine.things.sealed import learn
from components.files import read_at_most
from components.model import ResolvedGame
from components.safe_text import escaped_json, one_line

T = TypeVar("T")

FORMAT = "tablewright-transcript-1"
MOST = 64 * 2**20
"""Bytes that a transcript may have."""


class TranscriptError(CompanionError):
    """A text that is not a transcript, or holds play that is not legal. `status` 1: it is one, and a row of it is
    wrong."""

    def __init__(self, what: str, status: int = 2) -> None:
        super().__init__(what)
        self.status = status


class Change(msgspec.Struct, kw_only=True, omit_defaults=True):
    """Other rules that hold from a line on."""

    first: int = msgspec.field(name="from")
    variants: list[str] = []
    sets: dict[str, Any] = {}
    fingerprint: str


class Header(msgspec.Struct, kw_only=True, omit_defaults=True):
    """First line of a transcript: how the table began. `people`: seat -> person."""

    format: str
    table: str
    game: str
    title: str = ""
    variants: list[str] = []
    sets: dict[str, Any] = {}
    fingerprint: str
    people: dict[str, str] = {}
    start: Any = None
    created: str = ""
    overrides: int = 0
    """The number of lines that break the rules or were corrected by hand."""
    changes: list[Change] = []
    """The lines at which the table changed its rules."""
    keys: dict[str, str] = {}
    """The keys of choices still sealed, if the writer of the file asked for them: seal -> key."""


class Transcript(msgspec.Struct, kw_only=True):
    header: Header
    lines: list[Line]


class Stored(msgspec.Struct):
    """The rules that a journal stores under a fingerprint."""

    id: str = ""
    title: str = ""
    variants: list[str] = []
    sets: dict[str, Any] = {}


def of_table(table: Table, *, with_keys: bool = False) -> Transcript:
    """The lines of a table that count. `with_keys`: whoever has the transcript can open what is still sealed."""

    def stored(fingerprint: str) -> Stored:
        game = table.rules_of(fingerprint).game
        return Stored(game.id, game.title, game.variants, game.sets)

    whole = made(table.about.table, table.began, table.history.lines, table.history.changes(), stored)
    if with_keys:
        whole.header.keys = unshown(form_of(table.position.state))
    return whole


def made(
    name: str,
    about: About | None,
    lines: list[Line],
    changes: list[tuple[int, str]],
    stored: Callable[[str], Stored],
) -> Transcript:
    """The transcript of a table called `name`. `changes`: from which line on other rules hold, by fingerprint."""
    fingerprint = lines[0].rules if lines else about.fingerprint if about else ""
    game = stored(fingerprint)
    others = [
        Change(first=number, variants=then.variants, sets=then.sets, fingerprint=found)
        for number, found in changes
        for then in [stored(found)]
    ]
    header = Header(
        format=FORMAT,
        table=about.table if about else name,
        game=about.game if about else game.id,
        title=about.title if about else game.title,
        variants=game.variants,
        sets=game.sets,
        fingerprint=fingerprint,
        people=about.people if about else {},
        start=about.start if about else None,
        created=about.created if about else "",
        overrides=sum(line.marked for line in lines),
        changes=others,
    )
    return Transcript(header=header, lines=lines)


def to_json_lines(transcript: Transcript) -> str:
    rows = [msgspec.to_builtins(transcript.header), *(_row(line) for line in transcript.lines)]
    return "".join(escaped_json(json.dumps(row, ensure_ascii=False)) + "\n" for row in rows)


def to_yaml(transcript: Transcript) -> str:
    import yaml

    rows = {**msgspec.to_builtins(transcript.header), "lines": [_row(line) for line in transcript.lines]}
    return yaml.safe_dump(rows, sort_keys=False, allow_unicode=True, width=120)


def _row(line: Line) -> dict[str, Any]:
    row = plain(line)
    for own in ("key", "state", "rules"):
        row.pop(own, None)
    for said in ("text", "override"):  # older versions kept signs that no text may hold
        if said in row:
            row[said] = one_line(row[said])
    return row


def parse(text: str, name: str) -> Transcript:
    """A transcript in either form. `name` is what messages call the file. Raises TranscriptError, with the line of the
    file where there is one."""
    header, rows = (_of_json if text.lstrip().startswith("{") else _of_yaml)(text, name)
    if not isinstance(header, dict) or header.get("format") != FORMAT:
        raise TranscriptError(f"{name}: not a transcript: its first line does not name the format {FORMAT!r}")
    return Transcript(
        header=_typed(header, Header, f"{name}:1"),
        lines=[_typed(row, Line, f"{name}:{number}") for number, row in rows],
    )


Rows = list[tuple[int, Any]]
"""The lines of a log, each with its line of the file."""


def _of_json(text: str, name: str) -> tuple[Any, Rows]:
    """A transcript as JSON lines. Only `\n` ends one: a note may hold what others take for the end of a line."""
    rows: Rows = []
    for number, row in enumerate(text.split("\n"), 1):
        if row.strip():
            try:
                rows.append((number, msgspec.json.decode(row)))
            except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
                raise TranscriptError(f"{name}:{number}: not JSON: {error}") from None
    return rows[0][1], rows[1:]


def _of_yaml(text: str, name: str) -> tuple[Any, Rows]:
    from components.yamlsource import parse_yaml

    source = parse_yaml(text, name)
    if source.problems:
        problem = source.problems[0]
        raise TranscriptError(f"{name}:{problem.line}:{problem.column}: {problem.what}")
    if not isinstance(source.data, dict) or not isinstance(lines := source.data.get("lines", []), list):
        return None, []
    header = {key: value for key, value in source.data.items() if key != "lines"}
    return header, [(source.problem("", "", ("lines", n)).line or 1, row) for n, row in enumerate(lines)]


def _typed(row: Any, kind: type[T], place: str) -> T:
    try:
        return msgspec.convert(row, kind)
    except (msgspec.ValidationError, RecursionError) as error:
        what, _, path = str(error).replace("`", "").partition(" - at $")
        raise TranscriptError(f"{place}: {path.strip('.')}{': ' * bool(path)}{what[:1].lower()}{what[1:]}", 1) from None


def replay(
    transcript: Transcript,
    path: Path,
    game: ResolvedGame,
    load: Load,
    *,
    aside: list[str] | None = None,
    later: Sequence[ResolvedGame] = (),
) -> Table:
    """A new table in the file `path` on which the whole transcript has been played again, at the times it tells.

    The file appears only once everything has been played. A line that is not legal under the rules of `game` raises
    TranscriptError; with a list `aside`, it is left out, and the list says which line and why. `later`: the games of
    the header's `changes`.
    """
    changes = [(change.first, found) for change, found in zip(transcript.header.changes, later, strict=True)]
    try:
        with made_aside(path) as half:
            _replay_into(half, transcript, path.stem, game, load, aside, changes)
    except FileExistsError:
        raise TableError(f"{path} already exists") from None
    return Table.open(path, load)


def _replay_into(
    path: Path,
    transcript: Transcript,
    name: str,
    game: ResolvedGame,
    load: Load,
    aside: list[str] | None,
    changes: list[tuple[int, ResolvedGame]],
) -> None:
    """Make the table `name` of a transcript in the file `path`."""
    header, lines = transcript.header, transcript.lines
    for found in (header.keys, *(line.keys for line in lines)):
        learn(found)
    rules = load(game)
    people = {seat: one_line(person) for seat, person in header.people.items()}
    try:
        setup = next((_moves(line, Position(rules, rules.new_state()))[0] for line in lines if line.setup), None)
        start = None if header.start is None else _state(header.start, rules)
        table, outcome = Table.create(
            path, game, load, name=name, people=people, start=start, setup=setup, created=_moment(header.created)
        )
        if table is None:
            why = "; ".join(b.why for b in outcome.verdict.reasons) if outcome else ""
            raise TranscriptError(f"the set-up is not legal under today's rules: {why}")
        with table, table.writing():
            for number, line in enumerate([*lines, None], 1):
                for other in [other for first, other in changes if first == number]:
                    migrate(table, load(other), dry_run=False, first=len(table.history.lines) + 1)
                if line is None or line.setup:
                    continue
                table.journal.at = _moment(line.when)
                what = _play_again(table, line, number, aside is None)
                if what and aside is None:
                    raise TranscriptError(what)
                if what and aside is not None:
                    aside.append(what)
    except (TranscriptError, JournalError):
        raise
    except (CompanionError, msgspec.ValidationError, IndexError) as error:
        raise TranscriptError(f"not a transcript of {game.title}: {error}") from None


def _moment(said: str) -> str:
    """The moment when something happened; "" for what tells no time."""
    try:
        datetime.fromisoformat(said).astimezone()
    except (ValueError, OverflowError):
        return ""
    return said


def _state(form: Any, rules: Rules) -> Any:
    """The position at which a transcript begins: it may say no more than a position file."""
    from companion.engine.language.positionfile import from_form

    state = msgspec.convert(form, rules.state)
    from_form(form, rules)
    return state


def _moves(line: Line, at: Position[Any]) -> list[Move]:
    """The moves of a line that were said. They come from a file, so they are read as anybody's are."""
    return [from_json(step["move"], at) for step in line.steps if step["how"] in ("said", "forced")]


def _play_again(table: Table, line: Line, number: int, whole: bool) -> str:
    """Play a line of a transcript. Returns why it is not legal, or "". `whole`: nothing before it was left out, so any
    other error is a fault of the transcript."""
    place = f"line {number} ({line.text})" if line.text else f"line {number}"
    try:
        if line.kind == "note":
            table.note(one_line(line.text))
        elif line.kind == "people":
            people = {there: one_line(person) for there, person in line.value.items()}
            seat(table, people, rename=line.field == "rename")
        elif line.kind == "correct":
            table.correct(line.field, line.value, one_line(line.override))
        elif line.steps:
            passed = any(step["how"] == "passed" for step in line.steps)
            moves = _moves(line, table.position)
            if not moves:
                raise TranscriptError(f"{place} has no move of a player", 1)
            why = one_line(line.override)
            outcome = table.do(moves, line.text, passed=passed, override=why, by=line.by, told=line.told)
            if not outcome.done:
                verdict = outcome.verdict
                why = "; ".join([b.why for b in verdict.reasons] + [c.question for c in verdict.needs])
                return f"{place} is not legal under today's rules: {why}"
    except JournalError:
        raise
    except CompanionError as error:
        if whole:
            raise TranscriptError(f"{place}: {error}", 1) from None
        return f"{place}: {error}"
    return ""


def read(path: Path) -> Transcript:
    try:
        text = read_at_most(path, MOST).decode("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise TranscriptError(f"{path}: cannot be read ({error})") from None
    return parse(text, str(path))


__all__ = ["FORMAT", "Change", "Header", "Stored", "Transcript", "TranscriptError", "made", "of_table", "parse", "read"]
__all__ += ["replay", "to_json_lines", "to_yaml"]
