"""The table as an SVG picture: the land as it lies, areas outlined, pieces with their owners' marks; stocks below.

Units are millimetres on the table: a quadrant is 45 wide, as on the printed tiles. Players are told apart by the first
letters of their names as well as by colour.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from companion.engine.things.spaces import square
from components.phrasing import count

from .catalogue import At, cat
from .churches import track_open
from .land import SIDE, terrain_at
from .state import EMPTY, KINDS, SETTLEMENTS, Piece
from .storage import popularity_supply, supply
from .table_view import heading, initials, shortened, walled
from .workshops import slots_open

QUADRANT = 45.0
MARGIN = 14.0
ROW = 9.0
"""Height of a line of text below the land."""
LONG = 32
"""Characters of a player's name in the lines below the land."""
FONT = "Source Sans 3, Source Sans Pro, Helvetica, Arial, sans-serif"

PAPER, INK, SOFT = "#f0e6cd", "#2b231b", "#5b4d3d"
GROUND = {"F": "#ecc76a", "W": "#a9bf86", "Q": "#bdc6cb", EMPTY: "#f7f1e2"}
LINES = {"F": "#a4721c", "W": "#5d7c45", "Q": "#3d4750", EMPTY: "#b9ad96"}
COLOURS = {"red": "#b0402b", "blue": "#3d6a93", "white": "#fbf7ea", "black": "#4a433c"}
SPARE = "#8a6fa0"
"""For a fifth player, if a house rule seats one."""

Drawing = Any
Group = Any


def colour_of(at: At, player: str) -> str:
    """A player's colour: the one the seat is called by, otherwise the first that no seat is called by."""
    colours = cat(at).colours
    if player.lower() in colours:
        return COLOURS.get(player.lower(), SPARE)
    taken = {name.lower() for name in at.state.players}
    free = [colour for colour in colours if colour not in taken]
    others = [name for name in at.state.players if name.lower() not in colours]
    place = others.index(player)
    return COLOURS.get(free[place], SPARE) if place < len(free) else SPARE


def on_colour(colour: str) -> str:
    """Ink that can be read on a player's colour."""
    return INK if colour == COLOURS["white"] else COLOURS["white"]


def picture(at: At) -> str:
    """The SVG document."""
    import svgwrite

    columns, rows = SIDE * at["grid.cols"], SIDE * at["grid.rows"]
    people = at.state.players
    w = 2 * MARGIN + columns * QUADRANT
    h = 3 * MARGIN + rows * QUADRANT + ROW * (2 * len(people) + 4)
    d = svgwrite.Drawing(size=(f"{w}mm", f"{h}mm"), viewBox=f"0 0 {w:g} {h:g}", debug=False)
    d.set_desc(title=f"Xarkant: {heading(at)}")
    d.add(d.rect((0, 0), (w, h), fill=PAPER))
    land = d.g(transform=f"translate({MARGIN:g} {MARGIN:g})", id="land")
    for y in range(rows):
        for x in range(columns):
            land.add(_ground(d, at, x, y))
    land.add(_walls(d, at, columns, rows))
    names = initials(at)
    for y in range(rows):
        for x in range(columns):
            piece = at.state.pieces.get(square(x, y))
            if piece is not None:
                land.add(_piece(d, at, piece, (x + 0.5) * QUADRANT, (y + 0.5) * QUADRANT, names))
    d.add(land)
    d.add(_letters(d, columns, rows))
    d.add(_stocks(d, at, MARGIN, 3 * MARGIN + rows * QUADRANT - ROW, names))
    return str(d.tostring())


# --- the land ----------------------------------------------------------------------------------------------------


def _ground(d: Drawing, at: At, x: int, y: int) -> Group:
    """A quadrant with its woodcut: furrows, crowns or blocks; bare paper under a village."""
    left, top = x * QUADRANT, y * QUADRANT
    letter = terrain_at(at.state, square(x, y))
    piece = at.state.pieces.get(square(x, y))
    if piece is not None and piece.kind in SETTLEMENTS:
        letter = EMPTY
    group = d.g(transform=f"translate({left:g} {top:g})")
    group.add(d.rect((0, 0), (QUADRANT, QUADRANT), fill=GROUND[letter]))
    motif = MOTIFS.get(letter)
    if motif is not None:
        line = LINES[letter]
        turned = d.g(fill="none", stroke=line, stroke_width=0.7, stroke_linecap="round")
        if letter == "F" and (x + y) % 2:
            turned["transform"] = f"rotate(90 {QUADRANT / 2:g} {QUADRANT / 2:g})"
        motif(d, turned)
        group.add(turned)
    return group


