"""The toy game, and a home for its tables."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from command_line import Companion

import companion.games
from companion.cli.common import Settings
from companion.engine.play.position import Position, Rules
from components.model import ResolvedGame
from components.resolve import resolve_game
from generator.cli.main import main as pnp

TOY = Path(__file__).parent / "toy"
TOY_GAMES = str(TOY / "games")


@pytest.fixture(scope="session", autouse=True)
def toy_module() -> None:
    """Make `companion.games.orchard` importable."""
    if TOY_GAMES not in companion.games.__path__:
        companion.games.__path__.append(TOY_GAMES)


@pytest.fixture(scope="session")
def toy() -> Path:
    """The folder of the toy games."""
    return TOY


@pytest.fixture(scope="session")
def game() -> ResolvedGame:
    return resolve_game("orchard", root=TOY)


@pytest.fixture
def rules(game: ResolvedGame, toy_module: None) -> Rules:
    return companion.games.load_rules(game)


@pytest.fixture
def at(rules: Rules) -> Position[Any]:
    """Three farmers in the first round of turns: ana has 3 coins and two pears, bo one of each apple, cai a ladder."""
    form = {
        "seats": ["ana", "bo", "cai"],
        "fruit": {"ana": {"Pear": 2}, "bo": {"Red Apple": 1, "Green Apple": 1}, "cai": {}},
        "ladders": {"cai": 1},
        "coins": {"cai": 1},
    }
    return Position(rules, rules.complete(form))


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty home for tables, and the toy's folder as the place where games are found."""
    monkeypatch.setattr(Settings, "home", tmp_path / "home")
    monkeypatch.setattr(Settings, "root", TOY)
    yield tmp_path / "home"


@pytest.fixture(name="companion")
def companion_program(home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Companion:
    return Companion(capsys, monkeypatch)


@pytest.fixture
def friday(companion: Companion) -> Companion:
    """A table of three, in the first round of turns."""
    assert companion("new", "orchard", "ana=Mary", "bo=Ben", "cai", "--table", "friday").status == 0
    assert companion("do", "pass all").status == 0
    return companion


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Path:
    """A project made by `pnp init`, and the folder one stands in."""
    monkeypatch.setenv("TABLEWRIGHT_HOME", str(tmp_path / "home"))
    for name in ("home", "root"):
        monkeypatch.setattr(Settings, name, None)
    for name in ("named", "trust"):
        monkeypatch.setattr(Settings, name, False)
    monkeypatch.chdir(tmp_path)
    assert pnp(["init", "fief-drift"]) == 0
    monkeypatch.chdir(tmp_path / "fief-drift")
    capsys.readouterr()
    return tmp_path / "fief-drift"
