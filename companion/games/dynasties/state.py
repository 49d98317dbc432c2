"""The table of Dynasties as a record. Field names and nesting are the position form that players and tests write."""

# No `from __future__ import annotations`: msgspec reads them whenever a command begins, and texts take it long.

from typing import Annotated, Literal

import msgspec

from companion.engine.things.stores import Counts
from companion.rules import Each, Named, Number, Once, Seated, Secret

Colour = Literal["white", "black"]
COLOURS: tuple[Colour, Colour] = ("white", "black")
Phase = Literal["setup", "deploy", "order", "battles", "clean", "score", "over"]
SeatName = Annotated[str, Seated()]
ProvinceName = Annotated[str, Named("province")]
CardLabel = Annotated[str, Named("card")]
PlaceName = Annotated[str, Named("place")]
Sources = dict[PlaceName, int]
"""The sources of cubes: `reserve` or a province -> their number."""


def rival(colour: str) -> Colour:
    return "black" if colour == "white" else "white"


class Options(msgspec.Struct):
    deck: Literal["basic", "expert"] = "basic"
    warlords: bool = False


class WarlordCard(msgspec.Struct):
    """A player's Warlord: kept unseen (`held`), played (`used`); `armed`: declared for a province not yet resolved."""

    status: Literal["none", "held", "used"] = "none"
    card: Annotated[Annotated[str, Named("Warlord")] | None, Secret(unless="shown")] = None
    armed: ProvinceName | None = None

    @property
    def shown(self) -> bool:
        """True if the card lies open: it was played or declared."""
        return self.status == "used" or self.armed is not None


class Player(msgspec.Struct):
    reserve: int = 0
    set_aside: int = 0
    out: int = 0
    hand: int = 0
    hand_at_deploy: int = 0
    deck: int = 0
    removed: list[CardLabel] = msgspec.field(default_factory=list)
    shown: dict[ProvinceName, CardLabel] = msgspec.field(default_factory=dict)
    """This Dynasty: province -> label."""
    warlord: WarlordCard = msgspec.field(default_factory=WarlordCard)
    feigned: ProvinceName | None = None
    """Province in which a card counted as another this Dynasty and goes back to hand (DY-WL-10)."""


class Marks(msgspec.Struct, Counts):
    white: int = 0
    black: int = 0


class Province(msgspec.Struct, Counts):
    tile: list[int] = msgspec.field(default_factory=list)
    white: int = 0
    black: int = 0
    marks: Marks = msgspec.field(default_factory=Marks)
    resolved: bool = False


class Battle(msgspec.Struct):
    """The province being fought over, from the reveal on; kept after it is finished, until the next reveal."""

    province: ProvinceName
    mark_due: list[SeatName] = msgspec.field(default_factory=list)
    cost_due: dict[SeatName, int] = msgspec.field(default_factory=dict)
    idle_six: list[SeatName] = msgspec.field(default_factory=list)
    """The players who showed a 6 that may not be used here any more (DY-SIX-9)."""
    resolved: bool = False
    winner: SeatName | None = None
    to_place: int = 0
    marks_paid: dict[SeatName, PlaceName] = msgspec.field(default_factory=dict)
    costs_paid: dict[SeatName, Sources] = msgspec.field(default_factory=dict)
    placed: Sources = msgspec.field(default_factory=dict)
    finished: bool = False


class Paid(msgspec.Struct, frozen=True):
    """The payment of one province in a scoring."""

    colour: SeatName
    province: ProvinceName
    points: int


class Scoring(msgspec.Struct, frozen=True):
    """A scoring that has been made: of which Dynasty, where the pawn stood before, and who was paid."""

    dynasty: int
    pawn_before: Annotated[int, Number(None)]
    paid: list[Paid]


class State(msgspec.Struct):
    options: Options = msgspec.field(default_factory=Options)
    dynasty: Annotated[int, Number(1)] = 1
    phase: Phase = "setup"
    players: Annotated[dict[SeatName, Player], Each()] = msgspec.field(default_factory=dict)
    provinces: Annotated[dict[ProvinceName, Province], Each()] = msgspec.field(default_factory=dict)
    order: Annotated[list[ProvinceName], Once()] = msgspec.field(default_factory=list)
    last_chooser: SeatName | None = None
    counted: dict[SeatName, int] = msgspec.field(default_factory=dict)
    """Armies on the board when both players were ready (DY-ORDER-6), until the order is known."""
    pawn: Annotated[int, Number(None)] = 0
    winner: Literal["white", "black", "drawn"] | None = None
    ready: list[SeatName] = msgspec.field(default_factory=list)
    """The players who have laid their cards this Dynasty."""
    exchanged: list[SeatName] = msgspec.field(default_factory=list)
    """The players who have exchanged cards in this deployment."""
    drew: list[SeatName] = msgspec.field(default_factory=list)
    """The players who have drawn in this clean-up."""
    battle: Battle | None = None
    scored: int = 0
    """The last Dynasty that was scored."""
    last_scoring: Scoring | None = None

    @property
    def not_ready(self) -> list[str]:
        """The players who still have to lay their cards."""
        return [c for c in self.players if c not in self.ready]

    def board_total(self, colour: str) -> int:
        """Armies on the board; marks and the reserve do not count (DY-ARMY-5)."""
        return sum(p.of(colour) for p in self.provinces.values())

    def on_board(self, colour: str) -> int:
        """Cubes on the board, armies and marks."""
        return self.board_total(colour) + sum(p.marks.of(colour) for p in self.provinces.values())

    def to_come(self) -> list[str]:
        """Provinces not finished in this Dynasty, in their order (as printed where the order is not known)."""
        return [p for p in self.order or self.provinces if not self.provinces[p].resolved]

    @property
    def fighting(self) -> Battle | None:
        """The battle in progress, None between battles."""
        return self.battle if self.battle is not None and not self.battle.finished else None

    @property
    def fought(self) -> Battle:
        """The battle in progress, or else the last one; an empty one before the first."""
        return self.battle or Battle("")

    @property
    def going_on(self) -> Battle:
        """The battle in progress. LookupError: there is none."""
        if b := self.fighting:
            return b
        raise LookupError("battle")
