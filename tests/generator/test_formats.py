"""Papers and formats: the sizes people cut to, and what is said when a layout file is wrong."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from facekit import places
from msgspec.structs import replace

from components.assemble import assemble
from components.errors import DefinitionError
from components.loader import load
from components.model import ResolvedGame
from generator.build.project import read_layouts
from generator.build.selection import chosen
from generator.faces.display import Push
from generator.paper.formats import load_formats, load_papers, sort_formats


def test_papers_have_their_true_sizes() -> None:
    papers = load_papers()
    sizes = {"a4": (210, 297), "letter": (215.9, 279.4), "a3": (297, 420), "a5": (148, 210)}
    assert {name: (papers[name].w, papers[name].h) for name in sizes} == sizes
    assert all(paper.w <= paper.h and paper.name == name for name, paper in papers.items())


def test_formats_have_the_sizes_the_games_ask_for() -> None:
    formats = load_formats()
    sizes = {
        "poker": (63, 88),
        "a6": (105, 148),
        "token20": (20, 20),
        "token25": (25, 25),
        "token30": (30, 30),
        "tile70": (70, 70),
        "tile90": (90, 90),
        "a3-wide": (420, 297),
        "a2": (420, 594),
    }
    assert {name: (formats[name].w, formats[name].h) for name in sizes} == sizes
    assert (formats["poker"].corner, formats["poker"].bleed, formats["poker"].safe) == (3, 3.6, 3)
    assert all(formats[name].shape == "circle" for name in ("token20", "token25", "token30"))


def test_round_and_six_sided_formats_are_regular() -> None:
    for fmt in load_formats().values():
        if fmt.shape == "circle":
            assert fmt.w == fmt.h
        if fmt.shape == "hex":
            assert fmt.h == pytest.approx(fmt.w * 2 / 3**0.5, abs=0.01)


def test_a_standee_lies_flat_as_two_faces_and_two_feet() -> None:
    standee = load_formats()["standee-25x60"]
    assert standee.flat == (25, 12 + 60 + 60 + 12)
    assert standee.folds == (12, 72, 132)


def test_formats_are_sorted_as_they_are_listed() -> None:
    formats = load_formats()
    assert sort_formats(["token20", "poker", "a6", "poker"], formats) == ["poker", "a6", "token20"]


def test_a_project_adds_and_replaces_formats(tmp_path: Path) -> None:
    (tmp_path / "formats.yaml").write_text(
        "formats:\n"
        "  poker: {title: big cards, file: cards, shape: rect, w: 70, h: 95, bleed: 3, safe: 3}\n"
        "  coaster: {title: coasters, file: tiles, shape: circle, w: 95, h: 95, bleed: 2, safe: 3}\n"
    )
    formats = load_formats(tmp_path)
    assert formats["poker"].w == 70
    assert formats["coaster"].name == "coaster"
    assert formats["a6"].w == 105


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("formats:\n  x: {title: t, file: f, shape: rect, w: 63, h: 88, bleed: 3, safe: 3, cornr: 3}\n", 2, "cornr"),
        (
            "formats:\n  x:\n    title: t\n    file: f\n    shape: oval\n    w: 1\n    h: 1\n    bleed: 0\n    safe: 0",
            5,
            "oval",
        ),
        ("formats:\n  x: {title: t, file: f, shape: rect, w: -63, h: 88, bleed: 3, safe: 3}\n", 2, "-63"),
        ("formats:\n  x: {title: t, file: ../f, shape: rect, w: 63, h: 88, bleed: 3, safe: 3}\n", 2, "../f"),
        ("formats:\n  x: [\n", 3, ""),
    ],
)
def test_a_wrong_format_file_is_said_with_its_place(tmp_path: Path, text: str, line: int, said: str) -> None:
    (tmp_path / "formats.yaml").write_text(text)
    with pytest.raises(DefinitionError) as caught:
        load_formats(tmp_path)
    (problem,) = caught.value.problems
    assert problem.file.endswith("formats.yaml")
    assert problem.line == line
    assert said in str(caught.value)


ROOT = Path(__file__).resolve().parents[2]


def assembled(name: str) -> ResolvedGame:
    game = assemble(load(name, ROOT)).game
    assert game is not None
    return game


def test_faces_of_a_scaled_format_are_designed_larger_and_printed_as_the_format_says() -> None:
    game = assembled("warring-states")
    layouts = read_layouts("warring-states", places(ROOT))
    aid = next(piece for piece in game.pieces if piece.set == "aid")
    small = layouts.formats[aid.format]
    large = replace(small, w=small.w / small.scale, h=small.h / small.scale, bleed=small.bleed / small.scale, scale=1.0)
    drawn = layouts.faces(game, "normal").front(aid)
    layouts.formats[aid.format] = large
    design = layouts.faces(game, "normal").front(aid)
    assert (drawn.w, drawn.h, drawn.bleed) == pytest.approx((95, 133.9, 3.6))
    (push, *inside, _) = drawn.ops
    assert isinstance(push, Push) and push.matrix[:4] == (small.scale, 0, 0, small.scale)
    assert len(inside) == len(design.ops)


def test_what_replaces_other_pieces_is_printed_only_where_it_is_named(tmp_path: Path) -> None:
    game = assembled("dynasties")
    assert {"disc", "aid"} <= {piece.set for piece in chosen(game, ())}
    assert not {"cube"} & {piece.set for piece in [*chosen(game, ()), *chosen(game, ("token",))]}
    assert {piece.set for piece in chosen(game, ("cube",))} == {"cube"}
    folder = tmp_path / "components/dynasties"
    shutil.copytree(ROOT / "components/dynasties", folder)
    cubes = folder / "cubes.yaml"
    cubes.write_text(cubes.read_text().replace("instead_of: disc", "instead_of: dics"))
    (problem,) = assemble(load("dynasties", tmp_path)).problems
    assert problem.code == "DEF-047" and problem.line and "did you mean 'disc'" in problem.hint
