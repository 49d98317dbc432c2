"""How fast the lab plays: dealt games beside undealt ones, one process and two, and the memory of long runs.

`python benchmarks/lab_speed.py [--games N] [--many N]`. Seconds are those of the processor, which a busy machine hardly
changes, unless it says wall time. Nothing is asserted; the figures go to RESULTS.md.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from measure import peak_memory, private_env, record

from companion.engine.play.position import Rules
from companion.games import load_rules
from companion.lab.playing import RANDOM, UNDEALT, play
from components.resolve import resolve_game

GAMES = ("dynasties", "xarkant", "tianxia", "warring-states", "great-wall")
COMPANION = "import sys; from companion.cli.main import main; sys.exit(main())"
MANY = "dynasties"
"""The game of the long runs."""
SHORT = 200
"""Games of the short run, beside which the memory of the long one is told."""


def per_second(rules: Rules, games: int) -> tuple[float, float]:
    """Undealt and dealt games in a second of the processor; the two take turns."""
    low, _ = rules.game.players
    seats = (rules.game.seats or [f"seat{n + 1}" for n in range(low)])[:low]
    spent = {UNDEALT: 0.0, RANDOM: 0.0}
    for number in range(games + 1):
        for bot in spent:
            began = time.process_time()
            play(rules, seats, (bot,) * low, 1, number)
            if number:  # the first game fills what is worked out once
                spent[bot] += time.process_time() - began
    return games / spent[UNDEALT], games / spent[RANDOM]


def playtest(games: int, jobs: int) -> list[str]:
    given = ["playtest", MANY, "--games", str(games), "--jobs", str(jobs), "--json"]
    return [sys.executable, "-c", COMPANION, *given]


def spent(games: int, jobs: int, env: dict[str, str]) -> tuple[float, float, bytes]:
    """Seconds of the processor in all processes and of wall time that a run takes, and what it says."""
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    said = subprocess.run(playtest(games, jobs), check=True, capture_output=True, env=env).stdout
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, time.perf_counter() - began, said


def main() -> None:
    asked = argparse.ArgumentParser()
    asked.add_argument("--games", type=int, default=100, help="games of each kind")
    asked.add_argument("--many", type=int, default=10_000, help="games of the long runs")
    given = asked.parse_args()
    lines = ["| game | undealt games a second | dealt | dealt to undealt |", "|---|---|---|---|"]
    for game in GAMES:
        undealt, dealt = per_second(load_rules(resolve_game(game)), given.games)
        lines.append(f"| {game} | {undealt:.1f} | {dealt:.1f} | {dealt / undealt:.2f} |")
    with tempfile.TemporaryDirectory() as folder:
        env = private_env(Path(folder))
        spent(1, 1, env)  # resolves the game
        one, alone, said = spent(given.many, 1, env)
        two, together, same = spent(given.many, 2, env)
        if said != same:
            raise SystemExit("one process and two played other games")
        few, many = (peak_memory(playtest(games, 2), env) for games in (SHORT, given.many))
    lines += [
        "",
        "Fewest players, random bots, one core, seconds of the processor.",
        "",
        f"| {given.many:,} dealt games of {MANY} | processor | wall time | memory |",
        "|---|---|---|---|",
        f"| one process | {one:.0f} s, {1000 * one / given.many:.1f} ms a game | {alone:.0f} s | |",
        f"| two processes | {two:.0f} s, {two / 2:.0f} s on each core | {together:.0f} s | {many:.0f} MiB |",
        f"| {SHORT} games in two processes | | | {few:.0f} MiB |",
        "",
        "Random bots. Both gave the same bytes. On cores of their own, two processes do "
        f"{2 * one / two:.2f} times the work of one; the load of the machine was {os.getloadavg()[0]:.1f} at the end.",
    ]
    record("lab", "Games of the lab", lines)


if __name__ == "__main__":
    main()
