"""What designers need: pictures that keep their shape, icons of any grid, contact sheets, files for print shops."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pypdfium2
import pytest
from facekit import places
from PIL import Image

from components.errors import DefinitionError
from components.resolve import resolve_game
from generator.build.project import read_layouts
from generator.build.proofs import face_bytes
from generator.cli import main as cli
from generator.faces.display import DisplayList, TextOp
from generator.faces.pictures import orientation

GAME = "lantern-walk"


def front(project: Path) -> tuple[DisplayList, Image.Image]:
    """The first card, and its picture with 5 pixels in a mm."""
    game = resolve_game(GAME, root=project)
    maker = read_layouts(GAME, places(project)).faces(game)
    face = maker.front(game.pieces[0])
    return face, Image.open(io.BytesIO(face_bytes(face, maker.fonts, "", "png", False, 127))).convert("RGB")


def only(project: Path, element: str) -> None:
    (project / f"layouts/{GAME}/faces/card.yaml").write_text(f"items:\n  - {element}\n")


def photograph(project: Path, exif: int = 1) -> None:
    """200 x 100 pixels: the left half red, the right half blue, as they are stored."""
    image = Image.new("RGB", (200, 100), "#ff0000")
    image.paste("#0000ff", (100, 0, 200, 100))
    data = Image.Exif()
    data[0x0112] = exif
    image.save(project / "photo.jpg", quality=95, exif=data)


def size_of(file: Path) -> tuple[int, int]:
    with Image.open(file) as image:
        return image.size


def colours(image: Image.Image, *spots: tuple[float, float]) -> str:
    """r, b or . (white) at spots in mm."""
    found = ""
    for x, y in spots:
        pixel = image.getpixel((int(x * 5), int(y * 5)))
        assert isinstance(pixel, tuple)
        found += "r" if pixel[0] > 200 > pixel[2] else "b" if pixel[2] > 200 > pixel[0] else "."
    return found


@pytest.mark.parametrize(
    ("fit", "expected"),
    [("contain", "rb.."), ("cover", "rbrb"), ("stretch", "rbrb")],
    ids=["contain", "cover", "stretch"],
)
def test_a_picture_keeps_its_shape_or_fills_its_box(project: Path, fit: str, expected: str) -> None:
    photograph(project)
    only(project, f"image: {{file: photo.jpg, box: [10, 10, 40, 40], fit: {fit}}}")
    _, image = front(project)
    assert colours(image, (12, 30), (48, 30), (12, 12), (48, 12)) == expected
    assert colours(image, (8, 30), (52, 30), (30, 8), (30, 52)) == "...."


@pytest.mark.parametrize(
    ("exif", "expected"), [(1, "rb"), (2, "br"), (3, "br"), (4, "rb"), (5, "rb"), (6, "rb"), (7, "br"), (8, "br")]
)
def test_a_photograph_is_turned_as_its_camera_was_held(project: Path, exif: int, expected: str) -> None:
    photograph(project, exif)
    assert orientation((project / "photo.jpg").read_bytes()) == exif
    only(project, "image: {file: photo.jpg, box: [10, 10, 40, 40]}")
    _, image = front(project)
    across, down = ((12, 30), (48, 30)), ((30, 12), (30, 48))
    assert colours(image, *(down if exif > 4 else across)) == expected
    assert colours(image, *(across if exif > 4 else down)) == ".."


def test_an_icon_may_be_drawn_on_any_grid(project: Path) -> None:
    icons = project / f"layouts/{GAME}/icons.yaml"
    big = "M0 0L512 0L512 512L0 512Z"
    icons.write_text(f"block:\n  viewbox: [0, 0, 512, 512]\n  shapes:\n    - {{d: {big}, fill: ink}}\n")
    only(project, "icon: {name: block, box: [10, 10, 20, 20], colour: '#0000ff'}")
    _, image = front(project)
    assert colours(image, (11, 11), (29, 29), (9, 9), (31, 31)) == "bb.."
    icons.write_text("block:\n  - {d: M100 100L512 100L512 512Z, fill: ink}\n")
    with pytest.raises(DefinitionError, match="runs off the icon's grid, which is 24 x 24"):
        front(project)


def test_an_icon_has_another_in_reserve(project: Path) -> None:
    icons = project / f"layouts/{GAME}/icons.yaml"
    icons.write_text("usual:\n  - {d: M0 0L24 0L24 24L0 24Z, fill: ink}\n")
    only(project, "icon: {name: 'of-{{ piece.id }}', else: usual, box: [10, 10, 20, 20], colour: '#0000ff'}")
    _, image = front(project)
    assert colours(image, (20, 20)) == "b"


def test_a_contact_sheet_shows_every_face(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    where = project / "there"
    assert cli.main(["--project", str(project), "proof", GAME, "--format", "pdf", "--out", str(where)]) == 0
    with pypdfium2.PdfDocument(where / "contact.pdf") as document:
        words = document[0].get_textpage().get_text_range()
    assert all(
        word in words for word in ("paper-moon x 3", "glow-worm x 4", "gust x 3", "back", "contact sheet · 1 of 1")
    )
    assert cli.main(["--project", str(project), "proof", GAME, "--out", str(where)]) == 0
    assert size_of(where / "contact-01.png") == (1240, 1754)
    assert cli.main(["--project", str(project), "proof", GAME, "--format", "svg"]) == 2
    capsys.readouterr()


def test_pictures_for_a_shop_have_bleed_and_quantities(project: Path) -> None:
    out = project / "shop"
    assert cli.main(["--project", str(project), "export", "images", GAME, "--bleed", "--out", str(out)]) == 0
    folder = out / GAME / "images"
    assert size_of(folder / "lantern/gust-front.png") == (829, 1124)  # 70.2 x 95.2 mm at 300 dpi
    rows = list(csv.DictReader((folder / "quantities.csv").read_text().splitlines()))
    assert [(row["piece"], row["quantity"], row["bleed mm"]) for row in rows] == [
        ("paper-moon", "3", "3.6"),
        ("glow-worm", "4", "3.6"),
        ("gust", "3", "3.6"),
    ]
    assert (folder / rows[0]["back"]).is_file()


def test_backs_are_moved_against_what_the_printer_does(project: Path) -> None:
    pages = []
    for further in ([], ["--back-shift", "0.8,-0.5"]):
        out = project / f"out{len(further)}"
        assert cli.main(["--project", str(project), "build", GAME, "--out", str(out), *further]) == 0
        with pypdfium2.PdfDocument(out / GAME / "cards-a4-long.pdf") as document:
            pages.append([document[n].get_trimbox() for n in (0, 1)])
    (front_a, back_a), (front_b, back_b) = pages
    assert front_a == front_b
    moved = [(new - old) * 25.4 / 72 for new, old in zip(back_b, back_a, strict=True)]
    assert moved == pytest.approx([-0.8, -0.5, -0.8, -0.5], abs=0.01)  # of PDF, whose y goes up
    assert cli.main(["--project", str(project), "build", GAME, "--back-shift", "far"]) == 2


def test_a_fallback_font_supplies_what_another_lacks(project: Path) -> None:
    only(project, 'text: {box: [7, 30, 49, 8], style: body, value: "one ↗ two"}')
    theme = project / f"layouts/{GAME}/theme.yaml"
    with pytest.raises(DefinitionError, match="U\\+2197"):
        front(project)
    theme.write_text(theme.read_text() + "fallback: [serif]\n")
    texts = [(op.font, op.text) for op in front(project)[0].ops if isinstance(op, TextOp)]
    assert texts == [("sans", "one"), ("serif", "↗"), ("sans", "two")]


# --- slips -----------------------------------------------------------------------------------------------------------


def told(project: Path, file: str, old: str, new: str, capsys: pytest.CaptureFixture[str]) -> str:
    """What `check` says after a change."""
    path = project / file
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), "utf-8")
    assert cli.main(["--project", str(project), "check"]) == 1
    return capsys.readouterr().err


def test_words_too_long_are_told_with_the_place_where_they_stand(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cards = f"components/{GAME}/lanterns.yaml"
    err = told(project, cards, "name: Glow-worm", "name: Glow-worm of the lane behind the mill of the old town", capsys)
    assert "error LAY-005: lantern/glow-worm: text in box" in err
    assert f"lower the `min` of the style 'title'; lantern/glow-worm is at {cards}:" in err
    assert cli.main(["--project", str(project), "build", "--out", str(project / "out")]) == 1
    assert f"lantern/glow-worm is at {cards}:" in capsys.readouterr().err


def test_a_picture_that_is_missing_is_looked_for(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "art").mkdir()
    photograph(project)
    (project / "photo.jpg").rename(project / "art" / "photo.jpg")
    only(project, "image: {file: photo.jpg, box: [0, 0, 20, 20]}")
    assert cli.main(["--project", str(project), "check"]) == 1
    assert "there is no picture 'photo.jpg'" in (err := capsys.readouterr().err)
    assert "hint: did you mean 'art/photo.jpg'?" in err


def test_a_word_where_bounds_are_is_no_number(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    err = told(project, f"components/{GAME}/game.yaml", "{value: 12,", "{min: 1, value: twelve,", capsys)
    assert "'walk.goal' has a `min` or `max`, so it is a number, found text 'twelve'" in err


def test_icons_in_a_text_have_an_accent_of_their_own(project: Path) -> None:
    only(project, 'text: {box: [5, 5, 50, 10], style: body, accent: gold, value: "3 [lantern]"}')
    face, _ = front(project)
    gold = read_layouts(GAME, places(project)).look.colour("gold", "normal")
    assert gold in {getattr(op, "fill", "") for op in face.ops}
    only(project, 'text: {box: [5, 5, 50, 10], style: body, value: "3 [lantern]"}')
    assert gold not in {getattr(op, "fill", "") for op in front(project)[0].ops}
