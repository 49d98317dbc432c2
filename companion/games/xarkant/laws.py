"""What holds in every whole position: nothing is lost, nothing is added, no area has two discs."""

from __future__ import annotations

from collections.abc import Iterator

from companion.engine.play.position import Position, Rules

from .catalogue import At, popularity_supply, supply
from .land import land, on_land, standing, words_for
from .state import DISCS, State
from .tiles import cells


def miscounted(rules: Rules, state: State) -> list[str]:
    """Why the pieces of a position do not add up (empty: they do), whatever was done by the rules or against them."""
    if not state.players:
        return []
    at: At = Position(rules, state, quiet=True)
    return [*_boards(at), *_supplies(at), *_on_the_table(at)]


def broken_laws(rules: Rules, state: State) -> list[str]:
    """Laws a whole position breaks (empty: none): the pieces add up, and no area has two discs (XK-CLAIM-5)."""
    return [*miscounted(rules, state), *_crowded(Position(rules, state, quiet=True))]


def _boards(at: At) -> Iterator[str]:
    s = at.state
    for name, p in s.player.items():
        pieces = {
            "disc": (s.discs(name), at["discs_per_player"]),
            "workshop": (p.workshops + s.workshops_in_play(name), at["workshops_per_player"]),
            "church": (p.churches + s.churches_in_play(name), at["churches_per_player"]),
        }
        yield from (f"{name}: {n} {what} pieces, not {due}" for what, (n, due) in pieces.items() if n != due)
        if s.bag.get(name, 0) < 0:
            yield f"{name}: {s.bag[name]} discs in the bag"
        if not 0 <= p.popularity <= at["popularity.max"]:
            yield f"{name}: {p.popularity} popularity"
        capacity = at["storage.capacity"]
        yield from (f"{name}: {n} {kind} stored" for kind, n in p.stored().items() if not 0 <= n <= capacity[kind])


def _supplies(at: At) -> Iterator[str]:
    yield from (f"the supply would have {n} {kind}" for kind, n in supply(at).items() if n < 0)
    if popularity_supply(at) < 0:
        yield f"the supply would have {popularity_supply(at)} popularity"
    villages = at.state.state_board.villages + at.state.settlements
    if villages != at["villages"]:
        yield f"{villages} villages, not {at['villages']}"


def _on_the_table(at: At) -> Iterator[str]:
    s = at.state
    for quadrant, piece in s.pieces.items():
        if not on_land(at, quadrant):
            yield f"{words_for(piece)} on {quadrant or 'no quadrant'}, which the land has not"
    lying = [laid.tile for laid in s.tiles.values()]
    yield from (f"{lying.count(tile)} tiles {tile}" for tile in dict.fromkeys(lying) if lying.count(tile) > 1)
    yield from (f"a tile on cell {cell}, which the land has not" for cell in s.tiles if not 0 < int(cell) <= cells(at))
    if s.drawer is None and s.phase != "setup":
        yield "nobody is the drawer"


def _crowded(at: At) -> Iterator[str]:
    if not all(map(at.on, ("XK-LAND-4", "XK-COLLECT-1", "XK-CLAIM-1"))):
        return
    for area in land(at).all:
        discs = [quadrant for quadrant, piece in standing(at, area) if piece.kind in DISCS]
        if len(discs) > 1:
            yield f"{len(discs)} discs in one area: {', '.join(discs)}"


__all__ = ["broken_laws", "miscounted"]
