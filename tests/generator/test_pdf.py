"""PDFs opened and measured."""

from __future__ import annotations

import io
from pathlib import Path
from xml.etree import ElementTree

import pikepdf
import pypdfium2
import pytest
from facekit import CARD, maker, piece, rendered, sheet
from PIL import Image, ImageChops

from generator.backends.pdf import write_pdf
from generator.backends.pdfcommon import Kept
from generator.faces import svgpath
from generator.faces.display import POP, DisplayList, ImageOp, PathOp, Push, TextOp
from generator.faces.facemaker import FaceMaker
from generator.faces.fonts import FontBook, FontError
from generator.sheets.sheets import Box, Placement

MM = 72 / 25.4
NO_FONTS = FontBook({}, Path())


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> FaceMaker:
    return maker(tmp_path_factory.mktemp("project"), CARD)


def block(w: float = 63.0, h: float = 88.0, bleed: float = 3.0) -> DisplayList:
    """A face that is black to the edge of its bleed."""
    d = svgpath.to_d(svgpath.rect(-bleed, -bleed, w + 2 * bleed, h + 2 * bleed))
    return DisplayList(w, h, bleed, [PathOp(d, fill="#000000")])


def black(page: Image.Image) -> tuple[int, int, int, int]:
    """The box of pixels around everything that is not nearly white."""
    white = Image.new("RGB", page.size, "#ffffff")
    found = ImageChops.difference(page, white).convert("L").point(lambda v: 255 * (v > 60)).getbbox()
    assert found is not None
    return found


def test_page_boxes_are_exact_and_viewers_are_told_to_print_at_full_size(made: FaceMaker) -> None:
    placement = Placement(face="a", x=10.5, y=16.5, w=63, h=88)
    one = sheet(placement, trim=Box(10.5, 16.5, 189, 264), bleed=Box(7.5, 13.5, 195, 270))
    with pikepdf.open(io.BytesIO(write_pdf([one], {"a": block()}, title="Demo", fonts=NO_FONTS))) as pdf:
        page = pdf.pages[0]
        assert pdf.Root.ViewerPreferences.PrintScaling == "/None"
        boxes = {name: [float(v) / MM for v in page[name]] for name in ("/MediaBox", "/TrimBox", "/BleedBox")}
    assert boxes["/MediaBox"] == pytest.approx([0, 0, 210, 297], abs=0.01)
    assert boxes["/TrimBox"] == pytest.approx([10.5, 297 - 280.5, 199.5, 297 - 16.5], abs=0.01)
    assert boxes["/BleedBox"] == pytest.approx([7.5, 297 - 283.5, 202.5, 297 - 13.5], abs=0.01)


@pytest.mark.parametrize("turn", [0, 90, 180, 270])
def test_faces_lie_where_they_are_placed(turn: int) -> None:
    """A black face, its corner marked, measured in pixels of 0.05 mm."""
    face = block()
    corner = DisplayList(63.0, 88.0, 3.0, [*face.ops, PathOp("M0 0L10 0L10 10L0 10Z", fill="#ff0000")])
    w, h = (63.0, 88.0) if turn % 180 == 0 else (88.0, 63.0)
    bleed = (1.0, 2.0, 3.0, 0.0)
    placement = Placement(face="a", x=20, y=30, w=w, h=h, turn=turn, bleed=bleed)  # type: ignore[arg-type]
    page = rendered(write_pdf([sheet(placement)], {"a": corner}, title="t", fonts=NO_FONTS), 508)
    per_mm = page.width / 210
    assert [v / per_mm for v in black(page)] == pytest.approx([19, 28, 20 + w + 3, 30 + h], abs=0.051)
    red = page.getchannel("R").point(lambda v: 255 * (v > 128))
    dark = ImageChops.subtract(red, page.getchannel("G")).getbbox()
    assert dark is not None
    x, y = {0: (20, 30), 90: (20 + w - 10, 30), 180: (20 + w - 10, 30 + h - 10), 270: (20, 30 + h - 10)}[turn]
    assert [v / per_mm for v in dark] == pytest.approx([x, y, x + 10, y + 10], abs=0.051)


@pytest.mark.parametrize(
    ("clip", "inside", "outside"),
    [("circle", (15.0, 10.2), (11.0, 11.0)), ("hex", (10.3, 20.0), (10.3, 11.0)), ("rect", (10.2, 10.2), (9.0, 9.0))],
)
def test_faces_are_clipped_to_their_shape(clip: str, inside: tuple[float, float], outside: tuple[float, float]) -> None:
    placement = Placement(face="a", x=10, y=10, w=10, h=20, clip=clip)  # type: ignore[arg-type]
    page = rendered(write_pdf([sheet(placement)], {"a": block(10, 20)}, title="t", fonts=NO_FONTS), 254)
    assert page.getpixel((round(inside[0] * 10), round(inside[1] * 10))) == (0, 0, 0)
    assert page.getpixel((round(outside[0] * 10), round(outside[1] * 10))) == (255, 255, 255)


