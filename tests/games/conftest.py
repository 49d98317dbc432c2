"""The toy game beside the games of the box, and a home for tables."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import companion.games
from companion.cli.common import Settings
from companion.engine.play.position import Rules
from components.model import ResolvedGame
from components.resolve import resolve_game

TOY = Path(__file__).parents[1] / "companion" / "toy"
TOY_GAMES = str(TOY / "games")


@pytest.fixture(scope="session", autouse=True)
def toy_module() -> None:
    """Make `companion.games.orchard` importable."""
    if TOY_GAMES not in companion.games.__path__:
        companion.games.__path__.append(TOY_GAMES)


@pytest.fixture(scope="session")
def game() -> ResolvedGame:
    return resolve_game("orchard", root=TOY)


@pytest.fixture
def rules(game: ResolvedGame, toy_module: None) -> Rules:
    return companion.games.load_rules(game)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty home for tables."""
    monkeypatch.setattr(Settings, "home", tmp_path / "home")
    monkeypatch.setattr(Settings, "root", None)
    yield tmp_path / "home"
