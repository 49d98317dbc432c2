"""Free actions: steps that may stand anywhere in a turn (rules TX-FREE, TX-MERCH-3 to -6, TX-TILE-2 to -4, TX-OBJ-2)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated, Any, ClassVar, Literal

import msgspec

from companion.engine.play.moves import Breach, OneOf
from companion.engine.play.parts import UNSAID, Part

from . import domains
from .catalogue import At, cat, name_of
from .gains import gain
from .objectives import impossible
from .turns import NO_STACK, MarkerTurn

Choose = dict[str, Any]
Unset = msgspec.UnsetType
CITED = ("TX-FREE-1", "TX-FREE-5")
"""The rules on which every free action rests."""


class FreeMarker(Part, frozen=True):
    """Discard an unplaced action marker for coins."""

    words = ("discard marker", "free marker", "sell marker")
    free: Annotated[Literal["marker"] | Unset, OneOf("marker")] = UNSAID

    def forbidden(self, at: At) -> Iterator[Breach]:
        if not at.state.player[at.mover].markers:
            yield at.breach("TX-FREE-3", player=at.mover)

    def apply(self, at: At) -> None:
        p = at.state.player[at.mover]
        p.markers -= 1
        p.discarded_markers += 1
        at.note("TX-FREE-3.discard", player=at.mover, left=p.markers)
        at.kept(*CITED, "TX-FREE-4")
        gain(at, at.mover, {"coin": at["free.marker.coin"]}, "TX-FREE-3")


class FreeTile(Part, frozen=True):
    """Use a one-time tile."""

    words = ("use", "use tile", "free tile")
    asks: ClassVar[dict[str, str]] = {"tile": "TX-TILE-2.tile"}
    free: Annotated[Literal["tile"] | Unset, OneOf("tile")] = UNSAID
    tile: Annotated[str, domains.tile()] = ""
    choose: Choose = msgspec.field(default_factory=dict)

    def options(self, at: At, field: str) -> Iterable[Any] | None:
        own = list(dict.fromkeys(at.state.player[at.mover].tiles))
        return {"free": ("tile",), "tile": own}.get(field)

    def forbidden(self, at: At) -> Iterator[Breach]:
        if self.tile and self.tile not in at.state.player[at.mover].tiles:
            yield at.breach("TX-TILE-2.none", player=at.mover, tile=self.tile)
        placed = isinstance(at.turn, MarkerTurn) and at.turn.placed
        if self.tile and placed and NO_STACK in cat(at).effects.get(self.tile, {}).values():
            yield at.breach("TX-TILE-4.late", player=at.mover, tile=self.tile)

    def apply(self, at: At) -> None:
        p, down = at.state.player[at.mover], at.state.face_down
        if self.tile in p.tiles:  # with TX-TILE-2 off, it need not be
            p.tiles.remove(self.tile)
        p.used_tiles += 1
        down[self.tile] = down.get(self.tile, 0) + 1
        at.note("TX-TILE-3.use", player=at.mover, tile=self.tile)
        at.kept(*CITED, "TX-TILE-2")
        gain(at, at.mover, cat(at).effects[self.tile], "TX-TILE-2")


class FreeObjective(Part, frozen=True):
    """Discard an objective card for its top part."""

    words = ("discard", "discard objective", "free objective")
    asks: ClassVar[dict[str, str]] = {"card": "TX-OBJ-2.card"}
    free: Annotated[Literal["objective"] | Unset, OneOf("objective")] = UNSAID
    card: Annotated[str, domains.objective()] = ""
    choose: Choose = msgspec.field(default_factory=dict)

    def options(self, at: At, field: str) -> Iterable[Any] | None:
        return {"free": ("objective",), "card": list(cat(at).objectives)}.get(field)

    def forbidden(self, at: At) -> Iterator[Breach]:
        if not at.state.player[at.mover].objectives:
            yield at.breach("TX-OBJ-2.none", player=at.mover)
        if self.card:
            yield from impossible(at, at.mover, [self.card])

    def apply(self, at: At) -> None:
        at.state.player[at.mover].objectives -= 1
        at.state.discarded_objectives.append(self.card)
        at.kept(*CITED, "TX-OBJ-4")
        at.note("TX-OBJ-2.discard", player=at.mover, card=self.card, name=name_of(at, "objective", self.card))
        gain(at, at.mover, cat(at).objectives[self.card].top, "TX-OBJ-2")


class FreeMerchant(Part, frozen=True):
    """Empty a full merchant row for its gain."""

    words = ("empty", "empty merchant", "free merchant", "merchant")
    asks: ClassVar[dict[str, str]] = {"row": "TX-MERCH-3.row"}
    free: Annotated[Literal["merchant"] | Unset, OneOf("merchant")] = UNSAID
    row: Annotated[str, domains.row()] = ""
    choose: Choose = msgspec.field(default_factory=dict)

    def options(self, at: At, field: str) -> Iterable[Any] | None:
        return {"free": ("merchant",), "row": list(cat(at).merchants)}.get(field)

    def forbidden(self, at: At) -> Iterator[Breach]:
        if self.row:
            n, spots = at.state.player[at.mover].merchants[self.row], cat(at).merchants[self.row].spots
            if n < spots:
                yield at.breach("TX-MERCH-4", "TX-MERCH-3", player=at.mover, row=self.row, n=n, spots=spots)

    def apply(self, at: At) -> None:
        p, row = at.state.player[at.mover], cat(at).merchants[self.row]
        home = p.merchants[self.row]
        p.workers += home
        p.merchants[self.row] = 0
        at.kept(*CITED, "TX-MERCH-4")
        at.note("TX-MERCH-3.empty", player=at.mover, row=self.row, n=home)
        gain(at, at.mover, row.gain, "TX-MERCH-3")


class Recall(Part, frozen=True):
    """Call one merchant home, for nothing."""

    words = ("recall", "free recall")
    asks: ClassVar[dict[str, str]] = {"row": "TX-MERCH-5.row"}
    free: Annotated[Literal["recall"] | Unset, OneOf("recall")] = UNSAID
    row: Annotated[str, domains.row()] = ""

    def options(self, at: At, field: str) -> Iterable[Any] | None:
        return {"free": ("recall",), "row": list(cat(at).merchants)}.get(field)

    def forbidden(self, at: At) -> Iterator[Breach]:
        if self.row and not at.state.player[at.mover].merchants[self.row]:
            yield at.breach("TX-MERCH-6", player=at.mover, row=self.row)

    def apply(self, at: At) -> None:
        p = at.state.player[at.mover]
        p.merchants[self.row] -= 1
        p.workers += 1
        at.kept(*CITED, "TX-MERCH-6")
        at.note("TX-MERCH-5.recall", player=at.mover, row=self.row, workers=p.workers)


FREE = (FreeMarker, FreeTile, FreeObjective, FreeMerchant, Recall)
