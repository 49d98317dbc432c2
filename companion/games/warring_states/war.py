"""The War Phase outside the battles: declaring war, fighting on, ending (rules WS-WAR, WS-CAS)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

import msgspec

from companion.engine.play.moves import Breach, Choice, Count, Move, Seat
from components.phrasing import count

from .campaign import campaign_of, close_campaign, missing, speakers, start_battle, unengaged, war_of
from .catalogue import At, named_units
from .catalogue import armies as army_words
from .domains import GeneralName
from .ending import finish_turn
from .frame import war_order, wrong_phase
from .state import Campaign, Units, War
from .steps import choice_open, presumed_step


class DeclareWar(Move, frozen=True):
    """The player whose war turn it is declares war and names the units he commits."""

    name = "declare_war"
    words = ("attack", "war", "declare war")
    example = "attack chu daring 2"
    attacker: Annotated[str, Seat()] = ""
    defender: Annotated[str, Seat(actor=False)] = ""
    generals: Annotated[tuple[str, ...] | None, GeneralName(many=True)] = None
    armies: Annotated[int | None, Count()] = None

    def filled(self, at: At) -> DeclareWar:
        war = war_of(at)
        if war is None:
            return self
        attacker = self.attacker or war.turn_of
        generals, armies = self.generals, self.armies
        if generals is None and armies is None and attacker == war.turn_of:
            free = unengaged(at, war)
            if len(free.generals) == at["war.min_generals"] and free.armies == at["war.min_armies"]:
                generals, armies = tuple(free.generals), free.armies
        return DeclareWar(attacker, self.defender, generals, armies)

    def forbidden(self, at: At) -> Iterator[Breach]:
        s = at.state
        yield from wrong_phase(at, "war")
        war = war_of(at)
        if war is None:
            return
        yield from _not_his_turn(at, war, self.attacker)
        if war.campaign:
            yield Breach(
                "WS-WAR-10",
                f"the war against {war.campaign.defender} is still being fought",
                {"running": war.campaign.defender},
            )
        p = s.players[self.attacker]
        if p.attack_banned:
            yield Breach("WS-WAR-14", f"{self.attacker} may not attack in this war turn", {"banned": True})
            if at.on("WS-WAR-14"):
                yield Breach("WS-EVENT-11", f"the ban covers this war turn of {self.attacker}", {"banned": True})
        if self.defender:
            yield from self._against(at, war)
        least_g, least_a = at["war.min_generals"], at["war.min_armies"]
        if len(p.generals) < least_g or p.armies < least_a:
            yield Breach(
                "WS-WAR-5",
                f"{self.attacker} has {count(len(p.generals), 'General')} and {army_words(p.armies)} in play",
                {"generals": len(p.generals), "armies": p.armies, "need_generals": least_g, "need_armies": least_a},
            )
        if self.attacker == war.turn_of and not war.campaign:
            yield from self._units(at, war)

    def _against(self, at: At, war: War) -> Iterator[Breach]:
        target = at.state.players[self.defender]
        if self.defender == self.attacker:
            yield Breach("WS-WAR-8", f"{self.attacker} cannot attack themselves", {"defender": self.defender})
        elif not target.has_unit and not target.provinces.total:
            yield Breach("WS-WAR-8", f"{self.defender} has neither unit nor province", {"defender": self.defender})
        times = war.fought.count(self.defender)
        if times >= at["war.campaigns_per_opponent"]:
            yield Breach(
                "WS-WAR-11",
                f"{self.defender} has been warred on in this war turn already",
                {"fought": list(war.fought)},
            )

    def _units(self, at: At, war: War) -> Iterator[Breach]:
        p = at.state.players[self.attacker]
        free = unengaged(at, war)
        least_g, least_a = at["war.min_generals"], at["war.min_armies"]
        generals = self.generals or ()
        armies = self.armies or 0
        facts = {
            "unengaged": {"generals": list(free.generals), "armies": free.armies},
            "engaged": msgspec.to_builtins(war.engaged),
        }
        too_few_generals = self.generals is not None and len(generals) < least_g
        too_few_armies = self.armies is not None and armies < least_a
        if too_few_generals or too_few_armies:
            yield Breach(
                "WS-WAR-7",
                f"committed: {named_units(generals, armies)}; at least {count(least_g, 'General')} and {army_words(least_a)} are needed",
                facts,
            )
        foreign = missing(generals, p.generals)
        if foreign or not 0 <= armies <= p.armies:
            yield Breach(
                "WS-WAR-7",
                f"{self.attacker} has {named_units(p.generals, p.armies)} in play, not {named_units(generals, armies)}",
                facts,
            )
            return
        short_of_free = len(free.generals) < least_g or free.armies < least_a
        if not at.on("WS-WAR-9"):
            return
        if missing(generals, free.generals) or armies > free.armies or (short_of_free and war.engaged.count):
            why = f"{named_units(war.engaged.generals, war.engaged.armies)} engaged already; free: {named_units(free.generals, free.armies)}"
            yield Breach("WS-WAR-9", why, facts)
            yield Breach("WS-WAR-10", why, facts)
            yield Breach("WS-WAR-7", why, facts)

    def needs(self, at: At) -> Iterator[Choice]:
        war = war_of(at)
        if not self.defender and war:
            yield Choice(
                "defender",
                self.attacker,
                "against whom?",
                [p for p in at.state.seats if p != self.attacker and p not in war.fought],
            )
        if war and self.generals is None:
            yield Choice("generals", self.attacker, "which Generals are committed?", list(unengaged(at, war).generals))
        if war and self.armies is None:
            yield Choice(
                "armies",
                self.attacker,
                "how many armies are committed?",
                list(range(at["war.min_armies"], unengaged(at, war).armies + 1)),
            )

    def apply(self, at: At) -> None:
        war = war_of(at)
        if war is None:
            return
        c = Campaign(self.attacker, self.defender, Units(list(self.generals or ()), self.armies or 0))
        c.destiny = {self.attacker: None, self.defender: None}
        war.campaign = c
        at.note(
            "WS-WAR-3",
            f"{self.attacker} goes to war with {self.defender}",
            attacker=self.attacker,
            defender=self.defender,
        )
        at.note(
            "WS-WAR-7",
            f"committed: {named_units(c.committed.generals, c.committed.armies)}",
            committed=msgspec.to_builtins(c.committed),
        )
        p = at.state.players[self.defender]
        at.cite(
            "WS-WAR-6",
            f"{self.defender} fights with {named_units(p.generals, p.armies)}",
            generals=list(p.generals),
            armies=p.armies,
        )
        at.cite(
            "WS-WAR-8",
            f"{self.defender} has {named_units(p.generals, p.armies)} and {count(p.provinces.total, 'province')}",
        )
        if war.fought:
            at.cite("WS-WAR-10", "the campaign before it is over, and its units stay engaged", fought=list(war.fought))
            at.cite("WS-WAR-9", "a further opponent, with a General and an Army of its own", fought=list(war.fought))
        if waiting := speakers(at, c):
            at.note("WS-ALLY-3", f"aid is asked of {', '.join(waiting)}, in this order", speakers=waiting)
        else:
            start_battle(at, c)

    @classmethod
    def candidates(cls, at: At) -> Iterator[Move]:
        war = war_of(at)
        if war is None or war.campaign:
            return
        free = unengaged(at, war)
        kinds = sorted(set(free.generals))
        for defender in at.state.seats:
            if defender != war.turn_of:
                for armies in range(1, free.armies + 1):
                    yield from (cls(war.turn_of, defender, (g,), armies) for g in kinds)
                    if len(free.generals) > 1:
                        yield cls(war.turn_of, defender, tuple(free.generals), armies)


def _not_his_turn(at: At, war: War, player: str) -> Iterator[Breach]:
    if player == war.turn_of:
        return
    if player in war.done or player not in war_order(at):
        yield Breach(
            "WS-WAR-2", f"{player} has no war turn left this turn", {"turn_of": war.turn_of, "done": list(war.done)}
        )
    yield Breach("WS-WAR-1", f"it is the war turn of {war.turn_of}", {"turn_of": war.turn_of})


# --- fighting on, or not -----------------------------------------------------------------------------------------


class Reinforcement(msgspec.Struct, frozen=True, omit_defaults=True):
    """Unengaged units that join the campaign before its next battle (WS-WAR-12)."""

    generals: Annotated[tuple[str, ...], GeneralName(many=True)] = ()
    armies: Annotated[int, Count()] = 0


def _undecided(at: At, c: Campaign | None, player: str) -> Iterator[Breach]:
    """Fighting on and stopping are decided after the casualties."""
    war = war_of(at)
    if c is None and war and war.fought:
        yield Breach("WS-CAS-7", f"the campaign against {war.fought[-1]} has ended", {"fought": list(war.fought)})
    elif c is None:
        yield Breach("WS-WAR-3", "no war is being fought", {})
    elif c.round != "decide" and choice_open(at) is None:
        yield Breach(
            "WS-TACT-1",
            f"the battle is in its {c.round} round" if c.round != "ally" else "the war is in its Ally Segment",
            {"round": c.round},
        )
    if c is not None and player and player != c.attacker:
        yield Breach("WS-CAS-4", f"it is for the attacker, {c.attacker}, to decide", {"attacker": c.attacker})


class _AfterBattle(Move, frozen=True):
    """What the decisions after a battle share: they say that its forced steps have happened, and wait for its choices."""

    def presumes(self, at: At) -> Move | None:
        return presumed_step(at, "decide")

    def needs(self, at: At) -> Iterator[Choice]:
        if open_choice := choice_open(at):
            yield open_choice


class AttackAgain(_AfterBattle, frozen=True):
    """The attacker fights another battle against the same opponent, perhaps with more units."""

    name = "attack_again"
    words = ("again", "attack again")
    example = "again"
    attacker: Annotated[str, Seat()] = ""
    reinforcement: Reinforcement | None = None

    def filled(self, at: At) -> AttackAgain:
        c = campaign_of(at)
        return AttackAgain(c.attacker, self.reinforcement) if c and not self.attacker else self

    def forbidden(self, at: At) -> Iterator[Breach]:
        yield from wrong_phase(at, "war")
        war = war_of(at)
        if war is None:
            return
        c = war.campaign
        yield from _undecided(at, c, self.attacker)
        p = at.state.players[war.turn_of]
        if c is None and war.fought and (len(p.generals) < at["war.min_generals"] or p.armies < at["war.min_armies"]):
            why = f"{war.turn_of} has {named_units(p.generals, p.armies)} left"
            facts: dict[str, Any] = {"generals": list(p.generals), "armies": p.armies}
            yield Breach("WS-CAS-4", why, facts)
            yield Breach("WS-CAS-5", why, facts)
        if c is None or choice_open(at) is not None:
            return
        more = self.reinforcement or Reinforcement()
        free = unengaged(at, war)
        facts = {"committed": msgspec.to_builtins(c.committed), "unengaged": msgspec.to_builtins(free)}
        least_g, least_a = at["war.min_generals"], at["war.min_armies"]
        if len(c.committed.generals) + len(free.generals) < least_g or c.committed.armies + free.armies < least_a:
            why = f"{c.attacker} has {named_units(c.committed.generals, c.committed.armies)} here and {named_units(free.generals, free.armies)} free"
            yield Breach("WS-CAS-4", why, facts)
            yield Breach("WS-CAS-5", why, facts)
            if lent := [a.player for a in c.allies if a.side == "attacker"]:
                yield Breach("WS-ALLY-9", f"the units of {' and '.join(lent)} do not count for this", facts)
        elif len(c.committed.generals) + len(more.generals) < least_g or c.committed.armies + more.armies < least_a:
            yield Breach(
                "WS-CAS-5",
                f"committed are {named_units(c.committed.generals, c.committed.armies)}; bring in {named_units(free.generals, free.armies)} first",
                facts,
            )
        if not at.on("WS-CAS-4") and c.winner == "defender":
            yield Breach("WS-CAS-7", f"{c.attacker} lost the battle and has to stop", {"winner": c.winner})
        if not at.on("WS-CAS-8"):
            yield Breach("WS-TACT-1", f"battle {c.battle} was the last of this campaign", {"battle": c.battle})
        if not at.on("WS-CAS-6") and (len(more.generals) < least_g or more.armies < least_a):
            yield Breach("WS-CAS-5", "the General and the Army that fought cannot fight again", facts)
        defender = at.state.players[c.defender]
        if not defender.has_unit and not defender.provinces.total:
            yield Breach("WS-CAS-7", f"{c.defender} has neither unit nor province", {"defender": c.defender})
        if missing(more.generals, free.generals) or not 0 <= more.armies <= free.armies:
            yield Breach(
                "WS-WAR-12",
                f"free are {named_units(free.generals, free.armies)}, not {named_units(more.generals, more.armies)}",
                facts,
            )
        elif (more.generals or more.armies) and not at["war.reinforce_between_battles"]:
            yield Breach("WS-WAR-12", "reinforcements between battles are not allowed", facts)

    def apply(self, at: At) -> None:
        c = campaign_of(at)
        if c is None:
            return
        more = self.reinforcement
        if more and (more.generals or more.armies) and at.on("WS-WAR-12"):
            c.committed.generals += more.generals
            c.committed.armies += more.armies
            at.note(
                "WS-WAR-12",
                f"{c.attacker} adds {named_units(more.generals, more.armies)}",
                committed=msgspec.to_builtins(c.committed),
            )
        c.battle += 1
        at.note("WS-CAS-4", f"{c.attacker} attacks {c.defender} again", battle=c.battle)
        at.note(
            "WS-CAS-5",
            f"with {named_units(c.committed.generals, c.committed.armies)}",
            committed=msgspec.to_builtins(c.committed),
        )
        at.cite("WS-CAS-6", "the same units may fight the same opponent again and again")
        at.cite("WS-CAS-8", f"battle {c.battle} of this campaign", battle=c.battle)
        start_battle(at, c)

    @classmethod
    def candidates(cls, at: At) -> Iterator[Move]:
        war = war_of(at)
        if war and war.campaign and war.campaign.round == "decide":
            yield cls(war.campaign.attacker)
            free = unengaged(at, war)
            for general in sorted(set(free.generals)):
                yield cls(war.campaign.attacker, Reinforcement((general,)))
            if free.armies:
                yield cls(war.campaign.attacker, Reinforcement((), 1))
            if free.armies and free.generals:
                yield cls(war.campaign.attacker, Reinforcement(tuple(free.generals), free.armies))


class EndCampaign(_AfterBattle, frozen=True):
    """The attacker stops fighting this opponent."""

    name = "end_campaign"
    words = ("stop", "end campaign")
    example = "stop"
    attacker: Annotated[str, Seat()] = ""

    def filled(self, at: At) -> EndCampaign:
        c = campaign_of(at)
        return EndCampaign(c.attacker) if c and not self.attacker else self

    def already(self, at: At) -> bool:
        war = war_of(at)
        return war is not None and war.campaign is None and bool(war.fought) and self.attacker in ("", war.turn_of)

    def forbidden(self, at: At) -> Iterator[Breach]:
        yield from wrong_phase(at, "war")
        if at.state.phase == "war":
            yield from _undecided(at, campaign_of(at), self.attacker)

    def apply(self, at: At) -> None:
        close_campaign(at, f"{self.attacker} stops")

    @classmethod
    def candidates(cls, at: At) -> Iterator[Move]:
        c = campaign_of(at)
        if c and c.round == "decide":
            yield cls(c.attacker)


class EndWarTurn(_AfterBattle, frozen=True):
    """A player ends the war turn."""

    name = "end_war_turn"
    words = ("end", "peace", "end war turn")
    example = "end qin"
    player: Annotated[str, Seat()] = ""

    def filled(self, at: At) -> EndWarTurn:
        war = war_of(at)
        return EndWarTurn(war.turn_of) if war and not self.player else self

    def forbidden(self, at: At) -> Iterator[Breach]:
        yield from wrong_phase(at, "war")
        war = war_of(at)
        if war is None:
            return
        yield from _not_his_turn(at, war, self.player)
        c = war.campaign
        if c is not None and c.round == "ally":
            yield Breach(
                "WS-WAR-3",
                f"the war on {c.defender} has been declared and runs through its segments",
                {"round": c.round},
            )
        elif not at.on("WS-WAR-4") and not war.fought and self._could_attack(at, war):
            yield Breach("WS-WAR-15", f"{self.player} has the units for a war and has to declare one", {})
        elif c is not None and c.round != "decide" and choice_open(at) is None:
            yield Breach(
                "WS-WAR-15", f"battle {c.battle} against {c.defender} has begun", {"round": c.round, "battle": c.battle}
            )

    def _could_attack(self, at: At, war: War) -> bool:
        free = unengaged(at, war)
        able = len(free.generals) >= at["war.min_generals"] and free.armies >= at["war.min_armies"]
        return able and not at.state.players[self.player].attack_banned

    def apply(self, at: At) -> None:
        s = at.state
        war = s.war
        if war is None:
            return
        if war.campaign is not None:
            close_campaign(at, f"{self.player} ends the war turn")
        at.note("WS-WAR-15", f"{self.player} ends the war turn", player=self.player)
        if not war.fought:
            at.cite("WS-WAR-4", "without declaring war")
        p = s.players[self.player]
        if p.attack_banned and at.on("WS-EVENT-12"):
            p.attack_banned = False
            at.note("WS-EVENT-12", f"the ban on {self.player} is over", player=self.player)
        at.cite("WS-WAR-2", "every player has one war turn each turn", order=war_order(at))
        war.done.append(self.player)
        if at.on("WS-WAR-13"):
            war.engaged = Units()
            at.cite("WS-WAR-13", "engagement ends with the war turn")
        war.fought = []
        left = [q for q in war_order(at) if q not in war.done]
        if left:
            war.turn_of = left[0]
            at.note("WS-WAR-1", f"{left[0]} has the next war turn", turn_of=left[0])
        else:
            finish_turn(at)

    @classmethod
    def candidates(cls, at: At) -> Iterator[Move]:
        war = war_of(at)
        if war:
            yield cls(war.turn_of)


__all__ = ["AttackAgain", "DeclareWar", "EndCampaign", "EndWarTurn", "Reinforcement"]
