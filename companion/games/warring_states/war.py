"""The War Phase outside the battles: declaring war, fighting on, ending (rules WS-WAR, WS-CAS-4 to -8)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated, Any, ClassVar

import msgspec

from companion.engine.play.moves import Breach, Count, Move, Seat

from .campaign import (
    campaign_of,
    choosable,
    close_campaign,
    enough,
    may_fight_on,
    missing,
    speakers,
    start_battle,
    unengaged,
    war_of,
    war_order,
)
from .catalogue import At, units
from .domains import GeneralName
from .state import Campaign, Units, War
from .steps import ROUND_WORDS, presumed_step


class DeclareWar(Move, frozen=True):
    """The player whose war turn it is declares war and names the units committed."""

    name = "declare_war"
    words = ("attack", "war", "declare war")
    example = "attack chu daring 2"
    sampled = True
    asks: ClassVar = {"defender": "WS-WAR-8", "generals": "WS-WAR-7.generals", "armies": "WS-WAR-7.armies"}
    attacker: Annotated[str, Seat()] = ""
    defender: Annotated[str, Seat(actor=False)] = ""
    generals: Annotated[tuple[str, ...] | None, GeneralName(many=True)] = None
    armies: Annotated[int | None, Count()] = None

    def options(self, at: At, field: str) -> Iterable[Any] | None:
        war = war_of(at)
        if war is None or field in ("attacker", "defender"):
            return super().options(at, field)
        free = unengaged(at, war)
        return choosable(free.generals) if field == "generals" else range(free.armies + 1)

    def forbidden(self, at: At) -> Iterator[Breach]:
        war = war_of(at)
        if war is None or not self.attacker:
            return
        yield from _not_on_turn(at, war, self.attacker)
        if war.campaign:
            yield at.breach("WS-WAR-10.running", running=war.campaign.defender)
        p = at.state.players[self.attacker]
        if p.attack_banned:
            yield at.breach("WS-WAR-14", "WS-EVENT-11", player=self.attacker, event=self._banned_by(at), banned=True)
        if self.defender:
            yield from self._against(at, war)
        if not enough(at, len(p.generals), p.armies):
            yield at.breach("WS-WAR-5", player=self.attacker, **_needed(at, p))
        if self.attacker == war.turn_of and not war.campaign:
            yield from self._units(at, war)

    def _banned_by(self, at: At) -> str:
        s = at.state
        return s.event if s.event and s.event_target == self.attacker else "an earlier Event"

    def _against(self, at: At, war: War) -> Iterator[Breach]:
        target = at.state.players[self.defender]
        if self.defender == self.attacker:
            yield at.breach("WS-WAR-8.self", defender=self.defender)
        elif not target.has_unit and not target.provinces.total:
            yield at.breach("WS-WAR-8.nothing", defender=self.defender)
        if war.fought.count(self.defender) >= at["war.campaigns_per_opponent"]:
            yield at.breach("WS-WAR-11", defender=self.defender, fought=list(war.fought))

    def _units(self, at: At, war: War) -> Iterator[Breach]:
        p = at.state.players[self.attacker]
        free = unengaged(at, war)
        generals, armies = self.generals or (), self.armies or 0
        named = units(generals, armies)
        facts = {"unengaged": _form(free), "engaged": _form(war.engaged), "named": named}
        least_g, least_a = at["war.min_generals"], at["war.min_armies"]
        too_few = self.generals is not None and len(generals) < least_g
        if enough(at, len(p.generals), p.armies) and (too_few or (self.armies is not None and armies < least_a)):
            yield at.breach("WS-WAR-7.too_few", need_generals=least_g, need_armies=least_a, **facts)
        if missing(generals, p.generals) or not 0 <= armies <= p.armies:
            has = units(p.generals, p.armies)
            yield at.breach("WS-WAR-7.not_in_play", player=self.attacker, has=has, **facts)
            return
        short = missing(generals, free.generals) or armies > free.armies
        if war.engaged.count and (short or not enough(at, len(free.generals), free.armies)):
            busy, left = units(war.engaged.generals, war.engaged.armies), units(free.generals, free.armies)
            facts |= {"player": self.attacker, "busy": busy, "free": left}
            yield at.breach("WS-WAR-9", "WS-WAR-10", "WS-WAR-7", **facts)

    def apply(self, at: At) -> None:
        war = war_of(at)
        if war is None:
            return
        c = Campaign(self.defender, self.attacker, Units(list(self.generals or ()), self.armies or 0))
        c.destiny = dict.fromkeys(c.belligerents)
        war.campaign = c
        at.note("WS-WAR-3", attacker=self.attacker, defender=self.defender)
        at.note("WS-WAR-7", units=units(c.committed.generals, c.committed.armies), committed=_form(c.committed))
        p = at.state.players[self.defender]
        if p.has_unit:
            at.note("WS-WAR-6", defender=self.defender, units=units(p.generals, p.armies))
        if waiting := speakers(at, c):
            at.note("WS-ALLY-3.speak", speakers=waiting)
        else:
            start_battle(at, c)

    @classmethod
    def candidates(cls, at: At) -> Iterator[Move]:
        war = war_of(at)
        if war is None or war.campaign:
            return
        free = unengaged(at, war)
        for defender in at.state.seats:
            for armies in range(at["war.min_armies"], free.armies + 1):
                for generals in dict.fromkeys([*((g,) for g in sorted(free.generals)), tuple(free.generals)]):
                    yield cls(war.turn_of, defender, generals, armies)


def _form(some: Units) -> dict[str, Any]:
    return {"generals": list(some.generals), "armies": some.armies}


def _needed(at: At, has: Any) -> dict[str, int]:
    """The units a player has, and those a war needs."""
    need = {"need_generals": at["war.min_generals"], "need_armies": at["war.min_armies"]}
    return {"generals": len(has.generals), "armies": has.armies, **need}


def _not_on_turn(at: At, war: War, player: str) -> Iterator[Breach]:
    if player == war.turn_of:
        return
    if player in war.done or player not in war_order(at):
        yield at.breach("WS-WAR-2", "WS-WAR-1", player=player, turn_of=war.turn_of, done=list(war.done))
    else:
        yield at.breach("WS-WAR-1", player=player, turn_of=war.turn_of)


# --- fighting on, or not -----------------------------------------------------------------------------------------


class Reinforcement(msgspec.Struct, frozen=True, omit_defaults=True):
    """Unengaged units that join the campaign before its next battle (WS-WAR-12)."""

    generals: Annotated[tuple[str, ...], GeneralName(many=True)] = ()
    armies: Annotated[int, Count()] = 0


def _undecided(at: At, war: War, player: str) -> Iterator[Breach]:
    """Fighting on and stopping are decided after the casualties."""
    c = war.campaign
    if c is None:
        if war.fought:
            yield at.breach("WS-CAS-7.ended", defender=war.fought[-1], fought=list(war.fought))
        else:
            yield at.breach("WS-WAR-3.no_war")
    elif c.round == "ally":
        yield at.breach("WS-WAR-3.ally", round=c.round)
    elif c.round != "decide":
        yield at.breach("WS-TACT-1.decide", round=c.round, battle=c.battle, now=ROUND_WORDS[c.round])
    if c is not None and player and player != c.attacker:
        yield at.breach("WS-CAS-4.attacker", attacker=c.attacker, player=player)


class _AfterBattle(Move, frozen=True):
    """The decisions after a battle: they say that its forced steps have happened, and wait for its choices."""

    def presumes(self, at: At) -> Move | None:
        return presumed_step(at, "decide")


class AttackAgain(_AfterBattle, frozen=True):
    """The attacker fights another battle against the same opponent, perhaps with more units."""

    name = "attack_again"
    words = ("again", "attack again")
    example = "again"
    sampled = True
    attacker: Annotated[str, Seat()] = ""
    reinforcement: Reinforcement | None = None

    def options(self, at: At, field: str) -> Iterable[Any] | None:
        c = campaign_of(at)
        return [c.attacker] if c and field == "attacker" else None

    def forbidden(self, at: At) -> Iterator[Breach]:
        war = war_of(at)
        if war is None:
            return
        c = war.campaign
        yield from _undecided(at, war, self.attacker)
        free = unengaged(at, war)
        facts = {"unengaged": _form(free), "free": units(free.generals, free.armies)}
        if c is None:
            if war.fought and not enough(at, len(free.generals), free.armies):
                yield at.breach("WS-CAS-5.engaged", "WS-CAS-4", player=war.turn_of, **facts)
            return
        here = c.committed
        more = self.reinforcement or Reinforcement()
        facts |= {"player": c.attacker, "committed": _form(here), "here": units(here.generals, here.armies)}
        if not may_fight_on(at, c):
            yield at.breach("WS-CAS-4.units", "WS-CAS-5", **facts)
            if lent := [a.player for a in c.allies if a.side == "attacker"]:
                yield at.breach("WS-ALLY-9.lent", allies=lent, **facts)
        elif not enough(at, len(here.generals) + len(more.generals), here.armies + more.armies):
            yield at.breach("WS-CAS-5.commit", **facts)
        defender = at.state.players[c.defender]
        if not defender.has_unit and not defender.provinces.total:
            yield at.breach("WS-CAS-7.nothing", defender=c.defender)
        if missing(more.generals, free.generals) or not 0 <= more.armies <= free.armies:
            yield at.breach("WS-WAR-12.not_free", named=units(more.generals, more.armies), **facts)
        elif (more.generals or more.armies) and not at["war.reinforce_between_battles"]:
            yield at.breach("WS-WAR-12.never", **facts)

    def apply(self, at: At) -> None:
        c = campaign_of(at)
        if c is None:
            return
        more = self.reinforcement
        if more and (more.generals or more.armies):
            c.committed.generals += more.generals
            c.committed.armies += more.armies
            named = units(more.generals, more.armies)
            at.note("WS-WAR-12", attacker=c.attacker, units=named, committed=_form(c.committed))
        c.battle += 1
        here = units(c.committed.generals, c.committed.armies)
        at.note("WS-CAS-4", attacker=c.attacker, defender=c.defender, battle=c.battle, units=here)
        start_battle(at, c)

    @classmethod
    def candidates(cls, at: At) -> Iterator[Move]:
        war = war_of(at)
        if war and war.campaign and war.campaign.round == "decide":
            yield cls(war.campaign.attacker)
            free = unengaged(at, war)
            alone = [((g,), 0) for g in sorted(set(free.generals))] + [((), 1)] * (free.armies > 0)
            for generals, armies in dict.fromkeys([*alone, (tuple(free.generals), free.armies)]):
                if generals or armies:
                    yield cls(war.campaign.attacker, Reinforcement(generals, armies))


class EndCampaign(_AfterBattle, frozen=True):
    """The attacker stops fighting this opponent."""

    name = "end_campaign"
    words = ("stop", "end campaign")
    example = "stop"
    attacker: Annotated[str, Seat()] = ""

    def options(self, at: At, field: str) -> Iterable[Any] | None:
        c = campaign_of(at)
        return [c.attacker] if c else None

    def already(self, at: At) -> bool:
        war = war_of(at)
        return war is not None and war.campaign is None and bool(war.fought) and self.attacker in ("", war.turn_of)

    def forbidden(self, at: At) -> Iterator[Breach]:
        if war := war_of(at):
            yield from _undecided(at, war, self.attacker)

    def apply(self, at: At) -> None:
        close_campaign(at)


class EndWarTurn(_AfterBattle, frozen=True):
    """A player ends the war turn."""

    name = "end_war_turn"
    words = ("end", "peace", "end war turn")
    example = "end qin"
    player: Annotated[str, Seat()] = ""

    def options(self, at: At, field: str) -> Iterable[Any] | None:
        war = war_of(at)
        return [war.turn_of] if war else None

    def forbidden(self, at: At) -> Iterator[Breach]:
        war = war_of(at)
        if war is None or not self.player:
            return
        yield from _not_on_turn(at, war, self.player)
        c = war.campaign
        if c is not None and c.round == "ally":
            yield at.breach("WS-WAR-3.ally", round=c.round)
        elif c is not None and c.round != "decide":
            yield at.breach("WS-WAR-15", round=c.round, battle=c.battle, defender=c.defender)

    def apply(self, at: At) -> None:
        s = at.state
        war = s.war
        if war is None:
            return
        if war.campaign is not None:
            close_campaign(at)
        at.note("WS-WAR-15", player=self.player)
        p = s.players[self.player]
        if p.attack_banned:
            p.attack_banned = False
            at.note("WS-EVENT-12.over", player=self.player)
        war.done.append(self.player)
        war.engaged = Units()
        war.fought = []
        left = [q for q in war_order(at) if q not in war.done]
        if left:
            war.turn_of = left[0]
            at.note("WS-WAR-1.next", turn_of=left[0])
