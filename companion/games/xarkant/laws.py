"""Laws of every whole position: nothing is lost, nothing is added, no area has two discs."""

from __future__ import annotations

from collections.abc import Iterator

from components.phrasing import count

from .catalogue import At
from .land import land, standing
from .state import DISCS
from .storage import popularity_supply, supply


def unlawful(at: At) -> Iterator[str]:
    """No area has two discs (XK-CLAIM-5)."""
    for area in land(at).all:
        discs = [quadrant for quadrant, piece in standing(at, area) if piece.kind in DISCS]
        if len(discs) > 1:
            yield f"there are {len(discs)} discs in one area: {', '.join(discs)}"


def miscounted(at: At) -> Iterator[str]:
    """Of each piece, how many there are and how many there have to be."""
    s = at.state
    for name, p in s.player.items():
        pieces = {
            "disc": (s.discs(name), at["discs_per_player"]),
            "workshop": (p.workshops + s.workshops_in_play(name), at["workshops_per_player"]),
            "church": (p.churches + s.churches_in_play(name), at["churches_per_player"]),
        }
        yield from (f"{name} has {count(n, what)}, not {due}" for what, (n, due) in pieces.items() if n != due)
    stock = {**supply(at), "popularity": popularity_supply(at)}
    yield from (f"the supply has {n} {kind}" for kind, n in stock.items() if n < 0)
    if (villages := s.state_board.villages + s.settlements) != at["villages"]:
        yield f"there are {count(villages, 'village')}, not {at['villages']}"
    lying = [laid.tile for laid in s.tiles.values()]
    yield from (f"{tile} lies on {lying.count(tile)} cells" for tile in dict.fromkeys(lying) if lying.count(tile) > 1)
    if s.drawer is None and s.phase != "setup":
        yield "nobody is the drawer"
