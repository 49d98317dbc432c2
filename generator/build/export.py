"""A game for virtual tabletops, and as pictures: one PNG per face, or deck sheets for Tabletop Simulator."""

from __future__ import annotations

import csv
import hashlib
import io
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from components.files import write_whole
from components.model import ResolvedGame, ResolvedPiece
from generator.build.drawing import draw
from generator.build.facecache import load_face
from generator.build.facepictures import Picture, dpi_within, write_pictures
from generator.build.incremental import program_digest
from generator.build.options import Job, Options, Tell
from generator.build.places import Places
from generator.build.project import read_layouts
from generator.paper.formats import Format

ACROSS, DOWN = 10, 7
MOST = ACROSS * DOWN - 1
"""Cards of one deck sheet; the last place of the grid is the card seen by those who may not look."""
MOST_PIXELS = 4096
"""Longest side of a deck sheet that every player's machine can load."""
SHAPES = {"rect": 0, "hex": 1, "circle": 2, "standee": 0}
"""Tabletop Simulator's numbers for the shapes of tiles."""


def to_images(game: ResolvedGame, options: Options, places: Places, tell: Tell, bleed: bool = False) -> list[Path]:
    """`images/<set>/<piece>-front.png` (and `-back.png`) for every piece, trimmed or with its `bleed`, and
    `images/quantities.csv`: which files make how many of which piece. Copies that differ have pictures of their own
    (`-front-2.png`); discs and hexes have transparent corners. Raises FaceError and LayoutError."""
    gallery = _Gallery(game, options, places)
    folder = options.out / game.id / "images"
    rows: list[tuple[ResolvedPiece, str, int]] = []
    for piece in game.pieces:
        shape = gallery.formats[piece.format].shape
        fronts, back = gallery.sides(piece)
        for n, face in enumerate(fronts):
            name = f"{piece.set}/{piece.id}-front{f'-{n + 1}' if n else ''}.png"
            gallery.wanted[folder / name] = Picture((face,), options.dpi, bleed, shape)
            rows.append((piece, name, (piece.copies + len(fronts) - 1 - n) // len(fronts)))
        if back:
            file = folder / piece.set / f"{piece.id}-back.png"
            gallery.wanted[file] = Picture((back,), options.dpi, bleed, shape)
    made = gallery.write(tell)
    table = folder / "quantities.csv"
    write_whole(table, _quantities(rows, gallery.formats, bleed, options.dpi).encode(), below=options.out)
    return [*made, table]


class _Gallery:
    """The faces of a game, drawn once, and the pictures that are wanted of them."""

    def __init__(self, game: ResolvedGame, options: Options, places: Places) -> None:
        self.options, self.places, self.game = options, places, game
        self.layouts = read_layouts(game.id, places)
        self.formats = self.layouts.formats
        job = Job(game=game, options=options, places=places, program=program_digest())
        self.drawn = draw(job, self.layouts, game.pieces, options.ink, lambda *_: None)
        self.wanted: dict[Path, Picture] = {}
        """The picture for each file."""

    def sides(self, piece: ResolvedPiece) -> tuple[list[str], str]:
        """The faces of a piece: its fronts (several if its copies differ) and its back, "" if it has none."""
        name = f"{piece.set}/{piece.id}"
        front, back = self.drawn.sides[name]
        return self.drawn.fronts.get(name, [front]), back

    def write(self, tell: Tell) -> list[Path]:
        """Write what is wanted and not there yet; all files that are."""
        used = {key for picture in self.wanted.values() for key in picture.faces}
        write_pictures(
            self.wanted,
            {key: load_face(self.drawn.faces[key]) for key in used},
            self.layouts.fonts,
            below=self.options.out,
            record=self.places.exported(self.game.id),
            jobs=self.options.jobs,
            tell=tell,
        )
        return list(self.wanted)


def _quantities(
    rows: Sequence[tuple[ResolvedPiece, str, int]], formats: Mapping[str, Format], bleed: bool, dpi: int
) -> str:
    """A table as print shops ask for it: the pictures of each piece, how many, its size when cut."""
    found = io.StringIO()
    table = csv.writer(found, lineterminator="\n")
    table.writerow(("set", "piece", "name", "quantity", "front", "back", "width mm", "height mm", "bleed mm", "dpi"))
    for piece, front, many in rows:
        fmt = formats[piece.format]
        back = f"{piece.set}/{piece.id}-back.png" if piece.back else ""
        size = f"{fmt.w:g}", f"{fmt.h:g}", f"{fmt.bleed if bleed else 0:g}"
        table.writerow((piece.set, piece.id, piece.name, many, front, back, *size, dpi))
    return found.getvalue()


def to_tts(game: ResolvedGame, options: Options, places: Places, tell: Tell) -> list[Path]:
    """A saved object for Tabletop Simulator and the pictures it names, in `tts/`; the saved object is the last file.

    Cards become decks, everything else stacks of tiles. Raises FaceError and LayoutError.
    """
    return _Table(game, options, places).write(tell)


class _Card(NamedTuple):
    """A card of a deck, in one of its looks: its faces, and how many there are."""

    piece: ResolvedPiece
    front: str
    back: str
    many: int


class _Table:
    """The saved object while it is put together."""

    def __init__(self, game: ResolvedGame, options: Options, places: Places) -> None:
        self.game = game
        self.options = options
        self.gallery = _Gallery(game, options, places)
        self.folder = options.out / game.id / "tts"
        self.objects: list[dict[str, Any]] = []

    def write(self, tell: Tell) -> list[Path]:
        decks: dict[tuple[str, str], list[ResolvedPiece]] = {}
        for piece in self.game.pieces:
            if piece.copies:
                decks.setdefault((piece.set, piece.format), []).append(piece)
        for (name, fmt), pieces in decks.items():
            if pieces[0].kind == "card" and self.gallery.formats[fmt].shape == "rect":
                cards = [
                    _Card(piece, front, self.gallery.sides(piece)[1] or front, many)
                    for piece in pieces
                    for front, many in self._fronts(piece)
                ]
                for start in range(0, len(cards), MOST):
                    number = start // MOST + 1
                    self._deck(name if len(cards) <= MOST else f"{name}-{number}", cards[start : start + MOST])
            else:
                for piece in pieces:
                    self._tile(piece, self.gallery.formats[fmt])
        made = self.gallery.write(tell)
        saved = {"SaveName": self.game.title, "ObjectStates": self.objects}
        file = self.folder / f"{self.game.id}.json"
        write_whole(file, msgspec.json.format(msgspec.json.encode(saved), indent=2) + b"\n", below=self.options.out)
        return [*made, file]

    def _fronts(self, piece: ResolvedPiece) -> list[tuple[str, int]]:
        """The fronts of a piece, and how many copies have which."""
        fronts, _ = self.gallery.sides(piece)
        many = [(piece.copies + len(fronts) - 1 - n) // len(fronts) for n in range(len(fronts))]
        return list(zip(fronts, many, strict=True))

    def _picture(self, name: str, picture: Picture) -> str:
        """Have a picture written; its address."""
        file = self.folder / name
        self.gallery.wanted[file] = picture
        return file.resolve().as_uri()

    def _deck(self, name: str, cards: list[_Card]) -> None:
        fronts, backs = [card.front for card in cards], [card.back for card in cards]
        unique = any(back != backs[0] for back in backs)
        columns = min(ACROSS, max(2, len(cards)))
        rows = min(DOWN, max(2, math.ceil((len(cards) + 1) / columns)))
        fmt = self.gallery.formats[cards[0].piece.format]
        dpi = dpi_within(self.options.dpi, MOST_PIXELS, max(columns * fmt.w, rows * fmt.h))

        def grid(faces: list[str]) -> Picture:
            return Picture(tuple(faces), dpi, columns=columns, rows=rows)

        number = len(self.objects) + 1
        sheet = {
            "FaceURL": self._picture(f"{name}-fronts.png", grid(fronts)),
            "BackURL": self._picture(f"{name}-backs.png", grid(backs))
            if unique
            else self._picture(f"{name}-back.png", Picture((backs[0],), self.options.dpi)),
            "NumWidth": columns,
            "NumHeight": rows,
            "BackIsHidden": True,
            "UniqueBack": unique,
        }
        copies = Counter[str]()
        held: list[dict[str, Any]] = []
        for place, card in enumerate(cards):
            piece = card.piece
            for _ in range(card.many):
                key = f"{piece.set}/{piece.id}"
                one = _object("Card", piece.name, piece.text, f"{key}/{copies[key]}")
                held.append(one | {"CardID": number * 100 + place, "CustomDeck": {str(number): sheet}})
                copies[key] += 1
        if len(held) == 1:
            self.objects.append(self._placed(held[0]))
            return
        deck = _object("DeckCustom", cards[0].piece.set_title, "", name)
        deck |= {"DeckIDs": [card["CardID"] for card in held], "CustomDeck": {str(number): sheet}}
        self.objects.append(self._placed(deck | {"ContainedObjects": held}))

    def _tile(self, piece: ResolvedPiece, fmt: Format) -> None:
        (front, *_), back = self.gallery.sides(piece)
        name = f"{piece.set}-{piece.id}"
        image = {
            "ImageURL": self._picture(f"{name}-front.png", Picture((front,), self.options.dpi)),
            "ImageSecondaryURL": self._picture(f"{name}-back.png", Picture((back or front,), self.options.dpi)),
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


def _object(kind: str, name: str, text: str, key: str) -> dict[str, Any]:
    """The common fields of a tabletop object; its id is the same in every export."""
    mark = hashlib.sha256(key.encode()).hexdigest()[:6]
    return {"Name": kind, "Nickname": name, "Description": text, "GUID": mark}
