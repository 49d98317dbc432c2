"""Sheets that formats share: less paper, every piece whole and in its place, blocks that straight cuts part."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from itertools import combinations
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from sheetkit import assert_folds, assert_lands, behind, overlap

from generator.build.manifest import SheetEntry
from generator.build.outputfiles import sheet_entries, tasks_of
from generator.faces.display import DisplayList, PathOp, Push, to_text
from generator.paper.formats import Format, load_formats, load_papers
from generator.sheets.filling import kinds
from generator.sheets.impose import Document, Item, impose
from generator.sheets.marks import SheetStyle, load_style
from generator.sheets.sheets import Backs, Box, Sheet

FORMATS = load_formats()
PAPERS = load_papers()
STYLE = load_style()
MODES: tuple[Backs, ...] = get_args(Backs)
MIXED = {"token20": 20, "token25": 16, "token30": 1, "chit12": 90, "chit20": 12}
"""Small pieces of five formats in one document."""
ANY_PAPER = replace(STYLE, share="all")


def pieces(fmt: str, count: int, back: bool = True) -> tuple[Format, list[Item]]:
    return FORMATS[fmt], [
        Item(f"{fmt}/{n}", f"front {fmt} {n}", f"back {fmt} {n}" if back else "") for n in range(count)
    ]


def lay(counts: dict[str, int], paper: str = "a4", backs: Backs = "long", style: SheetStyle = STYLE) -> list[Document]:
    stacks = [pieces(fmt, counts[fmt]) for fmt in FORMATS if counts.get(fmt)]
    return impose("Test Game", stacks, PAPERS[paper], backs, style)


def leaves(documents: list[Document]) -> int:
    return sum(document.leaves for document in documents)


def shared(document: Document) -> list[Sheet]:
    return [sheet for sheet in document.sheets if len({p.piece.split("/")[0] for p in sheet.placements}) > 1]


def strokes(sheet: Sheet, layer: str, colour: str) -> list[Box]:
    """The straight lines of one layer and colour."""
    found: list[Box] = []
    here = ""
    for op in sheet.marks:
        if isinstance(op, Push):
            here = op.layer
        elif here == layer and isinstance(op, PathOp) and op.stroke == colour:
            for ends in re.findall(r"M([-\d.]+) ([-\d.]+)L([-\d.]+) ([-\d.]+)", op.d):
                x1, y1, x2, y2 = map(float, ends)
                found.append(Box(min(x1, x2), min(y1, y2), abs(x2 - x1), abs(y2 - y1)))
    return found


def meet(line: Box, box: Box, slack: float = 0.02) -> bool:
    """Whether a line runs through a box, deeper than `slack` mm."""
    return (
        line.x < box.right - slack
        and line.right > box.x + slack
        and line.y < box.bottom - slack
        and line.bottom > box.y + slack
    )


@pytest.mark.parametrize("paper", ["a4", "letter"])
@pytest.mark.parametrize("backs", MODES)
def test_small_pieces_of_several_formats_take_fewer_sheets(paper: str, backs: Backs) -> None:
    apart = leaves(lay(MIXED, paper, backs, replace(STYLE, share=False)))
    assert apart >= 5
    assert leaves(lay(MIXED, paper, backs)) <= (4 if backs == "gutterfold" else 2)


def test_the_name_of_a_sheet_says_what_lies_on_it() -> None:
    (document,) = lay({"token20": 3, "chit12": 4})
    assert [sheet.name for sheet in document.sheets] == ["tokens-01-front", "tokens-01-back"]
    assert document.sheets[0].title.startswith("Test Game · 20 mm discs, 12 mm chits · sheet 1 of 1 · front")


def test_a_name_does_not_list_more_kinds_than_it_has_room_for() -> None:
    assert kinds([replace(FORMATS["token20"], title=f"kind {n % 8}") for n in range(16)]) == (
        "kind 0, kind 1, kind 2, kind 3, kind 4, 3 other kinds"
    )


def test_full_sheets_keep_their_format_and_what_they_leave_over_is_shared() -> None:
    (alone,) = lay({"token20": 200}, backs="none")
    per_sheet = len(alone.sheets[0].placements)
    (document,) = lay({"token20": per_sheet + 5, "chit20": 7}, backs="none")
    assert document.sheets[0].placements == alone.sheets[0].placements
    assert Counter(p.piece.split("/")[0] for p in document.sheets[1].placements) == {"token20": 5, "chit20": 7}


def test_room_beside_pieces_that_lie_alone_is_used() -> None:
    """Of six boards, one to a sheet, as few as possible are moved to make room for four strips."""
    (document,) = lay({"a5-wide": 6, "strip270x15": 4}, backs="none")
    assert document.leaves == 6
    on_sheets = [Counter(p.piece.split("/")[0] for p in sheet.placements) for sheet in document.sheets]
    assert on_sheets == [{"a5-wide": 1}] * 2 + [{"a5-wide": 1, "strip270x15": 1}] * 4
    assert lay({"a5-wide": 6})[0].leaves == 6


def test_where_sharing_saves_no_paper_every_format_keeps_its_sheets() -> None:
    nearly = {"poker": 8, "horde": 5}
    assert lay(nearly) == lay(nearly, style=replace(STYLE, share=False))


def test_a_project_may_want_a_sheet_for_every_format() -> None:
    (document,) = lay(MIXED, style=replace(STYLE, share=False))
    assert document.leaves == 5 and not shared(document)


def test_documents_share_sheets_where_that_saves_paper() -> None:
    (mixed,) = lay({"poker": 1, "token20": 1}, style=ANY_PAPER)
    assert (mixed.name, mixed.leaves, mixed.pieces) == ("mixed", 1, 2)
    assert [document.name for document in lay({"poker": 9, "token20": 80}, style=replace(STYLE, share=False))] == [
        "cards",
        "tokens",
    ]


def test_what_saves_no_paper_stays_in_its_own_document() -> None:
    documents = lay({"poker": 8, "token20": 3, "standee-25x60": 2}, style=ANY_PAPER)
    assert {document.name: document.leaves for document in documents} == {"cards": 1, "mixed": 1}


def test_what_is_printed_on_different_papers_shares_no_sheet_unless_asked() -> None:
    counts = {"poker": 3, "token20": 3, "tile30": 2, "standee-25x60": 2, "a6": 1}
    documents = lay(counts)
    assert {document.name: document.leaves for document in documents} == {
        "cards": 1,
        "aids-standees": 1,
        "tiles-tokens": 1,
    }
    assert leaves(lay(counts, style=ANY_PAPER)) == 2
    for document in documents:
        files = {FORMATS[p.piece.split("/")[0]].file for sheet in document.sheets for p in sheet.placements}
        assert len({STYLE.stock[file] for file in files}) == 1


def kinds_of(fmt: str, kinds: int, copies: int) -> tuple[Format, list[Item]]:
    """Tokens of several kinds, each alike on both sides."""
    return FORMATS[fmt], [Item(f"{fmt}/{n}", f"front {n}", f"front {n}", copies) for n in range(kinds)]


@pytest.mark.parametrize("backs", ["long", "short"])
def test_equal_pieces_lie_together_where_that_saves_paper(backs: Backs) -> None:
    """Equal neighbours need less bleed between them; each kind begins a row, with the whole bleed about it."""
    stacks = [kinds_of("chit16", 4, 48)]
    (document,) = impose("Test Game", stacks, PAPERS["a4"], backs, STYLE)
    assert document.leaves == 2
    for sheet in document.sheets:
        for a, b in combinations(sheet.placements, 2):
            assert not overlap(a.seen, b.trim)
            if a.face != b.face:
                apart = max(a.x - b.trim.right, b.x - a.trim.right, a.y - b.trim.bottom, b.y - a.trim.bottom)
                assert apart >= 2 * STYLE.bleed - 0.01
    for front, back in zip(document.sheets[::2], document.sheets[1::2], strict=True):
        for ours, theirs in zip(front.placements, back.placements, strict=True):
            spot = behind(front, (ours.x + ours.w / 2, ours.y + ours.h / 2), backs)
            assert spot == pytest.approx((theirs.x + theirs.w / 2, theirs.y + theirs.h / 2), abs=0.01)
            assert ours.face == theirs.face


@pytest.mark.parametrize("backs", ["long", "short"])
def test_the_last_cards_of_two_decks_share_a_sheet_with_wide_gutters(backs: Backs) -> None:
    fmt = FORMATS["poker"]
    decks = [
        Item(f"{deck}/{n}", f"front {deck} {n}", f"back {deck}")
        for deck, many in (("a", 10), ("b", 7))
        for n in range(many)
    ]
    (document,) = impose("Test Game", [(fmt, decks)], PAPERS["a4"], backs, STYLE)
    assert document.leaves == 2
    last = document.sheets[2].placements
    assert len(last) == 8
    for a, b in combinations(last, 2):
        gap = max(a.x - b.trim.right, b.x - a.trim.right, a.y - b.trim.bottom, b.y - a.trim.bottom)
        assert gap >= 2 * STYLE.bleed - 0.01


def test_a_last_row_that_is_not_whole_goes_where_there_is_room() -> None:
    """Of three aids two lie side by side and one turned below them, so that a standee has room, too."""
    aids = [Item("aid/a", "front", "back", 3)]
    stacks = [(FORMATS["aid95"], aids), pieces("standee-25x60", 1)]
    (document,) = impose("Test Game", stacks, PAPERS["a4"], "long", STYLE)
    assert document.leaves == 1


def test_cards_of_one_deck_are_never_printed_on_two_kinds_of_paper() -> None:
    fmt = FORMATS["poker"]
    hidden = [Item(f"card/{n}", f"front {n}", "back") for n in range(10)]
    stacks = [(fmt, hidden), pieces("token20", 3)]
    cards, tokens = impose("Test Game", stacks, PAPERS["a4"], "long", ANY_PAPER)
    assert (cards.pieces, tokens.pieces) == (10, 3)
    (mixed,) = impose("Test Game", [(fmt, hidden[:3]), pieces("token20", 3)], PAPERS["a4"], "long", ANY_PAPER)
    assert {placed.face for sheet in mixed.sheets for placed in sheet.placements} > {"front 0", "front 1", "front 2"}


@pytest.mark.parametrize("paper", ["a4", "letter"])
@pytest.mark.parametrize("backs", ["long", "short"])
def test_backs_land_on_their_fronts(backs: Backs, paper: str) -> None:
    (document,) = lay(MIXED, paper, backs)
    assert shared(document)
    for front, back in zip(document.sheets[::2], document.sheets[1::2], strict=True):
        for ours, theirs in zip(front.placements, back.placements, strict=True):
            assert_lands(ours, theirs, lambda spot, sheet=front: behind(sheet, spot, backs))  # type: ignore[misc]


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_backs_beside_a_fold_land_on_their_fronts(paper: str) -> None:
    (document,) = lay(MIXED, paper, "gutterfold")
    assert shared(document)
    for sheet in document.sheets:
        assert_folds(sheet)


def test_pieces_without_backs_share_a_duplex_sheet_but_not_a_folded_one() -> None:
    stacks = [pieces("token20", 6), pieces("chit12", 6, back=False)]
    (document,) = impose("Test Game", stacks, PAPERS["a4"], "long", STYLE)
    front, back = document.sheets
    assert len(front.placements) == 12
    assert {p.piece.split("/")[0] for p in back.placements} == {"token20"}
    (folded,) = impose("Test Game", stacks, PAPERS["a4"], "gutterfold", STYLE)
    assert [len(sheet.placements) for sheet in folded.sheets] == [12, 6]


def test_pieces_of_one_format_with_and_without_backs_share_a_sheet() -> None:
    fmt, two_sided = pieces("poker", 4)
    _, one_sided = pieces("poker", 4, back=False)
    (document,) = impose("Test Game", [(fmt, [*one_sided, *two_sided])], PAPERS["a4"], "long", STYLE)
    front, back = document.sheets
    assert len(front.placements) == 8 and len(back.placements) == 4


@pytest.mark.parametrize("paper", ["a4", "letter", "a5"])
@pytest.mark.parametrize("backs", MODES)
def test_no_mark_of_one_block_runs_through_another(paper: str, backs: Backs) -> None:
    for document in lay({**MIXED, "poker": 2, "mini": 3, "standee-25x60": 2, "standee-15x30": 5}, paper, backs):
        for sheet in document.sheets:
            marked = strokes(sheet, "cut", STYLE.colour)
            for line in marked:
                assert not any(meet(line, placed.seen) for placed in sheet.placements)
            parted = strokes(sheet, "marks", STYLE.faint)
            assert bool(parted) == (sheet in shared(document))
            for line in parted:
                assert not any(meet(line, placed.seen) for placed in sheet.placements)
                assert not any(meet(mark, line.grown(0.2, 0.2, 0.2, 0.2)) for mark in marked)


def test_straight_cuts_along_the_faint_lines_part_the_blocks() -> None:
    """Cutting again and again along a line that runs through the whole of what is left ends with one format each."""
    for paper, backs in (("a4", "none"), ("letter", "none"), ("a5", "none"), ("letter", "long")):
        for document in lay(MIXED, paper, backs):  # type: ignore[arg-type]
            for sheet in shared(document):
                if sheet.side == "front":
                    lines = strokes(sheet, "marks", STYLE.faint)
                    part([(p.piece.split("/")[0], p.trim) for p in sheet.placements], lines)


def part(here: list[tuple[str, Box]], lines: list[Box]) -> None:
    if len({fmt for fmt, _ in here}) == 1:
        return
    for line in lines:
        level = line.h < 0.01
        near = [(f, b) for f, b in here if (b.bottom <= line.y if level else b.right <= line.x)]
        far = [(f, b) for f, b in here if (b.y >= line.y if level else b.x >= line.x)]
        if near and far and len(near) + len(far) == len(here):
            part(near, lines)
            part(far, lines)
            return
    raise AssertionError(f"no cut parts { ({fmt for fmt, _ in here}) }")


def test_what_a_sheet_holds_is_told_piece_by_piece() -> None:
    (document,) = lay({"token20": 3, "chit12": 4})
    (task,) = tasks_of("pdf", "a4-long", [document])
    entries: list[SheetEntry] = list(sheet_entries(task))
    wanted = {**{f"token20/{n}": 1 for n in range(3)}, **{f"chit12/{n}": 1 for n in range(4)}}
    assert [entry.pieces for entry in entries] == [wanted, wanted]
    assert task.pieces == document.pieces == 7


@settings(max_examples=20, deadline=None)
@given(
    st.dictionaries(
        st.sampled_from(["token16", "token20", "token30", "chit12", "chit20", "tile30", "tile70", "hex40", "mini"]),
        st.integers(1, 70),
        min_size=2,
    ),
    st.sampled_from(["a4", "letter", "a3", "a5"]),
    st.sampled_from(MODES),
    st.sampled_from(["auto", "gutter", "shared", "machine"]),
)
def test_every_piece_lies_once_inside_the_paper_and_beside_the_others(
    counts: dict[str, int], paper: str, backs: Backs, cut: str
) -> None:
    style = replace(STYLE, cut=cut)
    documents = lay(counts, paper, backs, style)
    assert documents == lay(counts, paper, backs, style)
    assert leaves(documents) <= leaves(lay(counts, paper, backs, replace(style, share=False)))
    placed = Counter(p.face for d in documents for sheet in d.sheets for p in sheet.placements if not p.reverse)
    assert placed == {f"front {fmt} {n}": 1 for fmt, count in counts.items() for n in range(count)}
    margin = PAPERS[paper].margin
    for sheet in (sheet for d in documents for sheet in d.sheets):
        printable = Box(margin, margin, sheet.w - 2 * margin, sheet.h - 2 * margin)
        assert printable.holds(sheet.bleed)
        for line in strokes(sheet, "cut", STYLE.colour):
            assert printable.holds(line, slack=1e-3)
        assert all(sheet.trim.holds(p.trim) and sheet.bleed.holds(p.seen) for p in sheet.placements)
        for a, b in combinations(sheet.placements, 2):
            if a.clip == b.clip != "rect":
                continue  # their boxes may meet where their outlines do not
            assert not overlap(a.seen, b.trim) and not overlap(a.trim, b.seen)


def test_a_shared_sheet_as_text(golden: Callable[[str, str], None]) -> None:
    documents = lay({"token20": 3, "token30": 1, "chit20": 4}, "letter", "short")
    text: list[str] = []
    for sheet in documents[0].sheets:
        text.append(f"{sheet.name}: {sheet.title}")
        text += [
            f"  {p.face} at {p.x:.2f} {p.y:.2f} {p.w:g} x {p.h:g} turn {p.turn} {p.clip}" for p in sheet.placements
        ]
        text.append(to_text(DisplayList(sheet.w, sheet.h, 0, list(sheet.marks))))
    golden("sheets/shared-letter-short.txt", "\n".join(text))


def test_a_strip_almost_as_long_as_the_paper_stays_whole() -> None:
    strip = Format(name="strip", title="strips", file="x", shape="rect", w=270, h=15, bleed=2, safe=1)
    (document,) = impose("Test Game", [(strip, [Item("strip/a", "front", "", 4)])], PAPERS["letter"], "long", STYLE)
    (sheet,) = document.sheets
    assert [(p.w, p.h, p.window) for p in sheet.placements] == [(15, 270, None)] * 4
    printable = Box(4.2, 4.2, sheet.w - 8.4, sheet.h - 8.4)
    assert printable.holds(sheet.bleed)
    # The long cuts have no marks at their ends, where there is no room: they are drawn faintly themselves.
    long_cuts = [line for line in strokes(sheet, "cut", STYLE.faint) if line.h == pytest.approx(270)]
    ends = [line for line in strokes(sheet, "cut", STYLE.colour) if line.w > 1]
    assert len(long_cuts) == 8 and len(ends) == 4
