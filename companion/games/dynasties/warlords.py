"""Warlords: played once a game between battles, or declared for a province before it is revealed (rules DY-WL).

What a Warlord does at once is an operation of the engine's interpreter (`OPS`); what it changes in a battle is a
modifier in force in the province it was declared for (`modify` in its effect), or says what a card counts as.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated, Any, ClassVar

import msgspec

from companion.rules import Breach, Op, PieceName, Seat, Source

from .armies import controls, move, only_marked, send_home
from .catalogue import SIDES, At, Warlord, cat, name
from .setup import AfterSetup
from .state import COLOURS, WarlordCard, rival

# --- Warlords declared for a province ----------------------------------------------------------------------------


def counts_as(at: At, player: str, province: str) -> dict[str, Any] | None:
    """The card that Feigned Weakness makes of the one shown (DY-WL-10); None: it counts as printed."""
    p = at.state.players[player]
    if p.warlord.armed != province or p.warlord.card is None:
        return None
    feigned = cat(at).warlords[p.warlord.card].effects.get("play_as")
    return feigned if feigned and p.shown.get(province) in [str(label) for label in feigned["cards"]] else None


def disarm(at: At, province: str) -> None:
    """The battle is over: a Warlord declared for it is spent, also if it did not fit (DY-WL-7)."""
    for colour, p in at.state.players.items():
        if p.warlord.armed == province:
            if not _fitted(at, colour, province):
                at.note("DY-WL-7.spent", player=name(colour), card=p.warlord.card)
            p.warlord.armed = None


def _fitted(at: At, colour: str, province: str) -> bool:
    """True if a declared Warlord had something to act on."""
    s = at.state
    changes = cat(at).warlords[s.players[colour].warlord.card or ""].effects.get("modify", {}).get("param")
    if changes == "plague.left":
        return any(cat(at).cards[p.shown[province]].kind == "plague" for p in s.players.values())
    if changes == "six.uses_per_province":
        return bool(s.provinces[province].marks.of(colour) > at["six.uses_per_province"])
    return counts_as(at, colour, province) is not None


def window_open(at: At) -> bool:
    """True if somebody could still play a Warlord before the scoring, or before the large pawn moves on (DY-WL-5)."""
    held = [c for c in COLOURS if at.state.players[c].warlord.status == "held"]
    return any(at.judge(PlayWarlord(c)).legal is not False for c in held)


# --- what a Warlord does at once ---------------------------------------------------------------------------------


def place_army(at: At, who: str, args: dict[str, Any], source: Source) -> None:
    province = source.where.province
    move(at, who, args["n"], "reserve", province)
    at.note("DY-WL-8", n=args["n"], province=province, reserve=at.state.players[who].reserve)


def remove_enemy_army(at: At, who: str, args: dict[str, Any], source: Source) -> None:
    province, other = source.where.province, rival(who)
    n = min(args["n"], at.state.provinces[province].of(other))
    at.note("DY-WL-9", n=n, rival=name(other), province=province)
    send_home(at, other, province, n)


def move_army(at: At, who: str, args: dict[str, Any], source: Source) -> None:
    march = source.where
    move(at, who, args["n"], march.source, march.to)
    at.note("DY-WL-11", n=args["n"], source=march.source, to=march.to)


def shift_pawn(at: At, who: str, args: dict[str, Any], source: Source) -> None:
    at.state.pawn = args["n"] if who == "white" else -args["n"]
    at.note("DY-WL-13.shown", n=args["n"], pawn=at.state.pawn, **SIDES)


def play_as(at: At, who: str, args: dict[str, Any], source: Source) -> None:
    """Does nothing by itself: it says what a card counts as when it is shown (`counts_as`)."""


AT_ONCE: tuple[Op, ...] = (place_army, remove_enemy_army, move_army, shift_pawn, play_as)
OPS: dict[str, Op] = {op.__name__: op for op in AT_ONCE}

# --- playing and declaring ---------------------------------------------------------------------------------------


class WarlordMove(AfterSetup, frozen=True):
    """Common rules of every Warlord: agreed on, of one's own side, once a game, never in a battle."""

    role = "free"
    window: ClassVar = ""
    """The Warlords that the move plays (`Warlord.window`)."""
    player: Annotated[str, Seat()] = ""
    card: Annotated[str, PieceName("Warlord", after=("with", "by"), secret=True)] = ""
    province: Annotated[str, PieceName("province", after=("for", "against", "into"))] = ""

    def options(self, at: At, field: str) -> Iterable[str] | None:
        card = cat(at).warlords.get(self.card)
        if field == "player":
            return [card.colour] if card else COLOURS
        if field == "card":
            return [w.id for w in cat(at).warlords.values() if w.colour == self.player and w.window == self.window]
        march = card is not None and "move_army" in card.effects
        return cat(at).provinces if (field != "province") == march else None

    def forbidden(self, at: At) -> Iterator[Breach]:
        s = at.state
        if not s.options.warlords:
            yield at.breach("DY-WL-17")
        elif not s.players:
            yield at.breach("DY-WL-5.phase", phase=at.now)
        elif self.player and self.card:
            yield from self.broken(at, cat(at).warlords[self.card])

    def broken(self, at: At, card: Warlord) -> Iterator[Breach]:
        """Every rule that a player breaks with a card."""
        s, who = at.state, name(self.player)
        own = s.players[self.player].warlord
        if card.colour != self.player:
            yield at.breach("DY-WL-1.side", card=card.id, side=name(card.colour))
        if own.status == "used":
            yield at.breach("DY-WL-3.used", player=who, card=own.card or "a Warlord", status="used")
        elif own.status == "none":
            yield at.breach("DY-WL-1.none", player=who, status="none")
        elif own.card not in (None, card.id):
            yield at.breach("DY-WL-1.other", player=who, card=card.id, kept=own.card)
        if s.fighting is not None:
            yield at.breach("DY-WL-4.battle", "DY-WL-5", province=s.fighting.province)
        elif s.phase not in ("deploy", "order", "battles", "clean"):
            yield at.breach("DY-WL-5.phase", phase=at.now)
        for args in card.effects.values():
            if (limit := args.get("max_dynasty")) is not None and s.dynasty > limit:
                yield at.breach("DY-WL-16.late", card=card.id, dynasty=s.dynasty, limit=limit)

    def spend(self, at: At, armed: str | None = None) -> Warlord:
        """Lay the card open; it is played once a game (DY-WL-3)."""
        card = cat(at).warlords[self.card]
        at.state.players[self.player].warlord = WarlordCard("used", self.card, armed)
        at.note("DY-WL-3", player=name(self.player), name=card.piece.name, card=self.card)
        return card


