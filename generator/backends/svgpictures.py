"""Pictures of scenes to SVG: every face once, as a finished fragment that can be kept, used as often as it lies there.

Nothing but text is put together here, so that a picture whose fragments are kept takes a few milliseconds.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable

import msgspec

from generator.faces.display import IDENTITY, Matrix, PathOp, Pop, Push, TextOp, number
from generator.scenes.picture import FaceOp, Picture

VERSION = "1"
"""Changes when fragments are written in another way."""
MITER_LIMIT = 10
"""That of PDF, so that corners look alike in both."""


class Fragment(msgspec.Struct, frozen=True, array_like=True):
    """Elements, and what they refer to: definitions by name."""

    body: str
    defs: dict[str, str]


def picture_svg(picture: Picture, faces: Callable[[str], Fragment], texts: Callable[[TextOp], Fragment]) -> str:
    """The SVG document of a picture. `faces` gives the fragment of a face, `texts` that of a line of text."""
    defs: dict[str, str] = {}
    uses: dict[FaceOp, str] = {}
    out: list[str] = []
    for op in picture.ops:
        if isinstance(op, FaceOp):
            if op not in uses:
                uses[op] = _define(op, faces(op.key), defs, len(uses) + 1)
            out.append(f'<use xlink:href="#{uses[op]}"/>')
        elif isinstance(op, Push):
            clip = f' clip-path="url(#{_clip(op.clip, defs)})"' if op.clip else ""
            moved = f' transform="{matrix(op.matrix)}"' if op.matrix != IDENTITY else ""
            faint = f' opacity="{number(op.opacity)}"' if op.opacity < 1 else ""
            out.append(f"<g{moved}{clip}{faint}>")
        elif isinstance(op, Pop):
            out.append("</g>")
        elif isinstance(op, PathOp):
            out.append(f'<path d="{op.d}"{paint(op)}/>')
        elif isinstance(op, TextOp):
            found = texts(op)
            defs.update(found.defs)
            out.append(found.body)
        else:
            raise TypeError(f"a picture of a scene has no {type(op).__name__} outside of faces")
    w, h = number(picture.w), number(picture.h)
    told = (("title", picture.title), ("desc", picture.text))
    return "".join(
        (
            '<?xml version="1.0" encoding="UTF-8"?>\n',
            '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" version="1.1" '
            f'baseProfile="full" width="{w}mm" height="{h}mm" viewBox="0 0 {w} {h}">',
            *(f"<{tag}>{escape(text)}</{tag}>" for tag, text in told if text),
            "<defs>",
            *defs.values(),
            "</defs>",
            f'<g stroke-miterlimit="{MITER_LIMIT}">',
            *out,
            "</g></svg>\n",
        )
    )


def escape(text: str) -> str:
    """Text as it stands in XML. The standard library's `escape` would load its web client."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def matrix(m: Matrix) -> str:
    """A matrix as an SVG transformation."""
    return f"matrix({','.join(f'{v + 0.0:.6f}'.rstrip('0').rstrip('.') for v in m)})"


def paint(op: PathOp) -> str:
    """The fill and stroke of a path, as attributes."""
    paint = f' fill="{op.fill or "none"}"' + (' fill-rule="evenodd"' if op.evenodd else "")
    if op.stroke:
        paint += f' stroke="{op.stroke}" stroke-width="{number(op.width)}"'
        paint += f' stroke-linecap="{op.cap}"' if op.cap != "butt" else ""
        paint += f' stroke-linejoin="{op.join}"' if op.join != "miter" else ""
        paint += f' stroke-dasharray="{" ".join(map(number, op.dash))}"' if op.dash else ""
    return paint


def _clip(d: str, defs: dict[str, str]) -> str:
    """The name of a clip path, which is defined when it is first needed."""
    name = f"k{hashlib.sha256(d.encode()).hexdigest()[:10]}"
    if name not in defs:
        defs[name] = f'<clipPath id="{name}"><path d="{d}"/></clipPath>'
    return name


def _define(op: FaceOp, face: Fragment, defs: dict[str, str], n: int) -> str:
    """Define a face cut out along its outline, with the line around it; the name of the definition."""
    name = f"face{n}"
    clip = _clip(op.outline, defs)
    defs.update(face.defs)
    edge = ""
    if op.edge:
        edge = f'<path d="{op.outline}" fill="none" stroke="{op.edge}" stroke-width="{number(op.width)}"/>'
    defs[name] = f'<g id="{name}"><g clip-path="url(#{clip})">{face.body}</g>{edge}</g>'
    return name
