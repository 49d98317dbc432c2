"""The table of Warring States as a record. Field names and nesting are the position form that players and tests write."""

# No `from __future__ import annotations`: msgspec reads them whenever a command begins, and texts take it long.

from typing import Annotated, Literal

import msgspec

from companion.engine.things.cards import Hand, Pile
from companion.rules import Each, Named, Number, Once, Seated, Secret

Phase = Literal["setup", "event", "income", "trade", "taxes", "build", "war", "end", "over"]
Round = Literal["ally", "tactics", "clash", "casualties", "decide"]
Side = Literal["attacker", "defender"]
Face = Literal["intact", "razed"]
StateName = Annotated[str, Named("state", "State")]
SeatName = Annotated[str, Named("state", "State"), Seated()]
GeneralName = Annotated[str, Named("general", "General")]
ResourceName = Annotated[str, Named("resource", "Resource card")]
BattleName = Annotated[str, Named("battle", "Battle card")]
EventName = Annotated[str, Named("event", "Event")]


class Provinces(msgspec.Struct):
    """Province Tokens one player controls, by the side that lies up."""

    intact: int = 0
    razed: int = 0

    @property
    def total(self) -> int:
        return self.intact + self.razed


class Player(msgspec.Struct):
    """One player's things. `armies` and `generals` list everything in play, wherever it fights."""

    bu: int = 0
    """Coins, in Bu."""
    provinces: Provinces = msgspec.field(default_factory=Provinces)
    armies: int = 0
    generals: list[GeneralName] = msgspec.field(default_factory=list)
    """Generals in play, by short name."""
    resource_hand: int = 0
    """Resource cards in hand."""
    resource_known: Annotated[dict[ResourceName, int], Secret()] = msgspec.field(default_factory=dict)
    """Cards certainly in the hand, because the table said so; the rest of the hand is unknown."""
    battle_hand: int = 0
    """Battle cards in hand."""
    battle_known: Annotated[list[BattleName], Secret()] = msgspec.field(default_factory=list)
    """Battle cards certainly in the hand, because the table said so."""
    attack_banned: bool = False
    """Under a ban: may not declare war until the end of the next war turn (WS-EVENT-11, -12)."""

    def held(self, deck: str) -> int:
        """Cards of a deck in hand."""
        return self.resource_hand if deck == "resource" else self.battle_hand

    def known(self, deck: str) -> Hand:
        """Those of them that are known."""
        return self.resource_known if deck == "resource" else self.battle_known

    @property
    def has_unit(self) -> bool:
        return self.armies > 0 or bool(self.generals)

    @property
    def has_nothing(self) -> bool:
        """Neither unit nor province: nothing to fight with, nothing to lose."""
        return not self.has_unit and not self.provinces.total


class Units(msgspec.Struct):
    """Generals by short name, and a number of armies."""

    generals: list[GeneralName] = msgspec.field(default_factory=list)
    armies: int = 0


class Aid(msgspec.Struct):
    """Units one player lends to a side of a war."""

    player: SeatName
    side: Side
    generals: list[GeneralName] = msgspec.field(default_factory=list)
    armies: int = 0


class Campaign(msgspec.Struct):
    """One war against one opponent, from its declaration to its end."""

    defender: SeatName
    attacker: SeatName = ""
    committed: Units = msgspec.field(default_factory=Units)
    """Units of the attacker that fight in this campaign."""
    allies: list[Aid] = msgspec.field(default_factory=list)
    recalled: list[SeatName] = msgspec.field(default_factory=list)
    """Players who have called units home from this war."""
    spoken: list[SeatName] = msgspec.field(default_factory=list)
    """The players who have spoken in the Ally Segment."""
    battle: Annotated[int, Number(1)] = 1
    """Number of the battle, from 1."""
    round: Round = "ally"
    provincial_army: Face | None = None
    """Side of the Province Token that acts as Provincial Army in this battle."""
    just_filled: list[SeatName] = msgspec.field(default_factory=list)
    """The players who have filled their hands in this Tactics Round and may still redraw (WS-TACT-6)."""
    destiny: dict[StateName, BattleName | None] = msgspec.field(default_factory=dict)
    """Destiny card of each belligerent while it lies on the table."""
    winner: Side | None = None
    """None until the winner of the battle is established."""
    losses: int = 0
    """Units the loser has already given up for this battle."""

    def side_of(self, player: str) -> Side | None:
        """The side on which `player` is a belligerent, None for anybody else."""
        return "attacker" if player == self.attacker else "defender" if player == self.defender else None

    def principal(self, side: Side) -> str:
        return self.attacker if side == "attacker" else self.defender

    @property
    def belligerents(self) -> tuple[str, str]:
        return self.attacker, self.defender

    @property
    def loser(self) -> str | None:
        """The player who lost the battle, None until that is established."""
        return None if self.winner is None else self.principal(self.losing)

    @property
    def losing(self) -> Side:
        """The side that lost the battle."""
        return "defender" if self.winner == "attacker" else "attacker"

    @property
    def conquered(self) -> bool:
        """True if the Provincial Army lost the battle: its token is the loss (WS-PROV-6)."""
        return self.winner == "attacker" and self.provincial_army is not None

    @property
    def put_up(self) -> Face | None:
        """Side of the token that lies there as Provincial Army, as long as nobody has taken it."""
        return None if self.conquered and self.round == "decide" else self.provincial_army

    @property
    def shown(self) -> bool:
        """True once the Destiny cards lie face up (an empty hand shows none)."""
        return any(card is not None for card in self.destiny.values())


