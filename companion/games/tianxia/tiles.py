"""Bonus tiles: the supply of which everybody can see what is left, figurines, one-time tiles (rules TX-TILE, TX-FIG)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from companion.engine.play.moves import Breach

from .catalogue import At, cat


def on_the_table(at: At) -> Counter[str]:
    """Every tile that is known not to be in the supply, the box apart."""
    s = at.state
    known = [*s.round_tiles, *(site.bonus for site in s.buildings.values() if site.bonus)]
    for p in s.player.values():
        known += p.figurines
        known += p.tiles
    found = Counter(known)
    for tile, n in s.face_down.items():
        found[tile] += n
    return found


def in_supply(at: At) -> dict[str, int]:
    """The tiles that can come up next, with their copies; of used tiles that nobody named, it is not known which."""
    table, box = on_the_table(at), at.state.box
    left = {kind: n - table.get(kind, 0) - box.get(kind, 0) for kind, n in cat(at).tiles.items()}
    return {kind: n for kind, n in left.items() if n > 0}


def supply_size(at: At) -> int:
    s = at.state
    unnamed = sum(p.used_tiles for p in s.player.values()) - sum(s.face_down.values())
    return max(0, sum(in_supply(at).values()) - max(0, unnamed))


def drawable(at: At) -> int:
    """How many tiles can be drawn, those in the box included."""
    return supply_size(at) + sum(at.state.box.values())


def refill(at: At) -> None:
    """Before a tile is drawn: an empty supply is made of the tiles in the box (TX-TILE-5)."""
    if not supply_size(at):
        shuffle(at)


def shuffle(at: At) -> None:
    if at.state.box:
        at.note("TX-TILE-5.shuffled", n=sum(at.state.box.values()))
        at.state.box.clear()


def to_box(at: At, tile: str) -> None:
    at.state.box[tile] = at.state.box.get(tile, 0) + 1


def too_many(at: At, drawn: Iterable[str]) -> Iterator[Breach]:
    """Tiles that cannot all have been drawn: no more copies are left (TX-GAME-5)."""
    named = Counter(drawn)
    if not named:
        return
    left = Counter(in_supply(at))
    if named.total() > supply_size(at):
        left.update(at.state.box)
    for tile, n in named.items():
        if n > left[tile]:
            copies = cat(at).tiles[tile]
            yield at.breach("TX-GAME-5.tiles", tile=tile, n=n, copies=copies, gone=copies - left[tile])


def owns(at: At, who: str, tile: str) -> bool:
    """Whether a tile is a figurine of a kind the player has (TX-FIG-2)."""
    return tile in cat(at).figurines and tile in at.state.player[who].figurines


def receive(at: At, who: str, tile: str) -> None:
    """A tile comes to a player: a figurine to the left edge, a one-time tile to the board."""
    p = at.state.player[who]
    (p.figurines if tile in cat(at).figurines else p.tiles).append(tile)


def draw_tile(at: At, who: str) -> None:
    """The top tile of the supply; a figurine already owned goes to the box, and another is drawn (TX-TILE-6)."""
    aside: list[str] = []
    while True:
        if supply_size(at) <= len(aside):
            if not at.state.box:
                at.note("TX-TILE-5.none", player=who)
                break
            shuffle(at)
        left = Counter(in_supply(at)) - Counter(aside)
        tile = at.choose("bonus_tile", who, list(left), "TX-TILE-6.bonus_tile")
        if not owns(at, who, tile):
            receive(at, who, tile)
            at.note("TX-TILE-6.draw", player=who, tile=tile)
            break
        aside.append(tile)
        at.note("TX-TILE-6.again", player=who, tile=tile)
    for tile in aside:
        to_box(at, tile)
