"""A whole game to PDF: from nothing, again with nothing changed, after one card changed, and its rulebook.

    python benchmarks/print_game.py [--game warring-states] [--runs 5]

The game is copied into a folder of its own, so that nothing of yours is touched. Whole processes of `pnp build`. The
card is the first of the first deck: a word printed on it is changed, and one file has to be written again. The rulebook
comes after a build from nothing.
"""

from __future__ import annotations

import argparse
import hashlib
import itertools
import re
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


def written(folder: Path) -> dict[str, str]:
    """The PDF files of a folder by name, with what tells their contents apart."""
    return {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in folder.glob("*.pdf")}


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

        word = "label" if "label: " in original.partition("\npieces:")[2] else "name"

        def tweak() -> None:
            head, mark, tail = original.partition("\npieces:")
            changed = re.sub(rf"(?<=\b{word}: )\w[^,}}\n]*", f"Card {next(numbers)}", tail, count=1)
            deck.write_text(f"{head}{mark}{changed}")

        timed(pnp, 1, env)
        rows = [
            ("from nothing", median(timed(pnp, asked.runs, env, forget)), peak_memory(pnp, env)),
            ("nothing changed", median(timed(pnp, asked.runs, env)), peak_memory(pnp, env)),
            ("one card changed", median(timed(pnp, asked.runs, env, tweak)), 0.0),
        ]
        book = [*PNP, "--project", str(project), "rulebook", asked.game]

        def anew() -> None:
            deck.write_text(original)
            forget()
            timed(pnp, 1, env)

        rows.append(("the rulebook", median(timed(book, asked.runs, env, anew)), peak_memory(book, env)))
        forget()
        rows[0] = (*rows[0][:2], peak_memory(pnp, env))
        before = written(project / "output" / asked.game)
        tweak()
        rows[2] = (*rows[2][:2], peak_memory(pnp, env))
        after = written(project / "output" / asked.game)
        assert len(before.items() - after.items()) == 1, "one card changed, and not one file"
    lines = ["| build | whole process | memory |", "|---|---|---|"]
    lines += [f"| {what} | {seconds} | {memory:.0f} MiB |" for what, seconds, memory in rows]
    lines += ["", f"`{asked.game}`, {len(after)} PDF files on A4, duplex; medians of {asked.runs} runs."]
    record(f"game {asked.game}", f"A whole game to PDF: {asked.game}", lines)


if __name__ == "__main__":
    main()
