"""The rules of Xarkant read a second time, on plain data, to hold the companion against.

Nothing here uses the game's own code: the tiles are copied from the printed ones, areas are connected components of a
graph, and the best turn of a tile is found by laying it down in all four ways and counting. `forbidden` and `played`
judge and carry out actions in a position form with the figures of the box. The land was read before the code was, the
actions and points after it.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from functools import cache, lru_cache
from typing import Any

import networkx as nx

COLUMNS = "abcdef"
CELLS = [f"{column}{row}" for row in range(1, 7) for column in COLUMNS]
TURNS = (0, 90, 180, 270)
CORNERS = ("nw", "ne", "se", "sw")
NAMES = {"F": "field", "W": "forest", "Q": "quarry"}
YIELDS = {"F": "wheat", "W": "wood", "Q": "stone"}
KINDS = ("wheat", "wood", "stone")
TILES = {
    "T01": ("FFWW", "nw"),
    "T02": ("FFWF", "ne"),
    "T03": ("WWQQ", "nw"),
    "T04": ("WWQW", "sw"),
    "T05": ("QQFF", "ne"),
    "T06": ("QQFQ", "nw"),
    "T07": ("FWFQ", "se"),
    "T08": ("WFQW", "nw"),
    "T09": ("QWFQ", "sw"),
    "T10": ("FQWF", "sw"),
}
"""The quadrants clockwise from the north-west, and where the star is."""
COSTS = {
    "workshop": {"wheat": 1, "wood": 2},
    "church": {"wood": 1, "stone": 3},
    "village": {"wheat": 2, "stone": 1},
}
EXTRA = (1, 1, 2, 2, 3, 3, 4, 4)
"""Wheat that the slots of the State Board cost beside the workshop."""
STEPS = {0: 0, 1: 1, 3: 2, 5: 3}
"""Popularity paid in a harvest, and what it brings."""
ROOM = 6

Land = dict[str, str]
Form = dict[str, Any]

# --- the land --------------------------------------------------------------------------------------------------------


@cache
def quadrants(cell: int) -> tuple[str, ...]:
    """The quadrants of a tile cell, clockwise from the north-west."""
    west, north = 2 * ((cell - 1) % 3), 2 * ((cell - 1) // 3) + 1
    left, right = COLUMNS[west], COLUMNS[west + 1]
    return (f"{left}{north}", f"{right}{north}", f"{right}{north + 1}", f"{left}{north + 1}")


def laid(cell: int, tile: str, turn: int) -> tuple[Land, str]:
    """What a tile makes of its cell, and the quadrant its star lies on."""
    letters, star = TILES[tile]
    shift = turn // 90
    where = quadrants(cell)
    return (
        {where[(i + shift) % 4]: letter for i, letter in enumerate(letters)},
        where[(CORNERS.index(star) + shift) % 4],
    )


@cache
def neighbours(cell: str) -> tuple[str, ...]:
    column, row = COLUMNS.index(cell[0]), int(cell[1])
    steps = ((column - 1, row), (column + 1, row), (column, row - 1), (column, row + 1))
    return tuple(f"{COLUMNS[c]}{r}" for c, r in steps if 0 <= c < 6 and 1 <= r <= 6)


def graph(land: Land, villages: set[str] | frozenset[str] = frozenset()) -> nx.Graph:
    """Quadrants with a type, joined where they share an edge and the type."""
    found = nx.Graph()
    found.add_nodes_from(q for q in land if q not in villages)
    found.add_edges_from((q, n) for q in found for n in neighbours(q) if n in found and land[n] == land[q])
    return found


def turns(land: Land, cell: int, tile: str) -> tuple[list[int], dict[int, int]]:
    """The turns a tile may be laid in, and the size of the star's area for those that match."""
    sizes: dict[int, int] = {}
    for turn in TURNS:
        new, star = laid(cell, tile, turn)
        whole = {**land, **new}
        if any(n not in new and whole.get(n) == whole[star] for n in neighbours(star)):
            sizes[turn] = len(nx.node_connected_component(graph(whole), star))
    best = max(sizes.values(), default=0)
    return [turn for turn in TURNS if not sizes or sizes.get(turn) == best], sizes


def rows(land: Land) -> list[str]:
    return ["".join(land.get(f"{column}{row}", ".") for column in COLUMNS) for row in range(1, 7)]


def land_of(terrain: Sequence[str]) -> Land:
    return {f"{COLUMNS[x]}{y + 1}": letter for y, row in enumerate(terrain) for x, letter in enumerate(row)}


