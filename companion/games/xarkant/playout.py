"""Random play, quickly: one move at a time that is probably legal."""

from __future__ import annotations

from random import Random

from companion.engine.play.moves import Move
from companion.engine.things.stores import lacking, together

from .building import Church, Village, Workshop, slots_open, state_extra, tracks_left, village_places, villages_in_reach
from .catalogue import At, cat
from .cleanup import Cleanup
from .discs import Claim, Collect, bonuses
from .drawing import Draw, draw_count
from .land import building_places, free_disc_places
from .setup import FirstDrawer
from .state import KINDS
from .storage import cost_of, room_for
from .tiles import PlaceTile, allowed, next_cell, to_come, turns
from .trading import Trade
from .turns import Pass


def propose(at: At, rng: Random) -> Move | None:
    """A move for the position, None when the game is over. Discs and tiles come up as chance would have it."""
    s = at.state
    if s.phase == "setup":
        return _set_up(at, rng)
    if s.phase == "draw":
        inside = [player for player, n in s.bag.items() for _ in range(n)]
        drawn = rng.sample(inside, draw_count(at))
        return Draw({player: drawn.count(player) for player in s.players if player in drawn})
    if s.phase == "cleanup":
        return Cleanup()
    return _act(at, rng) if s.phase == "act" else None


def _set_up(at: At, rng: Random) -> Move:
    cell = next_cell(at)
    if cell is None:
        return FirstDrawer(rng.choice(at.state.players))
    tile = rng.choice(to_come(at))
    return PlaceTile(cell, tile, rng.choice(allowed(turns(at, cell, cat(at).tiles[tile]))))


def _act(at: At, rng: Random) -> Move:
    """Build when it can be paid, otherwise lay a disc; now and then trade."""
    s = at.state
    player = s.active or ""
    p = s.player[player]
    store = p.stored()
    if p.churches and not lacking(store, cost_of(at, "church")) and rng.random() < 0.8:
        return _church(at, player, rng)
    if p.workshops and not lacking(store, cost_of(at, "workshop")) and rng.random() < 0.7:
        places = building_places(at, player)
        if places and rng.random() < 0.6:
            return Workshop(player, "land", rng.choice(places))
        free = len(s.state_board.workshops) < slots_open(at)
        if free and not lacking(store, together(cost_of(at, "workshop"), state_extra(at))):
            return Workshop(player, "state")
    settles = s.state_board.villages and not lacking(store, cost_of(at, "village")) and rng.random() < 0.4
    if settles and (places := village_places(at, player)):
        return Village(player, rng.choice(places))
    if p.popularity >= at["trade.cost.popularity"] and rng.random() < 0.1 and (swap := _trade(at, player, rng)):
        return swap
    if s.drawn[player] and (places := free_disc_places(at)):
        if rng.random() < 0.3:
            return Claim(player, rng.choice(places))
        amounts = [0, 0, 0, *(paid for paid in bonuses(at) if paid <= p.popularity)]
        return Collect(player, rng.choice(places), rng.choice(amounts))
    return Pass(player)


def _church(at: At, player: str, rng: Random) -> Move:
    if (villages := villages_in_reach(at, player)) and rng.random() < 0.6:
        return Church(player, "village", rng.choice(villages))
    if (places := building_places(at, player)) and rng.random() < 0.7:
        return Church(player, "land", rng.choice(places))
    free = tracks_left(at)
    return Church(player, "church_board", "", rng.choice(free)) if free else Pass(player)


def _trade(at: At, player: str, rng: Random) -> Move | None:
    give, take = rng.sample(KINDS, 2)
    n = min(at.state.player[player].of(give), room_for(at, player, take), at["trade.max_cubes"])
    return Trade(player, {give: n}, {take: n}) if n > 0 else None
