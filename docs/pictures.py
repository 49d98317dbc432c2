"""Draw the pictures of README and docs: scenes, sheets, pages and a real ruling, through the project's own path.

`python docs/pictures.py` (or `make pictures`) writes PNGs into `docs/pictures/`. Pieces on a table are a scene of
`docs/scenes/`; Pillow only reduces the number of colours.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping
from operator import sub
from pathlib import Path

from PIL import Image

from components.book import book_of
from components.model import ResolvedGame
from components.resolve import resolve_game
from components.scene import read_scene
from components.yamlsource import read_yaml
from generator.backends.png import write_png
from generator.backends.svg import face_svg
from generator.book.rulebook import make_book
from generator.build.places import Places
from generator.build.project import read_book_look, read_layouts
from generator.cli.figures import Figures
from generator.cli.telling import Studio, teller
from generator.faces import svgpath
from generator.faces.display import POP, DisplayList, Op, PathOp, Push, inlined
from generator.faces.fonts import FontBook
from generator.faces.text import TextBox, TextStyle, layout
from generator.paper.formats import LAYOUTS

HERE = Path(__file__).resolve().parent
INTO = HERE / "pictures"
PLACES = Places(project=HERE.parent)
GAME = "warring-states"
LARGEST = 250_000
"""Bytes a picture may have."""
FREQUENT = 2000
"""So many of its most frequent colours are considered for the palette of a picture."""

SCENES: Mapping[str, tuple[str, int]] = {
    "cards": (GAME, 110),
    "aid": (GAME, 150),
    "board": ("dynasties", 58),
    "land": ("xarkant", 62),
    "land-drawn": ("xarkant", 42),
    "silk": ("tianxia", 42),
    "wall": ("great-wall", 36),
}
"""Scene of `docs/scenes/` -> its game, and the resolution of its picture."""
PAGES: Mapping[str, Mapping[str, tuple[str, str]]] = {
    "tutorial": {
        "tutorial-1": ("pnp proof tide lantern/gust", "output/tide/proofs/lantern-gust-front.png"),
        "tutorial-2": ("pnp proof tide lantern/moon", "output/tide/proofs/lantern-moon-front.png"),
        "tutorial-3": ("pnp build", "output/tide/cards-a4-long.pdf"),
    },
    "how-do-i": {
        "how-do-i": ("pnp proof gallery lantern/paper-moon", "output/gallery/proofs/lantern-paper-moon-front.png")
    },
}
"""Page of `docs/` -> its pictures, each the file that one of its commands has made."""
BLOCK = re.compile(r"^```(\w+)(?: file=(\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SPREAD = 12
"""The left page of the pictured opening of the rulebook."""
RULING = """\
phase: war
active: Qin
players:
  Qin: {armies: 2, generals: [Daring], attack_banned: true}
  Chu: {armies: 1}
  Zhao: {}
