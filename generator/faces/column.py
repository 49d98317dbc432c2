"""Several texts below each other in one box: rules text and flavour, which shrink and grow together."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from generator.faces.display import Op
from generator.faces.faults import Fault
from generator.faces.fonts import FontBook
from generator.faces.text import STEP, IconDrawer, TextBlock, TextBox, TextStyle, layout

Text = tuple[str, TextStyle]


def column(
    texts: Sequence[Text], box: TextBox, gap: float, fonts: FontBook, icon: IconDrawer | None = None
) -> tuple[list[Op], list[float]]:
    """The texts from above, `gap` mm apart, all of them in the box (whose height is given), and the size (pt) of each.

    Their sizes go down from those of their styles together, by quarter points and each to its own floor, until all
    fit. Raises Fault where they do not fit even then.
    """
    assert box.height is not None
    shrunk = 0.0
    while True:
        sizes = [max(_floor(style), style.size - shrunk) for _, style in texts]
        last = all(size <= _floor(style) for size, (_, style) in zip(sizes, texts, strict=True))
        blocks = _set(texts, sizes, box, fonts, icon, last)
        high = sum(block.height for block in blocks) + gap * (len(blocks) - 1)
        if (blocks and high <= box.height + 1e-6) or not texts:
            break
        if last:
            what = f"the texts need {high:.1f} mm at their smallest sizes, the column is {box.height:.1f} mm high"
            raise Fault("LAY-005", what, key="texts")
        shrunk += STEP
    free = box.height - high
    y = box.y + {"top": 0.0, "middle": free / 2, "bottom": free}[box.valign]
    ops: list[Op] = []
    for (value, style), size, block in zip(texts, sizes, blocks, strict=True):
        place = msgspec.structs.replace(box, y=y, height=block.height + STEP, valign="top")
        ops += layout(value, msgspec.structs.replace(style, size=size, min=size), place, fonts, icon).ops
        y += block.height + gap
    return ops, sizes


def _set(
    texts: Sequence[Text], sizes: Sequence[float], box: TextBox, fonts: FontBook, icon: IconDrawer | None, last: bool
) -> list[TextBlock]:
    """The texts in these sizes, however high; none if one of them does not fit the width (a Fault if it is the `last`
    try)."""
    free = msgspec.structs.replace(box, height=None, valign="top")
    try:
        return [
            layout(value, msgspec.structs.replace(style, size=size, min=size), free, fonts, icon)
            for (value, style), size in zip(texts, sizes, strict=True)
        ]
    except Fault as fault:
        if last or fault.code != "LAY-005":
            raise
        return []


def _floor(style: TextStyle) -> float:
    return min(style.min, style.size) or style.size
