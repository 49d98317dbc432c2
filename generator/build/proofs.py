"""One face as a file of its own: to look at, or for a virtual tabletop."""

from __future__ import annotations

from typing import Literal

from components.model import ResolvedGame, ResolvedPiece
from generator.backends.png import write_png
from generator.backends.svg import face_svg
from generator.build.places import Places
from generator.build.project import read_layouts
from generator.faces.display import DisplayList
from generator.faces.fonts import FontBook
from generator.sheets.sheets import Box, Placement, Sheet, Side

Kind = Literal["png", "svg", "pdf"]


def find_piece(game: ResolvedGame, name: str) -> list[ResolvedPiece]:
    """The pieces that `name` may mean: `set/piece`, or the id of a piece."""
    return [piece for piece in game.pieces if name in (f"{piece.set}/{piece.id}", piece.id)]


def face_file(
    game: ResolvedGame, piece: ResolvedPiece, places: Places, side: Side, kind: Kind, ink: str, bleed: bool, dpi: int
) -> bytes | None:
    """One face as a PNG, SVG or PDF file, trimmed or with its `bleed`; None if the piece has no such side.

    Raises FaceError and LayoutError.
    """
    maker = read_layouts(game.id, places).faces(game, ink)
    face = maker.front(piece) if side == "front" else maker.back(piece)
    if face is None:
        return None
    title = f"{game.title}: {piece.name}, {side}{', low ink' * (ink == 'low')}"
    return face_bytes(face, maker.fonts, title, kind, bleed, dpi)


def face_bytes(face: DisplayList, fonts: FontBook, title: str, kind: Kind, bleed: bool, dpi: int) -> bytes:
    """A display list as a file."""
    if kind == "pdf":
        from generator.backends.pdf import write_pdf

        return write_pdf([one_face(face, title, bleed)], {"face": face}, fonts=fonts, title=title)
    drawing = face_svg(face, fonts, bleed)
    return drawing.encode() if kind == "svg" else write_png(drawing, dpi)


def one_face(face: DisplayList, title: str, bleed: bool) -> Sheet:
    """A sheet of the size of one face."""
    m = face.bleed if bleed else 0.0
    trim = Box(m, m, face.w, face.h)
    placed = Placement(face="face", x=m, y=m, w=face.w, h=face.h, bleed=(m, m, m, m))
    whole = trim.grown(m, m, m, m)
    return Sheet(
        name="proof", title=title, side="front", w=whole.w, h=whole.h, placements=(placed,), trim=trim, bleed=whole
    )
