"""A game for virtual tabletops, and as pictures: one PNG per face, or deck sheets for Tabletop Simulator."""

from __future__ import annotations

import csv
import hashlib
import io
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from components.files import write_whole
from components.model import ResolvedGame, ResolvedPiece
from generator.backends.png import write_png
from generator.backends.svg import write_svg
from generator.build.options import Options, Tell
from generator.build.places import Places
from generator.build.project import read_layouts
from generator.build.proofs import face_bytes
from generator.faces.display import DisplayList
from generator.paper.formats import Format
from generator.paper.units import INCH
from generator.sheets.sheets import Box, Placement, Sheet

ACROSS, DOWN = 10, 7
MOST = ACROSS * DOWN - 1
"""Cards of one deck sheet; the last place of the grid is the card seen by those who may not look."""
MOST_PIXELS = 4096
"""Longest side of a deck sheet that every player's machine can load."""
SHAPES = {"rect": 0, "hex": 1, "circle": 2, "standee": 0}
"""Tabletop Simulator's numbers for the shapes of tiles."""


def to_images(game: ResolvedGame, options: Options, places: Places, tell: Tell, bleed: bool = False) -> list[Path]:
    """`images/<set>/<piece>-front.png` (and `-back.png`) for every piece, trimmed or with its `bleed`, and
    `images/quantities.csv`: which files make how many of which piece. Raises FaceError and LayoutError."""
    maker = read_layouts(game.id, places).faces(game, options.ink)
    made: list[Path] = []
    for n, piece in enumerate(game.pieces, 1):
        for side, face in (("front", maker.front(piece)), ("back", maker.back(piece))):
            if face is not None:
                file = options.out / game.id / "images" / piece.set / f"{piece.id}-{side}.png"
                content = face_bytes(face, maker.fonts, piece.name, "png", bleed, options.dpi)
                write_whole(file, content, below=options.out)
                made.append(file)
        tell(1, n, len(game.pieces))
    table = options.out / game.id / "images" / "quantities.csv"
    write_whole(table, _quantities(game, maker.formats, bleed, options.dpi).encode(), below=options.out)
    return [*made, table]


def _quantities(game: ResolvedGame, formats: Mapping[str, Format], bleed: bool, dpi: int) -> str:
    """A table as print shops ask for it: the pictures of each piece, how many, its size when cut."""
    found = io.StringIO()
    table = csv.writer(found, lineterminator="\n")
    table.writerow(("set", "piece", "name", "quantity", "front", "back", "width mm", "height mm", "bleed mm", "dpi"))
    for piece in game.pieces:
        fmt = formats[piece.format]
        back = f"{piece.set}/{piece.id}-back.png" if piece.back else ""
        size = f"{fmt.w:g}", f"{fmt.h:g}", f"{fmt.bleed if bleed else 0:g}"
        front = f"{piece.set}/{piece.id}-front.png"
        table.writerow((piece.set, piece.id, piece.name, piece.copies, front, back, *size, dpi))
    return found.getvalue()


def to_tts(game: ResolvedGame, options: Options, places: Places, tell: Tell) -> list[Path]:
    """A saved object for Tabletop Simulator and the pictures it names, in `tts/`; the saved object is the last file.

    Cards become decks, everything else stacks of tiles. Raises FaceError and LayoutError.
    """
    return _Table(game, options, places).write(tell)