def villages_of(pieces: dict[str, Any]) -> set[str]:
    """Quadrants with a village or a town."""
    return {q for q, piece in pieces.items() if piece["kind"] in ("village", "town")}


def areas(form: Form) -> list[set[str]]:
    return _components(tuple(form["terrain"]), frozenset(villages_of(form["pieces"])))


@lru_cache(maxsize=256)
def _components(terrain: tuple[str, ...], villages: frozenset[str]) -> list[set[str]]:
    return list(nx.connected_components(graph(land_of(terrain), villages)))


def area_of(form: Form, quadrant: str) -> set[str]:
    return next((area for area in areas(form) if quadrant in area), set())


def discs_in(form: Form, area: set[str]) -> list[Form]:
    return [form["pieces"][q] for q in area if form["pieces"].get(q, {}).get("kind") in ("work", "claim")]


def works_in(form: Form, area: set[str], player: str) -> bool:
    return {"kind": "work", "owner": player} in discs_in(form, area)


# --- actions ---------------------------------------------------------------------------------------------------------


def forbidden(form: Form, move: Form) -> str | None:
    """The first rule that forbids an action, or None. Checked in the order turn, disc or piece, quadrant, area,
    neighbourhood, slot, price."""
    player, action = move["player"], move["action"]
    if form["phase"] != "act":
        return "XK-TURN-1"
    if player != form["active"]:
        return "XK-TURN-2"
    if action == "pass":
        return None
    own = form["player"][player]
    if action == "trade":
        return _forbidden_trade(form, own, move["give"], move["take"])
    if action in ("collect", "claim"):
        if not form["drawn"][player]:
            return "XK-TURN-4"
    elif action == "village":
        if not form["state_board"]["villages"]:
            return "XK-VILLAGE-2"
    elif not own[{"workshop": "workshops", "church": "churches"}[action]]:
        return f"XK-{action.upper()}-2"
    place = _forbidden_place(form, move)
    if place is not None:
        return place
    if action == "collect":
        paid = move.get("pay_popularity", 0)
        return "XK-COLLECT-8" if paid not in STEPS else "XK-COLLECT-9" if paid > own["popularity"] else None
    if action == "claim":
        return None
    cost = COSTS[action]
    if any(own[kind] < n for kind, n in cost.items()):
        return f"XK-{action.upper()}-1"
    if move.get("to") == "state" and own["wheat"] < cost["wheat"] + EXTRA[len(form["state_board"]["workshops"])]:
        return "XK-STATE-1"
    return None


def _forbidden_place(form: Form, move: Form) -> str | None:
    """The first rule that forbids the place of a piece."""
    player, action, to = move["player"], move["action"], move.get("to", "")
    players = len(form["players"])
    if to == "state":
        return "XK-STATE-2" if len(form["state_board"]["workshops"]) >= 2 * players else None
    if to == "church_board":
        return "XK-CHURCH-10" if len(form["church_board"][move["track"]]) > players else None
    where = move["at"]
    if where not in CELLS:
        return "XK-LAND-1"
    piece = form["pieces"].get(where)
    if to == "village":
        if piece is None or piece["kind"] not in ("village", "town"):
            return "XK-CHURCH-5"
        if piece["kind"] == "town":
            return "XK-CHURCH-6"
        near = [area_of(form, q) for q in neighbours(where)]
        return None if any(works_in(form, area, player) for area in near) else "XK-CHURCH-7"
    if piece is not None:
        numbers = {"collect": 2, "claim": 2, "workshop": 4, "church": 3, "village": 3}
        return f"XK-{action.upper()}-{numbers[action]}"
    area = area_of(form, where)
    if action in ("workshop", "church"):
        numbers = {"workshop": 5, "church": 4}
        return None if works_in(form, area, player) else f"XK-{action.upper()}-{numbers[action]}"
    if discs_in(form, area):
        numbers = {"collect": 1, "claim": 1, "village": 4}
        return f"XK-{action.upper()}-{numbers[action]}"
    if action == "village" and {"kind": "work", "owner": player} not in [
        form["pieces"].get(q) for q in neighbours(where)
    ]:
        return "XK-VILLAGE-5"
    return None


