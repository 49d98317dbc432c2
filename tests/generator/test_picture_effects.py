"""What designers do with pictures: photographs of telephones, gradients, frames, codes, icons as files, opacity."""

from __future__ import annotations

import io
import re
import sys
from pathlib import Path

import pypdfium2
import pytest
from facekit import places
from PIL import Image, ImageChops, ImageDraw, ImageStat

from components.errors import DefinitionError
from components.resolve import resolve_game
from generator.backends.pdf import write_pdf
from generator.build.project import read_layouts
from generator.build.proofs import face_bytes, one_face
from generator.cli import main as cli
from generator.faces.codes import qr_modules, qr_path
from generator.faces.display import DisplayList, ImageOp, PathOp, TextOp
from generator.faces.photographs import PLAIN, ready
from generator.faces.pictures import pixels_of

GAME = "lantern-walk"
Colour = tuple[int, int, int]


def only(project: Path, *elements: str, head: str = "") -> None:
    text = "".join(f"  - {element}\n" for element in elements)
    (project / f"layouts/{GAME}/faces/card.yaml").write_text(f"{head}items:\n{text}", "utf-8")


def front(project: Path, look: int = 0) -> tuple[DisplayList, Image.Image, Image.Image]:
    """The first card, and its pictures by way of SVG and of PDF, with 5 pixels in a mm."""
    game = resolve_game(GAME, root=project)
    maker = read_layouts(GAME, places(project)).faces(game)
    face = maker.front(game.pieces[0], look)
    drawn = Image.open(io.BytesIO(face_bytes(face, maker.fonts, "", "png", False, 127))).convert("RGB")
    pdf = write_pdf([one_face(face, "", False)], {"face": face}, fonts=maker.fonts, title="")
    with pypdfium2.PdfDocument(pdf) as document:
        printed = document[0].render(scale=127 / 72).to_pil().convert("RGB")
    return face, drawn, printed


def at(image: Image.Image, x: float, y: float) -> Colour:
    pixel = image.getpixel((int(x * 5), int(y * 5)))
    assert isinstance(pixel, tuple)
    return pixel[0], pixel[1], pixel[2]


def near(found: Colour, wanted: Colour, by: int = 6) -> bool:
    return all(abs(a - b) <= by for a, b in zip(found, wanted, strict=True))


