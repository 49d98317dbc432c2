"""The figures of README's list of games are those of the games."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from components.loader import list_games
from components.phrasing import span
from components.resolve import resolve_game
from generator.cli.main import main as run

README = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
ROW = re.compile(r"^\| \*([^*]+)\*: .* \| (.+) \| ([\d,]+) \| (\d+) \| (\d+) \| (\d+) \|$", re.MULTILINE)
FOLLOWED = [name for name in list_games() if resolve_game(name).engine]
"""A game is listed once the companion can follow it."""
LISTED = {title: figures for title, *figures in ROW.findall(README)}


@pytest.mark.parametrize("name", FOLLOWED)
def test_a_game_is_listed_as_it_is(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game = resolve_game(name)
    assert run(["build", name, "--out", str(tmp_path), "--json"]) == 0
    built = json.loads(capsys.readouterr().out)
    counted = [span(*game.players), *map(str, (built["pieces"], built["leaves"], len(game.rules), len(game.rulings)))]
    assert LISTED[game.title] == counted


def test_no_other_game_is_listed() -> None:
    assert len(LISTED) == len(FOLLOWED)
