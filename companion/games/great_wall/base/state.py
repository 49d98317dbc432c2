"""The table of The Great Wall as records. Field names and nesting are the position form that players and tests write.

The fields after `award` are the companion's own: how far a step has got. They default to nothing, and what a position
leaves open never forbids (`untold`).
"""

# No `from __future__ import annotations`: msgspec reads them whenever a command begins, and texts take it long.

from typing import Annotated, Literal

import msgspec

from companion.engine.play.declared import Most, Needed
from companion.rules import Each, Named, Number, Once, Seated, Secret, Task

SeatName = Annotated[str, Seated()]
Section = Annotated[str, Named("section")]
SECTIONS = ("L", "C", "R")
GOODS = ("wood", "stone", "gold")
RESOURCES = (*GOODS, "chi")
Good = Annotated[str, Named("good", "resource")]
Resource = Annotated[str, Named("resource")]
WOUND = "wound"
KHAN = "khan"
Spots = dict[str, str]
"""Vital spot -> `wound`, `plum.spearman`, or `plum.horseman#1` for a soldier that covers two spots."""
Location = Annotated[str, Named("location")]
Production = Annotated[str, Named("production", "production location")]
Unit = Annotated[str, Named("unit")]
Units = dict[Unit, int]
HordeName = Annotated[str, Named("horde", "horde card")]
CommandName = Annotated[str, Named("command", "command card")]
AdvisorName = Annotated[str, Named("advisor")]
Season = Literal["", "setup", "spring", "summer", "fall", "winter", "ended"]
"""Empty: a position did not say it."""
Trigger = Literal["walls", "shame", "time", "khan"]
TOWERS = ("T1", "T2", "T3", "T4")
Tower = Annotated[str, Named("tower")]
DragonPlace = Literal["east_end", "R", "C", "L", "west_end"]


Machines = Annotated[
    list[Annotated[str, Named("machine", "war machine")]], Once(), Most("machine.max_per_section", "war machines")
]


class HordeCard(msgspec.Struct):
    """A horde card in a section, with what covers its vital spots."""

    card: Annotated[
        HordeName, Needed("the card that lies there is not named", "write `card: H13`, or the id alone")
    ] = ""
    spots: Spots = {}


class Claimed(msgspec.Struct):
    card: Annotated[str, Named("claimable", "horde card"), Needed("the card is not named", "write `card: H13`")] = ""
    shame: bool = False


class Clerks(msgspec.Struct):
    supply: int = 0
    embassy: int = 0


class Uses(msgspec.Struct):
    """A player's uses so far in the location that is resolving. `clerks`: the clerks that have a use there; where a
    clerk does one thing only, those left."""

    clerks: int = 0
    recruits_done: int = 0
    builds_done: int = 0
    orders_done: int = 0
    donated: int = 0


class Player(msgspec.Struct):
    """A player's things, and that player's soldiers behind and on the wall."""

    honor: Annotated[int, Number(None)] = 0
    res: Annotated[dict[Resource, int], Each(), Secret()] = {}
    """Hidden behind the screen."""
    clerks: Clerks = msgspec.field(default_factory=Clerks)
    hand: Annotated[list[CommandName], Once()] = []
    discard: Annotated[list[CommandName], Once()] = []
    general: Annotated[str, Named("general")] | None = None
    active: Annotated[list[AdvisorName], Once(), Most("advisor.active_max", "active advisors")] = []
    support: Annotated[list[AdvisorName], Once(), Most("advisor.support_max", "supportive advisors")] = []
    tactics: int = 0
    """Number in hand; which cards they are is private."""
    overseers: Annotated[dict[Production, int], Each()] = {}
    supply: Units = {}
    """Clean soldiers in the supply."""
    shamed: Units = {}
    """Soldiers in the supply with a token."""
    rest: Annotated[dict[Section, Units], Each()] = {}
    wall: Annotated[dict[Section, Units], Each()] = {}
    claimed: list[Claimed] = []
    bannerman: Literal["supply", "L", "C", "R"] = "supply"
    walls_built: int = 0
    clerks_bought: int = 0
    claims_this_year: int = 0
    dragon_cards: list[Annotated[str, Named("dragon-card", "dragon card")]] = []
    used_this_year: list[str] = []
    saves_this_year: int = 0
    shots_done: Annotated[dict[Section, int], Each()] = {}
    used_this_activation: list[str] = []
    used_this_unit: list[str] = []


