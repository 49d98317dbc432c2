"""Anchors: the named places of a face where pieces lie, gathered from what was drawn."""

from __future__ import annotations

import math
from collections.abc import Sequence

from generator.faces.display import IDENTITY, Anchor, Matrix, Op, Place, Pop, Push
from generator.faces.faults import Fault
from generator.faces.svgpath import multiply

LAYS = ("spread", "row", "column", "pile", "fan")
"""The arrangements of several pieces at an anchor."""


def take_anchors(ops: Sequence[Op]) -> tuple[list[Op], dict[str, Anchor]]:
    """The operations without the groups that stand for anchors, and the anchors in mm of the face.

    Raises Fault for two anchors of one name.
    """
    if not any(type(op) is Place for op in ops):
        return list(ops), {}
    kept: list[Op] = []
    anchors: dict[str, Anchor] = {}
    matrices: list[Matrix] = [IDENTITY]
    begun: list[int] = []
    """For each open group where it begins in `kept`; -1 for that of an anchor."""
    bare = False
    """True if an anchor was the last thing met."""
    for op in ops:
        if isinstance(op, Push):
            matrices.append(multiply(matrices[-1], op.matrix))
            begun.append(-1 if isinstance(op, Place) else len(kept))
            if isinstance(op, Place):
                if op.name in anchors:
                    raise Fault("LAY-002", f"two anchors are called '{op.name}'", "give each its own name")
                anchors[op.name] = _anchor(op, matrices[-1])
            else:
                kept.append(op)
                bare = False
        elif isinstance(op, Pop):
            matrices.pop()
            start = begun.pop()
            if start < 0:
                bare = True
            elif bare and start == len(kept) - 1:
                kept.pop()  # a group with nothing but anchors in it
            else:
                kept.append(op)
        else:
            kept.append(op)
            bare = False
    return kept, anchors


def _anchor(op: Place, matrix: Matrix) -> Anchor:
    a, b, c, d, x, y = matrix
    _, _, w, h = op.box
    x, y, w, h = (round(v, 3) + 0.0 for v in (x, y, w * math.hypot(a, b), h * math.hypot(c, d)))
    return Anchor(x, y, w, h, round(math.degrees(math.atan2(b, a)), 3) + 0.0, op.lay)
