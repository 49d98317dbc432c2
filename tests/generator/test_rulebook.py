"""The rulebook as a reader holds it: every rule with its id, contents and index that lead there, a booklet that folds
into the right order."""

from __future__ import annotations

import io
import re
from pathlib import Path

import msgspec
import pikepdf
import pypdfium2
import pytest
from facekit import shipped_book

from components.book import Book as Content
from components.book import BookChapter, PlacedPart, book_of
from components.bookmodel import Example, Part, Pictured, Stage, Step, Table
from components.errors import DefinitionError
from components.model import ResolvedGame
from components.resolve import resolve_game
from generator.backends.pdf import write_pdf
from generator.book import flow, rulebook
from generator.book.booklet import booklet, order, reading
from generator.book.examples import example_block
from generator.book.indexing import FORMS, Spelling, human
from generator.book.pages import WHY
from generator.book.pieces import pictured
from generator.book.rulebook import Book, make_book
from generator.book.setter import Setter
from generator.book.told import Told
from generator.cli import main as cli
from generator.faces.display import Pop, Push, TextOp, UseOp
from generator.faces.quotes import typographic

A5 = (148.5, 210.0)


def bound(game: ResolvedGame) -> Book:
    """The rulebook of a game, or of what became of it, as the program's own layouts and files have it."""
    return make_book(game, *A5, shipped_book(game.id), content=book_of(game))


def said(game: ResolvedGame, *parts: Part, **more: object) -> Book:
    """The book of a game whose only chapter has these parts."""
    chapter = BookChapter(title="The chapter", parts=[PlacedPart(part) for part in parts])
    return make_book(game, *A5, shipped_book(game.id), content=Content(chapters=[chapter], **more))  # type: ignore[arg-type]


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
        assert " ".join(typographic(rule.text.replace("[[", "[")).split()[:3]) in whole, rule.id


def test_contents_lead_to_the_pages_where_the_sections_begin(book: Book) -> None:
    assert list(book.contents.values()) == sorted(book.contents.values())
    for heading, page in book.contents.items():
        assert heading in words(book, page), heading


@pytest.mark.parametrize("name", ["warring-states", "dynasties", "xarkant"])
def test_the_index_has_no_entry_twice(name: str) -> None:
    """Not even with other capitals: a term of the rules and a piece of that name are one entry."""
    indexed = bound(resolve_game(name))
    styles = [shipped_book(name).look.theme.styles[style] for _, style in FORMS]
    lines = [
        op for page in indexed.pages[indexed.contents["Index"] - 1 : -1] for op in page.ops if isinstance(op, TextOp)
    ]
    lines = lines[next(n for n, op in enumerate(lines) if op.text == "Index") :]  # below the end of the glossary
    sizes = {style.size for style in styles}
    entries = [op.text.strip().casefold() for op in lines if any(abs(op.size * 72 / 25.4 - s) < 0.01 for s in sizes)]
    entries = [entry for entry in entries if entry[:1].isalpha() and "·" not in entry]
    assert len(entries) > 10 and sorted(set(entries)) == sorted(entries)


def test_an_index_fills_its_last_page_without_a_sheet_more(monkeypatch: pytest.MonkeyPatch) -> None:
    game = resolve_game("xarkant")
    chosen = bound(game)
    monkeypatch.setattr(rulebook, "FORMS", FORMS[:1])
    tight = bound(game)
    assert len(chosen.pages) == len(tight.pages)
    assert lowest(chosen, chosen.contents["Index"]) >= lowest(tight, tight.contents["Index"])


def lowest(book: Book, page: int) -> float:
    """The lowest thing above the footer of a page, mm: a `Push` moves each block to its place."""
    return max(op.matrix[5] for op in book.pages[page - 1].ops if isinstance(op, Push))


def test_what_happens_in_an_example_uses_the_whole_width_below_its_cards(game: ResolvedGame) -> None:
    setter = Setter(game, *A5, shipped_book(game.id), "normal", None)
    cards = [f"{piece.set}/{piece.id}" for piece in game.pieces if piece.copies][:2]
    told = Told(steps=[("R-1", "so it goes, step by step, as the rules have it")] * 20)
    block = example_block(setter, Example(title="Much", cards=cards), told, None, setter.column)
    x, starts = 0.0, []
    for op in block.ops:
        if isinstance(op, Push) and not op.role:
            x = op.matrix[4]
        elif isinstance(op, TextOp) and op.text.startswith("So it goes"):
            starts.append(x)
    assert starts[0] > starts[-1] and starts == sorted(starts, reverse=True)


