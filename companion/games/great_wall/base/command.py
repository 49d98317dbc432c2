"""Fall: command cards are chosen in secret, revealed together, placed on the track and resolved (rules GW-FALL)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations_with_replacement
from typing import Annotated, Any, ClassVar

import msgspec

from companion.engine.things.sealed import is_sealed, missing, opens, seal
from companion.rules import Breach, Count, Move, OneOf, Pairs, PieceName, Seat, Secret

from . import defeat
from .catalogue import At, name_of
from .fall import coming, spot_of
from .icons import STEP, all_done, begin_icon, card_name, icon, in_step, next_spot, of_kind, tell_icon
from .prices import gain
from .reports import Report, TableReport
from .state import GOODS, TrackCard
from .year import end_unit, has_acted, is_open, next_step

NONE = "none"
"""Said for a benefit that is refused (GW-GEN-4)."""


# --- step 1: the choice ---------------------------------------------------------------------------------------------


class ChooseCommand(Report, frozen=True):
    """Choose a command card in secret. The companion need not be told which; if it is, it keeps the card sealed."""

    elsewhere = "GW-FALL-1"
    words = ("choose",)
    card: Annotated[str, PieceName("command", secret=True, loose=True), Secret()] = ""

    def __post_init__(self) -> None:
        if self.card and not is_sealed(self.card):
            msgspec.structs.force_setattr(self, "card", seal(self.card.upper()))

    def by_options(self, at: At) -> list[str]:
        return missing(at.state.chosen, at.state.players)

    def card_options(self, at: At) -> None:
        """Nobody but its player knows it."""

    def forbidden(self, at: At) -> Iterator[Breach]:
        if self.by in at.state.chosen:
            yield at.breach("GW-FALL-1.twice", player=self.by)
        elif self.card and not any(opens(self.card, card) for card in at.state.own(self.by).hand):
            yield at.breach("GW-FALL-1.hand", player=self.by)

    def apply(self, at: At) -> None:
        at.state.chosen[self.by] = self.card
        at.note("GW-FALL-1.chosen", player=self.by)
        at.kept("GW-INFO-3")


class RevealCommands(TableReport, frozen=True):
    """Show the chosen command cards together."""

    elsewhere = "GW-FALL-2"
    words = ("reveal",)
    cards: Annotated[dict[str, str], Pairs(Seat(actor=False), PieceName("command"), secret=True)] = msgspec.field(
        default_factory=dict
    )

    def forbidden(self, at: At) -> Iterator[Breach]:
        s = at.state
        if silent := [clan for clan in s.players if clan not in self.cards]:
            yield at.breach("GW-FALL-2.all", players=silent)
        for clan, card in self.cards.items():
            facts = {"player": clan, "card": card_name(at, card)}
            if card not in s.own(clan).hand:
                yield at.breach("GW-FALL-2.hand", **facts)
            elif not opens(s.chosen.get(clan, ""), card):
                yield at.breach("GW-FALL-2.other", **facts)

    def apply(self, at: At) -> None:
        s = at.state
        for clan, card in self.cards.items():
            if card in s.own(clan).hand:
                s.own(clan).hand.remove(card)
            s.revealed[clan] = card
            at.note("GW-FALL-2.shown", player=clan, card=card_name(at, card))
        s.chosen.clear()
        next_step(at)


# --- step 2: the track ----------------------------------------------------------------------------------------------


def spots(at: At) -> list[int]:
    """The usable spots of the command track: as many as there are players (GW-FALL-4)."""
    return list(range(1, len(at.state.players) + 1))


class Spot(Count):
    """A spot of the command track."""

    def spoken(self, at: At) -> dict[str, Any]:
        words = {word: n for n, word in enumerate(("first", "second", "third", "fourth", "fifth"), 1)}
        return {**words, "last": len(at.state.players)}


class PlaceCommand(Report, frozen=True):
    """Place the revealed command card on an empty spot of the track."""

    elsewhere = "GW-FALL-3"
    words = ("spot",)
    spot: Annotated[int, Spot(1, after=("to", "onto"), of=("spot", "space", "place"))] = 0
    card: Annotated[str, PieceName("command")] = ""

    def spot_options(self, at: At) -> list[int]:
        return spots(at)

    def card_options(self, at: At) -> list[str] | None:
        known = at.state.revealed.get(self.by)
        return [known] if known else None

    def forbidden(self, at: At) -> Iterator[Breach]:
        s = at.state
        if self.by in s.done or any(card.player == self.by for card in s.command_track.values()):
            yield at.breach("GW-FALL-3.twice", player=self.by)
        known = s.revealed.get(self.by)
        if self.card and known and known != self.card:
            yield at.breach("GW-FALL-3.other", player=self.by, card=card_name(at, known))
        if self.spot and self.spot not in spots(at):
            yield at.breach("GW-FALL-4", spot=self.spot, n=len(spots(at)))
        elif self.spot and (there := s.command_track.get(self.spot)):
            yield at.breach("GW-FALL-3.taken", spot=self.spot, owner=there.player)

    def apply(self, at: At) -> None:
        s = at.state
        card = s.revealed.pop(self.by, self.card)
        if card in s.own(self.by).hand:
            s.own(self.by).hand.remove(card)
        s.command_track[self.spot] = TrackCard(player=self.by, card=card)
        for there in s.command_track.values():
            has_acted(at, there.player)
        at.note("GW-FALL-3.placed", player=self.by, card=card_name(at, card), spot=self.spot)
        if self.spot == 1:
            at.trigger("command_spot_1", self.by)


# --- step 3: the cards resolve --------------------------------------------------------------------------------------


class BeginCard(TableReport, frozen=True):
    """Begin to resolve the next command card of the track."""

    elsewhere = "GW-FALL-5"
    words = ("begin",)
    spot: Annotated[int, Count(1)] = 0

    def spot_options(self, at: At) -> list[int]:
        spot = next_spot(at)
        return [spot] if spot else []

    def presumes(self, at: At) -> Move | None:
        return coming(at, self) or super().presumes(at)

    def already(self, at: At) -> bool:
        s = at.state
        return in_step(at) and not all_done(at) and bool(s.active) and self.spot in (0, spot_of(at, s.active or ""))

    def forbidden(self, at: At) -> Iterator[Breach]:
        s, spot = at.state, next_spot(at)
        if s.active:
            yield at.breach("GW-FALL-5.running", player=s.active)
        elif self.spot and self.spot not in s.command_track:
            yield at.breach("GW-FALL-5.empty", spot=self.spot)
        elif self.spot and s.command_track[self.spot].resolved:
            yield at.breach("GW-FALL-5.done", spot=self.spot)
        elif self.spot and spot and self.spot != spot:
            yield at.breach("GW-FALL-5.order", spot=self.spot, first=spot)

    def apply(self, at: At) -> None:
        s = at.state
        card = s.command_track[self.spot]
        s.active, s.active_card, s.icon = card.player, card.card, 0
        s.untold = [what for what in s.untold if ":" in what]
        s.beast_actions.clear()
        s.played_this_unit.clear()
        at.note("GW-FALL-5.begins", player=s.active, card=card_name(at, card.card), spot=self.spot)
        begin_icon(at)


class EndCard(TableReport, frozen=True):
    """A command card is over: look for defeated hordes."""

    elsewhere = "GW-FALL-7"

    def presumes(self, at: At) -> Move | None:
        s = at.state
        waits = s.active and not s.agenda and in_step(at)
        return coming(at, self) if waits and not all_done(at) and (s.resolving or icon(at)) else None

    def already(self, at: At) -> bool:
        s = at.state
        over = any(card.resolved for card in s.command_track.values())
        return over and not s.active and s.season in ("fall", "winter")

    def forbidden(self, at: At) -> Iterator[Breach]:
        s = at.state
        if s.resolving:
            yield at.breach("GW-FALL-6.location", location=name_of(at, "location", s.resolving))
        elif (now := icon(at)) is not None:
            yield at.breach("GW-FALL-6.left", icon=now.verb.replace("_", " "))
        elif not s.active and not s.active_card and not is_open(at, "icon"):
            yield at.breach("GW-FALL-5.none")

    def apply(self, at: At) -> None:
        s = at.state
        for card in s.command_track.values():
            if card.player == s.active:
                card.resolved = True
        at.note("GW-FALL-7.over")
        at.kept("GW-FALL-8")
        s.active = s.active_card = None
        s.untold = [what for what in s.untold if ":" in what]
        s.resolved.clear()
        s.icon = 0
        end_unit(at, "card")
        if in_step(at):
            defeat.check(at)
            at.then("card_over")


def card_over(at: At) -> None:
    """The step `card_over`: after the check the next card follows, and after the last one the next step (GW-FALL-9)."""
    s = at.state
    if in_step(at) and s.command_track and next_spot(at) is None:
        next_step(at)


# --- icons that gain ------------------------------------------------------------------------------------------------


class Gain(Report, frozen=True):
    """Choose the goods that an icon or a card gives."""

    owes: ClassVar[dict[str, str] | None] = {}
    elsewhere = "GW-GEN-10"
    role = "choice"
    goods: Annotated[tuple[str, ...], OneOf(*GOODS, NONE, many=True, loose=True)] = ()

    def goods_options(self, at: At) -> list[tuple[str, ...]]:
        return list(combinations_with_replacement(at["goods"], due(at, self.by)))

    def presumes(self, at: At) -> Move | None:
        return None if at.state.agenda else coming(at, self) or super().presumes(at)

    def forbidden(self, at: At) -> Iterator[Breach]:
        n, said = due(at, self.by), len(self.goods)
        if not n:
            yield at.breach("GW-SUM-2.none" if at.state.step == "summer.1" else "GW-FALL-6.none", player=self.by)
        elif wrong := [good for good in self.goods if good not in (*GOODS, NONE)]:
            yield at.breach("GW-GEN-10.goods", goods=wrong)
        elif self.goods and NONE not in self.goods and said > n:
            yield at.breach("GW-GEN-10.number", player=self.by, n=n, said=said)

    def settles(self) -> int:
        return 1_000 if NONE in self.goods else len(self.goods)

    def apply(self, at: At) -> None:
        gains = {good: self.goods.count(good) for good in GOODS if good in self.goods}
        if gains:
            gain(at, self.by, gains, "GW-GEN-10.chosen")
        else:
            at.note("GW-GEN-4.passed", player=self.by)
        if not at.state.agenda and of_kind(at, self.name):
            tell_icon(at, self.name)
            at.then("icon_done")


def due(at: At, clan: str) -> int:
    """The number of goods that a player may choose now."""
    owed = sum(task.n for task in at.state.agenda if task.move == "gain" and task.who == clan)
    if owed or at.state.agenda or at.state.active not in (None, clan):
        return owed
    found = of_kind(at, "gain")
    return int(found.args["what"].get("goods", 0)) if found else 0


MOVES = {
    "fall.1": (ChooseCommand, RevealCommands),
    "fall.2": (PlaceCommand,),
    STEP: (BeginCard, EndCard, Gain),
    "summer.1": (Gain,),
}
STEPS = {"card_over": card_over}
