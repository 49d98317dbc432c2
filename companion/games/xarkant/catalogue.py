"""Landscape tiles, prices and stocks as the rules see them: read from the resolved game."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, cast

from companion.engine.play.position import Position
from companion.engine.things.stores import left
from components.model import ResolvedGame

from .state import KINDS, State

At = Position[State]

CORNERS = ("nw", "ne", "se", "sw")
"""The quadrants of a tile clockwise: a quarter turn moves each one on."""
TURNS = (0, 90, 180, 270)


@dataclass(frozen=True, slots=True)
class Tile:
    """A landscape tile as printed: the types of its quadrants in the order of CORNERS, and which of them has the star."""

    id: str
    types: tuple[str, ...]
    star: int

    def turned(self, rot: int) -> tuple[tuple[str, ...], int]:
        """Types and place of the star after turning clockwise by `rot` degrees (XK-TILE-3)."""
        steps = rot // 90
        return tuple(self.types[(i - steps) % 4] for i in range(4)), (self.star + steps) % 4


@dataclass(slots=True)
class Catalogue:
    tiles: dict[str, Tile] = field(default_factory=dict)
    colours: list[str] = field(default_factory=list)
    """Player colours that are printed; the players have them in this order where seats are not colours."""
    state_board_gain: dict[str, dict[str, Any]] = field(default_factory=dict)
    """Verb -> arguments: what the State Board says a workshop placed there gives."""


def read_catalogue(game: ResolvedGame) -> Catalogue:
    found = Catalogue(colours=list(game.seats or ()))
    for piece in game.pieces:
        if piece.set == "landscape" and piece.copies:
            types = tuple(str(piece.fields[corner]) for corner in CORNERS)
            found.tiles[piece.id] = Tile(piece.id, types, CORNERS.index(str(piece.fields["star"])))
        elif piece.set == "state-board":
            found.state_board_gain = {e.verb: e.args for e in piece.effect}
    return found


def cat(at: At) -> Catalogue:
    """The catalogue of the game being played."""
    return cast(Catalogue, at.rules.catalogue)  # type: ignore[attr-defined]


def yields(at: At, terrain: str) -> str:
    """The resource of a type of quadrant (XK-GAME-3, XK-COLLECT-7)."""
    matching = at.on("XK-GAME-3") and at.on("XK-COLLECT-7")
    return str(at[f"types.{terrain}.resource"]) if matching else KINDS[0]


def type_name(at: At, terrain: str) -> str:
    """`field`, `forest`, `quarry`."""
    return str(at[f"types.{terrain}.name"])


def supply(at: At) -> dict[str, int]:
    """Resource tokens in the supply (XK-PREP-4)."""
    if not at.on("XK-PREP-4"):
        return dict.fromkeys(KINDS, 0)
    return left(at["token_supply"], (p.stored() for p in at.state.player.values()))


def popularity_supply(at: At) -> int:
    """Popularity tokens in the supply (XK-PREP-4)."""
    if not at.on("XK-PREP-4"):
        return 0
    players = at.state.player.values()
    return int(at["popularity.tokens_per_player"] * len(players) - sum(p.popularity for p in players))


def slots_open(at: At) -> int:
    """Workshop slots of the State Board that this number of players may use (XK-STATE-2, XK-PREP-6)."""
    per_player: int = at["state.workshop_slots_per_player"]
    most = len(at["state.workshop_extra"])
    limited = at.on("XK-STATE-2") and at.on("XK-PREP-6")
    return min(per_player * len(at.state.players), most) if limited else most


def track_open(at: At) -> int:
    """Slots of each Church Board track that this number of players may use (XK-CHURCH-10, XK-PREP-6)."""
    by_players = {int(n): int(slots) for n, slots in at["church_board.slots_per_track"].items()}
    most = max(by_players.values())
    limited = at.on("XK-CHURCH-10") and at.on("XK-PREP-6")
    return by_players.get(len(at.state.players), most) if limited else most


def left_of(at: At, player: str) -> str:
    """The next player clockwise (XK-GAME-5)."""
    players = at.state.players
    step = 1 if at.on("XK-GAME-5") else -1
    return players[(players.index(player) + step) % len(players)]


def clockwise_from(at: At, player: str) -> list[str]:
    """Every player once, the one to the left of `player` first and `player` last."""
    found = [left_of(at, player)]
    while found[-1] != player:
        found.append(left_of(at, found[-1]))
    return found


def either(options: Iterable[object]) -> str:
    """`1, 3 or 5`."""
    said = list(map(str, options))
    return " or ".join([", ".join(said[:-1]), said[-1]] if len(said) > 1 else said)


def spell(goods: Mapping[str, int]) -> str:
    """`1 wheat and 2 wood`."""
    said = [f"{n} {kind}" for kind, n in goods.items() if n]
    return " and ".join([", ".join(said[:-1]), said[-1]] if len(said) > 1 else said) or "nothing"
