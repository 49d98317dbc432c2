"""Partial positions: what a position file may leave out.

| left out | taken as |
|---|---|
| `players` | those named in `player`, `drawn`, `bag`, `aside` or `pieces`; with none, the table is not set up |
| `terrain` | no tile lies |
| `phase`, `round` | `act`, or `setup` if the terrain has quadrants without a tile; 1 |
| `drawer` | the first player (in phase `setup`: not named yet) |
| `pieces`, boards, resources | nothing there |
| a player's `popularity` | `popularity.start` |
| a player's `workshops`, `churches` | what is not in play (land, towns, State Board, Church Board) |
| `state_board.villages` | the villages that are not on the land |
| `drawn`, `aside` | nobody's |
| a player's `bag` | the discs that lie nowhere else |
| `queue` | the players with drawn discs, from the drawer's left; one named as `active` comes first |
| `active` | the first of the queue |
| `tiles` | unknown: any tile may still come up |
| `progress`, `idle_rounds`, `end_reason` | no, 0, none |
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, get_args

import msgspec

from companion.engine.play.position import Position, PositionError, Rules
from components.phrasing import suggest

from .catalogue import At, cat
from .land import land_graph
from .setup import bare_land, new_player
from .state import DISCS, EMPTY, KINDS, TYPES, Phase, PieceKind, State, StateBoard
from .storage import popularity_supply, supply
from .tiles import cells

DERIVED = frozenset({"supply", "popularity_supply"})
DISC_PLACES = ("bag", "drawn", "aside")


def complete(rules: Rules, partial: dict[str, Any]) -> State:
    """A whole state from a partial position (plain data whose keys have been checked against `State`).

    Raises PositionError for names the game does not have and for pieces that do not exist.
    """
    data = {k: v for k, v in partial.items() if v is not None}
    for field in (*DISC_PLACES, "player", "pieces", "tiles"):  # a player called 7 is a number to YAML
        data[field] = {str(name): said for name, said in (data.get(field) or {}).items() if said is not None}
    at: At = Position(rules, State(), quiet=True)
    data["players"] = _players(at, data)
    if not data["players"]:
        return State()
    data["terrain"] = _terrain(at, data.get("terrain"))
    growing = "terrain" in partial and any(EMPTY in row for row in data["terrain"])
    data["phase"] = data.get("phase") or ("setup" if growing else "act")
    data["church_board"] = {**{kind: [] for kind in KINDS}, **data.get("church_board", {})}
    data.setdefault("drawer", None if data["phase"] == "setup" else data["players"][0])
    boards = {name: {k: n for k, n in said.items() if n is not None} for name, said in data.pop("player").items()}
    villages = (data.get("state_board") or {}).get("villages")
    _check_words(at, data)
    state = msgspec.convert(data, State)
    at = Position(rules, state, quiet=True)
    _check_names(at, dict.fromkeys(boards))
    if villages is None:
        state.state_board = StateBoard(max(0, at["villages"] - state.settlements), state.state_board.workshops)
    _deal(at, boards)
    if state.phase == "act":
        _turn(state, "queue" in data)
    _check_numbers(at)
    return state


def _players(at: At, data: dict[str, Any]) -> list[str]:
    names = [str(name) for name in data.get("players") or ()]
    if "players" not in data:
        owners = [piece.get("owner") for piece in data["pieces"].values() if isinstance(piece, dict)]
        said = [name for field in ("player", *DISC_PLACES) for name in data[field]]
        names = list(dict.fromkeys([*said, *(str(owner) for owner in owners if owner is not None)]))
    twice = [name for name in names if names.count(name) > 1]
    if twice:
        raise PositionError("players", f"{twice[0]} is named twice")
    if len(names) > at["players.max"]:
        raise PositionError("players", f"{len(names)} players; the game takes at most {at['players.max']}")
    return names


def _terrain(at: At, said: Any) -> list[str]:
    bare = bare_land(at)
    if not said:
        return bare
    rows = [str(row).upper() for row in said]
    if len(rows) != len(bare):
        raise PositionError("terrain", f"{len(rows)} rows, not {len(bare)}")
    for i, row in enumerate(rows):
        if len(row) != len(bare[0]):
            raise PositionError(f"terrain[{i}]", f"{row} has {len(row)} quadrants, not {len(bare[0])}")
        for letter in row:
            _known(f"terrain[{i}]", letter, (*TYPES, EMPTY), "type")
    return rows


def _known(path: str, said: Any, known: Any, what: str) -> None:
    if said not in known:
        raise PositionError(path, f"there is no {what} {said}{suggest(said, known)}")


def _check_words(at: At, data: dict[str, Any]) -> None:
    """Phases, quadrants, kinds of pieces, tracks and tiles that the game has."""
    _known("phase", data["phase"], get_args(Phase), "phase")
    for track in data["church_board"]:
        _known(f"church_board.{track}", track, KINDS, "track")
    for quadrant, piece in data["pieces"].items():
        _known(f"pieces.{quadrant}", quadrant, land_graph(at).spaces, "quadrant")
        _known(f"pieces.{quadrant}.kind", piece.get("kind"), get_args(PieceKind), "kind of piece")
        if piece["kind"] != "village" and piece.get("owner") is None:
            raise PositionError(f"pieces.{quadrant}.owner", f"a {piece['kind']} needs an owner")
    for cell, laid in data["tiles"].items():
        _known(f"tiles.{cell}", cell, [str(n + 1) for n in range(cells(at))], "cell")
        _known(f"tiles.{cell}.tile", laid.get("tile"), cat(at).tiles, "tile")


def _check_names(at: At, boards: dict[str, None]) -> None:
    s = at.state
    named: dict[str, Any] = {"player": boards, **{field: getattr(s, field) for field in (*DISC_PLACES, "queue")}}
    named |= {"drawer": [s.drawer], "active": [s.active], "state_board.workshops": s.state_board.workshops}
    named |= {f"church_board.{kind}": row for kind, row in s.church_board.items()}
    named |= {f"pieces.{quadrant}.owner": [piece.owner] for quadrant, piece in s.pieces.items()}
    for path, names in named.items():
        for name in names:
            where = f"{path}.{name}" if isinstance(names, dict) else path
            _known(where, name, [*s.players, *([] if name else [name])], "player")


def _deal(at: At, boards: dict[str, dict[str, Any]]) -> None:
    """The players' boards, and who has how many discs where: those not mentioned are in the bag."""
    s = at.state
    for name in s.players:
        left = msgspec.structs.asdict(new_player(at))
        left["workshops"] = max(0, left["workshops"] - s.workshops_in_play(name))
        left["churches"] = max(0, left["churches"] - s.churches_in_play(name))
        s.player[name] = msgspec.convert({**left, **boards.get(name, {})}, type(new_player(at)))
        out = s.drawn.get(name, 0) + s.aside.get(name, 0) + s.on_land(name, *DISCS)
        s.bag.setdefault(name, max(0, at["discs_per_player"] - out))
    for field in DISC_PLACES:
        setattr(s, field, {name: getattr(s, field).get(name, 0) for name in s.players})


