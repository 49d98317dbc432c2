"""Faults that designers make, planted one at a time in a small game with a deck in YAML, one in a spreadsheet, a
photograph and a rules module: `pnp check` tells each at its place, with its cause or cure, and never fails itself."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import msgspec
import openpyxl
import pytest
import yaml
from PIL import Image

from generator.build.starter import make_starter
from generator.cli.main import main

C, R = "components/lantern-walk/", "rules/lantern_walk.py"
DECK, STALLS, TABLE = f"{C}lanterns.yaml", f"{C}stalls.yaml", f"{C}stalls.csv"
STALL, PHOTO = "layouts/lantern-walk/faces/stall.yaml", "art/tea.png"

SET = """set: stall
title: Stall
kind: card
format: poker
face: stall
back: card-back
field_types: {tint: "one of gold, moss, slate", art: text, price: "whole 0.."}
rows: stalls.csv
"""
ROWS = """id,Name,Copies,Rule,tint,art,price,gain_light,Flavour
tea,Tea House,2,LW-WALK-2,gold,art/tea.png,2,1,Steam in the lane.
silk,Silk Stall,1,LW-WALK-2,moss,art/tea.png,3,2,Every colour but one.
oil,Oil Seller,2,LW-WALK-2,slate,art/tea.png,1,1,He knows each lamp.
"""
FACE = """about: A stall with its photograph.
items:
  - rect: {box: ["{{ -bleed }}", "{{ -bleed }}", "{{ w + 2 * bleed }}", "{{ h + 2 * bleed }}"], fill: ground}
  - image: {file: "{{ piece.fields.art }}", box: [7, 18, 49, 30], fit: cover}
  - text: {box: [6, 6, 51, 9], style: title, value: "{{ piece.name }}", align: center, valign: middle}
  - text: {box: [7, 52, 49, 14], style: body, value: "{{ piece.text }}", align: center, valign: middle}
  - text: {box: [7, 68, 49, 9], style: flavour, value: "{{ piece.flavour }}", align: center, valign: middle}
"""


class Fault(msgspec.Struct, forbid_unknown_fields=True):
    """One of `faults.yaml`, which says what its fields are."""

    name: str
    file: str
    new: str
    at: list[str]
    says: str
    old: str = ""


FAULTS = msgspec.convert(yaml.safe_load((Path(__file__).parent / "faults.yaml").read_text("utf-8")), list[Fault])


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The game without a fault."""
    folder = tmp_path_factory.mktemp("sound") / "lantern-walk"
    make_starter(folder)
    for name, text in ((STALLS, SET), (TABLE, ROWS), (STALL, FACE)):
        (folder / name).write_text(text, encoding="utf-8")
    (folder / "art").mkdir()
    Image.effect_noise((600, 400), 60).convert("RGB").save(folder / PHOTO)
    module = folder / R
    both = "for piece in game.pieces}"
    module.write_text(module.read_text("utf-8").replace(both, f"{both[:-1]} if piece.set == 'lantern'}}"), "utf-8")
    return folder


def check(folder: Path, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    capsys.readouterr()
    status = main(["--trust-mine", "--project", str(folder), "check"])
    said = capsys.readouterr()
    return status, said.out + said.err


def test_the_game_without_a_fault_is_in_order(sound: Path, home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert check(sound, capsys) == (0, "lantern-walk: in order\n")


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name.replace(" ", "-"))
def test_a_fault_is_told_at_its_place(
    fault: Fault, sound: Path, tmp_path: Path, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "lantern-walk"
    shutil.copytree(sound, folder)
    plant(fault, folder)
    status, said = check(folder, capsys)
    assert status in (0, 1, 2) and said[-9:] != "in order\n", said
    assert any(place in said for place in fault.at), said
    assert re.search(fault.says, said), said


def plant(fault: Fault, folder: Path) -> None:
    file = folder / fault.file
    if fault.new == "formula":
        book = openpyxl.Workbook()
        for row in ROWS.splitlines():
            book.active.append(row.split(","))
        book.active["G3"] = "=1+2"
        book.save(folder / C / "stalls.xlsx")
        (folder / STALLS).write_text(SET.replace("stalls.csv", "stalls.xlsx"), encoding="utf-8")
        (folder / TABLE).unlink()
    elif fault.file == PHOTO:
        if fault.new == "cut":
            file.write_bytes(file.read_bytes()[:2000])
        elif fault.new == "text":
            file.write_text("no picture")
        else:
            size = (90, 60) if fault.new == "small" else (20_000, 10_000)
            Image.new("L", size).save(file)
    elif fault.new == "picture":
        file.parent.mkdir(parents=True, exist_ok=True)
        Image.effect_noise((40, 40), 60).save(file)
    elif not fault.old:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(fault.new, encoding="utf-8")
    else:
        text = file.read_text(encoding="utf-8")
        assert fault.old in text
        file.write_text(text.replace(fault.old, fault.new, 1), encoding="utf-8")


def test_a_file_in_another_encoding_is_told(
    sound: Path, tmp_path: Path, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "lantern-walk"
    shutil.copytree(sound, folder)
    file = folder / DECK
    file.write_bytes(file.read_text("utf-8").replace("Small", "Sm\u00e4ll").encode("latin-1"))
    status, said = check(folder, capsys)
    assert status == 2 and f"{DECK}:23" in said and "UTF-8" in said
