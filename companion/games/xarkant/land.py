"""The land: quadrants, areas, what is empty and what is occupied (rules XK-LAND)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache
from typing import Any, NamedTuple

from companion.engine.things.spaces import Area, Graph, areas, coordinates, grid, square
from companion.rules import Breach

from .catalogue import At
from .state import DISCS, EMPTY, SETTLEMENTS, Piece, State

SIDE = 2
"""A tile has 2 x 2 quadrants."""


chequered = cache(grid)
"""The grid of so many columns and rows of quadrants; the same object every time."""


def land_graph(at: At) -> Graph:
    """The quadrants of the land and which of them share an edge (XK-LAND-1, XK-LAND-7)."""
    return chequered(SIDE * at["grid.cols"], SIDE * at["grid.rows"])


def terrain_at(s: State, quadrant: str) -> str:
    """The printed type of a quadrant: F, W, Q, or `.`; a table that is not set up has only the last."""
    column, row = coordinates(quadrant)
    return s.terrain[row][column] if s.terrain else EMPTY


def type_name(at: At, terrain: str) -> str:
    """`field`, `forest`, `quarry`."""
    return str(at[f"types.{terrain}.name"])


def called(at: At, terrain: str) -> tuple[str, ...]:
    """The words for a quadrant of a type: its name, and what it yields; none where no tile lies."""
    return () if terrain == EMPTY else (type_name(at, terrain), str(at[f"types.{terrain}.resource"]))


class Land(NamedTuple):
    """The areas of a land: each once, and quadrant -> area. A village's quadrant belongs to none (XK-LAND-3)."""

    all: tuple[Area[str], ...]
    of: dict[str, Area[str]]


@lru_cache(maxsize=4096)
def _land(graph: Graph, terrain: tuple[str, ...], settled: frozenset[str]) -> Land:
    """Worked out once for each arrangement of tiles and villages; everything else on the land changes no area."""
    kinds = {
        name: letter
        for y, row in enumerate(terrain)
        for x, letter in enumerate(row)
        if letter != EMPTY and (name := square(x, y)) not in settled
    }
    of = areas(graph, kinds)
    return Land(tuple({area.spaces: area for area in of.values()}.values()), of)


def land(at: At) -> Land:
    """The areas as they are now (XK-LAND-2, -3, -9; XK-VILLAGE-6)."""
    s = at.state
    settled = frozenset(q for q, p in s.pieces.items() if p.kind in SETTLEMENTS)
    return _land(land_graph(at), tuple(s.terrain), settled)


def in_words(at: At, area: Area[str]) -> dict[str, Any]:
    """The facts that name an area: `forest b2 c1 c2` is its `place`."""
    return {"area": list(area.spaces), "place": f"{type_name(at, area.kind)} {' '.join(area.spaces)}"}


def standing(at: At, area: Area[str]) -> Iterator[tuple[str, Piece]]:
    """(quadrant, piece) of what stands in an area."""
    pieces = at.state.pieces
    return ((q, pieces[q]) for q in area.spaces if q in pieces)


def disc_in(at: At, area: Area[str]) -> tuple[str, Piece] | None:
    """The disc that occupies an area, whichever side it shows (XK-LAND-4)."""
    return next(((q, piece) for q, piece in standing(at, area) if piece.kind in DISCS), None)


def works_in(at: At, area: Area[str], player: str) -> bool:
    """True if a player has a work disc in an area."""
    return any(piece.kind == "work" and piece.owner == player for _, piece in standing(at, area))


# --- why a piece may not stand there --------------------------------------------------------------------------------


def off_the_land(at: At, quadrant: str) -> Iterator[Breach]:
    """A quadrant that the land does not have, or on which no tile lies (XK-LAND-1)."""
    graph = land_graph(at)
    if quadrant not in graph:
        if quadrant:
            yield at.breach("XK-LAND-1.none", at=quadrant, first=graph.spaces[0], last=graph.spaces[-1])
    elif terrain_at(at.state, quadrant) == EMPTY:
        yield at.breach("XK-LAND-1.bare", at=quadrant)


def not_empty(at: At, quadrant: str, rule: str) -> Iterator[Breach]:
    """A quadrant on which something stands (XK-LAND-5, -6), against `rule`; a village or town also against XK-LAND-10."""
    piece = at.state.pieces.get(quadrant)
    if piece is not None:
        background = ("XK-LAND-10",) if piece.kind in SETTLEMENTS else ()
        yield at.breach(rule, *background, at=quadrant, piece=piece.kind, owner=piece.owner, what=str(piece))


def occupied(at: At, quadrant: str, rule: str) -> Iterator[Breach]:
    """An area in which a disc lies, against `rule` and XK-LAND-4."""
    area = land(at).of.get(quadrant)
    disc = disc_in(at, area) if area else None
    if area is not None and disc is not None:
        where, piece = disc
        facts = {"disc": where, "side": piece.kind, "owner": piece.owner, "what": str(piece)}
        yield at.breach(rule, "XK-LAND-4", at=quadrant, **facts, **in_words(at, area))


def without_worker(at: At, quadrant: str, player: str, rule: str) -> Iterator[Breach]:
    """An area without a work disc of the player, against `rule`; where no area is named, no work disc at all."""
    area = land(at).of.get(quadrant)
    if not quadrant:
        yield from without_any_worker(at, player, rule)
    if area is not None and not works_in(at, area, player):
        claim = next((q for q, p in standing(at, area) if p.kind == "claim" and p.owner == player), None)
        key = f"{rule}.{'claim' if claim else 'none'}"
        yield at.breach(key, at=quadrant, player=player, disc=claim, **in_words(at, area))


def without_any_worker(at: At, player: str, rule: str) -> Iterator[Breach]:
    """No work disc of the player anywhere on the land, against `rule`."""
    if not at.state.on_land(player, "work"):
        yield at.breach(f"{rule}.nowhere", player=player)


# --- where a piece may stand ----------------------------------------------------------------------------------------


def free_disc_places(at: At) -> list[str]:
    """Empty quadrants of areas that are not occupied."""
    pieces, of = at.state.pieces, land(at).of
    closed = {of[q] for q, piece in pieces.items() if piece.kind in DISCS and q in of}
    return [q for q in land_graph(at).spaces if q in of and q not in pieces and of[q] not in closed]


def building_places(at: At, player: str) -> list[str]:
    """Empty quadrants of areas in which a player has a work disc."""
    pieces = at.state.pieces
    mine = {q for area in land(at).all if works_in(at, area, player) for q in area.spaces}
    return [q for q in land_graph(at).spaces if q in mine and q not in pieces]