def _furrows(d: Drawing, group: Group) -> None:
    for i in range(6):
        y = 4 + i * 7.4
        group.add(d.path(f"M2 {y:g}q10 -2.4 20.5 0t20.5 0"))


def _crowns(d: Drawing, group: Group) -> None:
    for i in range(12):
        angle = math.radians(30 * i)
        x, y = 22.5 + 17.6 * math.cos(angle), 22.5 + 17.6 * math.sin(angle)
        group.add(d.circle((round(x, 2), round(y, 2)), 3.4, fill="#5f8a4a"))


def _blocks(d: Drawing, group: Group) -> None:
    for inset in (3.5, 9.0):
        side = QUADRANT - 2 * inset
        group.add(d.rect((inset, inset), (side, side)))
        for i in range(1, 6):
            step = inset + i * side / 6
            for far in (inset, QUADRANT - inset):
                near = far + (2.6 if far == inset else -2.6)
                group.add(d.path(f"M{step:g} {far:g}V{near:g}M{far:g} {step:g}H{near:g}"))


MOTIFS: dict[str, Callable[[Drawing, Group], None]] = {"F": _furrows, "W": _crowns, "Q": _blocks}


def _walls(d: Drawing, at: At, columns: int, rows: int) -> Group:
    """Bold lines between areas, thin ones inside them."""
    bold, thin = "", ""
    for y in range(rows):
        for x in range(columns):
            here = square(x, y)
            across = [
                (square(x - 1, y) if x else None, f"M{x * QUADRANT:g} {y * QUADRANT:g}v{QUADRANT:g}"),
                (square(x, y - 1) if y else None, f"M{x * QUADRANT:g} {y * QUADRANT:g}h{QUADRANT:g}"),
            ]
            for other, line in across:
                if walled(at, other, here):
                    bold += line
                else:
                    thin += line
    w, h = columns * QUADRANT, rows * QUADRANT
    group = d.g(fill="none", stroke=INK, stroke_linecap="round", stroke_linejoin="round", id="areas")
    if thin:
        group.add(d.path(thin, stroke_width=0.35, stroke_dasharray="1.6 2"))
    group.add(d.path(f"{bold}M{w:g} 0v{h:g}h{-w:g}", stroke_width=1.8))
    return group


def _letters(d: Drawing, columns: int, rows: int) -> Group:
    """Letters of the columns above and below, numbers of the rows left and right."""
    group = _text_group(d, 7, INK, "bold")
    for x in range(columns):
        for y in (MARGIN - 4.5, MARGIN + rows * QUADRANT + 9.5):
            group.add(d.text(square(x, 0)[0], (MARGIN + (x + 0.5) * QUADRANT, y), text_anchor="middle"))
    for row in range(rows):
        for at_x in (MARGIN / 2, MARGIN * 1.5 + columns * QUADRANT):
            group.add(d.text(str(row + 1), (at_x, MARGIN + (row + 0.5) * QUADRANT + 2.5), text_anchor="middle"))
    return group


# --- pieces ------------------------------------------------------------------------------------------------------


