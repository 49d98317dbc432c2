"""The faces of Tianxia as a player judges them: places large enough for what lies there and found by their names,
colours told apart without colour, figures printed from the data."""

from __future__ import annotations

from functools import cache
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any

import pikepdf
import pytest
from PIL import Image

from components.resolve import resolve_game
from generator.cli.main import main as run
from generator.faces.display import Anchor, DisplayList
from generator.paper.formats import load_formats
from generator.paper.units import INCH
from tests.generator import artkit
from tests.generator.artkit import INKS, art, difference, words
from tests.generator.facekit import shipped

TIANXIA = art("tianxia")
COLOURS = ("white", "black", "purple", "orange")
LANES = ("yiqu", "linhu", "loufan", "donghu")
REGIONS = ("qin", "chu", "wei", "han", "zhao", "zhou", "yan", "qi")
PORTS = ("yan", "qi", "wei", "chu")
ROOM = 2.0
"""A place is larger than its piece by so many mm."""


@cache
def places(name: str) -> dict[str, Anchor]:
    """The places of a front."""
    return TIANXIA.front(TIANXIA.piece(name), "normal").anchors


def numbered(name: str, first: int, last: int) -> list[str]:
    return [f"{name}.{n}" for n in range(first, last + 1)]


def footprint(piece: str) -> tuple[float, float]:
    """Width and height of a piece as it lies; of a standee its feet."""
    form = load_formats()[TIANXIA.piece(piece).format]
    return (form.w, 2 * form.foot) if form.foot else (form.w, form.h)


# --- the main board ----------------------------------------------------------------------------------------------

ON_BOARD = {
    "ship/heron": [f"port.{port}.ship" for port in (*PORTS, "wave")],
    "demand/salt": [f"port.{port}.demand" for port in PORTS],
    "knot/white": [f"port.{port}.knots" for port in PORTS],
    "action-marker/white": [*(f"{region}.markers" for region in REGIONS), "fortify", "train"],
    "wall/white-1": [place for lane in LANES for place in numbered(f"{lane}.wall", 1, 5)],
    "tower/white-1": [place for lane in LANES for place in numbered(f"{lane}.tower", 1, 2)],
    "worker/white": [
        place for barge in ("rice", "wood", "stone", "salt") for place in numbered(f"barge.{barge}", 1, 3)
    ],
    "nomad/yiqu": [place for lane in LANES for place in numbered(f"{lane}.march", 0, 3)],
    "figurine/ox": numbered("tiles", 1, 5),
    "round-marker/round": numbered("round", 1, 4),
    "score-marker/white": numbered("score", 0, 99),
    "defence/shield": [place for lane in LANES for place in numbered(f"{lane}.defence", 0, 15)],
    "building/qin_granary": [p.id for p in TIANXIA.of_set("building")],
}
"""Piece -> the places of the board made for it."""


@pytest.mark.parametrize("piece", ON_BOARD)
def test_every_place_of_the_board_is_large_enough_for_its_piece(piece: str) -> None:
    w, h = footprint(piece)
    board = places("main-board/board")
    for name in ON_BOARD[piece]:
        place = board[name]
        across, down = sorted((place.w, place.h), reverse=True), sorted((w, h), reverse=True)
        assert all(have >= need + ROOM - 1e-6 for have, need in zip(across, down, strict=True)), (name, place)


def test_soldiers_stand_in_a_row_with_their_feet_across() -> None:
    """Six of them are as wide as a section only if they stand sideways."""
    w, feet = footprint("worker/white")
    for lane in LANES:
        row = [places("main-board/board")[name] for name in numbered(f"{lane}.soldier", 1, 6)]
        assert all(place.w >= feet + ROOM and place.h >= w + ROOM for place in row)
        assert all(b.x - a.x >= place.w for a, b, place in zip(row, row[1:], row, strict=False))


