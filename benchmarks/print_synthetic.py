"""Poker cards by the hundred: `pnp build` as a whole process against bare reportlab and Typst drawing the same cards.

    python benchmarks/print_synthetic.py [--runs 7]

All draw 120, 1,000 and 10,000 different cards (border, title, cost in a disc, filled star, three wrapped lines of
text), 9 to an A4 page with crop marks, into a PDF. They are run in turn. Before each run of `pnp` the resolved game,
the drawn faces and the output are removed; the metrics of the fonts, which every game shares, are kept. Typst takes
part if its package is installed (`pip install typst`; Tablewright does not need it).
"""

from __future__ import annotations

import argparse
import importlib.util
import shutil
import statistics
import sys
import tempfile
from pathlib import Path

from bare_reportlab import WORDS
from decks import deck_files
from measure import PNP, median, peak_memory, private_env, record, timed

HERE = Path(__file__).parent

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
    for name, text in deck_files("synthetic", "Synthetic", "SY").items():
        (game / name).write_text(text)
    (game / "deck.yaml").write_text(DECK + pieces)
    (look / "theme.yaml").write_text(THEME)
    (look / "faces" / "card.yaml").write_text(FACE)


TYPST = """\
#set page(paper: "a4", margin: 0mm)
#let ink = rgb("#22283a")
#let corner(k) = {
  let r = if calc.even(k) { 14mm } else { 6.3mm }
  (31.5mm + r * calc.cos(36deg * k - 90deg), 38mm + r * calc.sin(36deg * k - 90deg))
}
#let card(n, x, y) = place(dx: x, dy: y, box(width: 63mm, height: 88mm, {
  place(dx: 3mm, dy: 3mm, rect(width: 57mm, height: 82mm, radius: 2mm, stroke: 0.7mm + ink))
  place(dx: 16mm, dy: 8mm, text(font: "Source Serif Pro", weight: 700, size: 13pt, fill: ink)[Card number #n])
  place(dx: 5.5mm, dy: 6.5mm, circle(radius: 4.5mm, fill: rgb("#c9871f"), align(center + horizon,
    text(font: "Source Serif Pro", weight: 700, size: 13pt, fill: white)[#calc.rem(n, 10)])))
  place(polygon(fill: rgb("#4d6178"), ..range(10).map(corner)))
  place(dx: 6mm, dy: 60mm, box(width: 51mm, {
    set par(leading: 0.55em)
    text(font: "Source Sans Pro", size: 9pt, fill: ink)[WORDS]
  }))
}))
#let marks = for i in range(4) {
  let (x, y) = (10.5mm + i * 63mm, 16.5mm + i * 88mm)
  for (dx, dy, angle) in ((x, 9.5mm, 90deg), (x, 283.5mm, 90deg), (4.2mm, y, 0deg), (202.5mm, y, 0deg)) {
    place(dx: dx, dy: dy, line(length: 3.5mm, angle: angle, stroke: 0.1mm))
  }
}
#let count = COUNT
#for first in range(0, count, step: 9) {
  if first > 0 { pagebreak() }
  marks
  for k in range(calc.min(9, count - first)) {
    card(first + k, 10.5mm + calc.rem(k, 3) * 63mm, 16.5mm + calc.quo(k, 3) * 88mm)
  }
}
"""
FONTS = "import font_source_sans_pro as a, font_source_serif_pro as b; fonts = [*a.__path__, *b.__path__]"
RUN_TYPST = f"import sys, typst; {FONTS}; typst.compile(sys.argv[1], output=sys.argv[2], font_paths=fonts)"


def typst_command(folder: Path, count: int) -> list[str]:
    """The command by which Typst draws the cards; empty if it is not installed."""
    if importlib.util.find_spec("typst") is None:
        return []
    source = folder / f"cards-{count}.typ"
    source.write_text(TYPST.replace("WORDS", WORDS.format(n="#n")).replace("COUNT", str(count)))
    return [sys.executable, "-c", RUN_TYPST, str(source), str(folder / "typst.pdf")]


def measure(count: int, runs: int, folder: Path) -> str:
    """A row of results."""
    project, env = folder / f"project-{count}", private_env(folder)
    make_project(project, count)
    bare = [sys.executable, str(HERE / "bare_reportlab.py"), str(count), str(folder / "bare.pdf")]
    pnp = [*PNP, "--project", str(project), "build", "synthetic", "--backs", "none", "-q"]
    rival = typst_command(folder, count)

    def forget() -> None:
        for part in ("resolved", "faces"):
            shutil.rmtree(folder / "cache" / "tablewright" / part, ignore_errors=True)
        shutil.rmtree(project / "output", ignore_errors=True)

    seconds: dict[str, list[float]] = {"bare": [], "typst": [], "pnp": []}
    for command in (bare, rival, pnp):
        if command:
            timed(command, 1, env)
    for _ in range(runs):
        seconds["bare"] += timed(bare, 1, env)
        seconds["typst"] += timed(rival, 1, env) if rival else []
        seconds["pnp"] += timed(pnp, 1, env, forget)
    again = timed(pnp, runs, env)
    forget()
    memory = " / ".join(f"{peak_memory(command, env):.0f}" if command else "–" for command in (bare, rival, pnp))
    ours, theirs = statistics.median(seconds["pnp"]), statistics.median(seconds["bare"])
    typst = median(seconds["typst"]) if rival else "–"
    beside = f"{ours / statistics.median(seconds['typst']):.2f}" if rival else "–"
    return (
        f"| {count:,} | {median(seconds['bare'])} | {typst} | {median(seconds['pnp'])} "
        f"| {ours / theirs:.2f} | {beside} | {median(again)} | {memory} MiB |"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--cards", type=int, nargs="+", default=[120, 1000, 10000])
    asked = parser.parse_args()
    lines = [
        "| cards | bare reportlab | Typst | `pnp build` | to reportlab | to Typst | nothing changed "
        "| memory (reportlab / Typst / pnp) |",
        "|---|---|---|---|---|---|---|---|",
    ]
    with tempfile.TemporaryDirectory() as folder:
        lines += [measure(count, asked.runs, Path(folder)) for count in asked.cards]
    lines += [
        "",
        f"Whole processes, medians of {asked.runs} runs in turn; `pnp` without resolved game, drawn faces and output.",
    ]
    record("synthetic", "Synthetic poker cards to PDF", lines)


if __name__ == "__main__":
    main()
