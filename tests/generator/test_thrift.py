"""Fewer sheets: pieces turned beside upright ones, decks side by side or by themselves, standees foot to foot."""

from __future__ import annotations

from itertools import combinations, pairwise

import pytest
from sheetkit import assert_lands, behind, overlap

from generator.paper.formats import load_formats, load_papers
from generator.sheets.impose import Document, Item, impose
from generator.sheets.marks import load_style
from generator.sheets.sheets import Backs, Placement, Sheet

FORMATS = load_formats()
A4 = load_papers()["a4"]
STYLE = load_style()


def laid(counts: dict[str, list[Item]], backs: Backs = "long") -> Document:
    (document,) = impose("Test Game", [(FORMATS[fmt], items) for fmt, items in counts.items()], A4, backs, STYLE)
    return document


def cards(back: str, count: int) -> list[Item]:
    """A deck: unlike fronts, one back."""
    return [Item(f"{back}/{n}", f"front {back} {n}", back) for n in range(count)]


def gap(a: Placement, b: Placement) -> float:
    """How far apart two pieces are that lie beside or below each other."""
    return max(b.x - a.trim.right, a.x - b.trim.right, b.y - a.trim.bottom, a.y - b.trim.bottom)


def assert_apart(sheet: Sheet) -> None:
    for a, b in combinations(sheet.placements, 2):
        assert not overlap(a.seen, b.seen)
        assert a.face == b.face or gap(a, b) >= 6 - 1e-6, "unlike backs lie closer than their whole bleed"
    printable = [A4.margin, sheet.w - A4.margin, A4.margin, sheet.h - A4.margin]
    for seen in (placed.seen for placed in sheet.placements):
        assert printable[0] <= seen.x and seen.right <= printable[1]
        assert printable[2] <= seen.y and seen.bottom <= printable[3]


@pytest.mark.parametrize("backs", ["long", "short"])
def test_some_pieces_are_turned_where_a_sheet_holds_more_of_them(backs: Backs) -> None:
    document = laid({"tarot": [Item("general/one", "front", "back", 15)]}, backs)
    assert document.leaves == 3, "four upright cards are not as many as three and two turned ones"
    for front, back in zip(document.sheets[::2], document.sheets[1::2], strict=True):
        assert {placed.turn for placed in front.placements} == {0, 90} and len(front.placements) == 5
        assert_apart(back)
        assert min(side for placed in front.placements for side in placed.bleed) >= STYLE.bleed_min - 1e-6
        for ours, theirs in zip(front.placements, back.placements, strict=True):
            assert_lands(ours, theirs, lambda spot, sheet=front: behind(sheet, spot, backs))  # type: ignore[misc]


def test_a_sheet_whose_turned_pieces_are_missing_is_cut_like_any_other() -> None:
    document = laid({"tarot": [Item("general/one", "front", "back", 13)]})
    assert [len(sheet.placements) for sheet in document.sheets[::2]] == [5, 5, 3]


def test_wide_cards_of_two_decks_lie_side_by_side_with_their_whole_bleed_between_them() -> None:
    document = laid({"horde94": [*cards("red", 5), *cards("blue", 5), *cards("green", 2)]})
    assert document.leaves == 2
    for sheet in document.sheets[1::2]:
        assert_apart(sheet)


def test_whole_rows_of_decks_lie_close_and_what_remains_of_them_mixes() -> None:
    decks = {"a": 24, "b": 14, "c": 12, "d": 12, "e": 12, **{f"six {n}": 6 for n in range(5)}}
    decks |= {f"five {n}": 5 for n in range(7)}
    aids = [Item(f"aid/{n}", f"front {n}", f"back {n}") for n in range(16)]
    document = laid({"poker": [*(card for back, count in decks.items() for card in cards(back, count)), *aids]})
    assert document.pieces == 155 and document.leaves == 18, "eight to a sheet they are 20, each deck by itself 19"
    for sheet in document.sheets[1::2]:
        assert_apart(sheet)


def test_standees_stand_foot_to_foot_and_equal_ones_come_closer() -> None:
    workers = [Item(f"worker/{n}", f"front {n}", f"front {n}", 12) for n in range(5)]
    nomads = [Item(f"nomad/{n}", f"rider {n}", f"rider {n}") for n in range(4)]
    document = laid({"standee-12x20": workers, "standee-18x26": nomads})
    assert document.leaves == 1 and document.pieces == 64
    (sheet,) = document.sheets
    for a, b in combinations(sheet.placements, 2):
        assert not overlap(a.seen, b.seen) or a.piece == b.piece
    flat = {round(line.slot.x, 3) for line in sheet.outlines if line.slot.w == 48}
    steps = [b - a for a, b in pairwise(sorted(flat))]
    assert steps == pytest.approx([48, 48, 48]), "each foot meets the next"
