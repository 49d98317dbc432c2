"""Pictures of the table in a rulebook."""

from __future__ import annotations

from dataclasses import replace

import msgspec

from components.bookmodel import Figure
from components.scene import Played, Scene
from generator.book.flow import Block
from generator.book.setter import Setter
from generator.book.shapes import round_box
from generator.book.told import Artist
from generator.faces.display import POP, DisplayList, Op, PathOp, Push

MOST = 0.62
"""A picture of the table takes no more than this part of a page's height."""


def scene_ops(setter: Setter, picture: DisplayList, scale: float, x: float, y: float) -> list[Op]:
    """A picture of the table, smaller, with round corners."""
    clip = round_box(0, 0, picture.w, picture.h, 1.4 / scale)
    edge = PathOp(d=clip, stroke=setter.kit.colour(setter.own.rule_colour), width=0.2 / scale)
    placing = (scale, 0.0, 0.0, scale, x, y)
    return [Push(placing, clip=clip), *picture.ops, POP, Push(placing), edge, POP]


def figure_block(setter: Setter, figure: Figure, artist: Artist, width: float) -> Block:
    """A picture of the table with words below it."""
    picture = setter.drawing(
        artist, bare(figure.scene, figure.scene.table), width, figure.height or setter.height * MOST
    )

    def made(size: float) -> Block:
        scale = min(width / picture.w, size)
        high = picture.h * scale
        ops = scene_ops(setter, picture, scale, (width - picture.w * scale) / 2, 0.0)
        if figure.scene.caption:
            words = setter.text(setter.marked(figure.scene.caption), "book-small", width, y=high + 2.0)
            ops += words.ops
            high += 2.0 + words.height
        return Block(high, tuple(ops), before=3.0, floats=True)

    return replace(made(1.0), sized=made)


def bare(scene: Scene, table: Played | None) -> Scene:
    """A scene of the book upon a table; its caption is set by the book."""
    return msgspec.structs.replace(scene, table=table, caption="")
