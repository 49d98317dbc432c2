"""Elements and templates behind each mark of a face."""

from __future__ import annotations

from components.model import ResolvedPiece
from generator.faces.display import DisplayList, ImageOp, Matrix, Op, PathOp, TextOp
from generator.faces.facemaker import FaceMaker
from generator.faces.fonts import FontBook
from generator.faces.kit import Origin
from generator.faces.svgpath import numbers
from generator.live.cards import Slot
from generator.live.states import State
from generator.proofing.extents import Spot, box_corners, moved, text_corners

MOST = 20_000
"""Origins that are kept, of all faces that were asked for."""


def with_origins(state: State, slot: Slot, ink: str = "normal") -> tuple[DisplayList, dict[int, Origin]]:
    """The face of a slot, drawn anew, with the origin of each operation by its identity. Raises FaceError."""
    maker = _maker(state, ink)
    piece: ResolvedPiece = state.pieces[slot.id]
    face = maker.back(piece) if slot.back else maker.front(piece, slot.look)
    assert face is not None and maker.kit.origins is not None
    return face, maker.kit.origins


def _maker(state: State, ink: str) -> FaceMaker:
    name = f"{ink} with origins"
    found = state.makers.get(name)
    if found is None or len(found.kit.origins or ()) > MOST:
        found = state.layouts.faces(state.game, ink)
        found.kit.origins = {}
        state.makers[name] = found
    return found


def corners(op: Op, matrix: Matrix, fonts: FontBook) -> list[Spot]:
    """Points around what an operation draws, on the face."""
    if isinstance(op, TextOp):
        return text_corners(op, matrix, fonts)
    if isinstance(op, ImageOp):
        return box_corners((op.x, op.y, op.w, op.h), matrix)
    if isinstance(op, PathOp):
        values = numbers(op.d)
        return [moved(matrix, spot) for spot in zip(values[::2], values[1::2], strict=True)]
    return []
