"""The table as text: provinces, players, the track of the pawn and what is awaited."""

from __future__ import annotations

from companion.rules import Columns, View, grid, lines

from .catalogue import At, cat, name, signed
from .scoring import tile_name
from .setup import without_tile
from .state import COLOURS


def heading(at: At) -> str:
    s = at.state
    if s.phase == "over":
        return "over: drawn" if s.winner == "drawn" else f"over: {name(s.winner)} has won"
    return f"Dynasty {s.dynasty}, {s.phase}"


def marks(at: At, province: str) -> str:
    there = at.state.provinces[province].marks
    return "W" * there.white + "B" * there.black or "."


def shown(at: At, province: str) -> str:
    cards = [at.state.players[c].shown.get(province, "-") for c in COLOURS]
    return " : ".join(cards) if set(cards) != {"-"} else ""


def warlord(at: At, colour: str) -> str:
    lord = at.state.players[colour].warlord
    said = (lord.card, lord.status if lord.status != "none" else "", lord.armed and f"for {lord.armed}")
    return " ".join(filter(None, said))


PROVINCES: Columns = {
    "tile": tile_name,
    "white": "provinces.*.white",
    "black": "provinces.*.black",
    "marks": marks,
    "cards": shown,
    "borders": lambda at, province: ", ".join(cat(at).borders[province]),
}
PLAYERS: Columns = {
    "reserve": "players.*.reserve",
    "board": lambda at, colour: at.state.board_total(colour),
    "hand": "players.*.hand",
    "deck": "players.*.deck",
    "set aside": "players.*.set_aside",
    "lost": "players.*.out",
    "Warlord": warlord,
}
REMOVED: Columns = {"out of the game": lambda at, colour: ", ".join(at.state.players[colour].removed)}


def table(at: At) -> View:
    """The whole table."""
    s = at.state
    if not s.players:
        return View("nobody is seated yet")
    red = at["track.red_distance"]
    spaces = ["#" if abs(i) == red else "o" if i == 0 else "." for i in range(-red, red + 1)]
    spaces[s.pawn + red] = "@"
    track = f"Black {''.join(spaces)} White   pawn {signed(s.pawn)}"
    untold = without_tile(at)
    tiles = f"tiles not told: {', '.join(untold)} (type tiles and their letters, west to east)" if untold else ""
    fought = s.fighting.province if s.fighting else None
    provinces, players = grid(at, s.provinces, PROVINCES, fought), grid(at, s.players, PLAYERS)
    removed, told = grid(at, s.players, REMOVED), lines(track, tiles)
    full = (provinces, grid(at, s.players, {**PLAYERS, **REMOVED}), told)
    brief = (provinces, players, told)
    return View(heading(at), full, at.rules.awaits(at), brief, {"cards": (removed,)})
