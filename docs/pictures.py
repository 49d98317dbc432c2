"""Draw the pictures of README and docs: real faces, sheets, pages and a real ruling, through the project's own path.

`python docs/pictures.py` (or `make pictures`) writes PNGs into `docs/pictures/`. Everything is composed as one display
list in millimetres and drawn by the SVG and PNG backends; Pillow only reduces the number of colours.
"""

from __future__ import annotations

import contextlib
import io
import os
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from PIL import Image

from companion.engine.language import notation
from companion.engine.play.position import Position
from companion.engine.things.spaces import coordinates
from companion.games import load_rules
from components.model import ResolvedGame
from components.resolve import resolve_game
from generator.backends.png import write_png
from generator.backends.svg import face_svg
from generator.book.rulebook import make_book
from generator.build.places import Places
from generator.build.project import read_book_look, read_layouts
from generator.build.scenes import SceneMaker
from generator.faces import svgpath
from generator.faces.display import POP, DisplayList, Op, PathOp, Push
from generator.faces.facemaker import FaceMaker
from generator.faces.fonts import FontBook
from generator.faces.text import TextBox, TextStyle, layout

HERE = Path(__file__).resolve().parent
INTO = HERE / "pictures"
PLACES = Places(project=HERE.parent)
GAME = "warring-states"
LARGEST = 250_000
"""Bytes a picture may have."""

FAN = ("state/chu", "event/plague", "resource/daring-general", "battle/heavy-cavalry", "battle/attack-weakness")
SPREAD = 14
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

BOARD_GAME = "dynasties"
PROVINCES = ("Xinjiang", "Tibet", "Qinghai", "Gansu", "Mandarin")
TILES: Mapping[str, tuple[str, float, float]] = {
    "Xinjiang": ("e", 64, 52),
    "Tibet": ("c", 64, 180),
    "Qinghai": ("g", 187, 151),
    "Gansu": ("i", 181, 52),
    "Mandarin": ("a", 304, 52),
}
"""Province -> its tile, and the middle of the tile's place on the board of `BOARD_GAME`."""
SHOWN: Mapping[str, tuple[str, str]] = {"Xinjiang": ("4", "2"), "Tibet": ("7", "plus-1")}
"""Province -> cards of White and Black that lie open there: the first two reveals that README types."""
ARMIES = (("white", 88, 122), ("white", 102, 126), ("black", 96, 238))
"""What those reveals place: discs on the armies' places of Xinjiang and Tibet."""

LAND_GAME = "xarkant"
LAND_SEATS = ("red", "blue")
LAND_LINES = (
    *("T04 90", "T06 270", "T02 270", "T05 270", "T07 90", "T10 90", "T01 90", "T09 90", "T03 270", "drawer blue"),
    *("draw 1 red 1 blue", "collect d4", "trade 1 wood for 1 wheat", "workshop e5", "pass", "collect e2", "pass"),
    *("draw 2 blue", "collect a4", "village b4", "claim b6", "pass"),
    *("draw 2 red", "collect f5", "collect c4", "church b4"),
)
"""The lines that README types at the table of `LAND_GAME`."""
TILE, QUADRANT, STRIP = 90.0, 45.0, 15.0
"""Sides of a tile and of a quarter of it, width of a frame strip, in mm."""
STANDING = {"work": "disc", "claim": "disc", "workshop": "workshop", "church": "church", "town": "church"}
"""What lies on a quadrant -> the piece set of which one in its owner's colour lies there."""
UNEVEN = (-4, 7, 3, -6, 5, -2)
"""Degrees by which pieces are turned, one after the other: nobody lays them straight."""

FELT, SHADOW, TERMINAL = "#5b6b5a", "#3f4b3f", "#1c2127"
INK, DIM, NO, RULE = "#e6e3da", "#9aa3ad", "#f0887a", "#e0b860"


