"""Pictures of pieces in a rulebook: side by side, and what is in the box."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import msgspec

from components.bookmodel import BoxItem, Pictured
from components.model import BASE, ResolvedGame, ResolvedPiece
from components.phrasing import count
from generator.book.flow import Block
from generator.book.setter import Face, Setter
from generator.faces.display import POP, Op, Push
from generator.faces.richtext import plain

BETWEEN = 4.0
"""Between pieces in a row."""
TOGETHER = 0.6
"""Rows that are no higher than this part of a page stay on one page."""
WIDER = 1.2
"""A picture of what is in the box grows no wider than this, so that there is room for the words beside it."""


def pictured(setter: Setter, pictures: Sequence[Pictured], width: float) -> Iterator[Block]:
    """Pieces side by side, words below each: in as few rows as there is room for, each with as many as the others."""
    found = [(p, face) for p in pictures if (face := setter.face(p.piece, unprinted=True)) is not None]
    sizes = [
        min((picture.height or face.h) / face.h, width / face.w, _room(setter) / face.h) for picture, face in found
    ]
    shown = [_Shown(face, size, picture.caption) for (picture, face), size in zip(found, sizes, strict=True)]
    rows = len(_rows(shown, width))
    for smaller in (0.95, 0.9, 0.85, 0.8):
        less = _sized(shown, smaller)
        if len(_rows(less, width)) < rows:
            shown, rows = less, len(_rows(less, width))
            break
    together = replace(_together(setter, shown, width, 1.0), sized=lambda size: _together(setter, shown, width, size))
    if together.height <= TOGETHER * setter.height:
        yield together
        return
    made = _evenly(shown, rows, width)
    most = max(1.0, min((_larger(setter, row, width) for row in made), default=1.0))
    for row in made:

        def larger(size: float, row: Sequence[_Shown] = row) -> Block:
            return _row(setter, _sized(row, min(size, most)), width)

        yield replace(_row(setter, row, width), sized=larger)


class _Shown(msgspec.Struct, frozen=True):
    """A piece in a row: how large, and the words below it."""

    face: Face
    scale: float
    caption: str

    @property
    def wide(self) -> float:
        return max(self.face.w * self.scale, 16.0 if self.caption else 0.0)


def _row_width(row: Sequence[_Shown]) -> float:
    return sum(one.wide for one in row) + BETWEEN * (len(row) - 1)


def _rows(shown: Sequence[_Shown], width: float) -> list[list[_Shown]]:
    """Rows with as many pieces as there is room for."""
    rows: list[list[_Shown]] = []
    for one in shown:
        if rows and _row_width([*rows[-1], one]) <= width + 1e-6:
            rows[-1].append(one)
        else:
            rows.append([one])
    return rows


def _evenly(shown: Sequence[_Shown], rows: int, width: float) -> list[list[_Shown]]:
    """The same number of rows with like numbers of pieces, where they fit so."""
    made, n = [], 0
    for row in range(rows):
        many = -(-(len(shown) - n) // (rows - row))
        made.append(list(shown[n : n + many]))
        n += many
    return made if all(_row_width(row) <= width + 1e-6 for row in made) else _rows(shown, width)


def _room(setter: Setter) -> float:
    """A piece is no higher than this: a heading stands above it."""
    return max(setter.height - 20.0, 10.0)


def _larger(setter: Setter, row: Sequence[_Shown], width: float) -> float:
    """The factor by which the pieces of a row can grow."""
    gaps = BETWEEN * (len(row) - 1)
    highest = min(_room(setter) / (one.face.h * one.scale) for one in row)
    return min((width - gaps) / (_row_width(row) - gaps), highest)


def _sized(shown: Sequence[_Shown], size: float) -> list[_Shown]:
    """The pieces so many times as large."""
    return [msgspec.structs.replace(one, scale=one.scale * size) for one in shown]


def _together(setter: Setter, shown: Sequence[_Shown], width: float, size: float) -> Block:
    """All pieces in one block, in as many rows as they take in that size."""
    larger = min(size, max(1.0, min(_larger(setter, [one], width) for one in shown))) if shown else 1.0
    sized = _sized(shown, larger)
    ops: list[Op] = []
    y = 0.0
    for row in _evenly(sized, len(_rows(sized, width)), width):
        made = _row(setter, row, width)
        y += made.before if y else 0.0
        ops += [Push((1.0, 0.0, 0.0, 1.0, 0.0, y)), *made.ops, POP]
        y += made.height
    return Block(y, tuple(ops), before=3.0, floats=True)


def _row(setter: Setter, row: Sequence[_Shown], width: float) -> Block:
    """Pieces on one line in the middle of the width."""
    tall = max(one.face.h * one.scale for one in row)
    ops: list[Op] = []
    low = 0.0
    x = (width - _row_width(row)) / 2
    for one in row:
        left = x + (one.wide - one.face.w * one.scale) / 2
        ops += setter.placed(one.face, one.scale, left, tall - one.face.h * one.scale)
        if one.caption:
            text = setter.text(setter.marked(one.caption), "book-small", one.wide, x=x, y=tall + 1.8, align="center")
            ops += text.ops
            low = max(low, 1.8 + text.height)
        x += one.wide + BETWEEN
    return Block(tall + low, tuple(ops), before=3.0, floats=True)


def box_blocks(setter: Setter, items: Sequence[BoxItem]) -> Iterator[Block]:
    """The contents of the box, two side by side: a picture, the number, the name, the purpose."""
    wide, tall = setter.design.box_picture
    listed = [(item, counted(setter.game, item)) for item in items]
    listed = [(item, pieces) for item, pieces in listed if pieces]
    columns = min(2, len(listed))
    for item, pieces in listed:
        drawn = [found for name in item.show or [f"{pieces[0].set}/{pieces[0].id}"] if (found := setter.face(name))]

        def made(
            size: float, item: BoxItem = item, pieces: list[ResolvedPiece] = pieces, drawn: list[Face] = drawn
        ) -> Block:
            return _box_item(setter, item, pieces, drawn, columns, (wide * min(size, WIDER), tall * size))

        yield replace(made(1.0), sized=made)


def counted(game: ResolvedGame, item: BoxItem) -> list[ResolvedPiece]:
    """The printed pieces of an item: of the module that it names, else of the base game, if that has any of them."""
    pieces = [piece for piece in game.pieces if piece.set in item.sets and piece.copies]
    module = item.module or BASE
    return [piece for piece in pieces if piece.module == module] or ([] if item.module else pieces)


def _box_item(
    setter: Setter,
    item: BoxItem,
    pieces: Sequence[ResolvedPiece],
    drawn: Sequence[Face],
    columns: int,
    picture: tuple[float, float],
) -> Block:
    """A picture of that width and height, how many pieces there are, what they are called, what they are for."""
    wide, tall = picture
    width = setter.width(columns)
    number = sum(piece.copies for piece in pieces)
    ops: list[Op] = _heap(setter, drawn, wide, tall)
    x = wide + 3.4
    total = setter.text(str(number), "book-count", 16.0, x=x, colour=setter.own.accent_colour)
    named = f"**{setter.marked(item.title) or plain(pieces[0].set_title)}**"
    beside = x + total.width + 2.0
    title = setter.text(named, "book-text", width - beside, x=beside, y=0.6)
    y = max(total.height, title.height) + 1.5
    said = item.text or _named(pieces)
    text = setter.text(setter.marked(said), "book-small", width - x, x=x, y=y)
    ops += [*total.ops, *title.ops, *text.ops]
    anchors = tuple(f"set:{name}" for name in item.sets)
    return Block(max(tall, y + text.height), tuple(ops), before=3.4, anchors=anchors, columns=columns)


def _named(pieces: Sequence[ResolvedPiece]) -> str:
    """The pieces of a set by their names, where they are few."""
    names = [f"{p.name}{f' ×{p.copies}' if p.copies > 1 else ''}" for p in pieces]
    if len(names) == 1:
        return ""
    return ", ".join(plain(name) for name in names) if len(names) <= 12 else f"{count(len(names), 'kind')}."


def _heap(setter: Setter, drawn: Sequence[Face], wide: float, tall: float) -> list[Op]:
    """Pieces in a box of `wide` x `tall` mm, one over the other."""
    if not drawn:
        return []
    n = len(drawn)
    shift = 0.0 if n == 1 else min(0.34, 0.8 / (n - 1))
    largest_w = max(face.w for face in drawn)
    largest_h = max(face.h for face in drawn)
    total_w, total_h = largest_w * (1 + shift * (n - 1)), largest_h * (1 + 0.12 * (n - 1))
    scale = min(wide / total_w, tall / total_h, 1.0)
    left, top = (wide - total_w * scale) / 2, (tall - total_h * scale) / 2
    ops: list[Op] = []
    for i, face in enumerate(drawn):
        x = left + (largest_w * shift * i + (largest_w - face.w) / 2) * scale
        y = top + (largest_h * 0.12 * i + (largest_h - face.h) / 2) * scale
        ops += setter.placed(face, scale, x, y)
    return ops
