"""Warlords: played once a game between battles, or declared for a province before it is revealed (rules DY-WL)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated, Any

import msgspec

from companion.engine.play.moves import Breach, Move, Seat

from .armies import controls, send_home, take
from .catalogue import DECLARED, PLAYED, At, Warlord, cat, name
from .moves import ProvinceName, TableMove, WarlordId
from .setup import Setup
from .state import COLOURS, STAGES, WarlordCard, rival

# --- Warlords declared for a province ----------------------------------------------------------------------------


def declared(at: At, player: str, province: str, verb: str) -> dict[str, Any] | None:
    """The arguments of `verb` on a Warlord that the player has declared for the province; None: there is no such."""
    lord = at.state.players[player].warlord
    if lord.armed != province or lord.card is None:
        return None
    return cat(at).warlords[lord.card].effects.get(verb)


def counts_as(at: At, player: str, province: str) -> int | None:
    """The number the player's card counts as by Feigned Weakness (DY-WL-10); None: it counts as printed."""
    feigned = declared(at, player, province, "play_as")
    shown = at.state.players[player].shown.get(province)
    return int(feigned["value"]) if feigned and shown in [str(label) for label in feigned["cards"]] else None


def disarm(at: At, province: str) -> None:
    """The battle is over: a Warlord declared for it is spent, also if it did not fit (DY-WL-7)."""
    for colour, p in at.state.players.items():
        if p.warlord.armed == province:
            if not _fitted(at, colour, province):
                at.note("DY-WL-7.spent", player=name(colour), card=p.warlord.card)
            p.warlord.armed = None


def _fitted(at: At, colour: str, province: str) -> bool:
    """Whether a declared Warlord had something to take hold of."""
    if declared(at, colour, province, "plague_remaining"):
        shown = [p.shown.get(province, "") for p in at.state.players.values()]
        return "plague" in [cat(at).cards[label].kind for label in shown if label]
    if declared(at, colour, province, "extra_six"):
        return bool(at.state.provinces[province].marks.of(colour) > at["six.uses_per_province"])
    return counts_as(at, colour, province) is not None


def window_open(at: At) -> bool:
    """Whether somebody could still play a Warlord before the scoring, or before the large pawn moves on (DY-WL-5)."""
    held = [c for c in COLOURS if at.state.players[c].warlord.status == "held"]
    return any(at.judge(PlayWarlord(c)).legal is not False for c in held)


# --- playing and declaring ---------------------------------------------------------------------------------------


class WarlordMove(TableMove, frozen=True):
    """What holds for every Warlord: agreed on, of one's own side, once a game, never in a battle."""

    player: Annotated[str, Seat()] = ""
    card: Annotated[str, WarlordId()] = ""
    province: Annotated[str, ProvinceName()] = ""

    def options(self, at: At, field: str) -> Iterable[str] | None:
        if field == "player":
            owner = cat(at).warlords[self.card].colour if self.card else ""
            return [owner] if owner else COLOURS
        if field == "card":
            return [w.id for w in cat(at).warlords.values() if w.colour == self.player and self._verbs(at, w.id)]
        return self._places(at, self._verbs(at, self.card), field) if self.card else ()

    def presumes(self, at: At) -> Move | None:
        return None if at.state.players else Setup()

    def breaches(self, at: At) -> Iterator[Breach]:
        s = at.state
        if not s.options.warlords:
            yield at.breach("DY-WL-17")
            return
        if not s.players:
            yield at.breach("DY-WL-5.phase", phase=STAGES[s.phase])
            return
        if not self.player or not self.card:
            return
        card, own = cat(at).warlords[self.card], s.players[self.player].warlord
        who = name(self.player)
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
            yield at.breach("DY-WL-5.phase", phase=STAGES[s.phase])
        for args in card.effects.values():
            if args.get("max_dynasty") is not None and s.dynasty > int(args["max_dynasty"]):
                yield at.breach("DY-WL-16.late", card=card.id, dynasty=s.dynasty, limit=int(args["max_dynasty"]))
        yield from self._effects(at, card)

    def _effects(self, at: At, card: Warlord) -> Iterator[Breach]:
        raise NotImplementedError

    def _verbs(self, at: At, card: str) -> list[str]:
        """Verbs of the card that this move can carry out."""
        raise NotImplementedError

    def _places(self, at: At, verbs: list[str], field: str) -> Iterable[str] | None:
        """The provinces that a field may name for these verbs; None: it is left out."""
        raise NotImplementedError

    def _spend(self, at: At, armed: str | None = None) -> None:
        at.state.players[self.player].warlord = WarlordCard("used", self.card, armed)
        at.note("DY-WL-3", player=name(self.player), name=cat(at).warlords[self.card].name, card=self.card)


