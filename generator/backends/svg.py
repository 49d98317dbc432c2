"""Sheets and faces to SVG: millimetres, a symbol for each face, named layers, texts as outlines of the embedded font.

A glyph's outline stands once in the document and is used wherever it is printed, so the file looks the same everywhere;
what is written stands in the descriptions of the symbols.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Mapping
from typing import Any
from xml.etree.ElementTree import Element, tostring

import svgwrite
from svgwrite.extensions import Inkscape

from generator.backends import layers
from generator.backends.svgpictures import MITER_LIMIT, matrix
from generator.faces import svgpath
from generator.faces.display import IDENTITY, DisplayList, ImageOp, Matrix, Op, PathOp, Pop, Push, TextOp, UseOp, number
from generator.faces.fonts import FontBook
from generator.faces.outlines import glyph_places
from generator.sheets.clipping import clip_shape
from generator.sheets.marks import cut_line
from generator.sheets.sheets import CutLine, Placement, Sheet

OUTLINES = "outlines"
"""The layer with the cut line of every piece."""
HAIRLINE = 0.1


def write_svg(
    sheet: Sheet,
    faces: Mapping[str, DisplayList],
    *,
    fonts: FontBook,
    check: bool = False,
    kept: dict[str, dict[str, list[Op]]] | None = None,
) -> str:
    """A sheet as an SVG document. `check` makes svgwrite validate every attribute (slow: for tests).

    `kept`: for several sheets of the same `faces`; their layers, which the next ones take.
    """
    kept = {} if kept is None else kept
    drawing = Drawing(sheet.w, sheet.h, (0.0, 0.0), fonts, check)
    drawing.svg.set_desc(title=sheet.title, desc=f"{sheet.name}, {sheet.side}")
    found: dict[str, list[Any]] = {name: [] for name in layers.LAYERS}
    symbols: dict[str, dict[str, str]] = {}
    for placement in sheet.placements:
        key = placement.face
        if key not in symbols:
            if key not in kept:
                kept[key] = layers.split(faces[key].ops)
            symbols[key] = drawing.symbols(f"f{len(symbols) + 1}", faces[key], kept[key], placement.piece)
        for name, symbol in symbols[key].items():
            face = drawing.svg.use(f"#{symbol}", transform=matrix(_placing(placement, faces[key])))
            found[name].append(drawing.clipped(face, _clips(placement)))
    for name, ops in layers.split(sheet.marks, "marks").items():
        found[name] += drawing.elements(ops)
    return drawing.finish({name: elements for name, elements in found.items() if elements}, sheet.outlines)


def face_svg(dl: DisplayList, fonts: FontBook, bleed: bool = False, *, title: str = "", check: bool = False) -> str:
    """One face as a document of its own, on white paper, trimmed or with its bleed."""
    m = dl.bleed if bleed else 0.0
    w, h = dl.w + 2 * m, dl.h + 2 * m
    drawing = Drawing(w, h, (-m, -m), fonts, check)
    if title:
        drawing.svg.set_desc(title=title, desc=layers.texts(dl))
    paper = drawing.svg.path(d=svgpath.to_d(svgpath.rect(-m, -m, w, h)), fill="#ffffff")
    group = drawing.svg.g(stroke_miterlimit=MITER_LIMIT)
    for element in [paper, *drawing.elements(dl.ops)]:
        group.add(element)
    drawing.svg.add(group)
    return drawing.text()


def _placing(placement: Placement, face: DisplayList) -> Matrix:
    middle = svgpath.placing(placement.x + placement.w / 2, placement.y + placement.h / 2, placement.turn)
    return svgpath.multiply(middle, (1.0, 0.0, 0.0, 1.0, -face.w / 2, -face.h / 2))


def _clips(placement: Placement) -> list[str]:
    """The clips of a placed face: the outline of the piece and, for a part of a board, the window."""
    clips = [svgpath.to_d(clip_shape(placement))]
    if placement.window is not None:
        seen = placement.seen
        clips.append(svgpath.to_d(svgpath.rect(seen.x, seen.y, seen.w, seen.h)))
    return clips


class Leaf:
    """An element of svgwrite's documents that holds no others, of attributes that are known to be right: a tenth of
    the time of svgwrite's own, in whose order they are written."""

    def __init__(self, elementname: str, attributes: dict[str, str]) -> None:
        self.elementname = elementname
        self.attributes = attributes

    def get_xml(self) -> Element:
        return Element(self.elementname, dict(sorted(self.attributes.items())))

    def tostring(self) -> str:
        return tostring(self.get_xml(), encoding="unicode")


