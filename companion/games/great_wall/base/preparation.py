"""Setup: the board, artifacts, generals and advisors, and what the modules add (rules GW-SET, GW-BP-1 to -4, GW-GK-1).

How the table is laid out stands in the position form (`position_form.py`): a game begins as the position does that says
nothing but players and modules.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Annotated, ClassVar

from companion.rules import Breach, Move, OneOf, PieceName
from components.phrasing import count, join_and, plural

from . import decks
from .brought import Next, in_play
from .catalogue import At, cat, name_of
from .decks import RevealNext, RevealSeveral
from .prices import gain
from .reports import Report, TableReport
from .state import RESOURCES
from .year import next_step, wrong_turn

ALL = ("base", "black_powder", "genghis_khan", "ancient_beasts", "rat", "iron_dragon", "emperors_award")


class StartGame(TableReport, frozen=True):
    """Seat the players and say which modules are in play."""

    words = ("start",)
    elsewhere = "GW-GEN-1"
    players: Annotated[tuple[str, ...], PieceName("clan", many=True, loose=True)] = ()
    modules: Annotated[tuple[str, ...], OneOf(*ALL, many=True, lead=("with", "modules"))] = ()

    def players_options(self, at: At) -> list[tuple[str, ...]] | None:
        return None if self.players else [tuple(cat(at).clans[: at["players.min"]])]

    def things(self, at: At, field: str) -> list[str] | None:
        return list(cat(at).clans) if field == "players" else None

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
        chosen = self.modules or [module for module in ALL if at.params.get(f"play.{module}")]
        modules = [module for module in ALL if module == "base" or module in chosen]
        players = list(dict.fromkeys(self.players))
        said = {"players": players, "tea": players, "modules": modules, "step": "setup", "season": "setup"}
        at.state = s = at.rules.complete(said)
        s.untold.clear()
        for p in s.player.values():
            p.shamed.clear()
        at.note("GW-SET-1", side=s.side, players=players)
        at.note("GW-SET-3", n=s.shame_pool)
        if any(s.barricades.values()):
            at.note("GW-SET-7", n=at["barricade.setup_per_section"])
        at.kept("GW-GEN-2", "GW-SET-2", "GW-SET-8", "GW-SET-9", "GW-SET-14", "GW-SET-15", "GW-SET-16", "GW-SET-17")
        for module in in_play(at):
            module.begins(at)


class RevealArtifacts(RevealSeveral, frozen=True):
    """The artifacts that count in this game."""

    words = ("artifacts",)
    elsewhere = "GW-SET-4"
    set = "artifact"
    due = "setup.artifacts"
    cards: Annotated[tuple[str, ...], PieceName("artifact", many=True, secret=True)] = ()

    def apply(self, at: At) -> None:
        at.state.artifacts = list(self.cards)
        at.note("GW-SET-4.lie", cards=[name_of(at, "artifact", card) for card in self.cards])


class KeepGeneral(Report, frozen=True):
    """The general a player keeps; the other one goes back unseen."""

    words = ("general",)
    elsewhere = "GW-SET-10"
    card: Annotated[str, PieceName("general", secret=True)] = ""

    def by_options(self, at: At) -> list[str]:
        return [clan for clan, p in at.state.player.items() if p.general is None] or at.state.players

    def card_options(self, at: At) -> list[str]:
        return decks.hidden(at, "general")

    def forbidden(self, at: At) -> Iterator[Breach]:
        if has := at.state.player[self.by].general:
            yield at.breach("GW-SET-10.kept", player=self.by, card=name_of(at, "general", has))
        elif self.card:
            yield from decks.impossible(at, "general", [self.card], "GW-SET-10")

    def apply(self, at: At) -> None:
        s, generals = at.state, cat(at).of("general")
        s.player[self.by].general = self.card
        at.note("GW-SET-10.keeps", player=self.by, card=generals[self.card].name)
        start = generals[self.card].fields["start"]
        gain(at, self.by, {kind: start.get(kind, 0) for kind in RESOURCES}, "GW-SET-13")
        if all(p.general for p in s.player.values()):
            s.tea.sort(key=lambda clan: -generals[s.player[clan].general or ""].fields["tea"])
            at.note("GW-TEA-2", tea=list(s.tea))
            at.kept("GW-TEA-1", "GW-TEA-3")


class PlaceAdvisors(Report, frozen=True):
    """The active advisor and the supportive one."""

    words = ("advisors",)
    elsewhere = "GW-SET-11"
    sampled = True
    active: Annotated[str, PieceName("advisor", lead=("active",), secret=True)] = ""
    support: Annotated[str, PieceName("advisor", lead=("support", "supportive", "supporter"), secret=True)] = ""

    def by_options(self, at: At) -> list[str]:
        return [clan for clan, p in at.state.player.items() if not p.active + p.support] or at.state.players

    @classmethod
    def candidates(cls, at: At) -> Iterator[Move]:
        """One pair of cards stands for all that may have been dealt."""
        clans = [clan for clan in cls().by_options(at) if not at.refuses(cls(by=clan))]
        left = decks.hidden(at, "advisor")[:2] if clans else []
        yield from (cls(clan, *left) for clan in clans if len(left) > 1)

    def forbidden(self, at: At) -> Iterator[Breach]:
        p = at.state.player[self.by]
        if p.active + p.support:
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

    words = ("advisor",)
    elsewhere = "GW-TOWN-6"
    deck = "advisor"
    card: Annotated[str, PieceName("advisor", secret=True)] = ""

    def forbidden(self, at: At) -> Iterator[Breach]:
        track = at.state.advisor_track
        if len(track) >= at["advisor.track_slots"]:
            rules = {"setup": "GW-SET-12", "spring": "GW-SPR-6.full"}
            yield at.breach(rules.get(at.state.season, "GW-TOWN-6.full"), n=len(track))
        yield from super().forbidden(at)

    def apply(self, at: At) -> None:
        super().apply(at)
        at.state.advisor_track.append(self.card)
        name = name_of(at, "advisor", self.card)
        at.note("GW-TOWN-6.reveal", card=self.card, name=name, slot=len(at.state.advisor_track))
        if at.state.season == "spring" and len(at.state.advisor_track) >= at["advisor.track_slots"]:
            next_step(at)


# --- modules ------------------------------------------------------------------------------------------------------


class PlaceOfModule(Report, frozen=True):
    """Somebody places a piece of a module, in tea order, once the tea pile is known (GW-SET-18)."""

    what: ClassVar[str]

    @classmethod
    def placed(cls, at: At) -> int:
        """The number of them already placed."""
        return 0

    def by_options(self, at: At) -> list[str]:
        return at.state.tea[self.placed(at) :][:1] or at.state.players

    def forbidden(self, at: At) -> Iterator[Breach]:
        s = at.state
        known = all(p.general for p in s.player.values()) or "generals" in s.untold
        if s.season == "setup" and not known:
            yield at.breach("GW-SET-18.early", what=self.what)
        yield from wrong_turn(at, self.by, s.tea[self.placed(at) :], self.elsewhere)


def lacking(at: At) -> Iterator[Next]:
    """The gaps of the setup, one after the other."""
    s = at.state
    if not s.players:
        yield Next("name the players", ("start_game",))
    if s.hordes_due:
        cards = f"{count(s.hordes_due, 'horde card')} {plural(s.hordes_due, 'comes', 'come')} up"
        yield Next(cards, ("reveal_horde",))
    if len(s.artifacts) < at["setup.artifacts"]:
        yield Next(count(at["setup.artifacts"], "artifact"), ("reveal_artifacts",))
    if kept := [clan for clan, p in s.player.items() if not p.general]:
        yield Next(f"{join_and(kept)} {plural(len(kept), 'keeps', 'keep')} a general", ("keep_general",))
    if placed := [clan for clan, p in s.player.items() if not p.active + p.support]:
        yield Next(f"{join_and(placed)} {plural(len(placed), 'places', 'place')} advisors", ("place_advisors",))
    if len(s.advisor_track) < at["advisor.track_slots"]:
        yield Next("the advisor track is filled", ("reveal_advisor",))
    modules = [found for module in in_play(at) if (found := module.lacks(at))]
    if modules:
        yield Next(join_and([one.sentence for one in modules]), [kind for one in modules for kind in one.kinds])


def is_set_up(at: At) -> bool:
    """True if everything of the setup has been reported."""
    return next(lacking(at), None) is None


MOVES = {
    "setup": (StartGame, RevealArtifacts, KeepGeneral, PlaceAdvisors, RevealAdvisor),
    "spring.4": (RevealAdvisor,),
    "fall.3": (RevealAdvisor,),
}
