"""Words as designers want them on faces: justified, divided, in lists, on a curve; barcodes."""

from __future__ import annotations

import io
import itertools
import math
import re
import sys
from pathlib import Path

import pypdfium2
import pytest
from facekit import box_font, places
from msgspec.structs import replace
from PIL import Image, ImageChops, ImageFilter

from components.errors import DefinitionError
from components.resolve import resolve_game
from generator.backends.pdf import write_pdf
from generator.build.project import read_layouts
from generator.build.proofs import face_bytes, one_face
from generator.cli import main as cli
from generator.faces.codes import checked
from generator.faces.display import DisplayList, PathOp, Push, TextOp
from generator.faces.facemaker import FaceMaker
from generator.faces.faults import Fault
from generator.faces.fonts import FontBook
from generator.faces.svgpath import numbers
from generator.faces.text import TextBlock, TextBox, TextStyle, layout
from generator.paper.units import POINT

GAME = "lantern-walk"
EM = 10 * POINT
STYLE = TextStyle(name="box", font="box", size=10)


@pytest.fixture(scope="module")
def fonts(tmp_path_factory: pytest.TempPathFactory) -> FontBook:
    """A font whose letters are 0.6 em wide and whose spaces are 0.3."""
    root = tmp_path_factory.mktemp("fonts")
    (root / "Box.ttf").write_bytes(box_font())
    sans = "font_source_sans_pro:SourceSansPro-Regular.ttf"
    return FontBook({"box": "Box.ttf", "sans": sans}, root, root / "cache")


def set_box(value: str, wide: float, fonts: FontBook, hyphens: str = "", **how: str) -> TextBlock:
    style = TextStyle(name="box", font="box", size=10, hyphens=hyphens)
    return layout(value, style, TextBox(width=wide * EM, **how), fonts)  # type: ignore[arg-type]


def said(block: TextBlock) -> list[str]:
    return [op.text for op in block.ops if isinstance(op, TextOp)]


def ends(block: TextBlock) -> list[float]:
    """Where each line ends, in ems."""
    return [
        round((op.x + len(op.text.replace(" ", "")) * 0.6 * EM + op.text.count(" ") * 0.3 * EM) / EM, 2)
        + round(sum(by for _, by in op.kerns) / EM, 2)
        for op in block.ops
        if isinstance(op, TextOp)
    ]


def test_justified_lines_fill_the_box_except_the_last_of_a_paragraph(fonts: FontBook) -> None:
    block = set_box("AA BB CC DDDD EE\nFF GG", 6, fonts, align="justify")
    assert said(block) == ["AA BB CC", "DDDD EE", "FF GG"]
    assert ends(block) == pytest.approx([6, 3.9, 2.7], abs=0.02)
    assert block.width == pytest.approx(6 * EM)
    spaces = next(op.kerns for op in block.ops if isinstance(op, TextOp))
    assert [i for i, _ in spaces] == [2, 5], "what is added stands in the spaces"


def test_words_of_several_styles_fill_a_line_too(project: Path) -> None:
    only(project, 'text: {box: [5, 10, 40, 30], style: body, align: justify, value: "Take [lantern] **and** give '
         '[underline]two more lanterns[/underline] to whoever walks behind you tonight."}')  # fmt: skip
    face, maker = front(project)
    texts = [op for op in face.ops if isinstance(op, TextOp)]
    for y in sorted({op.y for op in texts})[:-1]:
        line = max((op for op in texts if op.y == y), key=lambda op: op.x)
        wide = maker.fonts[line.font].width(line.text, kern=False) * line.size + sum(by for _, by in line.kerns)
        assert line.x + wide == pytest.approx(45, abs=0.05)
    rule = next(op for op in face.ops if isinstance(op, PathOp) and op.d.count("L") == 3)
    under = next(op for op in texts if op.text.startswith("two"))
    wide = maker.fonts[under.font].width(under.text, kern=False) * under.size + sum(by for _, by in under.kerns)
    assert numbers(rule.d)[2] == pytest.approx(under.x + wide, abs=0.02)


SANS = TextStyle(name="sans", font="sans", size=10, hyphens="de")


@pytest.mark.parametrize("wide", [15, 20, 30])
@pytest.mark.parametrize("align", ["left", "center", "justify"])
def test_a_word_wider_than_its_box_is_divided(align: str, wide: float, fonts: FontBook) -> None:
    text = "Die große Donaudampfschifffahrtsgesellschaft, (eine) Schiffahrt-GESELLSCHAFTSFORM."
    box = TextBox(width=wide, align=align)
    block = layout(text, SANS, box, fonts)
    found = said(block)
    assert re.sub("[- ]", "", "".join(found)) == re.sub("[- ]", "", text)
    assert block.width <= wide + 1e-6
    assert all(fonts["sans"].width(line, True) * EM <= wide + 0.01 for line in found)
    with pytest.raises(Fault, match="does not fit"):
        layout(text, replace(SANS, hyphens=""), box, fonts)