class _Table:
    """The saved object while it is put together."""

    def __init__(self, game: ResolvedGame, options: Options, places: Places) -> None:
        self.game = game
        self.options = options
        self.maker = read_layouts(game.id, places).faces(game, options.ink)
        self.folder = options.out / game.id / "tts"
        self.made: list[Path] = []
        self.objects: list[dict[str, Any]] = []

    def write(self, tell: Tell) -> list[Path]:
        decks: dict[tuple[str, str], list[ResolvedPiece]] = {}
        for piece in self.game.pieces:
            if piece.copies:
                decks.setdefault((piece.set, piece.format), []).append(piece)
        done, of = 0, sum(len(pieces) for pieces in decks.values())
        for (name, fmt), pieces in decks.items():
            if pieces[0].kind == "card" and self.maker.formats[fmt].shape == "rect":
                for start in range(0, len(pieces), MOST):
                    number = start // MOST + 1
                    self._deck(name if len(pieces) <= MOST else f"{name}-{number}", pieces[start : start + MOST])
            else:
                for piece in pieces:
                    self._tile(piece, self.maker.formats[fmt])
            done += len(pieces)
            tell(1, done, of)
        saved = {"SaveName": self.game.title, "ObjectStates": self.objects}
        file = self.folder / f"{self.game.id}.json"
        write_whole(file, msgspec.json.format(msgspec.json.encode(saved), indent=2) + b"\n", below=self.options.out)
        return [*self.made, file]

    def _picture(self, name: str, content: bytes) -> str:
        """Write a picture and return its address."""
        file = self.folder / name
        write_whole(file, content, below=self.options.out)
        self.made.append(file)
        return file.resolve().as_uri()

    def _deck(self, name: str, pieces: list[ResolvedPiece]) -> None:
        fronts = [self.maker.front(piece) for piece in pieces]
        backs = [self.maker.back(piece) or fronts[n] for n, piece in enumerate(pieces)]
        unique = any(back != backs[0] for back in backs)
        columns = min(ACROSS, max(2, len(pieces)))
        rows = min(DOWN, max(2, math.ceil((len(pieces) + 1) / columns)))
        faces = self._picture(f"{name}-fronts.png", self._grid(fronts, columns, rows))
        reverse = self._picture(
            f"{name}-backs.png" if unique else f"{name}-back.png",
            self._grid(backs, columns, rows) if unique else self._face(backs[0], name),
        )
        number = len(self.objects) + 1
        sheet = {
            "FaceURL": faces,
            "BackURL": reverse,
            "NumWidth": columns,
            "NumHeight": rows,
            "BackIsHidden": True,
            "UniqueBack": unique,
        }
        cards = [
            _object("Card", piece.name, piece.text, f"{piece.set}/{piece.id}/{copy}")
            | {"CardID": number * 100 + place, "CustomDeck": {str(number): sheet}}
            for place, piece in enumerate(pieces)
            for copy in range(piece.copies)
        ]
        if len(cards) == 1:
            self.objects.append(self._placed(cards[0]))
            return
        deck = _object("DeckCustom", pieces[0].set_title, "", name)
        deck |= {"DeckIDs": [card["CardID"] for card in cards], "CustomDeck": {str(number): sheet}}
        self.objects.append(self._placed(deck | {"ContainedObjects": cards}))

    def _tile(self, piece: ResolvedPiece, fmt: Format) -> None:
        front, back = self.maker.front(piece), self.maker.back(piece)
        name = f"{piece.set}-{piece.id}"
        image = {
            "ImageURL": self._picture(f"{name}-front.png", self._face(front, name)),
            "ImageSecondaryURL": self._picture(f"{name}-back.png", self._face(back or front, name)),
            "WidthScale": 0.0,
            "CustomTile": {"Type": SHAPES[fmt.shape], "Thickness": 0.1, "Stackable": True, "Stretch": True},
        }
        tile = _object("Custom_Tile", piece.name, piece.text, f"{piece.set}/{piece.id}") | {"CustomImage": image}
        self.objects += [self._placed(tile | {"Number": piece.copies}, fmt.w / 50)]

    def _placed(self, thing: dict[str, Any], scale: float = 1.0) -> dict[str, Any]:
        """The object at its place on the table: rows of eight."""
        row, column = divmod(len(self.objects), 8)
        place = {"posX": column * 3.0 - 10.5, "posY": 1.0, "posZ": 6.0 - row * 4.0, "rotY": 180.0, "rotZ": 0.0}
        return thing | {"Transform": place | {"rotX": 0.0, "scaleX": scale, "scaleY": 1.0, "scaleZ": scale}}

    def _face(self, face: DisplayList, name: str) -> bytes:
        return face_bytes(face, self.maker.fonts, name, "png", False, self.options.dpi)

    def _grid(self, faces: list[DisplayList], columns: int, rows: int) -> bytes:
        """The faces side by side as one picture, not larger than every machine can load."""
        w, h = faces[0].w, faces[0].h
        placed = tuple(
            Placement(face=str(n), x=(n % columns) * w, y=(n // columns) * h, w=w, h=h) for n in range(len(faces))
        )
        box = Box(0, 0, columns * w, rows * h)
        sheet = Sheet(name="deck", title="", side="front", w=box.w, h=box.h, placements=placed, trim=box, bleed=box)
        drawing = write_svg(sheet, {str(n): face for n, face in enumerate(faces)}, fonts=self.maker.fonts)
        return write_png(drawing, min(self.options.dpi, MOST_PIXELS / max(box.w, box.h) * INCH))


def _object(kind: str, name: str, text: str, key: str) -> dict[str, Any]:
    """What every object of the tabletop has; its id is the same in every export."""
    mark = hashlib.sha256(key.encode()).hexdigest()[:6]
    return {"Name": kind, "Nickname": name, "Description": text, "GUID": mark}
