"""Workbooks as tables of cards: the cells of one sheet of an XLSX or ODS file."""

from __future__ import annotations

import html
import re
import zipfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from components.cells import MAX_COLUMNS, MAX_ROWS, Cell, Faulty, Unworked, filled
from components.errors import Problem
from components.yamlsource import Source

MAX_BOOK = 8 * 1024 * 1024
MAX_UNPACKED = 8 * 1024 * 1024
"""Bytes of a workbook, and of its sheets and texts when they are unpacked."""
MAX_ELEMENTS = 300_000
"""Elements of XML in these: some 100,000 cells, which take seconds to read."""


class NoSheet(Exception):
    """A workbook has no sheet of the name asked for; `names` are those it has."""

    def __init__(self, names: Sequence[str]) -> None:
        super().__init__()
        self.names = names


def rows_of(path: Path, table: Source, sheet: str) -> Iterator[list[Cell]]:
    """The rows of a sheet, or of the first. Faulty if they cannot be read, NoSheet if there is no such sheet."""
    read = _open_document if path.suffix.lower() == ".ods" else _excel
    try:
        if path.stat().st_size > MAX_BOOK:
            raise Faulty(Problem(code="DEF-004", what="the workbook is larger than 8 MiB", file=table.file))
        _check_unpacked(path, table)
        found = read(path, lambda names: _chosen(sheet, names))
    except (Faulty, NoSheet):
        raise
    except Exception as error:  # whatever a library meets in a damaged file
        what = f"the workbook cannot be read: {error or type(error).__name__}"
        hint = "open it in a spreadsheet program and save it again, as .xlsx or .csv"
        raise Faulty(Problem(code="DEF-067", what=what, file=table.file, hint=hint)) from None
    yield from (_trimmed(row) for row in found)


def _chosen(sheet: str, names: Sequence[str]) -> str:
    """The sheet asked for, or the first. NoSheet if there is none of that name."""
    if sheet and sheet not in names:
        raise NoSheet(names)
    return sheet or names[0]


def _check_unpacked(path: Path, table: Source) -> None:
    """Faulty for a workbook that would take long to read, whatever its size on disk."""
    with zipfile.ZipFile(path) as packed:
        parts = [entry for entry in packed.infolist() if not entry.filename.startswith(("xl/media/", "Pictures/"))]
        size = sum(entry.file_size for entry in parts)
        if size <= MAX_UNPACKED and sum(packed.read(entry).count(b"<") for entry in parts) <= 2 * MAX_ELEMENTS:
            return
    what = "the workbook has too many cells"
    raise Faulty(Problem(code="DEF-004", what=what, file=table.file, hint="save the sheet of the cards as CSV"))


def _excel(path: Path, choose: Callable[[Sequence[str]], str]) -> list[list[Cell]]:
    import openpyxl

    book = openpyxl.load_workbook(path, read_only=True, data_only=True)
    page = book[choose(book.sheetnames)]
    rows = page.iter_rows(values_only=True, max_row=MAX_ROWS + 2, max_col=MAX_COLUMNS + 1)
    found = [[Cell(_valued(cell), i, j) for j, cell in enumerate(_filled_up(row))] for i, row in enumerate(rows)]
    part = str(page._worksheet_path)
    book.close()
    for line, column, formula in _unworked(path, part):
        if line < len(found):
            row = found[line]
            row += [Cell(None, line, j) for j in range(len(row), column + 1)]
            row[column] = Cell(Unworked(formula), line, column)
    return found


_FORMULA = re.compile(
    r"<(?:\w+:)?c\b([^>]*)>\s*<(?:\w+:)?f\b[^>]*?(?:/>|>([^<]*)</(?:\w+:)?f>)\s*"
    r"(?:<(?:\w+:)?v\s*/>|<(?:\w+:)?v>(0?)</(?:\w+:)?v>)?\s*</"
)
_AT = re.compile(r'\br="([A-Z]{1,3})(\d{1,7})"')


