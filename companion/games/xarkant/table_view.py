"""The table as text: the land with its areas and pieces, the boards, and what is awaited."""

from __future__ import annotations

from functools import partial

from companion.engine.things.views import LONG, initials, shortened, walled
from companion.rules import Columns, View, grid, lines
from components.phrasing import amounts, count

from .building import slots_open, state_extra, track_open
from .catalogue import At
from .cleanup import why_it_ended
from .land import SIDE, land, terrain_at, type_name
from .state import EMPTY, KINDS, SETTLEMENTS
from .storage import popularity_supply, supply

WIDE = 9
"""Characters of a quadrant in the picture of the land."""
HATCHING = {"F": "~ ", "W": "^ ", "Q": "# "}


def heading(at: At) -> str:
    s = at.state
    if s.phase == "end":
        return f"over: {why_it_ended(at)[1]}"
    if s.phase == "setup":
        return "set-up"
    return f"round {s.round}, {s.phase}" + (f", {s.active} to act" if s.active else "")


def held(kind: str, at: At, who: str) -> str:
    """`3/6`: what a player has of a resource, and room for."""
    return f"{at.state.player[who].of(kind)}/{at['storage.capacity'][kind]}"


PLAYERS: Columns = {
    **{kind: partial(held, kind) for kind in KINDS},
    "pop": "player.*.popularity",
    "shops": "player.*.workshops",
    "church": "player.*.churches",
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
    players, legend = grid(at, s.players, PLAYERS, s.active), lines(legend_text(at))
    marks = initials(s.players)
    marked: Columns = {"": lambda at, who: marks[who], **PLAYERS}
    drawn, boards = lines(*land_text(at)), lines(*boards_text(at))
    hatching = lines(hatching_text(at))
    brief = (drawn, hatching, grid(at, s.players, marked, s.active), lines(boards_in_short(at)))
    parts = {"land": (drawn, legend), "boards": (boards,)}
    return View(heading(at) + drawer, (drawn, legend, players, boards), at.rules.awaits(at), brief, parts)


def land_text(at: At) -> list[str]:
    """The land with a wall between any two areas: hatching tells the type, words what stands there."""
    names = initials(at.state.players)
    areas = {quadrant: area.spaces for quadrant, area in land(at).of.items()}
    return walled(SIDE * at["grid.cols"], SIDE * at["grid.rows"], areas, lambda at_: _quadrant(at, at_, names), WIDE)


def hatching_text(at: At) -> str:
    """The key to the hatching of the land."""
    return "  ".join(["", *(f"{HATCHING[letter]}{type_name(at, letter)}" for letter in HATCHING)])


def legend_text(at: At) -> str:
    """The key to the hatching and the letters of the land."""
    names = initials(at.state.players)
    people = [f"{short} = {shortened(name, LONG)}" for name, short in names.items() if short != name]
    return "  ".join([hatching_text(at), *people])


def boards_in_short(at: At) -> str:
    """State Board, Church Board and idle rounds in one line."""
    s = at.state
    places = slots_open(at)
    churches = ", ".join(f"{kind} {len(s.church_board[kind])}/{track_open(at)}" for kind in KINDS)
    idle = f"; idle rounds {s.idle_rounds}/{at['end.idle_rounds']}" if s.idle_rounds else ""
    built = f"Boards: villages {s.state_board.villages}, workshops {len(s.state_board.workshops)}/{places}"
    return f"{built}; churches {churches}{idle}"


def _quadrant(at: At, quadrant: str, names: dict[str, str]) -> str:
    """Hatching, and over it what stands there: `A work`, `village`, `A town`."""
    piece = at.state.pieces.get(quadrant)
    letter = terrain_at(at.state, quadrant)
    if piece is None:
        return (HATCHING.get(letter, "  ") * WIDE)[:WIDE] if letter != EMPTY else "?".center(WIDE)
    kind = "shop" if piece.kind == "workshop" else piece.kind
    said = f"{names.get(piece.owner or '', '')} {kind}".strip()
    if piece.kind not in SETTLEMENTS and len(said) < WIDE - 1:
        said = HATCHING.get(letter, "") + said
    return said[:WIDE].ljust(WIDE) if said[:1] in "~^#" else said[:WIDE].center(WIDE)


def boards_text(at: At) -> list[str]:
    """State Board, Church Board, supply and idle rounds."""
    s = at.state
    shops, places = s.state_board.workshops, slots_open(at)
    more = f", the next costs {amounts(state_extra(at))} more" if len(shops) < places else ""
    rows = [(kind, s.church_board[kind], track_open(at)) for kind in KINDS]
    workshops, *tracks = (
        f"{what} {len(row)}/{most}" + (f" ({', '.join(row)})" if row else "")
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
