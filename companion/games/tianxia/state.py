"""The table of Tianxia as a record. Field names and nesting are the position form that players and tests write."""

# No `from __future__ import annotations`: msgspec reads them whenever a command begins, and texts take it long.

from collections.abc import Iterator
from typing import Annotated, Any, Literal

import msgspec

from companion.engine.play.declared import Mark
from companion.engine.things.stores import Counts
from companion.rules import Each, Fault, Named, Number, Once, Seated

GREY = "grey"
"""Whose a neutral worker on a barge is."""
WAVE = "wave"
"""The place in the harbour that belongs to no port."""


class Aboard(Mark):
    """The text is a seat, or says that the worker is a neutral one."""

    late = True

    def faults(self, value: Any, path: tuple[Any, ...], at: Any) -> Iterator[Fault]:
        if value != GREY:
            yield from Seated().faults(value, path, at)

    def words(self) -> str:
        return f"seat or `{GREY}`"


SeatName = Annotated[str, Seated()]
ObjectiveName = Annotated[str, Named("objective", "objective card")]
TileName = Annotated[str, Named("tile", "bonus tile")]
Row = list[SeatName | None]
Phase = Literal["prepare", "setup", "income", "action", "attack", "end"]


class Player(msgspec.Struct, Counts):
    """The things on and beside a player board."""

    coin: int = 0
    rice: int = 0
    wood: int = 0
    stone: int = 0
    salt: int = 0
    silk: int = 0
    lacquer: int = 0
    vp: Annotated[int, Number(None)] = 0
    workers: int = 0
    """In the player's supply."""
    markers: int = 0
    """Not placed yet in this round."""
    discarded_markers: int = 0
    """Discarded in this round."""
    walls_built: int = 0
    towers_built: int = 0
    ship_markers: int = 0
    """Still on the estate."""
    crates: int = 0
    """Still in the supply."""
    delivered: int = 0
    tracks: Annotated[
        dict[Annotated[str, Named("palace", "track")], Annotated[int, Number(most="palace.top_step")]], Each()
    ] = msgspec.field(default_factory=dict)
    figurines: Annotated[list[Annotated[str, Named("figurine")]], Once()] = msgspec.field(default_factory=list)
    tiles: list[Annotated[str, Named("one-time", "one-time tile")]] = msgspec.field(default_factory=list)
    """One-time tiles that were not used yet."""
    used_tiles: int = 0
    objectives: int = 0
    """Cards in hand."""
    merchants: Annotated[dict[Annotated[str, Named("merchants", "merchant row")], int], Each()] = msgspec.field(
        default_factory=dict
    )


class Space(msgspec.Struct):
    """A round space for action markers, the lowest first."""

    discs: list[SeatName] = msgspec.field(default_factory=list)


class Site(msgspec.Struct):
    """A building."""

    governors: Row = msgspec.field(default_factory=list)
    cost_tokens: int = 0
    bonus: TileName | None = None


class Section(msgspec.Struct):
    """A section of the wall; rows from the left."""

    walls: Row = msgspec.field(default_factory=list)
    towers: Row = msgspec.field(default_factory=list)
    soldiers: Row = msgspec.field(default_factory=list)
    defence: int = 0


class Nomad(msgspec.Struct):
    march: Annotated[int, Number(most="nomad.march.top")] = 0
    strength: int = 0


class Harbour(msgspec.Struct):
    """A place for a ship: a port, or the wave space, which has neither demand nor shipping markers."""

    demand: Annotated[str, Named("demand", "good in demand")] | None = None
    ship: Annotated[str, Named("ship")] | None = None
    crates: dict[int, SeatName] = msgspec.field(default_factory=dict)
    """Bonus space -> owner."""
    markers: list[SeatName] = msgspec.field(default_factory=list)


class State(msgspec.Struct):
    players: Annotated[list[str], Once()] = msgspec.field(default_factory=list)
    round: Annotated[int, Number(1, most="rounds")] = 1
    phase: Phase = "prepare"
    turn_order: Annotated[list[SeatName], Once()] = msgspec.field(default_factory=list)
    next_order: Annotated[list[SeatName], Once()] = msgspec.field(default_factory=list)
    """The players who have passed, in this order."""
    active: SeatName | None = None
    """Whose turn it is; None in the action phase: not said, and whoever acts first is."""
    neutral_workers: int = 0
    attack_card: Annotated[str, Named("attack", "attack card")] | None = None
    """The card of this round, once it is revealed."""
    round_tiles: list[TileName] = msgspec.field(default_factory=list)
    tiles_laid: bool = False
    """The tiles of this round have been laid out."""
    player: Annotated[dict[SeatName, Player], Each()] = msgspec.field(default_factory=dict)
    regions: Annotated[dict[Annotated[str, Named("region")], Space], Each()] = msgspec.field(default_factory=dict)
    military: Annotated[dict[Annotated[str, Named("military", "marker space")], Space], Each()] = msgspec.field(
        default_factory=dict
    )
    barges: Annotated[dict[Annotated[str, Named("barge")], list[Annotated[str, Aboard()]]], Each()] = msgspec.field(
        default_factory=dict
    )
    buildings: Annotated[dict[Annotated[str, Named("building")], Site], Each()] = msgspec.field(default_factory=dict)
    sections: Annotated[dict[Annotated[str, Named("lane")], Section], Each()] = msgspec.field(default_factory=dict)
    nomads: Annotated[dict[Annotated[str, Named("lane")], Nomad], Each()] = msgspec.field(default_factory=dict)
    ports: Annotated[dict[Annotated[str, Named("place", "port")], Harbour], Each()] = msgspec.field(
        default_factory=dict
    )
    discarded_ships: list[Annotated[str, Named("ship")]] = msgspec.field(default_factory=list)
    discarded_objectives: list[ObjectiveName] = msgspec.field(default_factory=list)
    """Shown and not shuffled in again."""
    box: dict[TileName, int] = msgspec.field(default_factory=dict)
    """Bonus tiles returned to the box."""
    face_down: dict[TileName, int] = msgspec.field(default_factory=dict)
    """Used one-time tiles, as far as it is known which they are."""
    scored: dict[SeatName, list[ObjectiveName]] = msgspec.field(default_factory=dict)
    """Objective cards shown at the end."""
    untold_hands: list[SeatName] = msgspec.field(default_factory=list)
    """Players the number of whose objective cards was never said."""
    this_turn: list[str] = msgspec.field(default_factory=list)
    """The permissions of tiles until the turn ends."""
    used_up: Annotated[dict[SeatName, list[str]], Each()] = msgspec.field(default_factory=dict)
    """Player -> effects that work once in a turn and have worked."""

    def on_barges(self, who: str) -> int:
        return sum(barge.count(who) for barge in self.barges.values())

    def pieces(self, row: str, who: str) -> int:
        """Walls, towers or soldiers of a player in all sections."""
        return sum(getattr(section, row).count(who) for section in self.sections.values())

    def placed_markers(self, who: str) -> int:
        """Action markers of a player on the board."""
        return sum(space.discs.count(who) for space in (*self.regions.values(), *self.military.values()))

    def moored(self, who: str) -> int:
        """Shipping markers of a player in all ports."""
        return sum(port.markers.count(who) for port in self.ports.values())

    def crates_aboard(self, who: str) -> int:
        return sum(list(port.crates.values()).count(who) for port in self.ports.values())