def photograph(project: Path, size: tuple[int, int], name: str = "photo.jpg") -> None:
    """The left half red, the right half blue."""
    image = Image.new("RGB", size, "#ff0000")
    image.paste("#0000ff", (size[0] // 2, 0, *size))
    image.save(project / name, quality=95, **({"lossless": True} if name.endswith("webp") else {}))


@pytest.mark.parametrize("size", [(8160, 6120), (1800, 1200)])
def test_a_photograph_has_the_pixels_that_paper_shows(project: Path, size: tuple[int, int]) -> None:
    photograph(project, size)
    only(project, "image: {file: photo.jpg, box: [10, 10, 40, 30], fit: cover}")
    face, drawn, _ = front(project)
    (picture,) = [op for op in face.ops if isinstance(op, ImageOp)]
    with Image.open(io.BytesIO(picture.content)) as stored:
        assert (stored.height, picture.media) == (354, "jpeg")  # 30 mm at 300 dpi
    assert near(at(drawn, 12, 20), (254, 0, 0))
    assert near(at(drawn, 48, 20), (0, 0, 254))


def test_a_small_picture_stays_as_it_is(project: Path) -> None:
    photograph(project, (500, 400))
    only(project, "image: {file: photo.jpg, box: [10, 10, 40, 30]}")
    face, _, _ = front(project)
    assert [op.content for op in face.ops if isinstance(op, ImageOp)] == [(project / "photo.jpg").read_bytes()]


def test_webp(project: Path) -> None:
    photograph(project, (400, 300), "photo.webp")
    only(project, "image: {file: photo.webp, box: [10, 10, 40, 30]}")
    _, drawn, printed = front(project)
    assert near(at(drawn, 12, 20), (255, 0, 0))
    assert near(at(printed, 48, 20), (0, 0, 255))


@pytest.mark.parametrize("name", ["photo.heic", "photo.avif"])
def test_what_telephones_save(project: Path, name: str) -> None:
    if name.endswith("heic"):
        pytest.importorskip(
            "pillow_heif", reason="no pillow-heif: pip install 'tablewright[photos]'"
        ).register_heif_opener()
    photograph(project, (1600, 1200), name)
    only(project, f"image: {{file: {name}, box: [10, 10, 40, 30]}}")
    face, drawn, printed = front(project)
    (picture,) = [op for op in face.ops if isinstance(op, ImageOp)]
    assert picture.media == "jpeg" and pixels_of(picture.content) == (472, 354)
    assert near(at(drawn, 12, 20), (255, 0, 0), 8)
    assert near(at(printed, 48, 20), (0, 0, 255), 8)


def test_a_heic_without_its_library_says_what_to_install(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (project / "photo.heic").write_bytes(b"\0\0\0\x18ftypheic" + bytes(40))
    monkeypatch.setitem(sys.modules, "pillow_heif", None)
    only(project, "image: {file: photo.heic, box: [10, 10, 40, 30]}")
    with pytest.raises(DefinitionError, match=r"tablewright\[photos\]"):
        front(project)


def test_a_picture_of_too_many_pixels_names_the_way_out(project: Path) -> None:
    Image.new("1", (9000, 9000)).save(project / "photo.png")
    only(project, "image: {file: photo.png, box: [10, 10, 40, 30]}")
    with pytest.raises(DefinitionError, match="save it with fewer"):
        front(project)


def test_opacity_is_that_of_the_whole(project: Path) -> None:
    """Two shapes that overlap in a group do not show through each other; PDF and SVG agree."""
    group = "group: {items: [{rect: {box: [10, 10, 20, 20], fill: '#0000ff'}},"
    only(project, f"{group} {{rect: {{box: [20, 10, 20, 20], fill: '#ff0000'}}}}]}}\n    opacity: 0.5")
    _, drawn, printed = front(project)
    for image in (drawn, printed):
        assert near(at(image, 15, 20), (127, 127, 255))
        assert near(at(image, 25, 20), (255, 127, 127))
        assert near(at(image, 45, 20), (255, 255, 255))
    only(project, "rect: {box: [10, 10, 20, 20], fill: '#000000'}\n    opacity: \"{{ piece.copies / 10 }}\"")
    assert near(at(front(project)[1], 15, 15), (178, 178, 178))
    only(project, "rect: {box: [10, 10, 20, 20], fill: '#000000'}\n    opacity: 2")
    with pytest.raises(DefinitionError, match="between 0"):
        front(project)


def test_opacity_in_drawings(project: Path) -> None:
    shapes = (
        '<g opacity="0.5"><rect width="10" height="10"/></g><rect x="10" width="10" height="10" fill-opacity=".2"/>'
    )
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 10">{shapes}</svg>'
    (project / "a.svg").write_text(svg, "utf-8")
    only(project, "image: {file: a.svg, box: [10, 10, 40, 20]}")
    _, drawn, printed = front(project)
    for image in (drawn, printed):
        assert near(at(image, 15, 20), (127, 127, 127))
        assert near(at(image, 45, 20), (204, 204, 204))


@pytest.mark.parametrize(
    ("towards", "dark", "light"),
    [
        ("down", (30, 58), (30, 12)),
        ("up", (30, 12), (30, 58)),
        ("right", (48, 30), (12, 30)),
        ("left", (12, 30), (48, 30)),
    ],
)
def test_a_scrim_darkens_towards_one_side(
    project: Path, towards: str, dark: tuple[float, float], light: tuple[float, float]
) -> None:
    only(
        project,
        "rect: {box: [10, 10, 40, 50], fill: '#ffcc00'}",
        f"gradient: {{box: [10, 10, 40, 50], from: none, to: '#000000', opacity: [0, 0.8], towards: {towards}}}",
    )
    _, drawn, printed = front(project)
    for image in (drawn, printed):
        assert sum(at(image, *dark)) < 130
        assert sum(at(image, *light)) > 400
    across = [sum(at(drawn, x, 35)) for x in (11, 30, 49)]
    if towards in ("up", "down"):
        assert max(across) - min(across) < 12, "the sides do not fade"


def test_tint_grey_and_mask(project: Path) -> None:
    photograph(project, (300, 300))
    mask = Image.new("L", (200, 200), 0)
    ImageDraw.Draw(mask).rectangle((0, 0, 199, 99), fill=255)
    mask.save(project / "mask.png")
    only(
        project,
        "image: {file: photo.jpg, box: [2, 2, 20, 20], mask: mask.png}",
        "image: {file: photo.jpg, box: [24, 2, 20, 20], grey: true}",
        "image: {file: photo.jpg, box: [2, 24, 20, 20], tint: '#004000'}",
    )
    _, drawn, printed = front(project)
    for image in (drawn, printed):
        assert near(at(image, 5, 5), (254, 0, 0))
        assert near(at(image, 5, 20), (255, 255, 255))
        red, green, blue = at(image, 26, 10)
        assert near((red, red, red), (red, green, blue), 2)
        red, green, blue = at(image, 4, 30)
        assert green > red + 20
        assert red == pytest.approx(blue, abs=3)


def test_a_frame_keeps_its_corners(project: Path) -> None:
    image = Image.new("RGB", (60, 60), "#ffffff")
    draw = ImageDraw.Draw(image)
    draw.rectangle((0, 0, 59, 59), outline="#0000ff", width=20)
    for x in (0, 40):
        for y in (0, 40):
            draw.rectangle((x, y, x + 19, y + 19), fill="#ff0000")
    image.save(project / "frame.png")
    only(project, "frame: {file: frame.png, box: [5, 5, 50, 30], cut: 20, edge: 5}")
    _, drawn, printed = front(project)
    for picture in (drawn, printed):
        for spot in ((7, 7), (53, 7), (7, 33), (53, 33)):
            assert near(at(picture, *spot), (255, 0, 0), 30), spot
        for spot in ((20, 7), (30, 33), (7, 20), (53, 20)):
            assert near(at(picture, *spot), (0, 0, 255), 30), spot
        assert near(at(picture, 30, 20), (255, 255, 255), 30)
    only(project, "frame: {file: frame.png, box: [5, 5, 50, 30], cut: 30, edge: 5}")
    with pytest.raises(DefinitionError, match="borders of its frame"):
        front(project)


def test_a_code_is_one_path_of_its_dark_modules(project: Path) -> None:
    only(project, "qr: {value: 'card: {{ piece.id }}', box: [10, 10, 30, 30], colour: '#000000'}")
    face, drawn, _ = front(project)
    assert sum(isinstance(op, PathOp) for op in face.ops) == 1
    modules = qr_modules("card: paper-moon", "m")
    k = 30 / len(modules)
    read = [[at(drawn, 10 + (i + 0.5) * k, 10 + (j + 0.5) * k)[0] < 128 for i in range(len(modules))]
            for j in range(len(modules))]  # fmt: skip
    assert read == [list(row) for row in modules]
    assert (
        qr_path(((True, True, False), (False,) * 3, (False,) * 3), 0, 0, 3)
        == "M0.0000 0.0000L2.0000 0.0000L2.0000 1.0000L0.0000 1.0000Z"
    )
    only(project, f"qr: {{value: '{'x' * 4000}', box: [10, 10, 30, 30]}}")
    with pytest.raises(DefinitionError, match="cannot become a QR code"):
        front(project)


OF_A_COLLECTION = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 512 512" style="height: 512px; width: 512px;">'
    '<path d="M0 0h512v512H0z" fill="#000" fill-opacity="1"></path><g class="" transform="translate(0,0)" style="">'
    '<path d="M128 128H384V384H128Z" fill="#fff" fill-opacity="1"></path></g></svg>'
)


@pytest.mark.parametrize(
    "svg",
    [
        OF_A_COLLECTION,
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><path d="M6 6h12v12H6z"/></svg>',
        '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><rect x="2" y="2" width="4" height="4"/></svg>',
    ],
    ids=["white on black", "black", "a shape"],
)
def test_an_icon_may_be_a_file(project: Path, svg: str) -> None:
    folder = project / f"layouts/{GAME}/icons/author"
    folder.mkdir(parents=True)
    (folder / "block.svg").write_text(svg, "utf-8")
    only(
        project,
        "icon: {name: block, box: [10, 10, 20, 20], colour: '#0000ff'}",
        "text: {box: [10, 40, 40, 10], style: body, value: 'a [block] b', accent: '#ff0000'}",
    )
    _, drawn, _ = front(project)
    assert near(at(drawn, 20, 20), (0, 0, 255))
    assert near(at(drawn, 12, 12), (255, 255, 255))
    assert cli.main(["--project", str(project), "build", GAME]) == 0
    (folder / "block.svg").write_text(svg.replace("<svg", "<svg id='x'").replace("M128", "M100"), "utf-8")
    assert cli.main(["--project", str(project), "build", GAME]) == 0


def test_an_icon_that_cannot_be_read_is_told_at_its_file(project: Path) -> None:
    folder = project / f"layouts/{GAME}/icons"
    folder.mkdir()
    text = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><text>a</text></svg>'
    (folder / "word.svg").write_text(text, "utf-8")
    only(project, "icon: {name: word, box: [10, 10, 20, 20], colour: ink}")
    with pytest.raises(DefinitionError) as error:
        front(project)
    assert error.value.problems[0].file == f"layouts/{GAME}/icons/word.svg"
    assert "'text'" in error.value.problems[0].what


def test_text_on_a_photograph_has_an_outline_or_a_shadow(project: Path) -> None:
    text = "text: {box: [5, 10, 53, 12], style: title, value: Moon, colour: '#ffffff', "
    only(project, f"{text} outline: {{colour: '#ff0000', width: 0.6}}}}")
    face, drawn, printed = front(project)
    kinds = [type(op) for op in face.ops]
    assert kinds[-1] is TextOp and PathOp in kinds
    for image in (drawn, printed):
        reds = sum(near(at(image, x / 5, y / 5), (255, 0, 0), 20) for x in range(25, 290) for y in range(50, 110))
        assert reds > 300
    only(project, f"{text} shadow: {{colour: '#0000ff', at: [1, 1], opacity: 1}}}}")
    _, drawn, _ = front(project)
    assert any(near(at(drawn, x / 5, y / 5), (0, 0, 255), 20) for x in range(25, 290) for y in range(50, 110))


def test_spans_change_a_part_of_a_text(project: Path) -> None:
    value = "Take [colour gold]3 gold[/colour] and [underline]one more[/underline], [size 1.5]big[/size]."
    only(project, f'text: {{box: [5, 10, 53, 30], style: body, value: "{value}"}}')
    face, _, _ = front(project)
    texts = {op.text: op for op in face.ops if isinstance(op, TextOp)}
    assert texts["3 gold"].colour == "#c9871f"
    assert texts["Take"].colour == "#22283a"
    assert texts["big"].size == pytest.approx(1.5 * texts["Take"].size, abs=0.001)
    (line,) = [op for op in face.ops if isinstance(op, PathOp)]
    assert line.fill == "#22283a"
    assert " ".join(op.text for op in texts.values()).replace(" ,", ",").replace(" .", ".") == re.sub(
        r"\[[^\]]*\]", "", value
    )


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("[colour gold]a", "is opened and not closed"),
        ("a[/colour]", "closes nothing"),
        ("[size 9]a[/size]", "a factor of at most 4"),
        ("[colour glod]a[/colour]", "there is no colour 'glod'"),
    ],
)
def test_a_span_that_cannot_be_read(project: Path, value: str, said: str) -> None:
    only(project, f'text: {{box: [5, 10, 53, 30], style: body, value: "{value}"}}')
    with pytest.raises(DefinitionError, match=re.escape(said)):
        front(project)


