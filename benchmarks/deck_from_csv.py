"""A deck from a spreadsheet: `pnp check` and `pnp build` as whole processes, as a designer runs them.

    python benchmarks/deck_from_csv.py [--cards 463] [--runs 7]

463 different poker cards from a CSV file, each with a title, a cost, a row of icons, three lines of text with bold
words and icons inside, and a flavour text. Measured three times: *first* (nothing of this game is kept; the metrics of
the fonts, which all games share, are), *changed* (one cell of the CSV edited), *same* (nothing changed). Seconds by the
clock and of the processor, medians.
"""

from __future__ import annotations

import argparse
import csv
import os
import resource
import shutil
import statistics
import subprocess
import tempfile
import time
from pathlib import Path
from random import Random

from decks import deck_files
from measure import PNP, private_env, record

EFFECTS = """\
verbs:
  gain: {about: Take coins., args: {n: whole 1..}, phrase: "Take {{ n }} [coin].", icons: ["coin {{ n }}"]}
  draw: {about: Draw cards., args: {n: whole 1..}, phrase: "**Draw** {{ n }} [card].", icons: ["card {{ n }}"]}
  hit: {about: Wound a foe., args: {n: whole 1..}, phrase: "A foe takes {{ n }} [wound].", icons: ["wound {{ n }}"]}
"""
SET = """\
set: card
title: Cards
kind: card
format: poker
face: card
back: back
field_types: {cost: whole 0.., suit: "one of gold, moss, slate", says: text}
rows: cards.csv
"""
THEME = """\
fonts:
  serif: font_source_serif_pro:SourceSerifPro-Bold.ttf
  sans: font_source_sans_pro:SourceSansPro-Regular.ttf
  sans-bold: font_source_sans_pro:SourceSansPro-Bold.ttf
  sans-italic: font_source_sans_pro:SourceSansPro-It.ttf
colours: {ink: "#22283a", gold: "#8a5a10", moss: "#45602a", slate: "#3f4f63", white: "#ffffff", ground: "#f6efdd"}
styles:
  title: {font: serif, size: 13, min: 9, leading: 1.1, colour: ink}
  cost: {font: serif, size: 13, min: 11, leading: 1.1, colour: white}
  body: {font: sans, bold: sans-bold, size: 9, min: 7, leading: 1.25, colour: ink, accent: gold}
  flavour: {font: sans-italic, size: 8, min: 7, leading: 1.2, colour: ink}
"""
ICONS = """\
coin: [{circle: [12, 12, 9], fill: accent, stroke: ink, width: 1.6}]
card: [{d: "M6 3H18V21H6Z", stroke: ink, fill: accent, width: 1.6}]
wound: [{d: "M12 3L21 20H3Z", stroke: ink, fill: accent, width: 1.6}]
"""
FACE = """\
about: A card to measure with.
items:
  - rect: {box: ["{{ -bleed }}", "{{ -bleed }}", "{{ w + 2 * bleed }}", "{{ h + 2 * bleed }}"], fill: ground}
  - rect: {box: [4, 4, 55, 80], r: 2, stroke: "{{ piece.fields.suit }}", width: 0.7}
  - text: {box: [15, 6, 40, 8], style: title, value: "{{ piece.name }}", valign: middle}
  - circle: {at: [10, 11], r: 4, fill: "{{ piece.fields.suit }}"}
  - text: {box: [6, 7, 8, 8], style: cost, value: "{{ piece.fields.cost }}", align: center, valign: middle}
  - icons: {box: [7, 20, 49, 14], value: "{{ piece.icons }}", size: 10, gap: 2, label_style: title, accent: gold}
  - text: {box: [7, 40, 49, 26], style: body, value: "{{ piece.text }} {{ piece.fields.says }}"}
  - text: {box: [7, 68, 49, 13], style: flavour, value: "{{ piece.flavour }}", valign: bottom}
"""
BACK = """\
about: The back.
items:
  - rect: {box: ["{{ -bleed }}", "{{ -bleed }}", "{{ w + 2 * bleed }}", "{{ h + 2 * bleed }}"], fill: slate}
  - circle: {at: [31.5, 44], r: 15, fill: ground}
"""
WORDS = (
    "harbour lantern keeper tide market river stone tower bridge orchard winter copper saddle merchant garden silk "
    "mountain feather anchor barrel compass mirror thread candle bell spindle"
)

