"""Poker cards by the hundred: `pnp build` as a whole process against bare reportlab drawing the same cards.

    python benchmarks/print_synthetic.py [--runs 7]

Both draw 120 and 1,000 different cards (border, title, cost in a disc, filled star, three wrapped lines of text), 9 to
an A4 page with crop marks, into a PDF. They are run in turn. Before each run of `pnp` the resolved game, the drawn
faces and the output are removed; the metrics of the fonts, which every game shares, are kept.
"""

from __future__ import annotations

import argparse
import shutil
import statistics
import sys
import tempfile
from pathlib import Path

from bare_reportlab import WORDS
from measure import PNP, median, peak_memory, private_env, record, timed

HERE = Path(__file__).parent

GAME = """\
id: synthetic
title: Synthetic
prefix: SY
min_players: players.min
max_players: players.max
about: A deck to measure with.
sections: [Only]
parameters:
  players.min: {value: 2, about: Fewest players., rules: [SY-1]}
  players.max: {value: 4, about: Most players., rules: [SY-1]}
"""
RULES = """\
rules:
  - {id: SY-1, title: Players, section: Only, origin: decided, reason: It is a benchmark., text: "Two to four."}
"""
DECK = """\
set: deck
title: Deck
kind: card
format: poker
face: card
pieces:
"""
PIECE = """\
  - id: card-{n}
    name: Card number {n}
    fields: {{cost: {cost}, text: "{words}"}}
"""
THEME = """\
fonts:
  serif: font_source_serif_pro:SourceSerifPro-Bold.ttf
  sans: font_source_sans_pro:SourceSansPro-Regular.ttf
colours: {ink: "#22283a", gold: "#c9871f", slate: "#4d6178", white: "#ffffff"}
styles:
  title: {font: serif, size: 13, min: 11, leading: 1.1, colour: ink}
  cost: {font: serif, size: 13, min: 11, leading: 1.1, colour: white}
  body: {font: sans, size: 9, min: 7.5, leading: 1.25, colour: ink}
"""
FACE = """\
about: A card to measure with.
items:
  - rect: {box: [3, 3, 57, 82], r: 2, stroke: ink, width: 0.7}
  - text: {box: [16, 6, 41, 8], style: title, value: "{{ piece.name }}", valign: middle}
  - circle: {at: [10, 11], r: 4.5, fill: gold}
  - text: {box: [5.5, 6.5, 9, 9], style: cost, value: "{{ piece.fields.cost }}", align: center, valign: middle}
  - regular: {at: [31.5, 38], r: 14, sides: 5, star: 0.45, fill: slate}
  - text: {box: [6, 60, 51, 14], style: body, value: "{{ piece.fields.text }}", max_lines: 3}
"""


def make_project(folder: Path, count: int) -> None:
    """A project with one deck of `count` different cards."""
    game, look = folder / "components" / "synthetic", folder / "layouts" / "synthetic"
    (look / "faces").mkdir(parents=True)
    game.mkdir(parents=True)
    pieces = "".join(PIECE.format(n=n, cost=n % 10, words=WORDS.format(n=n)) for n in range(count))
    (game / "game.yaml").write_text(GAME)
    (game / "rules.yaml").write_text(RULES)
    (game / "deck.yaml").write_text(DECK + pieces)
    (look / "theme.yaml").write_text(THEME)
    (look / "faces" / "card.yaml").write_text(FACE)


def measure(count: int, runs: int, folder: Path) -> tuple[list[float], list[float], list[float], float, float]:
    """Seconds of bare reportlab, of `pnp` from nothing and with nothing changed, and the memory of the first two."""
    project, env = folder / f"project-{count}", private_env(folder)
    make_project(project, count)
    bare = [sys.executable, str(HERE / "bare_reportlab.py"), str(count), str(folder / "bare.pdf")]
    pnp = [*PNP, "--project", str(project), "build", "synthetic", "--backs", "none", "-q"]

    def forget() -> None:
        for part in ("resolved", "faces"):
            shutil.rmtree(folder / "cache" / "tablewright" / part, ignore_errors=True)
        shutil.rmtree(project / "output", ignore_errors=True)

    timed(bare, 1, env)
    timed(pnp, 1, env)
    ours: list[float] = []
    theirs: list[float] = []
    for _ in range(runs):
        theirs += timed(bare, 1, env)
        ours += timed(pnp, 1, env, forget)
    again = timed(pnp, runs, env)
    forget()
    return theirs, ours, again, peak_memory(bare, env), peak_memory(pnp, env)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=7)
    runs = parser.parse_args().runs
    lines = [
        "| cards | bare reportlab | `pnp build` | ratio | nothing changed | memory (bare / pnp) |",
        "|---|---|---|---|---|---|",
    ]
    with tempfile.TemporaryDirectory() as folder:
        for count in (120, 1000):
            theirs, ours, again, small, large = measure(count, runs, Path(folder))
            ratio = statistics.median(ours) / statistics.median(theirs)
            lines.append(
                f"| {count:,} | {median(theirs)} | {median(ours)} | {ratio:.2f} | {median(again)} "
                f"| {small:.0f} / {large:.0f} MiB |"
            )
    lines += [
        "",
        f"Whole processes, medians of {runs} runs in turn; `pnp` without resolved game, drawn faces and output.",
    ]
    record("synthetic", "Synthetic poker cards to PDF", lines)


if __name__ == "__main__":
    main()
