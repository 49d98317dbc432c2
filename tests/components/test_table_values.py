"""What a cell may hold and what it cannot mean: parameters, formulas, numbers written otherwise, rows of one name."""

from __future__ import annotations

import zipfile
from pathlib import Path

import openpyxl
import pytest

from components.checks import check_game
from components.errors import Problem
from components.model import ResolvedGame
from components.resolve import resolve_game
from generator.build.starter import make_starter

GAME = "lantern-walk"
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
  size?: anything
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """The starter game with two parameters more, for its cards to read."""
    folder = tmp_path / GAME
    make_starter(folder)
    game = cards(folder) / "game.yaml"
    more = "  deck.ones: {value: 4, about: Copies of the small ones., rules: [LW-WALK-2]}\n  walk.goal"
    game.write_text(game.read_text("utf-8").replace("  walk.goal", more), "utf-8")
    return folder


def cards(project: Path) -> Path:
    return project / "components" / GAME


def table(project: Path, text: str, more: str = "", rows: str = "cards.csv") -> None:
    (cards(project) / "lanterns.yaml").write_text(f"{SET}{more}rows: {rows}\n", "utf-8")
    if rows == "cards.csv":
        (cards(project) / rows).write_text(text, "utf-8")


def resolved(project: Path, **sets: int) -> ResolvedGame:
    return resolve_game(GAME, root=project, sets={name.replace("_", "."): value for name, value in sets.items()})


def found(project: Path) -> list[Problem]:
    return check_game(GAME, project)


def test_a_parameter_stands_in_any_cell(project: Path) -> None:
    """In copies, in a verb's column, in a field, in a typed text: a tweak changes the card."""
    table(
        project,
        "Name,Copies,Rule,Tint,gain_light,Motto,Size\n"
        "Glow-worm,{{ deck.ones }},LW-WALK-2,moss,{{ deck.ones }},{{ deck.ones }},{{ deck.ones + 1 }}\n",
    )
    assert found(project) == []
    for ones, game in ((4, resolved(project)), (6, resolved(project, deck_ones=6))):
        (piece,) = game.pieces
        assert (piece.copies, piece.text) == (ones, f"Take {ones} light.")
        assert (piece.fields["motto"], piece.fields["size"]) == (str(ones), ones + 1)


def test_a_misspelt_parameter_is_told_at_its_cell(project: Path) -> None:
    table(project, "Name,Rule,Tint,gain_light\nGlow-worm,LW-WALK-2,moss,{{ deck.onse }}\n")
    (fault,) = found(project)
    assert (fault.code, fault.file, fault.line) == ("DEF-020", f"components/{GAME}/cards.csv", 2)
    assert "deck.ones" in fault.hint


def test_what_a_set_says_sees_the_piece(project: Path) -> None:
    more = (
        "copies: \"{{ 1 if piece.fields.tint == 'gold' else 5 }}\"\nfields:\n"
        '  motto: "art/{{ piece.fields.tint }}/{{ piece.id }}.jpg"\n'
        '  size: "{{ own.gain_light.n }}"\n'
    )
    table(project, "Name,Rule,Tint,gain_light\nMoon,LW-WALK-2,gold,3\nWorm,LW-WALK-2,moss,1\n")
    file = cards(project) / "lanterns.yaml"
    file.write_text(f"{SET.replace('copies: 3', '')}{more}rows: cards.csv\n", "utf-8")
    assert found(project) == []
    said = [(p.copies, p.fields["motto"], p.fields["size"]) for p in resolved(project).pieces]
    assert said == [(1, "art/gold/moon.jpg", 3), (5, "art/moss/worm.jpg", 1)]


def test_a_field_of_the_piece_that_there_is_not(project: Path) -> None:
    table(project, "Name,Rule,Tint\nMoon,LW-WALK-2,gold\n", 'fields: {motto: "{{ piece.fields.tnit }}"}\n')
    (fault,) = found(project)
    assert fault.file.endswith("lanterns.yaml")
    assert "piece.fields.tint" in fault.hint