def _piece(d: Drawing, at: At, piece: Piece, x: float, y: float, names: dict[str, str]) -> Group:
    colour = colour_of(at, piece.owner) if piece.owner in at.state.players else PAPER
    group = d.g(transform=f"translate({x:g} {y:g})", stroke=INK, stroke_width=0.9, stroke_linejoin="round")
    group.set_desc(title=f"{piece.kind} {piece.owner or ''}".strip())
    if piece.kind in SETTLEMENTS:
        _village(d, group)
    if piece.kind in ("work", "claim"):
        group.add(d.circle((0, 0), 12.5, fill=colour))
        sign = d.g(fill="none", stroke=on_colour(colour), stroke_width=1.3)
        if piece.kind == "work":
            sign.add(d.path("M0 9.5V3"))
            sign.add(d.path("M-4.5 2.6H4.5", stroke_width=3.4, stroke_linecap="butt"))
        else:
            sign.add(d.path("M-3.5 9.5V.5L5 3L-3.5 5.5"))
        group.add(sign)
    elif piece.kind == "workshop":
        group.add(d.path("M-7.5 9V-2L0 -9L7.5 -2V9Z", fill=colour))
    elif piece.kind in ("church", "town"):
        group.add(d.path("M-7.5 12V0H-4V-7L0 -12L4 -7V0H7.5V12Z", fill=colour))
        group.add(d.path("M0 -17V-12M-2 -15H2", stroke_width=1.1))
    if piece.owner:
        y_text = {"work": -3.0, "claim": -3.0, "workshop": 5.5}.get(piece.kind, 8.5)
        mark = _text_group(d, 8, on_colour(colour), "bold")
        mark["stroke"] = "none"
        mark.add(d.text(names.get(piece.owner, ""), (0, y_text), text_anchor="middle"))
        group.add(mark)
    return group


def _village(d: Drawing, group: Group) -> None:
    """Gables round a green: the 40 mm tile."""
    group.add(d.rect((-20, -20), (40, 40), rx=1.5, fill="#e6d3a8"))
    for x, y in ((-14, -10), (13, -11), (-14, 15), (14, 14)):
        group.add(d.path(f"M{x - 4:g} {y:g}v-5l4 -4l4 4v5Z", fill="#a5331f"))


# --- what stands on the boards -----------------------------------------------------------------------------------


def _stocks(d: Drawing, at: At, x: float, y: float, names: dict[str, str]) -> Group:
    s = at.state
    group = _text_group(d, 6, INK, "normal")
    group.add(d.text(heading(at), (x, y), font_weight="bold"))
    for i, (name, p) in enumerate(s.player.items(), 1):
        line = y + (2 * i - 1) * ROW
        colour = colour_of(at, name)
        group.add(d.circle((x + 3.5, line - 2), 3.5, fill=colour, stroke=INK, stroke_width=0.5))
        letter = _text_group(d, 4.4, on_colour(colour), "bold")
        letter.add(d.text(names[name], (x + 3.5, line - 0.5), text_anchor="middle"))
        group.add(letter)
        stored = ", ".join(f"{n} {kind}" for kind, n in p.stored().items())
        discs = f"{s.bag.get(name, 0)} in the bag, {s.drawn.get(name, 0)} drawn, {s.aside.get(name, 0)} aside"
        role = " (drawer)" if name == s.drawer else ""
        owned = f"{shortened(name, LONG)}{role}: {stored}; {p.popularity} popularity"
        group.add(d.text(owned, (x + 10, line), fill=INK))
        left = f"{p.workshops} workshops and {p.churches} churches to place; discs: {discs}"
        group.add(d.text(left, (x + 10, line + 0.8 * ROW), fill=SOFT))
    line = y + (2 * len(s.player) + 1) * ROW
    shops = s.state_board.workshops
    villages = count(s.state_board.villages, "village")
    state = f"State Board: {villages}, workshops {_taken(shops, slots_open(at), names)}"
    tracks = ", ".join(f"{kind} {_taken(s.church_board[kind], track_open(at), names)}" for kind in KINDS)
    stock = ", ".join(f"{n} {kind}" for kind, n in supply(at).items())
    supplied = f"Supply: {stock}, {popularity_supply(at)} popularity"
    for i, said in enumerate((state, f"Church Board: {tracks}", supplied)):
        group.add(d.text(said, (x, line + i * ROW), fill=SOFT))
    return group


def _taken(row: list[str], places: int, names: dict[str, str]) -> str:
    """`2 of 6 (A B)`: slots taken, and by whom."""
    whose = f" ({' '.join(names.get(owner, '?') for owner in row)})" if row else ""
    return f"{len(row)} of {places}{whose}"


def _text_group(d: Drawing, size: float, colour: str, weight: str) -> Group:
    return d.g(font_family=FONT, font_size=size, font_weight=weight, fill=colour)


__all__ = ["colour_of", "picture"]
