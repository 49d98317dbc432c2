"""The process that runs the tests of one game for `mutants.py`, again and again, each time in a child of its own.

    python tests/tools/mutant_worker.py GAME SECONDS

For every line read it answers with the name of the first tests that failed, or `-` if none did. What does not change
(the engine, the data, the libraries) is imported once, before the children are made; the game's rules are not.
PYTHONPATH has to name the project and its folders of tests.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

import case_runner
import games
import playthrough_runner
import pytest

TESTS = Path(__file__).resolve().parents[1]
PARTS_OF_THE_SUITE = ("tests/games/test_one_source.py", "tests/games/test_rules_off.py")
NOT_OF_THE_RULES = ("test_art.py", "test_data.py")
MOST_MEMORY = 3_000_000_000


def cases_hold(game: str) -> bool:
    return not any(case_runner.faults(case) for case in case_runner.cases(game))


def golden_games_hold(game: str) -> bool:
    for file in playthrough_runner.transcripts(game):
        text = file.read_text(encoding="utf-8")
        if playthrough_runner.replayed(game, text) != text:
            return False
    return True


def pass_pytest(game: str, *paths: str) -> bool:
    """Whether the tests in these files that name the game pass (all of them in the game's own folder)."""
    chosen = [] if all(f"/{game}/" in path for path in paths) else ["-k", game]
    return pytest.main(["-x", "-q", "-p", "no:cacheprovider", *chosen, *paths]) == pytest.ExitCode.OK


def stages(game: str) -> list[tuple[str, Callable[[], bool]]]:
    """The tests of a game, the fastest first."""
    folder = TESTS / "games" / game
    own = [f"tests/games/{game}/{p.name}" for p in sorted(folder.glob("test_*.py")) if p.name not in NOT_OF_THE_RULES]
    return [
        ("cases", lambda: cases_hold(game)),
        ("golden games", lambda: golden_games_hold(game)),
        ("the game's own tests", lambda: pass_pytest(game, *own)),
        ("laws", lambda: pass_pytest(game, "tests/games/test_laws.py")),
        *((Path(path).stem, lambda path=path: pass_pytest(game, path)) for path in PARTS_OF_THE_SUITE),
    ]


def in_a_child(test: Callable[[], bool], seconds: float) -> bool:
    """Whether a test passes in a child process within the time; a fault of any kind is a failure."""
    child = os.fork()
    if child == 0:
        _quieten()
        try:
            passed = test()
        except BaseException:
            passed = False
        os._exit(0 if passed else 1)
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return status == 0
        time.sleep(0.02)
    os.kill(child, 9)
    os.waitpid(child, 0)
    return False


def _quieten() -> None:
    """Nothing of a test is shown, and a mutant that never stops asking for memory ends."""
    import resource

    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nowhere, stream)


def main() -> None:
    game, seconds = sys.argv[1], float(sys.argv[2])
    case_runner.cases(game)
    games.resolved(game)
    for _ in sys.stdin:
        failed = next((name for name, test in stages(game) if not in_a_child(test, seconds)), "-")
        print(failed, flush=True)


if __name__ == "__main__":
    main()
