"""Sheets to PDF: each distinct face once, as a form XObject, placed as often as it is needed.

Everything is drawn in millimetres with y downward, as display lists are; one matrix at the head of each page turns that
into PDF's points. Streams are joined from strings and handed to reportlab's document as finished objects.
"""

from __future__ import annotations

import hashlib
import re
import time
import zlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec.structs import replace
from reportlab.pdfbase import pdfdoc

from generator.backends.pdfabout import KEYWORDS, LONG_AGO, SUBJECT, xmp
from generator.backends.pdfcommon import Common, Kept, Named, Shared, reached
from generator.backends.pdffile import file_of
from generator.backends.pdffonts import PdfFonts, embedding
from generator.backends.pdfmotifs import Motif, motifs
from generator.backends.pdfnavigation import add_navigation
from generator.backends.pdfobjects import ZLIB_LEVEL, Finished, Written, picture_objects
from generator.backends.pdftags import Tags, apart
from generator.faces import svgpath
from generator.faces.display import IDENTITY, DisplayList, ImageOp, Op, PathOp, Push, TextOp, UseOp, number
from generator.faces.fonts import FontBook
from generator.paper.units import POINTS
from generator.sheets.clipping import clip_shape
from generator.sheets.navigation import Navigation
from generator.sheets.sheets import Box, Placement, Sheet

FARTHEST = 30_000
"""Millimetres: the edges of a group lie farther out than those of any piece."""

_SEGMENT = re.compile(r"([MLCZ])([^MLCZ]*)")
_SEGMENT_OPERATORS = {"M": " m ", "L": " l ", "C": " c ", "Z": "h "}
_CAPS = {"butt": 0, "round": 1, "square": 2}
_JOINS = {"miter": 0, "round": 1, "bevel": 2}


def write_pdf(
    sheets: Sequence[Sheet],
    faces: Mapping[str, DisplayList],
    *,
    title: str,
    fonts: FontBook,
    navigation: Navigation | None = None,
    kept: Kept | None = None,
    date: int = LONG_AGO,
    tagged: bool = False,
) -> bytes:
    """One page per sheet; identical input gives identical bytes. FontError: a font that cannot be embedded.

    `tagged`: with the roles of groups as the structure of the document, in the order in which pages draw them.

    `date`: when it was made, in seconds since 1970 (UTC).

    `kept`: for several documents of the same `faces`; what one of them made of them the next ones take.
    """
    placed = reached((placement.face for sheet in sheets for placement in sheet.placements), faces)
    document = _Document(title, fonts, faces, (kept or Kept()).shared(placed, faces), date)
    document.tags = Tags(document.doc) if tagged else None
    pages = [document.page(sheet) for sheet in sheets]
    if navigation is not None:
        add_navigation(document.doc, pages, [sheet.h for sheet in sheets], navigation)
    return document.finish()


