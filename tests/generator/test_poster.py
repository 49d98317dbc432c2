"""A board larger than the paper: its pages cover it, overlap, and fit together."""

from __future__ import annotations

from itertools import pairwise

import pytest

from generator.faces.display import PathOp, TextOp
from generator.paper.formats import load_formats, load_papers
from generator.sheets.impose import Item, impose
from generator.sheets.marks import load_style
from generator.sheets.sheets import Box, Sheet

FORMATS, PAPERS, STYLE = load_formats(), load_papers(), load_style()


def pages(fmt: str, paper: str, back: str = "", backs: str = "long") -> tuple[Sheet, ...]:
    item = Item("board/main", "face", back)
    (made,) = impose("Test Game", [(FORMATS[fmt], [item])], PAPERS[paper], backs, STYLE)  # type: ignore[arg-type]
    return made.sheets


def region(sheet: Sheet) -> Box:
    """The part of the board (its trim box at 0, 0) that a page shows inside its own trim box."""
    (placed,) = sheet.placements
    return Box(sheet.trim.x - placed.x, sheet.trim.y - placed.y, sheet.trim.w, sheet.trim.h)


@pytest.mark.parametrize("paper", ["a4", "letter"])
@pytest.mark.parametrize("fmt", ["a3", "a3-wide", "a2"])
def test_the_pages_cover_the_board_and_overlap_their_neighbours(fmt: str, paper: str) -> None:
    board = FORMATS[fmt]
    shown = [region(sheet) for sheet in pages(fmt, paper)]
    for low, high, size in (("x", "right", board.w), ("y", "bottom", board.h)):
        spans = sorted({(round(getattr(r, low), 3), round(getattr(r, high), 3)) for r in shown})
        assert spans[0][0] == pytest.approx(0, abs=0.01) and spans[-1][1] == pytest.approx(size, abs=0.01)
        for before, after in pairwise(spans):
            assert before[1] - after[0] == pytest.approx(STYLE.overlap, abs=0.01)
    columns, rows = len({round(r.x, 2) for r in shown}), len({round(r.y, 2) for r in shown})
    assert columns * rows == len(shown)


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_a_page_shows_nothing_outside_its_window_and_stays_on_the_paper(paper: str) -> None:
    margin = PAPERS[paper].margin
    for sheet in pages("a3-wide", paper):
        (placed,) = sheet.placements
        assert placed.window is not None
        assert placed.seen == placed.window == sheet.bleed
        assert (placed.w, placed.h) == (420, 297)
        assert Box(margin, margin, sheet.w - 2 * margin, sheet.h - 2 * margin).holds(placed.window)


def test_only_the_edges_of_the_board_bleed() -> None:
    first, *_, last = pages("a3-wide", "a4")
    assert first.trim.x - first.bleed.x > 0 and first.trim.y - first.bleed.y > 0
    assert first.bleed.right == pytest.approx(first.trim.right)
    assert last.bleed.right > last.trim.right and last.bleed.bottom > last.trim.bottom


def test_an_a3_board_takes_few_pages_and_says_which_is_which() -> None:
    sheets = pages("a3-wide", "a4")
    assert len(sheets) == 4
    assert [sheet.title.split(" · ")[2] for sheet in sheets] == [
        "page A1 of 2 x 2",
        "page A2 of 2 x 2",
        "page B1 of 2 x 2",
        "page B2 of 2 x 2",
    ]


def test_each_page_has_a_map_with_itself_filled_and_lines_for_its_neighbours() -> None:
    for n, sheet in enumerate(pages("a3-wide", "a4")):
        boxes = [op for op in sheet.marks if isinstance(op, PathOp) and op.d.endswith("Z")]
        assert [bool(box.fill) for box in boxes] == [i == n for i in range(4)]
        dashed = [op for op in sheet.marks if isinstance(op, PathOp) and op.dash]
        assert bool(dashed) == (n != 3)
        assert any(isinstance(op, TextOp) and "glue" in op.text for op in sheet.marks)


def test_a_board_that_fits_is_not_cut() -> None:
    (sheet,) = pages("a3-wide", "a2")
    assert sheet.placements[0].window is None
    assert "page" not in sheet.title


def test_the_other_side_of_a_board_has_pages_of_its_own() -> None:
    sheets = pages("a3", "a4", back="other")
    assert [sheet.placements[0].face for sheet in sheets] == ["face"] * 4 + ["other"] * 4
    assert "back page A1" in sheets[4].title
    assert len(pages("a3", "a4", back="other", backs="none")) == 4


def test_a_board_as_large_as_the_paper_takes_one_whole_page() -> None:
    (sheet,) = pages("a3-wide", "a3")
    assert (sheet.w, sheet.h) == (420.0, 297.0)
    assert sheet.trim == sheet.bleed == Box(0.0, 0.0, 420.0, 297.0)
    assert sheet.marks == ()
    assert "whole page" in sheet.title
    assert len(pages("a3-wide", "a4")) == 4
