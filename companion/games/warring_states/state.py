"""The table of Warring States as a record. Field names and nesting are the position form that players and tests write."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from companion.engine.things.cards import discarded

Phase = Literal["setup", "event", "income", "trade", "taxes", "build", "war", "end", "over"]
Round = Literal["ally", "tactics", "clash", "casualties", "decide"]
Side = Literal["attacker", "defender"]
Face = Literal["intact", "razed"]


class Provinces(msgspec.Struct):
    """Province Tokens one player controls, by the side that lies up."""

    intact: int = 0
    razed: int = 0

    @property
    def total(self) -> int:
        return self.intact + self.razed


class Player(msgspec.Struct):
    """What one player has. `armies` and `generals` list everything in play, wherever it fights."""

    bu: int = 0
    """Coins, in Bu."""
    provinces: Provinces = msgspec.field(default_factory=Provinces)
    armies: int = 0
    generals: list[str] = msgspec.field(default_factory=list)
    """Generals in play, by short name."""
    resource_hand: int = 0
    """Resource cards in hand."""
    resource_known: dict[str, int] = msgspec.field(default_factory=dict)
    """Cards certainly in the hand, because the table said so; the rest of the hand is unknown."""
    battle_hand: int = 0
    """Battle cards in hand."""
    battle_known: list[str] = msgspec.field(default_factory=list)
    """Battle cards certainly in the hand, because the table said so."""
    attack_banned: bool = False
    """Under a ban: may not declare war until the end of the next war turn (WS-EVENT-11, -12)."""

    @property
    def has_unit(self) -> bool:
        return self.armies > 0 or bool(self.generals)


class Units(msgspec.Struct):
    """Generals by short name, and a number of armies."""

    generals: list[str] = msgspec.field(default_factory=list)
    armies: int = 0

    @property
    def count(self) -> int:
        return len(self.generals) + self.armies


class Aid(msgspec.Struct):
    """Units one player lends to a side of a war."""

    player: str
    side: Side
    generals: list[str] = msgspec.field(default_factory=list)
    armies: int = 0


class Campaign(msgspec.Struct):
    """One war against one opponent, from its declaration to its end."""

    attacker: str
    defender: str
    committed: Units = msgspec.field(default_factory=Units)
    """Units of the attacker that fight in this campaign."""
    allies: list[Aid] = msgspec.field(default_factory=list)
    recalled: list[str] = msgspec.field(default_factory=list)
    """Players who have called units home from this war."""
    spoken: list[str] = msgspec.field(default_factory=list)
    """Who has spoken in the Ally Segment."""
    battle: int = 1
    """Number of the battle, from 1."""
    round: Round = "ally"
    provincial_army: Face | None = None
    """Side of the Province Token that acts as Provincial Army in this battle."""
    just_filled: list[str] = msgspec.field(default_factory=list)
    """Who has filled his hand in this Tactics Round and may still redraw (WS-TACT-6)."""
    destiny: dict[str, str | None] = msgspec.field(default_factory=dict)
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
    def shown(self) -> bool:
        """True once the Destiny cards lie face up (an empty hand shows none)."""
        return bool(self.destiny) and any(card is not None for card in self.destiny.values())


class War(msgspec.Struct):
    """The War Phase: whose war turn it is, and what was done in it."""

    turn_of: str
    """Whose war turn it is."""
    done: list[str] = msgspec.field(default_factory=list)
    """Players whose war turn of this turn is over."""
    fought: list[str] = msgspec.field(default_factory=list)
    """Opponents on whom war has been waged in this war turn."""
    engaged: Units = msgspec.field(default_factory=Units)
    """Units tied to campaigns of this war turn that have ended (WS-WAR-10)."""
    campaign: Campaign | None = None
    """The war being fought, None between wars."""


class NamedDeck(msgspec.Struct):
    """The Event or the Battle deck, whose cards have different names."""

    draw: int = 0
    discard: list[str] = msgspec.field(default_factory=list)
    discard_unknown: int = 0


class ResourceDeck(msgspec.Struct):
    draw: int = 0
    discard: dict[str, int] = msgspec.field(default_factory=dict)
    discard_unknown: int = 0


class Decks(msgspec.Struct):
    event: NamedDeck = msgspec.field(default_factory=NamedDeck)
    resource: ResourceDeck = msgspec.field(default_factory=ResourceDeck)
    battle: NamedDeck = msgspec.field(default_factory=NamedDeck)


class Owed(msgspec.Struct):
    """A choice this turn's Event still waits for: `player` gives up, or takes from `target`, `n` of `what`."""

    player: str
    choice: Literal["lose_general", "steal"]
    what: str
    n: int = 1


class State(msgspec.Struct):
    """The whole table. `seats` lie clockwise."""

    seats: list[str] = msgspec.field(default_factory=list)
    turn: int = 1
    phase: Phase = "setup"
    active: str = ""
    """The active player of this turn."""
    event: str | None = None
    """This turn's Event, face up; None before it is turned over."""
    event_target: str | None = None
    """The rival named for it."""
    players: dict[str, Player] = msgspec.field(default_factory=dict)
    war: War | None = None
    decks: Decks = msgspec.field(default_factory=Decks)
    winner: str | None = None
    owed: list[Owed] = msgspec.field(default_factory=list)
    """Choices the Event still waits for."""
    drawn: list[str] = msgspec.field(default_factory=list)
    """Who has drawn in this Income Phase."""
    passed: list[str] = msgspec.field(default_factory=list)
    """Who has said in this Trade, Taxes or Build Phase that he is done."""
    cuts: dict[str, int] = msgspec.field(default_factory=dict)
    """Set-up: value cut by each player in the present round of cuts."""
    cutting: list[str] = msgspec.field(default_factory=list)
    """Set-up: who takes part in the present round of cuts."""


def clockwise(s: State, first: str) -> list[str]:
    """All seats clockwise, beginning with `first` (WS-TURN-2); as they lie while nobody is active yet."""
    i = s.seats.index(first) if first in s.seats else 0
    return s.seats[i:] + s.seats[:i]


def dump_state(s: State) -> dict[str, Any]:
    """The position form: every field, with the size of each discard pile beside it (read-only)."""
    form: dict[str, Any] = msgspec.to_builtins(s)
    for name, deck in (("resource", s.decks.resource), ("battle", s.decks.battle)):
        form["decks"][name]["discard_count"] = discarded(deck)
    return form
