"""What the picture of the table shows, as plain data; `layouts/xarkant/table.svg.j2` draws it."""

from __future__ import annotations

from typing import Any

from companion.engine.things.spaces import square
from companion.engine.things.views import shortened

from .catalogue import At, cat
from .land import SIDE, terrain_at
from .state import EMPTY, SETTLEMENTS
from .table_view import boards_text, heading, initials, walled

QUADRANT = 45
"""Millimetres."""
LONG = 32
"""Characters of a player's name in the lines below the land."""
GROUNDS = {"F": "field-ground", "W": "forest-ground", "Q": "quarry-ground", EMPTY: "paper"}


def picture(at: At) -> dict[str, Any]:
    columns, rows = SIDE * at["grid.cols"], SIDE * at["grid.rows"]
    names, colours = initials(at), player_colours(at)
    squares = [(x, y) for y in range(rows) for x in range(columns)]
    return {
        "grounds": GROUNDS,
        "heading": heading(at),
        "columns": columns,
        "rows": rows,
        "quadrants": [quadrant(at, x, y, names, colours) for x, y in squares],
        "thin": "".join(walls(at, squares, bold=False)),
        "bold": "".join(walls(at, squares, bold=True)),
        "players": [player(at, name, names[name], colours[name]) for name in at.state.players],
        "boards": boards_text(at, names),
    }


def player_colours(at: At) -> dict[str, str]:
    """Player -> colour: the one the seat is called by, otherwise the first that no seat is called by."""
    printed, players = cat(at).colours, at.state.players
    free = [colour for colour in printed if colour not in map(str.lower, players)]
    return {name: name.lower() if name.lower() in printed else free.pop(0) for name in players}


def quadrant(at: At, x: int, y: int, names: dict[str, str], colours: dict[str, str]) -> dict[str, Any]:
    """A quadrant and what stands on it; bare paper under a village."""
    found = at.state.pieces.get(square(x, y))
    if found is None:
        return {"x": x, "y": y, "kind": terrain_at(at.state, square(x, y)), "piece": None}
    owner = found.owner or ""
    drawn = {"kind": found.kind, "owner": owner, "mark": names.get(owner), "colour": colours.get(owner)}
    bare = found.kind in SETTLEMENTS
    return {"x": x, "y": y, "kind": EMPTY if bare else terrain_at(at.state, square(x, y)), "piece": drawn}


def walls(at: At, squares: list[tuple[int, int]], *, bold: bool) -> list[str]:
    """Lines between quadrants of different areas (bold), or of one area."""
    west = [(x - 1, y, x, y, f"v{QUADRANT}") for x, y in squares if x]
    north = [(x, y - 1, x, y, f"h{QUADRANT}") for x, y in squares if y]
    return [
        f"M{x * QUADRANT} {y * QUADRANT}{line}"
        for other_x, other_y, x, y, line in west + north
        if walled(at, square(other_x, other_y), square(x, y)) is bold
    ]


def player(at: At, name: str, mark: str, colour: str) -> dict[str, str]:
    s, p = at.state, at.state.player[name]
    stored = ", ".join(f"{n} {kind}" for kind, n in p.stored().items())
    role = " (drawer)" if name == s.drawer else ""
    discs = f"{s.bag.get(name, 0)} in the bag, {s.drawn.get(name, 0)} drawn, {s.aside.get(name, 0)} aside"
    return {
        "mark": mark,
        "colour": colour,
        "stores": f"{shortened(name, LONG)}{role}: {stored}; {p.popularity} popularity",
        "pieces": f"{p.workshops} workshops and {p.churches} churches to place; discs: {discs}",
    }
