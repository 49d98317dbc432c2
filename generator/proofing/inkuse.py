"""The ink that the faces of a game take."""

from __future__ import annotations

import msgspec

from components.model import ResolvedGame
from generator.faces.display import DisplayList, face_hash
from generator.faces.facemaker import FaceMaker


class InkUse(msgspec.Struct, frozen=True, kw_only=True):
    """The mean sum of cyan, magenta, yellow and black in per cent of the fronts and of the backs of a set, each copy
    counted (`back` None: it has none), and of its worst face, `most`, that of `piece`."""

    set: str
    title: str
    copies: int
    front: float
    back: float | None
    most: float
    piece: str


def ink_use(game: ResolvedGame, maker: FaceMaker) -> list[InkUse]:
    """The ink of each set that is printed. Raises FaceError."""
    from generator.proofing.pictures import draw, ink

    faces: dict[str, DisplayList] = {}

    def key(face: DisplayList | None) -> str:
        if face is None:
            return ""
        faces[name := face_hash(face)] = face
        return name

    sides = [(piece, key(maker.front(piece)), key(maker.back(piece))) for piece in game.pieces if piece.copies]
    taken = {name: ink(picture) for name, picture in draw(faces, maker.fonts).items()}
    found: list[InkUse] = []
    for name in dict.fromkeys(piece.set for piece, _, _ in sides):
        own = [(piece, front, back) for piece, front, back in sides if piece.set == name]
        copies = sum(piece.copies for piece, _, _ in own)
        backs = [(piece.copies, taken[back]) for piece, _, back in own if back]
        worst, piece = max((taken[face], piece.id) for piece, *both in own for face in both if face)
        found.append(
            InkUse(
                set=name,
                title=own[0][0].set_title,
                copies=copies,
                front=sum(piece.copies * taken[front] for piece, front, _ in own) / copies,
                back=sum(n * value for n, value in backs) / sum(n for n, _ in backs) if backs else None,
                most=worst,
                piece=piece,
            )
        )
    return found