class HordeDeck(msgspec.Struct):
    count: int = 0
    top_mark: Section | None = None
    """The mark on the back of the top card, once somebody has said it."""


class TrackCard(msgspec.Struct):
    """A command card on the command track."""

    player: Annotated[SeatName, Needed("whose card lies there is not said", "write `player: pine`")] = ""
    card: CommandName = ""
    resolved: bool = False


class KhanCard(msgspec.Struct):
    spots: Spots = {}

    @property
    def card(self) -> str:
        """The name of the Khan's own card among horde and skill cards."""
        return KHAN


class Skill(msgspec.Struct):
    card: Annotated[
        str, Named("skill", "skill card"), Needed("the card that lies there is not named", "write `card: K01`")
    ] = ""
    spots: Spots = {}


class Khan(msgspec.Struct):
    section: Section | None = None
    card: KhanCard = msgspec.field(default_factory=KhanCard)
    skills: list[Skill] = []


class Beast(msgspec.Struct):
    level: Annotated[int, Number(1)] = 1
    at: Annotated[str, Named("place")] = ""
    """A location or a section."""


class BeastAction(msgspec.Struct, omit_defaults=True):
    upgrade: str = ""
    move: str = ""


class Rat(msgspec.Struct):
    at: Location | None = None
    card: Annotated[str, Named("rat-card", "Rat card")] | None = None


class Dragon(msgspec.Struct):
    at: DragonPlace = "east_end"
    card: Annotated[str, Named("dragon-card", "dragon card")] | None = None


class Pending(msgspec.Struct):
    """An open debt."""

    shame: dict[SeatName, int] = {}
    kill: list[str] = []
    """`pine.spearman`: chosen to be killed, and may still be saved."""