def test_rulings_are_printed_with_the_rules_they_rest_on(book: Book, game: ResolvedGame) -> None:
    printed = " ".join(words(book, n) for n in range(1, len(book.pages) + 1))
    for ruling in game.rulings:
        assert " ".join(ruling.question.split()[:3]) in printed
        assert all(rule in printed for rule in ruling.rules)


def test_a_changed_parameter_changes_the_book_and_stands_in_its_colophon() -> None:
    dear = bound(resolve_game("warring-states", sets={"build.army_cost": 3}))
    printed = " ".join(words(dear, n) for n in range(1, len(dear.pages) + 1))
    assert "costs 3 Bu" in printed
    assert "House rules of this edition:" in printed and "build.army_cost" not in printed


def test_a_changed_entry_of_a_parameter_is_told_in_words() -> None:
    sets = {"church.cost.stone": 4, "end.no_villages": False}
    dear = bound(resolve_game("xarkant", sets=sets))
    printed = " ".join(words(dear, n) for n in range(1, len(dear.pages) + 1))
    assert "wood 1, stone 4." in printed and ": no." in printed
    assert "church.cost" not in printed and "end.no" not in printed


@pytest.mark.parametrize("name", ["warring-states", "dynasties", "xarkant"])
def test_no_book_prints_the_name_of_a_parameter(name: str) -> None:
    game = resolve_game(name)
    made = bound(game)
    printed = " ".join(words(made, n) for n in range(1, len(made.pages) + 1))
    assert not [
        param for param in game.params if "." in param and re.search(rf"(?<![\w.]){re.escape(param)}(?!\w)", printed)
    ]


def test_a_part_that_fits_no_page_is_a_fault_with_its_place() -> None:
    game = resolve_game("xarkant")
    low_page = 40.0
    with pytest.raises(DefinitionError, match=r"this part needs \d+ mm, and a page has \d+ mm") as found:
        make_book(game, A5[0], low_page, shipped_book("xarkant"), content=book_of(game))
    faults = [problem for problem in found.value.problems if problem.code == "DEF-073"]
    assert faults and all(fault.file == "components/xarkant/rulebook.yaml" and fault.line for fault in faults)


def test_rules_switched_off_are_not_printed() -> None:
    book = bound(resolve_game("warring-states", sets={"rules.WS-BUILD-4": "off"}))
    body = [n for n in range(1, len(book.pages) + 1) if "House rules of this edition" not in words(book, n)]
    anchored = " ".join(words(book, n) for n in body)
    assert "As much as you can pay" not in anchored
    assert "Appoint a General" in anchored


@pytest.mark.parametrize("name", ["warring-states", "dynasties", "xarkant"])
def test_no_text_is_smaller_than_seven_points(name: str) -> None:
    for page in bound(resolve_game(name)).pages[1:]:
        scale = [1.0]
        for op in page.ops:
            if isinstance(op, Push):
                scale.append(scale[-1] * op.matrix[0])
            elif isinstance(op, Pop):
                scale.pop()
            elif isinstance(op, TextOp):
                assert op.size * scale[-1] * 72 / 25.4 >= 6.99, op


def test_words_of_pictured_pieces_are_shapes_and_not_text(book: Book, game: ResolvedGame) -> None:
    """Searching the book finds rules, not the small print of a picture."""
    made = said(game, Part(pictures=[Pictured(piece="event/plague", caption="A card.")]))
    card = next(piece for piece in game.pieces if f"{piece.set}/{piece.id}" == "event/plague")
    page = words(made, made.contents["The chapter"])
    assert "A card." in page
    assert card.rule not in page