class _Document:
    """A PDF document being written."""

    def __init__(
        self, title: str, fonts: FontBook, faces: Mapping[str, DisplayList], shared: Shared, date: int
    ) -> None:
        self.faces = faces
        self.fonts = fonts
        self.shared = shared
        self.doc = pdfdoc.PDFDocument(invariant=1, compression=1, pdfVersion=(1, 5))
        info = self.doc.info
        info.title, info.subject, info.keywords = title, SUBJECT, KEYWORDS
        info.author = info.creator = "Tablewright"
        stamp = self.doc._timeStamp
        stamp.t, stamp.dhh, stamp.dmm, stamp.YMDhms = date, 0, 0, tuple(time.gmtime(date))[:6]
        metadata = Finished("/Type /Metadata /Subtype /XML", xmp(title, info.producer, date))
        self.doc.Catalog.Metadata = self.doc.Reference(metadata, "Metadata")
        self.doc.Catalog.Lang = pdfdoc.PDFString("en")
        # Viewers would otherwise offer to shrink the page to the printer's margins, and nothing would fit its size.
        preferences = {"PrintScaling": pdfdoc.PDFName("None"), "DisplayDocTitle": "true"}
        self.doc.Catalog.ViewerPreferences = pdfdoc.PDFDictionary(preferences)
        self.encoders = PdfFonts(self.doc, fonts)
        self.images: dict[str, Any] = {}
        self.forms: dict[str, str] = {}
        self.common: dict[tuple[int, ...], str] = {}
        self.motifs: dict[str, str] = {}
        self.named: dict[str, str] = {}
        """Dictionaries of resources -> the name of each."""
        self.groups = 0
        self.faint: dict[str, float] = {}
        """Graphics states for what is not opaque: name -> opacity."""
        self.tags: Tags | None = None
        self.doc.Reference(_shared_resources(), "Shared")

    def _number(self, name: str) -> int:
        number_: int = self.doc.idToObjectNumberAndVersion[name][0]
        return number_

    def page(self, sheet: Sheet) -> Any:
        """Add the page of a sheet and return it."""
        w, h = sheet.w * POINTS, sheet.h * POINTS
        if self.tags is not None:
            self.tags.next_page()
        content = _Content(self)
        content.out.append(f"{POINTS:.8f} 0 0 {-POINTS:.8f} 0 {h:.5f} cm")
        for placement in sheet.placements:
            name = content.named("X", placement.face)
            content.out.append(_placed(placement, self.faces[placement.face], name))
        content.draw(sheet.marks)
        used = self.objects(content.objects)
        page = pdfdoc.PDFPage()
        page.MediaBox = _rectangle(0, 0, w, h)
        page.TrimBox, page.BleedBox = _page_box(sheet.trim, sheet.h), _page_box(sheet.bleed, sheet.h)
        page.Resources = self._resources(used).encode()
        stream = zlib.compress("\n".join(content.out).encode("latin-1"), ZLIB_LEVEL)
        page.Contents = Finished("/Filter /FlateDecode", stream)
        self.doc.addPage(page)
        return page

    def objects(self, named: Named) -> dict[str, str]:
        """The names that objects have in a drawing, and those that they have in the document. Those that are not made
        yet are made."""
        return {name: self._object(*what) for what, name in named.items()}

    def _object(self, kind: str, what: Any) -> str:
        if kind == "X":
            return self.forms.get(what) or self._form(what, self.faces[what])
        if kind == "C":
            return self.common.get(what) or self._shared_part(what)
        if kind == "M":
            return self.motifs.get(what) or self._motif(what)
        return str(what)

    def _drawing(self, key: object, ops: Iterable[Op | Common], tags: Tags | None = None) -> tuple[bytes, Named]:
        """The stream of a drawing and the objects in it; as another document made it, if one did."""
        made = self.shared.streams.get(key) if tags is None else None
        if made is None:
            content = _Content(self, tags)
            content.draw(ops)
            made = zlib.compress("\n".join(content.out).encode("latin-1"), ZLIB_LEVEL), content.objects
            if not content.local:
                self.shared.streams[key] = made
        return made

    def _form(self, key: str, face: DisplayList) -> str:
        tags = self.tags if self.tags is not None and any(type(op) is Push and op.role for op in face.ops) else None
        stream, named = self._drawing(key, self.shared.drawn[key], tags)
        name = self.forms[key] = f"X{len(self.forms) + 1}"
        parents = f" /StructParents {tags.end_stream(name)}" if tags is not None else ""
        self.doc.updateSignature(stream)
        b = face.bleed
        box = f"{number(-b)} {number(-b)} {number(face.w + b)} {number(face.h + b)}"
        resources = self._resources(self.objects(named)) if named else f"{self._number('Shared')} 0 R"
        head = f"/Type /XObject /Subtype /Form /BBox [{box}] /Resources {resources}{parents} /Filter /FlateDecode"
        self.doc.Reference(Finished(head, stream), name)
        return name

    def _shared_part(self, number_: tuple[int, ...]) -> str:
        """The name of the form of what several faces draw, which is made."""
        stream, named = self._drawing(number_, self.shared.parts[number_].ops)
        name = self.common[number_] = f"C{len(self.common) + 1}"
        self._common_form(name, stream, self._resources(self.objects(named)) if named else "<<>>")
        return name

    def _motif(self, drawing: str) -> str:
        """The name of the form of a shape that patterns repeat, in the colour and with the pen of where it is drawn."""
        name = self.motifs[drawing] = f"M{len(self.motifs) + 1}"
        self._common_form(name, zlib.compress(drawing.encode("latin-1"), ZLIB_LEVEL), "<<>>")
        return name

    def _common_form(self, name: str, stream: bytes, resources: str, further: str = "") -> None:
        """Add a form that is as large as anything drawn in it."""
        self.doc.updateSignature(stream)
        far = f"{-FARTHEST} {-FARTHEST} {FARTHEST} {FARTHEST}"
        head = f"/Type /XObject /Subtype /Form /BBox [{far}] /Resources {resources}{further} /Filter /FlateDecode"
        self.doc.Reference(Finished(head, stream), name)

    def _resources(self, objects: Mapping[str, str]) -> str:
        """The dictionary of the fonts and of forms and pictures (`objects`: the names that they have there and in the
        document): an object of its own, which is packed with others, where within the head of a form it would stand as
        it is."""
        named = " ".join([f"/{there} {self._number(name)} 0 R" for there, name in objects.items()])
        states = " ".join([f"/{name} <</ca {value:g} /CA {value:g}>>" for name, value in self.faint.items()])
        states = f" /ExtGState <<{states}>>" if states else ""
        content = f"<</Font {self._number('BasicFonts')} 0 R /XObject <<{named}>>{states}>>"
        name = self.named.get(content)
        if name is None:
            name = self.named[content] = f"R{len(self.named) + 1}"
            self.doc.Reference(Written(content), name)
        return f"{self._number(name)} 0 R"

    def group(self, content: str, objects: Named) -> str:
        """The name of a form that is painted as a whole, so that it can be so as one."""
        self.groups += 1
        name = f"G{self.groups}"
        as_one = " /Group <</S /Transparency /I true /CS /DeviceRGB>>"
        stream = zlib.compress(content.encode("latin-1"), ZLIB_LEVEL)
        self._common_form(name, stream, self._resources(self.objects(objects)), as_one)
        return name

    def state(self, opacity: float) -> str:
        """The name of the graphics state for an opacity."""
        name = f"O{round(opacity * 1000)}"
        self.faint[name] = round(opacity, 3)
        return name

    def image(self, op: ImageOp) -> str:
        """The name of a picture's XObject, which is made when the picture is first met."""
        digest = hashlib.sha256(op.content).hexdigest()
        if digest not in self.images:
            name = f"I{len(self.images) + 1}"
            colours, alpha = picture_objects(op)
            if alpha is not None:
                self.doc.Reference(alpha, f"{name}a")
                colours.head += f" /SMask {self._number(f'{name}a')} 0 R"
            self.doc.Reference(colours, name)
            self.doc.updateSignature(digest.encode())
            self.images[digest] = name
        found: str = self.images[digest]
        return found

    def finish(self) -> bytes:
        if self.tags is not None:
            self.tags.finish()
        for font in self.doc.delayedFonts:
            with embedding(font.fontName):
                font.addObjects(self.doc)
        return file_of(self.doc)


