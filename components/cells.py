"""The cells of a table of cards, as spreadsheet programs write them: CSV, TSV, XLSX and ODS, each with its place."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from components.errors import Problem
from components.plainfiles import read_plain
from components.yamlsource import MAX_BYTES, Source

BOOKS = (".xlsx", ".ods")
MAX_ROWS = 10_000
MAX_COLUMNS = 200


class Cell(NamedTuple):
    text: Any
    line: int
    column: int


class Unworked(NamedTuple):
    """Stands in a cell for a formula whose result the file does not hold."""

    formula: str


class Faulty(Exception):
    """A table that cannot be read; `problem` says why."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.what)
        self.problem = problem


def filled(cell: Cell) -> bool:
    return bool(str(cell.text).strip()) if cell.text is not None else False


def lines_of(path: Path, table: Source) -> Iterator[list[Cell]]:
    """The rows of a CSV or TSV file. Faulty if they cannot be read."""
    raw = read_plain(path, MAX_BYTES)
    if len(raw) > MAX_BYTES:
        raise Faulty(Problem(code="DEF-004", what="the file is larger than 2 MiB", file=table.file))
    table.text = text = _decoded(raw, table)
    separator, text, skipped = _separator(text, path.suffix.lower())
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    begins = skipped
    lines = table.lines
    try:
        for row in reader:
            starts = _starts(lines[begins] if begins < len(lines) else "", separator)
            columns = [*starts, *([starts[-1]] * len(row))]
            yield [Cell(cell, begins, columns[i]) for i, cell in enumerate(row)]
            begins = skipped + reader.line_num
    except csv.Error as error:
        what = f"this row cannot be read: {error}"
        raise Faulty(table.place("DEF-067", what, begins + 1, 1, "a quotation mark may be missing")) from None


def _decoded(raw: bytes, table: Source) -> str:
    """The text of a file as spreadsheet programs write it."""
    wide = raw.startswith((b"\xff\xfe", b"\xfe\xff"))
    for encoding in ("utf-16",) if wide else ("utf-8-sig", "cp1252"):
        try:
            text = raw.decode(encoding)
        except UnicodeDecodeError:
            continue
        if "\0" not in text:
            return text
    raise Faulty(Problem(code="DEF-003", what="this is not text", file=table.file, hint="save the table as CSV, UTF-8"))


def _separator(text: str, ending: str) -> tuple[str, str, int]:
    """The separator, the text without a line that only names it (`sep=;`), and how many lines that were."""
    named = re.match(r"sep=(.)\r?\n", text)
    if named:
        return named[1], text[named.end() :], 1
    if ending == ".tsv":
        return "\t", text, 0
    first = re.sub(r'"[^"]*"', "", text.lstrip().partition("\n")[0])
    return max(",;\t|", key=first.count), text, 0


def _starts(line: str, separator: str) -> list[int]:
    """The places where the cells of a line begin."""
    found, quoted = [0], False
    for i, char in enumerate(line):
        quoted ^= char == '"'
        if char == separator and not quoted:
            found.append(i + 1)
    return found


__all__ = ["BOOKS", "MAX_COLUMNS", "MAX_ROWS", "Cell", "Faulty", "Unworked", "filled", "lines_of"]