def _turn(s: State, queue_said: bool) -> None:
    if not queue_said:
        first = [s.active] if s.active is not None else []
        s.queue = list(dict.fromkeys([*first, *s.act_order()]))
    if s.active is None and s.queue:
        s.active = s.queue[0]


def _check_numbers(at: At) -> None:
    """No number below the least, and no more on a player board than it has room for."""
    for path, n, least, most in _numbers(at):
        if n < least:
            raise PositionError(path, f"{n} is less than {least}")
        if most is not None and n > most:
            raise PositionError(path, f"{n} is more than the board has room for ({most})")


def _numbers(at: At) -> Iterator[tuple[str, int, int, int | None]]:
    s = at.state
    room = {**at["storage.capacity"], "popularity": at["popularity.max"]}
    for name, p in s.player.items():
        yield from ((f"player.{name}.{k}", n, 0, room.get(k)) for k, n in msgspec.structs.asdict(p).items())
    for field in DISC_PLACES:
        yield from ((f"{field}.{name}", n, 0, None) for name, n in getattr(s, field).items())
    yield "round", s.round, 1, None
    yield "idle_rounds", s.idle_rounds, 0, None
    yield "state_board.villages", s.state_board.villages, 0, None


def dump(rules: Rules, state: State) -> dict[str, Any]:
    """The position form, with the supplies that follow from the rest."""
    at: At = Position(rules, state, quiet=True)
    form: dict[str, Any] = msgspec.to_builtins(state)
    if state.players:
        form["supply"] = supply(at)
        form["popularity_supply"] = popularity_supply(at)
    return form
