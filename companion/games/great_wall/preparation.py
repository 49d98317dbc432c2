"""Setup: the board, artifacts, generals and advisors (rules GW-SET); what a module adds stands in `SETUP`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Annotated, Any

from companion.engine.play.moves import Breach, Move, OneOf, PieceName

from . import decks
from .catalogue import At, by_players, cat, name_of
from .reports import Report, TableReport
from .revealing import RevealNext
from .soldiers import units_of
from .state import GOODS, RESOURCES, SECTIONS, TOWERS, Clerks, Player
from .supplies import gain
from .year import next_step

SETUP: dict[str, Callable[[At], None]] = {}
"""Module -> what it changes when the game starts (a module's file adds its own)."""
READY: dict[str, Callable[[At], bool]] = {}
"""Module -> whether its own setup is done."""
ALL = ("base", "black_powder", "genghis_khan", "ancient_beasts", "rat", "iron_dragon", "emperors_award")


def new_player(at: At, clan: str) -> Player:
    """A player with all pieces of the clan in the supply (GW-SET-8, -9, -16, -17)."""
    return Player(
        clerks=Clerks(at["clerks.start"], at["clerks.embassy"]),
        hand=list(cat(at).commands),
        overseers=dict.fromkeys(cat(at).production, 0),
        supply={unit: cat(at).units[unit].copies for unit in units_of(at, clan)},
    )


def lay_out(at: At) -> None:
    """The board and the pieces of the players of the state."""
    s = at.state
    s.side = by_players(at, "board.face")
    s.tea = list(s.players)
    s.shame_pool = at["shame.pool_per_player"] * len(s.players)
    s.walls = dict.fromkeys(SECTIONS, 0)
    s.barricades = dict.fromkeys(SECTIONS, int(at["barricade.setup_per_section"]))
    s.locations = {location: {} for location in cat(at).locations}
    s.warehouse = dict.fromkeys(GOODS, 0)
    s.towers = {tower: [] for tower in TOWERS}
    s.player = {clan: new_player(at, clan) for clan in s.players}
    for deck in decks.DECKS.values():
        deck.change(s, len(decks.in_play(at, deck.set)) - deck.left(s))
    for module in s.modules:
        if module in SETUP:
            SETUP[module](at)


class StartGame(TableReport, frozen=True):
    """Seat the players and say which modules are in play."""

    words = ("start", "setup")
    example = "start pine bamboo plum with rat"
    elsewhere = "GW-GEN-1"
    players: Annotated[tuple[str, ...], PieceName("clan", many=True, loose=True)] = ()
    modules: Annotated[tuple[str, ...], OneOf(*ALL, many=True, lead=("with", "modules"))] = ()

    def options(self, at: At, field: str) -> Iterable[Any] | None:
        return None if self.players or field != "players" else [tuple(cat(at).clans[: at["players.min"]])]

    def forbidden(self, at: At) -> Iterator[Breach]:
        low, high = at["players.min"], at["players.max"]
        if at.state.players:
            yield at.breach("GW-GEN-1.seated", players=list(at.state.players))
            return
        if self.players and not low <= len(self.players) <= high:
            yield at.breach("GW-GEN-1.number", n=len(self.players), min=low, max=high)
        for clan, n in Counter(self.players).items():
            if clan not in cat(at).clans:
                yield at.breach("GW-GEN-1.clan", clan=clan, clans=cat(at).clans)
            elif n > 1:
                yield at.breach("GW-GEN-1.twice", clan=clan)
        for module in self.modules:
            if module not in at.rules.names("module"):
                yield at.breach("GW-GEN-2.module", module=module)

    def apply(self, at: At) -> None:
        s = at.state
        chosen = self.modules or [module for module in ALL if at.params.get(f"play.{module}")]
        s.modules = [module for module in ALL if module == "base" or module in chosen]
        s.players = list(self.players)
        lay_out(at)
        at.note("GW-SET-1", side=s.side, players=list(s.players))
        at.note("GW-SET-3", n=s.shame_pool)
        if any(s.barricades.values()):
            at.note("GW-SET-7", n=at["barricade.setup_per_section"])
        at.kept("GW-GEN-2", "GW-SET-2", "GW-SET-8", "GW-SET-9", "GW-SET-14", "GW-SET-15", "GW-SET-16", "GW-SET-17")
        s.hordes_due = int(at["setup.first_row_cards"]) + int(by_players(at, "setup.extra_hordes"))


class RevealArtifacts(TableReport, frozen=True):
    """The artifacts that count in this game."""

    words = ("artifacts", "artifact")
    example = "artifacts F01 F05 F11"
    elsewhere = "GW-SET-4"
    cards: Annotated[tuple[str, ...], PieceName("artifact", many=True, secret=True)] = ()

    def options(self, at: At, field: str) -> Iterable[Any] | None:
        left = decks.hidden(at, "artifact")
        return [tuple(left[: at["setup.artifacts"]])] if field == "cards" and left else None

    def shows(self) -> dict[str, Any]:
        return {"artifacts": sorted(self.cards)}

    def forbidden(self, at: At) -> Iterator[Breach]:
        if at.state.artifacts:
            yield at.breach("GW-SET-4.shown", cards=list(at.state.artifacts))
        elif self.cards and len(self.cards) != at["setup.artifacts"]:
            yield at.breach("GW-SET-4.number", n=len(self.cards), due=at["setup.artifacts"])
        if len(set(self.cards)) < len(self.cards):
            yield at.breach("GW-SET-4.twice")

    def apply(self, at: At) -> None:
        at.state.artifacts = list(self.cards)
        at.note("GW-SET-4.lie", cards=[name_of(at, "artifact", card) for card in self.cards])


class KeepGeneral(Report, frozen=True):
    """The general a player keeps; the other one goes back unseen."""

    words = ("general", "keep")
    example = "pine general G03"
    elsewhere = "GW-SET-10"
    card: Annotated[str, PieceName("general", secret=True)] = ""

    def options(self, at: At, field: str) -> Iterable[Any] | None:
        if field == "by":
            return [clan for clan, p in at.state.player.items() if p.general is None] or at.state.players
        return decks.hidden(at, "general")

    def forbidden(self, at: At) -> Iterator[Breach]:
        has = at.state.player[self.by].general if self.by else None
        if has:
            yield at.breach("GW-SET-10.kept", player=self.by, card=name_of(at, "general", has))
        elif self.card:
            yield from decks.impossible(at, "general", [self.card], "GW-SET-10")

    def apply(self, at: At) -> None:
        s, said = at.state, cat(at).of("general")[self.card].fields
        s.player[self.by].general = self.card
        at.note("GW-SET-10.keeps", player=self.by, card=name_of(at, "general", self.card))
        gain(at, self.by, {kind: said["start"].get(kind, 0) for kind in RESOURCES}, "GW-SET-13")
        if all(p.general for p in s.player.values()):
            s.tea.sort(key=lambda clan: -tea_value(at, clan))
            at.note("GW-TEA-2", tea=list(s.tea))
            at.kept("GW-TEA-1", "GW-TEA-3")


def tea_value(at: At, clan: str) -> int:
    """The tea value printed on a player's general."""
    general = at.state.player[clan].general
    return int(cat(at).of("general")[general].fields["tea"]) if general else 0


class PlaceAdvisors(Report, frozen=True):
    """Which of the two advisors is active, and which supportive."""

    words = ("advisors", "place advisors")
    example = "pine advisors active A05 support A06"
    elsewhere = "GW-SET-11"
    sampled = True
    active: Annotated[str, PieceName("advisor", lead=("active",), secret=True)] = ""
    support: Annotated[str, PieceName("advisor", lead=("support",), secret=True)] = ""

    def options(self, at: At, field: str) -> Iterable[Any] | None:
        if field == "by":
            return [clan for clan, p in at.state.player.items() if not p.active + p.support] or at.state.players
        return [card for card in decks.hidden(at, "advisor") if card != self.active]

    @classmethod
    def candidates(cls, at: At) -> Iterator[Move]:
        """One pair of cards stands for all that may have been dealt."""
        left = decks.hidden(at, "advisor")[:2]
        waiting = [clan for clan, p in at.state.player.items() if not p.active + p.support]
        yield from (cls(by=clan, active=left[0], support=left[1]) for clan in waiting if len(left) > 1)

    def forbidden(self, at: At) -> Iterator[Breach]:
        p = at.state.player[self.by] if self.by else None
        if p and p.active + p.support:
            yield at.breach("GW-SET-11.placed", player=self.by)
        elif self.active and self.active == self.support:
            yield at.breach("GW-SET-11.same", card=name_of(at, "advisor", self.active))
        else:
            yield from decks.impossible(at, "advisor", [self.active, self.support], "GW-SET-11")

    def apply(self, at: At) -> None:
        p = at.state.player[self.by]
        p.active, p.support = [self.active], [self.support]
        decks.take(at, "advisor", 2)
        names = [name_of(at, "advisor", card) for card in (self.active, self.support)]
        at.note("GW-SET-11.places", player=self.by, active=names[0], support=names[1])
        at.kept("GW-INFO-6", "GW-CARD-1", "GW-CARD-2")


class RevealAdvisor(RevealNext, frozen=True):
    """An advisor comes onto the track."""

    words = ("advisor", "reveal advisor")
    example = "advisor A07"
    elsewhere = "GW-TOWN-6"
    deck = "advisor"
    called = "an advisor"
    seen_in = "advisor deck"
    card: Annotated[str, PieceName("advisor", secret=True)] = ""

    def forbidden(self, at: At) -> Iterator[Breach]:
        track = at.state.advisor_track
        if len(track) >= at["advisor.track_slots"]:
            rules = {"setup": "GW-SET-12", "spring": "GW-SPR-6.full"}
            yield at.breach(rules.get(at.state.season, "GW-TOWN-6.full"), n=len(track))
        yield from super().forbidden(at)

    def apply(self, at: At) -> None:
        at.state.advisor_track.append(self.card)
        decks.take(at, "advisor")
        name = name_of(at, "advisor", self.card)
        at.note("GW-TOWN-6.reveal", card=self.card, name=name, slot=len(at.state.advisor_track))
        if at.state.season == "spring" and len(at.state.advisor_track) >= at["advisor.track_slots"]:
            next_step(at)


def is_set_up(at: At) -> bool:
    """Whether everything of the setup has been reported."""
    s = at.state
    return bool(
        s.players
        and not s.hordes_due
        and len(s.artifacts) >= at["setup.artifacts"]
        and len(s.advisor_track) >= at["advisor.track_slots"]
        and all(p.general and p.active + p.support for p in s.player.values())
        and all(READY[module](at) for module in s.modules if module in READY)
    )


MOVES = {
    "setup": (StartGame, RevealArtifacts, KeepGeneral, PlaceAdvisors, RevealAdvisor),
    "spring.4": (RevealAdvisor,),
    "fall.3": (RevealAdvisor,),
}
