"""The rulebooks of the games as they are printed: their pages are full, on both usual papers."""

from __future__ import annotations

import json
import re
from itertools import pairwise
from pathlib import Path

import pypdfium2
import pytest
from games import GAMES

from components.book import book_of
from components.resolve import resolve_game
from generator.book.design import Design
from generator.book.flow import FlowPage
from generator.book.pouring import Pourer
from generator.cli import main as cli
from tests.generator.facekit import shipped_book

LEAST = 0.85
"""A page of the body is filled to this part at least."""
MEAN = 0.97
PAPER = 243
"""Whatever is darker has been printed."""


def fills(file: Path, design: Design) -> list[float]:
    """For each page that the book pours, how far down it is printed: 1 at the foot of the text."""
    pdf = pypdfium2.PdfDocument(file)
    found = []
    for number in range(1, len(pdf) - 1):
        page = pdf[number]
        image = page.render(scale=1.0).to_pil().convert("L")
        mm = image.height / page.get_height() * 72 / 25.4
        top, foot = design.margins.top * mm, image.height - design.margins.bottom * mm
        text = image.crop((0, int(top), image.width, int(foot) + 1)).point(lambda value: 255 if value < PAPER else 0)
        box = text.getbbox()
        found.append(box[3] / text.height if box else 0.0)
    return found


@pytest.mark.parametrize("paper", ["a4", pytest.param("letter", marks=pytest.mark.torture)])
@pytest.mark.parametrize("game", GAMES)
def test_no_page_is_left_half_empty_and_no_table_cut_at_a_turn(
    game: str, paper: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only the index, which is last, ends where it ends."""
    poured: list[list[FlowPage]] = []
    pages = Pourer.pages
    monkeypatch.setattr(Pourer, "pages", lambda self, way: poured.append(pages(self, way)) or poured[-1])
    assert cli.main(["rulebook", game, "--paper", paper, "--layout", "pages", "--out", str(tmp_path), "--json"]) == 0
    contents = json.loads(capsys.readouterr().out)["contents"]
    (file,) = (tmp_path / game).iterdir()
    found = fills(file, shipped_book(game).design)
    body = found[: contents["Index"] - 2]
    low = {number: round(fill, 2) for number, fill in enumerate(body, 2) if fill < LEAST}
    assert not low, f"pages filled less than {LEAST:.0%}"
    assert sum(body) / len(body) >= MEAN
    for number, (above, below) in enumerate(pairwise(poured[-1]), 2):
        last, first = above.placed[-1:], below.placed[:1]
        cut = bool(last and first) and last[0].block.head is not None and last[0].block.head is first[0].block
        assert not cut or number % 2 == 0, f"a table is cut where page {number} is turned"
        assert not last or not last[0].block.keep, f"a heading stands at the foot of page {number}"


FIGURES = {
    "dynasties": {"The action cards": ("**+1  Ambush** ×2", "(white, expert)")},
    "great-wall": {
        "All cards": ("Tea value 15. Start: 2 wood", "**Back:** In each Summer income", "Before a section is compared:")
    },
    "tianxia": {
        "All cards and tiles": ("At the end, 5 points: 3 of your walls are in wall sections", "raid number 2"),
        "Barge turn and merchants": ("3 spots. Full: gain 1 good of your choice, take 1 palace step",),
    },
    "warring-states": {"All cards": ("**T4  Halberds**", "value 4")},
}
"""Game -> chapter -> what its lists must say, made from the fields of the pieces."""


@pytest.mark.parametrize("game", FIGURES)
def test_lists_say_what_stands_on_the_pieces(game: str) -> None:
    book = book_of(resolve_game(game))
    for title, wanted in FIGURES[game].items():
        said = "\n".join(line for c in book.chapters if c.title == title for part in c.parts for line in part.lines)
        assert [words for words in wanted if words not in said] == []


def test_a_list_names_cards_of_players_once_and_a_table_has_a_row_for_each_piece() -> None:
    great_wall, tianxia = book_of(resolve_game("great-wall")), book_of(resolve_game("tianxia"))
    (commands,) = (p.lines for c in great_wall.chapters for p in c.parts if p.part.cards == ["command"])
    assert len(commands) == 6 and not any("×" in line for line in commands)
    tables = {tuple(p.part.table.each): p.part.table.rows for c in tianxia.chapters for p in c.parts if p.part.table}
    assert ["Chu", "jade", "–", "give 1 wood, gain 1 lacquer", "4"] in tables["region",]
    assert len(tables["palace",]) == 4


def test_no_book_speaks_of_the_companion_or_says_a_heading_twice() -> None:
    for game in GAMES:
        resolved = resolve_game(game)
        texts = [rule.text for rule in resolved.rules.values() if rule.printed]
        texts += [words for ruling in resolved.rulings for words in (ruling.question, ruling.answer)]
        assert not [text for text in texts if re.search(r"\bcompanion\b|house rule", text)]
        overview = [c.title for c in book_of(resolved).chapters if any(part.part.overview for part in c.parts)]
        assert not {*overview} & {title for title, _ in resolved.overview}
        assert "(an estimate)" not in resolved.about


@pytest.mark.parametrize("game", GAMES)
def test_every_piece_that_is_printed_is_counted_in_the_box(game: str) -> None:
    resolved = resolve_game(game)
    parts = [part.part for chapter in book_of(resolved).chapters for part in chapter.parts]
    counted = {name for part in parts for item in part.contents for name in item.sets}
    assert {piece.set for piece in resolved.pieces if piece.copies} <= counted


def test_the_book_of_the_base_game_speaks_of_no_module() -> None:
    alone = resolve_game("great-wall", modules=["base"])
    texts = [f"{rule.title} {rule.text}" for rule in alone.rules.values() if rule.printed]
    for chapter in book_of(alone).chapters:
        for part in chapter.parts:
            texts += [part.part.text, *part.part.points, *(item.text for item in part.part.contents)]
    module = re.compile(r"Black Powder|Khan|[Bb]easts?\b|\bRat\b|[Dd]ragon|Award|module")
    assert [text for text in texts if module.search(text)] == []
