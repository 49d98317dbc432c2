"""Tables of cards: what spreadsheet programs export becomes pieces, and a fault in a cell is told at the cell."""

from __future__ import annotations

import random
import zipfile
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

import openpyxl
import pytest

from components.checks import check_game
from components.errors import DefinitionError, Problem
from components.loader import load
from components.model import ResolvedGame
from components.resolve import resolve_game
from generator.build.starter import make_starter

Within = Callable[..., AbstractContextManager[None]]
SET = """set: lantern
title: Lantern
kind: card
format: poker
face: card
back: card-back
copies: 3
field_types:
  tint: one of gold, moss, slate
  motto?: text
rows: {rows}
"""
CSV = """Name,Copies,Rule,Tint,Effect.gain_light.n,pass_light,Flavour
Paper Moon,,LW-WALK-2,gold,3,,It hangs where the lane bends.
Glow-worm,4,LW-WALK-2,moss,1,,"Small, and
never late."
Gust of Wind,,LW-WALK-2,slate,,2,
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """The starter game, its cards in a table."""
    folder = tmp_path / "lantern-walk"
    make_starter(folder)
    (cards(folder) / "lanterns.yaml").write_text(SET.format(rows="cards.csv"), "utf-8")
    (cards(folder) / "cards.csv").write_text(CSV, "utf-8")
    return folder


def cards(project: Path) -> Path:
    return project / "components" / "lantern-walk"


def resolved(project: Path) -> ResolvedGame:
    return resolve_game("lantern-walk", root=project)


def faults(project: Path) -> list[Problem]:
    return [problem for problem in check_game("lantern-walk", project) if problem.severity == "error"]


def write(project: Path, text: str | bytes, name: str = "cards.csv") -> None:
    (cards(project) / "lanterns.yaml").write_text(SET.format(rows=name), "utf-8")
    (cards(project) / name).write_bytes(text.encode() if isinstance(text, str) else text)


def plain(game: ResolvedGame) -> list[tuple[str, str, int, str, str]]:
    return [(piece.id, piece.name, piece.copies, piece.text, piece.fields["tint"]) for piece in game.pieces]


EXPECTED = [
    ("paper-moon", "Paper Moon", 3, "Take 3 light.", "gold"),
    ("glow-worm", "Glow-worm", 4, "Take 1 light.", "moss"),
    ("gust-of-wind", "Gust of Wind", 3, "Give 2 light to your left neighbour.", "slate"),
]


def test_a_table_says_what_the_yaml_said(project: Path) -> None:
    game = resolved(project)
    assert plain(game) == EXPECTED
    assert game.pieces[1].flavour == "Small, and\nnever late."
    assert faults(project) == []


@pytest.mark.parametrize(
    "text",
    [
        CSV.encode("utf-8-sig"),
        CSV.replace(",", ";").replace("Small;", "Small,").replace("\n", "\r\n").encode(),
        b"sep=;\r\n" + CSV.replace(",", ";").replace("Small;", "Small,").encode("cp1252"),
        CSV.replace(",", "\t").replace("Small\t", "Small,").encode("utf-16"),
        ("\n\n" + CSV + ",,,,,,\n\n").encode(),
    ],
    ids=["BOM", "semicolons", "named separator", "UTF-16 with tabs", "empty rows"],
)
def test_a_sheet_works_as_it_is_exported(project: Path, text: bytes) -> None:
    write(project, text)
    assert plain(resolved(project)) == EXPECTED


def test_letters_of_windows(project: Path) -> None:
    write(project, CSV.replace("Glow-worm", "Glühwürmchen").encode("cp1252"))
    assert resolved(project).pieces[1].name == "Glühwürmchen"


def test_a_file_of_tabs(project: Path) -> None:
    write(project, CSV.replace(",", "\t").replace("Small\t", "Small,"), "cards.tsv")
    assert plain(resolved(project)) == EXPECTED


def book(project: Path, *, sheet: str = "Cards") -> None:
    made = openpyxl.Workbook()
    made.active.title = "Notes"
    made.active.append(["nothing here"])
    page = made.create_sheet(sheet)
    page.append(["Name", "Copies", "Rule", "Tint", "gain_light", "pass_light", "# thoughts"])
    page.append(["Paper Moon", None, "LW-WALK-2", "gold", 3.0, None, "nice"])
    page.append(["Glow-worm", 4, "LW-WALK-2", "moss", 1])
    page.append(["Gust of Wind", None, "LW-WALK-2", "slate", None, 2, 99])
    made.save(cards(project) / "cards.xlsx")
    (cards(project) / "lanterns.yaml").write_text(SET.format(rows="cards.xlsx") + f"sheet: {sheet}\n", "utf-8")


def test_a_workbook(project: Path) -> None:
    book(project)
    assert plain(resolved(project)) == EXPECTED


def faulty_book(project: Path) -> Problem:
    """The one fault of a workbook that is not read."""
    (cards(project) / "lanterns.yaml").write_text(SET.format(rows="cards.xlsx"), "utf-8")
    (fault,) = [fault for fault in faults(project) if fault.code in ("DEF-004", "DEF-067")]
    assert fault.file == "components/lantern-walk/cards.xlsx"
    return fault


def test_a_workbook_is_not_read_that_is_large_on_disk(project: Path, within: Within) -> None:
    book(project)
    with zipfile.ZipFile(cards(project) / "cards.xlsx", "a") as packed:
        packed.writestr("xl/media/photo.png", random.Random(1).randbytes(9 * 2**20))
    with within(10):
        assert faulty_book(project).what == "the workbook is larger than 8 MiB"


@pytest.mark.parametrize("inside", ["<row>" + "<c/>" * 700_000 + "</row>", "<row/>" * 900_000, " " * 9 * 2**20])
def test_a_workbook_is_not_read_that_takes_long(project: Path, within: Within, inside: str) -> None:
    book(project)
    file = cards(project) / "cards.xlsx"
    with zipfile.ZipFile(file) as packed:
        parts = {entry.filename: packed.read(entry) for entry in packed.infolist()}
    sheet = "xl/worksheets/sheet1.xml"
    parts[sheet] = parts[sheet].replace(b"<sheetData>", b"<sheetData>" + inside.encode(), 1)
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, content in parts.items():
            packed.writestr(name, content)
    assert file.stat().st_size < 2**20
    with within(10):
        assert faulty_book(project).what == "the workbook has too many cells"


def test_a_workbook_may_hold_pictures(project: Path) -> None:
    book(project)
    with zipfile.ZipFile(cards(project) / "cards.xlsx", "a", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("xl/media/photo.bmp", bytes(20 * 2**20))
    assert plain(resolved(project)) == EXPECTED


def test_a_sheet_that_is_not_there(project: Path) -> None:
    book(project)
    file = cards(project) / "lanterns.yaml"
    file.write_text(file.read_text("utf-8").replace("sheet: Cards", "sheet: Crads"), "utf-8")
    (fault,) = [fault for fault in faults(project) if fault.code == "DEF-067"]
    assert "Cards" in fault.hint


def test_columns_of_other_names(project: Path) -> None:
    text = CSV.replace("Name,Copies", "Karte,Anzahl").replace("Tint", "Farbe").replace("Flavour", "Notiz")
    write(project, text)
    with (cards(project) / "lanterns.yaml").open("a") as stream:
        stream.write("columns: {Karte: name, Anzahl: copies, Farbe: fields.tint, Notiz: '-'}\n")
    assert plain(resolved(project)) == EXPECTED


def test_pieces_of_both_kinds(project: Path) -> None:
    with (cards(project) / "lanterns.yaml").open("a") as stream:
        stream.write("pieces:\n  - {id: spark, name: Spark, rule: LW-WALK-2, fields: {tint: gold}}\n")
    assert [piece.id for piece in resolved(project).pieces][:2] == ["spark", "paper-moon"]


def test_rows_of_one_name_have_ids_of_their_own(project: Path) -> None:
    write(project, CSV.replace("Glow-worm", "Paper Moon"))
    assert [piece.id for piece in resolved(project).pieces] == ["paper-moon", "paper-moon-2", "gust-of-wind"]


def test_a_cell_holds_yaml_where_a_value_is_a_list(project: Path) -> None:
    write(project, 'Name,Rule,Tint,Effect\nBoth,LW-WALK-2,gold,"[{gain_light: 2}, {pass_light: 1}]"\n')
    assert resolved(project).pieces[0].text == "Take 2 light. Give 1 light to your left neighbour."


@pytest.mark.parametrize(
    ("old", "new", "line", "column", "said"),
    [
        ("moss", "mos", 3, 23, "moss"),
        ("gold,3", "gold,three", 2, 28, "three"),
        ("Tint", "Tnit", 1, 18, "Tnit"),
        ("LW-WALK-2,gold", "LW-WALK-9,gold", 2, 13, "LW-WALK-9"),
        ("moss,1,,", "moss,1,,,,,", 3, 0, "more cells"),
    ],
)
def test_a_fault_is_told_at_its_cell(project: Path, old: str, new: str, line: int, column: int, said: str) -> None:
    write(project, CSV.replace(old, new))
    found = faults(project)
    assert found, "nothing was found"
    assert found[0].file == "components/lantern-walk/cards.csv"
    assert found[0].line == line
    assert not column or found[0].column == column
    assert said in f"{found[0].what} {found[0].hint}"


@pytest.mark.parametrize(
    ("head", "row", "title"),
    [
        ("Effect,gain_light", "{gain_light: 2},1", "gain_light"),
        ("gain_light,Effect", "1,{gain_light: 2}", "gain_light"),
        ("gain_light,Effect.gain_light.n", "1,2", "Effect.gain_light.n"),
        ("a,b", "7,8", "b"),
        ("b,a", "8,7", "b"),
    ],
)
def test_a_row_gives_the_whole_of_something_or_a_part(project: Path, head: str, row: str, title: str) -> None:
    """Each on its own is right."""
    columns = "columns: {a: fields.motto, b: fields.motto.of}\n" if "a" in head.split(",") else ""
    text = SET.format(rows="cards.csv").replace("  motto?: text\n", "  motto?: anything\n") + columns
    write(project, f"Name,Rule,Tint,{head}\nMoth,LW-WALK-2,gold,{row}\n")
    (cards(project) / "lanterns.yaml").write_text(text, "utf-8")
    (fault,) = [fault for fault in faults(project) if fault.code == "DEF-067"]
    assert (fault.file, fault.line) == ("components/lantern-walk/cards.csv", 2)
    assert f"'{title}', which is a part of it" in fault.what
    first, second = row.split(",")
    for cells in (f"{first},", f",{second}"):
        write(project, f"Name,Rule,Tint,{head}\nMoth,LW-WALK-2,gold,{cells}\n")
        (cards(project) / "lanterns.yaml").write_text(text, "utf-8")
        assert faults(project) == []


def test_thousands_of_rows_of_one_name_take_no_longer_than_others(project: Path, within: Within) -> None:
    write(project, "Name,Rule,Tint\n" + "Moth,LW-WALK-2,gold\n" * 10_000)
    with within(10):
        definition = load("lantern-walk", project)
    ids = [piece.id for piece in definition.sets["lanterns.yaml"].pieces]
    assert (ids[:3], ids[-1], len(set(ids))) == (["moth", "moth-2", "moth-3"], "moth-10000", 10_000)


@pytest.mark.parametrize("name", ["../cards.csv", "{folder}/cards.csv", "more/cards.csv", "cards.txt", "crads.csv", ""])
def test_only_tables_in_the_folder_are_read(project: Path, name: str) -> None:
    """Even if there is such a file."""
    name = name.format(folder=project)
    for folder in (cards(project), cards(project) / "more", cards(project).parent, project):
        folder.mkdir(exist_ok=True)
        for file in ("cards.csv", "cards.txt"):
            (folder / file).write_text(CSV, "utf-8")
    (cards(project) / "lanterns.yaml").write_text(SET.format(rows=f"'{name}'"), "utf-8")
    (fault,) = [fault for fault in faults(project) if fault.code == "DEF-067"]
    assert fault.file.endswith("lanterns.yaml")


def test_a_link_is_not_followed(project: Path) -> None:
    outside = project.parent / "outside.csv"
    (cards(project) / "cards.csv").rename(outside)
    (cards(project) / "cards.csv").symlink_to(outside)
    assert [fault.code for fault in faults(project)] == ["DEF-067"]


@pytest.mark.parametrize("content", [b"", b"\x00\x01\x02", b"\n\n", b'"', b"PK\x03\x04"])
@pytest.mark.parametrize("name", ["cards.csv", "cards.xlsx"])
def test_a_damaged_table_is_a_fault_of_the_material(project: Path, content: bytes, name: str) -> None:
    write(project, content, name)
    with pytest.raises(DefinitionError) as error:
        resolved(project)
    assert error.value.problems[0].file.endswith((name, "lanterns.yaml"))


def test_a_changed_table_is_resolved_anew(project: Path, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    assert resolve_game("lantern-walk", root=project, cache_dir=cache).pieces[0].copies == 3
    write(project, CSV.replace("Moon,,", "Moon,5,"))
    assert resolve_game("lantern-walk", root=project, cache_dir=cache).pieces[0].copies == 5


def test_a_set_has_pieces_or_a_table(project: Path) -> None:
    (cards(project) / "lanterns.yaml").write_text(SET.format(rows="x").replace("rows: x\n", ""), "utf-8")
    (fault,) = [fault for fault in faults(project) if fault.code == "DEF-011"]
    assert "rows" in fault.hint