class PlayWarlord(WarlordMove, frozen=True):
    """Play a Warlord that acts at once."""

    words = ("warlord",)
    done_by = "card"
    window = "W"
    source: Annotated[str, PieceName("province", lead=("from",))] = msgspec.field(default="", name="from")
    to: Annotated[str, PieceName("province", lead=("to",))] = ""

    def options(self, at: At, field: str) -> Iterable[str] | None:
        return cat(at).borders[self.source] if field == "to" and self.source else super().options(at, field)

    def broken(self, at: At, card: Warlord) -> Iterator[Breach]:
        yield from super().broken(at, card)
        if card.window == "P":
            yield at.breach("DY-WL-7.declare", card=card.id)
        if card.window == "S":
            yield at.breach("DY-WL-13.late", card=card.id, dynasty=at.state.dynasty)
        if march := card.effects.get("move_army"):
            yield from self._march(at, card, march["n"])
        elif self.source or self.to:
            yield at.breach("DY-WL-11.march", card=card.id)
        if place := card.effects.get("place_army"):
            reserve, who = at.state.players[self.player].reserve, name(self.player)
            if reserve < place["n"]:
                yield at.breach("DY-WL-8.reserve", player=who, reserve=reserve)
            if self.province and not controls(at, self.player, self.province):
                yield at.breach(
                    "DY-WL-8.control", *only_marked(at, self.player, self.province), player=who, province=self.province
                )
        other = rival(self.player)
        if "remove_enemy_army" in card.effects and self.province and not controls(at, other, self.province):
            yield at.breach(
                "DY-WL-9.nobody", *only_marked(at, other, self.province), rival=name(other), province=self.province
            )

    def _march(self, at: At, card: Warlord, n: int) -> Iterator[Breach]:
        """An army marches from a province that has one, across a border, and not among enemies (DY-WL-11, -12)."""
        borders, other = cat(at).borders.get(self.source, ()), rival(self.player)
        if self.province:
            yield at.breach("DY-WL-11.both", card=card.id)
        if self.source and at.state.provinces[self.source].of(self.player) < n:
            yield at.breach(
                "DY-WL-11.nobody",
                *only_marked(at, self.player, self.source),
                player=name(self.player),
                province=self.source,
            )
        if self.source and self.to and self.to not in borders:
            yield at.breach("DY-WL-11.border", "DY-BOARD-2", province=self.source, to=self.to, borders=borders)
        if self.to and controls(at, other, self.to):
            yield at.breach("DY-WL-12.enemy", rival=name(other), to=self.to)

    def apply(self, at: At) -> None:
        card = self.spend(at)
        at.run(card.piece.effect, self.player, Source(card.piece, self.player, self))


class DeclareWarlord(WarlordMove, frozen=True):
    """Declare a Warlord for a province whose cards have not been shown."""

    words = ("declare",)
    window = "P"

    def broken(self, at: At, card: Warlord) -> Iterator[Breach]:
        yield from super().broken(at, card)
        if card.window != "P":
            yield at.breach("DY-WL-7.play", card=card.id)
        shown = {q for p in at.state.players.values() for q in p.shown}
        unrevealed = [q for q, p in at.state.provinces.items() if not p.resolved and q not in shown]
        if self.province and (self.province not in unrevealed or at.state.phase == "clean"):
            yield at.breach("DY-WL-7.shown", province=self.province, unrevealed=unrevealed)

    def apply(self, at: At) -> None:
        self.spend(at, self.province)
        at.note("DY-WL-7", province=self.province)
