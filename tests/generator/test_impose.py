"""Imposition: each back lands on its front, nothing overlaps, everything lies where a printer can print."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable
from itertools import combinations, pairwise
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sheetkit import TOLERANCE, assert_folds, assert_lands, behind, corner, overlap

from generator.faces.display import DisplayList, to_text
from generator.paper.formats import Format, load_formats, load_papers
from generator.sheets.impose import Document, ImposeError, Item, impose
from generator.sheets.marks import SheetStyle, cut_line, load_style
from generator.sheets.plan import find_plan
from generator.sheets.sheets import Backs, Box, Placement, Sheet

FORMATS = load_formats()
PAPERS = load_papers()
STYLE = load_style()
MODES: tuple[Backs, ...] = get_args(Backs)
COMMON = ("poker", "mini", "a6", "tile70", "tile90", "token20", "token25", "token30", "hex40", "chit12", "horde")


def deck(count: int, copies: int = 1, back: bool = True) -> list[Item]:
    """Pieces whose faces are named after them: `front 3`, `back 3`."""
    return [Item(f"deck/{n}", f"front {n}", f"back {n}" if back else "", copies) for n in range(count)]


def lay(fmt: str, items: list[Item], paper: str = "a4", backs: Backs = "long", style: SheetStyle = STYLE) -> Document:
    (document,) = impose("Test Game", [(FORMATS[fmt], items)], PAPERS[paper], backs, style)
    return document


@pytest.mark.parametrize("paper", ["a4", "letter", "a3"])
@pytest.mark.parametrize("backs", ["long", "short"])
@pytest.mark.parametrize("fmt", COMMON)
def test_duplex_backs_land_on_their_fronts(fmt: str, backs: Backs, paper: str) -> None:
    document = lay(fmt, deck(25), paper, backs)
    assert [sheet.side for sheet in document.sheets] == ["front", "back"] * document.leaves
    for front, back in zip(document.sheets[::2], document.sheets[1::2], strict=True):
        assert len(front.placements) == len(back.placements)
        for ours, theirs in zip(front.placements, back.placements, strict=True):
            assert_lands(ours, theirs, lambda spot, sheet=front: behind(sheet, spot, backs))  # type: ignore[misc]


@pytest.mark.parametrize("paper", ["a4", "letter"])
@pytest.mark.parametrize("fmt", COMMON)
def test_gutterfold_backs_land_on_their_fronts_when_folded(fmt: str, paper: str) -> None:
    document = lay(fmt, deck(11), paper, "gutterfold")
    assert document.leaves == len(document.sheets)
    for sheet in document.sheets:
        assert_folds(sheet)


def hidden(count: int, back: str = "back", sides: str = "", ends: str = "") -> list[Item]:
    """Cards of one deck: unlike fronts, one back; `sides` and `ends` are the flat colours along their edges."""
    return [Item(f"{back}/{n}", f"front {back} {n}", back, 1, sides, ends) for n in range(count)]


def test_nine_poker_cards_of_patterned_backs_lie_on_a4_each_with_bleed_of_its_own() -> None:
    document = lay("poker", hidden(9))
    assert document.leaves == 1
    assert all(min(placed.bleed) >= STYLE.bleed_min - 1e-6 for sheet in document.sheets for placed in sheet.placements)
    for a, b in combinations(document.sheets[0].placements, 2):
        assert not overlap(a.seen, b.seen)


def test_cuts_are_shared_only_where_it_saves_paper_and_both_edges_are_of_one_colour() -> None:
    plain = lay("poker", hidden(9, sides="#111111 #222222", ends="#111111 #222222"), "letter")
    assert plain.leaves == 1  # a fourth of the paper less
    assert lay("poker", hidden(9, sides="#111111 #222222"), "letter").leaves == 2
    unlike = hidden(8, ends="#111111 #222222") + hidden(1, ends="#333333 #222222")
    assert lay("poker", unlike, "letter").leaves == 2
    middle = plain.sheets[0].placements[4]
    assert middle.bleed[1] == middle.bleed[3] == 0 < STYLE.bleed_min <= min(middle.bleed[0], middle.bleed[2])
    roomy = lay("poker", hidden(9, sides="#111111 #222222", ends="#111111 #222222"), "a4")
    assert all(min(placed.bleed) >= STYLE.bleed_min - 1e-6 for placed in roomy.sheets[0].placements)


@pytest.mark.parametrize("cut", ["auto", "gutter", "shared"])
@pytest.mark.parametrize("paper", ["a4", "letter", "a3"])
@pytest.mark.parametrize("colour", ["", "#111111 #222222"])
def test_each_deck_begins_a_row_with_a_gutter_before_it(cut: str, paper: str, colour: str) -> None:
    from msgspec.structs import replace

    decks = [
        item for back, count in (("red", 10), ("blue", 7), ("green", 2)) for item in hidden(count, back, colour, colour)
    ]
    document = lay("poker", decks, paper, style=replace(STYLE, cut=cut))
    for sheet in document.sheets[1::2]:
        full = min(side for placed in sheet.placements for side in placed.bleed) >= 3 - 1e-6
        for a, b in combinations(sheet.placements, 2):
            if a.face != b.face:
                assert full or abs(a.y - b.y) > 1, "a row is split between decks"
                assert not overlap(a.trim.grown(1.5, 1.5, 1.5, 1.5), b.trim)


def test_pieces_that_hide_nothing_may_share_rows_but_have_their_whole_bleed() -> None:
    sheet = lay("poker", deck(8), "a4").sheets[0]
    assert len(sheet.placements) == 8
    assert {placed.bleed for placed in sheet.placements} == {(3, 3, 3, 3)}
    same = [Item("coin/one", "front", "back", 9)]
    assert lay("poker", same, "a4").leaves == 1


def test_another_deck_has_its_whole_bleed_at_the_gutter_that_parts_them() -> None:
    document = lay("poker", [item for back, n in (("red", 6), ("blue", 3)) for item in hidden(n, back)], "a4")
    assert document.leaves == 1
    above, below = document.sheets[1].placements[3], document.sheets[1].placements[6]
    assert below.y - above.trim.bottom == pytest.approx(6) and (above.bleed[3], below.bleed[1]) == (3, 3)
    first = document.sheets[1].placements[0]
    assert STYLE.bleed_min <= first.bleed[3] < 3 and above.y - first.trim.bottom == pytest.approx(2 * first.bleed[3])
    assert document.sheets[1].bleed.y >= PAPERS["a4"].margin


def test_shared_cuts_on_request_show_bleed_only_outside() -> None:
    from msgspec.structs import replace

    sheet = lay("poker", deck(9), "a4", style=replace(STYLE, cut="shared")).sheets[0]
    assert (sheet.trim.w, sheet.trim.h) == pytest.approx((189, 264))
    assert sheet.placements[4].bleed == (0, 0, 0, 0)
    assert sheet.placements[0].bleed == (3, 3, 0, 0)
    assert sheet.placements[8].bleed == (0, 0, 3, 3)
    assert sheet.bleed == Box(sheet.trim.x - 3, sheet.trim.y - 3, 195, 270)


def test_a_card_without_a_neighbour_keeps_its_bleed() -> None:
    from msgspec.structs import replace

    sheet = lay("poker", deck(4), "a4", style=replace(STYLE, cut="shared")).sheets[0]
    assert [placed.bleed for placed in sheet.placements] == [(3, 3, 0, 0), (0, 3, 0, 3), (0, 3, 3, 3), (3, 0, 3, 3)]


def test_gutters_give_every_card_its_whole_bleed() -> None:
    from msgspec.structs import replace

    sheet = lay("poker", deck(8), "a4", style=replace(STYLE, cut="gutter")).sheets[0]
    assert len(sheet.placements) == 8
    assert all(placed.bleed == (3, 3, 3, 3) for placed in sheet.placements)
    for a, b in combinations(sheet.placements, 2):
        assert not overlap(a.seen, b.seen)


@pytest.mark.parametrize("paper", ["a4", "letter", "a5", "legal"])
def test_there_is_room_for_crop_marks(paper: str) -> None:
    sheet = lay("poker", hidden(40), paper).sheets[0]
    margin = PAPERS[paper].margin
    assert min(sheet.bleed.x, sheet.bleed.y) - margin >= STYLE.crop_min - 1e-9


def test_no_backs_means_fronts_only() -> None:
    document = lay("poker", deck(10), backs="none")
    assert [sheet.side for sheet in document.sheets] == ["front", "front"]
    assert all(placed.face.startswith("front") for sheet in document.sheets for placed in sheet.placements)


def test_copies_follow_each_other_and_decks_share_sheets() -> None:
    items = [Item("event/a", "ea", "eb", 2), Item("battle/b", "ba", "bb", 3)]
    document = lay("poker", items)
    assert document.leaves == 1
    assert document.pieces == 5
    assert [placed.face for placed in document.sheets[0].placements] == ["ea", "ea", "ba", "ba", "ba"]
    assert [placed.face for placed in document.sheets[1].placements] == ["eb", "eb", "bb", "bb", "bb"]


def test_white_backs_keep_fronts_on_front_pages() -> None:
    from msgspec.structs import replace

    items = [*deck(9), Item("deck/plain", "front plain")]
    document = lay("poker", items, style=replace(STYLE, cut="shared"))
    assert [sheet.side for sheet in document.sheets] == ["front", "back", "front", "back"]
    assert not document.sheets[3].placements
    assert "left white" in document.sheets[3].title


def test_without_any_back_no_back_page_is_printed() -> None:
    assert [sheet.side for sheet in lay("poker", deck(3, back=False)).sheets] == ["front"]


def test_documents_gather_formats_and_number_their_sheets() -> None:
    stacks = [(FORMATS[name], deck(60)) for name in ("token20", "token30")]
    stacks.append((FORMATS["poker"], deck(3)))
    tokens, cards = impose("Test Game", stacks, PAPERS["a4"], "none", STYLE)
    assert (tokens.name, cards.name) == ("tokens", "cards")
    assert [sheet.name for sheet in tokens.sheets] == [f"tokens-0{n}-front" for n in (1, 2, 3)]
    assert [sheet.title for sheet in tokens.sheets] == [
        "Test Game · 20 mm discs · sheet 1 of 3 · front · A4 · print at 100 %",
        "Test Game · 30 mm discs · sheet 2 of 3 · front · A4 · print at 100 %",
        "Test Game · 30 mm discs · sheet 3 of 3 · front · A4 · print at 100 %",
    ]


def test_a_standee_has_its_faces_head_to_head_at_the_fold() -> None:
    sheet = lay("standee-25x60", [Item("marker/active", "front 0", "back 0")]).sheets[0]
    back, front = sheet.placements
    assert (front.face, back.face) == ("front 0", "back 0")
    # Folding at the ridge carries the head of the one onto the head of the other, and left onto right.
    for u in (0.0, 1.0):
        assert corner(front, u, 0.0) == pytest.approx(corner(back, 1 - u, 0.0), abs=TOLERANCE)
    text = to_text(DisplayList(sheet.w, sheet.h, 0, list(sheet.marks)))
    assert "layer fold" in text
    assert sheet.side == "front" and len(sheet.placements) == 2


def test_a_standee_without_a_back_shows_its_front_twice() -> None:
    sheet = lay("standee-25x60", [Item("marker/active", "front 0")]).sheets[0]
    assert [placed.face for placed in sheet.placements] == ["front 0", "front 0"]


@pytest.mark.parametrize("fmt", ["token20", "token30", "hex40"])
def test_discs_and_hexes_lie_in_a_grid_that_straight_cuts_follow(fmt: str) -> None:
    sheet = lay(fmt, deck(50)).sheets[0]
    columns, rows = (
        {round(value, 3) for value in values}
        for values in ([p.x for p in sheet.placements], [p.y for p in sheet.placements])
    )
    assert len(columns) * len(rows) >= len(sheet.placements)
    for low, high in pairwise(sorted(columns)):
        assert high - low >= FORMATS[fmt].w + 2 * STYLE.bleed - 1e-6
    cuts = {round(x, 2) for x in columns} | {round(x + FORMATS[fmt].w, 2) for x in columns}
    assert cuts <= {
        round(float(x), 2)
        for x in re.findall(r"M([-\d.]+) [-\d.]+L\1 ", to_text(DisplayList(1, 1, 0, list(sheet.marks))))
    }


def test_a_cutting_machine_gets_discs_in_staggered_rows() -> None:
    from msgspec.structs import replace

    plan = find_plan(FORMATS["token20"], PAPERS["a4"], replace(STYLE, cut="machine"), "long", 90)
    assert plan is not None
    square = find_plan(FORMATS["token20"], PAPERS["a4"], STYLE, "long", 90)
    assert square is not None and plan.holds > square.holds
    sheet = lay("token20", deck(90), style=replace(STYLE, cut="machine")).sheets[0]
    assert len({round(p.x, 2) for p in sheet.placements}) > 8


def test_without_room_beside_a_fold_backs_get_sheets_of_their_own() -> None:
    document = lay("a5-wide", deck(2), "a4", "gutterfold")
    assert [sheet.placements[0].face for sheet in document.sheets] == ["front 0", "back 0", "front 1", "back 1"]
    assert document.leaves == 4 and document.pieces == 2
    assert all(sheet.placements[0].window is None for sheet in document.sheets)
    assert "backs, to be glued on" in document.sheets[1].title


def test_what_does_not_fit_is_refused_in_words() -> None:
    huge = Format(title="giant discs", file="x", shape="circle", w=500, h=500, bleed=2, safe=2)
    with pytest.raises(ImposeError, match="giant discs: 500 x 500 mm do not fit on A4"):
        impose("Test Game", [(huge, deck(1))], PAPERS["a4"], "none", STYLE)


def round_pieces_apart(a: Placement, b: Placement) -> bool:
    middle = math.hypot(a.x + a.w / 2 - b.x - b.w / 2, a.y + a.h / 2 - b.y - b.h / 2)
    return middle >= a.w + min(a.bleed) + min(b.bleed) - 1e-6


def ends(outline: str) -> Box:
    """The box around a closed path."""
    numbers = {axis: [] for axis in "xy"}
    for letter, words in re.findall(r"([MLHVC])([-\d. ]*)", outline):
        values = [float(word) for word in words.split()]
        if letter == "H":
            numbers["x"] += values
        elif letter == "V":
            numbers["y"] += values
        else:
            numbers["x"] += values[0::2]
            numbers["y"] += values[1::2]
    x, y = min(numbers["x"]), min(numbers["y"])
    return Box(x, y, max(numbers["x"]) - x, max(numbers["y"]) - y)


@pytest.mark.parametrize("backs", MODES)
@pytest.mark.parametrize("fmt", ["poker", "tile30", "a5", "token20", "hex40"])
def test_every_piece_has_a_cut_line_on_the_front(fmt: str, backs: Backs) -> None:
    for sheet in lay(fmt, deck(3), backs=backs).sheets:
        wanted = [p.trim for p in sheet.placements if not p.reverse] if sheet.side == "front" else []
        for outline, trim in zip(sheet.outlines, wanted, strict=True):
            path = cut_line(outline)
            box = ends(path)
            assert (box.x, box.y, box.w, box.h) == pytest.approx((trim.x, trim.y, trim.w, trim.h), abs=0.01)
            assert path.endswith("Z") and (("C" in path) == (fmt not in ("a5", "hex40")))


def test_the_cut_line_of_a_standee_runs_round_both_faces_and_its_feet() -> None:
    (sheet,) = lay("standee-25x60", deck(1)).sheets
    (outline,) = (ends(cut_line(line)) for line in sheet.outlines)
    assert sorted((outline.w, outline.h)) == pytest.approx([25, 2 * (60 + 12)])
    assert all(outline.holds(placed.trim, slack=0.01) for placed in sheet.placements)


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(["poker", "token20", "token30", "hex40", "a6", "tile70", "chit20", "standee-25x60", "mini"]),
    st.sampled_from(["a4", "letter", "a3", "a5"]),
    st.sampled_from(MODES),
    st.lists(st.integers(0, 7), min_size=1, max_size=9),
    st.sampled_from(["auto", "gutter", "shared", "machine"]),
)
def test_every_copy_lies_once_inside_the_paper_and_beside_the_others(
    fmt: str, paper: str, backs: Backs, copies: list[int], cut: str
) -> None:
    from msgspec.structs import replace

    items = [Item(f"deck/{n}", f"front {n}", f"back {n}", many) for n, many in enumerate(copies)]
    documents = impose(
        "Test Game",
        [(FORMATS[fmt], items)],
        PAPERS[paper],
        backs,
        replace(STYLE, cut=cut),
    )
    placed = Counter(p.face for d in documents for sheet in d.sheets for p in sheet.placements if not p.reverse)
    assert placed == {f"front {n}": many for n, many in enumerate(copies) if many}
    margin = PAPERS[paper].margin
    for sheet in (sheet for d in documents for sheet in d.sheets):
        printable = Box(margin, margin, sheet.w - 2 * margin, sheet.h - 2 * margin)
        assert printable.holds(sheet.bleed)
        for p in sheet.placements:
            assert sheet.trim.holds(p.trim) and sheet.bleed.holds(p.seen)
        for a, b in combinations(sheet.placements, 2):
            if a.clip == "rect":
                assert not overlap(a.seen, b.trim) and not overlap(a.trim, b.seen)
            else:
                assert round_pieces_apart(a, b)


@pytest.mark.parametrize("backs", MODES)
def test_one_sheet_of_each_kind_as_text(backs: Backs, golden: Callable[[str, str], None]) -> None:
    document = lay("poker", deck(2), "letter", backs)
    golden(f"sheets/poker-letter-{backs}.txt", "\n".join(map(described, document.sheets)))


def test_a_sheet_of_discs_and_one_of_standees_as_text(golden: Callable[[str, str], None]) -> None:
    discs = lay("token30", deck(3), "a4")
    golden("sheets/token30-a4-long.txt", "\n".join(map(described, discs.sheets)))
    standees = lay("standee-25x60", deck(1), "a4")
    golden("sheets/standee-a4.txt", "\n".join(map(described, standees.sheets)))


def described(sheet: Sheet) -> str:
    """A sheet as text: a line for each placement and each operation of its marks."""

    def box(b: Box) -> str:
        return f"{b.x:.2f} {b.y:.2f} {b.w:.2f} x {b.h:.2f}"

    lines = [f"{sheet.name}: {sheet.w:g} x {sheet.h:g} {sheet.side}; trim {box(sheet.trim)}; bleed {box(sheet.bleed)}"]
    for p in sheet.placements:
        bleed = " ".join(f"{b:g}" for b in p.bleed)
        turn = f" turn {p.turn}" if p.turn else ""
        lines.append(f"  {p.face} at {box(p.trim)}{turn} bleed {bleed} {p.clip}{' reverse' if p.reverse else ''}")
    return "\n".join(lines) + "\n" + to_text(DisplayList(sheet.w, sheet.h, 0, list(sheet.marks)))
