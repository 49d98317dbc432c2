"""Random play, quickly: one move at a time that is probably legal (playouts, simulations, law tests)."""

from __future__ import annotations

from random import Random

from companion.engine.play.playout import by_chance, drawn
from companion.rules import Move

from .allies import DeclineAid, Recall, SendAid
from .build import BuyArmy, DeployGeneral, Rebuild
from .campaign import enough, provincial_open, unengaged
from .casualties import Conquer, LoseUnit, VolunteerCasualty
from .catalogue import At
from .clash import ResolveClash, RevealDestiny
from .decks import drawable
from .events import RevealEvent, pending_choice
from .income import DrawIncome, to_draw
from .setup import Cut
from .tactics import ChooseProvincial, FillBattleHand, Redraw
from .taxes import Meld
from .trade import Pass, Trade, not_passed
from .war import AttackAgain, DeclareWar, EndCampaign, EndWarTurn

KINDS: dict[str, dict[type[Move], float]] = {
    "trade": {Trade: 1, Pass: 3},
    "taxes": {Meld: 5, Pass: 1},
    "build": {Rebuild: 1, BuyArmy: 3, DeployGeneral: 2},
    "ally": {SendAid: 1, DeclineAid: 2},
    "tactics": {Redraw: 1, RevealDestiny: 2},
    "clash": {Recall: 1, ResolveClash: 2},
    "casualties": {VolunteerCasualty: 1, LoseUnit: 2},
    "decide": {AttackAgain: 15, EndCampaign: 1},
}
"""The moves to try in a phase, or in a round of a battle, with their weights."""


def propose(at: At, rng: Random) -> Move | None:
    """A move for the position. Cards that come up are chosen among those still possible."""
    s, c = at.state, at.state.campaign
    if s.phase == "event":
        return drawn(pending_choice(at) or RevealEvent(), at, rng)
    if s.phase == "setup":
        return drawn(Cut(), at, rng)
    if s.phase == "income":
        return DrawIncome(to_draw(at)[0])
    if s.phase in ("trade", "taxes", "build"):
        seat = not_passed(at)[0]
        p = s.players[seat]
        idle = p.bu < at["build.army_cost"] if s.phase == "build" else p.resource_hand < 2
        return Pass(seat) if idle else by_chance(at, rng, KINDS[s.phase], who=seat, sure=True)
    if c is None:
        free = unengaged(at)
        attack = DeclareWar(generals=tuple(free.generals[: rng.choice((1, None))]))
        return drawn(attack if enough(at, free) and rng.random() < 0.9 else EndWarTurn(), at, rng)
    if provincial_open(at):
        return drawn(ChooseProvincial(), at, rng)
    if c.round == "casualties" and c.conquered:
        return Conquer()
    empty = [p for p in c.belligerents if not s.players[p].battle_hand and c.round == "tactics"]
    if empty and drawable(at, "battle"):
        return FillBattleHand(empty[0])
    return by_chance(at, rng, KINDS["tactics" if c.round == "clash" and not c.shown else c.round], sure=True)
