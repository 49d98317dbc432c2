"""One field of a game's YAML deleted, or one value changed: `pnp check` says where, or the game can be printed in
either ink and played.

The suite tries two of each game; `make torture` thousands, and hundreds with their faces. TORTURE=3 makes it three
times as many.
"""

from __future__ import annotations

import os
import random
import shutil
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import games
import pytest
import yaml

from companion.engine.errors import CompanionError
from companion.engine.play.position import Position
from companion.games import load_rules
from companion.own.scorepad import ScorePad
from components.checks import check_game
from components.errors import Problem
from components.resolve import resolve_game
from generator.build.check import check_game as check_with_faces
from generator.build.incremental import build
from generator.build.options import Options
from generator.build.places import Places
from generator.cli.check import whole_reading
from generator.paper.formats import LAYOUTS

TIMES = int(os.environ.get("TORTURE", "1"))
DELETED: Any = object()
SCRAPS: tuple[Any, ...] = (None, True, -1, 0, 1, 7, 10**12, 1.5, "", "x", "{{", [], ["x"], {}, {"x": 1})
MOVES = 10
LONGEST, LONGEST_DRAWN = 8, 60
"""Seconds of work that a damaged game may take. A change of what every face shows draws all anew."""
PATIENCE = 8
"""So many times as long, by the clock, on a machine that does other work, and it counts as hanging and is stopped."""
PathKey = tuple[Any, ...]
Check = Callable[[str, Path], list[Problem]]
Within = Callable[..., AbstractContextManager[None]]


@pytest.mark.parametrize("kind", ["deleted", "changed"])
@pytest.mark.parametrize("game", games.GAMES)
def test_a_damaged_definition_is_told_in_its_place_or_played(
    game: str, kind: str, tmp_path: Path, within: Within
) -> None:
    damage(game, tmp_path, random.Random(f"{game} {kind}"), kind, 1, checked, within)


@pytest.mark.torture
@pytest.mark.parametrize("kind", ["deleted", "changed"])
@pytest.mark.parametrize("game", games.GAMES)
@pytest.mark.parametrize("seed", range(10 * TIMES))
def test_many_damaged_definitions_are_told_or_played(
    game: str, kind: str, seed: int, tmp_path: Path, within: Within
) -> None:
    damage(game, tmp_path, random.Random(seed), kind, 60, checked, within)


@pytest.mark.torture
@pytest.mark.parametrize("game", games.GAMES)
@pytest.mark.parametrize("kind", ["deleted", "changed"])
@pytest.mark.parametrize("seed", range(5 * TIMES))
def test_damaged_definitions_are_told_or_printed(game: str, kind: str, seed: int, homes: Path, within: Within) -> None:
    damage(game, homes / game, random.Random(100 + seed), kind, 10, drawn, within, printed)


@pytest.mark.torture
@pytest.mark.parametrize("game", games.GAMES)
@pytest.mark.parametrize("kind", ["deleted", "changed"])
@pytest.mark.parametrize("seed", range(5 * TIMES))
def test_damaged_looks_are_told_or_printed(game: str, kind: str, seed: int, homes: Path, within: Within) -> None:
    """The same for layouts: face templates, parts, theme, icons, formats, papers, sheets."""
    project = homes / game
    if not (project / "layouts").exists():
        shutil.copytree(
            LAYOUTS, project / "layouts", ignore=lambda *_: {other for other in games.GAMES if other != game}
        )
    damage(game, project, random.Random(200 + seed), kind, 10, drawn, within, printed, "layouts")


