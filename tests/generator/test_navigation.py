"""Titles, language, outline, page labels and links of the PDFs, read by pikepdf."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pikepdf
import pypdfium2
import pytest
from facekit import places

from generator.build.incremental import build
from generator.build.options import Options
from generator.cli import main as cli

GAME = "lantern-walk"


def outline(pdf: pikepdf.Pdf) -> list[tuple[str, int]]:
    """Title and page number of each entry, those below others after them."""

    def entries(items: Any) -> Iterator[tuple[str, int]]:
        for entry in items:
            yield entry.title, number_of(pdf, entry.destination)
            yield from entries(entry.children)

    with pdf.open_outline() as tree:
        return list(entries(tree.root))


def number_of(pdf: pikepdf.Pdf, destination: Any) -> int:
    return pdf.pages.index(pikepdf.Page(destination[0])) + 1


def labels(pdf: pikepdf.Pdf) -> list[str]:
    return [page.label for page in pdf.pages]


@pytest.fixture(scope="module")
def books(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The rulebook of Dynasties in both forms."""
    folder = tmp_path_factory.mktemp("books")
    assert cli.main(["rulebook", "dynasties", "--out", str(folder)]) == 0
    return folder / "dynasties"


def test_sheets_have_a_title_an_outline_of_their_decks_and_labels(project: Path) -> None:
    options = Options(out=project / "output", paper="letter", backs="short", ink="low", only=("card",))
    report = build(GAME, options, places(project), lambda *_: None)
    with pikepdf.open(Path(report.folder) / report.files[0].name) as pdf:
        assert str(pdf.docinfo.Title) == "Lantern Walk: cards, Letter, short edge, low ink, card"
        assert pdf.Root.ViewerPreferences.DisplayDocTitle
        assert pdf.Root.Lang == "en"
        assert outline(pdf) == [("Sheet 1: Lantern", 1), ("Sheet 2: Lantern", 3)]
        assert labels(pdf) == ["1 front", "1 back", "2 front", "2 back"]
        assert not pdf.check_pdf_syntax()


def test_calibration_and_proofs_have_titles_too(project: Path, tmp_path: Path) -> None:
    here, out, proof = ["--project", str(project)], tmp_path / "out", tmp_path / "moon.pdf"
    assert cli.main([*here, "calibrate", "--backs", "short", "--out", str(out)]) == 0
    assert cli.main([*here, "proof", GAME, "paper-moon", "--format", "pdf", "--out", str(proof)]) == 0
    calibration = out / "calibration-a4-short.pdf"
    with pikepdf.open(calibration) as pdf:
        assert (str(pdf.docinfo.Title), labels(pdf)) == ("Calibration page, A4, short edge", ["front", "back"])
    with pikepdf.open(proof) as pdf:
        assert (str(pdf.docinfo.Title), pdf.Root.Lang) == ("Lantern Walk: Paper Moon, front", "en")


def test_contents_and_outline_of_a_rulebook_lead_to_the_sections(books: Path) -> None:
    file = books / "rulebook-a4-pages.pdf"
    with pikepdf.open(file) as pdf, pypdfium2.PdfDocument(file) as text:
        assert str(pdf.docinfo.Title) == "Dynasties: rules, single pages, half of A4"
        assert labels(pdf) == [str(n) for n in range(1, len(pdf.pages) + 1)]
        entries = dict(outline(pdf))
        assert list(entries)[:3] == ["Learn to play", "What it is about", "What you see"]
        with pdf.open_outline() as tree:
            assert [entry.title for entry in tree.root] == ["Learn to play", "The rules"]
        for title, page in entries.items():
            assert title in text[page - 1].get_textpage().get_text_range()
        said = [(words, number_of(pdf, dest)) for words, dest in links(pdf, text, 1)]
        chapters = {title: page for title, page in entries.items() if title not in ("Learn to play", "The rules")}
        assert said == [(f"{title} {page}", page) for title, page in chapters.items()]
        assert not pdf.check_pdf_syntax()


def links(pdf: pikepdf.Pdf, text: pypdfium2.PdfDocument, page: int) -> list[tuple[str, Any]]:
    """The words under each link of a page, and where it leads."""
    found, words_of_page = [], text[page].get_textpage()
    for link in pdf.pages[page].get("/Annots", []):
        words = words_of_page.get_text_bounded(*[float(v) for v in link.Rect])
        found.append((" ".join(words.split()), link.Dest))
    return found


@pytest.mark.parametrize("form", ["pages", "booklet"])
def test_ids_of_rules_and_numbers_of_the_index_lead_where_they_say(books: Path, form: str) -> None:
    """What stands at the end of a link to a rule is its id; of one from the index, the page of that number."""
    file = books / f"rulebook-a4-{form}.pdf"
    with pikepdf.open(file) as pdf, pypdfium2.PdfDocument(file) as text:
        half = float(pdf.pages[0].mediabox[2]) / 2
        texts = [page.get_textpage() for page in text]
        names = [page.label.split(", ") for page in pdf.pages]
        places = {page.obj.objgen: number for number, page in enumerate(pdf.pages)}
        ids = numbers = 0
        for page in range(len(pdf.pages)):
            for words, dest in links(pdf, text, page):
                number = places[dest[0].objgen]
                left, top = float(dest[2]), float(dest[3])
                if words.startswith("DY-"):
                    reached = texts[number].get_text_bounded(left, top - 60, left + 420, top)
                    assert words.split()[0] in reached
                    ids += 1
                elif words.isdigit():
                    assert names[number][-1 if form == "booklet" and left >= half - 1 else 0] == words
                    numbers += 1
        assert ids > 100
        assert numbers > 100
