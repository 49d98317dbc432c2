"""A board larger than the paper: its pages cover it, overlap, and fit together."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest

from generator.faces.display import IDENTITY, PathOp, Pop, Push, TextOp
from generator.faces.svgpath import multiply, placing
from generator.paper.formats import Format, load_formats, load_papers
from generator.sheets.impose import Item, impose
from generator.sheets.marks import load_style
from generator.sheets.poster import panels
from generator.sheets.sheets import Box, Sheet

FORMATS, PAPERS, STYLE = load_formats(), load_papers(), load_style()


PANELS = Format(name="panels", title="panels", file="boards", shape="rect", w=800, h=560, bleed=3, safe=5)
FORMATS["panels"] = PANELS
LINE = r"M([-\d.]+) ([-\d.]+)L([-\d.]+) ([-\d.]+)"


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


@pytest.mark.parametrize("paper", ["a4", "letter", "a3"])
@pytest.mark.parametrize("fmt", ["a3-wide", "a2", "panels"])
def test_cuts_marks_and_texts_keep_off_the_edge_of_the_paper(fmt: str, paper: str) -> None:
    for sheet in pages(fmt, paper):
        printable = Box(5, 5, sheet.w - 10, sheet.h - 10)
        (placed,) = sheet.placements
        assert printable.holds(sheet.trim)
        if placed.window is not None:
            assert (
                placed.window == sheet.bleed and placed.window.holds(placed.seen) and placed.seen.holds(placed.window)
            )
        matrix = IDENTITY
        for op in sheet.marks:
            if isinstance(op, Push):
                matrix = op.matrix
            elif isinstance(op, Pop):
                matrix = IDENTITY
            else:
                spots = [(op.x, op.y)] if isinstance(op, TextOp) else re.findall(r"[ML]([-\d.]+) ([-\d.]+)", op.d)  # type: ignore[union-attr]
                for spot in spots:
                    _, _, _, _, x, y = multiply(matrix, placing(float(spot[0]), float(spot[1])))
                    assert printable.holds(Box(x, y, 0, 0), 1e-3), (sheet.name, op)


@pytest.mark.parametrize("paper", ["a4", "letter", "a3"])
@pytest.mark.parametrize("fmt", ["a3-wide", "a2", "panels"])
def test_the_outer_edges_of_a_board_have_their_whole_bleed(fmt: str, paper: str) -> None:
    for sheet in pages(fmt, paper):
        (placed,) = sheet.placements
        if placed.window is None:
            continue
        seen, trim, board = placed.window, sheet.trim, placed.trim
        for outer, ours, beyond in (
            (board.x, trim.x, trim.x - seen.x),
            (board.y, trim.y, trim.y - seen.y),
            (board.right, trim.right, seen.right - trim.right),
            (board.bottom, trim.bottom, seen.bottom - trim.bottom),
        ):
            assert abs(outer - ours) > 0.01 or beyond == pytest.approx(3)


def test_a_board_is_cut_anew_for_each_paper() -> None:
    takes = {(fmt, paper): len(pages(fmt, paper)) for fmt in ("a2", "panels") for paper in ("a4", "letter", "a3", "a2")}
    assert takes == {
        ("a2", "a4"): 8,
        ("a2", "letter"): 8,
        ("a2", "a3"): 4,
        ("a2", "a2"): 1,
        ("panels", "a4"): 12,
        ("panels", "letter"): 12,
        ("panels", "a3"): 6,
        ("panels", "a2"): 3,
    }


def test_a_fold_lies_in_the_middle_of_the_overlap_and_is_marked_on_both_pages() -> None:
    folds = []
    for sheet in pages("a3-wide", "a4"):
        (placed,) = sheet.placements
        marks = [op for push, op in pairwise(sheet.marks) if isinstance(push, Push) and push.layer == "fold"]
        lines = [
            tuple(map(float, m))
            for op in marks
            if not op.dash and op.stroke != "#ffffff"
            for m in re.findall(LINE, op.d)
        ]  # type: ignore[union-attr]
        upright = {round(x1 - placed.x, 1) for x1, _, x2, _ in lines if x1 == x2}
        level = {round(y1 - placed.y, 1) for _, y1, _, y2 in lines if y1 == y2}
        folds.append((upright, level))
    assert folds == [({209.6, 210.4}, {148.1, 148.9})] * 4
    assert panels(420, 2, STYLE) == [208, 208]
    assert panels(800, 3, STYLE) == pytest.approx([266.33, 259.33, 266.33], abs=0.01)
    assert sum(panels(800, 3, STYLE)) + 2 * STYLE.hinge == pytest.approx(800)


def test_only_the_edges_of_the_board_bleed_where_a_page_lies_beneath_the_next() -> None:
    first, *_, last = pages("a3-wide", "a4")
    assert first.trim.x - first.bleed.x == first.trim.y - first.bleed.y == pytest.approx(3)
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


@pytest.mark.parametrize(("fmt", "paper", "size"), [("a3-wide", "a3", (450, 320)), ("a2", "a2", (443, 624))])
def test_a_board_as_large_as_the_paper_takes_one_larger_page_with_bleed_marks_and_name(
    fmt: str, paper: str, size: tuple[float, float]
) -> None:
    (sheet,) = pages(fmt, paper)
    assert (sheet.w, sheet.h) in (size, size[::-1])
    assert {round(sheet.w - sheet.trim.w), round(sheet.h - sheet.trim.h)} == {23, 30}
    assert sheet.trim.grown(3, 3, 3, 3) == sheet.bleed and sheet.placements[0].bleed == (3, 3, 3, 3)
    assert f"page of {min(size):g} x {max(size):g} mm" in sheet.title
    assert any(isinstance(op, TextOp) and op.text == "100 mm" for op in sheet.marks)


def test_a_board_on_larger_paper_has_bleed_name_and_scale_bar() -> None:
    for fmt, paper in (("a3-wide", "a2"), ("a3-wide", "sra3"), ("a2", "sra2")):
        (sheet,) = pages(fmt, paper)
        assert sheet.placements[0].bleed == (3, 3, 3, 3) and sheet.placements[0].window is None
        assert any(isinstance(op, TextOp) and op.text == "100 mm" for op in sheet.marks)
