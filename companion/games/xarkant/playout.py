"""Random play, quickly: one move at a time that is probably legal."""

from __future__ import annotations

from random import Random
from typing import Any

from companion.rules import Move, lacking

from .building import Church, Village, Workshop, beside_worker, reached, tracks_left
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
    for kind, often in ((Church, 0.8), (Workshop, 0.7), (Village, 0.4)):
        paid = rng.random() < often and not lacking(p.stored(), cost_of(at, kind.name))
        if paid and (ways := _ways(at, kind, player)):
            return kind(player, *rng.choice(rng.choice(ways)))
    if p.popularity >= at["trade.cost.popularity"] and rng.random() < 0.1 and (swap := _trade(at, player, rng)):
        return swap
    if s.drawn[player] and (places := free_disc_places(at)):
        amounts = [0, 0, 0, *(paid for paid in bonuses(at) if paid <= p.popularity)]
        claims, place = rng.random() < 0.3, rng.choice(places)
        return Claim(player, place) if claims else Collect(player, place, rng.choice(amounts))
    return Pass(player)


def _ways(at: At, kind: type[Move], player: str) -> list[Any]:
    """The places for a building: on the land, on a village, on a board."""
    villages = [("village", q) for q, p in at.state.pieces.items() if p.kind == "village" and reached(at, player, q)]
    tracks = [("church_board", "", track) for track in tracks_left(at)]
    land = [("land", place) for place in building_places(at, player)]
    free = [(place,) for place in free_disc_places(at) if beside_worker(at, player, place)]
    ways: dict[type[Move], tuple[list[Any], ...]] = {
        Church: (villages, villages, villages, land, tracks),
        Workshop: (land, [("state",)]),
        Village: (free,),
    }
    return [way for way in ways[kind] if way]


def _trade(at: At, player: str, rng: Random) -> Move | None:
    give, take = rng.sample(KINDS, 2)
    n = min(at.state.player[player].of(give), room_for(at, player, take), at["trade.max_cubes"])
    return Trade(player, {give: n}, {take: n}) if n > 0 else None