def _shared_resources() -> Any:
    resources = pdfdoc.PDFResourceDictionary()
    resources.basicFonts()
    resources.__RefOnly__ = 1
    return resources


def _rectangle(*corners: float) -> bytes:
    """A rectangle of PDF, in points to the ten-thousandth."""
    return f"[{' '.join([f'{round(corner, 4):.8g}' for corner in corners])}]".encode()


def _page_box(box: Box, page_height: float) -> bytes:
    """A box of the sheet (mm, y down) as a PDF rectangle (points, y up)."""
    low, high = page_height - box.bottom, page_height - box.y
    return _rectangle(*[v * POINTS for v in (box.x, low, box.right, high)])


def _placed(placement: Placement, face: DisplayList, name: str) -> str:
    """The operators that draw a form, clipped and turned."""
    x, y, w, h = placement.x, placement.y, placement.w, placement.h
    a, b, c, d, _, _ = svgpath.placing(turn=placement.turn)
    e = x + w / 2 - a * face.w / 2 - c * face.h / 2
    f = y + h / 2 - b * face.w / 2 - d * face.h / 2
    seen = placement.seen
    clip = f"{number(seen.x)} {number(seen.y)} {number(seen.w)} {number(seen.h)} re W n"
    if placement.clip != "rect":
        clip += f" {_operators(svgpath.to_d(clip_shape(placement)))}W n"
    return f"q {clip} {a:g} {b:g} {c:g} {d:g} {number(e)} {number(f)} cm /{name} Do Q"