def _forbidden_trade(form: Form, own: Form, give: Form, take: Form) -> str | None:
    if not 1 <= sum(give.values()) <= 3:
        return "XK-TRADE-2"
    if sum(give.values()) != sum(take.values()):
        return "XK-TRADE-3"
    if any(give.get(kind) and take.get(kind) for kind in KINDS):
        return "XK-TRADE-4"
    if any(own[kind] < n for kind, n in give.items()):
        return "XK-TRADE-5"
    if any(own[kind] + n > ROOM for kind, n in take.items()):
        return "XK-TRADE-6"
    if any(form["supply"][kind] < n for kind, n in take.items()):
        return "XK-TRADE-7"
    return None if own["popularity"] else "XK-TRADE-1"  # the price is asked for last


def played(form: Form, move: Form) -> Form:
    """The position after an action that is not forbidden."""
    form = deepcopy(form)
    player, action, to = move["player"], move["action"], move.get("to", "")
    own, pieces = form["player"][player], form["pieces"]
    if action == "pass":
        _pass(form, player)
    elif action == "trade":
        own["popularity"] -= 1
        for kind in KINDS:
            own[kind] += move["take"].get(kind, 0) - move["give"].get(kind, 0)
    elif action in ("collect", "claim"):
        form["drawn"][player] -= 1
        if action == "collect":
            _harvest(form, player, move["at"], move.get("pay_popularity", 0))
        pieces[move["at"]] = {"kind": {"collect": "work"}.get(action, "claim"), "owner": player}
    else:
        for kind, n in COSTS[action].items():
            own[kind] -= n
        if action == "village":
            form["state_board"]["villages"] -= 1
            pieces[move["at"]] = {"kind": "village"}
        else:
            own[{"workshop": "workshops", "church": "churches"}[action]] -= 1
        if to == "state":
            own["wheat"] -= EXTRA[len(form["state_board"]["workshops"])]
            form["state_board"]["workshops"].append(player)
            own["popularity"] = min(5, own["popularity"] + 2)
        elif to == "church_board":
            form["church_board"][move["track"]].append(player)
        elif to == "village":
            pieces[move["at"]] = {"kind": "town", "owner": player}
        elif to == "land":
            pieces[move["at"]] = {"kind": action, "owner": player}
    if action in ("claim", "workshop", "church", "village"):
        form["progress"] = True
    return with_supplies(form)


def _harvest(form: Form, player: str, where: str, paid: int) -> None:
    area = area_of(form, where)
    kind = YIELDS[land_of(form["terrain"])[where]]
    shops = [p["owner"] for q in area if (p := form["pieces"].get(q)) and p["kind"] == "workshop"]
    form["player"][player]["popularity"] -= paid
    due = {name: shops.count(name) for name in form["players"]}
    due[player] = len(area) + len(shops) + STEPS[paid]
    for name, n in due.items():
        board = form["player"][name]
        if board[kind] + n > ROOM:
            board["popularity"] = max(0, board["popularity"] - 1)
        board[kind] = min(ROOM, board[kind] + n)


def _pass(form: Form, player: str) -> None:
    form["aside"][player] += form["drawn"][player]
    form["drawn"][player] = 0
    form["queue"] = form["queue"][1:]
    form["active"] = form["queue"][0] if form["queue"] else None
    if not form["queue"]:
        players = form["players"]
        form["drawer"] = players[(players.index(form["drawer"]) + 1) % len(players)]
        form["phase"] = "draw" if sum(form["bag"].values()) else "cleanup"


def with_supplies(form: Form) -> Form:
    boards = form["player"].values()
    form["supply"] = {kind: 30 - sum(board[kind] for board in boards) for kind in KINDS}
    form["popularity_supply"] = 5 * len(form["players"]) - sum(board["popularity"] for board in boards)
    return form


# --- points ----------------------------------------------------------------------------------------------------------


def score(form: Form, player: str) -> dict[str, int]:
    own, pieces = form["player"][player], form["pieces"]
    towns = {q for q, piece in pieces.items() if piece["kind"] == "town"}
    found = {
        "popularity": own["popularity"] - 5,
        "pieces": 10 - own["workshops"] - own["churches"],
        "church_board": sum(row.count(player) * own[kind] for kind, row in form["church_board"].items()),
        "towns": 0,
        "claims": 0,
    }
    for area in areas(form):
        if {"kind": "claim", "owner": player} in discs_in(form, area):
            found["towns"] += 2 * any(n in towns for q in area for n in neighbours(q))
            churches = [p["owner"] for q in area if (p := pieces.get(q)) and p["kind"] == "church"]
            found["claims"] += len(area) * sum(2 if owner == player else 1 for owner in churches)
    return {**found, "total": sum(found.values())}
