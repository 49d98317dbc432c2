"""Faces from drawing programs: an SVG as a face template, its slots, what it cannot keep; a template to begin with."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from facekit import places
from PIL import Image, ImageChops

from components.errors import DefinitionError
from components.resolve import resolve_game
from generator.build.check import check_game
from generator.build.project import read_layouts
from generator.build.proofs import face_bytes
from generator.cli import main as cli
from generator.faces.display import DisplayList, ImageOp, TextOp

GAME = "lantern-walk"
HEAD = (
    '<svg xmlns="http://www.w3.org/2000/svg" xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape" '
    'width="70.2mm" height="95.2mm" viewBox="0 0 702 952">'
)


def drawn(project: Path, inside: str, head: str = HEAD) -> None:
    folder = project / f"layouts/{GAME}/faces"
    (folder / "card.yaml").unlink(missing_ok=True)
    (folder / "card.svg").write_text(f"{head}{inside}</svg>", "utf-8")


def front(project: Path, number: int = 0) -> tuple[DisplayList, Image.Image]:
    """A front, and its picture with 5 pixels in a mm."""
    game = resolve_game(GAME, root=project)
    maker = read_layouts(GAME, places(project)).faces(game)
    face = maker.front(game.pieces[number])
    return face, Image.open(io.BytesIO(face_bytes(face, maker.fonts, "", "png", False, 127))).convert("RGB")


def words(face: DisplayList) -> list[str]:
    return [op.text for op in face.ops if isinstance(op, TextOp)]


@pytest.mark.parametrize(
    "name", ['id="#name"', 'inkscape:label="#name"', 'inkscape:label="# Name "', 'id="#NAME_2"', 'id="#title"']
)
def test_a_slot_is_named_in_any_program(project: Path, name: str) -> None:
    drawn(project, f'<rect {name} x="60" y="60" width="580" height="90" fill="#ff0000"/>')
    face, image = front(project)
    assert words(face) == ["Paper Moon"]
    assert not any(image.getpixel((x, y)) == (255, 0, 0) for x in range(20, 300, 7) for y in range(20, 80, 3)), (
        "the slot itself is not drawn"
    )


def test_everything_is_where_it_was_drawn(project: Path) -> None:
    """A drawing with bleed, its units a tenth of a mm."""
    drawn(
        project,
        '<g transform="translate(36 36)"><rect x="100" y="200" width="300" height="100" fill="#0000ff"/></g>'
        '<g inkscape:label="guides"><rect width="702" height="952" fill="#ff0000"/></g>'
        '<g display="none"><rect width="702" height="952" fill="#00ff00"/></g>',
    )
    _, image = front(project)
    blue = [(x, y) for x in range(315) for y in range(440) if image.getpixel((x, y)) == (0, 0, 255)]
    assert [min(x for x, _ in blue), max(x for x, _ in blue)] == pytest.approx([50, 199], abs=1)
    assert [min(y for _, y in blue), max(y for _, y in blue)] == pytest.approx([100, 149], abs=1)
    assert image.getpixel((5, 5)) == (255, 255, 255)


def test_slots_show_what_the_piece_has(project: Path) -> None:
    Image.new("RGB", (600, 600), "#ff0000").save(project / "moon.webp")
    cards = project / f"components/{GAME}/lanterns.yaml"
    text = cards.read_text("utf-8").replace("fields: {tint: gold}", "fields: {tint: gold, art: moon.webp, sign: pass}")
    cards.write_text(text.replace("  tint: one", "  art?: text\n  sign?: text\n  tint: one"), "utf-8")
    drawn(
        project,
        '<circle id="#Art" cx="351" cy="300" r="100" fill="#cccccc"/><rect id="#icons" x="50" y="500" width="200" '
        'height="90"/><rect id="#sign" x="400" y="500" width="90" height="90"/><rect id="#tint" x="60" y="60" '
        'width="500" height="80"/>',
    )
    face, image = front(project)
    assert sorted(words(face)) == ["3", "gold"]
    assert sum(isinstance(op, ImageOp) for op in face.ops) == 1
    assert image.getpixel((157, 132)) in ((254, 0, 0), (255, 1, 1))
    assert image.getpixel((157 - 40, 132 - 40)) == (255, 255, 255), "cut to the circle"
    assert not [problem for problem in check_game(GAME, places(project)) if problem.severity == "error"]
    face, _ = front(project, 1)
    assert sorted(words(face)) == ["1", "moss"], "a card without a picture leaves its place empty"


def test_texts_keep_their_look_and_are_fitted(project: Path) -> None:
    style = "font-size:60px;text-anchor:middle;fill:#123456;font-family:'Source Serif Pro';font-weight:bold"
    drawn(
        project,
        f'<text id="#name" x="351" y="200" style="{style}"><tspan x="351" y="200">Any name</tspan></text>'
        '<text x="80" y="700" font-size="30">No. {{ piece.copies }} of <tspan>{{ walk.goal }}</tspan></text>',
    )
    face, _ = front(project)
    name, number = [op for op in face.ops if isinstance(op, TextOp)]
    assert (name.text, name.font, name.colour) == ("Paper Moon", "serif", "#123456")
    assert name.size == pytest.approx(6, abs=0.05)
    assert number.text == "No. 3 of 12"
    assert number.size == pytest.approx(3, abs=0.05)
    cards = project / f"components/{GAME}/lanterns.yaml"
    cards.write_text(
        cards.read_text("utf-8").replace("name: Paper Moon", "name: A Moon of Very Thin Wet Paper"), "utf-8"
    )
    face, _ = front(project)
    (name, _) = [op for op in face.ops if isinstance(op, TextOp)]
    assert name.size < 6


REFUSED = [
    ('<image href="data:image/png;base64,AAAA" id="photo"/>', "'image'", "rectangle named '#art'"),
    ("<foreignObject/>", "'foreignObject'", "text tool"),
    ('<rect id="box" width="9" height="9" filter="url(#blur)"/>', "'filter'", "take the effect off"),
    ('<rect id="box" width="9" height="9" fill="url(#g)"/>', "url(#g)", "plain colour"),
    ('<use href="#a"/>', "'use'", "unlink the clone"),
    ('<g id="#text"><text>a</text></g>', "'#text' without a shape", ""),
    ('<rect id="#text" width="0" height="9"/>', "'#text' without a size", ""),
    ('<rect id="#a.b" width="9" height="9"/>', "'#a.b', which is not a name", ""),
    ('<text font-size="2em">a</text>', "size '2em'", "px"),
]


@pytest.mark.parametrize(("inside", "what", "cure"), REFUSED, ids=[what for _, what, _ in REFUSED])
def test_what_cannot_be_kept_is_refused_by_name(project: Path, inside: str, what: str, cure: str) -> None:
    drawn(project, inside)
    with pytest.raises(DefinitionError) as error:
        front(project)
    problem = error.value.problems[0]
    assert problem.file == f"layouts/{GAME}/faces/card.svg"
    assert what in problem.what
    assert cure in problem.what


def test_a_template_is_drawn_or_written(project: Path) -> None:
    (project / f"layouts/{GAME}/faces/card.svg").write_text(f"{HEAD}</svg>", "utf-8")
    with pytest.raises(DefinitionError, match=r"'card\.yaml', too"):
        front(project)


def test_a_template_to_begin_with_draws_the_same_card(project: Path) -> None:
    """Exported and taken instead of the YAML, it prints what the YAML printed."""
    _, before = front(project)
    assert cli.main(["--project", str(project), "export", "template", GAME]) == 0
    text = (project / f"output/{GAME}/template/card.svg").read_text("utf-8")
    assert all(f'inkscape:label="#{name}"' in text for name in ("name", "text", "flavour", "icons", "rule"))
    assert text.index('inkscape:label="spare"') < text.index('inkscape:label="#tint"')
    (project / f"layouts/{GAME}/faces/card.yaml").unlink()
    (project / f"layouts/{GAME}/faces/card.svg").write_text(text, "utf-8")
    assert not [problem for problem in check_game(GAME, places(project)) if problem.severity == "error"]
    face, after = front(project)
    assert "Paper Moon" in words(face)
    different = ImageChops.difference(before, after).convert("L").point(lambda value: 255 * (value > 60))
    left, top, right, low = different.getbbox() or (0, 0, 0, 0)
    assert (right - left) * (low - top) < before.width * before.height / 8, "only the icons may be of another size"
    assert cli.main(["--project", str(project), "build", GAME]) == 0
