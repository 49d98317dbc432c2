"""The Ally Segment: aid sent, declined, and recalled at any time (rules WS-ALLY)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated, Any, ClassVar, Literal

import msgspec

from companion.engine.play.moves import Breach, Choice, Count, Move, OneOf, Seat

from .campaign import campaign_of, choosable, missing, speakers, spoke
from .catalogue import At, units
from .clash import settle_clash
from .domains import GeneralName
from .state import Aid, Campaign, Units


def _may_speak(at: At, player: str) -> Iterator[Breach]:
    """The Ally Segment is open, and it is for `player` to speak (WS-ALLY-2, WS-ALLY-3)."""
    c = campaign_of(at)
    if not player:
        return
    if c is None:
        yield at.breach("WS-ALLY-3.no_war")
    elif side := c.side_of(player):
        yield at.breach("WS-ALLY-2", player=player, side=side)
    elif c.round != "ally":
        yield at.breach("WS-ALLY-3.over", round=c.round)
    elif player in c.recalled:
        yield at.breach("WS-ALLY-6", "WS-ALLY-3", player=player, recalled=list(c.recalled))
    elif player in c.spoken:
        yield at.breach("WS-ALLY-3.spoken", player=player, spoken=list(c.spoken))
    elif (first := speakers(at, c)[0]) != player:
        yield at.breach("WS-ALLY-3.next", player=player, next=first)


def next_to_speak(at: At) -> list[str]:
    c = campaign_of(at)
    return speakers(at, c)[:1] if c else []


class SendAid(Move, frozen=True):
    """A player who is not a party to the war lends units to one side."""

    name = "send_aid"
    role = "free"
    words = ("aid", "help", "send aid")
    example = "aid qin defender steadfast"
    sampled = True
    asks: ClassVar = {"side": "WS-ALLY-1", "generals": "WS-ALLY-4.generals", "armies": "WS-ALLY-4.armies"}
    player: Annotated[str, Seat()] = ""
    side: Annotated[Literal["", "attacker", "defender"], OneOf("attacker", "defender")] = ""
    generals: Annotated[tuple[str, ...] | None, GeneralName(many=True)] = None
    armies: Annotated[int | None, Count()] = None

    def options(self, at: At, field: str) -> Iterable[Any] | None:
        p = at.state.players.get(self.player)
        if field == "player":
            return next_to_speak(at)
        if field == "side" or p is None:
            return super().options(at, field)
        if field == "generals":
            return None if p.armies or self.armies is not None else choosable(p.generals)[1:]
        return range(1, p.armies + 1) if p.armies and self.generals is None else None

    def forbidden(self, at: At) -> Iterator[Breach]:
        yield from _may_speak(at, self.player)
        c = campaign_of(at)
        if c is None or not self.player:
            return
        if self.side and any(a.player == self.player and a.side != self.side for a in c.allies):
            yield at.breach("WS-ALLY-4.side", player=self.player)
        p = at.state.players[self.player]
        generals, armies = self.generals or (), self.armies or 0
        facts = {"player": self.player, "generals": list(p.generals), "armies": p.armies}
        if missing(generals, p.generals) or not 0 <= armies <= p.armies:
            yield at.breach(
                "WS-ALLY-4.not_own", has=units(p.generals, p.armies), named=units(generals, armies), **facts
            )
        elif not p.has_unit:
            yield at.breach("WS-ALLY-4.nothing", **facts)
        elif not generals and not armies and (self.generals is not None or self.armies is not None):
            yield at.breach("WS-ALLY-4.none", **facts)

    def questions(self, at: At, field: str, values: list[Any]) -> list[Choice]:
        generals = at.state.players[self.player].generals if field == "armies" else []
        also = [at.ask("WS-ALLY-4.generals", "generals", self.player, generals)] if generals else []
        return [*super().questions(at, field, values), *also]

    def apply(self, at: At) -> None:
        c = campaign_of(at)
        if c is None or not self.side:
            return
        generals, armies = list(self.generals or ()), self.armies or 0
        c.allies.append(Aid(self.player, self.side, list(generals), armies))
        facts: dict[str, Any] = {
            "side": self.side,
            "helped": c.principal(self.side),
            "generals": generals,
            "armies": armies,
        }
        at.note("WS-ALLY-1", player=self.player, units=units(generals, armies), **facts)
        if at.state.players[self.player].attack_banned:
            at.note("WS-ALLY-12", player=self.player)
        spoke(at, c, self.player)

    @classmethod
    def candidates(cls, at: At) -> Iterator[Move]:
        for player in next_to_speak(at):
            p = at.state.players[player]
            for side in ("attacker", "defender"):
                yield from (cls(player, side, None, n) for n in range(1, p.armies + 1))
                for g in sorted(set(p.generals)):
                    yield from (cls(player, side, (g,), n or None) for n in range(p.armies + 1))


class DeclineAid(Move, frozen=True):
    """A player who is not a party to the war sends nothing."""

    name = "decline_aid"
    words = ("decline", "no aid")
    example = "decline qin"
    player: Annotated[str, Seat()] = ""

    def options(self, at: At, field: str) -> Iterable[Any] | None:
        return next_to_speak(at)

    def forbidden(self, at: At) -> Iterator[Breach]:
        yield from _may_speak(at, self.player)

    def apply(self, at: At) -> None:
        c = campaign_of(at)
        if c is not None:
            at.note("WS-ALLY-3.declines", player=self.player)
            spoke(at, c, self.player)


class Recall(Move, frozen=True):
    """An ally recalls units, all of them or those named, at any time of the war."""

    name = "recall"
    role = "free"
    words = ("recall",)
    example = "recall qin"
    asks: ClassVar = {"player": "WS-ALLY-5"}
    player: Annotated[str, Seat()] = ""
    generals: Annotated[tuple[str, ...], GeneralName(many=True)] = ()
    armies: Annotated[int | None, Count()] = None

    def options(self, at: At, field: str) -> Iterable[Any] | None:
        c = campaign_of(at)
        return list(dict.fromkeys(a.player for a in c.allies)) if c and field == "player" else None

    def _away(self, c: Campaign | None) -> Units:
        sent = [aid for aid in c.allies if aid.player == self.player] if c else []
        return Units([g for aid in sent for g in aid.generals], sum(aid.armies for aid in sent))

    def _wanted(self, c: Campaign) -> Units:
        named = self.generals or self.armies is not None
        return Units(list(self.generals), self.armies or 0) if named else self._away(c)

    def forbidden(self, at: At) -> Iterator[Breach]:
        c = campaign_of(at)
        away = self._away(c)
        if not self.player:
            return
        if c is None or not away.count:
            allies = msgspec.to_builtins(c.allies) if c else []
            yield at.breach("WS-ALLY-5.none", player=self.player, allies=allies)
            return
        wanted = self._wanted(c)
        if missing(wanted.generals, away.generals) or not 0 <= wanted.armies <= away.armies or not wanted.count:
            facts = {"generals": away.generals, "armies": away.armies, "away": units(away.generals, away.armies)}
            yield at.breach("WS-ALLY-5.other", player=self.player, named=units(wanted.generals, wanted.armies), **facts)

    def apply(self, at: At) -> None:
        c = campaign_of(at)
        if c is None:
            return
        wanted = self._wanted(c)
        left = Units(list(wanted.generals), wanted.armies)
        for aid in [a for a in c.allies if a.player == self.player]:
            for general in missing(left.generals, missing(left.generals, aid.generals)):
                aid.generals.remove(general)
                left.generals.remove(general)
            n = min(left.armies, aid.armies)
            aid.armies -= n
            left.armies -= n
            if not aid.generals and not aid.armies:
                c.allies.remove(aid)
        if self.player not in c.recalled:
            c.recalled.append(self.player)
        at.note("WS-ALLY-5", player=self.player, units=units(wanted.generals, wanted.armies))
        at.note("WS-ALLY-6.decided" if c.winner else "WS-ALLY-6.at_once", player=self.player)
        settle_clash(at)
