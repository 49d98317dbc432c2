"""Bonus tiles: the supply of which everybody can see what is left, figurines, one-time tiles (rules TX-TILE, TX-FIG)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator

from companion.engine.things.cards import beyond
from companion.engine.things.stores import together
from companion.rules import Breach

from .catalogue import At, cat


def outside_the_supply(at: At) -> Iterator[str]:
    """Every tile that is known to lie at the table or in the box."""
    s = at.state
    yield from s.round_tiles
    yield from (site.bonus for site in s.buildings.values() if site.bonus)
    for p in s.player.values():
        yield from p.figurines
        yield from p.tiles
    for known in (s.face_down, s.box):
        for tile, n in known.items():
            yield from [tile] * n


def in_supply(at: At) -> dict[str, int]:
    """The tiles that can come up next, with their copies; of used tiles that nobody named, it is not known which."""
    left = dict(cat(at).tiles)
    for tile in outside_the_supply(at):
        left[tile] -= 1
    return {tile: n for tile, n in left.items() if n > 0}


def supply_size(at: At) -> int:
    s = at.state
    unnamed = sum(p.used_tiles for p in s.player.values()) - sum(s.face_down.values())
    return max(0, sum(in_supply(at).values()) - max(0, unnamed))


def drawable(at: At) -> int:
    """The number of tiles that can be drawn, those in the box included."""
    return supply_size(at) + sum(at.state.box.values())


def shuffle_if_empty(at: At, n: int = 1) -> bool:
    """Before the `n`th tile is drawn of those that are laid out or taken together: a supply that is empty by then is
    made of the tiles in the box (TX-TILE-5). Whether there is such a tile."""
    s = at.state
    if (empty := supply_size(at) < n) and s.box:
        at.note("TX-TILE-5.shuffled", n=sum(s.box.values()))
        s.box.clear()
        return True
    return not empty


def to_box(at: At, tile: str) -> None:
    at.state.box[tile] = at.state.box.get(tile, 0) + 1


def within_reach(at: At, n: int) -> dict[str, int]:
    """The tiles of which `n` are drawn: those in the supply, and those in the box where they do not suffice."""
    return together(in_supply(at), at.state.box if n > supply_size(at) else {})


def too_many(at: At, drawn: Collection[str]) -> Iterator[Breach]:
    """Tiles that cannot all have been drawn: no more copies are left (TX-GAME-5)."""
    left = within_reach(at, len(drawn)) if drawn else {}
    for tile, n in beyond(drawn, left).items():
        copies = cat(at).tiles[tile]
        yield at.breach("TX-GAME-5.tiles", tile=tile, n=n, copies=copies, gone=copies - left.get(tile, 0))


def owns(at: At, who: str, tile: str) -> bool:
    """True if a tile is a figurine of a kind the player has (TX-FIG-2)."""
    return tile in at.state.player[who].figurines


def receive(at: At, who: str, tile: str) -> None:
    """A tile comes to a player: a figurine to the left edge, a one-time tile to the board."""
    p = at.state.player[who]
    (p.figurines if tile in cat(at).figurines else p.tiles).append(tile)


def draw_tiles(at: At, who: str, n: int, rule: str) -> None:
    """The top tiles of the supply; a figurine already owned goes to the box, and another is drawn (TX-TILE-6)."""
    for _ in range(n):
        aside: list[str] = []
        while shuffle_if_empty(at, len(aside) + 1):
            left = Counter(in_supply(at)) - Counter(aside)
            tile = at.choose("bonus_tile", who, list(left), "TX-TILE-6.bonus_tile")
            if not owns(at, who, tile):
                receive(at, who, tile)
                at.note("TX-TILE-6.draw", player=who, tile=tile)
                break
            aside.append(tile)
            at.note("TX-TILE-6.again", player=who, tile=tile)
        else:
            at.note("TX-TILE-5.none", player=who)
        for tile in aside:
            to_box(at, tile)