def test_names_are_whole_in_english_and_nouns_are_divided_in_german(fonts: FontBook) -> None:
    text = "Der alte Laternenanzünder kommt"
    english = layout(text, replace(SANS, hyphens="en_GB"), TextBox(width=25), fonts)
    assert said(english)[0] == "Der alte"
    assert said(layout(text, SANS, TextBox(width=25), fonts))[0].startswith("Der alte Latern")


def test_a_font_without_a_hyphen_divides_nothing(fonts: FontBook) -> None:
    assert said(set_box("An unbelievable thing", 8, fonts, hyphens="en_GB")) == ["An", "unbelievable", "thing"]


def test_items_of_a_list_hang(fonts: FontBook) -> None:
    block = set_box("AA\n1. BB CC DD\n2. EE", 5, fonts, align="center")
    texts = [op for op in block.ops if isinstance(op, TextOp)]
    assert [op.text for op in texts] == ["AA", "1.", "BB CC", "DD", "2.", "EE"]
    indent = (1.2 + 0.45) * EM
    assert [round(op.x, 2) for op in texts[1:]] == [0, *[round(indent, 2)] * 2, 0, round(indent, 2)]
    assert texts[1].y == texts[2].y < texts[3].y < texts[4].y


@pytest.mark.parametrize(
    ("value", "shown"),
    [("- AA", ["•", "AA"]), ("1. AA", ["1. AA"]), ("-2 AA", ["-2 AA"]), ("AA - BB", ["AA - BB"])],
)
def test_what_is_an_item_of_a_list(value: str, shown: list[str], fonts: FontBook) -> None:
    assert said(layout(value, SANS, TextBox(width=50), fonts)) == shown


# --- faces ---------------------------------------------------------------------------------------------------------


def only(project: Path, *elements: str) -> None:
    text = "".join(f"  - {element}\n" for element in elements)
    (project / f"layouts/{GAME}/faces/card.yaml").write_text(f"items:\n{text}", "utf-8")


def front(project: Path) -> tuple[DisplayList, FaceMaker]:
    game = resolve_game(GAME, root=project)
    maker = read_layouts(GAME, places(project)).faces(game)
    return maker.front(game.pieces[0], 0), maker


def pictures(face: DisplayList, maker: FaceMaker, monkeypatch: pytest.MonkeyPatch) -> list[Image.Image]:
    """A face by way of cairosvg, of resvg and of PDF, with 10 pixels in a mm."""
    made = [face_bytes(face, maker.fonts, "", "png", False, 254)]
    with monkeypatch.context() as patch:
        patch.setitem(sys.modules, "cairosvg", None)
        made.append(face_bytes(face, maker.fonts, "", "png", False, 254))
    pdf = write_pdf([one_face(face, "", False)], {"face": face}, fonts=maker.fonts, title="")
    with pypdfium2.PdfDocument(pdf) as document:
        printed = document[0].render(scale=254 / 72).to_pil().convert("L")
    drawn = [Image.open(io.BytesIO(png)).convert("L") for png in made]
    return [*drawn, printed.crop((0, 0, *drawn[0].size))]


ELEMENTS = {
    "justified": "text: {box: [5, 5, 50, 20], style: body, align: justify, hyphens: en_GB, value: 'Whoever lights the "
    "last lantern immediately rearranges the neighbouring streets and walks home.'}",
    "list": 'text: {box: [5, 5, 50, 30], style: body, value: "Now:\\n- light a [lantern] and end your turn\\n- pass"}',
    "circle": "curve: {at: [30, 30], r: 15, value: 'Gust [lantern] of **Wind**', style: body}",
    "path": "curve: {d: 'M 5 40 C 20 20 35 60 55 30', value: 'Gust of Wind', style: title}",
}


