"""The land: quadrants, areas, what is empty and what is occupied (rules XK-LAND)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from companion.engine.play.moves import Breach
from companion.engine.things.spaces import Area, Graph, areas, coordinates, grid, square

from .catalogue import At, type_name
from .state import DISCS, EMPTY, SETTLEMENTS, Piece, State

SIDE = 2
"""A tile has 2 x 2 quadrants."""


@lru_cache(maxsize=64)
def chequered(columns: int, rows: int, corners: bool) -> Graph:
    """The grid of so many columns and rows of quadrants; the same object every time."""
    return grid(columns, rows, corners=corners)


def land_graph(at: At) -> Graph:
    """The quadrants that share an edge (XK-LAND-1, XK-LAND-7)."""
    return chequered(SIDE * at["grid.cols"], SIDE * at["grid.rows"], not at.on("XK-LAND-7"))


def terrain_at(s: State, quadrant: str) -> str:
    """The printed type of a quadrant: F, W, Q, or `.`; a table that is not set up has only the last."""
    column, row = coordinates(quadrant)
    return s.terrain[row][column] if s.terrain else EMPTY


def on_land(at: At, quadrant: str) -> bool:
    return quadrant in land_graph(at)


class Land:
    """Areas of a land: `of` maps quadrants to them; a village quadrant has none (XK-LAND-3)."""

    __slots__ = ("all", "of")

    def __init__(self, of: dict[str, Area[str]]) -> None:
        self.of = of
        self.all: tuple[Area[str], ...] = tuple({area.spaces: area for area in of.values()}.values())


@lru_cache(maxsize=4096)
def _land(graph: Graph, terrain: tuple[str, ...], settled: frozenset[str], alone: bool, scattered: bool) -> Land:
    """Worked out once for each arrangement of tiles and villages; everything else on the land changes no area."""
    kinds = {
        name: letter
        for y, row in enumerate(terrain)
        for x, letter in enumerate(row)
        if letter != EMPTY and (name := square(x, y)) not in settled
    }
    if alone:
        return Land({name: Area(kind, [name], graph) for name, kind in kinds.items()})
    if scattered:
        types = dict.fromkeys(kinds.values())
        whole = {kind: Area(kind, [q for q in kinds if kinds[q] == kind], graph) for kind in types}
        return Land({name: whole[kind] for name, kind in kinds.items()})
    return Land(areas(graph, kinds))


def land(at: At) -> Land:
    """The areas as they are now (XK-LAND-2, -3, -9; XK-VILLAGE-6)."""
    s = at.state
    splits = at.on("XK-LAND-3") and at.on("XK-VILLAGE-6")
    settled = frozenset(q for q, p in s.pieces.items() if p.kind in SETTLEMENTS) if splits else frozenset()
    return _land(land_graph(at), tuple(s.terrain), settled, not at.on("XK-LAND-2"), not at.on("XK-LAND-9"))


def area_of(at: At, quadrant: str) -> Area[str] | None:
    return land(at).of.get(quadrant)


def size_of(at: At, area: Area[str]) -> int:
    """Quadrants of an area, whatever stands on them (XK-LAND-8)."""
    if at.on("XK-LAND-8"):
        return area.size
    return sum(q not in at.state.pieces for q in area.spaces)


def standing(at: At, area: Area[str]) -> Iterator[tuple[str, Piece]]:
    """(quadrant, piece) of what stands in an area."""
    pieces = at.state.pieces
    return ((q, pieces[q]) for q in area.spaces if q in pieces)


def disc_in(at: At, area: Area[str]) -> tuple[str, Piece] | None:
    """The disc that occupies an area, whichever side it shows (XK-LAND-4)."""
    return next(((q, piece) for q, piece in standing(at, area) if piece.kind in DISCS), None)


def works_in(at: At, area: Area[str], player: str) -> bool:
    """Whether a player has a work disc in an area."""
    return any(piece.kind == "work" and piece.owner == player for _, piece in standing(at, area))


def words_for(piece: Piece) -> str:
    """`a workshop of ana`, `a village`."""
    what = {"work": "a work disc", "claim": "a claim disc"}.get(piece.kind, f"a {piece.kind}")
    return f"{what} of {piece.owner}" if piece.owner else what


def describe(at: At, area: Area[str]) -> str:
    """`the forest b2 c1 c2`."""
    return f"the {type_name(at, area.kind)} {' '.join(area.spaces)}"


# --- reasons why a piece may not stand there -----------------------------------------------------------------------


def off_the_land(at: At, quadrant: str) -> Iterator[Breach]:
    """A quadrant that there is not, or on which no tile lies (XK-LAND-1)."""
    if not quadrant:
        return
    if not on_land(at, quadrant):
        spaces = land_graph(at).spaces
        why = f"there is no quadrant {quadrant}: the land goes from {spaces[0]} to {spaces[-1]}"
        yield from at.against("XK-LAND-1", why=why, at=quadrant)
    elif terrain_at(at.state, quadrant) == EMPTY:
        yield from at.against("XK-LAND-1", why=f"no tile lies on {quadrant}", at=quadrant)


def not_empty(at: At, quadrant: str, rule: str) -> Iterator[Breach]:
    """A quadrant on which something stands, against `rule` (XK-LAND-5, -6; of a village or town XK-LAND-10)."""
    piece = at.state.pieces.get(quadrant)
    if piece is None:
        return
    why = f"on {quadrant} stands {words_for(piece)}"
    settled = piece.kind in SETTLEMENTS
    because = ("XK-LAND-10",) if settled else ("XK-LAND-5", "XK-LAND-6")
    yield from at.against(rule, *because, why=why, at=quadrant, piece=piece.kind, owner=piece.owner)


def occupied(at: At, quadrant: str, *rules: str) -> Iterator[Breach]:
    """An area in which a disc lies, against `rules` (XK-LAND-4)."""
    area = area_of(at, quadrant)
    disc = disc_in(at, area) if area else None
    if area is None or disc is None:
        return
    where, piece = disc
    why = f"{words_for(piece)} on {where} occupies {describe(at, area)}"
    facts = {"at": quadrant, "area": list(area.spaces), "disc": where, "side": piece.kind, "owner": piece.owner}
    yield from at.against(*rules, why=why, **facts)


def without_worker(at: At, quadrant: str, player: str, rule: str) -> Iterator[Breach]:
    """An area without a work disc of the player, against `rule`."""
    area = area_of(at, quadrant)
    if area is None or works_in(at, area, player):
        return
    claims = [q for q, p in standing(at, area) if p.kind == "claim" and p.owner == player]
    why = f"{player} has no work disc in {describe(at, area)}"
    if claims:
        why += f"; the disc on {claims[0]} shows its claim side"
    yield from at.against(rule, why=why, at=quadrant, area=list(area.spaces), player=player)


def vacant(at: At) -> Iterator[str]:
    """Quadrants on which nothing stands."""
    pieces = at.state.pieces
    return (q for q in land_graph(at).spaces if q not in pieces)


def open_areas(at: At) -> set[tuple[str, ...]]:
    """Areas without a disc, by their quadrants."""
    return {area.spaces for area in land(at).all if disc_in(at, area) is None}


def free_disc_places(at: At) -> list[str]:
    """Empty quadrants of areas that are not occupied."""
    areas, free = land(at).of, open_areas(at)
    return [q for q in vacant(at) if q in areas and areas[q].spaces in free]
