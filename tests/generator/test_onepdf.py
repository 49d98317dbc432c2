"""`--one-pdf`: everything in one file in print order, behind a sheet that says what to do with it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pikepdf
import pypdfium2
import pytest
from facekit import places

from generator.build.incremental import build
from generator.build.onepdf import fronts
from generator.build.options import ONE_PDF, Options
from generator.build.reports import Report
from generator.cli import main as cli

GAME = "lantern-walk"
DISCS = """\
set: light
title: Light
kind: token
format: token20
face: disc
copies: 30
pieces:
  - {id: one, name: One light}
"""
STANDEE = """\
set: walker
title: Walker
kind: token
format: standee-25x50
face: disc
copies: 2
pieces:
  - {id: one, name: One walker}
"""
DISC = """\
about: A disc.
items:
  - circle: {at: [10, 10], r: 11.5, fill: gold}
"""


@pytest.fixture
def varied(project: Path) -> Path:
    """The project with discs and standees besides its cards: three documents, only one of them with backs."""
    (project / f"components/{GAME}/light.yaml").write_text(DISCS)
    (project / f"components/{GAME}/walker.yaml").write_text(STANDEE)
    (project / f"layouts/{GAME}/faces/disc.yaml").write_text(DISC)
    return project


def run(project: Path, **changes: Any) -> Report:
    options = Options(**({"out": project / "output", "formats": (ONE_PDF,)} | changes))
    return build(GAME, options, places(project), lambda *_: None)


def file_of(report: Report) -> Path:
    (made,) = report.files
    return Path(report.folder) / made.name


def words(file: Path, page: int) -> str:
    with pypdfium2.PdfDocument(file) as document:
        return " ".join(document[page].get_textpage().get_text_range().split())


def test_one_file_has_every_sheet_and_fronts_stay_fronts(varied: Path) -> None:
    report = run(varied)
    file = file_of(report)
    assert (file.name, report.pieces, report.leaves, report.pages) == ("everything-a4-long.pdf", 42, 5, 10)
    with pikepdf.open(file) as pdf:
        assert str(pdf.docinfo.Title) == "Lantern Walk: everything, A4, long edge"
        assert [page.label for page in pdf.pages] == [f"{n} {side}" for n in range(1, 6) for side in ("front", "back")]
        with pdf.open_outline() as outline:
            titles = [entry.title for entry in outline.root]
    assert titles == [
        "Sheet 1: Lantern Walk · assembly sheet",
        "Sheet 2: Lantern",
        "Sheet 3: Lantern",
        "Sheet 4: Light",
        "Sheet 5: Walker",
    ]
    assert [bool(words(file, page)) for page in (1, 7)] == [False] * 2


def test_the_assembly_sheet_counts_what_is_in_the_file(varied: Path) -> None:
    said = words(file_of(run(varied)), 0)
    assert "42 pieces on 4 sheets of A4" in said
    assert "cards 3–6 2 both card of 250 to 300 g/m²" in said
    assert "tokens 7, 8 1 one" in said
    assert "flip on the long edge" in said
    assert "Poker cards, 63 x 88 mm: 10 3–6 from crop mark to crop mark" in said
    assert said.index("Poker cards") < said.index("20 mm discs: 30 7 squares first") < said.index("Standees 25 x 50: 2")
    folding = said[said.index("Fold and glue") :]
    assert "front and back against each other" in folding
    assert "63 x 88 mm: 10 63.5 x 88 mm (standard card game) Lantern 10" in folding
    assert "10 Lantern p. 3–6" in folding
    assert "30 Light p. 7" in folding


def test_without_backs_no_page_is_white(varied: Path) -> None:
    report = run(varied, backs="none", only=("light",))
    assert (report.leaves, report.pages) == (2, 2)
    said = words(file_of(report), 0)
    assert "30 pieces on 1 sheet of A4" in said
    assert "no backs" in said
    assert "Lantern p." not in said
    assert "Fold" not in said


def test_the_assembly_sheet_says_what_edition_it_is_for(varied: Path) -> None:
    said = words(file_of(run(varied, ink="low", sets={"walk.goal": 9})), 0)
    assert "walk.goal = 9, low ink" in said


def test_the_assembly_sheet_says_what_each_module_takes(varied: Path) -> None:
    game = varied / f"components/{GAME}/game.yaml"
    game.write_text(game.read_text().replace("sections:", "modules: [base, night_walk]\nsections:"))
    walker = varied / f"components/{GAME}/walker.yaml"
    walker.write_text(STANDEE.replace("copies: 2", "copies: 90\nmodule: night_walk"))
    report = run(varied)
    said = words(file_of(report), 0)
    alone = run(varied, modules=("base",))
    more = report.leaves - alone.leaves
    assert (report.modules, alone.modules) == ({"night_walk": more}, {})
    assert more > 1
    assert f"Sheets that each module adds to the base game: Night walk {more}." in said
    assert "For 2 to 4 players, the base game:" in words(file_of(alone), 0)


def test_a_small_paper_takes_several_pages_of_it(varied: Path) -> None:
    report = run(varied, paper="a5", backs="none")
    file = file_of(report)
    said = " ".join(words(file, page) for page in range(2))
    with pypdfium2.PdfDocument(file) as document:
        assert len(document) == report.pages
    assert "Count" in said


def test_building_again_writes_nothing_and_leaves_other_files_alone(varied: Path) -> None:
    run(varied, formats=("pdf",))
    first = run(varied)
    content = file_of(first).read_bytes()
    again = run(varied)
    assert [file.state for file in again.files] == ["unchanged"]
    file_of(again).unlink()
    assert [file.state for file in run(varied).files] == ["written"]
    assert file_of(again).read_bytes() == content
    names = {file.name for file in (varied / "output" / GAME).glob("*.pdf")}
    assert {"cards-a4-long.pdf", "tokens-a4-long.pdf", "everything-a4-long.pdf"} <= names


def test_the_option_needs_a_pdf_to_make(varied: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["--project", str(varied), "build", GAME, "--one-pdf", "--format", "svg"]) == 2
    assert "add pdf to --format" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("pages", "said"),
    [
        ([5, 7, 9, 11], "5–11, every second"),
        ([5, 7, 9], "5, 7, 9"),
        ([5, 6, 7, 8], "5–8"),
        ([3, 5, 7, 9, 12], "3, 5, 7, 9, 12"),
    ],
)
def test_fronts_with_white_backs_are_named_at_once(pages: list[int], said: str) -> None:
    assert fronts(pages) == said
