"""A whole table as one text file, to keep or to send, as JSON lines or YAML: a header, then each line of the log.

The header names the game, its variants and the fingerprint of its rules. An import plays the transcript again under
today's rules, so it finds and names any line that is no longer legal.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec

from companion.engine.errors import CompanionError
from companion.engine.table.aside import made_aside
from companion.engine.table.history import Line
from companion.engine.table.replaying import plain, said_moves
from companion.engine.table.table import Load, Table, TableError
from components.files import read_at_most
from components.model import ResolvedGame

FORMAT = "tablewright-transcript-1"
MOST = 64 * 2**20
"""Bytes that a transcript may have."""


class TranscriptError(CompanionError):
    """A text that is not a transcript, or holds play that is not legal."""


class Header(msgspec.Struct, kw_only=True, omit_defaults=True):
    """First line of a transcript. `people`: seat -> person."""

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
    """How many lines break the rules or were corrected by hand."""


class Transcript(msgspec.Struct, kw_only=True):
    header: Header
    lines: list[Line]


def of_table(table: Table) -> Transcript:
    """The lines of a table that count."""
    about, game, lines = table.about, table.rules.game, table.history.lines
    header = Header(
        format=FORMAT,
        table=about.table,
        game=about.game,
        title=about.title,
        variants=game.variants,
        sets=game.sets,
        fingerprint=game.fingerprint,
        people=about.people,
        start=about.start,
        created=about.created,
        overrides=sum(line.marked for line in lines),
    )
    return Transcript(header=header, lines=lines)


def to_json_lines(transcript: Transcript) -> str:
    rows = [msgspec.to_builtins(transcript.header), *(_row(line) for line in transcript.lines)]
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def to_yaml(transcript: Transcript) -> str:
    import yaml

    rows = {**msgspec.to_builtins(transcript.header), "lines": [_row(line) for line in transcript.lines]}
    return yaml.safe_dump(rows, sort_keys=False, allow_unicode=True, width=120)


def _row(line: Line) -> dict[str, Any]:
    row = plain(line)
    for own in ("key", "state"):
        row.pop(own, None)
    return row


def parse(text: str, name: str) -> Transcript:
    """A transcript in either form. `name` is what messages call the file."""
    try:
        if text.lstrip().startswith("{"):
            rows = [msgspec.json.decode(row) for row in text.splitlines() if row.strip()]
            header, lines = rows[0], rows[1:]
        else:
            from components.yamlsource import parse_yaml

            source = parse_yaml(text, name)
            if source.problems:
                problem = source.problems[0]
                raise TranscriptError(f"{name}:{problem.line}:{problem.column}: {problem.what}")
            header = dict(source.data or {})
            lines = header.pop("lines", [])
        if not isinstance(header, dict) or header.get("format") != FORMAT:
            raise TranscriptError(f"{name}: not a transcript: its first line does not name the format {FORMAT!r}")
        return Transcript(header=msgspec.convert(header, Header), lines=msgspec.convert(lines, list[Line]))
    except (msgspec.DecodeError, msgspec.ValidationError, TypeError, ValueError) as error:
        raise TranscriptError(f"{name}: {error}") from None


def replay(
    transcript: Transcript, path: Path, game: ResolvedGame, load: Load, *, aside: list[str] | None = None
) -> Table:
    """A new table in the file `path` on which the whole transcript has been played again.

    The file appears only once everything has been played. A line that is not legal under the rules of `game` raises
    TranscriptError; with a list `aside`, it is left out, and the list says which line and why.
    """
    try:
        with made_aside(path) as half:
            _replay_into(half, transcript, path.stem, game, load, aside)
    except FileExistsError:
        raise TableError(f"{path} already exists") from None
    return Table.open(path, load)


def _replay_into(
    path: Path, transcript: Transcript, name: str, game: ResolvedGame, load: Load, aside: list[str] | None
) -> None:
    """Make the table `name` of a transcript in the file `path`."""
    header, lines = transcript.header, transcript.lines
    rules = load(game)
    try:
        setup = next((said_moves(line, rules)[0] for line in lines if line.setup), None)
        start = None if header.start is None else msgspec.convert(header.start, rules.state)
        table, outcome = Table.create(path, game, load, name=name, people=header.people, start=start, setup=setup)
        if table is None:
            why = "; ".join(b.why for b in outcome.verdict.reasons) if outcome else ""
            raise TranscriptError(f"the set-up is not legal under today's rules: {why}")
        with table, table.writing():
            for number, line in enumerate(lines, 1):
                why = "" if line.setup else _play_again(table, line, aside is None)
                if why:
                    what = f"line {number} ({line.text}) is not legal under today's rules: {why}"
                    if aside is None:
                        raise TranscriptError(what)
                    aside.append(what)
    except TranscriptError:
        raise
    except (CompanionError, msgspec.ValidationError, KeyError, IndexError) as error:
        raise TranscriptError(f"not a transcript of {game.title}: {error}") from None


def _play_again(table: Table, line: Line, whole: bool) -> str:
    """Play a line of a transcript. Returns why it is not legal, or "". `whole`: nothing before it was left out, so any
    other error is a fault of the transcript."""
    try:
        if line.kind == "note":
            table.note(line.text)
        elif line.kind == "correct":
            table.correct(line.field, line.value, line.override)
        elif line.steps:
            passed = any(step["how"] == "passed" for step in line.steps)
            outcome = table.do(said_moves(line, table.rules), line.text, passed=passed, override=line.override)
            if not outcome.done:
                verdict = outcome.verdict
                return "; ".join([b.why for b in verdict.reasons] + [c.question for c in verdict.needs])
    except CompanionError as error:
        if whole:
            raise
        return str(error)
    return ""


def read(path: Path) -> Transcript:
    try:
        return parse(read_at_most(path, MOST).decode(), str(path))
    except (OSError, UnicodeDecodeError) as error:
        raise TranscriptError(f"{path}: cannot be read ({error})") from None


__all__ = ["FORMAT", "Header", "Transcript", "TranscriptError", "of_table", "parse", "read", "replay"]
__all__ += ["to_json_lines", "to_yaml"]
