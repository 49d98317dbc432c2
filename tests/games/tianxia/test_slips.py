"""Slips in the files of Tianxia: `pnp check` tells each at its line, and nothing gets as far as the table."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import games
import pytest

from companion.engine.play.playout import play_out
from components.checks import check_game
from generator.cli.reading import rules_read

SLIPS = [
    ("lane.yaml", r"path: \[qin_granary", "path: [qin_granry", "names 'qin_granry', which is not there; did you mean"),
    ("region.yaml", r"buildings: \[qin_granary", "buildings: [qin_granry", "names 'qin_granry', which is not there"),
    ("region.yaml", r"give: \{wood: 1\}", "give: {wod: 1}", "names 'wod', which is not there; did you mean 'wood'?"),
    ("region.yaml", r"get: \{lacquer: 1\}", "get: {lacqer: 1}", "names 'lacqer', which is not there"),
    ("region.yaml", r"bubble: \{stone: 1\}", "bubble: {ston: 1}", "names 'ston', which is not there"),
    ("ship.yaml", r"\{coin: 4\}, \{coin: 3\}", "{coin: 4}, {con: 3}", "names 'con', which is not there"),
    ("palace.yaml", r"\{rice: 1, stone: 2\}", "{any_god: 1}", "names 'any_god', which is not there"),
    ("palace.yaml", r"\{rice: 1, stone: 2\}", "{this_turn: 1}", "names 'this_turn', which is not there"),
    ("merchants.yaml", r"gain: \{coin: 3\}", "gain: {con: 3}", "names 'con', which is not there"),
    ("objective.yaml", r"\{governors_jade: 2\}", "{governors_jade: }", "says 'governors_jade' without a number"),
    ("game.yaml", r"value: \[5, 6, 7, 8\]", "value: [5, 6, mid, 8]", "holds numbers, found text 'mid'"),
    ("game.yaml", r"value: \[5, 6, 7, 8\]", "value: [5, 6, true, 8]", "holds numbers, found true"),
]


@pytest.mark.parametrize(("file", "old", "new", "words"), SLIPS)
def test_a_slip_is_told_where_it_stands(tmp_path: Path, file: str, old: str, new: str, words: str) -> None:
    folder = tmp_path / "components" / "tianxia"
    shutil.copytree(games.folder_of("tianxia"), folder)
    text = (folder / file).read_text("utf-8")
    slipped, n = re.subn(old, new, text, count=1)
    assert n
    (folder / file).write_text(slipped, "utf-8")
    [problem] = check_game("tianxia", tmp_path, reading=[rules_read])
    assert words in problem.what
    assert problem.file.endswith(file) and problem.line > 1


@pytest.mark.parametrize("name", ["start.coin_by_seat", "figurine.vp", "wall.cost.stone", "tower.cost.stone"])
def test_a_row_without_figures_says_nothing_for_anybody(name: str) -> None:
    """A table may set a row of figures to none at all: then there is nothing to be had of it."""
    rules = games.rules_with("tianxia", {name: []})
    played, at = play_out(rules, games.PEOPLE[:3], seed=1, most=200)
    assert played.end != "stuck"
    rules.score(at)