_operator_cache: dict[str, str] = {}


def _operators(d: str) -> str:
    """Path data as PDF path operators, ending with a space."""
    found = _operator_cache.get(d)
    if found is None:
        if len(_operator_cache) > 2000:
            _operator_cache.clear()
        found = "".join([f"{points}{_SEGMENT_OPERATORS[kind]}" for kind, points in _SEGMENT.findall(d)])
        _operator_cache[d] = found
    return found


def _rgb(colour: str) -> str:
    found = _rgb_cache.get(colour)
    if found is None:
        found = " ".join([f"{int(colour[i : i + 2], 16) / 255:.4g}" for i in (1, 3, 5)])
        _rgb_cache[colour] = found
    return found


_rgb_cache: dict[str, str] = {}


def _place(op: TextOp) -> str:
    return f"1 0 0 -1 {number(op.x)} {number(op.y)} Tm"


class _Content:
    """A content stream: operators for display operations, said only when the graphics state has to change."""

    def __init__(self, document: _Document, tags: Tags | None = None) -> None:
        self.document = document
        self.tags = tags
        self.out: list[str] = []
        self.objects: Named = {}
        self.local = False
        """Codes of fonts or pictures of this document stand in it, which mean something else in another one."""
        self.fill = ""
        self.stroke = ""
        self.pen: tuple[Any, ...] = ()
        self.saved: list[tuple[str, str, tuple[Any, ...]]] = []
        self.marked: list[int] = []
        """The depths of the groups that have a role."""
        self.line: TextOp | None = None
        """The last text of the group with a role that is being drawn."""
        self.nested: list[tuple[int, float, list[str], Named]] = []
        """Groups that are not opaque: how deep they lie, their opacity, and what is written outside of them."""

    def named(self, kind: str, what: Any) -> str:
        """The name of an object in this drawing."""
        return self.objects.setdefault((kind, what), f"{kind}{len(self.objects) + 1}")

    def draw(self, ops: Iterable[Op | Common]) -> None:
        for op in ops:
            kind = type(op)
            if kind is PathOp:
                self._path(op)  # type: ignore[arg-type]
            elif kind is TextOp:
                self._text(op)  # type: ignore[arg-type]
            elif kind is Push:
                self._push(op)  # type: ignore[arg-type]
            elif kind is Common:
                self.out.append(f"/{self.named('C', op.number)} Do")  # type: ignore[union-attr]
            elif kind is ImageOp:
                self._image(op)  # type: ignore[arg-type]
            elif kind is UseOp:
                self.out.append(f"/{self.named('X', op.key)} Do")  # type: ignore[union-attr]
            else:
                if self.nested and self.nested[-1][0] == len(self.saved):
                    self._end_group()
                if self.marked and self.marked[-1] == len(self.saved):
                    self.marked.pop()
                    self.out.append("EMC")
                self.fill, self.stroke, self.pen = self.saved.pop()
                self.out.append("Q")

    def _fill(self, colour: str) -> None:
        if colour != self.fill:
            self.fill = colour
            self.out.append(f"{_rgb(colour)} rg")

    def _path(self, op: PathOp) -> None:
        if op.fill:
            self._fill(op.fill)
        if op.stroke:
            if op.stroke != self.stroke:
                self.stroke = op.stroke
                self.out.append(f"{_rgb(op.stroke)} RG")
            pen = (op.width, op.cap, op.join, op.dash)
            if pen != self.pen:
                self.pen = pen
                dash = " ".join(map(number, op.dash))
                self.out.append(f"{number(op.width)} w {_CAPS[op.cap]} J {_JOINS[op.join]} j [{dash}] 0 d")
        if not op.fill:
            paint = "S" if op.stroke else "n"
        else:
            paint = ("B" if op.stroke else "f") + ("*" if op.evenodd else "")
        pattern = motifs(op.d, filled=bool(op.fill)) if paint in "Sf" else None
        if pattern is None:
            self.out.append(_operators(op.d) + paint)
        else:
            self._pattern(*pattern, paint)

    def _pattern(self, often: Sequence[Motif], others: str, paint: str) -> None:
        """Shapes that are drawn many times, each as a form of its own, moved from place to place; and the others."""
        for motif in often:
            name = self.named("M", _operators(motif.d) + paint)
            self.out.append("q")
            at_x = at_y = 0
            for x, y in motif.places:
                self.out.append(f"1 0 0 1 {(x - at_x) / 1000:g} {(y - at_y) / 1000:g} cm /{name} Do")
                at_x, at_y = x, y
            self.out.append("Q")
        if others:
            self.out.append(_operators(others) + paint)

    def _text(self, op: TextOp) -> None:
        self._fill(op.colour)
        self.local = True
        if self.marked:
            if self.line is not None and apart(self.line, op, self.document.fonts):
                # Whoever reads aloud would otherwise join the words.
                space = replace(op, text=" ", kerns=(), tracking=0.0)
                self.out.append(f"BT {_place(op)} {self.document.encoders[op.font].shown(space)} ET")
            self.line = op
        shown = self.document.encoders[op.font].shown(op)
        if op.tracking:
            self.out.append(f"BT {op.tracking:.4f} Tc {_place(op)} {shown} 0 Tc ET")
        else:
            self.out.append(f"BT {_place(op)} {shown} ET")

    def _push(self, op: Push) -> None:
        self.saved.append((self.fill, self.stroke, self.pen))
        self.out.append("q")
        if op.matrix != IDENTITY:
            self.out.append(" ".join([f"{v + 0.0:.6f}".rstrip("0").rstrip(".") for v in op.matrix]) + " cm")
        if op.clip:
            self.out.append(f"{_operators(op.clip)}W n")
        if op.role and self.tags is not None:
            self.marked.append(len(self.saved))
            self.local = True
            self.out.append(self.tags.begin(op.role, op.alt))
            self.line = self.line if op.role == "Span" else None
        if op.opacity < 1:
            self.nested.append((len(self.saved), max(0.0, op.opacity), self.out, self.objects))
            self.out, self.objects = [], {}
            self.fill, self.stroke, self.pen = "", "", ()

    def _end_group(self) -> None:
        """Turn the drawing since the group began into a form of its own."""
        _, opacity, out, objects = self.nested.pop()
        group = self.document.group("\n".join(self.out), self.objects)
        self.out, self.objects, self.local = out, objects, True
        out.append(f"/{self.document.state(opacity)} gs /{self.named('G', group)} Do")

    def _image(self, op: ImageOp) -> None:
        name = self.named("I", self.document.image(op))
        self.local = True
        self.out.append(f"q {number(op.w)} 0 0 {number(-op.h)} {number(op.x)} {number(op.y + op.h)} cm /{name} Do Q")
