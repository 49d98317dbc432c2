"""Display lists: everything a face shows, resolved to drawing operations in millimetres.

The origin is the top left corner of the trimmed piece, x to the right, y downward. Colours are `#rrggbb`, text is
positioned glyph runs, icons and ornaments have become paths. Backends draw a display list and decide nothing.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from functools import lru_cache
from math import isfinite

import msgspec

MOST_NUMBERS = 20_000
"""So many lengths are kept as text; the same ones come on every card of a deck."""

Matrix = tuple[float, float, float, float, float, float]
"""`(a, b, c, d, e, f)` as in SVG: x' = a x + c y + e, y' = b x + d y + f."""


class PathOp(msgspec.Struct, frozen=True, omit_defaults=True, tag="path"):
    """A path of absolute `M`, `L`, `C` and `Z` segments (`generator.faces.svgpath.to_d`), filled and then stroked."""

    d: str
    fill: str = ""
    """`#rrggbb`, or empty: not filled."""
    stroke: str = ""
    width: float = 0.0
    """Line width in mm."""
    dash: tuple[float, ...] = ()
    cap: str = "butt"
    join: str = "miter"
    evenodd: bool = False


class TextOp(msgspec.Struct, frozen=True, omit_defaults=True, tag="text"):
    """One line of text in one font. `x`, `y`: start of the baseline; `size`: the em in mm.

    `tracking` mm are added after every character, and for each `(i, d)` of `kerns` d mm after the i-th one.
    """

    font: str
    size: float
    x: float
    y: float
    text: str
    colour: str
    tracking: float = 0.0
    kerns: tuple[tuple[int, float], ...] = ()


class ImageOp(msgspec.Struct, frozen=True, omit_defaults=True, tag="image"):
    """A PNG or JPEG picture, stretched to the box `x, y, w, h`."""

    content: bytes
    media: str
    """`png` or `jpeg`."""
    x: float
    y: float
    w: float
    h: float


class Push(msgspec.Struct, frozen=True, omit_defaults=True, tag="push"):
    """Begin a group: coordinates inside go through `matrix`, drawing is limited to `clip` (path data, inner units)."""

    matrix: Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)
    clip: str = ""
    layer: str = ""
    """`art`, `text`, `cut` or `fold`; empty: that of the group around it."""
    opacity: float = 1.0
    """Of the group as a whole, 0 to 1."""
    role: str = ""
    """Its role where a page is read aloud: a type of PDF's structure (ISO 32000-1, 14.8.4), such as `H1`, `P` or
    `Figure`. Groups with a role hold no others but `Span`."""
    alt: str = ""
    """Words for a `Figure`, or instead of a `Span`."""


class Pop(msgspec.Struct, frozen=True, tag="pop"):
    """End the group begun by the matching `Push`."""


class UseOp(msgspec.Struct, frozen=True, tag="use"):
    """Another display list of the same document, by its key, its origin at the origin: a face that a book shows often.
    Faces themselves have none; see `inlined`."""

    key: str


Op = PathOp | TextOp | ImageOp | Push | Pop | UseOp


class Place(Push, frozen=True, omit_defaults=True, tag="place"):
    """Begin an empty group that stands for an anchor, while a face is drawn. Finished display lists have none."""

    name: str = ""
    box: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)
    lay: str = ""


POP = Pop()
IDENTITY: Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)


class Anchor(msgspec.Struct, frozen=True, omit_defaults=True):
    """A place of a face where pieces lie: its middle, its size before it is turned, and how several lie there."""

    x: float
    y: float
    w: float
    h: float
    turn: float = 0.0
    """Degrees, clockwise."""
    lay: str = "spread"


class DisplayList(msgspec.Struct, frozen=True, omit_defaults=True):
    """One face: trimmed size and bleed in mm, the operations in drawing order, and its places."""

    w: float
    h: float
    bleed: float
    ops: list[Op]
    anchors: dict[str, Anchor] = {}


def endless(ops: Iterable[Op]) -> bool:
    """True if any operation has an infinite number, or NaN. (Such a number in path data is a word.)"""
    for op in ops:
        if isinstance(op, PathOp):
            if "n" in op.d or not isfinite(op.width + sum(op.dash)):
                return True
        elif isinstance(op, TextOp):
            if not isfinite(op.x + op.y + op.size + op.tracking + sum([by for _, by in op.kerns])):
                return True
        elif isinstance(op, Push):
            if "n" in op.clip or not isfinite(sum(op.matrix) + op.opacity):
                return True
        elif isinstance(op, ImageOp) and not isfinite(op.x + op.y + op.w + op.h):
            return True
    return False


_encoder = msgspec.msgpack.Encoder()


def face_hash(dl: DisplayList) -> str:
    """The first 16 hex digits of the SHA-256 of a display list: equal exactly when everything drawn is equal.
    Anchors are not drawn: a piece on which only they changed need not be printed anew."""
    return hashlib.sha256(_encoder.encode(DisplayList(dl.w, dl.h, dl.bleed, dl.ops))).hexdigest()[:16]


def inlined(dl: DisplayList, faces: Mapping[str, DisplayList]) -> DisplayList:
    """The display list with what it uses drawn in its place."""
    ops: list[Op] = []
    for op in dl.ops:
        ops += inlined(faces[op.key], faces).ops if isinstance(op, UseOp) else [op]
    return DisplayList(dl.w, dl.h, dl.bleed, ops, dl.anchors)


@lru_cache(MOST_NUMBERS)
def number(value: float) -> str:
    """A length in mm as short text, exact to a micrometre: `12`, `0.25`, `-3.125`."""
    return f"{round(value, 3) + 0.0:.7g}"


def _describe(op: Op) -> str:
    if isinstance(op, PathOp):
        words = ["path"]
        if op.fill:
            words.append(f"fill {op.fill}" + (" even-odd" if op.evenodd else ""))
        if op.stroke:
            words.append(f"stroke {op.stroke} {number(op.width)}")
            if op.dash:
                words.append("dash " + ",".join(map(number, op.dash)))
            if op.cap != "butt":
                words.append(f"cap {op.cap}")
            if op.join != "miter":
                words.append(f"join {op.join}")
        return f"{' '.join(words)}: {op.d}"
    if isinstance(op, TextOp):
        extra = f" tracking {number(op.tracking)}" if op.tracking else ""
        extra += " kern " + ",".join(f"{i}:{number(d)}" for i, d in op.kerns) if op.kerns else ""
        return f"text {op.font} {number(op.size)} {op.colour} at {number(op.x)} {number(op.y)}{extra}: {op.text!r}"
    if isinstance(op, ImageOp):
        digest = hashlib.sha256(op.content).hexdigest()[:16]
        return f"image {op.media} {digest} at {number(op.x)} {number(op.y)} size {number(op.w)} {number(op.h)}"
    if isinstance(op, UseOp):
        return f"use {op.key}"
    if isinstance(op, Push):
        words = ["push"]
        if op.matrix != IDENTITY:
            words.append("matrix " + " ".join(f"{v + 0.0:.6g}" for v in op.matrix))
        if op.layer:
            words.append(f"layer {op.layer}")
        if op.opacity < 1:
            words.append(f"opacity {number(op.opacity)}")
        if op.clip:
            words.append(f"clip {op.clip}")
        return " ".join(words)
    return "pop"


def to_text(dl: DisplayList) -> str:
    """A display list as text, one operation per line, indented by group: for golden files and for people."""
    lines = [f"face {number(dl.w)} x {number(dl.h)} bleed {number(dl.bleed)}"]
    depth = 1
    for op in dl.ops:
        if isinstance(op, Pop):
            depth -= 1
        lines.append("  " * depth + _describe(op))
        if isinstance(op, Push):
            depth += 1
    return "\n".join(lines) + "\n"
