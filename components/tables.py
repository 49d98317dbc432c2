"""Tables of cards: the rows of a CSV, TSV, XLSX or ODS file as pieces of a set, each cell with its place.

A piece set names its table with `rows: cards.csv`. The first row holds the titles of the columns; a title says where
its cells go (see `_targets`), or `columns` of the set does. A sheet works as spreadsheet programs export it: any of the
usual separators, a byte order mark, quoted cells of several lines, Windows-1252.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec.structs import replace

from components.cells import BOOKS, MAX_COLUMNS, MAX_ROWS, Cell, Faulty, Unworked, filled, lines_of
from components.errors import Problem
from components.phrasing import count, did_you_mean
from components.projects import TABLES
from components.yamlsource import Source, parse_yaml, plain_value

if TYPE_CHECKING:
    from collections.abc import Collection

TEXTS = frozenset(("id", "name", "rule", "flavour", "face", "back", "module", "seat"))
"""Fields of words: a number in such a cell stays text."""
OTHERS = frozenset(("copies", "effect"))
UNWORKED = "DEF-077"
_IGNORED = "-"
_GROUPED = re.compile(r"[+-]?\d{1,3}(\.\d{3})+")
_FORMULA = re.compile(r"=([-+(\d.]|\$?[A-Z]{1,3}\$?\d|[A-Za-z.]+\().*")
_COMMA = re.compile(r"[+-]?\d+,\d+")


class Mark:
    """The place of a cell, counted from 0 as YAML marks are, and its table."""

    __slots__ = ("column", "line", "table")

    def __init__(self, line: int, column: int, table: Source) -> None:
        self.line, self.column, self.table = line, column, table


class _Target(NamedTuple):
    """The target of a column's cells: `("fields", "tint")`, `("effect", "gain_light", "n")`; `()`: nowhere."""

    path: tuple[str, ...]
    title: str
    words: bool
    """True: a cell is text whatever it looks like."""


def add_rows(source: Source, folder: Path, shown: str, verbs: Collection[str]) -> None:
    """If the piece set in `source` names a table, add its rows to the pieces, with their places. `shown` is how
    messages call the folder. Faults are added to the problems of `source`."""
    data = source.readable
    if not isinstance(data, dict) or not isinstance(data.get("rows"), str):
        return
    name = data["rows"]
    if not re.fullmatch(r"[\w][\w .-]*", name) or not name.lower().endswith(TABLES):
        what = f"'{name}' is not the name of a table in this folder"
        hint = "name a .csv, .tsv, .xlsx or .ods file"
        if "://" in name:
            hint = "write the address as `link`, name the file in which it is kept as `rows`, and run `pnp fetch`"
        source.problems.append(source.problem("DEF-067", what, ("rows",), hint=hint))
        return
    path = folder / name
    if not path.is_file() or path.is_symlink():
        near = [file.name for file in folder.iterdir() if file.suffix.lower() in TABLES]
        hint = did_you_mean(name, near, listing="there are")
        if data.get("link"):
            hint = "`pnp fetch` gets it from the `link` of this set"
        source.problems.append(source.problem("DEF-067", f"there is no file '{name}'", ("rows",), hint=hint))
        return
    table = Source(f"{shown}/{name}")
    try:
        head, *rows = _cells(path, table, data, source)
        rows = _wanted(rows, head, data, source)
        targets = _targets(head, data, source, table, verbs)
        clashes = _clashes(targets)
        pieces = [_piece(row, targets, clashes, table) for row in rows if any(map(filled, row))]
    except Faulty as fault:
        source.problems.append(fault.problem)
        return
    except ValueError:
        source.problems.append(Problem(code="DEF-067", what="the table is empty", file=table.file))
        return
    if not pieces and not table.problems:
        what = "the table has titles, and no row below them"
        source.problems.append(Problem(code="DEF-067", what=what, file=table.file))
    unworked, others = [p for p in table.problems if p.code == UNWORKED], table.problems
    source.problems += [*_told_once(unworked), *(p for p in others if p.code != UNWORKED)]
    source.remarks += [*_name_all(pieces, table), *table.remarks]
    source.graft("pieces", pieces)