class Drawing:
    """A document being written. Identifiers are numbered in the order in which things are first needed."""

    def __init__(self, w: float, h: float, origin: tuple[float, float], fonts: FontBook, check: bool) -> None:
        view = f"{number(origin[0])} {number(origin[1])} {number(w)} {number(h)}"
        size = (f"{number(w)}mm", f"{number(h)}mm")
        self.svg = svgwrite.Drawing(size=size, viewBox=view, profile="full", debug=check)
        self.check = check
        self.fonts = fonts
        self.glyphs: dict[tuple[str, str], str] = {}
        self.clips: dict[str, str] = {}
        self.numbers: dict[str, int] = {}

    def finish(self, found: Mapping[str, list[Any]], outlines: Iterable[CutLine]) -> str:
        """The document with its layers; `outlines` are in one of their own, which is hidden, so not printed."""
        inkscape = Inkscape(self.svg)
        for name, elements in found.items():
            layer = inkscape.layer(label=name, id=f"layer-{name}", stroke_miterlimit=MITER_LIMIT)
            for element in elements:
                layer.add(element)
            self.svg.add(layer)
        paths = [self.svg.path(d=cut_line(line)) for line in outlines]
        if paths:
            look = {"style": "display:none", "fill": "none", "stroke": "#000000", "stroke_width": HAIRLINE}
            layer = inkscape.layer(label=OUTLINES, id=f"layer-{OUTLINES}", **look)
            for path in paths:
                layer.add(path)
            self.svg.add(layer)
        return self.text()

    def text(self) -> str:
        """The document as text."""
        document: str = self.svg.tostring()
        return '<?xml version="1.0" encoding="UTF-8"?>\n' + document + "\n"

    def named(self, kind: str, _content: str) -> str:
        """A new identifier for a glyph (`g`) or clip path (`c`)."""
        self.numbers[kind] = self.numbers.get(kind, 0) + 1
        return f"{kind}{self.numbers[kind]}"

    def define(self, _name: str, element: Any) -> None:
        """Put what others refer to into the document."""
        self.svg.defs.add(element)

    def symbols(self, name: str, face: DisplayList, split: Mapping[str, list[Op]], title: str) -> dict[str, str]:
        """Symbols for the layers of a face: layer -> identifier."""
        made: dict[str, str] = {}
        for layer, ops in split.items():
            symbol = self.svg.symbol(id=f"{name}-{layer}", overflow="visible")
            symbol.set_desc(title=title or name, desc=layers.texts(face) if layer == "text" else "")
            for element in self.elements(ops):
                symbol.add(element)
            self.svg.defs.add(symbol)
            made[layer] = f"{name}-{layer}"
        return made

    def clip(self, d: str) -> str:
        """The identifier of a clip path."""
        if d not in self.clips:
            name = self.clips[d] = self.named("c", d)
            clip = self.svg.clipPath(id=name)
            clip.add(self.svg.path(d=d))
            self.define(name, clip)
        return self.clips[d]

    def clipped(self, element: Any, clips: Iterable[str]) -> Any:
        """The element within groups that clip it. One group for each: clips of clips are not drawn everywhere."""
        for d in clips:
            group = self.svg.g(clip_path=f"url(#{self.clip(d)})")
            group.add(element)
            element = group
        return element

    def elements(self, ops: Iterable[Op]) -> list[Any]:
        """Elements for operations; groups hold what stands between their push and pop."""
        top: list[Any] = []
        stack: list[Any] = []
        for op in ops:
            if isinstance(op, Push):
                stack.append(self._group(op))
                continue
            element = stack.pop() if isinstance(op, Pop) else self._element(op)
            if stack:
                stack[-1].add(element)
            else:
                top.append(element)
        return top

    def _group(self, op: Push) -> Any:
        attributes: dict[str, Any] = {}
        if op.matrix != IDENTITY:
            attributes["transform"] = matrix(op.matrix)
        if op.clip:
            attributes["clip_path"] = f"url(#{self.clip(op.clip)})"
        if op.opacity < 1:
            attributes["opacity"] = number(op.opacity)
        return self.svg.g(**attributes)

    def _element(self, op: PathOp | TextOp | ImageOp | UseOp) -> Any:
        if isinstance(op, UseOp):
            raise ValueError(f"put what '{op.key}' stands for in its place first: generator.faces.display.inlined")
        if isinstance(op, PathOp):
            return self._path(op.d, _paint(op))
        if isinstance(op, TextOp):
            return self._text(op)
        content = f"data:image/{op.media};base64,{b64encode(op.content).decode()}"
        place = {"insert": (number(op.x), number(op.y)), "size": (number(op.w), number(op.h))}
        image = self.svg.image(content, **place)
        image.stretch()
        return image

    def _text(self, op: TextOp) -> Any:
        group = self.svg.g(fill=op.colour)
        for char, x in glyph_places(op, self.fonts):
            glyph = self._glyph(op.font, char)
            if glyph:
                group.add(self._use(glyph, matrix((op.size, 0.0, 0.0, op.size, x, op.y))))
        return group

    def _path(self, d: str, paint: dict[str, str]) -> Any:
        return self.svg.path(d=d, **paint) if self.check else Leaf("path", {"d": d, **paint})

    def _use(self, name: str, transform: str) -> Any:
        if self.check:
            return self.svg.use(f"#{name}", transform=transform)
        return Leaf("use", {"xlink:href": f"#{name}", "transform": transform})

    def _glyph(self, key: str, char: str) -> str:
        """The identifier of a character's outline (1 unit = 1 em), empty for one that leaves no mark."""
        name = self.glyphs.get((key, char))
        if name is None:
            outline_ = self.fonts[key].outline(char)
            name = ""
            if outline_:
                d = svgpath.to_d(outline_, 5)
                name = self.named("g", d)
                self.define(name, self.svg.path(d=d, id=name))
            self.glyphs[key, char] = name
        return name


def _paint(op: PathOp) -> dict[str, str]:
    paint = {"fill": op.fill or "none"}
    if op.evenodd:
        paint["fill-rule"] = "evenodd"
    if op.stroke:
        paint |= {"stroke": op.stroke, "stroke-width": number(op.width)}
        if op.cap != "butt":
            paint["stroke-linecap"] = op.cap
        if op.join != "miter":
            paint["stroke-linejoin"] = op.join
        if op.dash:
            paint["stroke-dasharray"] = " ".join(map(number, op.dash))
    return paint
