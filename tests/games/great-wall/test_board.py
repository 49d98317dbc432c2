"""The board of The Great Wall as a player judges it: places large enough for what lies there, found by their names and
apart from each other; numbers printed from the data; printed whole, or cut anew for each paper."""

from __future__ import annotations

from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any

import pikepdf
import pytest

from components.resolve import resolve_game
from generator.cli.main import main as run
from generator.faces.display import Anchor, DisplayList
from generator.faces.quotes import typographic
from generator.paper.formats import load_formats
from generator.paper.units import INCH
from tests.generator import artkit
from tests.generator.artkit import INKS, art, words
from tests.generator.facekit import shipped

WALL = art("great-wall")
SIDES = ("A", "B")
CLANS = ("bamboo", "plum", "pine", "lotus", "willow")
SECTIONS = ("L", "C", "R")
PRODUCTION = ("lumber_camp", "quarry", "gold_mine")
ROOM = 2.0
"""A place is larger than its piece by so many mm."""


@cache
def places(side: str) -> dict[str, Anchor]:
    return WALL.front(WALL.piece(f"main-board/{side}"), "normal").anchors


def numbered(name: str, first: int, last: int) -> list[str]:
    return [f"{name}.{n}" for n in range(first, last + 1)]


def slots(side: str) -> list[str]:
    """The slots of all locations, as many as the data say."""
    return [
        place for p in WALL.of_set("location") for place in numbered(f"location.{p.id}", 1, p.fields["slots"][side])
    ]


def made_for(side: str) -> dict[str, list[str]]:
    """Piece -> the places of the board made for it."""
    params, fields = WALL.game.params, WALL.piece(f"main-board/{side}").fields
    return {
        "horde/H01": [
            *("horde.deck", "horde.discard"),
            *(place for section in SECTIONS for place in numbered(f"hordes.{section}", 1, params["grid.rows"])),
        ],
        "wall-tile/L1": [f"wall.{section}" for section in SECTIONS],
        "barricade/barricade": [
            place
            for section in SECTIONS
            for place in numbered(f"barricade.{section}", 1, params["barricade.max_per_section"])
        ],
        "archer/pine": [
            place
            for section in SECTIONS
            for clan in CLANS
            for place in numbered(f"shooter.{section}.{clan}", 1, params["wall.shooters_per_player"])
        ],
        "bannerman/pine": [f"bannerman.{section}.{clan}" for section in SECTIONS for clan in CLANS],
        "spearman/pine": [
            *(f"rest.{section}.{clan}" for section in SECTIONS for clan in CLANS),
            *(
                place
                for name in PRODUCTION
                for clan in CLANS
                for place in numbered(f"overseer.{name}.{clan}", 1, params["overseer.max_level"])
            ),
        ],
        "horseman/pine": [f"rest.{section}.{clan}" for section in SECTIONS for clan in CLANS],
        "machine/cannon": [
            place
            for section in SECTIONS
            for place in numbered(f"machine.{section}", 1, params["machine.max_per_section"])
        ],
        "tower/T1": [f"tower.T{n}" for n in range(1, 5)],
        "breach-marker/marker": [f"breach.{section}" for section in SECTIONS],
        "clerk/pine": [
            *slots(side),
            *(place for clan in CLANS for place in numbered(f"embassy.{clan}", 1, params["clerks.embassy"])),
        ],
        "resource-1/wood": ["warehouse.wood", "warehouse.stone", "warehouse.gold"],
        "honor-marker/pine": numbered("honor", 0, 99),
        "tea-marker/pine": numbered("tea", 1, 5),
        "time-token/time": numbered("time", 0, len(params["time_track"][side]) - 1),
        "shame-token/shame": ["shame"],
        "artifact/F01": numbered("artifact", 1, params["setup.artifacts"]),
        "tactic/T01": ["tactic"],
        "advisor/A01": ["advisor.deck", *numbered("advisor", 1, params["advisor.track_slots"])],
        "command/C1-pine": numbered("command", 1, fields["command"]),
    }


def size(piece: str) -> tuple[float, float]:
    form = load_formats()[next(p.format for p in WALL.game.pieces if p.set == piece.split("/")[0])]
    return form.w, form.h


@pytest.mark.parametrize("side", SIDES)
def test_every_place_is_there_and_large_enough_for_its_piece(side: str) -> None:
    board = places(side)
    for piece, names in made_for(side).items():
        need = sorted(size(piece), reverse=True)
        for name in names:
            have = sorted((board[name].w, board[name].h), reverse=True)
            full = f"location.{name.split('.')[1]}.4" in board if name.startswith("location") else False
            tight = ROOM / 2 if full or piece.startswith(("time-token", "horseman")) else ROOM  # four places in a row
            assert all(h >= n + tight - 0.4 for h, n in zip(have, need, strict=True)), (name, have, need)


