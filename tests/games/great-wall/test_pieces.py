"""Chits, tokens, tiles, screens and aids of The Great Wall: clans told apart without colour, numbers from the data, and
what a build prints for a table."""

from __future__ import annotations

import json
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from components.resolve import resolve_game
from generator.cli.main import main as run
from tests.generator import artkit
from tests.generator.artkit import INKS, art, difference, words

WALL = art("great-wall")
CLANS = ("bamboo", "plum", "pine", "lotus", "willow")
OF_A_CLAN = ("clerk", "spearman", "archer", "horseman", "bannerman", "tea-marker", "honor-marker", "lap-plate")


def edges(image: Image.Image) -> Image.Image:
    """A picture in black and white by its own middle grey, so that only form is left."""
    grey = image.convert("L")
    middle = sorted(grey.tobytes())[grey.width * grey.height // 2]
    return grey.point([255 if value >= middle else 0 for value in range(256)])


@pytest.mark.parametrize("ink", INKS)
@pytest.mark.parametrize("name", OF_A_CLAN)
def test_clans_are_told_apart_in_grey_by_pattern_and_crest(name: str, ink: str) -> None:
    faces = {clan: edges(WALL.front_picture(f"{name}/{clan}", ink, 254.0)) for clan in CLANS}
    for (one, a), (other, b) in combinations(faces.items(), 2):
        assert difference(a, b) > 5, f"{one} and {other} look alike"


@pytest.mark.parametrize("ink", INKS)
def test_resources_and_units_are_told_apart_in_grey(ink: str) -> None:
    resources = [f"{p.set}/{p.id}" for name in ("resource-1", "resource-5") for p in WALL.of_set(name)]
    for names in (resources, ["spearman/pine", "archer/pine", "bannerman/pine"]):
        faces = {name: WALL.front_picture(name, ink, 254.0).convert("L") for name in names}
        for (one, a), (other, b) in combinations(faces.items(), 2):
            assert difference(a, b) > 6, f"{one} and {other} look alike"


def test_every_figure_has_a_picture_of_its_own() -> None:
    names = [f"{p.set}/{p.id}" for p in WALL.game.pieces if p.kind == "standee"]
    assert len(names) == 9
    pictures = {WALL.front_picture(name, "normal", 100.0).tobytes() for name in names}
    assert len(pictures) == len(names)


@pytest.mark.parametrize("ink", INKS)
def test_a_wall_tile_says_its_level_and_the_next_price(ink: str) -> None:
    cost = WALL.game.params["wall.cost"]
    for section in "LCR":
        for level in range(1, WALL.game.params["wall.max_level"] + 1):
            said = words(WALL.front(WALL.piece(f"wall-tile/{section}{level}"), ink)).split()
            following = cost.get(level + 1)
            assert said == [str(level), *([f"{level + 1}:", *map(str, following.values())] if following else [])]


def test_screens_fold_in_three_at_the_same_lines_on_both_sides() -> None:
    for clan in CLANS:
        piece = WALL.piece(f"screen/{clan}")
        for face in (WALL.front(piece, "normal"), WALL.reverse(piece, "normal")):
            assert face is not None
            folds = [op for op, _, layer in artkit.drawn(face) if layer == "fold"]
            assert len(folds) == 2


def test_a_tower_points_to_its_sections() -> None:
    said = {p.id: words(WALL.front(p, "normal")).split() for p in WALL.of_set("tower")}
    assert said == {"T1": ["T1", "L"], "T2": ["T2", "L", "C"], "T3": ["T3", "C", "R"], "T4": ["T4", "R"]}


# --- what a table needs ------------------------------------------------------------------------------------------


def built(*options: str, out: Path, capsys: Any) -> dict[str, Any]:
    assert run(["build", "great-wall", "--backs", "none", "--out", str(out), "-q", "--json", *options]) == 0
    told: dict[str, Any] = json.loads(capsys.readouterr().out)
    return told


def test_modules_print_what_they_bring(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    base = built("--modules", "base", "--players", "4", out=tmp_path, capsys=capsys)
    two = built("--modules", "black_powder,rat", "--players", "4", out=tmp_path, capsys=capsys)
    assert base["modules"] == {}
    assert list(two["modules"]) == ["black_powder", "rat"]
    powder = built("--modules", "black_powder", "--players", "4", out=tmp_path, capsys=capsys)
    assert powder["leaves"] - base["leaves"] == two["modules"]["black_powder"] == powder["modules"]["black_powder"]
    pieces = {
        modules: sum(p.copies for p in resolve_game("great-wall", modules=modules, players=4).pieces)
        for modules in ((), ("black_powder", "rat"))
    }
    assert (base["pieces"], two["pieces"]) == (pieces[()], pieces["black_powder", "rat"])


def test_the_aid_is_that_of_the_base_game_and_modules_bring_help_cards() -> None:
    """So nobody prints an aid again for a module."""
    aids = {}
    for modules in (("base",), ("iron_dragon", "rat")):
        game = resolve_game("great-wall", modules=modules)
        maker = artkit.shipped("great-wall").faces(game, "normal")
        aids[modules] = said = words(maker.front(artkit.find(game, "aid/player-aid")))
        assert "dragon" not in said and "Rat card" not in said
        cards = {piece.set: words(maker.front(piece)) for piece in game.pieces if piece.set.startswith("help-")}
        assert ("help-dragon" in cards, "help-rat" in cards) == (modules != ("base",),) * 2
        assert "dragon" in cards.get("help-dragon", "dragon") and "Rat card" in cards.get("help-rat", "Rat card")
    assert len(set(aids.values())) == 1
