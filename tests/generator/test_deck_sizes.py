"""A style with one size for a whole deck: no card of it says its words smaller than another."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from facekit import THEME, game, items, layouts_in, piece, project

from generator.build.facecache import FaceCache, FaceKeys
from generator.faces.display import TextOp
from generator.faces.facemaker import FaceMaker

ALIKE = THEME.replace("  body: {font: sans, size: 8.5,", "  body: {font: sans, size: 8.5, deck: true,")
TEXT = items('text: {box: [5, 5, 50, 14], style: body, value: "{{ piece.text }}"}')
COLUMN = items('column: {box: [5, 5, 50, 14], texts: [{style: body, value: "{{ piece.text }}"}]}')
LONG = "Look at the top five cards of the deck, keep two of them and put the others back in any order. " * 2
CARDS = (piece(id="short", name="Short", text="Draw a card."), piece(id="long", name="Long", text=LONG))
OTHER = piece(id="other", name="Other", text="Draw two cards.", set="elsewhere")
GAME = game(pieces=[*CARDS, OTHER])


def sizes(made: FaceMaker, *pieces: object) -> list[set[float]]:
    return [{op.size for op in made.front(one).ops if isinstance(op, TextOp)} for one in pieces]  # type: ignore[arg-type]


@pytest.mark.parametrize("card", [TEXT, COLUMN])
def test_all_cards_of_a_deck_have_the_size_of_the_fullest(card: str, tmp_path: Path) -> None:
    made = layouts_in(project(tmp_path, card, theme=ALIKE)).faces(GAME)
    short, long, other = sizes(made, *CARDS, OTHER)
    assert short == long and len(short) == 1
    assert min(other) > min(short)  # another deck has its own size


def test_without_it_every_card_has_its_own_size(tmp_path: Path) -> None:
    short, long = sizes(layouts_in(project(tmp_path, TEXT)).faces(GAME), *CARDS)
    assert min(short) > min(long)


def test_a_card_is_drawn_again_when_another_of_its_deck_changes(tmp_path: Path) -> None:
    layouts = layouts_in(project(tmp_path, TEXT, theme=ALIKE))
    shorter = msgspec.structs.replace(GAME, pieces=[CARDS[0], msgspec.structs.replace(CARDS[1], text="Pass."), OTHER])
    changed = msgspec.structs.replace(GAME, pieces=[*CARDS, msgspec.structs.replace(OTHER, text="Pass.")])
    base, deck, other = (
        FaceKeys(of, layouts, "program", "normal", FaceCache(None, tmp_path)).key(CARDS[0], "card")
        for of in (GAME, shorter, changed)
    )
    assert base != deck and base == other