def test_four_palace_markers_find_room_on_a_step() -> None:
    w, h = footprint("palace-marker/white")
    for track in ("crimson", "indigo", "gold", "jade"):
        for name in numbered(f"palace.{track}", 0, 8):
            place = places("main-board/board")[name]
            assert place.w >= 2 * (w + ROOM) and place.h >= 2 * (h + ROOM), name


def test_turn_order_has_a_place_for_each_player_now_and_next() -> None:
    w, h = footprint("turn-marker/white")
    for name in (*numbered("now", 1, 4), *numbered("next", 1, 4)):
        place = places("main-board/board")[name]
        assert place.w >= w + ROOM and place.h > h


def test_places_of_the_board_lie_on_it_and_apart() -> None:
    """All but the steps of the sword and of the defence, along which one marker slides."""
    board = places("main-board/board")
    sliding = {name for name in board if ".strength." in name or ".defence." in name}
    apart = {name: place for name, place in board.items() if name not in sliding}
    assert len(sliding) == 2 * 4 * 16
    for name, place in apart.items():
        assert place.w / 2 <= place.x <= 420 - place.w / 2 and place.h / 2 <= place.y <= 594 - place.h / 2, name
    for (one, a), (other, b) in combinations(apart.items(), 2):
        gap = max(abs(a.x - b.x) - (a.w + b.w) / 2, abs(a.y - b.y) - (a.h + b.h) / 2)
        assert gap > -0.35, f"{one} and {other} overlap by {-gap:.1f} mm"


def test_tracks_run_evenly() -> None:
    board = places("main-board/board")
    for lane in LANES:
        for what, axis in (("strength", "y"), ("defence", "x")):
            at = [getattr(board[name], axis) for name in numbered(f"{lane}.{what}", 0, 15)]
            steps = [b - a for a, b in pairwise(at)]
            assert max(steps) - min(steps) < 0.01 and abs(steps[0]) > 4.2, f"{lane} {what}"


def test_the_board_lies_as_it_is_described() -> None:
    """From the north wall, map, river, palace; a lane's buildings below its section; ports from above."""
    board = places("main-board/board")
    assert [board[f"{lane}.march.0"].x for lane in LANES] == sorted(board[f"{lane}.march.0"].x for lane in LANES)
    for p in TIANXIA.of_set("lane"):
        column = [board[f"{p.id}.march.0"], board[f"{p.id}.soldier.1"], *(board[name] for name in p.fields["path"])]
        assert [place.y for place in column] == sorted(place.y for place in column)
        assert all(abs(place.x - column[0].x) < 80 for place in column)
    heights = [board[name].y for name in ("yiqu.march.3", "qin_granary", "barge.rice.1", "palace.crimson.0")]
    assert heights == sorted(heights)
    ports = [board[f"port.{port}.ship"].y for port in (*PORTS, "wave")]
    assert ports == sorted(ports) and min(b - a for a, b in pairwise(ports)) >= 40


# --- tiles and player boards -------------------------------------------------------------------------------------


def test_a_building_has_room_for_three_governors_and_a_bonus_tile() -> None:
    w, feet = footprint("worker/white")
    for p in TIANXIA.of_set("building"):
        spots = places(f"building/{p.id}")
        for name in numbered("space", 1, 3):
            assert spots[name].w >= w + ROOM and spots[name].h >= feet + ROOM - 0.3
        assert spots["bonus"].w >= 24 and spots["bonus"].h >= 24
        assert spots["bonus"].x - 12 >= spots["space.1"].x + 7


def test_a_ship_has_a_numbered_space_for_each_crate() -> None:
    for p in TIANXIA.of_set("ship"):
        spots = places(f"ship/{p.id}")
        row = [spots[name] for name in numbered("space", 1, len(p.fields["spaces"]))]
        assert f"space.{len(row) + 1}" not in spots
        assert all(place.w >= 12 and place.h >= 12 for place in row)
        assert [place.x for place in row] == sorted(place.x for place in row)


