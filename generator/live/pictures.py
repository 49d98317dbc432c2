"""Faces as SVG for a page: with their bleed, quickly written, and, to be clicked on, with the number of each mark."""

from __future__ import annotations

from base64 import b64encode

from generator.backends.svgpictures import MITER_LIMIT, escape, matrix, paint
from generator.faces import svgpath
from generator.faces.display import IDENTITY, DisplayList, ImageOp, PathOp, Pop, Push, TextOp, number
from generator.faces.fonts import FontBook
from generator.faces.outlines import glyph_places


def face_picture(face: DisplayList, fonts: FontBook, *, numbered: bool = False) -> str:
    """A face with its bleed as an SVG document, its origin at the corner of the trimmed piece. `numbered`: every mark
    has the number of its operation as `data-n`."""
    b = face.bleed
    w, h = face.w + 2 * b, face.h + 2 * b
    defs: dict[str, str] = {}
    names: dict[str, str] = {}
    out: list[str] = []
    for n, op in enumerate(face.ops):
        mark = f' data-n="{n}"' if numbered else ""
        if isinstance(op, Push):
            moved = f' transform="{matrix(op.matrix)}"' if op.matrix != IDENTITY else ""
            clip = f' clip-path="url(#{_clip(op.clip, defs, names)})"' if op.clip else ""
            out.append(f"<g{moved}{clip}>")
        elif isinstance(op, Pop):
            out.append("</g>")
        elif isinstance(op, PathOp):
            out.append(f'<path d="{op.d}"{paint(op)}{mark}/>')
        elif isinstance(op, TextOp):
            out.append(_text(op, fonts, defs, names, mark))
        elif isinstance(op, ImageOp):
            place = f'x="{number(op.x)}" y="{number(op.y)}" width="{number(op.w)}" height="{number(op.h)}"'
            data = f"data:image/{op.media};base64,{b64encode(op.content).decode()}"
            out.append(f'<image {place} preserveAspectRatio="none" href="{data}"{mark}/>')
    view = f"{number(-b)} {number(-b)} {number(w)} {number(h)}"
    return "".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{number(w)}mm" height="{number(h)}mm" viewBox="{view}">',
            "<defs>",
            *defs.values(),
            "</defs>",
            f'<rect x="{number(-b)}" y="{number(-b)}" width="{number(w)}" height="{number(h)}" fill="#ffffff"/>',
            f'<g stroke-miterlimit="{MITER_LIMIT}">',
            *out,
            "</g></svg>\n",
        )
    )


def _clip(d: str, defs: dict[str, str], names: dict[str, str]) -> str:
    name = names.get(d)
    if name is None:
        name = names[d] = f"c{len(names)}"
        defs[name] = f'<clipPath id="{name}"><path d="{d}"/></clipPath>'
    return name


def _text(op: TextOp, fonts: FontBook, defs: dict[str, str], names: dict[str, str], mark: str) -> str:
    """A line of text: each outline stands once in the document."""
    uses = []
    for char, x in glyph_places(op, fonts):
        key = f"{op.font}\0{char}"
        name = names.get(key)
        if name is None:
            outline = fonts[op.font].outline(char)
            name = names[key] = f"g{len(names)}" if outline else ""
            if outline:
                defs[name] = f'<path id="{name}" d="{svgpath.to_d(outline, 4)}"/>'
        if name:
            uses.append(f'<use href="#{name}" transform="{matrix((op.size, 0.0, 0.0, op.size, x, op.y))}"/>')
    title = f"<title>{escape(op.text)}</title>" if mark else ""
    return f'<g fill="{op.colour}"{mark}>{title}{"".join(uses)}</g>'
