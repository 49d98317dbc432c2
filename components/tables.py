"""Tables of cards: the rows of a CSV, TSV or XLSX file as pieces of a set, each cell with its place.

A piece set names its table with `rows: cards.csv`. The first row holds the titles of the columns; a title says where
its cells go (see `_targets`), or `columns` of the set does. A sheet works as spreadsheet programs export it: any of the
usual separators, a byte order mark, quoted cells of several lines, Windows-1252.
"""

from __future__ import annotations

import csv
import io
import re
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from components.errors import Problem
from components.phrasing import did_you_mean
from components.plainfiles import read_plain
from components.yamlsource import MAX_BYTES, Source, parse_yaml, plain_value

if TYPE_CHECKING:
    from collections.abc import Collection

ENDINGS = (".csv", ".tsv", ".xlsx")
MAX_ROWS = 10_000
MAX_COLUMNS = 200
MAX_BOOK = 8 * 1024 * 1024
MAX_UNPACKED = 8 * 1024 * 1024
"""Bytes of a workbook, and of its sheets and texts when they are unpacked."""
MAX_ELEMENTS = 300_000
"""Elements of XML in these: some 100,000 cells, which take seconds to read."""

TEXTS = frozenset(("id", "name", "rule", "flavour", "face", "back", "module", "seat"))
"""What a piece says in words: a number in such a cell stays text."""
OTHERS = frozenset(("copies", "effect"))
_IGNORED = "-"


class Mark:
    """Where a cell stands, counted from 0 as YAML marks are, and in which table."""

    __slots__ = ("column", "line", "table")

    def __init__(self, line: int, column: int, table: Source) -> None:
        self.line, self.column, self.table = line, column, table


class _Cell(NamedTuple):
    text: Any
    line: int
    column: int


class _Target(NamedTuple):
    """Where the cells of a column go: `("fields", "tint")`, `("effect", "gain_light", "n")`; `()`: nowhere."""

    path: tuple[str, ...]
    title: str
    words: bool
    """True: a cell is text whatever it looks like."""