def workbook(project: Path, cell: str = "=1+1") -> Path:
    made = openpyxl.Workbook()
    made.active.append(["Name", "Rule", "Tint", "gain_light", "# own"])
    made.active.append(["Moon", "LW-WALK-2", "gold", cell, "=2+2"])
    made.active.append(["Worm", "LW-WALK-2", "moss", cell, "=2+2"])
    made.save(cards(project) / "cards.xlsx")
    table(project, "", rows="cards.xlsx")
    return cards(project) / "cards.xlsx"


def test_a_formula_that_nobody_worked_out_is_told_once(project: Path) -> None:
    workbook(project)
    (fault,) = found(project)
    assert (fault.code, fault.file, fault.line, fault.column) == ("DEF-077", f"components/{GAME}/cards.xlsx", 2, 4)
    assert "`=1+1` under 'gain_light'" in fault.what
    assert "1 further formula" in fault.what
    assert "save it" in fault.hint


@pytest.mark.parametrize(
    ("stored", "light"), [("<v>2</v>", 2), ("<v>0</v>", None)], ids=["worked out", "left to be worked out"]
)
def test_formulas_with_results(project: Path, stored: str, light: int | None) -> None:
    """What writes 0 and asks for everything to be worked out when it is opened has not worked out anything."""
    file = workbook(project)
    with zipfile.ZipFile(file) as packed:
        parts = {entry.filename: packed.read(entry).decode() for entry in packed.infolist()}
    assert 'fullCalcOnLoad="1"' in parts["xl/workbook.xml"]
    sheet = "xl/worksheets/sheet1.xml"
    parts[sheet] = parts[sheet].replace("<v></v>", stored).replace("<v />", stored).replace("<v/>", stored)
    with zipfile.ZipFile(file, "w") as packed:
        for name, content in parts.items():
            packed.writestr(name, content)
    assert [problem.code for problem in found(project)] == ([] if light else ["DEF-077"])
    if light:
        assert resolved(project).pieces[0].text == f"Take {light} light."


ODS = """<?xml version="1.0"?><office:document-content
 xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"
 xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0"
 xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0">
<office:body><office:spreadsheet><table:table table:name="Notes"/><table:table table:name="Cards">
<table:table-row table:number-rows-repeated="2"><table:table-cell table:number-columns-repeated="9"/></table:table-row>
<table:table-row>%s<table:table-cell table:number-columns-repeated="16000"/></table:table-row>
<table:table-row>%s</table:table-row>
<table:table-row>%s</table:table-row>
<table:table-row table:number-rows-repeated="1048000"><table:table-cell table:number-columns-repeated="16384"/>
</table:table-row></table:table></office:spreadsheet></office:body></office:document-content>"""


def document(project: Path, light: str = 'office:value-type="float" office:value="1"') -> None:
    def row(*cells: str) -> str:
        return "".join(
            f"<table:table-cell {cell}/>"
            if "=" in cell
            else f'<table:table-cell office:value-type="string"><office:annotation><text:p>note</text:p>'
            f"</office:annotation><text:p>{cell}</text:p></table:table-cell>"
            for cell in cells
        )

    text = ODS % (
        row("Name", "Copies", "Rule", "Tint", "gain_light", "Motto"),
        row("Paper<text:s/>Moon", 'office:value-type="float" office:value="2"', "LW-WALK-2", "gold", light, "a"),
        row("Worm", 'table:number-columns-repeated="1"', "LW-WALK-2", "moss", light, "<text:span>b</text:span>c"),
    )
    with zipfile.ZipFile(cards(project) / "cards.ods", "w") as packed:
        packed.writestr("content.xml", text)
    table(project, "", more="sheet: Cards\n", rows="cards.ods")


def test_a_document_of_libreoffice(project: Path) -> None:
    document(project)
    assert found(project) == []
    said = [(p.name, p.copies, p.text, p.fields["motto"]) for p in resolved(project).pieces]
    assert said == [("Paper Moon", 2, "Take 1 light.", "a"), ("Worm", 3, "Take 1 light.", "bc")]