def main() -> None:
    """Draw every picture."""
    game = resolve_game(GAME)
    maker = read_layouts(GAME, PLACES).faces(game)
    write("cards", DisplayList(*fan(game, maker)), maker.fonts, 110)
    other = resolve_game(BOARD_GAME)
    its_maker = read_layouts(BOARD_GAME, PLACES).faces(other)
    write("board", DisplayList(*table(other, its_maker)), its_maker.fonts, 58)
    third = resolve_game(LAND_GAME)
    its_maker = read_layouts(LAND_GAME, PLACES).faces(third)
    at = after_lines(third)
    write("land", DisplayList(*land(third, its_maker, at)), its_maker.fonts, 62)
    drawn = SceneMaker(third, PLACES)
    save("land-drawn", Image.open(io.BytesIO(write_png(drawn.svg(drawn.picture(at.rules.scene(at))), 40))))
    write("aid", DisplayList(*one(game, maker, "aid/player-aid")), maker.fonts, 150)
    write("rulebook", DisplayList(*spread(game)), read_book_look(GAME, PLACES).fonts, 105)
    write("ruling", DisplayList(*ruling(maker.fonts)), maker.fonts, 150)
    with tempfile.TemporaryDirectory() as folder:
        sheet("sheet-cards", Path(folder), "event", "cards-01-front", 95)
        sheet("sheet-tokens", Path(folder), "army", "tokens-01-front", 95)


# --- compositions, each width, height, bleed (none) and operations ------------------------------------------------

Composition = tuple[float, float, float, list[Op]]


def ground(w: float, h: float, colour: str, r: float = 0.0) -> PathOp:
    """A filled rectangle as large as the picture."""
    return PathOp(svgpath.to_d(svgpath.rect(0, 0, w, h, r)), colour)


def laid(face: DisplayList, x: float, y: float, turn: float = 0.0, corner: float = 0.0) -> list[Op]:
    """A face with its middle at `x, y`, cut out with its corners, a shadow under it."""
    cut = svgpath.to_d(svgpath.rect(0, 0, face.w, face.h, corner))
    own = svgpath.multiply(svgpath.placing(x, y, turn), svgpath.placing(-face.w / 2, -face.h / 2))
    under = svgpath.multiply(svgpath.placing(0.8, 1.0), own)
    return [Push(under), PathOp(cut, SHADOW), POP, Push(own, cut), *face.ops, POP]


def fan(game: ResolvedGame, maker: FaceMaker) -> Composition:
    """One card of each deck, held like a hand."""
    w, h = 290.0, 122.0
    pieces = {f"{piece.set}/{piece.id}": piece for piece in game.pieces}
    ops: list[Op] = [ground(w, h, FELT)]
    for n, name in enumerate(FAN):
        step = n - (len(FAN) - 1) / 2
        corner = maker.formats[pieces[name].format].corner
        ops += laid(maker.front(pieces[name]), w / 2 + step * 49, 54 + step * step * 3.4, step * 6, corner)
    return w, h, 0.0, ops


class Cloth:
    """A table on which pieces of a game are laid, one over the other."""

    def __init__(self, game: ResolvedGame, maker: FaceMaker) -> None:
        self.pieces = {f"{piece.set}/{piece.id}": piece for piece in game.pieces}
        self.maker = maker
        self.ops: list[Op] = []

    def lay(self, name: str, x: float, y: float, *, turn: float = 0.0, back: bool = False) -> None:
        """Lay the piece `set/id` with its middle at `x, y`, turned clockwise by `turn` degrees."""
        piece = self.pieces[name]
        face = self.maker.back(piece) if back else self.maker.front(piece)
        assert face is not None, f"{name} has a white back"
        form = self.maker.formats[piece.format]
        self.ops += laid(face, x, y, turn, form.w / 2 if form.shape == "circle" else form.corner)

    def picture(self, w: float, h: float, side: float, end: float) -> Composition:
        """What lies on `w` x `h` mm, with more of the table left and right, and at both ends."""
        full = w + 2 * side, h + 2 * end
        return *full, 0.0, [ground(*full, FELT), Push(svgpath.placing(side, end)), *self.ops, POP]


def table(game: ResolvedGame, maker: FaceMaker) -> Composition:
    """The board of the second game in its first Dynasty: cards at the long edges, two provinces revealed."""
    cloth = Cloth(game, maker)
    board = maker.front(cloth.pieces["board/board"])
    cloth.lay("board/board", board.w / 2, board.h / 2)
    for n, province in enumerate(PROVINCES):
        x, shown = 75.6 + 67.2 * n, SHOWN.get(province)
        white, black = shown or ("1", "1")
        cloth.lay(f"action-white/{white}", x, board.h + 26, back=shown is None)
        cloth.lay(f"action-black/{black}", x, -26, turn=180, back=shown is None)
        letter, tile_x, tile_y = TILES[province]
        cloth.lay(f"tile/{letter}", tile_x, tile_y)
    for colour, x, y in ARMIES:
        cloth.lay(f"disc/{colour}", x, y)
    return cloth.picture(board.w, board.h, 8.0, 76.0)


