"""The table as text: provinces, players, the track of the pawn and what is awaited."""

from __future__ import annotations

from typing import Any

from companion.engine.things.views import Columns, View, grid, lines
from components.phrasing import join_and

from .catalogue import At, cat, name, signed
from .cleanup import drawing
from .order import chooser
from .score import tile_name
from .scoring import drawing_due, scoring_due
from .setup import keeping, without_tile
from .state import COLOURS


def heading(at: At) -> str:
    s = at.state
    if s.phase == "over":
        return "over: drawn" if s.winner == "drawn" else f"over: {name(s.winner)} has won"
    return f"Dynasty {s.dynasty}, {s.phase}"


def awaited(at: At) -> str:
    """What has to happen next, in one sentence."""
    s = at.state
    if s.phase == "setup":
        left = keeping(at)
        return f"{join_and(map(name, left))} keep{'s' * (len(left) == 1)} a Warlord"
    if s.phase == "deploy":
        left = [c for c in COLOURS if c not in s.ready]
        return f"{join_and(map(name, left))} lay{'s' * (len(left) == 1)} five cards"
    if s.phase == "order":
        return f"{name(chooser(at)[0])} chooses the order"
    if s.phase == "battles":
        return _battles(at)
    if due := drawing_due(at):
        figures = [(name(c), *drawing(at, c)[:2]) for c in due]
        return ", ".join(f"{who} draws {drawn} and keeps {kept}" for who, drawn, kept in figures)
    if s.phase == "over":
        return "nothing: the game is over"
    return "scoring" if scoring_due(at) else "the large pawn moves on"


def _battles(at: At) -> str:
    if owed := at.rules.agenda(at.state):
        kind: Any = at.rules.moves[owed[0].move]
        return at.judge(kind(owed[0].who)).needs[0].question
    left = at.state.to_come()
    if not at.state.order:
        return f"reveal a province: {', '.join(left)}"
    return f"reveal {left[0]}" + (f", then {', '.join(left[1:])}" if left[1:] else "")


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
    "out of the game": lambda at, colour: ", ".join(at.state.players[colour].removed),
}


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
    return View(heading(at), (provinces, players, lines(track, tiles)), awaited(at))