class Faulty(Exception):
    """A table that cannot be read; `problem` says why."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.what)
        self.problem = problem


def add_rows(source: Source, folder: Path, shown: str, verbs: Collection[str]) -> None:
    """If the piece set in `source` names a table, add its rows to the pieces, with their places. `shown` is how
    messages call the folder. Faults are added to the problems of `source`."""
    data = source.readable
    if not isinstance(data, dict) or not isinstance(data.get("rows"), str):
        return
    name = data["rows"]
    if not re.fullmatch(r"[\w][\w .-]*", name) or not name.lower().endswith(ENDINGS):
        what = f"'{name}' is not the name of a table in this folder"
        source.problems.append(source.problem("DEF-067", what, ("rows",), hint="name a .csv, .tsv or .xlsx file"))
        return
    path = folder / name
    if not path.is_file() or path.is_symlink():
        near = [file.name for file in folder.iterdir() if file.suffix.lower() in ENDINGS]
        hint = did_you_mean(name, near, listing="there are")
        source.problems.append(source.problem("DEF-067", f"there is no file '{name}'", ("rows",), hint=hint))
        return
    table = Source(f"{shown}/{name}")
    try:
        head, *rows = _cells(path, table, str(data.get("sheet") or ""))
        targets = _targets(head, data, source, table, verbs)
        clashes = _clashes(targets)
        pieces = [_piece(row, targets, clashes, table) for row in rows if any(map(_filled, row))]
    except Faulty as fault:
        source.problems.append(fault.problem)
        return
    except ValueError:
        source.problems.append(Problem(code="DEF-067", what="the table is empty", file=table.file))
        return
    source.problems += table.problems
    _name_all(pieces)
    source.graft("pieces", pieces)


# --- cells -----------------------------------------------------------------------------------------------------------


def _cells(path: Path, table: Source, sheet: str) -> list[list[_Cell]]:
    rows = _book(path, table, sheet) if path.suffix.lower() == ".xlsx" else _lines(path, table)
    found: list[list[_Cell]] = []
    for row in rows:
        if len(found) > MAX_ROWS or len(row) > MAX_COLUMNS:
            what = f"the table has more than {MAX_ROWS:,} rows or {MAX_COLUMNS} columns"
            raise Faulty(Problem(code="DEF-067", what=what, file=table.file))
        if found or any(_filled(cell) for cell in row):
            found.append(row)
    return found


def _filled(cell: _Cell) -> bool:
    return bool(str(cell.text).strip()) if cell.text is not None else False


def _lines(path: Path, table: Source) -> Iterator[list[_Cell]]:
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
            yield [_Cell(cell, begins, columns[i]) for i, cell in enumerate(row)]
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
    """Where the cells of a line begin."""
    found, quoted = [0], False
    for i, char in enumerate(line):
        quoted ^= char == '"'
        if char == separator and not quoted:
            found.append(i + 1)
    return found


def _book(path: Path, table: Source, sheet: str) -> Iterator[list[_Cell]]:
    try:
        if path.stat().st_size > MAX_BOOK:
            raise Faulty(Problem(code="DEF-004", what="the workbook is larger than 8 MiB", file=table.file))
        _check_unpacked(path, table)
        import openpyxl

        book = openpyxl.load_workbook(path, read_only=True, data_only=True)
        names = book.sheetnames
        if sheet and sheet not in names:
            hint = did_you_mean(sheet, names, listing="there are")
            raise Faulty(Problem(code="DEF-067", what=f"there is no sheet '{sheet}'", file=table.file, hint=hint))
        rows = book[sheet or names[0]].iter_rows(values_only=True, max_row=MAX_ROWS + 2, max_col=MAX_COLUMNS + 1)
        found = [[_Cell(_valued(cell), i, j) for j, cell in enumerate(_filled_up(row))] for i, row in enumerate(rows)]
        book.close()
    except Faulty:
        raise
    except Exception as error:  # whatever the library meets in a damaged file
        what = f"the workbook cannot be read: {error or type(error).__name__}"
        raise Faulty(Problem(code="DEF-067", what=what, file=table.file)) from None
    yield from (_trimmed(row) for row in found)


def _check_unpacked(path: Path, table: Source) -> None:
    """Faulty for a workbook that would take long to read, whatever its size on disk."""
    with zipfile.ZipFile(path) as packed:
        parts = [entry for entry in packed.infolist() if not entry.filename.startswith("xl/media/")]
        size = sum(entry.file_size for entry in parts)
        if size <= MAX_UNPACKED and sum(packed.read(entry).count(b"<") for entry in parts) <= 2 * MAX_ELEMENTS:
            return
    what = "the workbook has too many cells"
    raise Faulty(Problem(code="DEF-004", what=what, file=table.file, hint="save the sheet of the cards as CSV"))


def _valued(cell: Any) -> Any:
    if isinstance(cell, float) and cell.is_integer():
        return int(cell)
    return cell if cell is None or isinstance(cell, bool | int | float | str) else str(cell)


def _filled_up(row: tuple[Any, ...]) -> tuple[Any, ...]:
    """The cells up to the last that holds something: the library makes all rows equally long."""
    last = len(row)
    while last and row[last - 1] is None:
        last -= 1
    return row[:last]


def _trimmed(row: list[_Cell]) -> list[_Cell]:
    while row and not _filled(row[-1]):
        row.pop()
    return row


# --- columns ---------------------------------------------------------------------------------------------------------


def _targets(
    head: list[_Cell], data: Mapping[str, Any], source: Source, table: Source, verbs: Collection[str]
) -> list[_Target]:
    """Where each column goes. A title is a key of a piece (`name`, `copies`), a verb of `effects.yaml`, a field of the
    set, or a path to one of them (`fields.tint`, `effect.steal.n`); capitals and blanks do not matter. What `columns`
    of the set says comes first; `-` leaves a column out, and so does a title that begins with `#`."""
    given = data.get("columns")
    said = {str(key).strip().lower(): str(value) for key, value in given.items()} if isinstance(given, dict) else {}
    typed = data.get("field_types")
    kinds = {str(key).rstrip("?"): kind for key, kind in typed.items()} if isinstance(typed, dict) else {}
    shared = data.get("fields") if isinstance(data.get("fields"), dict) else {}
    known = [*sorted(TEXTS | OTHERS), *(f"fields.{name}" for name in {**kinds, **(shared or {})}),
             *(f"effect.{verb}" for verb in verbs)]  # fmt: skip
    unused = set(said)
    found: list[_Target] = []
    for cell in head:
        title = str(cell.text if cell.text is not None else "").strip()
        unused.discard(title.lower())
        wish = said.get(title.lower(), title)
        if wish == _IGNORED or not title or title.startswith("#"):
            found.append(_Target((), title, False))
            continue
        path = _path(wish, known, mapped=title.lower() in said)
        if path is None:
            hint = did_you_mean(wish, known) or "a column is a key of a piece, a field, a verb, or '-' in `columns`"
            raise Faulty(table.place("DEF-067", f"the column '{title}' has no place in a piece", cell.line + 1,
                                     cell.column + 1, hint))  # fmt: skip
        field = path[1] if path[0] == "fields" else ""
        words = path[0] in TEXTS or str(kinds.get(field, "")).startswith("text")
        found.append(_Target(path, title, words))
    if unused:
        what = f"the table has no column '{sorted(unused)[0]}'"
        hint = did_you_mean(sorted(unused)[0], [str(cell.text) for cell in head], listing="columns")
        raise Faulty(source.problem("DEF-067", what, ("columns",), hint=hint))
    paths = [target.path for target in found if target.path]
    for path in paths:
        if paths.count(path) > 1:
            what = f"two columns go to '{'.'.join(path)}'"
            raise Faulty(table.place("DEF-067", what, head[0].line + 1, 1, "leave one out with '-' in `columns`"))
    return found


def _clashes(targets: list[_Target]) -> list[tuple[int, int]]:
    """Columns of which one gives the whole of something and the other a part of it: a row can fill only one."""
    return [
        (i, j)
        for i, whole in enumerate(targets)
        for j, part in enumerate(targets)
        if i != j and whole.path and whole.path == part.path[: len(whole.path)]
    ]


def _path(wish: str, known: list[str], *, mapped: bool) -> tuple[str, ...] | None:
    """The path that a title or a wish in `columns` means; None if it means nothing."""
    plain = re.sub(r"[\s-]+", "_", wish.strip().lower())
    if plain in TEXTS | OTHERS:
        return (plain,)
    for path in (wish.strip(), plain):
        head, _, rest = path.partition(".")
        if head == "fields" and rest and (mapped or path in known):
            return ("fields", *rest.split("."))
        if head == "effect" and rest:
            verb = rest.partition(".")[0]
            return ("effect", *rest.split(".")) if f"effect.{verb}" in known else None
        for kind in ("fields", "effect"):
            if f"{kind}.{path}" in known:
                return (kind, path)
    return None


def _piece(
    row: list[_Cell], targets: list[_Target], clashes: list[tuple[int, int]], table: Source
) -> tuple[dict[str, Any], Any]:
    """A row as a piece, and the spots of what stands in it."""
    for i, j in clashes:
        if max(i, j) < len(row) and _filled(row[i]) and _filled(row[j]):
            what = f"this row fills both '{targets[i].title}' and '{targets[j].title}', which is a part of it"
            raise Faulty(table.place("DEF-067", what, row[j].line + 1, row[j].column + 1, "leave one of them empty"))
    piece: dict[str, Any] = {}
    spots: dict[str, Any] = {}
    top = Mark(row[0].line, 0, table)
    for cell, target in zip(row, targets, strict=False):
        if not target.path or not _filled(cell):
            continue
        mark = Mark(cell.line, cell.column, table)
        value = _value(cell, target, table)
        head, *rest = target.path
        if head == "effect" and rest:
            _effect(piece, spots, rest, value, mark)
            continue
        into, there = piece, spots
        for name in (head, *rest)[:-1]:
            into = into.setdefault(name, {})
            there = there.setdefault(name, (mark, (mark, {})))[1][1]
        into[target.path[-1]] = value
        there[target.path[-1]] = (mark, mark)
    if len(row) > len(targets):
        extra = row[len(targets)]
        what = "this row has more cells than there are titles"
        table.problems.append(table.place("DEF-067", what, extra.line + 1, extra.column + 1))
    return piece, (top, spots)


def _effect(piece: dict[str, Any], spots: dict[str, Any], path: list[str], value: Any, mark: Mark) -> None:
    """Add what an effect's column says: `effect.VERB` its value, `effect.VERB.ARGUMENT` one of its arguments."""
    effects: list[dict[str, Any]] = piece.setdefault("effect", [])
    places = spots.setdefault("effect", (mark, (mark, [])))[1][1]
    verb, *argument = path
    if not effects or verb not in effects[-1] or not argument:
        effects.append({verb: {} if argument else value})
        places.append((mark, {verb: (mark, (mark, {}))}))
    if argument and isinstance(effects[-1][verb], dict):
        effects[-1][verb][argument[0]] = value