SAYS = (
    "If you have **{a}**, put 1 [wound] on a neighbour.",
    "At the end of your turn, you may discard a [card] to keep *{a}*.",
    "**{a}** costs 1 [coin] less this turn, and so does **{b}**.",
    "Each other player with a **{b}** discards a [card] or pays 2 [coin].",
)


def make_project(folder: Path, count: int) -> Path:
    """A project with a deck of `count` different cards in a CSV file, which is returned."""
    chance = Random(463)
    game, look = folder / "components" / "deck", folder / "layouts" / "deck"
    (look / "faces").mkdir(parents=True)
    game.mkdir(parents=True)
    texts = {game / name: text for name, text in deck_files("deck", "Deck", "DK").items()}
    texts[game / "effects.yaml"] = EFFECTS
    texts |= {game / "cards.yaml": SET, look / "theme.yaml": THEME, look / "icons.yaml": ICONS}
    texts |= {look / "faces" / "card.yaml": FACE, look / "faces" / "back.yaml": BACK}
    for file, text in texts.items():
        file.write_text(text)
    table = game / "cards.csv"
    with table.open("w", newline="") as out:
        rows = csv.writer(out)
        rows.writerow(["id", "Name", "Copies", "Rule", "Cost", "Suit", "gain", "draw", "hit", "Says", "Flavour"])
        for n in range(count):
            a, b, c = chance.sample(WORDS.split(), 3)
            says = chance.choice(SAYS).format(a=a.title(), b=b.title())
            verbs = [chance.choice(["", 1, 2, 3]) for _ in range(3)]
            if not any(verbs):
                verbs[0] = 1
            suit = chance.choice(["gold", "moss", "slate"])
            name = f"{a.title()} of the {b.title()} {n}"
            rows.writerow([f"c{n}", name, 1, "DK-1", n % 10, suit, *verbs, says, f"Nobody minds the {c} by night."])
    return table


def run(command: list[str], env: dict[str, str]) -> tuple[float, float]:
    """Seconds by the clock and of the processor."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(command, check=True, capture_output=True, env=env)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    work = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return time.perf_counter() - start, work


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cards", type=int, default=463)
    parser.add_argument("--runs", type=int, default=7)
    asked = parser.parse_args()
    found: dict[tuple[str, str], list[tuple[float, float]]] = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        table, env = make_project(folder / "project", asked.cards), private_env(folder)
        pnp = [*PNP, "--project", str(folder / "project")]
        for round_ in range(asked.runs):
            for how in ("first", "changed", "same"):
                if how == "first":
                    for part in ("resolved", "faces", "checked"):
                        shutil.rmtree(folder / "cache" / "tablewright" / part, ignore_errors=True)
                    shutil.rmtree(folder / "project" / "output", ignore_errors=True)
                elif how == "changed":
                    table.write_text(table.read_text().replace("Nobody minds", f"Nobody{'!' * (round_ + 1)} minds", 1))
                for what in ("check", "build"):
                    command = [*pnp, what, "deck", *(["-q"] if what == "build" else [])]
                    found.setdefault((how, what), []).append(run(command, env))
    lines = [f"| {asked.cards} cards from a CSV file | check | build | together | processor |", "|---|---|---|---|---|"]
    for how in ("first", "changed", "same"):
        each = [statistics.median(clock for clock, _ in found[how, what]) for what in ("check", "build")]
        work = sum(statistics.median(work for _, work in found[how, what]) for what in ("check", "build"))
        lines.append(f"| {how} | {each[0]:.2f} s | {each[1]:.2f} s | {sum(each):.2f} s | {work:.2f} s |")
    lines += ["", f"Whole processes, medians of {asked.runs} runs; load {os.getloadavg()[0]:.1f}."]
    record("deck", "A deck from a CSV file", lines)


if __name__ == "__main__":
    main()
