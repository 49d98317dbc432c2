"""Landscape tiles and player colours, read from the resolved game."""

from __future__ import annotations

from typing import cast

import msgspec

from companion.rules import Position
from components.model import ResolvedGame, ResolvedPiece

from .state import State

At = Position[State]

CORNERS = ("nw", "ne", "se", "sw")
"""The quadrants of a tile clockwise: a quarter turn moves each one on."""
TURNS = (0, 90, 180, 270)


class Tile(msgspec.Struct, frozen=True):
    """A landscape tile as printed: the types of its quadrants in the order of CORNERS, and which of them has the star."""

    id: str
    types: tuple[str, ...]
    star: int

    def turned(self, rot: int) -> tuple[tuple[str, ...], int]:
        """Types and place of the star after turning clockwise by `rot` degrees (XK-TILE-3)."""
        steps = rot // 90
        return tuple(self.types[(i - steps) % 4] for i in range(4)), (self.star + steps) % 4


class Catalogue(msgspec.Struct):
    tiles: dict[str, Tile] = {}
    colours: list[str] = []
    """Player colours that are printed; the players have them in this order where seats are not colours."""
    state_board: ResolvedPiece | None = None
    """Its effect is what a workshop placed there gives."""


def read_catalogue(game: ResolvedGame) -> Catalogue:
    found = Catalogue(colours=list(game.seats or ()))
    for piece in game.pieces:
        if piece.set == "landscape" and piece.copies:
            types = tuple(str(piece.fields[corner]) for corner in CORNERS)
            found.tiles[piece.id] = Tile(piece.id, types, CORNERS.index(str(piece.fields["star"])))
        elif piece.set == "state-board":
            found.state_board = piece
    return found


def cat(at: At) -> Catalogue:
    """The catalogue of the game being played."""
    return cast(Catalogue, at.rules.catalogue)  # type: ignore[attr-defined]
