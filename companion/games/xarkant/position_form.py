"""Partial positions: what a position file may leave out.

| left out | taken as |
|---|---|
| `players` | those named in `player`, `drawn`, `bag` or `pieces`; a position without any is a table not set up |
| `terrain` | no tile lies |
| `phase`, `round` | `act`, or `setup` if quadrants of the terrain are said to be missing; 1 |
| `drawer` | the first player (in phase `setup`: not named yet) |
| `pieces`, boards, resources | nothing there |
| a player's `popularity` | `popularity.start` |
| a player's `workshops`, `churches` | what is not in play (land, towns, State Board, Church Board) |
| `state_board.villages` | the villages that are not on the land |
| `drawn`, `aside` | nobody's |
| a player's `bag` | the discs that lie nowhere else |
| `queue` | the players with drawn discs, from the drawer's left; one named as `active` comes first |
| `active` | the first of the queue |
| `tiles` | not told: then any tile may still come up |
| `progress`, `idle_rounds`, `end_reason` | no, 0, none |
"""

from __future__ import annotations

from typing import Any, get_args

import msgspec

from companion.engine.play.position import Position, PositionError, Rules
from components.phrasing import suggest

from .catalogue import At, cat, popularity_supply, supply
from .land import land_graph
from .setup import bare_land, first_popularity
from .state import EMPTY, KINDS, TYPES, Phase, Piece, PieceKind, Player, State, StateBoard, plain
from .tiles import cells
from .turns import act_order

DERIVED = frozenset({"supply", "popularity_supply"})


def complete(rules: Rules, partial: dict[str, Any]) -> State:
    """A whole state from a partial position (plain data whose keys have been checked against `State`).

    Raises PositionError for names the game does not have and for pieces that do not exist.
    """
    data = {k: v for k, v in partial.items() if v is not None}
    for field in ("bag", "drawn", "aside", "player"):  # a player called 7 is a number to YAML
        if field in data:
            data[field] = {str(name): said for name, said in data[field].items()}
    at: At = Position(rules, State(), quiet=True)
    players = _players(data)
    if not players:
        return State()
    most = at["players.max"]
    if len(players) > most:
        raise PositionError("players", f"{len(players)} players; the game takes at most {most}")
    terrain = _terrain(at, data.get("terrain"))
    growing = bool(data.get("terrain")) and any(EMPTY in row for row in terrain)
    phase = _one_of("phase", data.get("phase") or ("setup" if growing else "act"), Phase)
    boards = data.get("state_board") or {}
    tracks = data.get("church_board") or {}
    _known_names("church_board", tracks, KINDS, "track")
    plain_form: dict[str, Any] = {
        **{k: v for k, v in data.items() if k not in ("player", "state_board")},
        "players": players,
        "terrain": terrain,
        "phase": phase,
        "drawer": data.get("drawer", None if phase == "setup" else players[0]),
        "church_board": {kind: tracks.get(kind) or [] for kind in KINDS},
        "state_board": {"villages": 0, "workshops": boards.get("workshops") or []},
        "pieces": {str(q): p for q, p in (data.get("pieces") or {}).items() if p is not None},
        "tiles": {str(cell): laid for cell, laid in (data.get("tiles") or {}).items()},
    }
    for field in ("bag", "drawn", "aside"):
        plain_form[field] = {name: n for name, n in (data.get(field) or {}).items() if n is not None}
    state = msgspec.convert(plain_form, State)
    at = Position(rules, state, quiet=True)
    _check_names(at, data)
    state.state_board = StateBoard(
        boards.get("villages", max(0, at["villages"] - state.settlements)), state.state_board.workshops
    )
    for name in players:
        state.player[name] = _player(at, name, (data.get("player") or {}).get(name) or {})
    _discs(at)
    _turn(at, data)
    _check_numbers(at)
    return state


def _players(data: dict[str, Any]) -> list[str]:
    said = data.get("players")
    if said is not None:
        names = [str(name) for name in said]
        for name in names:
            if names.count(name) > 1:
                raise PositionError("players", f"{name} is named twice")
        return names
    found: dict[str, None] = {}
    for field in ("player", "drawn", "bag", "aside"):
        found.update(dict.fromkeys(map(str, data.get(field) or {})))
    for piece in (data.get("pieces") or {}).values():
        if isinstance(piece, dict) and piece.get("owner"):
            found[str(piece["owner"])] = None
    return list(found)


def _terrain(at: At, said: Any) -> list[str]:
    bare = bare_land(at)
    if not said:
        return bare
    rows = [str(row).upper() for row in said]
    letters = {*TYPES, EMPTY}
    if len(rows) != len(bare):
        raise PositionError("terrain", f"{len(rows)} rows, not {len(bare)}")
    for i, row in enumerate(rows):
        if len(row) != len(bare[0]):
            raise PositionError(f"terrain[{i}]", f"{row} has {len(row)} quadrants, not {len(bare[0])}")
        wrong = [letter for letter in row if letter not in letters]
        if wrong:
            raise PositionError(f"terrain[{i}]", f"{wrong[0]} is no type: {', '.join(sorted(letters))}")
    return rows