def after_lines(game: ResolvedGame) -> Position[Any]:
    """The table of the third game after the lines that README types."""
    rules = load_rules(game)
    at = Position(rules, rules.new_state())
    at.play(rules.setup_move(list(LAND_SEATS), {}))
    for line in LAND_LINES:
        for move in notation.read(line, at):
            assert at.play(move).legal, line
    return at


def land(game: ResolvedGame, maker: FaceMaker, at: Position[Any]) -> Composition:
    """The land of the third game inside its frame, as it lies on the table."""
    cloth = Cloth(game, maker)
    edge = at["grid.cols"] * TILE + STRIP / 2
    middle = (edge - STRIP / 2) / 2
    for side, x, y, turn in (
        ("north", middle, -STRIP / 2, 0),
        ("south", middle, edge, 0),
        ("west", -STRIP / 2, middle, 90),
        ("east", edge, middle, 90),
    ):
        cloth.lay(f"frame/{side}", x, y, turn=turn)
    for cell, tile in at.state.tiles.items():
        row, column = divmod(int(cell) - 1, at["grid.cols"])
        cloth.lay(f"landscape/{tile.tile}", (column + 0.5) * TILE, (row + 0.5) * TILE, turn=tile.rot)
    for n, (quadrant, piece) in enumerate(at.state.pieces.items()):
        column, row = coordinates(quadrant)
        x, y = (column + 0.5) * QUADRANT, (row + 0.5) * QUADRANT
        if piece.kind in ("village", "town"):
            cloth.lay("village/village", x, y)
        if piece.kind in STANDING:
            turn = UNEVEN[n % len(UNEVEN)]
            cloth.lay(f"{STANDING[piece.kind]}/{piece.owner}", x, y, turn=turn, back=piece.kind == "claim")
    return cloth.picture(2 * middle, 2 * middle, STRIP + 8, STRIP + 8)


def one(game: ResolvedGame, maker: FaceMaker, name: str) -> Composition:
    """Front and back of one piece beside each other."""
    piece = next(piece for piece in game.pieces if f"{piece.set}/{piece.id}" == name)
    corner = maker.formats[piece.format].corner
    faces = [face for face in (maker.front(piece), maker.back(piece)) if face is not None]
    edge = 6.0
    w = sum(face.w + edge for face in faces) + edge
    h = max(face.h for face in faces) + 2 * edge
    ops: list[Op] = [ground(w, h, FELT)]
    x = edge
    for face in faces:
        ops += laid(face, x + face.w / 2, h / 2, corner=corner)
        x += face.w + edge
    return w, h, 0.0, ops


def spread(game: ResolvedGame) -> Composition:
    """Two facing pages of the rulebook."""
    book = make_book(game, 148.5, 210.0, read_book_look(GAME, PLACES))
    edge = 5.0
    w, h = 2 * book.w + 2 * edge, book.h + 2 * edge
    ops: list[Op] = [ground(w, h, FELT)]
    for side, page in enumerate(book.pages[SPREAD - 1 : SPREAD + 1]):
        paper = PathOp(svgpath.to_d(svgpath.rect(0, 0, book.w, book.h)), "#ffffff", "#d0d0c8", 0.2)
        ops += [Push(svgpath.placing(edge + side * book.w, edge)), paper, *page.ops, POP]
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


def sheet(name: str, folder: Path, only: str, document: str, dpi: int) -> None:
    """The first sheet of a build of one deck, as `pnp build --format svg` writes it."""
    from generator.cli.main import main as run

    with contextlib.redirect_stdout(io.StringIO()):
        status = run(["build", GAME, "--only", only, "--format", "svg", "--out", str(folder / name), "--quiet"])
    assert status == 0, f"pnp build ended with {status}"
    page = min((folder / name / GAME).rglob(f"{document}*.svg"))
    save(name, Image.open(io.BytesIO(write_png(page.read_text(encoding="utf-8"), dpi))))


def write(name: str, picture: DisplayList, fonts: FontBook, dpi: int) -> None:
    """A display list as `docs/pictures/<name>.png`."""
    save(name, Image.open(io.BytesIO(write_png(face_svg(picture, fonts), dpi))))


def save(name: str, picture: Image.Image) -> None:
    """An image in as many colours as fit into `LARGEST` bytes."""
    INTO.mkdir(exist_ok=True)
    file = INTO / f"{name}.png"
    for colours in shades():
        small = picture.convert("RGB").quantize(colours, dither=Image.Dither.NONE)
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


def shades() -> Iterable[int]:
    """Numbers of colours to try."""
    return (256, 128, 64, 32)


if __name__ == "__main__":
    main()
