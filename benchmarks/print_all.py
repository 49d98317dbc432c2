"""Every game as PDF and SVG with its rulebook, from nothing: what `make print` runs.

    python benchmarks/print_all.py [--runs 3]

Whole processes, in a folder of their own. Before each run everything is removed that earlier ones left, the metrics of
fonts included.
"""

from __future__ import annotations

import argparse
import shutil
import tempfile
from pathlib import Path

from measure import PNP, median, peak_memory, private_env, record, timed


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=3)
    runs = parser.parse_args().runs
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        env, out = private_env(folder), folder / "output"
        sheets = [*PNP, "build", "--all", "--format", "pdf,svg", "--out", str(out), "-q"]
        books = [*PNP, "rulebook", "--all", "--out", str(out)]

        def forget() -> None:
            shutil.rmtree(folder / "cache", ignore_errors=True)
            shutil.rmtree(out, ignore_errors=True)

        timed(sheets, 1, env)
        timed(books, 1, env)
        first: list[float] = []
        then: list[float] = []
        for _ in range(runs):
            first += timed(sheets, 1, env, forget)
            then += timed(books, 1, env)
        forget()
        rows = [
            ("`pnp build --all --format pdf,svg`", first, peak_memory(sheets, env)),
            ("`pnp rulebook --all`", then, peak_memory(books, env)),
        ]
    lines = ["| command | whole process | memory |", "|---|---|---|"]
    lines += [f"| {what} | {median(seconds)} | {memory:.0f} MiB |" for what, seconds, memory in rows]
    total = [a + b for a, b in zip(first, then, strict=True)]
    lines += [
        f"| together | {median(total)} | |",
        "",
        f"All games on A4, duplex, from nothing; medians of {runs} runs.",
    ]
    record("all games", "Everything that make print prints", lines)


if __name__ == "__main__":
    main()