@pytest.fixture(scope="session")
def homes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a project for each game, which remember the faces that no damage touches."""
    return tmp_path_factory.mktemp("homes")


def checked(game: str, project: Path) -> list[Problem]:
    """What `pnp check` finds, but for the faces."""
    return check_game(game, project, reading=whole_reading(places(project)))


def drawn(game: str, project: Path) -> list[Problem]:
    """What `pnp check` finds."""
    return check_with_faces(game, places(project), reading=whole_reading(places(project)))


def printed(game: str, project: Path) -> None:
    """Print the sheets in both inks."""
    for ink in ("normal", "low"):
        build(game, Options(out=project / "output", ink=ink), places(project), lambda *_: None)


def places(project: Path) -> Places:
    return Places(project=project, cache=project / "cache", records=project / "records")


def damage(
    game: str,
    project: Path,
    rng: random.Random,
    kind: str,
    times: int,
    check: Check,
    within: Within,
    further: Callable[[str, Path], None] = lambda *_: None,
    where: str = "components",
) -> None:
    """Damage one place of the definition (or of the `layouts`), `times` times, each kind of place as often as another,
    and see what comes of it. What passes `check` stands `further` trials."""
    own = project / "components" / game
    if not own.exists():
        shutil.copytree(games.folder_of(game), own, ignore=shutil.ignore_patterns("__pycache__"))
    folder = own if where == "components" else project / where
    files = {path.relative_to(folder): path.read_text(encoding="utf-8") for path in folder.rglob("*.yaml")}
    alike: dict[Any, list[tuple[Path, PathKey]]] = {}
    for name, text in files.items():
        for path in inside(yaml.load(text, yaml.CSafeLoader)):
            shape = tuple("" if isinstance(step, int) else step for step in path)
            alike.setdefault((name, shape), []).append((name, path))
    for shape in rng.sample(list(alike), times):
        name, path = rng.choice(alike[shape])
        data = yaml.load(files[name], yaml.CSafeLoader)
        new = DELETED if kind == "deleted" else rng.choice((*SCRAPS, at_path(data, rng.choice([*inside(data)]))))
        put(data, path, new)
        (folder / name).write_text(yaml.dump(data, Dumper=yaml.CSafeDumper, sort_keys=False), encoding="utf-8")
        what = f"{name}: {path} {'deleted' if new is DELETED else f'is {new!r}'}"
        longest = LONGEST if check is checked else LONGEST_DRAWN
        try:
            with within(longest * PATIENCE, what):
                problems = check(game, project)
                for problem in problems:
                    assert problem.file and (problem.line or problem.severity == "warning"), (
                        f"told without its place: {problem}"
                    )
                if not any(problem.severity == "error" for problem in problems):
                    further(game, project)
                    follow(game, project, rng)
        except Exception as error:
            raise AssertionError(f"{what}: {type(error).__name__}: {error}") from error
        finally:
            (folder / name).write_text(files[name], encoding="utf-8")


def follow(game: str, project: Path, rng: random.Random) -> None:
    """Play a few random moves, and look at the table after each."""
    resolved = resolve_game(game, root=project)
    rules = load_rules(resolved) if resolved.engine else ScorePad(resolved)
    at: Position[Any] = Position(rules, rules.new_state())
    move = rules.setup_move(rules.game.seats[: max(2, rules.game.players[0])], {})
    try:
        for _ in range(MOVES + 1):
            verdict = at.judge(move)
            if verdict.legal:
                at.carry_out(verdict)
                rules.show(at)
                rules.score(at)
            proposed = None if rules.over(at.state) else rules.propose(at, rng)
            if proposed is None:
                break
            move = proposed
    except CompanionError:
        pass  # a complaint in words


def inside(data: Any, path: PathKey = ()) -> Iterator[PathKey]:
    """The path of everything inside some data."""
    entries = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in entries:
        yield (*path, key)
        yield from inside(value, (*path, key))


def at_path(data: Any, path: PathKey) -> Any:
    for step in path:
        data = data[step]
    return data


def put(data: Any, path: PathKey, value: Any) -> None:
    """Put a value at a path, or delete what is there."""
    holder = at_path(data, path[:-1])
    if value is DELETED:
        del holder[path[-1]]
    else:
        holder[path[-1]] = value
