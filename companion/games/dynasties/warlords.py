"""Warlords: played once a game between battles, or declared for a province before it is revealed (rules DY-WL)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

import msgspec

from companion.engine.play.moves import Breach, Choice, Move, Seat

from .armies import controls, send_home, take
from .catalogue import DECLARED, PLAYED, At, Warlord, cat, name
from .moves import ProvinceName, TableMove, WarlordId
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
    return any(bool(at.judge(move).legal) for move in PlayWarlord.candidates(at))


# --- playing and declaring ---------------------------------------------------------------------------------------


class WarlordMove(TableMove, frozen=True):
    """What holds for every Warlord: agreed on, of one's own side, once a game, never in a battle."""

    player: Annotated[str, Seat()] = ""
    card: Annotated[str, WarlordId()] = ""
    province: Annotated[str, ProvinceName()] = ""

    def filled(self, at: At) -> WarlordMove:
        owner = cat(at).warlords[self.card].colour if self.card else ""
        return self if self.player or not owner else msgspec.structs.replace(self, player=owner)

    def breaches(self, at: At) -> Iterator[Breach]:
        s = at.state
        if not s.options.warlords:
            yield at.breach("DY-WL-17")
            return
        if not s.players or not self.player or not self.card:
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

    def needs(self, at: At) -> Iterator[Choice]:
        if not self.card or not self.player:
            own = [w.id for w in cat(at).warlords.values() if self.player in ("", w.colour)]
            yield at.ask("DY-WL-1.card", "card", self.player, [ident for ident in own if self._verbs(at, ident)])
            return
        for verb in self._verbs(at, self.card):
            for field, rule, options in self._fields(at, verb):
                if not getattr(self, "source" if field == "from" else field):
                    yield at.ask(rule, field, self.player, options)

    def _verbs(self, at: At, card: str) -> list[str]:
        """Verbs of the card that this move can carry out."""
        raise NotImplementedError

    def _fields(self, at: At, verb: str) -> Iterator[tuple[str, str, list[str]]]:
        """(field, rule that leaves the choice, options) for what a verb has to be told."""
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
        if march := card.effects.get("move_army"):
            if self.source and provinces[self.source].of(who) < int(march["n"]):
                yield at.breach("DY-WL-11.nobody", player=name(who), province=self.source)
            if self.source and self.to and self.to not in cat(at).borders[self.source]:
                borders = cat(at).borders[self.source]
                yield at.breach("DY-BOARD-2.border", "DY-WL-11", province=self.source, to=self.to, borders=borders)
            if self.to and provinces[self.to].of(other):
                yield at.breach("DY-WL-12.enemy", rival=name(other), to=self.to)

    def _fields(self, at: At, verb: str) -> Iterator[tuple[str, str, list[str]]]:
        own, enemy = ([q for q, p in at.state.provinces.items() if p.of(c)] for c in (self.player, rival(self.player)))
        if verb == "place_army":
            yield "province", "DY-WL-8", own
        elif verb == "remove_enemy_army":
            yield "province", "DY-WL-9", enemy
        else:
            yield "from", "DY-WL-11.from", own
            yield "to", "DY-WL-11.to", cat(at).borders[self.source] if self.source else cat(at).provinces

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

    @classmethod
    def candidates(cls, at: At) -> Iterator[Move]:
        for colour, card in _held(at, PLAYED):
            for province in at.state.provinces:
                if "move_army" in card.effects:
                    yield from (cls(colour, card.id, "", province, to) for to in cat(at).borders[province])
                else:
                    yield cls(colour, card.id, province)


class DeclareWarlord(WarlordMove, frozen=True):
    """Declare a Warlord for a province whose cards have not been shown."""

    name = "declare_warlord"
    role = "free"
    words = ("declare",)
    example = "white declare ST-3 tibet"

    def _verbs(self, at: At, card: str) -> list[str]:
        return sorted(DECLARED & cat(at).warlords[card].effects.keys())

    def _effects(self, at: At, card: Warlord) -> Iterator[Breach]:
        if not self._verbs(at, card.id):
            yield at.breach("DY-WL-7.play", card=card.id)
        unrevealed = _unrevealed(at)
        if self.province and (self.province not in unrevealed or at.state.phase == "clean"):
            yield at.breach("DY-WL-7.shown", province=self.province, unrevealed=unrevealed)

    def _fields(self, at: At, verb: str) -> Iterator[tuple[str, str, list[str]]]:
        yield "province", "DY-WL-7", _unrevealed(at)

    def carry_out(self, at: At) -> None:
        self._spend(at, self.province)
        at.note("DY-WL-7", province=self.province)

    @classmethod
    def candidates(cls, at: At) -> Iterator[Move]:
        for colour, card in _held(at, DECLARED):
            yield from (cls(colour, card.id, province) for province in at.state.provinces)


def _unrevealed(at: At) -> list[str]:
    shown = {q for p in at.state.players.values() for q in p.shown}
    return [q for q, p in at.state.provinces.items() if not p.resolved and q not in shown]


def _held(at: At, verbs: frozenset[str]) -> Iterator[tuple[str, Warlord]]:
    """Warlords with one of the verbs that somebody may hold."""
    for colour in COLOURS if at.state.players and at.state.options.warlords else ():
        own = at.state.players[colour].warlord
        for card in cat(at).warlords.values() if own.status == "held" else ():
            if card.colour == colour and own.card in (None, card.id) and verbs & card.effects.keys():
                yield colour, card
