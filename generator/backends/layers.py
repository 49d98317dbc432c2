"""The operations of each layer of a drawing, without changing what covers what."""

from __future__ import annotations

from collections.abc import Sequence

from generator.faces import svgpath
from generator.faces.display import DisplayList, ImageOp, Matrix, Op, PathOp, Pop, Push, TextOp

LAYERS = ("art", "text", "marks", "fold", "cut")
"""Layers from the bottom up."""

Bounds = tuple[float, float, float, float]

_UNTURNED: Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)


def split(ops: Sequence[Op], base: str = "art") -> dict[str, list[Op]]:
    """The operations by layer, in drawing order, with the groups around them; layers without any are left out.

    A group's layer counts for all inside. Elsewhere text goes to `text`, unless something drawn later lies over it,
    and the rest to `base`.
    """
    layers = _assign(ops, base)
    return {name: _only(ops, layers, name) for name in LAYERS if name in layers}


def texts(dl: DisplayList) -> str:
    """Everything written on a face, in drawing order."""
    return " ".join(op.text for op in dl.ops if isinstance(op, TextOp))


def _assign(ops: Sequence[Op], base: str) -> list[str]:
    """The layer of each operation; empty for groups, which every layer repeats as needed."""
    layers: list[str] = []
    stack: list[tuple[str, Matrix]] = [("", _UNTURNED)]
    boxes: list[Bounds | None] = []
    for op in ops:
        layer, matrix = stack[-1]
        box: Bounds | None = None
        if isinstance(op, Push):
            stack.append((op.layer or layer, svgpath.multiply(matrix, op.matrix)))
            layers.append("")
        elif isinstance(op, Pop):
            stack.pop()
            layers.append("")
        else:
            layers.append(layer or ("text" if isinstance(op, TextOp) else base))
            box = _bounds(op, matrix)
        boxes.append(box)
    _sink_covered(ops, layers, boxes, base)
    return layers


def _sink_covered(ops: Sequence[Op], layers: list[str], boxes: list[Bounds | None], base: str) -> None:
    """Texts that something in `base` is drawn over stay in `base`."""
    over: list[Bounds] = []
    for i in range(len(ops) - 1, -1, -1):
        box = boxes[i]
        if box is None:
            continue
        if layers[i] == "text":
            left, top, right, bottom = box
            for a, b, c, d in over:  # thousands on a board: no call for each
                if left < c and a < right and top < d and b < bottom:
                    layers[i] = base
                    break
        if layers[i] == base:
            over.append(box)


def _bounds(op: Op, matrix: Matrix) -> Bounds:
    """A box around what is drawn (for text: a generous one)."""
    if isinstance(op, TextOp):
        reach = len(op.text) * (op.size + op.tracking)
        flat = [op.x, op.y - op.size, op.x + reach, op.y + op.size * 0.4]
    elif isinstance(op, ImageOp):
        flat = [op.x, op.y, op.x + op.w, op.y + op.h]
    else:
        assert isinstance(op, PathOp)
        flat = svgpath.numbers(op.d) or [0.0, 0.0]
    half = op.width / 2 if isinstance(op, PathOp) and op.stroke else 0.0
    left, right = min(flat[0::2]) - half, max(flat[0::2]) + half
    top, bottom = min(flat[1::2]) - half, max(flat[1::2]) + half
    a, b, c, d, e, f = matrix
    xs = [a * x + c * y + e for x in (left, right) for y in (top, bottom)]
    ys = [b * x + d * y + f for x in (left, right) for y in (top, bottom)]
    return (min(xs), min(ys), max(xs), max(ys))


def _only(ops: Sequence[Op], layers: list[str], name: str) -> list[Op]:
    """The operations of one layer with their groups; groups that would be empty are left out."""
    kept: list[Op] = []
    waiting: list[Push] = []
    written: list[bool] = []
    for op, layer in zip(ops, layers, strict=True):
        if isinstance(op, Push):
            waiting.append(op)
            written.append(False)
        elif isinstance(op, Pop):
            if written.pop():
                kept.append(op)
            else:
                waiting.pop()
        elif layer == name:
            kept += waiting
            waiting = []
            written = [True] * len(written)
            kept.append(op)
    return kept