def test_a_game_without_a_file_has_an_overview_a_box_its_sections_and_questions(game: ResolvedGame) -> None:
    told = msgspec.structs.replace(game, overview=[("In short", "Kings march."), ("The end", "One of them wins.")])
    book = make_book(told, *A5, shipped_book(game.id))
    assert list(book.contents)[:3] == ["Overview", "In the box", game.sections[0]]
    assert "In short. Kings march. The end. One of them wins." in words(book, book.contents["Overview"])
    assert "Questions" in book.contents
    bare = msgspec.structs.replace(game, overview=[], rulings=[])
    contents = make_book(bare, *A5, shipped_book(game.id)).contents
    assert "Overview" not in contents and "Questions" not in contents


def test_a_section_no_chapter_prints_comes_after_the_last(game: ResolvedGame) -> None:
    book = said(game, Part(text="Nothing but words."))
    assert list(book.contents)[1 : 1 + len(game.sections)] == game.sections


def test_parts_stand_in_the_order_in_which_they_are_written(game: ResolvedGame) -> None:
    first, second = list(game.rules)[:2]
    book = said(
        game,
        Part(text="First **of all**."),
        Part(rules=[second], title="A heading"),
        Part(steps=[Step(rules=[first]), Step(title="Then", text="Do this.")]),
        Part(table=Table(columns=["You", "I"], rows=[["Castor", "Pollux"]], legend="A table.")),
        Part(strip=[Stage(title="Begin", text="Begin it.", chapter="The chapter", icon="army")]),
    )
    page = words(book, book.contents["The chapter"])
    places = [
        page.index(said)
        for said in ("First", "A heading", second, "Do this", "Pollux", "A table.", "Begin it.", "page 2")
    ]
    assert places == sorted(places)
    assert "*" not in page


def test_an_index_counts_as_people_do() -> None:
    assert sorted(["Number 10", "number 2", "Army", "Number 1"], key=human) == [
        "Army",
        "Number 1",
        "number 2",
        "Number 10",
    ]


@pytest.mark.parametrize(
    ("title", "named", "spelt"),
    [
        ("Horde card", False, "horde card"),
        ("Army Token", False, "Army Token"),
        ("Khan card", False, "Khan card"),
        ("Lap plate", False, "lap plate"),
        ("Wood", True, "wood"),
        ("Drought", True, "Drought"),
        ("Power Struggle", True, "Power Struggle"),
        ("Help card of the Khan", True, "help card of the Khan"),
    ],
)
def test_an_index_spells_as_running_text_does(title: str, named: bool, spelt: str) -> None:
    """Kinds of pieces in lower case; what the rules write with a capital, and names they do not tell, as they are."""
    texts = [
        "Shuffle the horde cards. The Khan stands there. Each of your Army Tokens costs 2 wood: your army, the Khan.",
        "Wood is paid. Power: the power of a horde is printed on its card. Drought ends.",
    ]
    assert Spelling(texts).spelt(title, named) == spelt


def test_pieces_stand_in_few_rows_of_like_length(game: ResolvedGame) -> None:
    """Ten in four rows are 3, 3, 2 and 2; three that are a little too wide for one row become smaller."""
    setter = Setter(game, *A5, shipped_book(game.id), "normal", None)
    coin = next(f"{piece.set}/{piece.id}" for piece in game.pieces if piece.copies)
    wide = setter.face(coin)
    assert wide is not None

    def rows(count: int, width: float) -> list[int]:
        pictures = [Pictured(piece=coin) for _ in range(count)]
        found: list[tuple[int, float]] = []
        for n, block in enumerate(pictured(setter, pictures, width)):
            y = 0.0
            for op in block.ops:
                if isinstance(op, Push) and op.matrix[0] == 1.0:
                    y = op.matrix[5]
                elif isinstance(op, UseOp):
                    found.append((n, y))
        return [found.count(row) for row in dict.fromkeys(found)]

    assert rows(10, wide.w * 3 + 10) == [3, 3, 2, 2]
    assert rows(3, wide.w * 2.8) == [3]
    assert rows(3, wide.w * 2.2) == [2, 1]


def test_one_rule_in_two_columns_has_the_whole_width(game: ResolvedGame) -> None:
    first, second = list(game.rules)[:2]
    right = shipped_book(game.id).design.margins.outer + flow.column_width(A5[0] - 26, 2) + flow.GUTTER

    def lefts(*parts: Part) -> set[float]:
        book = said(game, *parts)
        return {
            op.matrix[4]
            for op in book.pages[book.contents["The chapter"] - 1].ops
            if isinstance(op, Push) and not op.role
        }

    assert right in lefts(Part(rules=[first, second], columns=2))
    assert right not in lefts(Part(rules=[first], columns=2), Part(text="Between."), Part(rules=[second], columns=2))


