"""Warlords: played once a game between battles, or declared for a province before it is revealed (rules DY-WL)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

import msgspec

from companion.engine.play.moves import Breach, Choice, Move, Seat

from .catalogue import At, Warlord, armies, cat, controls, name
from .domains import ProvinceName, WarlordId
from .ending import presumed_end
from .state import COLOURS, STAGES, WarlordCard, rival

DECLARED = ("play_as", "extra_six", "plague_remaining")
"""Verbs of the Warlords that are declared for a province."""


def _may_play(at: At, player: str, card: Warlord) -> Iterator[Breach]:
    """What holds for every Warlord: option, side, once a game, never in a battle."""
    s = at.state
    p = s.players[player]
    if not s.options.warlords:
        yield Breach("DY-WL-17", "the game is played without Warlords", {"warlords": False})
        return
    if card.colour != player:
        yield Breach(
            "DY-WL-1", f"{card.id} is a Warlord of {name(card.colour)}", {"card": card.id, "side": card.colour}
        )
    if p.warlord.status == "used":
        yield Breach("DY-WL-3", f"{name(player)} has played {p.warlord.card or 'a Warlord'}", {"status": "used"})
    elif p.warlord.status == "none":
        yield Breach("DY-WL-1", f"{name(player)} has kept no Warlord", {"status": "none"})
    elif p.warlord.card not in (None, card.id):
        yield Breach("DY-WL-1", f"{name(player)} has kept {p.warlord.card}, not {card.id}", {"kept": p.warlord.card})
    if s.fighting is not None and at.on("DY-WL-4"):
        yield Breach(
            "DY-WL-4", f"the battle of {s.fighting.province} is being resolved", {"province": s.fighting.province}
        )
        yield Breach("DY-WL-5", f"{s.fighting.province} has to be finished first", {"province": s.fighting.province})
    elif s.phase not in ("deploy", "order", "battles", "clean"):
        yield Breach(
            "DY-WL-5",
            f"Warlords are played from deployment to scoring, and this is {STAGES[s.phase]}",
            {"phase": s.phase},
        )
    limit = next((args["max_dynasty"] for args in card.effects.values() if args.get("max_dynasty") is not None), None)
    if limit is not None and s.dynasty > int(limit):
        yield Breach(
            "DY-WL-16",
            f"{card.id} is played up to Dynasty {limit}, and this is Dynasty {s.dynasty}",
            {"dynasty": s.dynasty, "limit": int(limit)},
        )


def _spend(at: At, player: str, card: Warlord, armed: str | None = None) -> None:
    at.state.players[player].warlord = WarlordCard("used", card.id, armed)
    at.note("DY-WL-3", f"{name(player)} plays {card.name} ({card.id}), once per game", card=card.id)


class PlayWarlord(Move, frozen=True):
    """Play a Warlord that acts at once."""

    name = "play_warlord"
    role = "free"
    words = ("warlord", "play")
    example = "white warlord ST-1 tibet"
    player: Annotated[str, Seat()] = ""
    card: Annotated[str, WarlordId()] = ""
    province: Annotated[str, ProvinceName()] = ""
    source: Annotated[str, ProvinceName(lead=("from",))] = msgspec.field(default="", name="from")
    to: Annotated[str, ProvinceName(lead=("to",))] = ""

    def presumes(self, at: At) -> Move | None:
        return presumed_end(at) if at.state.phase == "score" else None

    def filled(self, at: At) -> PlayWarlord:
        if not self.player and self.card:
            return PlayWarlord(cat(at).warlords[self.card].colour, self.card, self.province, self.source, self.to)
        return self

    def forbidden(self, at: At) -> Iterator[Breach]:
        if not self.player or not self.card:
            if not at.state.options.warlords:
                yield Breach("DY-WL-17", "the game is played without Warlords", {"warlords": False})
            return
        card = cat(at).warlords[self.card]
        yield from _may_play(at, self.player, card)
        if any(verb in card.effects for verb in DECLARED):
            yield Breach(
                "DY-WL-7", f"{card.id} is declared for a province before its cards are shown", {"card": card.id}
            )
        if "shift_pawn" in card.effects:
            yield Breach("DY-WL-13", f"{card.id} is shown at set-up", {"card": card.id})
        yield from self._place(at, card)
        yield from self._remove(at, card)
        yield from self._march(at, card)

    def _place(self, at: At, card: Warlord) -> Iterator[Breach]:
        s = at.state
        if "place_army" not in card.effects:
            return
        n = int(card.effects["place_army"]["n"])
        if s.players[self.player].reserve < n:
            yield Breach(
                "DY-WL-8",
                f"{name(self.player)} has {armies(s.players[self.player].reserve)} in reserve",
                {"reserve": s.players[self.player].reserve},
            )
        if self.province and not controls(at, self.player, self.province):
            yield Breach(
                "DY-WL-8", f"{name(self.player)} does not control {self.province}", {"province": self.province}
            )

    def _remove(self, at: At, card: Warlord) -> Iterator[Breach]:
        if (
            "remove_enemy_army" in card.effects
            and self.province
            and not at.state.provinces[self.province].of(rival(self.player))
        ):
            yield Breach(
                "DY-WL-9", f"{name(rival(self.player))} has no army in {self.province}", {"province": self.province}
            )

    def _march(self, at: At, card: Warlord) -> Iterator[Breach]:
        s = at.state
        if "move_army" not in card.effects:
            return
        if self.source and s.provinces[self.source].of(self.player) < int(card.effects["move_army"]["n"]):
            yield Breach("DY-WL-11", f"{name(self.player)} has no army in {self.source}", {"from": self.source})
        if self.source and self.to and self.to not in cat(at).borders[self.source] and at.on("DY-WL-11"):
            why = f"{self.source} and {self.to} have no border"
            facts = {"borders": cat(at).borders[self.source]}
            if at.on("DY-BOARD-2"):
                yield Breach("DY-WL-11", why, facts)
            yield Breach("DY-BOARD-2", why, facts)
        if self.to and s.provinces[self.to].of(rival(self.player)):
            yield Breach("DY-WL-12", f"armies of {name(rival(self.player))} stand in {self.to}", {"to": self.to})

    def needs(self, at: At) -> Iterator[Choice]:
        if not self.card or not self.player:
            yield Choice("card", self.player, "which Warlord?", list(cat(at).warlords))
            return
        effects = cat(at).warlords[self.card].effects
        provinces = at.state.provinces
        if "place_army" in effects and not self.province:
            yield Choice(
                "province", self.player, "into which province?", [p for p, q in provinces.items() if q.of(self.player)]
            )
        if "remove_enemy_army" in effects and not self.province:
            yield Choice(
                "province",
                self.player,
                "from which province?",
                [p for p, q in provinces.items() if q.of(rival(self.player))],
            )
        if "move_army" in effects:
            if not self.source:
                yield Choice(
                    "from", self.player, "from which province?", [p for p, q in provinces.items() if q.of(self.player)]
                )
            if not self.to:
                yield Choice(
                    "to",
                    self.player,
                    "into which province?",
                    cat(at).borders[self.source] if self.source else list(provinces),
                )

    def apply(self, at: At) -> None:
        s = at.state
        card = cat(at).warlords[self.card]
        _spend(at, self.player, card)
        if place := card.effects.get("place_army"):
            n = int(place["n"]) if at.on("DY-WL-8") else 0
            s.players[self.player].reserve -= n
            s.provinces[self.province].add(self.player, n)
            at.note(
                "DY-WL-8",
                f"{armies(n)} from the reserve into {self.province}",
                province=self.province,
                reserve=s.players[self.player].reserve,
            )
        if remove := card.effects.get("remove_enemy_army"):
            n = min(int(remove["n"]), s.provinces[self.province].of(rival(self.player))) if at.on("DY-WL-9") else 0
            s.provinces[self.province].add(rival(self.player), -n)
            s.players[rival(self.player)].reserve += n
            at.note(
                "DY-WL-9", f"{armies(n)} of {name(rival(self.player))} leaves {self.province}", province=self.province
            )
            at.cite("DY-ARMY-2", "it goes back to the reserve")
        if march := card.effects.get("move_army"):
            n = int(march["n"]) if at.on("DY-WL-11") else 0
            s.provinces[self.source].add(self.player, -n)
            s.provinces[self.to].add(self.player, n)
            at.note("DY-WL-11", f"{armies(n)} from {self.source} to {self.to}", source=self.source, to=self.to)

    @classmethod
    def candidates(cls, at: At) -> Iterator[Move]:
        s = at.state
        for colour in COLOURS if s.players and s.options.warlords else ():
            if s.players[colour].warlord.status != "held":
                continue
            for card in cat(at).warlords.values():
                if card.colour != colour or any(verb in card.effects for verb in (*DECLARED, "shift_pawn")):
                    continue
                for province in s.provinces:
                    if "move_army" in card.effects:
                        yield from (cls(colour, card.id, "", province, to) for to in cat(at).borders[province])
                    else:
                        yield cls(colour, card.id, province)


class DeclareWarlord(Move, frozen=True):
    """Declare a Warlord for a province whose cards have not been shown."""

    name = "declare_warlord"
    role = "free"
    words = ("declare",)
    example = "white declare ST-3 tibet"
    player: Annotated[str, Seat()] = ""
    card: Annotated[str, WarlordId()] = ""
    province: Annotated[str, ProvinceName()] = ""

    def filled(self, at: At) -> DeclareWarlord:
        if not self.player and self.card:
            return DeclareWarlord(cat(at).warlords[self.card].colour, self.card, self.province)
        return self

    def forbidden(self, at: At) -> Iterator[Breach]:
        s = at.state
        if not self.player or not self.card:
            if not s.options.warlords:
                yield Breach("DY-WL-17", "the game is played without Warlords", {"warlords": False})
            return
        card = cat(at).warlords[self.card]
        yield from _may_play(at, self.player, card)
        if not any(verb in card.effects for verb in DECLARED):
            yield Breach("DY-WL-7", f"{card.id} is played, not declared", {"card": card.id})
        unrevealed = [p for p, q in s.provinces.items() if not q.resolved and not any(self._shown(at, p))]
        if self.province and (self.province not in unrevealed or s.phase in ("clean", "score")):
            yield Breach("DY-WL-7", f"the cards of {self.province} have been shown", {"unrevealed": unrevealed})

    @staticmethod
    def _shown(at: At, province: str) -> list[bool]:
        return [province in p.shown for p in at.state.players.values()]

    def needs(self, at: At) -> Iterator[Choice]:
        if not self.card or not self.player:
            yield Choice("card", self.player, "which Warlord?", list(cat(at).warlords))
        if not self.province:
            yield Choice(
                "province",
                self.player,
                "for which province?",
                [p for p, q in at.state.provinces.items() if not q.resolved],
            )

    def apply(self, at: At) -> None:
        card = cat(at).warlords[self.card]
        _spend(at, self.player, card, self.province)
        at.note("DY-WL-7", f"declared for {self.province}", province=self.province)

    @classmethod
    def candidates(cls, at: At) -> Iterator[Move]:
        s = at.state
        for colour in COLOURS if s.players and s.options.warlords else ():
            if s.players[colour].warlord.status == "held":
                for card in cat(at).warlords.values():
                    if card.colour == colour and any(verb in card.effects for verb in DECLARED):
                        yield from (cls(colour, card.id, province) for province in s.provinces)


__all__ = ["DeclareWarlord", "PlayWarlord"]
