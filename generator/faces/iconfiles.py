"""Icons from SVG files, as collections give them away: every shape becomes a shape of the icon, painted in roles.

Black is the ink of the icon and white its paper, whatever colour those are where it is drawn; other colours stay. Many
collections draw white on a black square: a shape that fills the whole picture and comes first is left out of the icon,
and white is then its ink.
"""

from __future__ import annotations

from typing import NamedTuple

from generator.faces.display import PathOp, Pop, Push
from generator.faces.svgpath import numbers
from generator.faces.svgpicture import drawing, svg_size

GRID = 512.0
"""The longer side of an icon's grid: as fine as the path data is rounded."""
INK, PAPER = "#000000", "#ffffff"


class FileShape(NamedTuple):
    """A shape of an icon on its grid: path data, paint in roles or `#rrggbb`, width of its line, and how it ends."""

    d: str
    fill: str
    stroke: str
    width: float
    cap: str
    join: str
    evenodd: bool


def shapes_of(content: bytes) -> tuple[tuple[float, float], list[FileShape]]:
    """Width and height of an icon's grid, and its shapes. ValueError (to follow `the icon 'x' …`) if it is refused."""
    wide, high = svg_size(content)
    k = GRID / max(wide, high)
    w, h = wide * k, high * k
    ops = drawing(content, 0.0, 0.0, w, h)
    if any(isinstance(op, Push) and op.opacity < 1 for op in ops):
        raise ValueError("has a shape that is not opaque, which an icon cannot have")
    drawn = [op for op in ops if isinstance(op, PathOp)]
    assert all(isinstance(op, PathOp | Push | Pop) for op in ops)
    ground = len(drawn) > 1 and _fills(drawn[0], w, h)
    roles = {INK: "ink", PAPER: "paper", "": "none"}
    if ground:
        roles |= {drawn[0].fill: "paper", PAPER if drawn[0].fill != PAPER else INK: "ink"}
        drawn = drawn[1:]
    return (w, h), [
        FileShape(
            op.d,
            roles.get(op.fill, op.fill),
            roles.get(op.stroke, op.stroke),
            op.width,
            op.cap,
            op.join,
            op.evenodd,
        )
        for op in drawn
    ]


def _fills(op: PathOp, w: float, h: float) -> bool:
    """True if a shape is a ground: it covers the whole picture with four straight sides."""
    found = numbers(op.d)
    xs, ys = found[0::2], found[1::2]
    within = 0.01 * max(w, h)
    square = op.fill and not op.stroke and "C" not in op.d and len(xs) <= 5
    return bool(square and min(xs) <= within and min(ys) <= within and max(xs) >= w - within and max(ys) >= h - within)
