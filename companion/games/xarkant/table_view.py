"""The table as text: the land with its areas and pieces, the boards, and what is awaited."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from itertools import product
from typing import Any

from companion.engine.things.spaces import square
from companion.engine.things.views import LONG, Columns, View, grid, lines, shortened
from components.phrasing import amounts, count

from .catalogue import At
from .churches import track_open
from .land import SIDE, area_of, terrain_at, type_name
from .state import EMPTY, KINDS, SETTLEMENTS, Piece
from .storage import popularity_supply, supply
from .workshops import slots_open, state_extra

WIDE = 9
"""Characters of a quadrant in the picture of the land."""
HATCHING = {"F": "~ ", "W": "^ ", "Q": "# "}


def heading(at: At) -> str:
    s = at.state
    if s.phase == "end":
        why = {"claims": "all discs of a player are claims", "villages": "no village is left"}
        return f"over: {why.get(s.end_reason or '', 'nobody claimed or built any more')}"
    if s.phase == "setup":
        return "set-up"
    return f"round {s.round}, {s.phase}" + (f", {s.active} to act" if s.active else "")


def initials(at: At) -> dict[str, str]:
    """A mark of one or two characters for each player, all different: the first letter of the name; if others begin
    with it, too, that and a letter in which the names differ, or a number."""
    found: dict[str, str] = {}
    for number, name in enumerate(at.state.players, 1):
        alike = [other for other in at.state.players if other != name and other[:1].lower() == name[:1].lower()]
        first = name[:1].upper()
        telling = [letter for i, letter in enumerate(name) if all(letter != other[i : i + 1] for other in alike)]
        ways = [first + letter.lower() for letter in (*telling, *name[1:]) if letter.isalnum()]
        way = next((way for way in ways if way not in found.values()), f"{first}{number}")
        found[name] = way if alike else first
    return found


def mark(piece: Piece, names: dict[str, str]) -> str:
    """`A work`, `village`, `A town`: a piece in the picture of the land."""
    owner = names.get(piece.owner or "", "")
    return f"{owner} {'shop' if piece.kind == 'workshop' else piece.kind}".strip()


def held(kind: str, at: At, who: str) -> str:
    """`3/6`: what a player has of a resource, and room for."""
    return f"{at.state.player[who].of(kind)}/{at['storage.capacity'][kind]}"


PLAYERS: Columns = {
    **{kind: partial(held, kind) for kind in KINDS},
    "pop": "player.*.popularity",
    "shops": "player.*.workshops",
    "churches": "player.*.churches",
    **{place: f"{place}.*" for place in ("bag", "drawn", "aside")},
    "work": lambda at, who: at.state.on_land(who, "work"),
    "claim": lambda at, who: at.state.on_land(who, "claim"),
}


def table(at: At) -> View:
    """The whole table."""
    s = at.state
    if not s.players:
        return View("nobody is seated yet")
    drawer = f"; {s.drawer} is the drawer" if s.drawer else ""
    players = grid(at, s.players, PLAYERS, s.active)
    return View(
        heading(at) + drawer, (lines(*land_text(at)), players, lines(*boards_text(at, {}))), at.rules.awaits(at)
    )


def land_text(at: At) -> list[str]:
    """The land with a wall between any two areas: hatching tells the type, words what stands there."""
    columns, rows = SIDE * at["grid.cols"], SIDE * at["grid.rows"]
    names, of = initials(at), walls(at, columns, rows)
    lines = []
    for y in range(rows + 1):
        wall = ""
        for x in range(columns + 1):
            around = {of[x - 1, y - 1], of[x, y - 1], of[x, y], of[x - 1, y]}
            line = "-" if of[x, y - 1] != of[x, y] else " "
            letter = square(x, 0)[0] if y == 0 else line
            wall += ("+" if len(around) > 1 else " ") + (letter.center(WIDE, line) if x < columns else "")
        lines.append("   " + wall.rstrip())
        if y < rows:
            sides = ["|" if of[x - 1, y] != of[x, y] else " " for x in range(columns)]
            cells = (side + _quadrant(at, square(x, y), names) for x, side in enumerate(sides))
            lines.append(f" {y + 1} {''.join(cells)}|")
    legend = "   ".join(f"{HATCHING[letter]}{type_name(at, letter)}" for letter in HATCHING)
    people = "   ".join(f"{short} = {shortened(name, LONG)}" for name, short in names.items() if short != name)
    lines.append(f"   {legend}" + (f"   {people}" if people else ""))
    return lines


def walls(at: At, columns: int, rows: int) -> dict[tuple[int, int], Any]:
    """Column and row -> what is walled in there: an area, a quadrant that belongs to none, or nothing (outside)."""
    found: dict[tuple[int, int], Any] = {(x, y): None for x in range(-1, columns + 1) for y in range(-1, rows + 1)}
    for x, y in product(range(columns), range(rows)):
        area = area_of(at, square(x, y))
        found[x, y] = area.spaces if area else (x, y)
    return found


def _quadrant(at: At, quadrant: str, names: dict[str, str]) -> str:
    """Hatching, and over it what stands there."""
    piece = at.state.pieces.get(quadrant)
    letter = terrain_at(at.state, quadrant)
    if piece is None:
        return (HATCHING.get(letter, "  ") * WIDE)[:WIDE] if letter != EMPTY else "?".center(WIDE)
    said = mark(piece, names)
    if piece.kind not in SETTLEMENTS and len(said) < WIDE - 1:
        said = HATCHING.get(letter, "") + said
    return said[:WIDE].ljust(WIDE) if said[:1] in "~^#" else said[:WIDE].center(WIDE)


def boards_text(at: At, called: Mapping[str, str]) -> list[str]:
    """State Board, Church Board, supply and idle rounds; `called`: player -> how owners are named."""
    s = at.state
    shops, places = s.state_board.workshops, slots_open(at)
    more = f", the next costs {amounts(state_extra(at))} more" if len(shops) < places else ""
    rows = [(kind, s.church_board[kind], track_open(at)) for kind in KINDS]
    workshops, *tracks = (
        f"{what} {len(row)}/{most}" + (f" ({', '.join(called.get(name, name) for name in row)})" if row else "")
        for what, row, most in (("workshops", shops, places), *rows)
    )
    stock = ", ".join(f"{n} {kind}" for kind, n in supply(at).items())
    now = "" if s.progress else "; nobody has claimed or built in this round yet"
    idle = f"Idle rounds: {s.idle_rounds}; {at['end.idle_rounds']} in a row end the game{now}"
    return [
        f"State Board: {count(s.state_board.villages, 'village')}; {workshops}{more}",
        f"Church Board: {'; '.join(tracks)}",
        f"Supply: {stock}, {popularity_supply(at)} popularity",
        *([idle] if s.idle_rounds else []),
    ]
