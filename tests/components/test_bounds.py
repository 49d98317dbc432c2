"""Numbers without bounds in a definition are told in their place, before anything counts that far."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from components.bounds import beyond
from components.checks import check_game
from components.errors import SetError
from components.resolve import resolve_game
from generator.build.starter import make_starter

GAME = "lantern-walk"
Within = Callable[..., AbstractContextManager[None]]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / GAME
    make_starter(folder)
    return folder


@pytest.mark.parametrize(
    ("value", "told"),
    [
        (10**6, False),
        (-(10**6), False),
        (0, False),
        (0.0, False),
        (1.5, False),
        (True, False),
        ("9" * 30, False),
        (10**6 + 1, True),
        (-1e7, True),
        (1e308, True),
        (1e-320, True),
        (float("inf"), True),
        (float("nan"), True),
        (10**400, True),
    ],
)
def test_numbers_of_a_definition_have_bounds(value: object, told: bool) -> None:
    assert bool(beyond(value)) is told


@pytest.mark.parametrize("number", ["1000000000000", "101", "1e300"])
def test_a_number_of_players_has_bounds(project: Path, within: Within, number: str) -> None:
    file = project / "components" / GAME / "game.yaml"
    old = "players.max: {value: 4"
    text = file.read_text("utf-8")
    assert old in text
    file.write_text(text.replace(old, f"players.max: {{value: {number}"), "utf-8")
    with within(5):
        problems = check_game(GAME, project)
    assert problems and all(problem.file.endswith("game.yaml") and problem.line for problem in problems)
    told = [problem.what for problem in problems]
    assert any("beyond 1,000,000" in what or "from 1 to 100" in what for what in told), told


@pytest.mark.parametrize("value", [10**12, [1, {"x": -(10**12)}], 1e300])
def test_a_setting_has_bounds(project: Path, within: Within, value: object) -> None:
    with within(5), pytest.raises(SetError, match="beyond 1,000,000"):
        resolve_game(GAME, root=project, sets={"players.max": value})


def test_a_number_in_a_table_of_cards_has_bounds(project: Path) -> None:
    file = project / "components" / GAME / "lanterns.yaml"
    text = file.read_text("utf-8")
    file.write_text(text.partition("pieces:")[0] + "rows: cards.csv\n", "utf-8")
    (file.parent / "cards.csv").write_text("name,rule,copies\nMoth,LW-WALK-2,1000000000000\n", "utf-8")
    problem = next(problem for problem in check_game(GAME, project) if problem.code == "DEF-014")
    assert (problem.file, problem.line) == (f"components/{GAME}/cards.csv", 2)