def test_the_footer_names_the_chapter(book: Book) -> None:
    """The last one that begins on the page, or goes on there."""
    last = {page: title for title, page in book.contents.items()}
    for page, title in last.items():
        assert re.search(rf"·\s+{re.escape(title)}", words(book, page))


def test_a_book_has_no_reasons_unless_asked_for_and_then_in_the_appendix_only(book: Book, game: ResolvedGame) -> None:
    plain = book
    book = make_book(game, *A5, shipped_book(game.id), content=book_of(game), reasons=True)
    rule = next(rule for rule in game.rules.values() if rule.origin == "decided" and len(rule.reason) > 40)
    start = " ".join(rule.reason.split()[:5])
    start = typographic(start)
    assert not any(start in words(plain, n) for n in range(1, len(plain.pages) + 1))
    where = [n for n in range(1, len(book.pages) + 1) if start in words(book, n)]
    assert where and min(where) >= book.contents[WHY]


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
    pages = {f"page-{n:02}": page for n, page in enumerate(book.pages, 1)}
    how = {"faces": pages | book.faces, "fonts": shipped_book("warring-states").fonts, "title": book.title}
    folded = write_pdf(booklet(list(pages), book.w, book.h, book.title), **how)
    single = write_pdf(reading(list(pages), book.w, book.h, book.title), **how)
    assert folded == write_pdf(booklet(list(pages), book.w, book.h, book.title), **how)
    with pikepdf.open(io.BytesIO(folded)) as pdf:
        assert len(pdf.pages) == len(book.pages) // 2
        box = [float(v) * 25.4 / 72 for v in pdf.pages[0].mediabox]
        assert box[2:] == pytest.approx([297, 210], abs=0.05)
    document = pypdfium2.PdfDocument(single)
    try:
        assert len(document) == len(book.pages)
        assert "In this book" in document[1].get_textpage().get_text_range()
    finally:
        document.close()


def test_a_book_to_read_is_tagged_in_reading_order(book: Book) -> None:
    pages = {str(n): page for n, page in enumerate(book.pages)}
    sheets = reading(list(pages), book.w, book.h, book.title)
    fonts = shipped_book("warring-states").fonts
    tagged = write_pdf(sheets, {**pages, **book.faces}, title=book.title, fonts=fonts, tagged=True)
    with pikepdf.open(io.BytesIO(tagged)) as pdf:
        assert pdf.Root.MarkInfo.Marked and str(pdf.Root.Lang) == "en"
        elements = list(pdf.Root.StructTreeRoot.K.K)
        assert {str(element.S) for element in elements} == {"/H1", "/H2", "/P", "/Figure"}
        assert all(str(element.Alt) for element in elements if element.S == "/Figure")
        order = [next(n for n, page in enumerate(pdf.pages) if page.objgen == one.K.Pg.objgen) for one in elements]
        assert order == sorted(order)
        for element in elements:
            form = element.K.Stm
            known = pdf.Root.StructTreeRoot.ParentTree.Nums[2 * int(form.StructParents) + 1]
            assert known[int(element.K.MCID)].objgen == element.objgen
            assert f"{element.S} <</MCID {element.K.MCID}>> BDC".encode() in form.read_bytes()
        for form in {one.K.Stm.objgen: one.K.Stm for one in elements}.values():
            content = form.read_bytes()
            assert content.count(b" BDC\n") == content.count(b"\nEMC")


def test_command_writes_both_forms_and_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["rulebook", "warring-states", "--paper", "letter", "--out", str(tmp_path)]) == 0
    names = sorted(file.name for file in (tmp_path / "warring-states").iterdir())
    assert names == ["rulebook-letter-booklet.pdf", "rulebook-letter-pages.pdf"]
    assert "rulebook of" in capsys.readouterr().out


def test_a_game_whose_theme_has_two_fonts_gets_a_book_too(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(project)
    assert cli.main(["rulebook", "--all"]) == 0
    assert "rulebook of 4 pages" in capsys.readouterr().out


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