@pytest.mark.parametrize("colour", COLOURS)
def test_a_player_board_has_a_place_for_everything(colour: str) -> None:
    spots = places(f"player-board/{colour}")
    rows = {
        f"figurine/{p.id}": [f"figurine.{p.id}"] for p in TIANXIA.of_set("figurine")
    } | {
        f"wall/{colour}-1": numbered("wall", 1, 6),
        f"tower/{colour}-1": numbered("tower", 1, 3),
        f"knot/{colour}": numbered("estate", 1, 4),
        f"worker/{colour}": [*numbered("merchant.stall", 1, 2), *numbered("merchant.caravan", 1, 3)],
    }  # fmt: skip
    for piece, names in rows.items():
        w, h = footprint(piece)
        for name in names:
            assert spots[name].w >= w + ROOM - 1e-6 and spots[name].h >= h + ROOM - 1e-6, name
    assert {"supply", "crates", "tiles", "used", "manor"} <= set(spots)


# --- what is printed ---------------------------------------------------------------------------------------------


def board(name: str, **sets: Any) -> DisplayList:
    """A front under house rules."""
    game = resolve_game("tianxia", sets=sets)
    return shipped("tianxia").faces(game, "normal").front(artkit.find(game, name))


@pytest.mark.parametrize("ink", INKS)
def test_numbers_stand_on_tiles_cards_and_tracks(ink: str) -> None:
    goose = words(TIANXIA.front(TIANXIA.piece("ship/goose"), ink)).split()
    assert {"Goose", "9", "10", "2"} <= set(goose)
    attack = words(TIANXIA.front(TIANXIA.piece("attack/D1"), ink))
    assert attack.count("+2") == 2 and "+4" in attack and "+3" in attack and "IV" in attack
    card = words(TIANXIA.front(TIANXIA.piece("objective/O21"), ink))
    assert "4 of your palace markers are on step 3 or higher." in card and "7" in card.split() and "O21" in card
    tile = words(TIANXIA.front(TIANXIA.piece("building/wei_customs"), ink))
    assert "Customs Hall" in tile and "3+" in tile and "+1" in tile and "+2" in tile
    main = words(TIANXIA.front(TIANXIA.piece("main-board/board"), ink))
    assert {str(n) for n in range(100)} <= set(main.split())
    assert all(name in main for name in ("Zhou royal land", "Fortify", "Train", "4 Donghu", "Scholars", "Wave"))


def test_the_numeral_of_the_round_is_on_both_sides_of_an_attack_card() -> None:
    for p in TIANXIA.of_set("attack"):
        numeral = ("I", "II", "III", "IV")[p.fields["round"] - 1]
        assert numeral in words(TIANXIA.front(p, "normal")).split()
        assert words(TIANXIA.back(f"attack/{p.id}", "normal")).split() == [numeral] * 2


def test_boards_follow_the_figures_of_the_rules() -> None:
    spots = board("player-board/white", **{"wall.cost.stone": [1, 2, 3, 4], "estate.income": [{"coin": 1}] * 3}).anchors
    assert "wall.4" in spots and "wall.5" not in spots and "estate.3" in spots and "estate.4" not in spots
    spots = board(
        "main-board/board", **{"section.slots": {"walls": 4, "towers": 1, "soldiers": 5}, "rounds": 3}
    ).anchors
    assert "yiqu.wall.4" in spots and "yiqu.wall.5" not in spots and "yiqu.soldier.6" not in spots
    assert "round.3" in spots and "round.4" not in spots and "yiqu.defence.11" in spots
    assert "yiqu.defence.12" not in spots
    assert "barge.rice.2" in board("main-board/board", **{"barge.capacity": 2}).anchors
    assert "9×" in words(board("main-board/board", **{"exchange.max_times": 9}))


