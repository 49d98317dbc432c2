"""SVG documents: valid, layered, the same everywhere, and like the PDF."""

from __future__ import annotations

import io
from pathlib import Path
from xml.etree import ElementTree

import pytest
from artkit import art
from facekit import CARD, difference, maker, piece, rendered, sheet
from PIL import Image

from components.loader import list_games
from generator.backends import layers
from generator.backends.pdf import write_pdf
from generator.backends.png import write_png
from generator.backends.svg import face_svg, write_svg
from generator.faces.display import POP, DisplayList, Op, PathOp, Push, TextOp
from generator.faces.facemaker import FaceMaker
from generator.paper.formats import LAYOUTS
from generator.sheets.sheets import Box, CutLine, Placement

SVG = "{http://www.w3.org/2000/svg}"
INKSCAPE = "{http://www.inkscape.org/namespaces/inkscape}"
XLINK = "{http://www.w3.org/1999/xlink}"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> FaceMaker:
    return maker(tmp_path_factory.mktemp("project"), CARD)


def picture(png: bytes) -> Image.Image:
    return Image.open(io.BytesIO(png)).convert("RGB")


PLACEMENTS = (
    Placement(face="a", x=10, y=10, w=63, h=88, bleed=(3, 3, 3, 3), piece="units/general"),
    Placement(face="a", x=90, y=10, w=88, h=63, turn=90, bleed=(0, 3, 3, 3)),
    Placement(face="a", x=10, y=110, w=63, h=88, turn=180, clip="circle"),
    Placement(face="a", x=90, y=110, w=63, h=88, clip="hex"),
    Placement(face="a", x=10, y=205, w=63, h=88, window=Box(20, 210, 30, 40)),
)
MARKS: tuple[Op, ...] = (
    Push(layer="cut"),
    PathOp("M10 5L10 9", stroke="#000000", width=0.1),
    POP,
    Push(layer="fold"),
    PathOp("M10 150L70 150", stroke="#888888", width=0.2, dash=(1.0, 1.0)),
    POP,
    TextOp("sans", 3.0, 20.0, 6.0, "Demo 1", "#000000"),
)


def test_a_sheet_is_valid_and_measured_in_millimetres(made: FaceMaker) -> None:
    text = write_svg(sheet(*PLACEMENTS, marks=MARKS), {"a": made.front(piece())}, fonts=made.fonts, check=True)
    root = ElementTree.fromstring(text.encode())
    assert (root.get("width"), root.get("height"), root.get("viewBox")) == ("210mm", "297mm", "0 0 210 297")
    assert root.findtext(f"{SVG}title") == "Demo: poker cards 1"
    found = [g.get(f"{INKSCAPE}label") for g in root.findall(f"{SVG}g") if g.get(f"{INKSCAPE}groupmode") == "layer"]
    assert found == ["art", "text", "fold", "cut"]


def test_each_face_is_a_symbol_that_is_used(made: FaceMaker) -> None:
    text = write_svg(sheet(*PLACEMENTS), {"a": made.front(piece())}, fonts=made.fonts)
    root = ElementTree.fromstring(text.encode())
    symbols = {s.get("id"): s for s in root.iter(f"{SVG}symbol")}
    assert list(symbols) == ["f1-art", "f1-text"]
    assert symbols["f1-text"].findtext(f"{SVG}title") == "units/general"
    assert "Thoughtful General" in (symbols["f1-text"].findtext(f"{SVG}desc") or "")
    uses = [u.get(f"{XLINK}href") for u in root.iter(f"{SVG}use")]
    assert uses.count("#f1-art") == uses.count("#f1-text") == len(PLACEMENTS)
    ids = [e.get("id") for e in root.iter() if e.get("id")]
    assert len(ids) == len(set(ids))
    assert {u[1:] for u in uses if u} <= set(ids)


def test_texts_are_outlines_and_each_glyph_stands_once(made: FaceMaker) -> None:
    face = DisplayList(30.0, 10.0, 0.0, [TextOp("sans", 3.0, 1.0, 5.0, "to to", "#000000")])
    root = ElementTree.fromstring(face_svg(face, made.fonts, check=True).encode())
    assert not list(root.iter(f"{SVG}text"))
    defs = root.find(f"{SVG}defs")
    assert defs is not None
    assert [p.get("id") for p in defs] == ["g1", "g2"]
    assert [u.get(f"{XLINK}href") for u in root.iter(f"{SVG}use")] == ["#g1", "#g2", "#g1", "#g2"]


def test_identical_input_gives_identical_text(made: FaceMaker, tmp_path: Path) -> None:
    again = maker(tmp_path, CARD)
    one, other = (
        write_svg(sheet(*PLACEMENTS, marks=MARKS), {"a": m.front(piece())}, fonts=m.fonts) for m in (made, again)
    )
    assert one == other


# --- layers ------------------------------------------------------------------------------------------------------

