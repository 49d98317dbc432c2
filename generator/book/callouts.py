"""Call-outs beside a picture: words or numbers in the margins at both sides, a line from each to what it names."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import msgspec

from components.scene import Call
from generator.book.setter import Setter
from generator.faces.display import Op, PathOp
from generator.faces.text import TextBlock

NUMBERS = 9.5
"""Width of a margin that holds only numbers, mm."""
BEND = 3.4
"""Between the picture and a call-out: here its line goes up or down, so that within the picture every line is level and
none crosses another."""
RADIUS = 2.3
"""Of a number."""
APART = 2.4
"""Between two call-outs, at least."""
GAP = 1.2
"""Between words and their line."""
INTO = 1.6
"""So far a line runs into what it names, at most to its middle."""

Bounds = tuple[float, float, float, float]


class _Said(msgspec.Struct, kw_only=True):
    """One call-out: what it names, its words or number, its height, and where its middle stands."""

    box: Bounds
    words: TextBlock | None
    number: int
    high: float
    y: float


def margin(calls: Sequence[Call], aside: float) -> float:
    """The width of the margins beside a picture with these call-outs, in mm."""
    if not calls:
        return 0.0
    return aside if any(call.text for call in calls) else NUMBERS


def beside(
    setter: Setter, calls: Sequence[Call], called: Sequence[Bounds], size: tuple[float, float], aside: float
) -> tuple[list[Op], float, float]:
    """The call-outs of a picture of that size (mm) whose upper left corner is the origin, in margins `aside` wide; how
    far they reach above it and below it."""
    w, h = size
    ops: list[Op] = []
    above = below = 0.0
    sides: tuple[list[_Said], list[_Said]] = ([], [])
    number = 0
    for call, box in zip(calls, called, strict=True):
        number = call.n or number + 1
        right = call.side == "right" or (call.side != "left" and (box[0] + box[2]) / 2 > w / 2)
        words = None
        if call.text:
            align = "left" if right else "right"
            words = setter.text(setter.marked(call.text), "book-call", aside - GAP - BEND, align=align)
        high = words.height if words else 2 * RADIUS
        sides[right].append(_Said(box=box, words=words, number=number, high=high, y=(box[1] + box[3]) / 2))
    for at_right, said in zip((False, True), sides, strict=True):
        spread(said, h)
        for one in said:
            ops += _drawn(setter, one, at_right, w, aside)
            above = max(above, one.high / 2 - one.y)
            below = max(below, one.y + one.high / 2 - h)
    return ops, above, below


def spread(said: list[_Said], h: float) -> None:
    """Move call-outs of one side apart, each as near to what it names as its neighbours let it be."""
    said.sort(key=lambda one: one.y)
    for _ in range(60):
        moved = False
        for one, other in itertools.pairwise(said):
            lack = (one.high + other.high) / 2 + APART - (other.y - one.y)
            if lack > 0.01:
                one.y, other.y, moved = one.y - lack / 2, other.y + lack / 2, True
        if said and sum(one.high + APART for one in said) <= h:
            said[0].y = max(said[0].y, said[0].high / 2)
            said[-1].y = min(said[-1].y, h - said[-1].high / 2)
        if not moved:
            return


def leader(box: Bounds, y: float, right: bool, w: float) -> list[tuple[float, float]]:
    """The line from a call-out at that height to what it names, beside a picture `w` mm wide: to the edge of the
    picture, and level from there."""
    left, top, far, bottom = box
    into = min(INTO, (far - left) / 2)
    x = far - into if right else left + into
    inset = min(1.0, (bottom - top) / 2)
    level = min(max(y, top + inset), bottom - inset)
    edge, start = (w + 0.5, w + BEND) if right else (-0.5, -BEND)
    return [(start, y), (edge, level), (x, level)]


def _drawn(setter: Setter, one: _Said, right: bool, w: float, aside: float) -> list[Op]:
    """The line to what is named, and the words or the number."""
    line = leader(one.box, one.y, right, w)
    x, y = line[-1]
    accent = setter.kit.colour(setter.own.accent_colour)
    d = "M" + "L".join(f"{px:.2f} {py:.2f}" for px, py in line)
    dot = f"M{x - 0.7:.2f} {y:.2f}C{x - 0.7:.2f} {y - 0.93:.2f} {x + 0.7:.2f} {y - 0.93:.2f} {x + 0.7:.2f} {y:.2f}"
    dot += f"C{x + 0.7:.2f} {y + 0.93:.2f} {x - 0.7:.2f} {y + 0.93:.2f} {x - 0.7:.2f} {y:.2f}Z"
    ops: list[Op] = [
        PathOp(d=d, stroke="#ffffff", width=0.9, cap="round", join="round"),
        PathOp(d=dot, fill=accent, stroke="#ffffff", width=0.3),
        PathOp(d=d, stroke=accent, width=0.35, cap="round", join="round"),
    ]
    if one.words is None:
        middle = w + BEND + RADIUS if right else -BEND - RADIUS
        return [*ops, *setter.numeral(str(one.number), middle, one.y, RADIUS)]
    x = w + BEND + GAP if right else -aside
    words = setter.moved(one.words.ops, x, one.y - one.words.height / 2)
    return [*ops, *words]
