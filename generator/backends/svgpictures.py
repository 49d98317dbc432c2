"""Pictures of scenes to SVG: every face once, as a finished fragment that can be kept, used as often as it lies there.

Names inside a fragment are made from what they stand for, so that fragments made at different times fit together.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from xml.sax.saxutils import escape

import msgspec

from generator.backends.svg import MITER_LIMIT, Drawing, matrix
from generator.faces.display import DisplayList, Op, Pop, Push, number
from generator.faces.fonts import FontBook
from generator.scenes.picture import FaceOp, Picture

VERSION = "1"
"""Changes when fragments are written in another way."""


class Fragment(msgspec.Struct, frozen=True, array_like=True):
    """The elements of a face, and what they refer to: definitions by name."""

    body: str
    defs: dict[str, str]


class _Drawing(Drawing):
    """Writes elements whose definitions are named by what they say."""

    def __init__(self, fonts: FontBook) -> None:
        super().__init__(1.0, 1.0, (0.0, 0.0), fonts, False)
        self.made: dict[str, str] = {}

    def named(self, kind: str, content: str) -> str:
        return f"{kind}{hashlib.sha256(content.encode()).hexdigest()[:10]}"

    def define(self, name: str, element: object) -> None:
        self.made[name] = element.tostring()  # type: ignore[attr-defined]


def fragment(face: DisplayList, fonts: FontBook) -> Fragment:
    """A face as a piece of an SVG document."""
    drawing = _Drawing(fonts)
    body = "".join(element.tostring() for element in drawing.elements(face.ops))
    return Fragment(body, drawing.made)


def picture_svg(picture: Picture, faces: Callable[[str], Fragment], fonts: FontBook) -> str:
    """The SVG document of a picture. `faces` gives the fragment of a face."""
    defs: dict[str, str] = {}
    uses: dict[FaceOp, str] = {}
    out: list[str] = []
    drawing = _Drawing(fonts)
    run: list[Op] = []

    def flush() -> None:
        if run:
            out.append("".join(element.tostring() for element in drawing.elements(run)))
            run.clear()

    for op in picture.ops:
        if isinstance(op, FaceOp):
            flush()
            if op not in uses:
                uses[op] = _define(op, faces(op.key), drawing, defs, len(uses) + 1)
            out.append(f'<use xlink:href="#{uses[op]}"/>')
        elif isinstance(op, Push):
            flush()
            clip = f' clip-path="url(#{drawing.clip(op.clip)})"' if op.clip else ""
            moved = f' transform="{matrix(op.matrix)}"' if op.matrix != Push().matrix else ""
            out.append(f"<g{moved}{clip}>")
        elif isinstance(op, Pop):
            flush()
            out.append("</g>")
        else:
            run.append(op)
    flush()
    w, h = number(picture.w), number(picture.h)
    told = "".join(f"<{tag}>{escape(text)}</{tag}>" for tag, text in _told(picture))
    return "".join(
        (
            '<?xml version="1.0" encoding="UTF-8"?>\n',
            '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" version="1.1" '
            f'baseProfile="full" width="{w}mm" height="{h}mm" viewBox="0 0 {w} {h}">',
            told,
            "<defs>",
            *drawing.made.values(),
            *defs.values(),
            "</defs>",
            f'<g stroke-miterlimit="{MITER_LIMIT}">',
            *out,
            "</g></svg>\n",
        )
    )


def _told(picture: Picture) -> list[tuple[str, str]]:
    return [(tag, text) for tag, text in (("title", picture.title), ("desc", picture.text)) if text]


def _define(op: FaceOp, face: Fragment, drawing: _Drawing, defs: dict[str, str], n: int) -> str:
    """Define a face cut out along its outline, with the line around it; the name of the definition."""
    name = f"face{n}"
    clip = drawing.clip(op.outline)
    defs.update(face.defs)
    edge = ""
    if op.edge:
        edge = f'<path d="{op.outline}" fill="none" stroke="{op.edge}" stroke-width="{number(op.width)}"/>'
    defs[name] = f'<g id="{name}"><g clip-path="url(#{clip})">{face.body}</g>{edge}</g>'
    return name
