"""The Ally Segment: aid sent, declined, and called home again at any time (rules WS-ALLY)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal

import msgspec

from companion.engine.play.moves import Breach, Choice, Count, Move, OneOf, Seat
from components.phrasing import count

from .campaign import campaign_of, missing, speakers, spoke
from .catalogue import At, named_units
from .clash import settle_clash
from .domains import GeneralName
from .frame import wrong_phase
from .state import Aid, Campaign, Side, Units


class SendAid(Move, frozen=True):
    """A player who is not a party to the war lends units to one side."""

    name = "send_aid"
    role = "free"
    words = ("aid", "help", "send aid")
    example = "aid qin defender steadfast"
    player: Annotated[str, Seat()] = ""
    side: Annotated[Literal["", "attacker", "defender"], OneOf("attacker", "defender")] = ""
    generals: Annotated[tuple[str, ...] | None, GeneralName(many=True)] = None
    armies: Annotated[int | None, Count()] = None

    def filled(self, at: At) -> SendAid:
        c = campaign_of(at)
        waiting = speakers(at, c) if c else []
        player = self.player or (waiting[0] if waiting else "")
        generals, armies = self.generals, self.armies
        p = at.state.players.get(player)
        if generals is None and armies is None and p and len(p.generals) + p.armies == 1:
            generals, armies = tuple(p.generals), p.armies
        return SendAid(player, self.side, None if armies and not generals else generals, armies)

    def forbidden(self, at: At) -> Iterator[Breach]:
        yield from wrong_phase(at, "war")
        if not self.player or at.state.phase != "war":
            return
        c = campaign_of(at)
        if c is None:
            yield Breach("WS-ALLY-3", "no war has been declared", {})
            return
        yield from _may_speak(at, c, self.player)
        if self.player in c.recalled:
            yield Breach("WS-ALLY-6", f"{self.player} has recalled units from this war", {"recalled": list(c.recalled)})
        if any(a.player == self.player and a.side != self.side for a in c.allies) and self.side:
            yield Breach("WS-ALLY-4", f"{self.player} helps the other side already", {})
        p = at.state.players[self.player]
        if p.attack_banned and not at.on("WS-ALLY-12"):
            yield Breach("WS-EVENT-11", f"{self.player} is under a ban", {"banned": True})
        generals, armies = self.generals or (), self.armies or 0
        if generals or armies:
            if missing(generals, p.generals) or not 0 <= armies <= p.armies:
                yield Breach(
                    "WS-ALLY-4",
                    f"{self.player} owns {named_units(p.generals, p.armies)}, not {named_units(generals, armies)}",
                    {"generals": list(p.generals), "armies": p.armies},
                )
        elif not p.has_unit:
            yield Breach("WS-ALLY-4", f"{self.player} has no unit to send", {"generals": [], "armies": 0})
        elif self.generals is not None or self.armies is not None:
            yield Breach("WS-ALLY-4", "an ally sends at least one unit", {"generals": [], "armies": 0})

    def needs(self, at: At) -> Iterator[Choice]:
        if not self.player:
            yield Choice("player", "", "who sends aid?", at.state.seats)
        if not self.side:
            yield Choice("side", self.player, "to which side?", ["attacker", "defender"])
        if self.player and self.generals is None and self.armies is None:
            p = at.state.players[self.player]
            if p.generals:
                yield Choice("generals", self.player, "which Generals are lent?", list(p.generals))
            if p.armies:
                yield Choice("armies", self.player, "how many armies are lent?", list(range(p.armies + 1)))

    def apply(self, at: At) -> None:
        c = campaign_of(at)
        if c is None or not self.side:
            return
        side: Side = self.side
        generals, armies = list(self.generals or ()), self.armies or 0
        if at.on("WS-ALLY-1"):
            c.allies.append(Aid(self.player, side, list(generals), armies))
        helped = c.principal(side)
        at.note(
            "WS-ALLY-1",
            f"{self.player} lends {named_units(generals, armies)} to {helped}, the {side}",
            player=self.player,
            side=side,
            generals=generals,
            armies=armies,
        )
        at.cite("WS-ALLY-4", "to one side only", side=side)
        if at.state.players[self.player].attack_banned:
            at.note("WS-ALLY-12", f"the ban on {self.player} does not touch aid")
        spoke(at, c, self.player)

    @classmethod
    def candidates(cls, at: At) -> Iterator[Move]:
        c = campaign_of(at)
        for player in speakers(at, c) if c else []:
            p = at.state.players[player]
            for side in ("attacker", "defender"):
                yield from (cls(player, side, None, n) for n in range(1, p.armies + 1))
                for g in sorted(set(p.generals)):
                    yield from (cls(player, side, (g,), n or None) for n in range(p.armies + 1))


def _may_speak(at: At, c: Campaign, player: str) -> Iterator[Breach]:
    if c.side_of(player):
        yield Breach("WS-ALLY-2", f"{player} is the {c.side_of(player)} of this war", {"player": player})
    elif c.round != "ally":
        yield Breach("WS-ALLY-3", "the Ally Segment of this war is over", {"round": c.round})
    elif player in c.spoken:
        yield Breach("WS-ALLY-3", f"{player} has spoken already", {"spoken": list(c.spoken)})
    elif (first := speakers(at, c)[0]) != player:
        yield Breach("WS-ALLY-3", f"{first} speaks before {player}", {"next": first})


class DeclineAid(Move, frozen=True):
    """A player who is not a party to the war sends nothing."""

    name = "decline_aid"
    words = ("decline", "no aid")
    example = "decline qin"
    player: Annotated[str, Seat()] = ""

    def filled(self, at: At) -> DeclineAid:
        c = campaign_of(at)
        waiting = speakers(at, c) if c else []
        return DeclineAid(waiting[0]) if not self.player and waiting else self

    def forbidden(self, at: At) -> Iterator[Breach]:
        yield from wrong_phase(at, "war")
        c = campaign_of(at)
        if c is not None and self.player:
            yield from _may_speak(at, c, self.player)
        elif at.state.phase == "war" and c is None:
            yield Breach("WS-ALLY-3", "no war has been declared", {})

    def needs(self, at: At) -> Iterator[Choice]:
        if not self.player:
            yield Choice("player", "", "who declines?", at.state.seats)

    def apply(self, at: At) -> None:
        c = campaign_of(at)
        if c is not None:
            at.note("WS-ALLY-3", f"{self.player} sends nothing", player=self.player)
            spoke(at, c, self.player)

    @classmethod
    def candidates(cls, at: At) -> Iterator[Move]:
        c = campaign_of(at)
        yield from (cls(p) for p in (speakers(at, c) if c else []))


class Recall(Move, frozen=True):
    """An ally calls units home: all of them, or those named. Possible at any time of the war."""

    name = "recall"
    role = "free"
    words = ("recall",)
    example = "recall qin"
    player: Annotated[str, Seat()] = ""
    generals: Annotated[tuple[str, ...], GeneralName(many=True)] = ()
    armies: Annotated[int | None, Count()] = None

    def filled(self, at: At) -> Recall:
        c = campaign_of(at)
        if c and not self.player and len({a.player for a in c.allies}) == 1:
            return Recall(c.allies[0].player, self.generals, self.armies)
        return self

    def _wanted(self, c: Campaign) -> Units:
        away = Units()
        for aid in c.allies:
            if aid.player == self.player:
                away.generals += aid.generals
                away.armies += aid.armies
        named = self.generals or self.armies is not None
        return Units(list(self.generals), self.armies or 0) if named else away

    def forbidden(self, at: At) -> Iterator[Breach]:
        c = campaign_of(at)
        if not self.player:
            return
        if c is None or not any(a.player == self.player for a in c.allies):
            yield Breach(
                "WS-ALLY-5",
                f"{self.player} has no allied units in a war",
                {"allies": msgspec.to_builtins(c.allies) if c else []},
            )
            return
        have = [g for a in c.allies if a.player == self.player for g in a.generals]
        armies = sum(a.armies for a in c.allies if a.player == self.player)
        wanted = self._wanted(c)
        if missing(wanted.generals, have) or not 0 <= wanted.armies <= armies or not wanted.count:
            yield Breach(
                "WS-ALLY-5",
                f"{self.player} has {named_units(have, armies)} away, not {named_units(wanted.generals, wanted.armies)}",
                {"generals": have, "armies": armies},
            )

    def needs(self, at: At) -> Iterator[Choice]:
        c = campaign_of(at)
        if not self.player and c:
            yield Choice("player", "", "who recalls?", sorted({a.player for a in c.allies}))

    def apply(self, at: At) -> None:
        c = campaign_of(at)
        if c is None or not at.on("WS-ALLY-5"):
            return
        wanted = self._wanted(c)
        if c.round == "clash" and c.shown:
            at.note(
                "WS-ALLY-7",
                f"{count(wanted.count, 'unit')} fewer in the Battle Total",
                units=wanted.count,
            )
            if wanted.generals:
                at.note("WS-ALLY-8", "nor do the skills of the Generals count", generals=list(wanted.generals))
        left = Units(list(wanted.generals), wanted.armies)
        for aid in [a for a in c.allies if a.player == self.player]:
            for general in list(left.generals):
                if general in aid.generals:
                    aid.generals.remove(general)
                    left.generals.remove(general)
            n = min(left.armies, aid.armies)
            aid.armies -= n
            left.armies -= n
            if not aid.generals and not aid.armies:
                c.allies.remove(aid)
        if at.on("WS-ALLY-6") and self.player not in c.recalled:
            c.recalled.append(self.player)
        at.note("WS-ALLY-5", f"{self.player} recalls {named_units(wanted.generals, wanted.armies)}", player=self.player)
        at.note(
            "WS-ALLY-6",
            "the battle already decided is not recomputed"
            if c.winner
            else "the Battle Total changes at once; they cannot return to this war",
        )
        settle_clash(at)

    @classmethod
    def candidates(cls, at: At) -> Iterator[Move]:
        c = campaign_of(at)
        yield from (cls(p) for p in (sorted({a.player for a in c.allies}) if c else []))


__all__ = ["DeclineAid", "Recall", "SendAid"]
