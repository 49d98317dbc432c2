"""A small made-up project for tests of faces: a font whose glyphs are squares, a theme, a game and its pieces."""

from __future__ import annotations

import atexit
from collections.abc import Iterable
from functools import lru_cache
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pypdfium2
from PIL import Image, ImageChops, ImageStat

from components.model import Icon, ResolvedGame, ResolvedPiece, ResolvedRule
from generator.book.rulebook import BookLook
from generator.build.places import Places
from generator.build.project import Layouts, read_book_look, read_layouts
from generator.faces.facemaker import FaceMaker
from generator.faces.svgpath import Segment
from generator.paper.formats import LAYOUTS
from generator.sheets.sheets import Box, Placement, Sheet, around

THEME = """
fonts:
  box: fonts/Box.ttf
  sans: font_source_sans_pro:SourceSansPro-Regular.ttf
  sans-bold: font_source_sans_pro:SourceSansPro-Bold.ttf
  sans-italic: font_source_sans_pro:SourceSansPro-It.ttf
  serif: font_source_serif_pro:SourceSerifPro-Semibold.ttf
colours:
  ink: "#2a2118"
  paper: "#f5ecd8"
  accent: {normal: "#3f7a6b", low: "#ffffff"}
styles:
  title: {font: serif, size: 13, min: 9}
  body: {font: sans, size: 8.5, min: 7, leading: 1.25}
  box: {font: box, size: 10}
seats:
  Qin: {colour: accent, emblem: army}
"""
ICONS = """
army: [{d: "M4 20 L12 3 L20 20 Z", fill: ink}, {circle: [12, 14, 3], fill: paper, stroke: none}]
coin: [{circle: [12, 12, 9]}]
"""
PARTS = """
disc:
  args: {n: null, r: 6}
  items:
    - circle: {at: [0, 0], r: "{{ r }}", fill: accent, stroke: ink, width: 0.4}
    - text:
        box: ["{{ -r }}", "{{ -r }}", "{{ 2 * r }}", "{{ 2 * r }}"]
        style: title
        value: "{{ n }}"
        align: center
        valign: middle
"""
CARD = """
about: a card with everything on it
items:
  - rect: {box: ["{{ -bleed }}", "{{ -bleed }}", "{{ w + 2 * bleed }}", "{{ h + 2 * bleed }}"], fill: paper}
  - ornament: {kind: meander-frame, box: [3, 3, 57, 82], depth: 3, stroke: accent, width: 0.2}
    if: ink == 'normal'
  - text: {box: [16, 7, 40, 9], style: title, value: "{{ piece.name }}", valign: middle}
  - part: {name: disc, at: [11, 11.5], with: {n: "{{ piece.fields.cost }}", r: 4}}
  - regular: {at: [31, 34], r: 11, sides: 5, star: 0.45, fill: accent, stroke: ink, width: 0.3}
  - icons: {box: [8, 48, 47, 6], value: "{{ piece.icons }}", label_style: body, size: 6}
  - text: {box: [8, 57, 47, 20], style: body, value: "{{ piece.text }}"}
"""


@lru_cache
def box_font() -> bytes:
    """A font of 1000 units to the em: letters and digits are squares 600 wide, a space is 300, capitals 700 high."""
    from fontTools.fontBuilder import FontBuilder
    from fontTools.pens.ttGlyphPen import TTGlyphPen

    chars = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789.,"
    names = [".notdef", "space", *(f"c{ord(c)}" for c in chars)]
    builder = FontBuilder(1000, isTTF=True)
    builder.setupGlyphOrder(names)
    builder.setupCharacterMap({32: "space"} | {ord(c): f"c{ord(c)}" for c in chars})
    glyphs = {}
    for name in names:
        pen = TTGlyphPen(None)
        if name.startswith("c"):
            low = -200 if name == f"c{ord('p')}" else 0
            corners = [(50, low), (50, 700), (550, 700), (550, low)]
            pen.moveTo(corners[0])
            for corner in corners[1:]:
                pen.lineTo(corner)
            pen.closePath()
        glyphs[name] = pen.glyph()
    builder.setupGlyf(glyphs)
    builder.setupHorizontalMetrics({name: (300 if name == "space" else 600, 50) for name in names})
    builder.setupHorizontalHeader(ascent=800, descent=-200)
    builder.setupNameTable({"familyName": "Box", "styleName": "Regular", "psName": "Box-Regular"})
    builder.setupOS2(sCapHeight=700, sxHeight=700, sTypoAscender=800, usWinAscent=800, usWinDescent=200)
    builder.setupPost()
    file = BytesIO()
    builder.font["head"].created = builder.font["head"].modified = 0
    builder.font.recalcTimestamp = False
    builder.save(file)
    return file.getvalue()