def test_a_fault_in_a_document_is_told_at_its_row(project: Path) -> None:
    document(project, 'table:formula="of:=[.A1]+1"')
    (fault,) = found(project)
    assert (fault.code, fault.file, fault.line, fault.column) == ("DEF-077", f"components/{GAME}/cards.ods", 4, 5)


def test_rows_of_one_name_are_told(project: Path) -> None:
    table(project, "Name,Rule,Tint\nMoth,LW-WALK-2,gold\nMoon,LW-WALK-2,moss\nMoth,LW-WALK-2,slate\n")
    (warning,) = found(project)
    assert (warning.severity, warning.code, warning.line) == ("warning", "DEF-079", 4)
    assert "row 2" in warning.what
    assert "'moth-2'" in warning.what
    table(project, "id,Name,Rule,Tint\na,Moth,LW-WALK-2,gold\nb,Moth,LW-WALK-2,slate\n")
    assert found(project) == []


@pytest.mark.parametrize(
    ("cell", "said"), [("1.000", "is read as the number 1"), ('"1,5"', "stays a text"), ("1.5", ""), ("1000", "")]
)
def test_numbers_written_otherwise_are_told(project: Path, cell: str, said: str) -> None:
    table(project, f"Name,Rule,Tint,Size,Motto\nMoon,LW-WALK-2,gold,{cell},{cell}\n")
    warnings = [problem.what for problem in found(project)]
    assert len(warnings) == bool(said)  # of `Motto`, a text, nothing is said
    assert all(said in what and "'Size'" in what for what in warnings)


def test_several_sets_share_one_table(project: Path) -> None:
    text = "Deck,Name,Rule,Tint\nStorm,Gale,LW-WALK-2,gold\nCalm,Moon,LW-WALK-2,moss\nstorm,Gust,LW-WALK-2,slate\n"
    table(project, text, more="only: {Deck: storm}\n")
    other = (cards(project) / "lanterns.yaml").read_text("utf-8").replace("set: lantern", "set: calm")
    (cards(project) / "calm.yaml").write_text(other.replace("Deck: storm", "Deck: [calm, still]"), "utf-8")
    assert [problem.code for problem in found(project)] == []
    assert [f"{p.set}/{p.id}" for p in resolved(project).pieces] == ["calm/moon", "lantern/gale", "lantern/gust"]
    (cards(project) / "calm.yaml").write_text(other.replace("Deck: storm", "Deck: clam"), "utf-8")
    (fault,) = found(project)
    assert (fault.file, fault.hint) == (f"components/{GAME}/calm.yaml", "did you mean 'Calm'?")
    (cards(project) / "calm.yaml").write_text(other.replace("Deck: storm", "Dekc: calm"), "utf-8")
    assert "no column 'Dekc'" in found(project)[0].what


def test_a_number_said_twice_has_to_be_the_same(project: Path) -> None:
    rows = "\n".join(f"Moth {n},LW-WALK-2,gold,{n},{n + (n == 3)}" for n in range(1, 7))
    table(project, f"Name,Rule,Tint,gain_light,Size\n{rows}\n")
    (warning,) = found(project)
    assert (warning.severity, warning.code) == ("warning", "DEF-080")
    assert (warning.file, warning.line, warning.column) == (f"components/{GAME}/cards.csv", 4, 25)
    assert "'size' says 4, and 'gain_light' 3" in warning.what
    assert "own.gain_light.n" in warning.hint


def test_a_face_that_does_not_fit_is_told_at_the_row_of_the_table(project: Path, tmp_path: Path) -> None:
    from generator.build.check import check_game as check_all
    from generator.build.places import Places

    places = Places(project=project, records=tmp_path)
    table(project, f"id,Name,Rule,Tint\nmoon,Moon,LW-WALK-2,gold\nlong,{'Moth ' * 40},LW-WALK-2,gold\n")
    (fault, *_) = check_all(GAME, places)
    assert f"lantern/long is at components/{GAME}/cards.csv:3" in fault.hint