class PlayWarlord(WarlordMove, frozen=True):
    """Play a Warlord that acts at once."""

    name = "play_warlord"
    role = "free"
    words = ("warlord", "play")
    example = "white warlord ST-1 tibet"
    asks = {"card": "DY-WL-1.card", "province": "DY-WL-8", "source": "DY-WL-11.from", "to": "DY-WL-11.to"}  # noqa: RUF012
    source: Annotated[str, ProvinceName(lead=("from",))] = msgspec.field(default="", name="from")
    to: Annotated[str, ProvinceName(lead=("to",))] = ""

    def _verbs(self, at: At, card: str) -> list[str]:
        return sorted(PLAYED & cat(at).warlords[card].effects.keys())

    def _effects(self, at: At, card: Warlord) -> Iterator[Breach]:
        if DECLARED & card.effects.keys():
            yield at.breach("DY-WL-7.declare", card=card.id)
        if "shift_pawn" in card.effects:
            yield at.breach("DY-WL-13.late", card=card.id, dynasty=at.state.dynasty)
        provinces, p, who, other = at.state.provinces, at.state.players[self.player], self.player, rival(self.player)
        if place := card.effects.get("place_army"):
            if p.reserve < int(place["n"]):
                yield at.breach("DY-WL-8.reserve", player=name(who), reserve=p.reserve)
            if self.province and not controls(at, who, self.province):
                yield at.breach("DY-WL-8.control", player=name(who), province=self.province)
        if "remove_enemy_army" in card.effects and self.province and not provinces[self.province].of(other):
            yield at.breach("DY-WL-9.nobody", rival=name(other), province=self.province)
        march = card.effects.get("move_army")
        if self.province if march else self.source or self.to:
            yield at.breach("DY-WL-11.both" if march else "DY-WL-11.march", card=card.id)
        if march:
            if self.source and provinces[self.source].of(who) < int(march["n"]):
                yield at.breach("DY-WL-11.nobody", player=name(who), province=self.source)
            if self.source and self.to and self.to not in cat(at).borders[self.source]:
                borders = cat(at).borders[self.source]
                yield at.breach("DY-BOARD-2.border", "DY-WL-11", province=self.source, to=self.to, borders=borders)
            if self.to and provinces[self.to].of(other):
                yield at.breach("DY-WL-12.enemy", rival=name(other), to=self.to)

    def _places(self, at: At, verbs: list[str], field: str) -> Iterable[str] | None:
        march = "move_army" in verbs
        if field == "to" and march:
            return cat(at).borders[self.source] if self.source else cat(at).provinces
        wanted = march if field == "source" else bool(verbs) and not march and field == "province"
        return cat(at).provinces if wanted else None

    def carry_out(self, at: At) -> None:
        effects, who, other = cat(at).warlords[self.card].effects, self.player, rival(self.player)
        provinces = at.state.provinces
        self._spend(at)
        if place := effects.get("place_army"):
            take(at, who, "reserve", int(place["n"]))
            provinces[self.province].add(who, int(place["n"]))
            at.note("DY-WL-8", n=int(place["n"]), province=self.province, reserve=at.state.players[who].reserve)
        if remove := effects.get("remove_enemy_army"):
            n = min(int(remove["n"]), provinces[self.province].of(other))
            at.note("DY-WL-9", n=n, rival=name(other), province=self.province)
            send_home(at, other, self.province, n)
        if march := effects.get("move_army"):
            provinces[self.source].add(who, -int(march["n"]))
            provinces[self.to].add(who, int(march["n"]))
            at.note("DY-WL-11", n=int(march["n"]), source=self.source, to=self.to)


class DeclareWarlord(WarlordMove, frozen=True):
    """Declare a Warlord for a province whose cards have not been shown."""

    name = "declare_warlord"
    role = "free"
    words = ("declare",)
    example = "white declare ST-3 tibet"
    asks = {"card": "DY-WL-1.card", "province": "DY-WL-7"}  # noqa: RUF012

    def _verbs(self, at: At, card: str) -> list[str]:
        return sorted(DECLARED & cat(at).warlords[card].effects.keys())

    def _effects(self, at: At, card: Warlord) -> Iterator[Breach]:
        if not self._verbs(at, card.id):
            yield at.breach("DY-WL-7.play", card=card.id)
        unrevealed = _unrevealed(at)
        if self.province and (self.province not in unrevealed or at.state.phase == "clean"):
            yield at.breach("DY-WL-7.shown", province=self.province, unrevealed=unrevealed)

    def _places(self, at: At, verbs: list[str], field: str) -> Iterable[str] | None:
        return cat(at).provinces

    def carry_out(self, at: At) -> None:
        self._spend(at, self.province)
        at.note("DY-WL-7", province=self.province)


def _unrevealed(at: At) -> list[str]:
    shown = {q for p in at.state.players.values() for q in p.shown}
    return [q for q, p in at.state.provinces.items() if not p.resolved and q not in shown]
