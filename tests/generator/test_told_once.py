"""What is wrong is told once, where it stands, and with the variant that meets it."""

from __future__ import annotations

from pathlib import Path

import pytest
from facekit import places
from PIL import Image

from components.errors import Problem
from generator.build.check import check_game

GAME = "lantern-walk"


def cards(project: Path) -> Path:
    return project / "components" / GAME


def found(project: Path) -> list[Problem]:
    return check_game(GAME, places(project))


def only(project: Path, element: str) -> None:
    (project / f"layouts/{GAME}/faces/card.yaml").write_text(f"items:\n  - {element}\n", "utf-8")


def change(file: Path, old: str, new: str) -> None:
    text = file.read_text("utf-8")
    assert old in text
    file.write_text(text.replace(old, new), "utf-8")


def variant(project: Path, text: str) -> None:
    (cards(project) / "variants").mkdir()
    (cards(project) / "variants/basic.yaml").write_text(f"id: basic\ntitle: Basic\nabout: Less.\n{text}\n", "utf-8")


def test_a_missing_font_is_told_at_the_theme(project: Path) -> None:
    change(project / f"layouts/{GAME}/theme.yaml", "font_source_sans_pro:SourceSansPro-Regular.ttf", "Fancy.otf")
    (fault,) = [problem for problem in found(project) if problem.severity == "error"]
    assert (fault.code, fault.file, fault.line) == ("LAY-007", f"layouts/{GAME}/theme.yaml", 4)
    assert ".ttf" in fault.hint


def test_files_are_called_by_their_path_in_the_project(project: Path) -> None:
    (project / "layouts/formats.yaml").write_text("formats:\n  bridge: {title: Bridge, shape: round}\n", "utf-8")
    assert {problem.file for problem in found(project)} == {"layouts/formats.yaml"}


def test_a_fault_of_a_variant_names_it(project: Path) -> None:
    variant(project, "remove_pieces: [lantern/glow-worm]")
    change(cards(project) / "rules.yaml", "Each card is turned", "Each of {{ copies('lantern/glow-worm') }} is turned")
    (fault,) = found(project)
    assert fault.file == f"components/{GAME}/rules.yaml"
    assert fault.what.endswith("(in the variant 'basic')")


def test_faces_that_do_not_fit_are_told_once_for_all_variants(project: Path) -> None:
    only(project, 'text: {box: [6, 6, 9, 4], style: title, value: "{{ piece.name }} {{ walk.goal }}"}')
    once = found(project)
    assert {problem.code for problem in once} == {"LAY-005"}
    variant(project, "parameters: {walk.goal: 99999}")
    assert found(project) == once


def test_a_turned_photograph_lies_on_its_piece(project: Path) -> None:
    only(project, "image: {file: photo.jpg, box: [-3.6, -3.6, 70.2, 95.2], fit: cover}")
    data = Image.Exif()
    for turned in (3, 6, 8):
        data[0x0112] = turned
        Image.new("RGB", (1000, 800), "#884422").save(project / "photo.jpg", exif=data)
        assert found(project) == []
    only(project, "image: {file: photo.jpg, box: [16.4, -3.6, 70.2, 95.2], fit: cover}")
    (warning,) = found(project)
    assert (warning.code, "20.0 mm off" in warning.what) == ("LAY-033", True)


@pytest.mark.parametrize(("pixels", "dpi"), [(120, 61), (400, 0)])
def test_a_picture_of_few_pixels_is_told(project: Path, pixels: int, dpi: int) -> None:
    Image.new("RGB", (pixels, pixels), "#884422").save(project / "photo.png")
    only(project, "image: {file: photo.png, box: [6, 6, 50, 50]}")
    told = found(project)
    assert [problem.code for problem in told] == ["LAY-038"] * bool(dpi)
    if dpi:
        assert f"{dpi} dpi" in told[0].what
        assert "295 x 295 pixels" in told[0].hint
        assert (told[0].file, told[0].line) == (f"layouts/{GAME}/faces/card.yaml", 2)


HIDDEN = [
    '<g display="none">%s</g>',
    '<g style="display:none">%s</g>',
    '<g visibility="hidden">%s</g>',
    '<g style="visibility: collapse">%s</g>',
]


@pytest.mark.parametrize("layer", HIDDEN)
def test_hidden_layers_of_a_drawing_do_not_print(layer: str) -> None:
    from generator.faces.svgpicture import svg_ops

    shape = '<path d="M0 0L9 0L9 9Z"/>'
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10">{layer % shape}%s</svg>'
    assert svg_ops((svg % "").encode(), 0, 0, 10, 10) == []
    assert len(svg_ops((svg % shape).encode(), 0, 0, 10, 10)) == 3


def test_each_takes_a_mapping_apart(project: Path) -> None:
    each = "each: \"{{ {'a': 4, 'b': 8} }}\"\n    as: n, pay\n"
    only(project, each + "    rect: {box: ['{{ pay }}', 9, 9, 9], fill: ink}")
    assert found(project) == []