def test_copies_have_serial_numbers(project: Path) -> None:
    only(
        project,
        'text: {box: [5, 10, 53, 30], style: body, value: "No. {{ copy }} of {{ piece.copies }}"}',
        head="looks: copies\n",
    )
    assert cli.main(["--project", str(project), "build", GAME]) == 0
    with pypdfium2.PdfDocument(project / "output" / GAME / "cards-a4-long.pdf") as document:
        words = " ".join(page.get_textpage().get_text_range() for page in document)
    found = re.findall(r"No\. (\d) of (\d)", words)
    assert sorted(found) == sorted([(str(n), str(of)) for of in (3, 4, 3) for n in range(1, of + 1)])


def test_sixty_grainy_photographs_of_a_telephone_make_a_pdf_under_20_mb() -> None:
    photo = Image.radial_gradient("L").resize((1658, 2248)).convert("RGB")
    photo = Image.blend(photo, Image.effect_noise(photo.size, 120).convert("RGB"), 0.4)
    out = io.BytesIO()
    photo.save(out, "JPEG", quality=95)
    made, media = ready(out.getvalue(), "jpeg", (829, 1124), PLAIN)
    assert media == "jpeg"
    assert 60 * len(made) < 20_000_000
    wanted = photo.resize((829, 1124), Image.Resampling.LANCZOS)
    assert ImageStat.Stat(ImageChops.difference(Image.open(io.BytesIO(made)), wanted)).mean[0] < 6
