"""Placing the land: a tile is turned so that its star lies next to its type (rules XK-TILE)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache
from typing import Annotated, Any, NamedTuple

from companion.engine.things.spaces import Graph, area_at, coordinates, square
from companion.rules import Breach, Choice, Options, PieceName, Reported

from .catalogue import TURNS, At, Tile, cat
from .domains import Cell, Turn
from .land import SIDE, land_graph, terrain_at, type_name
from .state import EMPTY, Laid

# --- cells ----------------------------------------------------------------------------------------------------------


def cells(at: At) -> int:
    return int(at["grid.rows"] * at["grid.cols"])


def quadrants(at: At, cell: int) -> tuple[str, ...]:
    """The quadrants of a cell clockwise from the north-west; cells are counted from 1 in reading order."""
    return _quadrants(at["grid.cols"], cell)


@cache
def _quadrants(columns: int, cell: int) -> tuple[str, ...]:
    row, column = divmod(cell - 1, columns)
    west, north = SIDE * column, SIDE * row
    corners = ((west, north), (west + 1, north), (west + 1, north + 1), (west, north + 1))
    return tuple(square(x, y) for x, y in corners)


def filled(at: At, cell: int) -> bool:
    return all(terrain_at(at.state, q) != EMPTY for q in quadrants(at, cell))


def next_cell(at: At) -> int | None:
    """The cell to be filled next (XK-TILE-2); None when the land is complete."""
    if not any(EMPTY in row for row in at.state.terrain) and at.state.terrain:
        return None
    return next((cell for cell in at["placement.order"] if cell <= cells(at) and not filled(at, cell)), None)


def to_come(at: At) -> list[str]:
    """Tiles that may still come up: there is one of each (XK-PREP-3)."""
    lying = {laid.tile for laid in at.state.tiles.values()}
    return [tile for tile in cat(at).tiles if tile not in lying]


# --- turns of a tile ------------------------------------------------------------------------------------------------


class Turned(NamedTuple):
    """The result of turning a tile. `matches`: the star lies next to its type on another tile; `size`: of the area that
    then holds the star, the tile included; `star`: its quadrant."""

    matches: bool
    size: int
    star: str


def turns(at: At, cell: int, tile: Tile) -> dict[int, Turned]:
    """The result of each quarter turn of a tile in a cell (XK-TILE-3, -4, -5, -7)."""
    return _turns(land_graph(at), quadrants(at, cell), tuple(at.state.terrain), tile)


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
    whole = area_at(graph, {**around, **dict(zip(here, types, strict=True))}, star)
    return Turned(matches, whole.size, star)


def matching(found: dict[int, Turned]) -> dict[int, int]:
    """Turn -> size of the star's area, of the turns that lay the star next to its type (XK-TILE-4)."""
    return {rot: turned.size for rot, turned in found.items() if turned.matches}


def allowed(found: dict[int, Turned]) -> list[int]:
    """The turns with the largest area among those that match (XK-TILE-5), or all if none does (XK-TILE-6)."""
    sizes = matching(found)
    return [rot for rot, size in sizes.items() if size == max(sizes.values())] if sizes else list(found)


# --- the move -------------------------------------------------------------------------------------------------------


