"""How a landscape tile may be turned: the star is laid beside its like (rules XK-TILE)."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from companion.engine.things.spaces import Area, Graph, areas, square

from .catalogue import TURNS, At, Tile, cat
from .land import SIDE, chequered, terrain_at
from .state import EMPTY


class Turned(NamedTuple):
    """What a turn of a tile comes to: whether the star lies next to its like on another tile, and the size of the area
    that then holds the star, the tile included."""

    matches: bool
    size: int
    star: str


def quadrants(at: At, cell: int) -> tuple[str, ...]:
    """The quadrants of a cell clockwise from the north-west; cells are counted from 1 in reading order."""
    row, column = divmod(cell - 1, at["grid.cols"])
    west, north = SIDE * column, SIDE * row
    corners = ((west, north), (west + 1, north), (west + 1, north + 1), (west, north + 1))
    return tuple(square(x, y) for x, y in corners)


def cells(at: At) -> int:
    return int(at["grid.rows"] * at["grid.cols"])


def filled(at: At, cell: int) -> bool:
    return all(terrain_at(at.state, q) != EMPTY for q in quadrants(at, cell))


def next_cell(at: At) -> int | None:
    """The cell to be filled next (XK-TILE-2); None when the land is complete."""
    return next((cell for cell in at["placement.order"] if cell <= cells(at) and not filled(at, cell)), None)


def to_come(at: At) -> list[str]:
    """Tiles that may still come up: there is one of each (XK-PREP-3)."""
    lying = {laid.tile for laid in at.state.tiles.values()}
    return [tile for tile in cat(at).tiles if tile not in lying]


def turns(at: At, cell: int, tile: Tile) -> dict[int, Turned]:
    """What each quarter turn of a tile comes to in a cell (XK-TILE-3, -4, -5, -7)."""
    graph = chequered(SIDE * at["grid.cols"], SIDE * at["grid.rows"], not at.on("XK-TILE-7"))
    return _turns(graph, quadrants(at, cell), tuple(at.state.terrain), tile)


@lru_cache(maxsize=1024)
def _turns(graph: Graph, here: tuple[str, ...], terrain: tuple[str, ...], tile: Tile) -> dict[int, Turned]:
    around = {square(x, y): letter for y, row in enumerate(terrain) for x, letter in enumerate(row) if letter != EMPTY}
    for quadrant in here:
        around.pop(quadrant, None)
    return {rot: _turned(graph, here, around, tile, rot) for rot in TURNS}


def _turned(graph: Graph, here: tuple[str, ...], around: dict[str, str], tile: Tile, rot: int) -> Turned:
    types, place = tile.turned(rot)
    star, wanted = here[place], types[place]
    matches = any(around.get(other) == wanted for other in graph.neighbours[star])
    whole: Area[str] = areas(graph, {**around, **dict(zip(here, types, strict=True))})[star]
    return Turned(matches, whole.size, star)


def matching(at: At, found: dict[int, Turned]) -> dict[int, int]:
    """Turn -> size of the star's area, of the turns that lay the star beside its like (XK-TILE-4)."""
    aligned = at.on("XK-TILE-1") and at.on("XK-TILE-4")
    return {rot: turned.size for rot, turned in found.items() if turned.matches} if aligned else {}


def allowed(at: At, found: dict[int, Turned]) -> list[int]:
    """The turns that may be used: those with the largest area among those that match, or all if none does."""
    sizes = matching(at, found)
    if not sizes:
        return list(found)
    best = max(sizes.values()) if at.on("XK-TILE-5") else 0
    return [rot for rot, size in sizes.items() if size >= best]


__all__ = ["Turned", "allowed", "cells", "filled", "matching", "next_cell", "quadrants", "to_come", "turns"]
