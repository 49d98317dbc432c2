"""A whole game to PDF: from nothing, again with nothing changed, after one card changed, and its rulebook.

    python benchmarks/print_game.py [--game warring-states] [--runs 5]

The game is copied into a folder of its own, so that nothing of yours is touched. Whole processes of `pnp build`,
and of `pnp rulebook` after a build from nothing. The card is the first of the first deck: a word printed on it is
changed, and one file has to be written again.
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
    """Copy a game and its look into `project` and return the file of its first deck of cards whose names are words of
    its own: a label made from an effect may choose an icon, too."""
    for part in ("components", "layouts"):
        shutil.copytree(ROOT / part / game, project / part / game)
    decks = sorted(
        file
        for file in (project / "components" / game).glob("*.yaml")
        if "\nkind: card\n" in (text := file.read_text()) and 'label: "{{' not in text
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

        book = [*PNP, "--project", str(project), "rulebook", asked.game]
        timed(pnp, 1, env)
        timed(book, 1, env)
        built: list[float] = []
        bound: list[float] = []
        for _ in range(asked.runs):
            built += timed(pnp, 1, env, forget)
            bound += timed(book, 1, env)
        both = [a + b for a, b in zip(built, bound, strict=True)]
        again, changed = timed(pnp, asked.runs, env), timed(pnp, asked.runs, env, tweak)
        deck.write_text(original)
        forget()
        memory = [peak_memory(pnp, env), peak_memory(book, env), peak_memory(pnp, env)]
        before = written(project / "output" / asked.game)
        tweak()
        memory.append(peak_memory(pnp, env))
        after = written(project / "output" / asked.game)
        assert len(before.items() - after.items()) == 1, "one card changed, and not one file"
    lines = [
        "| build | whole process | memory |",
        "|---|---|---|",
        f"| from nothing | {median(built)} | {memory[0]:.0f} MiB |",
        f"| the rulebook after it | {median(bound)} | {memory[1]:.0f} MiB |",
        f"| both | {median(both)} | |",
        f"| nothing changed | {median(again)} | {memory[2]:.0f} MiB |",
        f"| one card changed | {median(changed)} | {memory[3]:.0f} MiB |",
    ]
    lines += ["", f"`{asked.game}`, {len(after)} PDF files on A4, duplex; medians of {asked.runs} runs."]
    record(f"game {asked.game}", f"A whole game to PDF: {asked.game}", lines)


if __name__ == "__main__":
    main()