class State(msgspec.Struct):
    modules: Annotated[list[Annotated[str, Named("module")]], Once()] = []
    side: Literal["A", "B"] = "A"
    players: Annotated[list[Annotated[str, Named("clan")]], Once(), Most("players.max", "players")] = []
    """Clans in seating order."""
    year: Annotated[int, Number(1)] = 1
    season: Season = "setup"
    step: str = "setup"
    time_slot: int = 0
    tea: Annotated[list[SeatName], Once()] = []
    """The pile of tea markers from the top."""
    shame_pool: int = 0
    walls: Annotated[dict[Section, Annotated[int, Number(most="wall.max_level")]], Each()] = msgspec.field(
        default_factory=dict
    )
    barricades: Annotated[dict[Section, Annotated[int, Number(most="barricade.max_per_section")]], Each()] = {}
    breached: Annotated[dict[Section, bool], Each()] = {}
    warehouse: Annotated[dict[Good, int], Each()] = {}
    hordes: Annotated[dict[Section, Annotated[list[HordeCard], Most("grid.rows", "horde cards")]], Each()] = {}
    """In row order; row 1 is next to the wall."""
    horde_deck: HordeDeck = msgspec.field(default_factory=HordeDeck)
    horde_discard: list[HordeName] = []
    advisor_track: list[AdvisorName] = []
    advisor_deck_count: int = 0
    advisor_discard: list[AdvisorName] = []
    artifacts: Annotated[list[Annotated[str, Named("artifact")]], Once()] = []
    tactic_deck_count: int = 0
    tactic_discard: list[Annotated[str, Named("tactic")]] = []
    command_track: dict[int, TrackCard] = {}
    """Spot -> the card on it."""
    locations: Annotated[dict[Location, dict[SeatName, int]], Each()] = {}
    """Clerks."""
    end_trigger: Trigger | None = None
    active: SeatName | None = None
    """Owner of the command card that is resolving."""
    active_card: CommandName | None = None
    resolving: Location | None = None
    clerk_uses: dict[SeatName, Uses] = {}
    section: Section | None = None
    """The section being shot from or compared in Winter."""
    done: list[SeatName] = []
    """Players who have acted in this step."""
    played_this_unit: dict[SeatName, list[str]] = {}
    """Tactics."""
    beast_actions: list[BeastAction] = []
    unit_finished: str | None = None
    towers: Annotated[dict[Tower, Annotated[list[SeatName], Most("tower.capacity", "soldiers")]], Each()] = {}
    machines: Annotated[dict[Section, Machines], Each()] = {}
    khan: Khan = msgspec.field(default_factory=Khan)
    beasts: dict[Annotated[str, Named("beast")], Beast] = {}
    relic: Annotated[str, Named("relic")] | None = None
    rat: Rat = msgspec.field(default_factory=Rat)
    dragon: Dragon = msgspec.field(default_factory=Dragon)
    dragon_discard: list[Annotated[str, Named("dragon-card", "dragon card")]] = []
    award: SeatName | None = None
    player: Annotated[dict[SeatName, Player], Each()] = {}
    pending: Pending = msgspec.field(default_factory=Pending)
    """As written in positions; at the table the debts stand in `agenda`."""

    # --- the companion's own: how far a step has got -----------------------------------------------------------------
    part: str = ""
    """The part of a step that is running: `shots` of `winter.1`. "": the step has no parts, or it was not said."""
    untold: list[str] = []
    """The facts that the position left open, which therefore never forbid: `done`, `icon`, `tactics:pine`."""
    agenda: list[Task] = []
    """The debts, and the steps that wait until they are settled."""
    unit_tea: list[SeatName] = []
    """The tea order of the unit that is running, where the pile has changed since it began (GW-TEA-5)."""
    hordes_due: int = 0
    """Horde cards that are still to be revealed in this Spring."""
    horde_into: Section | None = None
    """The section they go to, where it is not their marks that say so."""
    spring_shame: bool = False
    """All nine spaces were full this Spring (GW-GRID-5)."""
    chosen: dict[SeatName, Annotated[str, Secret()]] = {}
    """Command cards chosen in secret: seat -> seal."""
    revealed: dict[SeatName, CommandName] = {}
    """Command cards revealed and not yet on the track."""
    icon: int = 0
    """The icon of the active card that is resolving, counted from 0."""
    queue: list[Location] = []
    """Locations that the running `activate` icon has still to resolve."""
    resolved: list[Location] = []
    """Locations that have resolved on the running card: their clerks are home."""
    order: list[SeatName] = []
    """Players who have still to act in what is running, in order."""
    advanced: list[Location] = []
    """Locations of the running icon that are activated without being full."""
    rest_later: bool = False
    """True if the active player still has to choose the order of further locations of the icon."""
    allowed: dict[SeatName, dict[str, int]] = {}
    """The actions that icons and tactics allow a player, and how often, until the unit is over: `{pine: {attack:
    2}}`."""
    effects_now: dict[str, list[str]] = {}
    """The targets of cards that work until the running unit is over (`chosen:T22: [H13]`), and the goods they save
    (`saved: [stone, wood]`)."""
    saved_in_breach: dict[SeatName, Units] = {}
    """Soldiers in the rest zone that were saved in the running breach (GW-SAVE-5)."""
    carriers_left: dict[SeatName, dict[str, int]] = {}
    """The possible carriers when tokens were owed that wait for the end of the unit: clan -> unit or card -> number."""
    skills_read: list[str] | None = None
    """The Khan's skills that work in the running breach (GW-GK-15)."""
    led: dict[SeatName, int] = {}
    """The number of soldiers that bannermen have led in this Winter, in a position that leaves the progress of the
    step open."""
    used_up: dict[str, list[str]] = {}
    """Span -> effects of pieces that belong to nobody, used up in it."""
    relic_pile: list[Annotated[str, Named("relic")]] = []
    """Relics below the top one."""
    rat_pile: list[Annotated[str, Named("rat-card", "Rat card")]] = []
    relic_deck: int = 0
    rat_deck: int = 0
    dragon_deck: int = 0
    scored: bool = False
    """Final scoring has been added."""

    def own(self, clan: str) -> Player:
        return self.player[clan]