class PlaceTile(Reported, frozen=True):
    """Lay the landscape tile that came up, turned as the table turned it."""

    words = ("tile",)
    unshared = ("rot",)
    cell: Annotated[int | None, Cell()] = None
    tile: Annotated[str, PieceName("landscape")] = ""
    rot: Annotated[int | None, Turn()] = None
    """Clockwise, in degrees."""

    def cell_options(self, at: At) -> Options:
        due = next_cell(at)
        return () if due is None else (due,)

    def tile_options(self, at: At) -> Options:
        return to_come(at)

    def rot_options(self, at: At) -> Options:
        return TURNS

    def questions(self, at: At, field: str, values: list[Any]) -> list[Choice]:
        if field != "rot" or self.cell is None:
            return super().questions(at, field, values)
        found = self._turns(at, self.cell)
        facts: dict[str, Any] = {"tile": self.tile, "star": self._star(at), "size": found[values[0]].size}
        stars = [f"{found[rot].star} ({rot})" for rot in values]
        return [at.ask(f"XK-TILE-6.{'best' if matching(found) else 'any'}", "rot", "", values, stars=stars, **facts)]

    def _turns(self, at: At, cell: int) -> dict[int, Turned]:
        return turns(at, cell, cat(at).tiles[self.tile])

    def _star(self, at: At) -> str:
        tile = cat(at).tiles[self.tile]
        return type_name(at, tile.types[tile.star])

    def forbidden(self, at: At) -> Iterator[Breach]:
        s = at.state
        due = next_cell(at)
        if not s.players:
            yield at.breach("XK-GAME-2.unseated")
        elif due is None:
            yield at.breach("XK-PREP-3.full", cells=cells(at))
        elif s.phase != "setup":
            yield at.breach("XK-TILE-1.phase", phase=s.phase)
        else:
            yield from self._wrong(at, due)

    def _wrong(self, at: At, due: int) -> Iterator[Breach]:
        s, cell, rot = at.state, self.cell, self.rot
        lies = next((int(cell) for cell, laid in s.tiles.items() if laid.tile == self.tile), None)
        on_the_land = cell is not None and 0 < cell <= cells(at)
        free = on_the_land and not filled(at, cell or 0)
        if cell is not None and cell != due:
            key = "order" if free else "filled" if on_the_land else "none"
            yield at.breach(f"XK-TILE-2.{key}", cell=cell, next=due, cells=cells(at))
        if lies is not None:
            yield at.breach("XK-PREP-3.lies", tile=self.tile, cell=lies)
        if rot is not None and rot not in TURNS:
            yield at.breach("XK-TILE-3.quarters", rot=rot, turns=list(TURNS))
        elif rot is not None and cell is not None and self.tile and lies is None and free:
            yield from self._alignment(at, cell, rot)

    def _alignment(self, at: At, cell: int, rot: int) -> Iterator[Breach]:
        """The star lies next to its type if it can (XK-TILE-4), in the largest area it can join (XK-TILE-5)."""
        found = self._turns(at, cell)
        sizes, best = matching(found), allowed(found)
        facts = {"cell": cell, "tile": self.tile, "rot": rot, "sizes": {str(r): n for r, n in sizes.items()}}
        facts |= {"star": self._star(at), "ways": best}
        if sizes and rot not in sizes:
            yield at.breach("XK-TILE-4.apart", where=found[rot].star, **facts)
        elif rot not in best:
            yield at.breach("XK-TILE-5.smaller", size=sizes[rot], best=sizes[best[0]], **facts)

    def apply(self, at: At) -> None:
        s = at.state
        cell, rot = self.cell or 0, (self.rot or 0) // 90 % 4 * 90
        found = self._turns(at, cell)
        types, _ = cat(at).tiles[self.tile].turned(rot)
        rows = [list(row) for row in s.terrain]
        for quadrant, letter in zip(quadrants(at, cell), types, strict=True):
            column, row = coordinates(quadrant)
            rows[row][column] = letter
        s.terrain = ["".join(row) for row in rows]
        s.tiles[str(cell)] = Laid(self.tile, rot)
        at.note("XK-TILE-1.laid", cell=cell, tile=self.tile, rot=rot)
        if found[rot].matches:
            at.note("XK-TILE-4.joins", star=found[rot].star, type=self._star(at), size=found[rot].size)
        elif not matching(found):
            at.note("XK-TILE-6.any", star=self._star(at))
        if next_cell(at) is None:
            at.note("XK-PREP-3.complete", tiles=cells(at), left=at["tiles"] - cells(at))
            begin(at)


def begin(at: At) -> None:
    """The first round begins when the land is complete and the first drawer is named (XK-GAME-1)."""
    s = at.state
    if s.phase == "setup" and next_cell(at) is None and s.drawer is not None:
        at.enter("draw")
        at.note("XK-GAME-1.begins", round=s.round, drawer=s.drawer)
