"""Measure which branches of `companion/games/` are reached by cases, golden games and playouts, and print the others.

    python tests/tools/coverage_of_games.py [GAME …] [--playouts 2] [--seed 1] [--least 97] [--brief]

Ends with status 1 if a game stays below `--least` percent. Two games are measured at a time, each in its own process.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple

import coverage

TESTS = Path(__file__).resolve().parents[1]
ROOT = TESTS.parent


class Measured(NamedTuple):
    """The branches of one file: how many, how many were reached, and the others as (from line, to line).

    A line below 0 is the end of the function that begins there."""

    file: str
    branches: int
    reached: int
    missed: list[tuple[int, int]]

    @property
    def percent(self) -> float:
        return 100 * self.reached / self.branches if self.branches else 100.0


def measure(game: str, playouts: int, seed: int) -> list[Measured]:
    """Every file of a game's rules, measured in this process. Its modules must not have been imported yet."""
    sys.path[:0] = [str(ROOT), str(TESTS / "games")]
    from components.resolve import resolve_game

    engine = resolve_game(game).engine
    watch = coverage.Coverage(branch=True, source_pkgs=[f"companion.games.{engine}"], data_file=None)
    watch.start()
    play_everything(game, playouts, seed)
    watch.stop()
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        watch.json_report(outfile=str(report))
        files: dict[str, Any] = json.loads(report.read_text(encoding="utf-8"))["files"]
    return [
        Measured(
            str((ROOT / name).resolve().relative_to(ROOT)),
            found["summary"]["num_branches"],
            found["summary"]["covered_branches"],
            [(a, b) for a, b in found["missing_branches"]],
        )
        for name, found in sorted(files.items())
    ]


def play_everything(game: str, playouts: int, seed: int) -> None:
    """Run the cases and golden games, and `playouts` random games in each way to play."""
    import case_runner
    import games
    import laws
    import playthrough_runner

    for case in case_runner.cases(game):
        case_runner.faults(case)
    for file in playthrough_runner.transcripts(game):
        playthrough_runner.replayed(game, file.read_text(encoding="utf-8"))
    for way in games.WAYS:
        if way.game == game:
            for i in range(playouts):
                laws.playout_ends(way.rules, way.seats, seed + i)
                walk(laws.positions(way.rules, way.seats, seed + i))


def walk(positions: list[tuple[Any, Any]]) -> None:
    """Ask in each position of a random game what the laws ask: its form, its words, the move as text, now and then all
    moves."""
    import laws

    from companion.engine.language import listing

    for n, (at, move) in enumerate(positions):
        if at.state.players:
            laws.position_form_round_trip(at)
            laws.the_table_can_be_shown(at)
        laws.move_round_trips(at, move)
        if n % 20 == 0:
            listing.overview(at.legal(), at)


def shown(found: list[Measured], brief: bool) -> str:
    """The table of a game's files, with the branches nobody took unless `brief`."""
    lines = []
    for file in found:
        lines.append(f"{file.percent:6.1f} %  {file.reached:4} of {file.branches:4}  {file.file}")
        if not brief:
            text = (ROOT / file.file).read_text(encoding="utf-8").splitlines()
            for a, b in file.missed:
                end = f"line {b}" if b > 0 else "the end"
                lines.append(f"{'':24}{file.file}:{a} never goes to {end}: {text[a - 1].strip()[:80]}")
    return "\n".join(lines)


def main() -> int:
    sys.path.insert(0, str(ROOT))
    from components.loader import list_games

    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("games", nargs="*", metavar="GAME", help="games to measure (default: all)")
    parser.add_argument("--playouts", type=int, default=2, help="random games in each way to play (default: 2)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--least", type=float, default=0.0, help="percent a game has to reach")
    parser.add_argument("--brief", action="store_true", help="leave out the missed branches")
    asked = parser.parse_args()
    unknown = sorted(set(asked.games) - set(list_games()))
    if unknown:
        parser.error(f"there is no game {', '.join(unknown)}; there are {', '.join(list_games())}")
    games = asked.games or list_games()
    low = False
    with ProcessPoolExecutor(2, mp_context=get_context("spawn"), max_tasks_per_child=1) as pool:
        jobs = [pool.submit(measure, game, asked.playouts, asked.seed) for game in games]
        for game, job in zip(games, jobs, strict=True):
            found = job.result()
            whole = Measured(game, sum(f.branches for f in found), sum(f.reached for f in found), [])
            low |= whole.percent < asked.least
            print(shown(found, asked.brief))
            print(f"{whole.percent:6.1f} %  {whole.reached:4} of {whole.branches:4}  {game}\n", flush=True)
    return 1 if low else 0


if __name__ == "__main__":
    sys.exit(main())
