"""Texts as shapes: where each glyph of a text operation lies, and operations with their texts made into paths."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from generator.faces import svgpath
from generator.faces.display import POP, Op, PathOp, Push, TextOp
from generator.faces.fonts import EM, FontBook


def glyph_places(op: TextOp, fonts: FontBook) -> Iterator[tuple[str, float]]:
    """Each character of a text with the `x` (mm) at which it stands."""
    font = fonts[op.font]
    kerns = dict(op.kerns)
    x = op.x
    for i, char in enumerate(op.text):
        yield char, x
        x += font.advance(char) * op.size + op.tracking + kerns.get(i, 0.0)


def as_path(op: TextOp, fonts: FontBook) -> PathOp:
    """A text as one filled path, exact to 0.01 mm. Raises FontError."""
    font = fonts[op.font]
    parts: list[svgpath.Segment] = []
    for char, x in glyph_places(op, fonts):
        parts += svgpath.transform(font.outline(char), (op.size, 0.0, 0.0, op.size, x, op.y))
    return PathOp(d=svgpath.to_d(parts, 2), fill=op.colour)


def outlined(ops: Iterable[Op], fonts: FontBook) -> list[Op]:
    """The operations with the shapes of its glyphs in the place of each text. A glyph is the same path, in thousandths
    of its em, wherever it stands, so that a document keeps it once. Raises FontError."""
    found: list[Op] = []
    for op in ops:
        if not isinstance(op, TextOp):
            found.append(op)
            continue
        scale, font = op.size / EM, fonts[op.font]
        for char, x in glyph_places(op, fonts):
            shape = font.shape(char)
            if shape:
                found += (Push((scale, 0.0, 0.0, scale, x, op.y)), PathOp(d=shape, fill=op.colour), POP)
    return found
