"""The modules of The Great Wall: each alone, all together, and every combination set up and played for a year."""

from __future__ import annotations

import re
from itertools import chain, combinations
from pathlib import Path
from random import Random
from typing import Any

import games
import pytest

from companion.engine.play.playout import MOST_REFUSALS
from companion.engine.play.position import Position, Rules
from companion.games import great_wall
from companion.games.great_wall.base import preparation

COMBINATIONS = [*chain.from_iterable(combinations(games.GREAT_WALL, n) for n in range(len(games.GREAT_WALL) + 1))]


def rules() -> Rules:
    return games.rules_with("great-wall")


def played(modules: tuple[str, ...], seed: int, years: int) -> Position[Any]:
    """A random game with these modules, the laws looked at after every move, until its years are over or it ends."""
    rng = Random(seed)
    at: Position[Any] = Position(rules(), rules().new_state(), quiet=True)
    at.chooser = rng.choice
    clans = games.CLANS[: 3 + seed % 3]
    start = at.rules.setup_move(clans, {"modules": ["base", *modules]})
    assert at.play(start).legal
    refused = 0
    while not at.rules.over(at.state) and at.state.year <= years and refused < MOST_REFUSALS:
        move = at.rules.propose(at, rng)
        assert move is not None, at.rules.stage(at.state)
        verdict = at.play(move)
        refused = 0 if verdict.legal else refused + 1
        if verdict.legal:
            assert at.rules.check_whole(at.state) == [], move
    assert refused < MOST_REFUSALS, (at.rules.stage(at.state), at.state.agenda[:1])
    return at


@pytest.mark.parametrize("modules", COMBINATIONS, ids=lambda modules: "+".join(modules) or "base")
def test_every_combination_is_set_up_and_played_for_a_year(modules: tuple[str, ...]) -> None:
    at = played(modules, len(modules), 1)
    assert at.state.year == 2 or at.rules.over(at.state)
    assert at.state.modules == ["base", *modules]


@pytest.mark.parametrize("modules", [(), *((one,) for one in games.GREAT_WALL), games.GREAT_WALL])
@pytest.mark.parametrize("seed", range(3))
def test_games_end(modules: tuple[str, ...], seed: int) -> None:
    at = played(modules, seed, 99)
    assert at.rules.over(at.state)
    assert at.rules.score(at).ending is not None


def test_the_steps_of_a_module_are_left_out_without_it() -> None:
    """No step of the year belongs to a module that is not in play."""
    at = played((), 1, 1)
    with_module = {phase.name for phase in at.rules.phases if phase.module}
    assert with_module
    assert at.rules.stage(at.state) not in with_module


def test_the_base_game_asks_for_no_module() -> None:
    """No chapter of the base game takes anything from a module's folder, or asks for one by its name."""
    base = Path(great_wall.__file__).parent / "base"
    names = "|".join(games.GREAT_WALL)
    asked = re.compile(rf"""from \.\.({names})\b|["']({names})["'] (not )?in """)
    assert [path.name for path in base.glob("*.py") if asked.search(path.read_text())] == []
    assert [module.name for module in great_wall.MODULES] == list(preparation.ALL[1:])