class War(msgspec.Struct):
    """The War Phase: whose war turn it is, and what was done in it."""

    turn_of: SeatName = ""
    """Whose war turn it is."""
    done: list[SeatName] = msgspec.field(default_factory=list)
    """Players whose war turn of this turn is over."""
    fought: list[SeatName] = msgspec.field(default_factory=list)
    """Opponents on whom war has been waged in this war turn."""
    engaged: Units = msgspec.field(default_factory=Units)
    """Units tied to campaigns of this war turn that have ended (WS-WAR-10)."""
    campaign: Campaign | None = None
    """The war being fought, None between wars."""


class EventDeck(msgspec.Struct):
    draw: int = 0
    discard: list[EventName] = msgspec.field(default_factory=list)
    discard_unknown: int = 0


class ResourceDeck(msgspec.Struct):
    draw: int = 0
    discard: dict[ResourceName, int] = msgspec.field(default_factory=dict)
    discard_unknown: int = 0


class BattleDeck(msgspec.Struct):
    draw: int = 0
    discard: list[BattleName] = msgspec.field(default_factory=list)
    discard_unknown: int = 0


class Decks(msgspec.Struct):
    event: EventDeck = msgspec.field(default_factory=EventDeck)
    resource: ResourceDeck = msgspec.field(default_factory=ResourceDeck)
    battle: BattleDeck = msgspec.field(default_factory=BattleDeck)

    def piles(self) -> dict[str, Pile]:
        """The decks by name."""
        return {"event": self.event, "resource": self.resource, "battle": self.battle}


class Owed(msgspec.Struct):
    """A choice this turn's Event still waits for: `player` gives up, or takes from `target`, `n` of `what`."""

    player: SeatName
    choice: Literal["lose_general", "steal"]
    what: Literal["army", "general", "province"]
    n: Annotated[int, Number(1)] = 1


class State(msgspec.Struct):
    """The whole table. `seats` lie clockwise."""

    seats: Annotated[list[StateName], Once()] = msgspec.field(default_factory=list)
    turn: Annotated[int, Number(1)] = 1
    phase: Phase = "setup"
    active: SeatName = ""
    """The active player of this turn."""
    event: EventName | None = None
    """This turn's Event, face up; None before it is turned over."""
    event_target: SeatName | None = None
    """The rival named for it."""
    players: Annotated[dict[SeatName, Player], Each()] = msgspec.field(default_factory=dict)
    war: War | None = None
    decks: Decks = msgspec.field(default_factory=Decks)
    winner: SeatName | None = None
    owed: list[Owed] = msgspec.field(default_factory=list)
    """Choices the Event still waits for."""
    drawn: list[SeatName] = msgspec.field(default_factory=list)
    """The players who have drawn in this Income Phase."""
    passed: list[SeatName] = msgspec.field(default_factory=list)
    """The players who are done in this Trade, Taxes or Build Phase."""
    cuts: dict[SeatName, int] = msgspec.field(default_factory=dict)
    """Set-up: value cut by each player in the present round of cuts."""
    cutting: list[SeatName] = msgspec.field(default_factory=list)
    """Set-up: who takes part in the present round of cuts."""

    @property
    def campaign(self) -> Campaign | None:
        """The war being fought."""
        return self.war.campaign if self.war else None


def clockwise(s: State, first: str) -> list[str]:
    """All seats clockwise, beginning with `first` (WS-TURN-2); as they lie while nobody is active yet."""
    i = s.seats.index(first) if first in s.seats else 0
    return s.seats[i:] + s.seats[:i]