def test_a_window_shows_a_part_of_a_board() -> None:
    placement = Placement(face="a", x=-50, y=-50, w=200, h=200, window=Box(10, 20, 30, 40))
    page = rendered(write_pdf([sheet(placement)], {"a": block(200, 200)}, title="t", fonts=NO_FONTS), 254)
    assert black(page) == pytest.approx((100, 200, 400, 600), abs=1)


def test_each_face_is_stored_once(made: FaceMaker) -> None:
    face = made.front(piece())
    placements = [Placement(face="a", x=10.0 + 63 * i, y=10, w=63, h=88) for i in range(3)]
    pdf = write_pdf([sheet(*placements), sheet(*placements)], {"a": face}, title="t", fonts=made.fonts)
    with pikepdf.open(io.BytesIO(pdf)) as opened:
        forms = [o for o in opened.objects if isinstance(o, pikepdf.Stream) and o.get("/Subtype") == "/Form"]
        assert [[float(v) for v in form.BBox] for form in forms].count([-3.6, -3.6, 66.6, 91.6]) == 1
        for page in opened.pages:
            assert page.contents_coalesce() is None
            drawn = [op for op in pikepdf.parse_content_stream(page) if str(op.operator) == "Do"]
            assert len(drawn) == 3


def test_fonts_are_embedded_and_subset(made: FaceMaker) -> None:
    face = made.front(piece())
    pdf = write_pdf([sheet(Placement(face="a", x=9, y=9, w=63, h=88))], {"a": face}, title="t", fonts=made.fonts)
    with pikepdf.open(io.BytesIO(pdf)) as opened:
        fonts = [o for o in opened.objects if isinstance(o, pikepdf.Dictionary) and o.get("/Type") == "/Font"]
        assert len(fonts) == 4
        for font in fonts:
            assert font.Subtype == "/TrueType"
            assert str(font.BaseFont)[7] == "+"
            stored = font.FontDescriptor.FontFile2.read_bytes()
            assert len(stored) < 20_000
    assert len(pdf) < 40_000


def test_text_can_be_found_and_copied(made: FaceMaker) -> None:
    face = made.front(piece(name="Wáng “Jiǎn” – (a\\b)"))
    pdf = write_pdf([sheet(Placement(face="a", x=9, y=9, w=63, h=88))], {"a": face}, title="t", fonts=made.fonts)
    document = pypdfium2.PdfDocument(pdf)
    text = document[0].get_textpage().get_text_range()
    document.close()
    assert "Wáng “Jiǎn” – (a\\b)" in text
    assert "discards half of his" in text.replace("\r\n", " ")


def test_more_characters_than_one_subset_holds(made: FaceMaker) -> None:
    chars = [chr(c) for c in range(0x21, 0x250) if chr(c) in made.fonts["sans"].metrics.advances and chr(c).isalpha()]
    assert len(chars) > 270
    rows = ["".join(chars[i : i + 60]) for i in range(0, len(chars), 60)]
    rows.append(chars[0] + chars[-1] + "AVA")
    ops = [TextOp("sans", 2.0, 0.0, 5.0 * n, row, "#000000", kerns=((0, -0.1),)) for n, row in enumerate(rows, 1)]
    face = DisplayList(150.0, 60.0, 0.0, list(ops))
    pdf = write_pdf([sheet(Placement(face="a", x=9, y=9, w=150, h=60))], {"a": face}, title="t", fonts=made.fonts)
    document = pypdfium2.PdfDocument(pdf)
    text = document[0].get_textpage().get_text_range()
    document.close()
    for row in rows:
        assert row in text


def test_identical_input_gives_identical_bytes(made: FaceMaker, tmp_path: Path) -> None:
    def build(m: FaceMaker) -> bytes:
        placement = Placement(face="a", x=9, y=9, w=63, h=88)
        return write_pdf([sheet(placement)], {"a": m.front(piece())}, title="Demo", fonts=m.fonts)

    assert build(made) == build(maker(tmp_path, CARD))


