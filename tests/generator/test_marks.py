"""Marks: cuts at the trims, a bar of 100 mm, the sheet's name, and nothing over a piece."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

import pytest

from components.errors import DefinitionError
from generator.faces.display import Op, PathOp, Push, TextOp
from generator.paper.formats import load_formats, load_papers
from generator.paper.units import POINT
from generator.sheets.impose import Item, impose
from generator.sheets.marks import REGISTER, SheetStyle, crop_marks, load_style, registration, sheet_font, strip_marks
from generator.sheets.sheets import Box, Sheet, Strip

STYLE = load_style()
FONT = sheet_font(STYLE)
Line = tuple[float, float, float, float]


def lines(ops: list[Op]) -> list[Line]:
    """The straight strokes among operations."""
    found: list[Line] = []
    for op in ops:
        if isinstance(op, PathOp):
            for x1, y1, x2, y2 in re.findall(r"M([-\d.]+) ([-\d.]+)L([-\d.]+) ([-\d.]+)(?![\dL.-])", op.d):
                found.append((float(x1), float(y1), float(x2), float(y2)))
    return found


def cards(count: int, paper: str, backs: str = "long", fmt: str = "poker") -> tuple[Sheet, ...]:
    items = [Item(f"deck/{n}", "front", "back") for n in range(count)]
    (made,) = impose("Test Game", [(load_formats()[fmt], items)], load_papers()[paper], backs, STYLE)  # type: ignore[arg-type]
    return made.sheets


def test_every_cut_has_a_mark_at_both_ends_outside_the_bleed() -> None:
    trims = [Box(20, 30, 63, 88), Box(83, 30, 63, 88)]
    bleed = Box(17, 27, 132, 94)
    found = lines(crop_marks(trims, bleed, (4, 3), STYLE))
    assert {x1 for x1, _, x2, _ in found if x1 == x2} == {20, 83, 146}
    assert {y1 for _, y1, _, y2 in found if y1 == y2} == {30, 118}
    for x1, y1, x2, y2 in found:
        outside_x = max(x1, x2) <= bleed.x or min(x1, x2) >= bleed.right
        outside_y = max(y1, y2) <= bleed.y or min(y1, y2) >= bleed.bottom
        assert outside_x or outside_y
    assert len(found) == 2 * (3 + 2)


@pytest.mark.parametrize("paper", ["a4", "letter", "a3", "a5", "legal", "tabloid"])
def test_the_scale_bar_is_100_mm_long_on_every_paper(paper: str) -> None:
    for sheet in cards(1, paper):
        bars = [line for line in lines(list(sheet.marks)) if abs(line[2] - line[0]) == pytest.approx(100)]
        assert len(bars) == 1


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_the_strip_stands_beside_the_pieces_where_that_leaves_them_more_room(paper: str) -> None:
    for sheet in cards(8, paper):
        tilted = any(isinstance(op, Push) and op.matrix[1] == -1 for op in sheet.marks)
        assert tilted == (paper == "letter")


@pytest.mark.parametrize("paper", ["a4", "letter", "a5"])
@pytest.mark.parametrize("backs", ["long", "short", "gutterfold", "none"])
def test_name_and_bar_stay_in_their_strip_off_the_pieces(paper: str, backs: str) -> None:
    for sheet in cards(9, paper, backs):
        at = next(i for i, op in enumerate(sheet.marks) if isinstance(op, Push) and op.layer == "text")
        push = sheet.marks[at]
        assert isinstance(push, Push)
        name = sheet.marks[at + 1]
        assert isinstance(name, TextOp) and name.text == sheet.title
        assert name.size >= 6 * POINT - 1e-9
        ends = [(0.0, 0.0), (FONT.width(name.text) * name.size, 3.2)]
        for x, y in ends:
            a, b, c, d, e, f = push.matrix
            px, py = a * x + c * y + e, b * x + d * y + f
            assert 0 < px < sheet.w and 0 < py < sheet.h
            assert not (sheet.bleed.x < px < sheet.bleed.right and sheet.bleed.y < py < sheet.bleed.bottom)


def test_a_name_too_long_is_shortened_not_set_over_the_bar() -> None:
    strip = Strip(Box(10, 280, 190, 3.2))
    ops = strip_marks(strip, "A game with a very long title " * 5, FONT, STYLE)
    name = ops[1]
    assert isinstance(name, TextOp)
    assert name.text.endswith("…")
    (bar,) = [line for line in lines(ops) if line[2] - line[0] == pytest.approx(100)]
    assert FONT.width(name.text) * name.size < bar[0]


def test_registration_marks_keep_off_what_is_printed() -> None:
    printable = Box(4, 4, 200, 280)
    assert len(lines(registration(printable, [], STYLE))) == 8
    assert len(lines(registration(printable, [Box(0, 0, 30, 30)], STYLE))) == 6
    assert registration(printable, [printable], STYLE) == []


def test_registration_marks_of_front_and_back_coincide() -> None:
    front, back = cards(9, "a4")[:2]
    ours = {tuple(round(v, 3) for v in (front.w - x1, y1)) for x1, y1, _, y2 in crosses(front) if y1 != y2}
    theirs = {tuple(round(v, 3) for v in (x1, y1)) for x1, y1, _, y2 in crosses(back) if y1 != y2}
    assert ours == theirs and len(ours) == 4


def crosses(sheet: Sheet) -> list[Line]:
    inside = [op for push, op in pairwise(sheet.marks) if isinstance(push, Push) and push.layer == "marks"]
    return [line for line in lines(inside) if abs(line[3] - line[1]) == pytest.approx(0.45 * REGISTER, abs=1e-3)]


def test_discs_have_cut_outlines_on_both_sides() -> None:
    for sheet in cards(3, "a4", "long", "token20"):
        drawn = [op for op, before in zip(sheet.marks[1:], sheet.marks, strict=False) if isinstance(before, Push)]
        assert sum(op.d.count("C") for op in drawn if isinstance(op, PathOp) and op.stroke == STYLE.faint) == 12


def test_marks_are_grouped_in_named_layers() -> None:
    for sheet in cards(2, "a4", "gutterfold"):
        layers = [op.layer for op in sheet.marks if isinstance(op, Push)]
        assert set(layers) == {"cut", "fold", "marks", "text"}  # a cutter that takes `cut` must not cut register marks
        depth = 0
        for op, _ in pairwise((*sheet.marks, None)):
            depth += isinstance(op, Push) - (type(op).__name__ == "Pop")
            assert depth in (0, 1)
        assert depth == 0


def test_a_project_may_change_the_style(tmp_path: Path) -> None:
    (tmp_path / "sheets.yaml").write_text("sheets: {cut: gutter, crop: 6}\n")
    assert load_style(tmp_path) == SheetStyle(cut="gutter", crop=6)


def test_type_under_6_pt_is_refused(tmp_path: Path) -> None:
    (tmp_path / "sheets.yaml").write_text("sheets:\n  text_min: 4\n")
    with pytest.raises(DefinitionError) as caught:
        load_style(tmp_path)
    assert caught.value.problems[0].line == 2
