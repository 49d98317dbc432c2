"""Random play, quickly: one move at a time that is probably legal (playouts, simulations, law tests)."""

from __future__ import annotations

from random import Random

from companion.engine.play.moves import Move

from .allies import DeclineAid, Recall, SendAid
from .build import BuyArmy, DeployGeneral, Rebuild
from .campaign import losable, provincial_open, speakers, unengaged
from .casualties import Conquer, LoseUnit, VolunteerCasualty
from .catalogue import At, cards
from .clash import ResolveClash, RevealDestiny
from .decks import drawable
from .events import ChooseGeneralLost, ChooseStolen, ChooseTarget, RevealEvent, awaits_target, stealable
from .income import DrawIncome, to_draw
from .setup import Cut
from .state import Campaign, Player, State
from .tactics import ChooseProvincial, FillBattleHand, Redraw, redraws
from .taxes import MELDS, Meld, meld_cards
from .trade import Pass, Trade
from .war import AttackAgain, DeclareWar, EndCampaign, EndWarTurn


def propose(at: At, rng: Random) -> Move:
    """A move for the position. Cards that come up are chosen among those still possible."""
    s = at.state
    if s.phase == "setup":
        return Cut(next(p for p in s.cutting if p not in s.cuts), rng.choice(list(cards(at).battle)))
    if s.phase == "event":
        return _event(at, s, rng)
    if s.phase == "income":
        return DrawIncome(to_draw(at)[0])
    if s.phase in ("trade", "taxes", "build"):
        return _market(at, s, rng)
    return _war(at, s, rng)


def _event(at: At, s: State, rng: Random) -> Move:
    if s.event is None:
        gone = s.decks.event.discard if s.decks.event.draw else ()
        return RevealEvent(rng.choice([c for c in cards(at).events if c not in gone]))
    if awaits_target(at):
        return ChooseTarget(rng.choice([p for p in s.seats if p != s.active]))
    owed = s.owed[0]
    if owed.choice == "lose_general":
        return ChooseGeneralLost(owed.player, rng.choice(s.players[owed.player].generals))
    answer = rng.choice(stealable(at, owed))
    return ChooseStolen(general=answer) if owed.what == "general" else ChooseStolen(side=answer)  # type: ignore[arg-type]


def _market(at: At, s: State, rng: Random) -> Move:
    """Trade, Taxes and Build: now and then a deal, then everybody is done."""
    seat = next(q for q in s.seats if q not in s.passed)
    p = s.players[seat]
    if s.phase == "trade":
        other = rng.choice(s.seats)
        if rng.random() < 0.3 and other != seat and p.resource_hand and s.players[other].resource_hand:
            return Trade(seat, other, 1, 1)
    elif s.phase == "taxes":
        if p.resource_hand >= 3 and rng.random() < 0.8:
            kind = rng.choice(list(MELDS))
            if _held(at, p, kind):
                return Meld(seat, kind)
    else:
        return _build(at, seat, p, rng)
    return Pass(seat)


def _held(at: At, p: Player, kind: str) -> bool:
    need = meld_cards(at, kind)
    pile = at.state.decks.resource.discard
    room = all(cards(at).resources[name] - pile.get(name, 0) >= need.count(name) for name in need)
    return p.resource_hand >= len(need) and room


def _build(at: At, seat: str, p: Player, rng: Random) -> Move:
    if p.provinces.razed and p.bu >= at["build.rebuild_cost"] and rng.random() < 0.5:
        return Rebuild(seat, 1)
    if p.resource_hand and p.bu >= at["build.general_cost"] and len(p.generals) < 2:
        general = rng.choice(list(cards(at).generals))
        name = cards(at).generals[general].card
        out = sum(q.generals.count(general) for q in at.state.players.values())
        if out + at.state.decks.resource.discard.get(name, 0) < cards(at).resources[name]:
            return DeployGeneral(seat, general)
    if p.bu >= at["build.army_cost"] and rng.random() < 0.8:
        return BuyArmy(seat, 1)
    return Pass(seat)


def _war(at: At, s: State, rng: Random) -> Move:
    war = s.war
    assert war is not None
    c = war.campaign
    if c is not None:
        return _battle(at, s, c, rng)
    p = s.players[war.turn_of]
    if not p.attack_banned and p.generals and p.armies and rng.random() < 0.9:
        free = unengaged(at)
        prey = [q for q in s.seats if q != war.turn_of and q not in war.fought]
        prey = [q for q in prey if s.players[q].has_unit or s.players[q].provinces.total]
        if free.generals and free.armies and prey:
            return DeclareWar(war.turn_of, rng.choice(prey), (free.generals[0],), rng.randint(1, free.armies))
    return EndWarTurn(war.turn_of)


def _battle(at: At, s: State, c: Campaign, rng: Random) -> Move:
    if c.round == "ally":
        seat = speakers(at, c)[0]
        if s.players[seat].armies and rng.random() < 0.3:
            return SendAid(seat, "attacker" if rng.random() < 0.5 else "defender", None, 1)
        return DeclineAid(seat)
    if c.round in ("tactics", "clash"):
        return _clash(at, s, c, rng)
    if c.round == "casualties":
        if c.conquered:
            return Conquer()
        for aid in c.allies:
            if aid.side == c.losing and aid.armies and rng.random() < 0.3:
                return VolunteerCasualty(aid.player, "army")
        return LoseUnit(c.loser or "", rng.choice(losable(at, c)))
    if c.committed.generals and c.committed.armies and rng.random() < 0.8:
        return AttackAgain(c.attacker)
    return EndCampaign(c.attacker)


def _clash(at: At, s: State, c: Campaign, rng: Random) -> Move:
    if c.shown:
        if c.allies and rng.random() < 0.3:
            return Recall(c.allies[0].player)
        return ResolveClash()
    if sides := provincial_open(at, c):
        return ChooseProvincial(c.defender, rng.choice(sides))
    pile = s.decks.battle
    for seat in (c.attacker, c.defender):
        if s.players[seat].battle_hand == 0 and drawable(at, "battle"):
            return FillBattleHand(seat)
    if c.just_filled and rng.random() < 0.3 and redraws(at, c.just_filled[0]).total:
        return Redraw(c.just_filled[0], 1)
    left = [name for name in cards(at).battle if name not in pile.discard]
    first, second = rng.sample(left, 2)
    return RevealDestiny(
        first if s.players[c.attacker].battle_hand else None, second if s.players[c.defender].battle_hand else None
    )


__all__ = ["propose"]