def test_another_face_is_another_document_id(made: FaceMaker) -> None:
    ids = set()
    for name in ("Uno", "Due"):
        placement = Placement(face="a", x=9, y=9, w=63, h=88)
        pdf = write_pdf([sheet(placement)], {"a": made.front(piece(name=name))}, title="Demo", fonts=made.fonts)
        with pikepdf.open(io.BytesIO(pdf)) as opened:
            ids.add(bytes(opened.trailer.ID[0]))
            assert str(opened.docinfo.Title) == "Demo"
    assert len(ids) == 2


def test_marks_are_drawn_last_in_sheet_millimetres() -> None:
    marks = (Push(layer="cut"), PathOp("M20 20L40 20", stroke="#ff0000", width=1.0))
    placement = Placement(face="a", x=10, y=10, w=63, h=88)
    one = sheet(placement, marks=(*marks, POP))
    page = rendered(write_pdf([one], {"a": block()}, title="t", fonts=NO_FONTS), 254)
    assert page.getpixel((300, 200)) == (255, 0, 0)


def test_pictures_with_and_without_transparency() -> None:
    def content(mode: str, colour: object, kind: str) -> bytes:
        file = io.BytesIO()
        Image.new(mode, (4, 4), colour).save(file, kind)  # type: ignore[arg-type]
        return file.getvalue()

    ops = [
        PathOp("M0 0L30 0L30 10L0 10Z", fill="#000000"),
        ImageOp(content("RGB", "#00ff00", "JPEG"), "jpeg", 0.0, 0.0, 10.0, 10.0),
        ImageOp(content("RGBA", (255, 0, 0, 0), "PNG"), "png", 10.0, 0.0, 10.0, 10.0),
        ImageOp(content("RGB", "#0000ff", "PNG"), "png", 20.0, 0.0, 10.0, 10.0),
    ]
    face = DisplayList(30.0, 10.0, 0.0, list(ops))
    page = rendered(
        write_pdf([sheet(Placement(face="a", x=10, y=10, w=30, h=10))], {"a": face}, title="t", fonts=NO_FONTS), 254
    )
    green = page.getpixel((150, 150))
    assert isinstance(green, tuple)
    assert green[1] > 250 and green[0] < 5
    assert page.getpixel((250, 150)) == (0, 0, 0)
    assert page.getpixel((350, 150)) == (0, 0, 255)


def test_a_font_that_is_none_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x.ttf").write_bytes(b"not a font")
    face = DisplayList(10.0, 10.0, 0.0, [TextOp("x", 3.0, 1.0, 5.0, "a", "#000000")])
    with pytest.raises(FontError, match="'x' cannot be embedded"):
        write_pdf(
            [sheet(Placement(face="a", x=9, y=9, w=10, h=10))],
            {"a": face},
            title="t",
            fonts=FontBook({"x": "x.ttf"}, tmp_path),
        )


def test_documents_that_share_faces_are_what_they_are_alone(made: FaceMaker) -> None:
    """A booklet and its pages: what the first made of a face the second takes, unless names of its own stand in it."""
    out = io.BytesIO()
    Image.new("RGB", (4, 4), "#00ff00").save(out, "PNG")
    texts = made.front(piece())
    picture = DisplayList(63, 88, 3, [ImageOp(out.getvalue(), "png", 0, 0, 10, 10)])
    faces = {"a": block(), "t": texts, "p": picture}
    placed = [Placement(face=face, x=9, y=9, w=63, h=88) for face in faces]
    kept = Kept()
    for order in (placed, placed[::-1]):
        alone = write_pdf([sheet(one) for one in order], faces, title="t", fonts=made.fonts)
        assert write_pdf([sheet(one) for one in order], faces, title="t", fonts=made.fonts, kept=kept) == alone
    assert list(kept.shared(list(faces), faces).streams) == ["a"]


def test_a_document_says_when_it_was_made_and_what_it_is_twice_alike() -> None:
    made = 1_700_000_000
    content = write_pdf([], {}, title="Ann & Bo: cards", fonts=FontBook({}, Path()), date=made)
    with pikepdf.open(io.BytesIO(content)) as opened:
        assert str(opened.docinfo["/CreationDate"]) == "D:20231114221320+00'00'"
    xmp = content[content.index(b"<?xpacket begin") : content.index(b"<?xpacket end")].decode()
    root = ElementTree.fromstring(xmp[xmp.index("<x:xmpmeta") :])
    said = {element.tag.split("}")[1]: "".join(element.itertext()) for element in root[0][0]}
    assert said["CreateDate"] == said["ModifyDate"] == "2023-11-14T22:13:20Z"
    assert said["title"] == "Ann & Bo: cards" and said["creator"] == "Tablewright"
    assert write_pdf([], {}, title="Ann & Bo: cards", fonts=FontBook({}, Path()), date=made) == content
