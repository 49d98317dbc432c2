"""The Ally Segment: aid sent, declined, and recalled at any time (rules WS-ALLY)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, Literal

from companion.rules import Breach, Choice, Count, Move, OneOf, Options, PieceName

from .campaign import lent, speakers, start_battle, the_campaign
from .catalogue import At
from .clash import settle_clash
from .moves import Act
from .state import Aid, Units
from .units import WITH, Force, choices, drop, every_unit, in_words, includes, size, together


class _Speak(Act, frozen=True):
    """A player who is not a party to the war speaks in its Ally Segment."""

    def player_options(self, at: At) -> Options:
        c = at.state.campaign
        return speakers(at)[:1] or [p for p in at.seats if not (c and c.side_of(p))] or at.seats

    def presumes(self, at: At) -> Move | None:
        """Whoever has no units to send need not say so."""
        first, *_ = speakers(at) or [self.player]
        mute = self.player not in ("", first) and not at.state.players[first].has_unit
        return DeclineAid(first) if mute and self.player in speakers(at) else None

    def untimely(self, at: At) -> Iterator[Breach]:
        if at.state.campaign is None:
            yield at.breach("WS-ALLY-3.no_war")

    def forbidden(self, at: At) -> Iterator[Breach]:
        """The Ally Segment is open, and it is for the player to speak (WS-ALLY-2, WS-ALLY-3)."""
        c, player = the_campaign(at), self.player
        if side := c.side_of(player):
            yield at.breach("WS-ALLY-2", player=player, side=side)
        elif player in c.recalled:
            yield at.breach("WS-ALLY-6", "WS-ALLY-3", player=player, recalled=list(c.recalled))
        if c.round != "ally":
            yield at.breach("WS-ALLY-3.over", round=c.round)
        elif side or player in c.recalled:
            return
        elif player in c.spoken:
            yield at.breach("WS-ALLY-3.spoken", player=player, spoken=list(c.spoken))
        elif (first := speakers(at)[0]) != player:
            yield at.breach("WS-ALLY-3.next", player=player, next=first)

    def has_spoken(self, at: At) -> None:
        """After the last one the first battle begins."""
        c = the_campaign(at)
        c.spoken.append(self.player)
        if not speakers(at):
            start_battle(at, c)


class DeclineAid(_Speak, frozen=True):
    """A player who is not a party to the war sends nothing."""

    words = ("decline",)
    leaves = ("send_aid",)

    def apply(self, at: At) -> None:
        at.note("WS-ALLY-3.declines", player=self.player)
        self.has_spoken(at)


class _Side(OneOf):
    """The side helped, also by the name of its player."""

    def spoken(self, at: At) -> dict[str, str]:
        c = at.state.campaign
        return super().spoken(at) | ({c.attacker: "attacker", c.defender: "defender"} if c else {})


class SendAid(_Speak, frozen=True):
    """A player who is not a party to the war lends units to one side."""

    role = "free"
    words = ("aid",)
    sampled = True
    few = 3
    side: Annotated[Literal["", "attacker", "defender"], _Side("attacker", "defender", after=("to", "for", "help"))] = (
        ""
    )
    generals: Annotated[tuple[str, ...] | None, PieceName("general", many=True, after=WITH)] = None
    armies: Annotated[int | None, Count(after=WITH)] = None

    def generals_options(self, at: At) -> Options:
        p = at.state.players[self.player]
        return None if self.armies is not None else [None] * bool(p.armies) + choices(p.generals)[1:]

    def armies_options(self, at: At) -> Options:
        armies = at.state.players[self.player].armies
        if self.generals is None and armies:
            return range(1, armies + 1)
        # 0 says no more than None: it stands where a list of examples seldom finds it
        return [None, *range(1, armies), 0, armies] if armies else [None, 0]

    def everything(self, at: At, field: str) -> Any:
        return every_unit(at.state.players[self.player] if self.player else Units(), field)

    def forbidden(self, at: At) -> Iterator[Breach]:
        yield from super().forbidden(at)
        p = self.own(at)
        sent = the_campaign(at).allies
        if self.side and any(aid.player == self.player and aid.side != self.side for aid in sent):
            yield at.breach("WS-ALLY-4.side", player=self.player)
        if not p.has_unit:
            yield at.breach("WS-ALLY-4.nothing", player=self.player)
        elif not includes(p, self):
            yield at.breach("WS-ALLY-4.not_own", player=self.player, has=in_words(p), named=in_words(self))
        elif not size(self) and (self.generals is not None or self.armies is not None):
            yield at.breach("WS-ALLY-4.none", player=self.player)

    def questions(self, at: At, field: str, values: list[Any]) -> list[Choice]:
        generals = at.state.players[self.player].generals if field == "armies" else []
        also = [at.ask("WS-ALLY-4.send_aid.generals", "generals", self.player, generals)] if generals else []
        return [*super().questions(at, field, values), *also]

    def apply(self, at: At) -> None:
        p = self.own(at)
        c, sent = the_campaign(at), together(self)
        side = self.side or "defender"
        c.allies.append(Aid(self.player, side, sent.generals, sent.armies))
        at.note("WS-ALLY-1", player=self.player, units=in_words(self), side=side, helped=c.principal(side))
        if p.attack_banned:
            at.note("WS-ALLY-12", player=self.player)
        self.has_spoken(at)


class Recall(Act, frozen=True):
    """An ally recalls units, all of them or those named, at any time of the war."""

    role = "free"
    generals: Annotated[tuple[str, ...], PieceName("general", many=True)] = ()
    armies: Annotated[int | None, Count()] = None

    def player_options(self, at: At) -> Options:
        return list(dict.fromkeys(aid.player for aid in lent(at))) or at.seats

    def armies_options(self, at: At) -> Options:
        return [None, *range(1, together(*lent(at, self.player)).armies + 1)]

    def everything(self, at: At, field: str) -> Any:
        return every_unit(together(*lent(at, self.player)) if self.player else Units(), field)

    def _wanted(self, at: At) -> Force:
        return self if self.generals or self.armies is not None else together(*lent(at, self.player))

    def forbidden(self, at: At) -> Iterator[Breach]:
        away, wanted = together(*lent(at, self.player)), self._wanted(at)
        if not size(away):
            yield at.breach("WS-ALLY-5.none", player=self.player)
        elif not includes(away, wanted) or not size(wanted):
            yield at.breach("WS-ALLY-5.other", player=self.player, away=in_words(away), named=in_words(wanted))

    def apply(self, at: At) -> None:
        c, wanted = the_campaign(at), self._wanted(at)
        at.note("WS-ALLY-5", player=self.player, units=in_words(wanted))
        for general in wanted.generals or ():
            drop(next(aid for aid in lent(at, self.player) if general in aid.generals), general)
        left = wanted.armies or 0
        for aid in lent(at, self.player):
            drop(aid, "army", n := min(left, aid.armies))
            left -= n
        c.allies = [aid for aid in c.allies if size(aid)]
        c.recalled = list(dict.fromkeys([*c.recalled, self.player]))
        at.note("WS-ALLY-6.decided" if c.winner else "WS-ALLY-6.at_once", player=self.player)
        settle_clash(at)
