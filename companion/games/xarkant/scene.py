"""The table as a scene: the land with what stands on it, the boards, the supply and the bag.

Nothing here is secret but the order in which discs will be drawn, and the tiles that nobody has turned over.
"""

from __future__ import annotations

from collections.abc import Iterator

from companion.engine.things.scenes import coloured
from companion.engine.things.spaces import coordinates
from companion.rules import Row, table, things
from components.scene import Scene, Thing

from .catalogue import At, cat
from .land import SIDE, land_graph, terrain_at
from .state import DISCS, EMPTY, KINDS, SETTLEMENTS
from .storage import popularity_supply, supply

ROWS = (
    Row("state_board.villages", "village/village", "state#village.{i}"),
    Row("state_board.workshops.*", "workshop/{p}", "state#workshop.{n}"),
    Row("church_board.*.*", "church/{p}", "churches#{0}.{n}"),
    Row("bag.*", "disc/{p0}", "table#bag"),
    Row("player.*.workshops", "workshop/{p0}", "{0}#workshop.{i}"),
    Row("player.*.churches", "church/{p0}", "{0}#church.{i}"),
    Row("player.*.popularity", "popularity/heart", "{0}#popularity.{i}"),
    *(Row(f"player.*.{kind}", f"resource/{kind}", f"{{0}}#{kind}.{{i}}") for kind in KINDS),
    Row("drawn.*", "disc/{p0}", "{0}#drawn"),
    Row("aside.*", "disc/{p0}", "{0}#aside"),
    Row("drawer", "drawer/drawer", "{v}#drawer"),
)


def scene(at: At) -> Scene:
    """The scene of the table."""
    s = at.state
    colours = coloured(s.players, cat(at).colours)
    found = [
        Thing(mat="table"),
        Thing(mat="land", id="land", at="table#land"),
        *(Thing(piece=f"frame/{side}", at=f"land#{side}") for side in ("north", "south", "west", "east")),
        *ground(at),
        *land(at, colours),
        Thing(piece="state-board/state-board", id="state", at="table#state-board"),
        Thing(piece="church-board/church-board", id="churches", at="table#church-board"),
        *box(at),
        *(Thing(piece=f"player-board/{colours[player]}", id=player, label=player) for player in s.players),
        *things(s, ROWS, colours),
    ]
    return table(at, found)


def ground(at: At) -> Iterator[Thing]:
    """The tiles as they were turned; the bare ground of quadrants whose tile nobody has told."""
    s = at.state
    for cell, laid in s.tiles.items():
        yield Thing(piece=f"landscape/{laid.tile}", at=f"land#cell.{cell}", turn=laid.rot)
    for seed, quadrant in enumerate(land_graph(at).spaces, 1):
        x, y = coordinates(quadrant)
        kind = terrain_at(s, quadrant)
        if kind != EMPTY and str(x // SIDE + at["grid.cols"] * (y // SIDE) + 1) not in s.tiles:
            yield Thing(mat="quadrant", at=f"land#{quadrant}", fields={"kind": kind, "seed": seed})


def land(at: At, colours: dict[str, str]) -> Iterator[Thing]:
    """The pieces on the quadrants; a church stands on the village it made a town."""
    for quadrant, piece in at.state.pieces.items():
        spot = f"land#{quadrant}"
        colour = colours.get(piece.owner or "", "")
        if piece.kind in SETTLEMENTS:
            yield Thing(piece="village/village", id=f"village-{quadrant}", at=spot)
            spot = f"village-{quadrant}"
        if piece.kind in DISCS:
            yield Thing(piece=f"disc/{colour}", side="back" if piece.kind == "claim" else "front", at=spot)
        elif colour:
            yield Thing(piece=f"{'workshop' if piece.kind == 'workshop' else 'church'}/{colour}", at=spot)


def box(at: At) -> Iterator[Thing]:
    """The supply, and the tiles that were not laid."""
    for kind, n in supply(at).items():
        yield Thing(piece=f"resource/{kind}", count=n, lay="pile", at=f"table#{kind}")
    yield Thing(piece="popularity/heart", count=popularity_supply(at), lay="pile", at="table#popularity")
    waiting = len(cat(at).tiles) - len(at.state.tiles) if at.state.phase == "setup" else 0
    yield Thing(piece="landscape/*", count=waiting, at="table#tiles", label="Tiles to come")
