"""Free actions: steps that may stand anywhere in a turn (rules TX-FREE, TX-MERCH-3 to -6, TX-TILE-2 to -4, TX-OBJ-2)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, ClassVar, Literal

from companion.rules import UNSAID, Breach, OneOf, Options, Part, Parts, PieceName

from .catalogue import At, cat, name_of
from .gains import gain
from .objectives import impossible
from .turns import NO_STACK, AnyTurn, MarkerTurn, Step, TileName, Unset, whose

CITED = ("TX-FREE-1", "TX-FREE-5")
"""The rules on which every free action rests."""


MARKERS = ("marker", "disc", "disk", "action marker", "action disc")
DISCARDING = ("discard", "sell", "turn", "drop", "give up", "turn in", "cash in", "throw away")


class Marker(OneOf):
    """A marker, with the coins that it brings; the last one, if it is."""

    def spoken(self, at: At) -> dict[str, Any]:
        n, p = at["free.marker.coin"], at.state.player.get(whose(at))
        said = [*MARKERS, *(f"last {marker}" for marker in MARKERS if p is not None and p.markers == 1)]
        brings = [f"{into} {n} coin" for into in ("for", "into")]
        return dict.fromkeys((*said, *brings, *(f"{marker} {into}" for marker in said for into in brings)), "marker")


class ObjectiveCard(PieceName):
    """An objective card, with what its top part brings: `Wall Warden for 2 stone`."""

    def spoken(self, at: At) -> dict[str, Any]:
        found = super().spoken(at)
        brings = ((card.name, card.id, gain) for card in cat(at).objectives.values() for gain in card.does.items())
        return {**found, **{f"{name} for {n} {kind}": id for name, id, (kind, n) in brings if isinstance(n, int)}}


class FullRow(PieceName):
    """A merchant row, with what emptying it brings: `the stall for 3 coins`."""

    def spoken(self, at: At) -> dict[str, Any]:
        rows = cat(at).merchants.items()
        brings = ((row, kind, n) for row, one in rows for kind, n in one.gain.items() if isinstance(n, int))
        return {**super().spoken(at), **{f"{row} for {n} {kind}": row for row, kind, n in brings}}


class FreeMarker(Part, frozen=True):
    """Discard an unplaced action marker for coins."""

    words = ("discard marker",)
    needing = DISCARDING
    free: Annotated[Literal["marker"] | Unset, Marker("marker")] = UNSAID

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


class FreeTile(Step, frozen=True):
    """Use a one-time tile."""

    words = ("use",)
    needing: ClassVar[tuple[str, ...]] = ("put", "place", "lay", "set", "send")
    asks: ClassVar[dict[str, str]] = {"tile": "TX-TILE-2.tile"}
    free: Annotated[Literal["tile"] | Unset, OneOf("tile")] = UNSAID
    tile: Annotated[str, TileName("tile")] = ""

    def does(self, at: At, what: str) -> bool:
        """True if the tile allows something for the rest of the turn."""
        return self.tile in cat(at).one_time and what in cat(at).one_time[self.tile].does.values()

    def tile_options(self, at: At) -> Options:
        return list(dict.fromkeys(at.state.player[at.mover].tiles))

    def forbidden(self, at: At) -> Iterator[Breach]:
        if self.tile and self.tile not in at.state.player[at.mover].tiles:
            yield at.breach("TX-TILE-2.none", player=at.mover, tile=self.tile)
        if self.does(at, NO_STACK) and isinstance(at.turn, MarkerTurn) and at.turn.placed:
            yield at.breach("TX-TILE-4.late", player=at.mover, tile=self.tile)

    def apply(self, at: At) -> None:
        p, down = at.state.player[at.mover], at.state.face_down
        if self.tile in p.tiles:  # with TX-TILE-2 off, it need not be
            p.tiles.remove(self.tile)
        p.used_tiles += 1
        down[self.tile] = down.get(self.tile, 0) + 1
        at.note("TX-TILE-3.use", player=at.mover, tile=self.tile)
        at.kept(*CITED, "TX-TILE-2")
        gain(at, at.mover, cat(at).one_time[self.tile].does, "TX-TILE-2")


class FreeObjective(Step, frozen=True):
    """Discard an objective card for its top part."""

    words = ("discard",)
    asks: ClassVar[dict[str, str]] = {"card": "TX-OBJ-2.card"}
    free: Annotated[Literal["objective"] | Unset, OneOf("objective")] = UNSAID
    card: Annotated[str, ObjectiveCard("objective", of=("objective", "card"), secret=True)] = ""

    def forbidden(self, at: At) -> Iterator[Breach]:
        if not at.state.player[at.mover].objectives:
            yield at.breach("TX-OBJ-2.none", player=at.mover)
        yield from impossible(at, at.mover, [self.card])

    def apply(self, at: At) -> None:
        at.state.player[at.mover].objectives -= 1
        at.state.discarded_objectives.append(self.card)
        at.kept(*CITED, "TX-OBJ-4")
        at.note("TX-OBJ-2.discard", player=at.mover, card=self.card, name=name_of(at, "objective", self.card))
        gain(at, at.mover, cat(at).objectives[self.card].does, "TX-OBJ-2")


class FreeMerchant(Step, frozen=True):
    """Empty a full merchant row for its gain."""

    words = ("empty",)
    asks: ClassVar[dict[str, str]] = {"row": "TX-MERCH-3.row"}
    free: Annotated[Literal["merchant"] | Unset, OneOf("merchant")] = UNSAID
    row: Annotated[str, FullRow("merchants", of=("row", "merchant"))] = ""

    def forbidden(self, at: At) -> Iterator[Breach]:
        row = cat(at).merchants.get(self.row)
        if row and (n := at.state.player[at.mover].merchants[self.row]) < row.spots:
            yield at.breach("TX-MERCH-4", "TX-MERCH-3", player=at.mover, row=self.row, n=n, spots=row.spots)

    def apply(self, at: At) -> None:
        p = at.state.player[at.mover]
        home, p.merchants[self.row] = p.merchants[self.row], 0
        p.workers += home
        at.kept(*CITED, "TX-MERCH-4")
        at.note("TX-MERCH-3.empty", player=at.mover, row=self.row, n=home)
        gain(at, at.mover, cat(at).merchants[self.row].gain, "TX-MERCH-3")


class Recall(Part, frozen=True):
    """Call one merchant home, for nothing."""

    words = ("recall",)
    asks: ClassVar[dict[str, str]] = {"row": "TX-MERCH-5.row"}
    free: Annotated[Literal["recall"] | Unset, OneOf("recall")] = UNSAID
    row: Annotated[str, PieceName("merchants", after=("from",), of=("row", "merchant", "worker"))] = ""

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


class FreeTurn(AnyTurn, frozen=True):
    """Free actions said by themselves: the turn to which they belong is still to come (TX-FREE-5)."""

    name = "free"
    words = ("free", "")
    sampled = True
    steps: Annotated[tuple[Any, ...], Parts(lead=FREE)] = ()

    @classmethod
    def candidates(cls, at: At) -> Iterator[FreeTurn]:
        """None: every other turn has them among its steps."""
        return iter(())

    def closing(self, at: At) -> Iterator[Breach]:
        if not self.steps:
            yield at.breach("TX-FREE-1", player=self.player)

    def end(self, at: At) -> None:
        """The turn goes on."""
