"""The table as a scene: the land with what stands on it, the boards, the supply and the bag.

Nothing here is secret but the order in which discs will be drawn, and the tiles that nobody has turned over.
"""

from __future__ import annotations

from companion.engine.things.scenes import coloured, one_by_one, row, table
from companion.engine.things.spaces import square
from components.scene import Scene, Thing

from .catalogue import At, cat
from .land import SIDE, terrain_at
from .state import DISCS, EMPTY, KINDS, SETTLEMENTS
from .storage import popularity_supply, supply

FRAME = ("north", "south", "west", "east")


def scene(at: At) -> Scene:
    """What lies on the table."""
    s = at.state
    colours = coloured(s.players, cat(at).colours)
    things = [
        Thing(mat="table"),
        Thing(mat="land", id="land", at="table#land"),
        *(Thing(piece=f"frame/{side}", at=f"land#{side}") for side in FRAME),
        *ground(at),
        *land(at, colours),
        *boards(at, colours),
        *box(at, colours),
    ]
    for player in s.players:
        things += of_player(at, player, colours[player])
    return table(at, things)


def ground(at: At) -> list[Thing]:
    """The tiles as they were turned; the bare ground of quadrants whose tile nobody has told."""
    s = at.state
    columns = at["grid.cols"]
    things = [
        Thing(piece=f"landscape/{laid.tile}", at=f"land#cell.{cell}", turn=laid.rot) for cell, laid in s.tiles.items()
    ]
    for n in range(SIDE * SIDE * columns * at["grid.rows"]):
        y, x = divmod(n, SIDE * columns)
        kind = terrain_at(s, square(x, y))
        if kind != EMPTY and str(x // SIDE + columns * (y // SIDE) + 1) not in s.tiles:
            things.append(Thing(mat="quadrant", at=f"land#{square(x, y)}", fields={"kind": kind, "seed": n + 1}))
    return things


def land(at: At, colours: dict[str, str]) -> list[Thing]:
    """What stands on the quadrants; a church stands on the village it made a town."""
    things: list[Thing] = []
    for quadrant, piece in at.state.pieces.items():
        spot = f"land#{quadrant}"
        colour = colours.get(piece.owner or "", "")
        if piece.kind in SETTLEMENTS:
            things.append(Thing(piece="village/village", id=f"village-{quadrant}", at=spot))
            spot = f"village-{quadrant}"
        if piece.kind in DISCS:
            things.append(Thing(piece=f"disc/{colour}", side="back" if piece.kind == "claim" else "front", at=spot))
        elif piece.kind == "workshop":
            things.append(Thing(piece=f"workshop/{colour}", at=spot))
        elif colour:
            things.append(Thing(piece=f"church/{colour}", at=spot))
    return things


def boards(at: At, colours: dict[str, str]) -> list[Thing]:
    """The State Board and the Church Board with what lies on them."""
    s = at.state
    things = [
        Thing(piece="state-board/state-board", id="state", at="table#state-board"),
        Thing(piece="church-board/church-board", id="churches", at="table#church-board"),
    ]
    things += one_by_one("village/village", s.state_board.villages, "state#village")
    things += row((f"workshop/{colours[owner]}" for owner in s.state_board.workshops), "state#workshop")
    for kind, owners in s.church_board.items():
        things += row((f"church/{colours[owner]}" for owner in owners), f"churches#{kind}")
    return things


def box(at: At, colours: dict[str, str]) -> list[Thing]:
    """Supply, bag, and the tiles that were not laid."""
    s = at.state
    left = supply(at)
    things = [Thing(piece=f"resource/{kind}", count=left[kind], lay="pile", at=f"table#{kind}") for kind in KINDS]
    things.append(Thing(piece="popularity/heart", count=popularity_supply(at), lay="pile", at="table#popularity"))
    for player, n in s.bag.items():
        things.append(Thing(piece=f"disc/{colours[player]}", count=n, at="table#bag"))
    waiting = len(cat(at).tiles) - len(s.tiles)
    stack = waiting if s.phase == "setup" else 0
    return [*things, Thing(piece="landscape/*", count=stack, at="table#tiles", label="Tiles to come")]


def of_player(at: At, player: str, colour: str) -> list[Thing]:
    """A player's board with everything on it."""
    s = at.state
    p = s.player[player]
    things = [Thing(piece=f"player-board/{colour}", id=player, label=player)]
    things += one_by_one(f"workshop/{colour}", p.workshops, f"{player}#workshop")
    things += one_by_one(f"church/{colour}", p.churches, f"{player}#church")
    things += one_by_one("popularity/heart", p.popularity, f"{player}#popularity")
    for kind, stored in p.stored().items():
        things += one_by_one(f"resource/{kind}", stored, f"{player}#{kind}")
    things.append(Thing(piece=f"disc/{colour}", count=s.drawn.get(player, 0), at=f"{player}#drawn"))
    things.append(Thing(piece=f"disc/{colour}", count=s.aside.get(player, 0), at=f"{player}#aside"))
    if player == s.drawer:
        things.append(Thing(piece="drawer/drawer", at=f"{player}#drawer"))
    return things