@pytest.mark.parametrize(
    "sets",
    [
        {"wall.cost.stone": [9] * 6, "tower.cost.stone": [9] * 3, "home.income": {"coin": 9, "rice": 1}},
        {"estate.income": [{"coin": 1, "rice": 1}] * 4, "figurine.vp": [0, 10, 20, 30, 40, 50, 60]},
        {"barge.cost.coin": 5, "free.marker.coin": 9, "stack.cost.coin_per_disc": 0, "round_tiles.extra": 0},
        {"nomad.march.top": 2, "nomad.strength.max": 12, "nomad.base_strength": {2: 4, 3: 5, 4: 6}},
        {"section.slots": {"walls": 6, "towers": 2, "soldiers": 6}, "tower.strength": 4, "ravage.vp_per_strength": 9},
    ],
    ids=lambda sets: ", ".join(sets),
)
def test_house_rules_with_other_numbers_still_fit(sets: dict[str, Any]) -> None:
    changed = ("aid", "player-board", "main-board", "lane", "building")
    artkit.assert_all_is_drawn(resolve_game("tianxia", sets=sets), sets=changed)


# --- told apart without colour -----------------------------------------------------------------------------------

OF_A_COLOUR = (
    "worker",
    "action-marker",
    "turn-marker",
    "score-marker",
    "palace-marker",
    "crate",
    "knot",
    "wall",
    "tower",
)


@pytest.mark.parametrize("ink", INKS)
@pytest.mark.parametrize("name", OF_A_COLOUR)
def test_colours_are_told_apart_in_grey_by_pattern_and_flower(name: str, ink: str) -> None:
    ending = {"wall": "-1", "tower": "-1"}.get(name, "")
    faces = [edges(TIANXIA.front_picture(f"{name}/{colour}{ending}", ink, 254.0)) for colour in COLOURS]
    for (one, a), (other, b) in combinations(zip(COLOURS, faces, strict=True), 2):
        assert difference(a, b) > 7, f"{one} and {other} look alike"


def edges(image: Image.Image) -> Image.Image:
    """A picture in black and white by its own middle grey, so that only form is left."""
    grey = image.convert("L")
    middle = sorted(grey.tobytes())[grey.width * grey.height // 2]
    return grey.point([255 if value >= middle else 0 for value in range(256)])


@pytest.mark.parametrize("ink", INKS)
def test_resources_goods_and_figurines_are_told_apart_in_grey(ink: str) -> None:
    for sets, dpi in ((("resource", "good"), 254.0), (("figurine",), 127.0)):
        names = [f"{p.set}/{p.id}" for name in sets for p in TIANXIA.of_set(name)]
        faces = {name: TIANXIA.front_picture(name, ink, dpi).convert("L") for name in names}
        for (one, a), (other, b) in combinations(faces.items(), 2):
            assert difference(a, b) > 8, f"{one} and {other} look alike"


def test_decks_share_their_backs() -> None:
    for ink in INKS:
        for deck in ("figurine", "one-time", "objective", "demand"):
            artkit.assert_one_back(TIANXIA, deck, ink)
        assert TIANXIA.back("figurine/ox", ink) == TIANXIA.back("one-time/purse", ink)
        backs = {TIANXIA.picture(TIANXIA.back(f"attack/{n}1", ink), ink, 60.0).tobytes() for n in "ABCD"}
        assert len(backs) == 4


# --- on paper ----------------------------------------------------------------------------------------------------


def test_the_board_is_printed_whole_on_a2_in_its_true_size(tmp_path: Path) -> None:
    assert run(["build", "tianxia", "--only", "main-board", "--paper", "a2", "--out", str(tmp_path)]) == 0
    [file] = (tmp_path / "tianxia").glob("boards-a2-*.pdf")
    with pikepdf.open(file) as pdf:
        [page] = pdf.pages
        left, low, right, high = (float(v) * INCH / 72 for v in page.trimbox)
        assert (right - left, high - low) == pytest.approx((420, 594), abs=0.05)
        assert all(float(page.mediabox[n]) * INCH / 72 > size + 6 for n, size in ((2, 420), (3, 594)))
