"""Random play, quickly: one move at a time that is probably legal."""

from __future__ import annotations

from random import Random

from companion.engine.play.moves import Move

from .armies import sources
from .cards import copies, yellow
from .catalogue import At, cat
from .cleanup import Draw
from .deployment import Exchange, Ready
from .order import ChooseOrder, chooser
from .payments import PayCost, PayMark, first_to_pay
from .placing import PlaceArmies, comes_from
from .province import Reveal
from .scoring import drawing_due, presumed_end
from .setup import Tiles, presumed_setup, tiles_left, without_tile
from .state import COLOURS, Sources
from .warlords import DeclareWarlord, PlayWarlord


def propose(at: At, rng: Random) -> Move | None:
    """A move for the position, None when the game is over. Cards shown are chosen among those a player can still hold."""
    s = at.state
    if s.phase == "over":
        return None
    if s.phase == "setup":
        return presumed_setup(at)
    if s.options.warlords and s.fighting is None and rng.random() < 0.05 and (lord := _warlord(at, rng)):
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
        return Tiles(tuple(rng.sample(tiles_left(at), len(unknown))))
    due = drawing_due(at)
    return Draw(due[0]) if due else presumed_end(at)


def _warlord(at: At, rng: Random) -> Move | None:
    held = [c for c in COLOURS if at.state.players[c].warlord.status == "held"]
    if not held:
        return None
    player, a, b = rng.choice(held), *rng.sample(cat(at).provinces, 2)
    card = rng.choice([w for w in cat(at).warlords.values() if w.colour == player])
    if "move_army" in card.effects:
        return PlayWarlord(player, card.id, "", a, b)
    return (DeclareWarlord if card.window == "P" else PlayWarlord)(player, card.id, a)


def _battle(at: At, rng: Random) -> Move:
    s = at.state
    b = s.fighting
    if b is None:
        return Reveal(s.to_come()[0], _card(at, "white", rng), _card(at, "black", rng))
    if player := first_to_pay(b):
        offer = sources(at.state, player)
        if player in b.mark_due:
            return PayMark(player, rng.choice(list(offer)))
        return PayCost(player, _taken(rng, b.cost_due[player], offer))
    taken: Sources = {}
    for _, n, offer in comes_from(at, b):
        taken.update(_taken(rng, n, offer))
    return PlaceArmies(b.winner or "", taken)


def _taken(rng: Random, n: int, offer: Sources) -> Sources:
    cubes = [place for place, k in offer.items() for _ in range(k)]
    chosen = rng.sample(cubes, min(n, len(cubes)))
    return {place: chosen.count(place) for place in dict.fromkeys(chosen)}


def _card(at: At, player: str, rng: Random) -> str:
    p, cards = at.state.players[player], cat(at).cards
    shown = list(p.shown.values())
    white = p.hand_at_deploy - yellow(at) > sum(not cards[label].yellow for label in shown)
    fit = [
        label
        for label, n in copies(at).items()
        if p.removed.count(label) + shown.count(label) < n and (white or cards[label].yellow)
    ]
    return rng.choice(fit)