def _one_of(field: str, said: Any, kind: Any) -> str:
    words: tuple[str, ...] = get_args(kind)
    if said not in words:
        raise PositionError(field, f"there is no {field.rsplit('.', 1)[-1]} {said}{suggest(said, words)}")
    return str(said)


def _known_names(path: str, said: Any, known: Any, what: str) -> None:
    for name in said:
        if name not in known:
            raise PositionError(f"{path}.{name}", f"there is no {what} {name}{suggest(name, known)}")


def _check_names(at: At, data: dict[str, Any]) -> None:
    s = at.state
    for field in ("bag", "drawn", "aside", "player"):
        _known_names(field, data.get(field) or {}, s.players, "player")
    for field, name in (("drawer", s.drawer), ("active", s.active)):
        if name is not None and name not in s.players:
            raise PositionError(field, f"there is no player {name}; players: {', '.join(s.players)}")
    rows = [("queue", s.queue), ("state_board.workshops", s.state_board.workshops)]
    rows += [(f"church_board.{kind}", row) for kind, row in s.church_board.items()]
    for field, row in rows:
        for name in row:
            if name not in s.players:
                raise PositionError(field, f"there is no player {name}; players: {', '.join(s.players)}")
    for quadrant, piece in s.pieces.items():
        _check_piece(at, quadrant, piece)
    for cell, laid in s.tiles.items():
        if not cell.isdigit() or not 0 < int(cell) <= cells(at):
            raise PositionError(f"tiles.{cell}", f"there is no cell {cell}: they are 1 to {cells(at)}")
        if laid.tile not in cat(at).tiles:
            raise PositionError(f"tiles.{cell}.tile", f"there is no tile {laid.tile}")


def _check_piece(at: At, quadrant: str, piece: Piece) -> None:
    _known_names("pieces", [quadrant], land_graph(at).spaces, "quadrant")
    _one_of(f"pieces.{quadrant}.kind", piece.kind, PieceKind)
    if piece.kind != "village" and piece.owner is None:
        raise PositionError(f"pieces.{quadrant}.owner", f"a {piece.kind} has an owner")
    if piece.owner is not None and piece.owner not in at.state.players:
        players = ", ".join(at.state.players)
        raise PositionError(f"pieces.{quadrant}.owner", f"there is no player {piece.owner}; players: {players}")


def _player(at: At, name: str, said: dict[str, Any]) -> Player:
    s = at.state
    given = {k: v for k, v in said.items() if v is not None}
    left = {
        "popularity": first_popularity(at),
        "workshops": max(0, at["workshops_per_player"] - s.workshops_in_play(name)),
        "churches": max(0, at["churches_per_player"] - s.churches_in_play(name)),
    }
    return msgspec.convert({**left, **given}, Player)


def _discs(at: At) -> None:
    """Who has how many discs where: those not mentioned are in the bag."""
    s = at.state
    for name in s.players:
        s.drawn.setdefault(name, 0)
        s.aside.setdefault(name, 0)
        out = s.drawn[name] + s.aside[name] + s.discs_on_land(name)
        s.bag.setdefault(name, max(0, at["discs_per_player"] - out))
    for held in (s.bag, s.drawn, s.aside):
        ordered = {name: held[name] for name in s.players}
        held.clear()
        held.update(ordered)


def _turn(at: At, data: dict[str, Any]) -> None:
    s = at.state
    if s.phase != "act":
        return
    if "queue" not in data:
        s.queue = act_order(at)
        if s.active is not None and (not s.queue or s.queue[0] != s.active):
            s.queue = [s.active, *(name for name in s.queue if name != s.active)]
    if s.active is None and s.queue:
        s.active = s.queue[0]


def _check_numbers(at: At) -> None:
    s = at.state
    for name, p in s.player.items():
        for field, n in plain_player(p).items():
            if n < 0:
                raise PositionError(f"player.{name}.{field}", f"{n} is below 0")
    for field, held in (("bag", s.bag), ("drawn", s.drawn), ("aside", s.aside)):
        for name, n in held.items():
            if n < 0:
                raise PositionError(f"{field}.{name}", f"{n} is below 0")
    if s.round < 1:
        raise PositionError("round", f"there is no round {s.round}")
    if s.idle_rounds < 0 or s.state_board.villages < 0:
        field = "idle_rounds" if s.idle_rounds < 0 else "state_board.villages"
        raise PositionError(field, "it is below 0")


def plain_player(p: Player) -> dict[str, int]:
    form: dict[str, int] = msgspec.to_builtins(p)
    return form


def dump(rules: Rules, state: State) -> dict[str, Any]:
    """The position form, with the supplies that follow from the rest."""
    at: At = Position(rules, state, quiet=True)
    form = plain(state)
    if state.players:
        form["supply"] = supply(at)
        form["popularity_supply"] = popularity_supply(at)
    return form


__all__ = ["DERIVED", "complete", "dump"]
