"""The rulebook as a reader holds it: every rule with its id, contents and index that lead there, a booklet that folds
into the right order."""

from __future__ import annotations

import io
import shutil
from pathlib import Path

import msgspec
import pikepdf
import pypdfium2
import pytest
import yaml
from facekit import layouts_in, places, shipped_book

from components.model import ResolvedGame
from components.resolve import resolve_game
from generator.backends.pdf import write_pdf
from generator.book import flow
from generator.book.booklet import booklet, order, reading
from generator.book.flow import Block
from generator.book.rulebook import Book, make_book
from generator.build.project import read_book_look
from generator.cli import main as cli
from generator.faces.display import PathOp, TextOp
from generator.paper.formats import LAYOUTS

A5 = (148.5, 210.0)


def bound(game: ResolvedGame) -> Book:
    """The rulebook of a game, or of what became of it, as the program's own layouts have it."""
    return make_book(game, *A5, shipped_book(game.id))


@pytest.fixture(scope="module")
def game() -> ResolvedGame:
    return resolve_game("warring-states")


@pytest.fixture(scope="module")
def book(game: ResolvedGame) -> Book:
    return bound(game)


def words(book: Book, page: int) -> str:
    """The text of a page (numbered from 1), runs joined by blanks."""
    return " ".join(op.text for op in book.pages[page - 1].ops if isinstance(op, TextOp))


def test_every_rule_stands_in_the_book_with_its_id_and_title(book: Book, game: ResolvedGame) -> None:
    whole = " ".join(words(book, n) for n in range(1, len(book.pages) + 1))
    for rule in game.rules.values():
        assert rule.id in whole
        assert rule.title.split()[0] in whole


def test_contents_lead_to_the_pages_where_the_sections_begin(book: Book) -> None:
    assert list(book.contents.values()) == sorted(book.contents.values())
    for heading, page in book.contents.items():
        assert heading in words(book, page), heading


@pytest.mark.parametrize("name", ["warring-states", "dynasties", "xarkant"])
def test_the_index_has_no_entry_twice(name: str) -> None:
    """Not even with other capitals: a term of the rules and a piece of that name are one entry."""
    indexed = bound(resolve_game(name))
    page = indexed.pages[indexed.contents.get("Index", len(indexed.pages) - 2) - 1]
    entries = [op.text.strip().casefold() for op in page.ops if isinstance(op, TextOp)]
    entries = [entry for entry in entries if entry and not entry[0].isdigit()]
    assert len(entries) > 10 and sorted(set(entries)) == sorted(entries)


def test_rulings_are_printed_with_the_rules_they_rest_on(book: Book, game: ResolvedGame) -> None:
    pages = range(book.contents["Questions"], book.contents["Pieces"] + 1)
    printed = " ".join(words(book, n) for n in pages)
    for ruling in game.rulings:
        assert " ".join(ruling.question.split()[:3]) in printed
        assert all(rule in printed for rule in ruling.rules)


def test_a_changed_parameter_changes_the_book() -> None:
    dear = bound(resolve_game("warring-states", sets={"build.army_cost": 3}))
    page = dear.contents["Build Phase"]
    assert "costs 3 Bu" in words(dear, page) + words(dear, page + 1)
    figures = " ".join(words(dear, n) for n in range(dear.contents["Figures"], dear.contents["Index"]))
    assert "(changed)" in figures


def test_a_changed_entry_of_a_parameter_is_marked_and_told_in_words() -> None:
    sets = {"church.cost.stone": 4, "end.no_villages": False}
    dear = bound(resolve_game("xarkant", sets=sets))
    figures = " ".join(words(dear, n) for n in range(dear.contents["Figures"], dear.contents["Index"]))
    assert figures.count("(changed)") == 2 and "wood 1, stone 4 (changed)" in figures
    last = words(dear, len(dear.pages))
    assert "church.cost.stone = 4." in last and "end.no_villages = no." in last