RECT = PathOp("M0 0L10 0L10 10L0 10Z", fill="#ffffff")
WORDS = TextOp("sans", 3.0, 2.0, 5.0, "ab", "#000000")


def test_text_goes_to_its_own_layer() -> None:
    assert layers.split([RECT, WORDS]) == {"art": [RECT], "text": [WORDS]}


def test_text_under_art_stays_under_it() -> None:
    assert layers.split([WORDS, RECT]) == {"art": [WORDS, RECT]}
    aside = PathOp("M50 50L60 60", stroke="#000000", width=1.0)
    assert layers.split([WORDS, aside]) == {"art": [aside], "text": [WORDS]}


def test_groups_are_repeated_where_they_are_needed() -> None:
    push = Push((1.0, 0.0, 0.0, 1.0, 60.0, 0.0))
    empty = Push(clip="M0 0L1 1Z")
    ops: list[Op] = [push, RECT, empty, POP, WORDS, POP, Push(layer="cut"), RECT, POP]
    assert layers.split(ops) == {
        "art": [push, RECT, POP],
        "text": [push, WORDS, POP],
        "cut": [Push(layer="cut"), RECT, POP],
    }


# --- like the PDF ------------------------------------------------------------------------------------------------


def test_sheet_looks_like_the_pdf(made: FaceMaker) -> None:
    one = sheet(*PLACEMENTS, marks=MARKS)
    faces = {"a": made.front(piece())}
    svg = picture(write_png(write_svg(one, faces, fonts=made.fonts), 127))
    pdf = rendered(write_pdf([one], faces, title="t", fonts=made.fonts), 127)
    assert pdf.size == svg.size
    assert difference(pdf, svg) < 0.5


def game_faces() -> list[tuple[str, str, str]]:
    """One piece for each face template of every game that has a layout: game, template, piece."""
    found: dict[tuple[str, str], str] = {}
    for name in list_games():
        if (LAYOUTS / name / "theme.yaml").is_file():
            for one in art(name).game.pieces:
                for template in (one.face, one.back):
                    if template:
                        found.setdefault((name, template), f"{one.set}/{one.id}")
    return [(name, template, label) for (name, template), label in found.items()]


def whole_pixels(w: float, h: float, dpi: float) -> float:
    """A resolution near `dpi` at which a face of odd size has whole pixels both ways, or just less: renderers round
    what is over as they like, and stretch the face."""
    near = [dpi * (1 + step / 5000) for step in range(-150, 600)]
    return min(near, key=lambda one: sum(-side * one / 25.4 % 1 for side in (w, h)))


@pytest.mark.parametrize(("name", "template", "label"), game_faces())
def test_every_kind_of_face_looks_alike_in_pdf_and_svg(name: str, template: str, label: str) -> None:
    one = art(name).piece(label)
    face = art(name).front(one, "normal") if one.face == template else art(name).reverse(one, "normal")
    assert face is not None
    fonts = art(name).maker("normal").fonts
    dpi = 190.5 if face.w <= 100 else 127  # coarser, hairlines count: the PDF's are never under a pixel wide
    if art(name).maker("normal").formats[one.format].scale != 1:
        dpi = whole_pixels(face.w, face.h, dpi)
    page = sheet(Placement(face="a", x=0, y=0, w=face.w, h=face.h), w=face.w, h=face.h)
    pdf = rendered(write_pdf([page], {"a": face}, title="t", fonts=fonts), dpi)
    svg = picture(write_png(face_svg(face, fonts), dpi))
    assert pdf.size == svg.size
    assert difference(pdf, svg) < 3.0


def test_outlines_are_a_layer_that_is_hidden_and_not_printed(made: FaceMaker, cairo: str) -> None:
    from msgspec.structs import replace

    faces = {"a": made.front(piece())}
    plain = sheet(*PLACEMENTS, marks=MARKS)
    lined = replace(plain, outlines=(CutLine(Box(10, 10, 63, 88), "rect"), CutLine(Box(90, 10, 88, 63), "hex")))
    text = write_svg(lined, faces, fonts=made.fonts, check=True)
    *_, last = ElementTree.fromstring(text.encode()).findall(f"{SVG}g")
    assert last.get(f"{INKSCAPE}label") == "outlines" and last.get("style") == "display:none"
    assert [path.get("d") for path in last.findall(f"{SVG}path")] == [
        "M10 10H73V98H10Z",
        "M134 10L178 25.75L178 57.25L134 73L90 57.25L90 25.75Z",
    ]
    assert write_png(text, 60) == write_png(write_svg(plain, faces, fonts=made.fonts), 60)
    assert write_png(text.replace("display:none", ""), 60) != write_png(text, 60)
    assert write_pdf([lined], faces, fonts=made.fonts, title="x") == write_pdf(
        [plain], faces, fonts=made.fonts, title="x"
    )
