"""The page's data about each piece, and about each fault."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import msgspec

from components.errors import Problem
from components.model import ResolvedGame, ResolvedPiece
from generator.paper.formats import Format


class Slot(msgspec.Struct, frozen=True, array_like=True):
    """One drawn side of a piece: which look of the front, or the back."""

    id: str
    back: bool = False
    look: int = 0


class Card(msgspec.Struct, frozen=True):
    """A piece in the gallery. Lengths in mm; `fronts` and `back` are digests of faces, empty until they are drawn."""

    id: str
    name: str
    set: str
    deck: str
    kind: str
    format: str
    shape: str
    w: float
    h: float
    bleed: float
    safe: float
    corner: float
    copies: int
    text: str
    fronts: list[str]
    back: str
    has_back: bool
    stale: bool = False
    """True if the card shows its last good face, because the present files cannot be drawn."""


class Fault(msgspec.Struct, frozen=True):
    """A problem with its place, and the cards that show it. `boxes`: for a side of a card the corners of the place on
    it."""

    code: str
    what: str
    hint: str
    file: str
    line: int
    column: int
    excerpt: str
    cards: list[str] = []
    boxes: dict[str, list[tuple[float, float]]] = {}
    """`set/piece` and `set/piece|b` -> corners in mm."""


Parts = tuple[ResolvedPiece, Format, list[str], str, bool]
"""The sources of a card: piece, format, digests of fronts and back, whether it is stale."""


class Ink:
    """The cards in one ink."""

    def __init__(self) -> None:
        self.keys: dict[Slot, str] = {}
        """The key that each face should have by the present files."""
        self.good: dict[Slot, str] = {}
        """The keys of the faces shown."""
        self.shown: dict[Slot, str] = {}
        """Digests of the faces that are shown."""
        self.waiting: dict[str, list[Slot]] = {}
        """Faces to be drawn, by what they depend on."""
        self.of_card: dict[str, list[str]] = {}
        """The waiting faces of each card."""
        self.bad: dict[Slot, list[Problem]] = {}
        self.cards: dict[str, Card] = {}
        self.memo: dict[tuple[str, str, str], tuple[ResolvedPiece, str, str]] = {}
        """Keys of faces, kept from one reading to the next."""
        self.made: dict[str, Parts] = {}
        """The sources of each of `cards`."""


def name_of(piece: ResolvedPiece) -> str:
    return f"{piece.set}/{piece.id}"


def card(piece: ResolvedPiece, form: Format, fronts: list[str], back: str, stale: bool) -> Card:
    """The card of a piece."""
    return Card(
        id=name_of(piece),
        name=piece.name,
        set=piece.set,
        deck=piece.set_title,
        kind=piece.kind,
        format=form.title,
        shape=form.shape,
        w=form.w,
        h=form.h,
        bleed=form.bleed,
        safe=form.safe,
        corner=form.corner,
        copies=piece.copies,
        text=piece.text,
        fronts=fronts,
        back=back,
        has_back=bool(piece.back),
        stale=stale,
    )


def cards_of(
    ink: Ink, pieces: Mapping[str, ResolvedPiece], formats: Mapping[str, Format], stale: set[str]
) -> dict[str, Card]:
    """The cards as they are now; one that is made of the same as before is the same."""
    looks: dict[str, int] = {}
    for slot in ink.keys:
        if not slot.back:
            looks[slot.id] = max(looks.get(slot.id, 0), slot.look + 1)
    found: dict[str, Card] = {}
    made: dict[str, Parts] = {}
    for id_, piece in pieces.items():
        form = formats.get(piece.format)
        if form is not None:
            fronts = [ink.shown.get(Slot(id_, False, n), "") for n in range(looks.get(id_, 1))]
            made[id_] = parts = piece, form, fronts, ink.shown.get(Slot(id_, True), ""), id_ in stale
            known = ink.made.get(id_)
            same = known is not None and known[0] is piece and known[1] is form and known[2:] == parts[2:]
            found[id_] = ink.cards[id_] if same else card(*parts)
        elif id_ in ink.cards:  # a word mistyped, most likely: the last good face stays
            found[id_] = msgspec.structs.replace(ink.cards[id_], stale=True)
    ink.made = made
    return found


def fault(problem: Problem, cards: Iterable[str], boxes: Mapping[str, list[tuple[float, float]]]) -> Fault:
    """A problem as the page shows it."""
    return Fault(
        problem.code,
        problem.what,
        problem.hint,
        problem.file,
        problem.line,
        problem.column,
        problem.excerpt,
        list(cards),
        dict(boxes),
    )


def pieces_of(game: ResolvedGame) -> dict[str, ResolvedPiece]:
    return {name_of(piece): piece for piece in game.pieces}
