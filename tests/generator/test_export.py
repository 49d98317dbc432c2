"""Exports: a picture of every face, and decks that Tabletop Simulator can load."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from facekit import places
from PIL import Image

from generator.build.export import to_images, to_tts
from generator.build.incremental import resolve
from generator.build.options import Options

GAME = "lantern-walk"
TOKENS = """\
set: light
title: Light
kind: token
format: token20
face: disc
copies: 5
pieces:
  - {id: one, name: One light}
"""


def quiet(stage: int, done: int, of: int) -> None:
    """Progress that nobody wants to see."""


def size(file: Path) -> tuple[int, int]:
    content = file.read_bytes()
    assert content.startswith(b"\x89PNG")
    return int.from_bytes(content[16:20], "big"), int.from_bytes(content[20:24], "big")


@pytest.fixture
def options(project: Path) -> Options:
    return Options(out=project / "output", dpi=72)


def test_images_are_made_of_both_sides_at_their_size(project: Path, options: Options) -> None:
    *made, table = to_images(resolve(GAME, options, places(project)), options, places(project), quiet)
    assert table.name == "quantities.csv"
    names = sorted(file.relative_to(project / "output" / GAME / "images").as_posix() for file in made)
    assert names == sorted(
        f"lantern/{p}-{s}.png" for p in ("paper-moon", "glow-worm", "gust") for s in ("front", "back")
    )
    assert {size(file) for file in made} == {(179, 249)}


def test_a_deck_holds_every_copy_and_its_pictures_exist(project: Path, options: Options) -> None:
    made = to_tts(resolve(GAME, options, places(project)), options, places(project), quiet)
    saved = json.loads(made[-1].read_text())
    (deck,) = saved["ObjectStates"]
    assert deck["Name"] == "DeckCustom"
    assert deck["DeckIDs"] == [100] * 3 + [101] * 4 + [102] * 3
    assert [card["Nickname"] for card in deck["ContainedObjects"]].count("Glow-worm") == 4
    assert len({card["GUID"] for card in deck["ContainedObjects"]}) == 10
    (sheet,) = deck["CustomDeck"].values()
    assert sheet["NumWidth"] * sheet["NumHeight"] > 3
    fronts = Path(sheet["FaceURL"].removeprefix("file://"))
    assert fronts in made and Path(sheet["BackURL"].removeprefix("file://")) in made
    w, h = size(fronts)
    assert w / h == pytest.approx(63 * sheet["NumWidth"] / (88 * sheet["NumHeight"]), rel=0.01)


def test_tokens_become_stacks_of_tiles(project: Path, options: Options) -> None:
    (project / f"components/{GAME}/light.yaml").write_text(TOKENS)
    face = "about: A disc.\nitems:\n  - circle: {at: [10, 10], r: 11.5, fill: gold}\n"
    (project / f"layouts/{GAME}/faces/disc.yaml").write_text(face)
    made = to_tts(resolve(GAME, options, places(project)), options, places(project), quiet)
    tile = json.loads(made[-1].read_text())["ObjectStates"][1]
    assert (tile["Name"], tile["Number"], tile["CustomImage"]["CustomTile"]["Type"]) == ("Custom_Tile", 5, 2)


def test_exporting_twice_gives_the_same(project: Path, options: Options) -> None:
    def exported() -> list[bytes]:
        made = to_tts(resolve(GAME, options, places(project)), options, places(project), quiet)
        return [file.read_bytes() for file in made]

    assert exported() == exported()


def stamps(folder: Path) -> dict[str, int]:
    return {file.name: file.stat().st_mtime_ns for file in folder.rglob("*.png")}


def test_only_what_changed_is_drawn_again(project: Path, options: Options) -> None:
    def exported() -> dict[str, int]:
        to_images(resolve(GAME, options, places(project)), options, places(project), quiet)
        return stamps(project / "output")

    before = exported()
    assert exported() == before
    cards = project / f"components/{GAME}/lanterns.yaml"
    cards.write_text(cards.read_text("utf-8").replace("name: Glow-worm", "name: Glow-beetle"), "utf-8")
    after = exported()
    assert {name for name in after if after[name] != before[name]} == {"glow-worm-front.png"}
    spoilt = project / f"output/{GAME}/images/lantern/gust-front.png"
    content = spoilt.read_bytes()
    spoilt.write_bytes(b"not a picture")
    (project / f"output/{GAME}/images/lantern/gust-back.png").unlink()
    exported()
    assert spoilt.read_bytes() == content
    assert size(project / f"output/{GAME}/images/lantern/gust-back.png") == (179, 249)


@pytest.mark.parametrize("shape", ["token20", "hex25"])
def test_discs_and_hexes_have_transparent_corners(project: Path, options: Options, shape: str) -> None:
    (project / f"components/{GAME}/light.yaml").write_text(TOKENS.replace("token20", shape))
    face = "items:\n  - rect: {box: [-5, -5, 50, 50], fill: gold}\n"
    (project / f"layouts/{GAME}/faces/disc.yaml").write_text(face)
    to_images(resolve(GAME, options, places(project)), options, places(project), quiet)
    with Image.open(project / f"output/{GAME}/images/light/one-front.png") as picture:
        assert picture.mode == "RGBA"
        w, h = picture.size
        assert [picture.getpixel(spot)[3] for spot in ((0, 0), (w - 1, 0), (0, h - 1))] == [0, 0, 0]  # type: ignore[index]
        assert picture.getpixel((w // 2, h // 2)) == (201, 135, 31, 255)
        assert picture.getpixel((w // 2, 2))[3] > 200  # type: ignore[index]
    bleeding = to_images(resolve(GAME, options, places(project)), options, places(project), quiet, True)
    with Image.open(next(file for file in bleeding if file.name == "one-front.png")) as picture:
        assert picture.mode == "RGB"


def test_copies_that_differ_have_pictures_of_their_own(project: Path, options: Options) -> None:
    text = 'looks: copies\nitems:\n  - text: {box: [6, 6, 50, 9], style: title, value: "{{ copy }}"}\n'
    (project / f"layouts/{GAME}/faces/card.yaml").write_text(text, "utf-8")
    *_, table = to_images(resolve(GAME, options, places(project)), options, places(project), quiet)
    rows = [line.split(",") for line in table.read_text("utf-8").splitlines()[1:]]
    pieces = ["paper-moon"] * 3 + ["glow-worm"] * 4 + ["gust"] * 3
    assert [(row[1], row[3]) for row in rows] == [(name, "1") for name in pieces]
    assert len({(table.parent / row[4]).read_bytes() for row in rows}) == 4
    made = to_tts(resolve(GAME, options, places(project)), options, places(project), quiet)
    (deck,) = json.loads(made[-1].read_text())["ObjectStates"]
    assert sorted(deck["DeckIDs"]) == list(range(100, 110))