@pytest.mark.parametrize("kind", ELEMENTS)
def test_pictures_of_svg_and_pdf_are_alike(kind: str, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    only(project, ELEMENTS[kind])
    drawn = pictures(*front(project), monkeypatch)
    assert drawn[0].getextrema()[0] < 100, "nothing was drawn"
    for one, other in itertools.pairwise(image.filter(ImageFilter.BoxBlur(2)) for image in drawn):
        assert one.size == other.size
        assert ImageChops.difference(one, other).getextrema()[1] < 70  # type: ignore[operator]


def runs(image: Image.Image, y: int) -> list[int]:
    """The widths of dark and light by turns along a line, from the first dark pixel to the last."""
    row = [image.getpixel((x, y)) < 128 for x in range(image.width)]  # type: ignore[operator]
    whole = "".join("#" if dark else " " for dark in row).strip()
    return [len(list(group)) for _, group in itertools.groupby(whole)]


def test_an_ean_has_the_bars_of_the_standard(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """ISO/IEC 15420: sets A and B at the left, chosen by the first digit, C at the right, mirrored by complement."""
    a = ["0001101", "0011001", "0010011", "0111101", "0100011", "0110001", "0101111", "0111011", "0110111", "0001011"]
    c = ["".join("10"[int(bit)] for bit in code) for code in a]
    b = [code[::-1] for code in c]
    left = "".join((b if use == "B" else a)[int(digit)] for digit, use in zip("006381", "ABAABB", strict=True))
    whole = f"101{left}01010{''.join(c[int(digit)] for digit in '333931')}101"
    only(project, "barcode: {value: '400638133393', kind: ean13, box: [1.7, 5, 56.5, 20]}")
    for image in pictures(*front(project), monkeypatch):
        wanted = [len(list(group)) for _, group in itertools.groupby(whole)]
        assert [round(run / 5) for run in runs(image, 100)] == wanted


def test_a_code_128_adds_up(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every sign is 11 modules wide, an even number of them dark; at the end is a stop."""
    only(project, "barcode: {value: 'moon-12', box: [2, 5, 58, 20]}")
    for image in pictures(*front(project), monkeypatch):
        found = runs(image, 100)
        module = sum(found) / (11 * ((len(found) - 7) // 6) + 13)
        widths = [round(run / module) for run in found]
        signs = [widths[n : n + 6] for n in range(0, len(widths) - 7, 6)]
        assert all(sum(sign) == 11 and sum(sign[::2]) % 2 == 0 for sign in signs)
        assert widths[-7:] == [2, 3, 3, 1, 1, 1, 2]
        assert signs[0] == [2, 1, 1, 2, 1, 4], "set B"


def test_letters_stand_upright_on_the_circle(project: Path) -> None:
    only(project, "curve: {at: [30, 40], r: 15, value: 'mmm', style: body}",
         "curve: {at: [30, 40], r: 15, turn: 180, inward: true, value: 'mmm', style: body}")  # fmt: skip
    found = [op.matrix for op in front(project)[0].ops if isinstance(op, Push)]
    assert all(math.hypot(m[4] - 30, m[5] - 40) == pytest.approx(15) for m in found)
    for middle, y in ((found[1], 25), (found[4], 55)):
        assert middle == pytest.approx((1, 0, 0, 1, 30, y), abs=1e-6)
    assert found[0][4] < 30 < found[2][4]
    assert found[3][4] < 30 < found[5][4]
    assert found[0][1] < 0 < found[2][1], "turned like the circle"
    assert found[3][1] > 0 > found[5][1]


@pytest.mark.parametrize(
    ("element", "said"),
    [
        ("barcode: {value: '4006381333932', kind: ean13, box: [5, 5, 50, 20]}", "the check digit of 400638133393"),
        ("barcode: {value: 12345, kind: ean13, box: [5, 5, 50, 20]}", "12 digits and a check digit"),
        ("barcode: {value: 'Möwe', box: [5, 5, 50, 20]}", "only the letters, digits and signs of ASCII"),
        ("barcode: {value: moon-12, box: [5, 5, 20, 20]}", "a box 25.1 mm wide holds them"),
        ("barcode: {value: moon-12, box: [5, 5, 50, 20], kind: ean8}", "'kind' cannot be 'ean8'"),
        ("curve: {value: Moon, style: body}", "either 'at' and 'r'"),
        ("curve: {value: Moon, style: body, at: [30, 30], r: 0}", "'r' must be more than 0"),
        ("curve: {value: Moon, style: body, d: M 5 5}", "the path has no length"),
        ("curve: {value: Moon, style: body, d: M 5 x}", "not a list of numbers"),
        ("curve: {value: A long walk with lanterns, style: body, at: [30, 30], r: 3}", "does not fit"),
        ("curve: {value: '[underline]Moon[/underline]', style: body, at: [30, 30], r: 9}", "cannot be underlined"),
        ("text: {box: [5, 5, 50, 20], style: body, value: Moon, hyphens: xx}", "in the language 'xx'"),
        ("text: {box: [5, 5, 50, 20], style: body, value: Moon, align: justified}", "did you mean 'justify'"),
    ],
)
def test_what_cannot_be_drawn_is_told(element: str, said: str, project: Path) -> None:
    only(project, element)
    with pytest.raises(DefinitionError) as error:
        front(project)
    assert re.search(re.escape(said), str(error.value)), error.value


def test_a_torn_line_is_found_by_check(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    line = "text: {box: [10, 20, 31, 40], style: body, value: 'I am illuminated neighbouring', align: %s}"
    only(project, line % "left")
    cli.main(["--project", str(project), "check", GAME])
    told = capsys.readouterr()
    assert "LAY-042" not in told.out + told.err
    only(project, line % "justify")
    cli.main(["--project", str(project), "check", GAME])
    told = capsys.readouterr()
    assert "card.yaml:2" in told.out + told.err and "LAY-042" in told.out + told.err


def test_a_check_digit_is_added() -> None:
    assert checked("400638133393") == "4006381333931"