def test_rules_switched_off_are_not_printed() -> None:
    book = bound(resolve_game("warring-states", sets={"rules.WS-BUILD-4": "off"}))
    printed = " ".join(words(book, n) for n in range(1, book.contents["Questions"]))
    assert "WS-BUILD-4" not in printed
    assert "WS-BUILD-3" in printed


def test_text_stays_inside_the_margins_and_is_not_smaller_than_six_points(book: Book) -> None:
    for page in book.pages[1:]:
        for op in page.ops:
            if isinstance(op, TextOp):
                assert op.size * 72 / 25.4 >= 5.99, op


def test_words_of_pictured_pieces_are_shapes_and_not_text(book: Book, game: ResolvedGame) -> None:
    """Searching the book finds rules, not the small print of a picture."""
    card = next(piece for piece in game.pieces if f"{piece.set}/{piece.id}" == "event/plague")
    pictured = words(book, book.contents["Decks"])
    assert "WS-DECK-1" in pictured
    assert card.rule not in pictured


def test_an_overview_comes_before_the_first_section(game: ResolvedGame) -> None:
    told = msgspec.structs.replace(game, overview=[("In short", "Kings march."), ("The end", "One of them wins.")])
    book = bound(told)
    assert list(book.contents)[:2] == ["Overview", game.sections[0]]
    assert "In short. Kings march. The end. One of them wins." in words(book, book.contents["Overview"])
    assert "Overview" not in bound(msgspec.structs.replace(game, overview=[])).contents


def test_a_section_and_a_set_of_one_name_are_told_apart() -> None:
    """The contents lead to the section, not to the set of that name in the list of pieces."""
    game = resolve_game("xarkant")
    assert {p.set_title for p in game.pieces} & set(game.sections)
    contents = bound(game).contents
    assert list(contents.values()) == sorted(contents.values())


def test_every_pictured_piece_is_drawn_however_many_there_are(tmp_path: Path) -> None:
    layouts = tmp_path / "layouts"
    shutil.copytree(LAYOUTS, layouts)
    own = yaml.safe_load((layouts / "xarkant" / "rulebook.yaml").read_text("utf-8"))
    named = ["state-board/state-board", "church/red", "church-board/church-board", "landscape/T01"]
    own["illustrations"] = {
        "Scoring": named,
        "Questions": [{"piece": "village/village", "height": 20, "caption": "A village."}],
    }
    (layouts / "xarkant" / "rulebook.yaml").write_text(yaml.safe_dump(own), "utf-8")
    game = resolve_game("xarkant")
    book = make_book(game, *A5, read_book_look("xarkant", places(tmp_path)))
    maker = layouts_in(layouts, "xarkant").faces(game)
    pieces = {f"{piece.set}/{piece.id}": piece for piece in game.pieces}

    def drawn(name: str, page: int) -> bool:
        shapes = {op.d for op in maker.front(pieces[name]).ops if isinstance(op, PathOp)}
        return shapes <= {op.d for op in book.pages[page - 1].ops if isinstance(op, PathOp)}

    first = book.contents["Scoring"]  # only the first row of pictures has to stand on the heading's page
    assert drawn(named[0], first) and all(drawn(name, first) or drawn(name, first + 1) for name in named)
    assert drawn("village/village", book.contents["Questions"])
    assert "A village." in words(book, book.contents["Questions"])


def test_a_section_begins_where_its_heading_its_pictures_and_some_rules_have_room(tmp_path: Path) -> None:
    layouts = tmp_path / "layouts"
    shutil.copytree(LAYOUTS, layouts)
    file = layouts / "dynasties" / "rulebook.yaml"
    own = yaml.safe_load(file.read_text("utf-8"))
    game = resolve_game("dynasties")
    for section in game.sections[2::3]:  # a board fills half a page
        own["illustrations"] = {section: ["board/board"]}
        file.write_text(yaml.safe_dump(own), "utf-8")
        book = make_book(game, *A5, read_book_look("dynasties", places(tmp_path)))
        first = next(rule.id for rule in game.rules.values() if rule.section == section)
        assert first in words(book, book.contents[section]), section


