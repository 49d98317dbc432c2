"""Random play, quickly: one move at a time that is probably legal."""

from __future__ import annotations

from random import Random

from companion.engine.play.moves import Move

from .catalogue import At, card_of, cat, copies, yellow
from .cleanup import Draw
from .deployment import ChooseOrder, Exchange, Ready, chooser
from .ending import Advance, Score, drawing_due, scoring_due
from .payments import PayCost, PayMark
from .placing import PlaceArmies
from .reveal import Resolve, Reveal
from .setup import KeepWarlord, Tiles, without_tile
from .state import COLOURS, Sources
from .supply import placing, sources
from .warlords import DeclareWarlord, PlayWarlord


def propose(at: At, rng: Random) -> Move | None:
    """A move for the position, None when the game is over. Cards shown are chosen among those a player can still hold."""
    s = at.state
    if s.phase == "over":
        return None
    if s.phase == "setup":
        return KeepWarlord(next(c for c in COLOURS if s.players[c].warlord.status == "none"))
    if s.options.warlords and s.fighting is None and rng.random() < 0.05 and (lord := _warlord(at, rng)) is not None:
        return lord
    if s.phase == "deploy":
        player = next(c for c in COLOURS if c not in s.ready)
        if s.options.deck == "expert" and not s.ready and s.players[player].set_aside and rng.random() < 0.15:
            return Exchange(player, str(rng.choice(at["expert.exchange_cards"])))
        return Ready(player)
    if s.phase == "order":
        order = list(cat(at).provinces)
        rng.shuffle(order)
        return ChooseOrder(chooser(at)[0] or "", tuple(order))
    if s.phase == "battles":
        return _battle(at, rng)
    if unknown := without_tile(at):
        lying = [q.tile for q in s.provinces.values()]
        left = [letter for letter, tile in cat(at).tiles.items() if tile not in lying]
        return Tiles(tuple(rng.sample(left, len(unknown))))
    if due := drawing_due(at):
        return Draw(due[0])
    return Score() if scoring_due(at) else Advance()


def _warlord(at: At, rng: Random) -> Move | None:
    kinds = [*PlayWarlord.candidates(at), *DeclareWarlord.candidates(at)]
    return rng.choice(kinds) if kinds else None


def _battle(at: At, rng: Random) -> Move:
    s = at.state
    b = s.fighting
    if b is None:
        province = s.to_come()[0]
        return Reveal(province, _card(at, "white", rng), _card(at, "black", rng))
    for player in COLOURS:
        if player in b.mark_due:
            return PayMark(player, rng.choice(list(sources(at, player))))
        if player in b.cost_due:
            return PayCost(player, _taken(rng, b.cost_due[player], sources(at, player)))
    if not b.resolved:
        return Resolve()
    taken: Sources = {}
    for _, n, offer in placing(at, b):
        taken.update(_taken(rng, n, offer))
    return PlaceArmies(b.winner or "", taken)


def _taken(rng: Random, n: int, offer: Sources) -> Sources:
    cubes = [place for place, k in offer.items() for _ in range(k)]
    chosen = rng.sample(cubes, min(n, len(cubes)))
    return {place: chosen.count(place) for place in dict.fromkeys(chosen)}


def _card(at: At, player: str, rng: Random) -> str:
    p = at.state.players[player]
    shown = list(p.shown.values())
    whites_left = p.hand_at_deploy - yellow(at) - sum(1 for label in shown if not card_of(at, label).yellow)
    fit = [
        label
        for label, n in copies(at).items()
        if p.removed.count(label) + shown.count(label) < n and (card_of(at, label).yellow or whites_left > 0)
    ]
    return rng.choice(fit)


__all__ = ["propose"]
