"""The War Phase outside the battles: declaring war, fighting on, ending (rules WS-WAR, WS-CAS-4 to -8)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Annotated, Any

import msgspec

from companion.rules import Breach, Count, Move, Options, PieceName, Seat

from . import campaign as war_state
from .campaign import enough, the_campaign, the_war, turns_left, unengaged
from .catalogue import At
from .moves import Act, BattleStep, presumed_step
from .state import Campaign, Player, Units, War
from .units import WITH, choices, every_unit, in_words, includes, size, together


class DeclareWar(Move, frozen=True):
    """The player whose war turn it is declares war and names the units committed."""

    words = ("attack",)
    sampled = True
    few = 3
    attacker: Annotated[str, Seat()] = ""
    defender: Annotated[str, Seat(actor=False, after=("against", "with"))] = ""
    generals: Annotated[tuple[str, ...] | None, PieceName("general", many=True, after=WITH)] = None
    armies: Annotated[int | None, Count(after=WITH)] = None

    def generals_options(self, at: At) -> Options:
        return choices(unengaged(at).generals)

    def armies_options(self, at: At) -> Options:
        return range(unengaged(at).armies + 1)

    def everything(self, at: At, field: str) -> Any:
        return every_unit(unengaged(at) if at.state.war else Units(), field)

    def forbidden(self, at: At) -> Iterator[Breach]:
        war = at.state.war
        if war is None:
            return
        yield from _not_on_turn(at, war, self.attacker)
        if war.campaign:
            yield at.breach("WS-WAR-10.running", running=war.campaign.defender)
        s, p = at.state, at.state.players[self.attacker]
        if p.attack_banned:
            event = s.event if s.event and s.event_target == self.attacker else "an earlier Event"
            yield at.breach("WS-WAR-14", "WS-EVENT-11", player=self.attacker, event=event, banned=True)
        if self.defender:
            yield from self._against(at, war)
        if not enough(at, p):
            facts = {"generals": len(p.generals), "armies": p.armies, **_needed(at)}
            yield at.breach("WS-WAR-5", player=self.attacker, **facts)
        if self.attacker == war.turn_of and not war.campaign:
            yield from self._units(at, war, p)

    def _against(self, at: At, war: War) -> Iterator[Breach]:
        if self.defender == self.attacker:
            yield at.breach("WS-WAR-8.self", defender=self.defender)
        elif at.state.players[self.defender].has_nothing:
            yield at.breach("WS-WAR-8.nothing", defender=self.defender)
        if war.fought.count(self.defender) >= at["war.campaigns_per_opponent"]:
            yield at.breach("WS-WAR-11", defender=self.defender, fought=list(war.fought))

    def _units(self, at: At, war: War, p: Player) -> Iterator[Breach]:
        free, least = unengaged(at), _needed(at)
        facts = {"player": self.attacker, "named": in_words(self), "free": in_words(free), **least}
        too_few = self.generals is not None and len(self.generals) < least["need_generals"]
        if enough(at, p) and (too_few or (self.armies is not None and self.armies < least["need_armies"])):
            yield at.breach("WS-WAR-7.too_few", **facts)
        if not includes(p, self):
            yield at.breach("WS-WAR-7.not_in_play", has=in_words(p), **facts)
        elif size(war.engaged) and not (includes(free, self) and enough(at, free)):
            yield at.breach("WS-WAR-9", "WS-WAR-10", "WS-WAR-7", busy=in_words(war.engaged), **facts)

    def apply(self, at: At) -> None:
        c = Campaign(self.defender, self.attacker, together(self))
        c.destiny = dict.fromkeys(c.belligerents)
        the_war(at).campaign = c
        at.note("WS-WAR-3", attacker=self.attacker, defender=self.defender)
        at.note("WS-WAR-7", attacker=self.attacker, units=in_words(self))
        p = at.state.players[self.defender]
        if p.has_unit:
            at.note("WS-WAR-6", defender=self.defender, units=in_words(p))
        if waiting := war_state.speakers(at):
            at.note("WS-ALLY-3.speak", speakers=waiting)
        else:
            war_state.start_battle(at, c)


def _needed(at: At) -> dict[str, int]:
    """The units a war needs."""
    return {"need_generals": at["war.min_generals"], "need_armies": at["war.min_armies"]}


def _not_on_turn(at: At, war: War, player: str) -> Iterator[Breach]:
    if player != war.turn_of:
        over = () if player in turns_left(at) else ("WS-WAR-2",)
        yield at.breach(*over, "WS-WAR-1", player=player, turn_of=war.turn_of)


# --- fighting on, or not -----------------------------------------------------------------------------------------


class Reinforcement(msgspec.Struct, frozen=True, omit_defaults=True):
    """Unengaged units that join the campaign before its next battle (WS-WAR-12)."""

    generals: Annotated[tuple[str, ...], PieceName("general", many=True, after=(*WITH, "adding"))] = ()
    armies: Annotated[int, Count(after=(*WITH, "adding"), of=("army", "more"))] = 0


class _AfterBattle(BattleStep, frozen=True):
    """A decision of the attacker after a battle."""

    rounds = ("decide",)
    attacker: Annotated[str, Seat()] = ""

    def untimely(self, at: At) -> Iterator[Breach]:
        war = at.state.war
        if war and war.fought and war.campaign is None:
            yield at.breach("WS-CAS-7.ended", defender=war.fought[-1], fought=list(war.fought))
        else:
            yield from super().untimely(at)

    def forbidden(self, at: At) -> Iterator[Breach]:
        c = the_campaign(at)
        if self.attacker != c.attacker:
            yield at.breach("WS-CAS-4.attacker", attacker=c.attacker, player=self.attacker)


class AttackAgain(_AfterBattle, frozen=True):
    """The attacker fights another battle against the same opponent, perhaps with more units."""

    words = ("again",)
    sampled = True
    few = 3
    reinforcement: Reinforcement | None = None

    def everything(self, at: At, field: str) -> Any:
        free = unengaged(at) if at.state.war else Units()
        return None if field else {"reinforcement": Reinforcement(tuple(sorted(free.generals)), free.armies)}

    def reinforcement_options(self, at: At) -> Options:
        free = unengaged(at)
        more = [Reinforcement(some, n) for some, n in product(choices(free.generals), range(free.armies + 1))]
        return [None, *more[1:]]

    def untimely(self, at: At) -> Iterator[Breach]:
        yield from super().untimely(at)
        war = at.state.war
        if war and war.fought and war.campaign is None and not enough(at, free := unengaged(at)):
            yield at.breach("WS-CAS-5.engaged", "WS-CAS-4", player=war.turn_of, free=in_words(free), **_needed(at))

    def forbidden(self, at: At) -> Iterator[Breach]:
        yield from super().forbidden(at)
        c = the_campaign(at)
        free = unengaged(at)
        more = self.reinforcement or Reinforcement()
        facts = {"player": c.attacker, "free": in_words(free), "here": in_words(c.committed), **_needed(at)}
        if not war_state.may_fight_on(at, c):
            yield at.breach("WS-CAS-4.units", "WS-CAS-5", **facts)
            if lent := [a.player for a in c.allies if a.side == "attacker"]:
                yield at.breach("WS-ALLY-9.lent", allies=lent, **facts)
        elif not enough(at, together(c.committed, more)):
            yield at.breach("WS-CAS-5.commit", **facts)
        if at.state.players[c.defender].has_nothing:
            yield at.breach("WS-CAS-7.nothing", defender=c.defender)
        if not includes(free, more):
            yield at.breach("WS-WAR-12.not_free", named=in_words(more), **facts)
        elif size(more) and not at["war.reinforce_between_battles"]:
            yield at.breach("WS-WAR-12.never", **facts)

    def apply(self, at: At) -> None:
        c = the_campaign(at)
        more = self.reinforcement or Reinforcement()
        if size(more):
            c.committed = together(c.committed, more)
            at.note("WS-WAR-12", attacker=c.attacker, units=in_words(more))
        c.battle += 1
        facts: dict[str, Any] = {"attacker": c.attacker, "defender": c.defender, "battle": c.battle}
        at.note("WS-CAS-4", units=in_words(c.committed), **facts)
        war_state.start_battle(at, c)


class EndCampaign(_AfterBattle, frozen=True):
    """The attacker stops fighting this opponent."""

    words = ("stop",)
    leaves = ("attack_again",)

    def already(self, at: At) -> bool:
        war = at.state.war
        return bool(war and war.campaign is None and war.fought and self.attacker in ("", war.turn_of))

    def apply(self, at: At) -> None:
        war_state.close_campaign(at)


class EndWarTurn(Act, frozen=True):
    """A player ends the war turn."""

    words = ("end",)
    leaves = ("declare_war",)

    def player_options(self, at: At) -> Options:
        return [at.state.war.turn_of] if at.state.war else at.seats

    def presumes(self, at: At) -> Move | None:
        return presumed_step(at, "decide")

    def forbidden(self, at: At) -> Iterator[Breach]:
        war, c = at.state.war, at.state.campaign
        if war:
            yield from _not_on_turn(at, war, self.player)
        if c and c.round == "ally":
            yield at.breach("WS-WAR-3.ally", waiting=war_state.awaited_helpers(at))
        elif c and c.round != "decide":
            yield at.breach("WS-WAR-15", round=c.round, battle=c.battle, defender=c.defender)

    def apply(self, at: At) -> None:
        p = self.own(at)
        war = the_war(at)
        if war.campaign is not None:
            war_state.close_campaign(at)
        at.note("WS-WAR-15", player=self.player)
        if p.attack_banned:
            p.attack_banned = False
            at.note("WS-EVENT-12.over", player=self.player)
        war.done.append(self.player)
        war.engaged = Units()
        war.fought = []
        if left := turns_left(at):
            war.turn_of = left[0]
            at.note("WS-WAR-1.next", turn_of=left[0])
