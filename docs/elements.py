"""`docs/elements.md`: a picture of every element and ornament, drawn from the YAML that stands below it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import yaml
from msgspec.structs import replace
from PIL import Image, ImageDraw

from components.resolve import resolve_game
from generator.backends.svg import face_svg
from generator.build.places import Places
from generator.build.project import read_layouts
from generator.build.starter import make_starter
from generator.faces.facemaker import FaceMaker

HERE = Path(__file__).resolve().parent
SOURCE = HERE / "elements.yaml"
INTO = "pictures/elements"
W, H = 50.0, 30.0
"""Size of a picture, mm."""
BOX = "[2, 2, 46, 26]"
NAME = "gallery"

INTRODUCTION = f"""\
# Elements and ornaments

{{by_hand}} Each picture is a face of 50 x 30 mm, drawn by the lines beside it with the colours and
styles of the game that `pnp init` makes. [Face templates](face-templates.md) says what each argument means. The box of
every ornament below is `{BOX}` unless it says otherwise.
"""


def examples() -> dict[str, dict[str, list[dict[str, Any]]]]:
    """`elements` and `ornaments` -> name -> the elements of a template that shows it."""
    read = yaml.safe_load(SOURCE.read_text(encoding="utf-8"))
    boxed = {"box": [2, 2, 46, 26]}
    ornaments = {
        kind: [{"ornament": {"kind": kind, **boxed, **one}} for one in layers]
        for kind, layers in read["ornaments"].items()
    }
    return {"elements": read["elements"], "ornaments": ornaments}


def elements_page(by_hand: str) -> str:
    """The page. `by_hand` warns those who would edit it."""
    source = SOURCE.read_text(encoding="utf-8")
    out = [INTRODUCTION.format(by_hand=by_hand), "## Elements"]
    for name, written in _written(source.partition("\nelements:\n")[2].partition("\nornaments:\n")[0]):
        out += ["", f"### {name}", "", f"![{name}]({INTO}/{name}.svg)", "", "```yaml", *written, "```"]
    out += ["", "## Ornaments", "", "| | |", "|---|---|"]
    for kind, layers in yaml.safe_load(source)["ornaments"].items():
        said = "<br>".join(f"`{_flow({'kind': kind, **one})}`" for one in layers)
        out.append(f"| ![{kind}]({INTO}/ornament-{kind}.svg) | **{kind}**<br>{said} |")
    return "\n".join(out) + "\n"


def pictures() -> dict[str, str]:
    """File name -> SVG of every example. Raises FaceError if one cannot be drawn."""
    with TemporaryDirectory() as folder:
        project = Path(folder) / NAME
        make_starter(project)
        _photo(project / "photo.png")
        _frame(project / "frame.png")
        faces = project / "layouts" / NAME / "faces"
        shown: list[tuple[str, str]] = []
        for group, found in examples().items():
            for name, items in found.items():
                template = f"{group}-{name}"
                shown.append((template, name if group == "elements" else f"ornament-{name}"))
                text = yaml.safe_dump({"about": name, "items": [GROUND, *items]}, sort_keys=False)
                (faces / f"{template}.yaml").write_text(text, encoding="utf-8")
        places = Places(project=project, cache=None, records=Path(folder) / "records")
        layouts = read_layouts(NAME, places)
        game = resolve_game(NAME, root=places.project)
        piece = game.pieces[0]
        card = replace(layouts.formats[piece.format], w=W, h=H, bleed=0.0, corner=0.0)
        maker = FaceMaker(game, layouts.look, {**layouts.formats, piece.format: card}, layouts.fonts)
        return {
            f"{file}.svg": face_svg(maker.front(replace(piece, face=template)), layouts.fonts)
            for template, file in shown
        }


GROUND = {"rect": {"box": [0, 0, W, H], "fill": "ground"}}


def _written(text: str) -> Iterator[tuple[str, list[str]]]:
    """The examples as they are written, each with its name, without the indentation of the file."""
    name, lines = "", list[str]()
    for line in text.splitlines():
        if line.startswith("  ") and line[2] != " ":
            if name:
                yield name, lines
            name, lines = line.strip().rstrip(":"), []
        else:
            lines.append(line[4:])
    yield name, lines


def _flow(value: dict[str, Any]) -> str:
    return yaml.safe_dump(value, default_flow_style=True, sort_keys=False, width=10_000).strip()


def _photo(file: Path) -> None:
    """A picture in the place of a photograph: a low sun over the sea."""
    picture = Image.new("RGB", (400, 480))
    for y in range(480):
        warm = max(0.0, 1 - abs(y - 250) / 250)
        colour = (int(70 + 170 * warm), int(80 + 90 * warm), int(120 - 20 * warm))
        ImageDraw.Draw(picture).line((0, y, 400, y), fill=colour if y < 300 else tuple(part // 2 for part in colour))
    ImageDraw.Draw(picture).ellipse((140, 170, 260, 290), fill=(255, 224, 150))
    picture.save(file)


def _frame(file: Path) -> None:
    """A frame to be stretched: a line with a knob at each corner."""
    picture = Image.new("RGBA", (90, 90))
    draw = ImageDraw.Draw(picture)
    draw.rectangle((6, 6, 83, 83), outline="#7a4a1a", width=8)
    for x, y in ((0, 0), (60, 0), (0, 60), (60, 60)):
        draw.ellipse((x, y, x + 29, y + 29), fill="#c9871f")
    picture.save(file)
