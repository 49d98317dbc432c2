"""Questions of a page about one face: its marks, the lines behind each, the boxes of its texts."""

from __future__ import annotations

from typing import Any

import msgspec

from components.learning import learnt
from components.loader import Definition, game_files, game_folder, load
from components.web.site import Asked, Refused
from generator.build.places import look_files
from generator.faces.display import DisplayList, ImageOp, PathOp, TextOp
from generator.faces.facemaker import FaceError
from generator.faces.kit import Origin
from generator.live.cards import Slot
from generator.live.desk import INKS, Desk
from generator.live.editors import NoEditor, open_editor
from generator.live.origins import with_origins
from generator.live.pictures import face_picture
from generator.live.sources import Behind, behind
from generator.live.states import State
from generator.proofing.extents import box_corners, placed

MOST_BOXES = 200
"""Cards whose text boxes are asked for at once."""


class Face(msgspec.Struct, frozen=True):
    """A face, as a page names it."""

    card: str
    side: str = "front"
    look: int = 0
    ink: str = "normal"
    n: int = 0


class Cards(msgspec.Struct, frozen=True):
    cards: list[str]
    ink: str = "normal"


class Place(msgspec.Struct, frozen=True):
    file: str
    line: int = 1
    column: int = 1


class Asking:
    """Answers questions about the faces on a desk."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self._definition: tuple[State, Definition] | None = None

    def marks(self, asked: Asked) -> Any:
        """A face whose marks have numbers, and what each is."""
        wish = form(asked.data, Face)
        with self.desk.lock:
            face, origins, state = self._face(wish)
            svg = face_picture(face, state.layouts.fonts, numbered=True)
        marks = [
            {"n": n, "kind": origins[id(op)].kind, "says": op.text if isinstance(op, TextOp) else ""}
            for n, op in enumerate(face.ops)
            if id(op) in origins
        ]
        return {"svg": svg, "marks": marks}

    def mark(self, asked: Asked) -> Behind:
        """The lines behind one mark."""
        wish = form(asked.data, Face)
        with self.desk.lock:
            face, origins, state = self._face(wish)
            op = face.ops[wish.n] if 0 <= wish.n < len(face.ops) else None
            origin = origins.get(id(op))
            if not isinstance(op, TextOp | PathOp | ImageOp) or origin is None:
                raise Refused("there is no such mark", 404)
            return behind(op, origin, state.pieces[wish.card], state, self._definition_of(state))

    def boxes(self, asked: Asked) -> Any:
        """Card -> side -> the corners of its text boxes, in mm."""
        wish = form(asked.data, Cards)
        found: dict[str, dict[str, list[Any]]] = {}
        for id_ in wish.cards[:MOST_BOXES]:
            for side in ("front", "back"):
                with self.desk.lock:
                    try:
                        face, origins, _ = self._face(Face(id_, side, 0, wish.ink))
                    except Refused:
                        continue
                    found.setdefault(id_, {})[side] = text_boxes(face, origins)
        return found

    def open(self, asked: Asked) -> Any:
        """Open an editor at a place of the project."""
        wish = form(asked.data, Place)
        places, game = self.desk.places, self.desk.id
        known = [*game_files(game_folder(game, places.project)), *look_files(places, game)]
        try:
            open_editor(wish.file, wish.line, wish.column, places.project, known)
        except NoEditor as error:
            raise Refused(str(error), 409) from None
        return {}

    def _face(self, wish: Face) -> tuple[DisplayList, dict[int, Origin], State]:
        state = self.desk.state
        if state is None or wish.card not in state.pieces or wish.ink not in INKS:
            raise Refused("there is no such card", 404)
        if wish.side == "back" and not state.pieces[wish.card].back:
            raise Refused("this card has no back", 404)
        try:
            face, origins = with_origins(state, Slot(wish.card, wish.side == "back", wish.look), wish.ink)
        except FaceError as error:
            raise Refused(error.problems[0].what, 409) from None
        return face, origins, state

    def _definition_of(self, state: State) -> Definition:
        if self._definition is None or self._definition[0] is not state:
            self._definition = state, load(self.desk.id, self.desk.places.project)
        return self._definition[1]


def text_boxes(face: DisplayList, origins: dict[int, Origin]) -> list[list[tuple[float, float]]]:
    """The corners of the boxes of texts, in order around each."""
    found: dict[Any, list[tuple[float, float]]] = {}
    for op, matrix in placed(face):
        origin = origins.get(id(op))
        if origin is not None and origin.box is not None and origin.kind in ("text", "column"):
            one, two, three, four = box_corners(origin.box, matrix)
            found[(origin.place, origin.box, matrix)] = [one, two, four, three]
    return list(found.values())


def form(data: Any, kind: type[Any]) -> Any:
    """The data from a page, as a record; numbers of a query are texts. Raises Refused."""
    try:
        return msgspec.convert(data, learnt(kind), strict=False)
    except msgspec.ValidationError as error:
        raise Refused(str(error)) from None
