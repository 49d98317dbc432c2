"""The table of Xarkant as a record. Field names and nesting are the position form that players and tests write."""

from __future__ import annotations

from typing import Literal

import msgspec

KINDS: tuple[str, str, str] = ("wheat", "wood", "stone")
"""The resources, in the order in which they are named."""
TYPES: tuple[str, str, str] = ("F", "W", "Q")
"""The types of quadrants: field, forest (woods), quarry."""
EMPTY = "."
"""A quadrant of `terrain` on which no tile lies yet."""

Phase = Literal["setup", "draw", "act", "cleanup", "end"]
PieceKind = Literal["work", "claim", "workshop", "church", "village", "town"]
Reason = Literal["claims", "villages", "idle"]

DISCS = ("work", "claim")
SETTLEMENTS = ("village", "town")


class Piece(msgspec.Struct, omit_defaults=True):
    """What stands on a quadrant; `owner` of a town is the owner of its church."""

    kind: PieceKind
    owner: str | None = None

    def __str__(self) -> str:
        """`a workshop of ana`, `a work disc of bo`, `a village`."""
        what = f"{self.kind} disc" if self.kind in DISCS else self.kind
        return f"a {what} of {self.owner}" if self.owner else f"a {what}"


class Player(msgspec.Struct):
    """A player board: what is stored on it, and the pieces that still stand on it."""

    wheat: int = 0
    wood: int = 0
    stone: int = 0
    popularity: int = 0
    workshops: int = 0
    churches: int = 0

    def stored(self) -> dict[str, int]:
        return {"wheat": self.wheat, "wood": self.wood, "stone": self.stone}

    def of(self, kind: str) -> int:
        return int(getattr(self, kind))

    def add(self, kind: str, n: int) -> None:
        setattr(self, kind, self.of(kind) + n)


class StateBoard(msgspec.Struct):
    villages: int = 0
    workshops: list[str] = msgspec.field(default_factory=list)
    """Owners, from the left."""


class Laid(msgspec.Struct):
    """The tile of a cell and how it was turned."""

    tile: str
    rot: int = 0


def _tracks() -> dict[str, list[str]]:
    return {kind: [] for kind in KINDS}


class State(msgspec.Struct):
    players: list[str] = msgspec.field(default_factory=list)
    """Clockwise."""
    round: int = 1
    phase: Phase = "setup"
    drawer: str | None = None
    bag: dict[str, int] = msgspec.field(default_factory=dict)
    drawn: dict[str, int] = msgspec.field(default_factory=dict)
    """Drawn in this phase, not spent yet."""
    aside: dict[str, int] = msgspec.field(default_factory=dict)
    """Drawn earlier in this round, not spent."""
    queue: list[str] = msgspec.field(default_factory=list)
    """Who has still to act in this phase, the active player first."""
    active: str | None = None
    terrain: list[str] = msgspec.field(default_factory=list)
    """Rows from the north; F, W, Q, and `.` where no tile lies yet."""
    tiles: dict[str, Laid] = msgspec.field(default_factory=dict)
    """Cell -> tile, as far as they were told."""
    pieces: dict[str, Piece] = msgspec.field(default_factory=dict)
    player: dict[str, Player] = msgspec.field(default_factory=dict)
    state_board: StateBoard = msgspec.field(default_factory=StateBoard)
    church_board: dict[str, list[str]] = msgspec.field(default_factory=_tracks)
    """Track -> owners, from the left."""
    progress: bool = False
    """A claim, workshop, church or village was placed in this round."""
    idle_rounds: int = 0
    """Finished rounds in a row without progress."""
    end_reason: Reason | None = None

    def on_land(self, player: str, *kinds: str) -> int:
        """How many pieces of these kinds a player has on the land."""
        return sum(p.kind in kinds and p.owner == player for p in self.pieces.values())

    def discs(self, player: str) -> int:
        """Every disc of a player, wherever it is."""
        elsewhere = self.bag.get(player, 0) + self.drawn.get(player, 0) + self.aside.get(player, 0)
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

    def left_of(self, player: str) -> str:
        """The next player clockwise (XK-GAME-5)."""
        return self.players[(self.players.index(player) + 1) % len(self.players)]

    def clockwise_from(self, player: str) -> list[str]:
        """Every player once, the one to the left of `player` first and `player` last."""
        after = self.players.index(player) + 1
        return self.players[after:] + self.players[:after]

    def act_order(self) -> list[str]:
        """Players with a drawn disc, from the drawer's left (XK-TURN-2); each once, whatever was drawn (XK-TURN-9)."""
        return [p for p in self.clockwise_from(self.drawer) if self.drawn.get(p)] if self.drawer else []
