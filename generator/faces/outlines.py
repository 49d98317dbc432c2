"""Texts as shapes: where each glyph of a text operation lies, and operations with their texts made into paths."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from generator.faces.display import Op, PathOp, TextOp
from generator.faces.fonts import FontBook


def glyph_places(op: TextOp, fonts: FontBook) -> Iterator[tuple[str, float]]:
    """Each character of a text with the `x` (mm) at which it stands."""
    font = fonts[op.font]
    kerns = dict(op.kerns)
    x = op.x
    for i, char in enumerate(op.text):
        yield char, x
        x += font.advance(char) * op.size + op.tracking + kerns.get(i, 0.0)


def outlined(ops: Iterable[Op], fonts: FontBook) -> list[Op]:
    """The operations with one filled path, exact to 0.01 mm, in the place of each text. Raises FontError."""
    return [_shape(op, fonts) if isinstance(op, TextOp) else op for op in ops]


def _shape(op: TextOp, fonts: FontBook) -> PathOp:
    size, y, font = op.size, op.y, fonts[op.font]
    parts: list[str] = []
    for char, x in glyph_places(op, fonts):
        form, numbers = font.drawn(char)
        at = (x, y)
        parts.append(form % tuple([value * size + at[n & 1] for n, value in enumerate(numbers)]))
    return PathOp(d="".join(parts), fill=op.colour)
