"""Pictures of the table in a rulebook."""

from __future__ import annotations

from dataclasses import replace

import msgspec

from components.bookmodel import Figure
from components.scene import Played, Scene
from generator.book.callouts import beside, margin
from generator.book.flow import Block
from generator.book.setter import Setter
from generator.book.shapes import round_box
from generator.book.told import Artist
from generator.faces.display import POP, DisplayList, Op, PathOp, Push
from generator.faces.richtext import plain

MOST = 0.62
"""A picture of the table takes no more than this part of a page's height."""


def scene_ops(setter: Setter, picture: DisplayList, scale: float, x: float, y: float, alt: str) -> list[Op]:
    """A picture of the table, smaller, with round corners; `alt`: what it shows, in words."""
    clip = round_box(0, 0, picture.w, picture.h, 1.4 / scale)
    edge = PathOp(d=clip, stroke=setter.kit.colour(setter.own.rule_colour), width=0.2 / scale)
    placing = (scale, 0.0, 0.0, scale, x, y)
    return [Push(placing, clip=clip, role="Figure", alt=alt), *picture.ops, POP, Push(placing), edge, POP]


def figure_block(setter: Setter, figure: Figure, artist: Artist, width: float) -> Block:
    """A picture of the table, its call-outs beside it, with words below it."""
    scene, calls = bare(figure.scene, figure.scene.table), figure.scene.calls
    aside = margin(calls, figure.aside)
    drawing = setter.drawing(
        artist,
        msgspec.structs.replace(scene, beside=bool(calls)),
        width - 2 * aside,
        figure.height or setter.height * MOST,
    )
    picture = drawing.drawn
    framed = scene.ground != "none"
    alt = plain(figure.scene.title or figure.scene.caption) or "A picture of the table"

    def made(size: float) -> Block:
        scale = min((width - 2 * aside) / picture.w, size)
        w, h = picture.w * scale, picture.h * scale
        x = (width - w) / 2
        called = [tuple(value * scale for value in box) for box in drawing.called]
        said, above, below = beside(setter, calls, called, (w, h), aside) if calls else ([], 0.0, 0.0)  # type: ignore[arg-type]
        placing = (scale, 0.0, 0.0, scale, x, above)
        if framed:
            ops = scene_ops(setter, picture, scale, x, above, alt)
        else:
            ops = [Push(placing, role="Figure", alt=alt), *picture.ops, POP]
        ops += [Push((1.0, 0.0, 0.0, 1.0, x, above)), *said, POP]
        high = above + h + below
        if figure.scene.caption:
            words = setter.text(setter.marked(figure.scene.caption), "book-small", width, y=high + 2.0)
            ops += words.ops
            high += 2.0 + words.height
        return Block(high, tuple(ops), before=3.0, floats=True)

    return replace(made(1.0), sized=made)


def bare(scene: Scene, table: Played | None) -> Scene:
    """A scene of the book upon a table; its caption is set by the book."""
    return msgspec.structs.replace(scene, table=table, caption="")
