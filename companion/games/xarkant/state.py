"""The table of Xarkant as a record. Field names and nesting are the position form that players and tests write."""

# No `from __future__ import annotations`: msgspec reads them whenever a command begins, and texts take it long.

from typing import Annotated, Literal

import msgspec

from companion.engine.things.stores import Counts
from companion.rules import Each, Named, Number, Once, Seated

KINDS: tuple[str, str, str] = ("wheat", "wood", "stone")
"""The resources, in the order in which they are named."""
TYPES: tuple[str, str, str] = ("F", "W", "Q")
"""The types of quadrants: field, forest (woods), quarry."""
EMPTY = "."
"""A quadrant of `terrain` on which no tile lies yet."""

Phase = Literal["setup", "draw", "act", "cleanup", "end"]
PieceKind = Literal["work", "claim", "workshop", "church", "village", "town"]
Reason = Literal["claims", "villages", "idle"]

SeatName = Annotated[str, Seated()]
Quadrant = Annotated[str, Named("quadrant")]
CellNumber = Annotated[str, Named("cell")]
Track = Annotated[str, Named("track")]

DISCS = ("work", "claim")
SETTLEMENTS = ("village", "town")


class Piece(msgspec.Struct, omit_defaults=True):
    """A piece on a quadrant; `owner` of a town is the owner of its church."""

    kind: PieceKind
    owner: SeatName | None = None

    def __str__(self) -> str:
        """`a workshop of ana`, `a work disc of bo`, `a village`."""
        what = f"{self.kind} disc" if self.kind in DISCS else self.kind
        return f"a {what} of {self.owner}" if self.owner else f"a {what}"


class Player(msgspec.Struct, Counts):
    """A player board: what is stored on it, and the pieces that still stand on it."""

    wheat: Annotated[int, Number(most="storage.capacity.wheat")] = 0
    wood: Annotated[int, Number(most="storage.capacity.wood")] = 0
    stone: Annotated[int, Number(most="storage.capacity.stone")] = 0
    popularity: Annotated[int, Number(most="popularity.max")] = 0
    workshops: int = 0
    churches: int = 0

    def stored(self) -> dict[str, int]:
        return {"wheat": self.wheat, "wood": self.wood, "stone": self.stone}


class StateBoard(msgspec.Struct):
    villages: int = 0
    workshops: list[SeatName] = msgspec.field(default_factory=list)
    """Owners, from the left."""


class Laid(msgspec.Struct):
    """The tile of a cell and how it was turned."""

    tile: Annotated[str, Named("landscape", "tile")]
    rot: int = 0


class State(msgspec.Struct):
    players: Annotated[list[str], Once()] = msgspec.field(default_factory=list)
    """Clockwise."""
    round: Annotated[int, Number(1)] = 1
    phase: Phase = "setup"
    drawer: SeatName | None = None
    bag: Annotated[dict[SeatName, int], Each()] = msgspec.field(default_factory=dict)
    drawn: Annotated[dict[SeatName, int], Each()] = msgspec.field(default_factory=dict)
    """Drawn in this phase, not spent yet."""
    aside: Annotated[dict[SeatName, int], Each()] = msgspec.field(default_factory=dict)
    """Drawn earlier in this round, not spent."""
    queue: list[SeatName] = msgspec.field(default_factory=list)
    """The players who still have to act in this phase, the active player first."""
    active: SeatName | None = None
    terrain: list[str] = msgspec.field(default_factory=list)
    """Rows from the north; F, W, Q, and `.` where no tile lies yet."""
    tiles: dict[CellNumber, Laid] = msgspec.field(default_factory=dict)
    """Cell -> tile, as far as they were told."""
    pieces: dict[Quadrant, Piece] = msgspec.field(default_factory=dict)
    player: Annotated[dict[SeatName, Player], Each()] = msgspec.field(default_factory=dict)
    state_board: StateBoard = msgspec.field(default_factory=StateBoard)
    church_board: Annotated[dict[Track, list[SeatName]], Each()] = msgspec.field(
        default_factory=lambda: {kind: [] for kind in KINDS}
    )
    """Track -> owners, from the left."""
    progress: bool = False
    """A claim, workshop, church or village was placed in this round."""
    idle_rounds: int = 0
    """Finished rounds in a row without progress."""
    end_reason: Reason | None = None

    def on_land(self, player: str, *kinds: str) -> int:
        """The number of a player's pieces of these kinds on the land."""
        return sum(p.kind in kinds and p.owner == player for p in self.pieces.values())

    def discs(self, player: str) -> int:
        """Every disc of a player, wherever it is."""
        elsewhere = sum(place.get(player, 0) for place in (self.bag, self.drawn, self.aside))
        return elsewhere + self.on_land(player, *DISCS)

    def workshops_in_play(self, player: str, *, land_only: bool = False) -> int:
        return self.on_land(player, "workshop") + (0 if land_only else self.state_board.workshops.count(player))

    def churches_in_play(self, player: str, *, land_only: bool = False) -> int:
        on_board = sum(row.count(player) for row in self.church_board.values())
        return self.on_land(player, "church", "town") + (0 if land_only else on_board)

    @property
    def settlements(self) -> int:
        """Villages and towns on the land."""
        return sum(p.kind in SETTLEMENTS for p in self.pieces.values())

    def clockwise_from(self, player: str) -> list[str]:
        """Every player once, the one to the left of `player` first and `player` last (XK-GAME-5)."""
        after = self.players.index(player) + 1
        return self.players[after:] + self.players[:after]

    def act_order(self) -> list[str]:
        """Players with a drawn disc, from the drawer's left (XK-TURN-2); each once, whatever was drawn (XK-TURN-9)."""
        return [p for p in self.clockwise_from(self.drawer) if self.drawn.get(p)] if self.drawer else []
