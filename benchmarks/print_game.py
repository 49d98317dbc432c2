"""A whole game to PDF: from nothing, again with nothing changed, and after one card changed.

    python benchmarks/print_game.py [--game warring-states] [--runs 5]

The game is copied into a folder of its own, so that nothing of yours is touched. Whole processes of `pnp build`.
"""

from __future__ import annotations

import argparse
import itertools
import shutil
import tempfile
from pathlib import Path

from measure import PNP, median, peak_memory, private_env, record, timed

ROOT = Path(__file__).parent.parent


def copy_game(game: str, project: Path) -> Path:
    """Copy a game and its look into `project` and return the file of its first deck of cards."""
    for part in ("components", "layouts"):
        shutil.copytree(ROOT / part / game, project / part / game)
    decks = sorted(
        file for file in (project / "components" / game).glob("*.yaml") if "\nkind: card\n" in file.read_text()
    )
    return decks[0]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="warring-states")
    parser.add_argument("--runs", type=int, default=5)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        project, env = folder / "project", private_env(folder)
        deck = copy_game(asked.game, project)
        original = deck.read_text()
        pnp = [*PNP, "--project", str(project), "build", asked.game, "-q"]

        def forget() -> None:
            for part in ("resolved", "faces"):
                shutil.rmtree(folder / "cache" / "tablewright" / part, ignore_errors=True)
            shutil.rmtree(project / "output", ignore_errors=True)

        numbers = itertools.count(1)

        def tweak() -> None:
            head, mark, tail = original.partition("\n    name: ")
            deck.write_text(f"{head}{mark}{tail.replace(tail.split(chr(10))[0], f'Card {next(numbers)}', 1)}")

        timed(pnp, 1, env)
        rows = [
            ("from nothing", median(timed(pnp, asked.runs, env, forget)), peak_memory(pnp, env)),
            ("nothing changed", median(timed(pnp, asked.runs, env)), peak_memory(pnp, env)),
            ("one card changed", median(timed(pnp, asked.runs, env, tweak)), 0.0),
        ]
        forget()
        rows[0] = (*rows[0][:2], peak_memory(pnp, env))
        tweak()
        rows[2] = (*rows[2][:2], peak_memory(pnp, env))
        told = sum(1 for _ in (project / "output" / asked.game).glob("*.pdf"))
    lines = ["| build | whole process | memory |", "|---|---|---|"]
    lines += [f"| {what} | {seconds} | {memory:.0f} MiB |" for what, seconds, memory in rows]
    lines += ["", f"`{asked.game}`, {told} PDF files on A4, duplex; medians of {asked.runs} runs."]
    record("game", "A whole game to PDF", lines)


if __name__ == "__main__":
    main()
