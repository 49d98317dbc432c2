"""Faces as SVG for a page: with their bleed, quickly written, and, to be clicked on, with the number of each mark."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Mapping
from types import MappingProxyType

from generator.backends.svgpictures import MITER_LIMIT, escape, matrix, paint
from generator.faces import svgpath
from generator.faces.display import IDENTITY, DisplayList, ImageOp, Op, PathOp, Pop, Push, TextOp, UseOp, number
from generator.faces.fonts import FontBook
from generator.faces.outlines import glyph_places

NOTHING: Mapping[str, DisplayList] = MappingProxyType({})


def face_picture(
    face: DisplayList,
    fonts: FontBook,
    *,
    numbered: bool = False,
    paper: str = "#ffffff",
    used: Mapping[str, DisplayList] = NOTHING,
) -> str:
    """A face with its bleed as an SVG document, its origin at the corner of the trimmed piece. `numbered`: every mark
    has the number of its operation as `data-n`. `paper`: the colour below, "" for none. `used`: what it uses, by key;
    each stands in the document once."""
    b = face.bleed
    w, h = face.w + 2 * b, face.h + 2 * b
    document = _Document(fonts, used, numbered)
    drawn = document.drawn(face.ops)
    ground = f'<rect x="{number(-b)}" y="{number(-b)}" width="{number(w)}" height="{number(h)}" fill="{paper}"/>'
    view = f"{number(-b)} {number(-b)} {number(w)} {number(h)}"
    return "".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{number(w)}mm" height="{number(h)}mm" viewBox="{view}">',
            "<defs>",
            *document.defs.values(),
            "</defs>",
            ground if paper else "",
            f'<g stroke-miterlimit="{MITER_LIMIT}">',
            *drawn,
            "</g></svg>\n",
        )
    )


class _Document:
    """The definitions that one SVG document reuses: clips, outlines of signs, faces."""

    def __init__(self, fonts: FontBook, used: Mapping[str, DisplayList], numbered: bool) -> None:
        self.fonts = fonts
        self.used = used
        self.numbered = numbered
        self.defs: dict[str, str] = {}
        self.names: dict[str, str] = {}

    def drawn(self, ops: Iterable[Op]) -> list[str]:
        out: list[str] = []
        for n, op in enumerate(ops):
            mark = f' data-n="{n}"' if self.numbered else ""
            if isinstance(op, Push):
                moved = f' transform="{matrix(op.matrix)}"' if op.matrix != IDENTITY else ""
                clip = f' clip-path="url(#{self._clip(op.clip)})"' if op.clip else ""
                faint = f' opacity="{number(op.opacity)}"' if op.opacity < 1 else ""
                out.append(f"<g{moved}{clip}{faint}>")
            elif isinstance(op, Pop):
                out.append("</g>")
            elif isinstance(op, PathOp):
                out.append(f'<path d="{op.d}"{paint(op)}{mark}/>')
            elif isinstance(op, TextOp):
                out.append(self._text(op, mark))
            elif isinstance(op, ImageOp):
                place = f'x="{number(op.x)}" y="{number(op.y)}" width="{number(op.w)}" height="{number(op.h)}"'
                data = f"data:image/{op.media};base64,{b64encode(op.content).decode()}"
                out.append(f'<image {place} preserveAspectRatio="none" href="{data}"{mark}/>')
            elif isinstance(op, UseOp):
                out.append(f'<use href="#{self._face(op.key)}"{mark}/>')
        return out

    def _face(self, key: str) -> str:
        name = self.names.get(f"face {key}")
        if name is None:
            name = self.names[f"face {key}"] = f"f{len(self.names)}"
            self.defs[name] = f'<g id="{name}">{"".join(self.drawn(self.used[key].ops))}</g>'
        return name

    def _clip(self, d: str) -> str:
        name = self.names.get(d)
        if name is None:
            name = self.names[d] = f"c{len(self.names)}"
            self.defs[name] = f'<clipPath id="{name}"><path d="{d}"/></clipPath>'
        return name

    def _text(self, op: TextOp, mark: str) -> str:
        """A line of text: each outline stands once in the document."""
        uses = []
        for char, x in glyph_places(op, self.fonts):
            key = f"{op.font}\0{char}"
            name = self.names.get(key)
            if name is None:
                outline = self.fonts[op.font].outline(char)
                name = self.names[key] = f"g{len(self.names)}" if outline else ""
                if outline:
                    self.defs[name] = f'<path id="{name}" d="{svgpath.to_d(outline, 4)}"/>'
            if name:
                uses.append(f'<use href="#{name}" transform="{matrix((op.size, 0.0, 0.0, op.size, x, op.y))}"/>')
        title = f"<title>{escape(op.text)}</title>" if mark else ""
        return f'<g fill="{op.colour}"{mark}>{title}{"".join(uses)}</g>'
