"""The process that runs the tests of one game for `mutants.py`, again and again, each time in a child of its own.

    python tests/tools/mutant_worker.py GAME SECONDS [STAGES]

For every line read (`FILE:LINE` of the mutant, or nothing) it answers with the name of the first tests that failed, or
`-` if none did. Tests that never end run out of their CPU time (a few times what they took without a mutant, at most
SECONDS), which is said; a busy machine kills no mutant. What does not change (the engine, the data, the libraries) is
imported once, before the children are made; the game's rules are not. Which cases and golden games enter which function
is measured once: only these can notice a change in it. PYTHONPATH has to name the project and its folders of tests.
"""

from __future__ import annotations

import ast
import os
import pickle
import resource
import signal
import sys
import time
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import case_runner
import games
import playthrough_runner
import pytest

TESTS = Path(__file__).resolve().parents[1]
PARTS_OF_THE_SUITE = (
    "tests/games/test_scenes.py",
    "tests/games/test_one_source.py",
    "tests/games/test_rules_off.py",
)
NOT_OF_THE_RULES = ("test_art.py", "test_data.py")
MOST_MEMORY = 3_000_000_000
PATIENCE_OF_THE_WALL = 10
"""How many times its CPU time a test may wait for its turn."""
OUT_OF_TIME = ", out of time"
LEAST_TIME, MOST_TIMES = 10.0, 4.0
"""Tests may take so many seconds of CPU time, and so many times what they took without a mutant."""

Function = tuple[str, int]
"""A function: its file below the project, the line where it begins."""
Entered = dict[Function, set[str]]
"""Function -> the names of the cases and golden games that enter it."""
LOADING = "loading"
"""The name under which what is entered while the game is loaded stands."""


def cases_hold(game: str, only: set[str] | None) -> bool:
    chosen = (case for case in case_runner.cases(game) if only is None or case.name in only)
    return not any(case_runner.faults(case) for case in chosen)


def golden_games_hold(game: str, only: set[str] | None) -> bool:
    for file in playthrough_runner.transcripts(game):
        text = file.read_text(encoding="utf-8")
        if (only is None or file.name in only) and playthrough_runner.replayed(game, text) != text:
            return False
    return True


def entered_by_tests(game: str) -> Entered:
    """Run every case and golden game once, and note what it enters. To be called in a child."""
    found: Entered = defaultdict(set)
    root, now = str(TESTS.parent), LOADING

    def note(frame: Any, event: str, arg: Any) -> None:
        code = frame.f_code
        if event == "call" and "/companion/games/" in code.co_filename:
            found[os.path.relpath(code.co_filename, root), code.co_firstlineno].add(now)

    sys.setprofile(note)
    games.rules_with(game)
    for case in case_runner.cases(game):
        now = case.name
        case_runner.faults(case)
    for file in playthrough_runner.transcripts(game):
        now = file.name
        playthrough_runner.replayed(game, file.read_text(encoding="utf-8"))
    sys.setprofile(None)
    return dict(found)


def measured_in_a_child(game: str) -> Entered:
    """What the tests enter, measured where the game's rules may be imported."""
    reading, writing = os.pipe()
    if os.fork() == 0:
        _quieten()
        with os.fdopen(writing, "wb") as pipe:
            pipe.write(pickle.dumps(entered_by_tests(game)))
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        found: Entered = pickle.loads(pipe.read())
    os.wait()
    return found


def that_notice(place: str, entered: Entered) -> set[str] | None:
    """The tests that enter the function around a line (`FILE:LINE`), or one made in it; None: any may notice a change,
    as the line is run when the game is loaded."""
    file, _, line = place.rpartition(":")
    found: set[str] = set()
    for node in ast.walk(ast.parse((TESTS.parent / file).read_text(encoding="utf-8"))) if file else ():
        if isinstance(node, ast.FunctionDef) and node.body[0].lineno <= int(line) <= (node.end_lineno or 0):
            first = min([node.lineno, *(one.lineno for one in node.decorator_list)])
            inside = ((at, names) for (of, at), names in entered.items() if of == file)
            found |= {name for at, names in inside if first <= at <= (node.end_lineno or 0) for name in names}
            break
    else:
        return None
    return None if LOADING in found else found


def pass_pytest(game: str, *paths: str) -> bool:
    """Whether the tests in these files that name the game pass (all of them in the game's own folder)."""
    chosen = [] if all(f"/{game}/" in path for path in paths) else ["-k", game]
    return pytest.main(["-x", "-q", "-p", "no:cacheprovider", *chosen, *paths]) == pytest.ExitCode.OK


def stages(game: str, only: set[str] | None = None) -> list[tuple[str, Callable[[], bool]]]:
    """The tests of a game, the fastest first; `only` these cases and golden games."""
    folder = TESTS / "games" / game
    own = [f"tests/games/{game}/{p.name}" for p in sorted(folder.glob("test_*.py")) if p.name not in NOT_OF_THE_RULES]
    return [
        ("cases", lambda: cases_hold(game, only)),
        ("golden games", lambda: golden_games_hold(game, only)),
        ("the game's own tests", lambda: pass_pytest(game, *own)),
        ("laws", lambda: pass_pytest(game, "tests/games/test_laws.py")),
        *((Path(path).stem, lambda path=path: pass_pytest(game, path)) for path in PARTS_OF_THE_SUITE),
    ]


def failure_in_a_child(test: Callable[[], bool], seconds: float) -> str | None:
    """How a test fails in a child process (nothing to add, or that its time was up); None: it passes. A fault of any
    kind is a failure."""
    child = os.fork()
    if child == 0:
        _quieten()
        resource.setrlimit(resource.RLIMIT_CPU, (int(seconds), int(seconds)))
        try:
            passed = test()
        except BaseException:
            passed = False
        os._exit(0 if passed else 1)
    until = time.monotonic() + PATIENCE_OF_THE_WALL * seconds
    while time.monotonic() < until:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            timed_out = os.WIFSIGNALED(status) and os.WTERMSIG(status) in (signal.SIGXCPU, signal.SIGKILL)
            return None if status == 0 else OUT_OF_TIME if timed_out else ""
        time.sleep(0.02)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return OUT_OF_TIME


def cpu_of_children() -> float:
    """Seconds of CPU time that children took until now."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _quieten() -> None:
    """Nothing of a test is shown, and a mutant that never stops asking for memory ends."""
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nowhere, stream)


def main() -> None:
    game, seconds = sys.argv[1], float(sys.argv[2])
    most = int(sys.argv[3]) if len(sys.argv) > 3 else None
    case_runner.cases(game)
    games.resolved(game)
    entered = measured_in_a_child(game)
    usual: dict[str, float] = {}
    for line in sys.stdin:
        only = that_notice(line.strip(), entered)
        failed = "-"
        for name, test in stages(game, only)[:most]:
            begun = cpu_of_children()
            failure = failure_in_a_child(test, min(seconds, usual.get(name, seconds)))
            usual.setdefault(name, LEAST_TIME + MOST_TIMES * (cpu_of_children() - begun))
            if failure is not None:
                failed = name + failure
                break
        print(failed, flush=True)


if __name__ == "__main__":
    main()