def _cells(path: Path, table: Source, data: Mapping[str, Any], source: Source) -> list[list[Cell]]:
    """The rows of a table from the first that is not empty. Faulty if it cannot be read."""
    sheet = str(data.get("sheet") or "")
    if path.suffix.lower() in BOOKS:
        from components.workbooks import NoSheet, rows_of

        try:
            rows: Iterable[list[Cell]] = [*rows_of(path, table, sheet)]
        except NoSheet as error:
            what = f"{path.name} has no sheet '{sheet}'"
            hint = did_you_mean(sheet, error.names, listing="there are")
            raise Faulty(source.problem("DEF-067", what, ("sheet",), hint=hint)) from None
    elif sheet:
        what = f"{path.name} is a single sheet, which has no name"
        raise Faulty(source.problem("DEF-067", what, ("sheet",), hint="leave `sheet` out"))
    else:
        rows = lines_of(path, table)
    found: list[list[Cell]] = []
    for row in rows:
        if len(found) > MAX_ROWS or len(row) > MAX_COLUMNS:
            what = f"the table has more than {MAX_ROWS:,} rows or {MAX_COLUMNS} columns"
            raise Faulty(Problem(code="DEF-067", what=what, file=table.file))
        if found or any(filled(cell) for cell in row):
            found.append(row)
    return found


def _only(data: Mapping[str, Any]) -> dict[str, list[str]]:
    """`only` of a set: title of a column -> the words, in lower case, of which its cell has to be one."""
    given = data.get("only")
    if not isinstance(given, dict):
        return {}
    return {
        str(title).strip(): [str(word).strip().lower() for word in (words if isinstance(words, list) else [words])]
        for title, words in given.items()
    }


def _wanted(rows: list[list[Cell]], head: list[Cell], data: Mapping[str, Any], source: Source) -> list[list[Cell]]:
    """The rows that belong to the set. Faulty for a column that there is not, and for a word that no row has."""
    titles = [str(cell.text if cell.text is not None else "").strip() for cell in head]
    for title, words in _only(data).items():
        places = [n for n, known in enumerate(titles) if known.lower() == title.lower()]
        if not places:
            hint = did_you_mean(title, titles, listing="columns")
            raise Faulty(source.problem("DEF-067", f"the table has no column '{title}'", ("only",), hint=hint))
        there = {n: str(row[places[0]].text).strip() for n, row in enumerate(rows) if len(row) > places[0]}
        rows = [row for n, row in enumerate(rows) if there.get(n, "").lower() in words]
        if not rows:
            what = f"no row of the table has '{words[0]}' under '{title}'"
            hint = did_you_mean(words[0], set(filter(None, there.values())), listing="there are")
            raise Faulty(source.problem("DEF-067", what, ("only",), hint=hint))
    return rows


def _told_once(problems: list[Problem]) -> list[Problem]:
    """A fault that several cells have is told of the first."""
    if len(problems) < 2:
        return problems
    more = f"{problems[0].what}, nor {count(len(problems) - 1, 'further formula')} of this table"
    return [replace(problems[0], what=more)]


# --- columns ---------------------------------------------------------------------------------------------------------


def _targets(
    head: list[Cell], data: Mapping[str, Any], source: Source, table: Source, verbs: Collection[str]
) -> list[_Target]:
    """The target of each column. A title is a key of a piece (`name`, `copies`), a verb of `effects.yaml`, a field of
    the set, or a path to one of them (`fields.tint`, `effect.steal.n`); capitals and blanks do not matter. The set's
    `columns` come first; `-` leaves a column out, and so does a title that begins with `#`."""
    given = data.get("columns")
    chosen = {title.lower() for title in _only(data)}
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
        if path is None and title.lower() in chosen:  # it only says whose row this is
            found.append(_Target((), title, False))
            continue
        if path is None:
            hint = _meant(wish, known) or "a column is a key of a piece, a field, a verb, or '-' in `columns`"
            if not any(_path(str(one.text or "").strip(), known, mapped=False) for one in head):
                hint = "the first row holds the titles of the columns: name, copies, …"
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