@pytest.mark.parametrize("side", SIDES)
def test_there_are_no_more_places_than_the_rules_have(side: str) -> None:
    board = places(side)
    params, fields = WALL.game.params, WALL.piece(f"main-board/{side}").fields
    assert f"command.{fields['command'] + 1}" not in board
    assert f"time.{len(params['time_track'][side])}" not in board
    assert "honor.100" not in board and "tea.6" not in board
    for p in WALL.of_set("location"):
        assert f"location.{p.id}.{p.fields['slots'][side] + 1}" not in board


@pytest.mark.parametrize("side", SIDES)
def test_places_lie_on_the_board_and_apart(side: str) -> None:
    board = places(side)
    lie = {name: board[name] for names in made_for(side).values() for name in names}
    for name, place in lie.items():
        assert place.w / 2 - 0.01 <= place.x <= 800.01 - place.w / 2, name
        assert place.h / 2 - 0.01 <= place.y <= 560.01 - place.h / 2, name
    for (one, a), (other, b) in combinations(lie.items(), 2):
        gap = max(abs(a.x - b.x) - (a.w + b.w) / 2, abs(a.y - b.y) - (a.h + b.h) / 2)
        assert gap > -0.25, f"{one} and {other} overlap by {-gap:.1f} mm"


@pytest.mark.parametrize("side", SIDES)
def test_the_board_lies_as_the_rules_speak_of_it(side: str) -> None:
    """Sections from left to right; before each its rows, the first next to the wall; behind it the rest zone."""
    board = places(side)
    assert [board[f"wall.{s}"].x for s in SECTIONS] == sorted(board[f"wall.{s}"].x for s in SECTIONS)
    towers = [board[f"tower.T{n}"].x for n in range(1, 5)]
    between = [x for pair in zip(towers, [board[f"wall.{s}"].x for s in SECTIONS], strict=False) for x in pair]
    assert [*between, towers[-1]] == sorted([*between, towers[-1]])
    for section in SECTIONS:
        down = [
            *(board[name] for name in reversed(numbered(f"hordes.{section}", 1, 3))),
            *(board[f"{name}"] for name in (f"barricade.{section}.5", f"wall.{section}")),
            *(board[f"{name}.{section}.pine{end}"] for name, end in (("shooter", ".2"), ("rest", ""))),
        ]
        assert [place.y for place in down] == sorted(place.y for place in down)
        assert all(abs(place.x - board[f"wall.{section}"].x) < 51 for place in down)
        for n in (1, 2):
            assert abs(board[f"machine.{section}.{n}"].x - board[f"wall.{section}"].x) < 70
    track = [board[name] for name in numbered("time", 0, 8)]
    assert [place.y for place in track] == sorted((place.y for place in track), reverse=True)


@pytest.mark.parametrize("ink", INKS)
def test_the_numbers_of_the_rules_stand_on_it(ink: str) -> None:
    said = words(WALL.front(WALL.piece("main-board/B"), ink))
    assert {str(n) for n in range(100)} <= set(said.split())
    assert all(typographic(p.name) in said for p in WALL.of_set("location"))
    assert all(word in said for word in ("Command track", "Shame pool", "Tea pile", "Rest zone", "Start", "End"))


def board(name: str, **sets: Any) -> DisplayList:
    """A face of the board under house rules."""
    game = resolve_game("great-wall", sets=sets)
    return shipped("great-wall").faces(game, "normal").front(artkit.find(game, name))


def test_the_board_follows_house_rules() -> None:
    made = board("main-board/A", **{"barricade.max_per_section": 6, "wall.shooters_per_player": 1, "tea_house.chi": 7})
    assert "barricade.L.6" in made.anchors and "barricade.L.7" not in made.anchors
    assert "shooter.R.plum.2" not in made.anchors
    assert "Gain 7 chi" in words(made)


@pytest.mark.parametrize(
    ("paper", "pages"), [("a4", 12), ("letter", 12), ("a3", 6), ("a2", 3), ("a1", 1), ("arch-d", 1)]
)
def test_the_board_is_cut_anew_for_each_paper(paper: str, pages: int, tmp_path: Path) -> None:
    words = ["--only", "main-board", "--players", "4", "--paper", paper, "--out", str(tmp_path), "-q"]
    assert run(["build", "great-wall", *words]) == 0
    [file] = (tmp_path / "great-wall").glob(f"boards-{paper}-*.pdf")
    with pikepdf.open(file) as pdf:
        assert len(pdf.pages) == pages
        left, low, right, high = (float(v) * INCH / 72 for v in pdf.pages[0].trimbox)
    if pages == 1:
        assert sorted((right - left, high - low)) == pytest.approx([560, 800], abs=0.05)