def test_number_of_pages_is_a_multiple_of_four(book: Book) -> None:
    assert len(book.pages) % 4 == 0


def test_booklet_folds_into_reading_order() -> None:
    """Take the pile of sheets, fold it: leaf by leaf the pages come in order."""
    sides = order(12)
    assert sides[:2] == [(12, 1), (2, 11)]
    sheets = [(sides[i], sides[i + 1]) for i in range(0, len(sides), 2)]
    first_half = [page for (_, right), (left, _) in sheets for page in (right, left)]
    second_half = [page for (left, _), (_, right) in reversed(sheets) for page in (right, left)]
    assert first_half + second_half == list(range(1, 13))


def test_booklet_needs_whole_sheets() -> None:
    with pytest.raises(ValueError, match="multiple of 4"):
        booklet(["a", "b", "c"], *A5, "x")


def test_pdfs_have_the_right_pages_sizes_and_fonts(book: Book) -> None:
    faces = {f"page-{n:02}": page for n, page in enumerate(book.pages, 1)}
    fonts = shipped_book("warring-states").fonts
    folded = write_pdf(booklet(list(faces), book.w, book.h, book.title), faces, fonts=fonts, title=book.title)
    single = write_pdf(reading(list(faces), book.w, book.h, book.title), faces, fonts=fonts, title=book.title)
    assert folded == write_pdf(booklet(list(faces), book.w, book.h, book.title), faces, fonts=fonts, title=book.title)
    with pikepdf.open(io.BytesIO(folded)) as pdf:
        assert len(pdf.pages) == len(book.pages) // 2
        box = [float(v) * 25.4 / 72 for v in pdf.pages[0].mediabox]
        assert box[2:] == pytest.approx([297, 210], abs=0.05)
    document = pypdfium2.PdfDocument(single)
    try:
        assert len(document) == len(book.pages)
        assert "Contents" in document[1].get_textpage().get_text_range()
    finally:
        document.close()


def test_blocks_keep_with_what_follows() -> None:
    line = Block(10.0, ())
    pages = flow.pour([line, line, Block(5.0, (), keep=20.0, anchors=("head",)), line], height=40.0)
    assert flow.anchors(pages, first=3) == {"head": 4}
    with pytest.raises(ValueError, match="does not fit"):
        flow.pour([Block(50.0, ())], height=40.0)


def test_command_writes_both_forms_and_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["rulebook", "warring-states", "--paper", "letter", "--out", str(tmp_path)]) == 0
    names = sorted(file.name for file in (tmp_path / "warring-states").iterdir())
    assert names == ["rulebook-letter-booklet.pdf", "rulebook-letter-pages.pdf"]
    assert "28 pages" in capsys.readouterr().out


def test_a_game_whose_theme_has_two_fonts_gets_a_book_too(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(project)
    assert cli.main(["rulebook", "--all"]) == 0
    assert "rulebook of 8 pages" in capsys.readouterr().out


def test_a_rule_that_cannot_be_set_is_named(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    rules = project / "components" / "lantern-walk" / "rules.yaml"
    rules.write_text(rules.read_text().replace("title: ", "title: 燈 ", 1))
    monkeypatch.chdir(project)
    assert cli.main(["rulebook", "lantern-walk"]) == 1
    said = capsys.readouterr().err
    assert "LAY-006" in said
    assert "燈" in said
    assert not list((project / "output").rglob("*.pdf"))


def test_unknown_paper_and_game_are_refused_with_the_nearest_name(tmp_path: Path) -> None:
    assert cli.main(["rulebook", "warring-states", "--paper", "a44", "--out", str(tmp_path)]) == 2
    assert cli.main(["rulebook", "warring-state", "--out", str(tmp_path)]) == 2
    assert cli.main(["rulebook"]) == 2
