"""Faults that once lay on paper, planted again: the check has to find each."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from facekit import places

from components.assemble import assemble
from components.bookmodel import BoxItem
from components.checks import piece_place
from components.errors import Problem
from components.loader import load
from components.modulecheck import speaking_of_modules
from generator.book.pieces import counted
from generator.build.project import read_layouts
from generator.proofing.covering import covered, on_top
from generator.proofing.finding import Finding
from generator.proofing.pictures import draw
from generator.proofing.report import Side, unsigned

ROOT = Path(__file__).resolve().parents[2]
GAME = "great-wall"


@pytest.fixture
def wall(tmp_path: Path) -> Path:
    """A project with a copy of a game, to plant faults in."""
    for folder in ("components", "layouts"):
        shutil.copytree(ROOT / folder / GAME, tmp_path / folder / GAME)
    return tmp_path


def plant(project: Path, file: str, old: str, new: str) -> None:
    path = project / file
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))


def of_modules(project: Path) -> list[Problem]:
    definition = load(GAME, project)
    game = assemble(definition).game
    assert game is not None
    return list(speaking_of_modules(definition, game, piece_place))


def test_an_aid_of_the_base_game_that_speaks_of_a_module(wall: Path) -> None:
    assert of_modules(wall) == []
    plant(
        wall,
        "components/great-wall/aid.yaml",
        "as the slot says:",
        "as the slot says{% if 'black_powder' in modules %}, and 1 more{% endif %}:",
    )
    (problem,) = of_modules(wall)
    assert problem.code == "DEF-082" and "aid/player-aid" in problem.what and problem.file.endswith("aid.yaml")


def test_a_rule_of_the_base_game_that_speaks_of_a_module_without_naming_it(wall: Path) -> None:
    plant(
        wall,
        "components/great-wall/rules.yaml",
        "Build a wall level or a barricade in any section.",
        "Build a wall level{% if 'black_powder' in modules %}, a war machine{% endif %} or a barricade.",
    )
    (problem,) = of_modules(wall)
    assert problem.code == "DEF-082" and "GW-BUILD-2" in problem.what and "a war machine" in problem.what


def signs(project: Path, piece_set: str) -> list[Finding]:
    game = assemble(load(GAME, project)).game
    assert game is not None
    maker = read_layouts(GAME, places(project)).faces(game, "normal")
    pieces = [piece for piece in game.pieces if piece.set == piece_set and piece.copies]
    sides = [Side(p.id, [p], "normal", p.face, False, face) for p in pieces if (face := maker.front(p)) is not None]
    return [finding for side in sides for finding in unsigned(side)]


def test_a_piece_of_a_module_without_its_sign(wall: Path) -> None:
    assert signs(wall, "horde") == []
    plant(wall, "layouts/great-wall/faces/horde.yaml", 'module: "{{ piece.module }}"', "module: base")
    found = signs(wall, "horde")
    assert [finding.code for finding in found] == ["LAY-040"] * 12 and "'black_powder'" in found[0].what


def test_the_box_counts_the_base_game_and_each_module_by_itself() -> None:
    game = assemble(load(GAME, ROOT)).game
    assert game is not None
    hordes = [sum(p.copies for p in counted(game, BoxItem(sets=["horde"], module=m))) for m in ("", "black_powder")]
    assert hordes == [40, 12]
    assert sum(p.copies for p in counted(game, BoxItem(sets=["tower"]))) == 4


def hidden(project: Path, name: str) -> list[Finding]:
    """What covers texts and icons of the front of a piece."""
    game = assemble(load(GAME, project)).game
    assert game is not None
    maker = read_layouts(GAME, places(project)).faces(game, "normal")
    maker.kit.origins = origins = {}
    face = maker.front(next(piece for piece in game.pieces if f"{piece.set}/{piece.id}" == name))
    raised = on_top(face, origins)
    if raised is None:
        return []
    pictures = draw({"seen": face, "raised": raised}, maker.fonts)
    return list(covered(face, pictures["seen"], pictures["raised"], origins))


def test_an_emblem_that_a_panel_cuts(wall: Path) -> None:
    assert hidden(wall, "help-powder/lotus") == []
    crest = """  - if: clan
    part: {name: crest-shield, at: [11.4, 9.4], with: {clan: "{{ clan or 'pine' }}", size: 13}}
"""
    plant(wall, "layouts/great-wall/faces/help.yaml", crest, "")
    plant(wall, "layouts/great-wall/faces/help.yaml", "  - if: unit\n", f"{crest}  - if: unit\n")
    assert [finding.code for finding in hidden(wall, "help-powder/lotus")] == ["LAY-041"]


def test_a_stroke_through_an_icon(wall: Path) -> None:
    assert hidden(wall, "location/tea_house") == []
    plant(
        wall, "layouts/great-wall/parts/town.yaml", "from: [-6.4, 3.2], to: [-5.4, -3.2]", "from: [-9, 4], to: [-8, -4]"
    )
    assert {finding.code for finding in hidden(wall, "location/tea_house")} == {"LAY-041"}


def test_an_icon_beside_its_piece_hides_no_other_fault(wall: Path) -> None:
    crest = """  - if: clan
    part: {name: crest-shield, at: [11.4, 9.4], with: {clan: "{{ clan or 'pine' }}", size: 13}}
"""
    plant(wall, "layouts/great-wall/faces/help.yaml", crest, "")
    twice = crest + crest.replace("11.4", "200")
    plant(wall, "layouts/great-wall/faces/help.yaml", "  - if: unit\n", f"{twice}  - if: unit\n")
    assert [finding.code for finding in hidden(wall, "help-powder/lotus")] == ["LAY-041"]