def _unworked(path: Path, part: str) -> Iterator[tuple[int, int, str]]:
    """Row, column and text of the formulas of a sheet whose results nobody has worked out: programs that write
    workbooks without being a spreadsheet leave them out, or write 0 and ask for all to be worked out later."""
    with zipfile.ZipFile(path) as packed:
        text = packed.read(part.lstrip("/")).decode("utf-8", "replace")
        if "<f" not in text and ":f" not in text:
            return
        later = b'fullCalcOnLoad="1"' in packed.read("xl/workbook.xml")
    for found in _FORMULA.finditer(text):
        at = _AT.search(found[1])
        if at is None or 't="str"' in found[1] or (found[3] and not later):
            continue  # an empty text, or truly 0
        column = 0
        for letter in at[1]:
            column = column * 26 + ord(letter) - 64
        yield int(at[2]) - 1, column - 1, html.unescape(found[2] or "")


_TABLE, _OFFICE, _TEXT = (
    f"{{urn:oasis:names:tc:opendocument:xmlns:{name}:1.0}}" for name in ("table", "office", "text")
)


def _open_document(path: Path, choose: Callable[[Sequence[str]], str]) -> list[list[Cell]]:
    """The rows of a sheet of LibreOffice that hold something. Repeated rows and cells are written out, as far as a
    table may be long and wide."""
    with zipfile.ZipFile(path) as packed:
        raw = packed.read("content.xml")
    if b"<!DOCTYPE" in raw or b"<!ENTITY" in raw:
        raise ValueError("it has a document type")
    pages = {page.get(f"{_TABLE}name", ""): page for page in ElementTree.fromstring(raw).iter(f"{_TABLE}table")}
    found: list[list[Cell]] = []
    line = 0
    for row in pages[choose(list(pages))].iter(f"{_TABLE}table-row"):
        values: list[Any] = []
        for cell in row:
            if cell.tag in (f"{_TABLE}table-cell", f"{_TABLE}covered-table-cell"):
                again = int(cell.get(f"{_TABLE}number-columns-repeated", "1"))
                values += [_valued(_said_in(cell))] * min(again, MAX_COLUMNS + 1 - len(values))
        again = int(row.get(f"{_TABLE}number-rows-repeated", "1"))
        if any(value not in (None, "") for value in values):
            last = max(j for j, value in enumerate(values) if value not in (None, ""))
            for here in range(line, line + min(again, MAX_ROWS + 2 - len(found))):
                found.append([Cell(value, here, j) for j, value in enumerate(values[: last + 1])])
        line += again
    return found


def _said_in(cell: ElementTree.Element) -> Any:
    """The value of a LibreOffice cell."""
    kind = cell.get(f"{_OFFICE}value-type", "")
    if kind in ("float", "percentage", "currency"):
        return float(cell.get(f"{_OFFICE}value", "nan"))
    if kind == "boolean":
        return cell.get(f"{_OFFICE}boolean-value") == "true"
    if kind == "date":
        return cell.get(f"{_OFFICE}date-value", "")
    if not kind and (formula := cell.get(f"{_TABLE}formula")) is not None:
        return Unworked(formula.removeprefix("of:="))
    return "\n".join(_words(part) for part in cell.findall(f"{_TEXT}p")) or None


def _words(part: ElementTree.Element) -> str:
    """The text of a paragraph, in which spaces and breaks are elements."""
    said = [part.text or ""]
    for inner in part:
        if inner.tag == f"{_TEXT}s":
            said.append(" " * min(int(inner.get(f"{_TEXT}c", "1")), 100))
        elif inner.tag in (f"{_TEXT}line-break", f"{_TEXT}tab"):
            said.append("\n" if inner.tag.endswith("break") else "\t")
        else:
            said.append(_words(inner))
        said.append(inner.tail or "")
    return "".join(said)


def _valued(cell: Any) -> Any:
    if isinstance(cell, float) and cell.is_integer():
        return int(cell)
    return cell if cell is None or isinstance(cell, bool | int | float | str | Unworked) else str(cell)


def _filled_up(row: tuple[Any, ...]) -> tuple[Any, ...]:
    """The cells up to the last that holds something: the library makes all rows equally long."""
    last = len(row)
    while last and row[last - 1] is None:
        last -= 1
    return row[:last]


def _trimmed(row: list[Cell]) -> list[Cell]:
    while row and not filled(row[-1]):
        row.pop()
    return row


__all__ = ["MAX_BOOK", "rows_of"]