def project(
    root: Path, card: str = CARD, *, theme: str = THEME, parts: str = PARTS, icons: str = ICONS, **faces: str
) -> Path:
    """Write a project with the game `demo` below `root`; returns its layout folder."""
    files = {"theme.yaml": theme, "parts.yaml": parts, "icons.yaml": icons, "faces/card.yaml": card}
    files |= {f"faces/{name}.yaml": text for name, text in faces.items()}
    for name, text in files.items():
        file = root / "layouts" / "demo" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    (root / "fonts").mkdir(exist_ok=True)
    (root / "fonts" / "Box.ttf").write_bytes(box_font())
    return root / "layouts"


def game(**changes: Any) -> ResolvedGame:
    """A resolved game without rules to speak of."""
    rule = ResolvedRule(id="D-1", title="One", text="Pay 2.", origin="given", section="Play")
    plain: dict[str, Any] = {
        "id": "demo", "title": "Demo", "prefix": "D", "engine": "demo", "seats": ["Qin"], "seat_word": "State",
        "players": (2, 4), "about": "", "credits": "", "params": {"build.army_cost": 2, "hand": 4, "hand.limit": 7},
        "param_about": {}, "param_rules": {}, "sections": ["Play"], "modules": ["base"], "rules": {"D-1": rule},
        "overview": [], "off": [], "verbs": {}, "pieces": [], "rulings": [],
    }  # fmt: skip
    return ResolvedGame(**{**plain, **changes})


def piece(**changes: Any) -> ResolvedPiece:
    """A poker card with the face `card`."""
    plain: dict[str, Any] = {
        "id": "general", "name": "Thoughtful General", "set": "units", "set_title": "Units", "kind": "card",
        "format": "poker", "face": "card", "icons": (Icon("army", "2"), Icon("coin"), Icon("army", "all")),
        "text": "Choose **one** player: he loses 2 [army] and discards _half_ of his provinces, rounded down.",
        "fields": {"cost": 7},
    }  # fmt: skip
    return ResolvedPiece(**{**plain, **changes})


def maker(root: Path, card: str = CARD, ink: str = "normal", **files: str) -> FaceMaker:
    """A face maker for the project written below `root`."""
    return layouts_in(project(root, card, **files)).faces(game(), ink)


_kept = TemporaryDirectory(prefix="tablewright-metrics-")
"""Metrics of fonts are read once for all tests of a process."""
atexit.register(_kept.cleanup)


def layouts_in(folder: Path, name: str = "demo") -> Layouts:
    """The layouts of a game in a layout folder that `project` wrote."""
    return read_layouts(name, places(folder.parent))


def places(root: Path) -> Places:
    """A project folder, a cache that all tests share, and records beside the project."""
    return Places(project=root, cache=Path(_kept.name), records=root.parent / "records")


@lru_cache
def shipped(name: str) -> Layouts:
    """The layouts of a game that comes with the program, read once."""
    return layouts_in(LAYOUTS, name)


@lru_cache
def shipped_book(name: str) -> BookLook:
    """How the rulebook of a game that comes with the program looks, read once."""
    return read_book_look(name, places(LAYOUTS.parent))


def items(text: str) -> str:
    """A face template of one element per line."""
    return "items:\n" + "".join(f"  - {line}\n" for line in text.strip().splitlines())


def sheet(*placements: Placement, **changes: Any) -> Sheet:
    """An A4 sheet with the placements."""
    trim = around([placement.trim for placement in placements]) if placements else Box(10, 10, 20, 20)
    plain: dict[str, Any] = {
        "name": "cards-1-front", "title": "Demo: poker cards 1", "side": "front", "w": 210.0, "h": 297.0,
        "placements": placements, "trim": trim, "bleed": trim.grown(3, 3, 3, 3),
    }  # fmt: skip
    return Sheet(**{**plain, **changes})


def rendered(pdf: bytes, dpi: float, page: int = 0) -> Image.Image:
    """A page of a PDF as a picture, by PDFium (which rounds sizes up, so that a hair less gives the right size)."""
    document = pypdfium2.PdfDocument(pdf)
    try:
        picture: Image.Image = document[page].render(scale=dpi / 72 * (1 - 1e-5)).to_pil().convert("RGB")
        return picture
    finally:
        document.close()


def difference(one: Image.Image, other: Image.Image) -> float:
    """How unlike two pictures are after a slight blur (so that edges drawn by two programs count little): the mean
    difference of their pixels, 0 to 255."""
    size = (one.width // 2, one.height // 2)
    small = [picture.convert("RGB").resize(size, Image.Resampling.BOX) for picture in (one, other)]
    return sum(ImageStat.Stat(ImageChops.difference(*small)).mean) / 3


def bounds(path: Iterable[Segment]) -> tuple[float, float, float, float]:
    """A box `(left, top, right, bottom)` around all points and handles (it may be larger than the curve)."""
    xs: list[float] = []
    ys: list[float] = []
    for segment in path:
        xs += segment[1::2]
        ys += segment[2::2]
    if not xs:
        return (0.0, 0.0, 0.0, 0.0)
    return (min(xs), min(ys), max(xs), max(ys))
