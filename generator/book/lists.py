"""Lists in a rulebook: things to remember, icons with what they mean, cards with their texts, the glossary."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from components.bookmodel import Sign
from generator.book.flow import Block
from generator.book.indexing import human
from generator.book.setter import Setter
from generator.faces.display import Op, PathOp
from generator.faces.richtext import plain

ICON = 8.0
"""Height and width of an icon in the key, mm."""
HEADED = 20.0
"""Room that the heading of a key takes from its page, mm."""
TERM = "term:"
"""Begins the anchor of a term of the glossary."""


def point_blocks(setter: Setter, points: Sequence[str], width: float, style: str) -> Iterator[Block]:
    """Things to remember, each with a mark before it."""
    accent = setter.kit.colour(setter.own.accent_colour)
    for point in points:
        text = setter.text(setter.marked(point), style, width - 5.0, x=5.0)
        mark = PathOp(d="M0.6 0.3L2.6 1.4L0.6 2.5Z", fill=accent)
        yield Block(text.height, (mark, *text.ops), before=2.2, links=setter.cited(text.ops))


def key_blocks(setter: Setter, signs: Sequence[Sign], columns: int) -> list[Block]:
    """Icons (or pieces) with what they mean, on one page where a page can hold them."""
    made = list(_sign_blocks(setter, signs, columns))
    if made:
        tall = sum(block.before + block.height for block in made) / columns + ICON  # columns differ by an icon at most
        made[0] = replace(made[0], keep=min(tall, setter.height - HEADED) - made[0].height)
    return made


def _sign_blocks(setter: Setter, signs: Sequence[Sign], columns: int) -> Iterator[Block]:
    width = setter.width(columns)
    accent, ground = setter.kit.colour(setter.own.accent_colour), setter.kit.colour(setter.own.panel_colour)
    for sign in signs:
        ops: list[Op] = []
        wide = ICON
        if sign.icon:
            ops += setter.kit.icon(sign.icon, 0.0, 0.0, ICON, setter.kit.colour("ink"), accent, ground)
        elif sign.piece:
            face = setter.face(sign.piece, unprinted=True)
            if face is None:
                continue
            scale = min(ICON * 1.5 / face.w, ICON * 1.25 / face.h)
            wide = max(ICON, face.w * scale)
            ops += setter.placed(face, scale, (wide - face.w * scale) / 2, 0.0)
            wide = max(wide, ICON)
        high = ICON if sign.icon or not sign.piece else face.h * scale  # type: ignore[union-attr]
        text = setter.text(setter.marked(sign.text), "book-small", width - wide - 2.6, x=wide + 2.6)
        lower = max(0.0, (high - text.height) / 2)
        ops += setter.moved(text.ops, 0.0, lower)
        tall = max(high, text.height)
        yield Block(tall, tuple(ops), before=2.0, columns=columns, links=setter.cited(text.ops, 0.0, lower))


def card_blocks(setter: Setter, lines: Sequence[str], columns: int) -> Iterator[Block]:
    """Pieces with their texts or figures, a line for each."""
    width = setter.width(columns)
    for line in lines:
        text = setter.text(setter.marked(line), "book-fine", width)
        yield Block(text.height, tuple(text.ops), before=1.7, columns=columns, links=setter.cited(text.ops))


def glossary_blocks(setter: Setter, terms: Mapping[str, str], columns: int) -> Iterator[Block]:
    """Terms with what they mean, in the order of the alphabet."""
    width = setter.width(columns)
    for term in sorted(terms, key=human):
        text = setter.text(f"**{plain(term)}**  {setter.marked(terms[term])}", "book-small", width)
        anchors = (f"{TERM}{term.casefold()}",)
        links = setter.cited(text.ops)
        yield Block(text.height, tuple(text.ops), before=1.9, columns=columns, anchors=anchors, links=links)