def _value(cell: _Cell, target: _Target, table: Source) -> Any:
    """What a cell holds. Lists and mappings are written as in YAML: `[rice, silk]`, `{coin: 2}`."""
    if not isinstance(cell.text, str):
        return str(cell.text) if target.words else cell.text
    text = cell.text.strip()
    if target.words:
        return text
    if text[:1] in ("[", "{"):
        inner = parse_yaml(text)
        if inner.problems:
            what = f"'{target.title}': {inner.problems[0].what}"
            table.problems.append(table.place("DEF-067", what, cell.line + 1, cell.column + 1, inner.problems[0].hint))
            return None
        return inner.data
    return plain_value(text)


def _name_all(pieces: list[tuple[dict[str, Any], Any]]) -> None:
    """A piece without an id gets one made of its name, so that a table need not have ids."""
    taken = {piece["id"] for piece, _ in pieces if "id" in piece}
    last: dict[str, int] = {}
    for piece, _ in pieces:
        if "id" in piece or not isinstance(piece.get("name"), str):
            continue
        stem = re.sub(r"[^a-z0-9]+", "-", piece["name"].lower()).strip("-") or "piece"
        name = stem
        while name in taken:
            last[stem] = last.get(stem, 1) + 1
            name = f"{stem}-{last[stem]}"
        piece["id"] = name
        taken.add(name)


__all__ = ["ENDINGS", "add_rows"]