"""
QUESTION = "qin attack chu steadfast 4"

FELT, TERMINAL = "#5b6b5a", "#1c2127"
PAPER = "#f6f3ea"
INK, DIM, NO, RULE = "#e6e3da", "#9aa3ad", "#f0887a", "#e0b860"


def main() -> None:
    """Draw every picture."""
    for name, (game, dpi) in SCENES.items():
        scene(name, game, dpi)
    states = resolve_game(GAME)
    write("rulebook", DisplayList(*spread(states)), read_book_look(GAME, PLACES).fonts, 105)
    fonts = read_layouts(GAME, PLACES).fonts
    write("ruling", DisplayList(*ruling(fonts)), fonts, 150)
    write("icons", DisplayList(*shared_icons()), fonts, 150)
    for page, wanted in PAGES.items():
        with tempfile.TemporaryDirectory() as folder:
            walk(page, wanted, Path(folder))
    with tempfile.TemporaryDirectory() as folder:
        sheet("sheet-cards", Path(folder), "event", "cards-01-front", 95)
        sheet("sheet-tokens", Path(folder), "army", "tokens-01-front", 95)


# --- compositions, each width, height, bleed (none) and operations ------------------------------------------------

Composition = tuple[float, float, float, list[Op]]


def ground(w: float, h: float, colour: str, r: float = 0.0) -> PathOp:
    """A filled rectangle as large as the picture."""
    return PathOp(svgpath.to_d(svgpath.rect(0, 0, w, h, r)), colour)


def spread(game: ResolvedGame) -> Composition:
    """Two facing pages of the rulebook."""
    look, studio = read_book_look(GAME, PLACES), Studio(game, PLACES, "normal")
    book = make_book(game, 148.5, 210.0, look, content=book_of(game), tell=teller(game, PLACES), artist=studio)
    edge = 5.0
    w, h = 2 * book.w + 2 * edge, book.h + 2 * edge
    ops: list[Op] = [ground(w, h, FELT)]
    for side, page in enumerate(book.pages[SPREAD - 1 : SPREAD + 1]):
        paper = PathOp(svgpath.to_d(svgpath.rect(0, 0, book.w, book.h)), "#ffffff", "#d0d0c8", 0.2)
        ops += [Push(svgpath.placing(edge + side * book.w, edge)), paper, *inlined(page, book.faces).ops, POP]
    return w, h, 0.0, ops


def ruling(fonts: FontBook) -> Composition:
    """What `companion check` answers, line by line."""
    lines = [f'$ companion check "{QUESTION}"', *answer().splitlines()]
    w, margin, blocks, y = 196.0, 6.0, [], 6.0
    for line in lines:
        text = line.strip()
        indent = margin + 1.6 * (len(line) - len(text))
        block = layout(marked(text), style(line), TextBox(x=indent, y=y, width=w - indent - margin), fonts)
        blocks.append(block)
        y += block.height + 1.7
    h = y + margin - 1.7
    return w, h, 0.0, [ground(w, h, TERMINAL, 3), *(op for block in blocks for op in block.ops)]


def shared_icons() -> Composition:
    """Every shared icon above its name, in rows."""
    look = read_layouts(GAME, PLACES)
    names = list(read_yaml(LAYOUTS / "icons.yaml").data)
    cell, high, across = 24.0, 21.0, 7
    rows = -(-len(names) // across)
    ops: list[Op] = [ground(across * cell, rows * high, PAPER)]
    for number, name in enumerate(names):
        x, y = number % across * cell, number // across * high
        ops += look.look.icons.draw(name, x + (cell - 11) / 2, y + 2.5, 11, TERMINAL, RULE, PAPER, str)
        label = TextStyle(font="sans", bold="sans-bold", size=7.5, leading=1.2, colour=TERMINAL)
        ops += layout(name, label, TextBox(x=x, y=y + 15, width=cell, align="center"), look.fonts).ops
    return across * cell, rows * high, 0.0, ops


def style(line: str) -> TextStyle:
    """Question, verdict, reason or rule: told apart by indentation, as on the terminal."""
    depth = len(line) - len(line.lstrip())
    colour = DIM if line.startswith("$") else NO if depth == 0 else INK if depth == 2 else RULE
    return TextStyle(font="sans", bold="sans-bold", size=10.5, leading=1.3, colour=colour)


def marked(text: str) -> str:
    """A line of output as text of a face: signs of its markup mean themselves."""
    return text.replace("[", "[[")


def answer() -> str:
    """The real answer of the companion to `QUESTION` in the position `RULING`."""
    from companion.cli.main import main as companion

    with tempfile.TemporaryDirectory() as folder:
        position = Path(folder) / "position.yaml"
        position.write_text(RULING, encoding="utf-8")
        with contextlib.redirect_stdout(io.StringIO()) as out:
            companion(["check", GAME, "--position", str(position), QUESTION])
    return out.getvalue().rstrip()


# --- files -------------------------------------------------------------------------------------------------------


def walk(page: str, wanted: Mapping[str, tuple[str, str]], folder: Path) -> None:
    """Do what a page says in an empty folder, and save what the commands of its pictures make."""
    programs = folder / "bin"
    programs.mkdir()
    for name, run in (("pnp", "-m generator.cli"), ("companion", "-m companion.cli"), ("python", "")):
        (programs / name).write_text(f'#!/bin/sh\nexec "{sys.executable}" {run} "$@"\n', "utf-8")
        (programs / name).chmod(0o755)
    homes = {key: str(folder / key) for key in ("XDG_DATA_HOME", "TABLEWRIGHT_HOME")}
    own = {"PATH": f"{programs}:{os.environ['PATH']}", "PYTHONPATH": str(HERE.parent), **homes}
    for kind, file, body in BLOCK.findall((HERE / f"{page}.md").read_text("utf-8")):
        if file:
            (folder / file).parent.mkdir(parents=True, exist_ok=True)
            (folder / file).write_text(body, "utf-8")
            continue
        lines = body.splitlines() if kind in ("sh", "console") else []
        for line in [line.removeprefix("$ ") for line in lines if kind == "sh" or line.startswith("$ ")]:
            if line.startswith("cd "):
                folder = folder / line.removeprefix("cd ")
                continue
            subprocess.run(line, shell=True, cwd=folder, env={**os.environ, **own}, capture_output=True, check=False)
            for name, (command, made) in wanted.items():
                if line == command:
                    save(name, _opened(folder / made))


def _opened(file: Path) -> Image.Image:
    """A picture, or the first page of a PDF, as wide as a page shows it."""
    if file.suffix == ".pdf":
        import pypdfium2

        with pypdfium2.PdfDocument(file) as document:
            found: Image.Image = document[0].render(scale=1.1).to_pil()
        return found
    picture = Image.open(file)
    return picture.resize((picture.width // 2, picture.height // 2), Image.Resampling.LANCZOS)


def sheet(name: str, folder: Path, only: str, document: str, dpi: int) -> None:
    """The first sheet of a build of one deck, as `pnp build --format svg` writes it."""
    from generator.cli.main import main as run

    with contextlib.redirect_stdout(io.StringIO()):
        status = run(["build", GAME, "--only", only, "--format", "svg", "--out", str(folder / name), "--quiet"])
    assert status == 0, f"pnp build ended with {status}"
    page = min((folder / name / GAME).rglob(f"{document}*.svg"))
    save(name, Image.open(io.BytesIO(write_png(page.read_text(encoding="utf-8"), dpi))))


def scene(name: str, game: str, dpi: int) -> None:
    """A scene of `docs/scenes/`, as `pnp scene` draws it."""
    said, lines = read_scene(HERE / "scenes" / f"{name}.yaml")
    content = Figures(resolve_game(game), PLACES).file(said, "png", dpi, lines)
    save(name, Image.open(io.BytesIO(content)))


def write(name: str, picture: DisplayList, fonts: FontBook, dpi: int) -> None:
    """A display list as `docs/pictures/<name>.png`."""
    save(name, Image.open(io.BytesIO(write_png(face_svg(picture, fonts), dpi))))


def save(name: str, picture: Image.Image) -> None:
    """An image in as many colours as fit into `LARGEST` bytes."""
    INTO.mkdir(exist_ok=True)
    file = INTO / f"{name}.png"
    for colours in shades():
        small = reduced(picture.convert("RGB"), colours)
        out = io.BytesIO()
        small.save(out, "PNG", optimize=True)
        if len(out.getvalue()) <= LARGEST:
            break
    else:
        raise SystemExit(f"{file.name} has {len(out.getvalue()):,} bytes, even in {colours} colours")
    file.write_bytes(out.getvalue())
    print(
        f"{file.relative_to(Path(os.path.commonpath([file, Path.cwd()])))} {picture.size} {len(out.getvalue()):,} bytes"
    )


def reduced(picture: Image.Image, colours: int) -> Image.Image:
    """A picture in so many of its own colours: the most frequent ones, no two alike. What mixes two colours at an edge
    becomes the nearest; a flat colour of a small area stays what it is, where a median of many would not."""
    found = sorted(picture.getcolors(picture.width * picture.height) or (), key=lambda one: -one[0])
    chosen: list[tuple[int, ...]] = []
    for apart in (24, 12, 0):
        for _, colour in found[:FREQUENT]:
            if len(chosen) < colours and all(sum(map(abs, map(sub, colour, other))) > apart for other in chosen):
                chosen.append(colour)
    palette = Image.new("P", (1, 1))
    palette.putpalette([value for colour in chosen for value in colour])
    return picture.quantize(palette=palette, dither=Image.Dither.NONE)


def shades() -> Iterable[int]:
    """Numbers of colours to try."""
    return (256, 128, 64, 32)


if __name__ == "__main__":
    main()