def _meant(wish: str, known: list[str]) -> str:
    """A hint with the nearest title, which people write without the kind of what it fills."""
    titles = {path.rpartition(".")[2]: path for path in reversed(known)}
    plain = re.sub(r"[\s-]+", "_", wish.strip().lower())
    return did_you_mean(plain, titles) or did_you_mean(wish, known)


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
    row: list[Cell], targets: list[_Target], clashes: list[tuple[int, int]], table: Source
) -> tuple[dict[str, Any], Any]:
    """A row as a piece, and the spots of what stands in it."""
    for i, j in clashes:
        if max(i, j) < len(row) and filled(row[i]) and filled(row[j]):
            what = f"this row fills both '{targets[i].title}' and '{targets[j].title}', which is a part of it"
            raise Faulty(table.place("DEF-067", what, row[j].line + 1, row[j].column + 1, "leave one of them empty"))
    piece: dict[str, Any] = {}
    spots: dict[str, Any] = {}
    top = Mark(row[0].line, 0, table)
    for cell, target in zip(row, targets, strict=False):
        if not target.path or not filled(cell):
            continue
        mark = Mark(cell.line, cell.column, table)
        value = _value(cell, target, table)
        if value is None:
            continue
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


def _value(cell: Cell, target: _Target, table: Source) -> Any:
    """The value of a cell; None after a fault. Lists and mappings are written as in YAML: `[rice, silk]`, `{coin: 2}`;
    a cell with a template is left for `Texts`, which knows its type."""
    if isinstance(cell.text, Unworked):
        what = f"the formula `={cell.text.formula}` under '{target.title}' has no result in this file"
        hint = "open the workbook in a spreadsheet program and save it, or write the value"
        table.problems.append(table.place(UNWORKED, what, cell.line + 1, cell.column + 1, hint))
        return None
    if not isinstance(cell.text, str):
        return str(cell.text) if target.words else cell.text
    text = cell.text.strip()
    if _FORMULA.fullmatch(text):
        what = f"'{text}' under '{target.title}' looks like a formula, and is read as a text"
        hint = "write what comes out of it"
        table.remarks.append(_warning(table.place(UNWORKED, what, cell.line + 1, cell.column + 1, hint)))
    if target.words:
        return text
    if text.startswith(("{{", "{%", "{#")):
        return text
    if text[:1] in ("[", "{"):
        inner = parse_yaml(text)
        if inner.problems:
            what = f"'{target.title}': {inner.problems[0].what}"
            table.problems.append(table.place("DEF-067", what, cell.line + 1, cell.column + 1, inner.problems[0].hint))
            return None
        return inner.data
    value = plain_value(text)
    grouped, comma = _GROUPED.fullmatch(text), _COMMA.fullmatch(text)
    if grouped or comma:
        said = f"is read as the number {value:g}" if grouped else "stays a text"
        whole = grouped or re.fullmatch(r"\d{1,3}(,\d{3})+", text)
        plain = re.sub("[.,]", "", text) if whole else text.replace(",", ".")
        hint = f"write {plain}, or give the field the type `text`"
        what = f"'{text}' under '{target.title}' {said}"
        table.remarks.append(_warning(table.place("DEF-078", what, cell.line + 1, cell.column + 1, hint)))
    return value


def _warning(problem: Problem) -> Problem:
    return replace(problem, severity="warning")


def _name_all(pieces: list[tuple[dict[str, Any], Any]], table: Source) -> Iterator[Problem]:
    """A piece without an id gets one made of its name, so that a table need not have ids. Yields a warning for each
    name that several rows without an id have."""
    first: dict[str, int] = {}
    taken = {piece["id"] for piece, _ in pieces if "id" in piece}
    last: dict[str, int] = {}
    for piece, (top, _) in pieces:
        if "id" in piece or not isinstance(piece.get("name"), str):
            continue
        stem = re.sub(r"[^a-z0-9]+", "-", piece["name"].lower()).strip("-") or "piece"
        name = stem
        while name in taken:
            last[stem] = last.get(stem, 1) + 1
            name = f"{stem}-{last[stem]}"
        piece["id"] = name
        taken.add(name)
        begun = first.setdefault(piece["name"], top.line + 1)
        if begun != top.line + 1:
            what = f"row {begun} is named '{piece['name']}', too, so this one becomes '{name}'"
            hint = "give each row an `id`, another name, or the one row more `copies`"
            yield _warning(table.place("DEF-079", what, top.line + 1, 1, hint))


__all__ = ["add_rows"]
