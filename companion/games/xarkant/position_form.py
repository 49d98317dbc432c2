"""Partial positions: what a position file may leave out, and what cannot be (brief of the fields: `state.py`)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from companion.rules import Default, Fault, Form, Position, Reading, Rules

from .catalogue import At
from .land import SIDE
from .state import DISCS, EMPTY, TYPES, State
from .storage import popularity_supply, supply

DERIVED = frozenset({"supply", "popularity_supply"})


def bare_land(at: At) -> list[str]:
    """Rows of a land on which no tile lies yet."""
    return [EMPTY * (SIDE * at["grid.cols"])] * (SIDE * at["grid.rows"])


def players(at: Reading[State]) -> list[str]:
    s = at.state
    owners = [piece.owner for piece in s.pieces.values() if piece.owner is not None]
    return list(dict.fromkeys([*s.player, *s.bag, *s.drawn, *s.aside, *owners]))


def in_the_bag(at: At, player: str) -> int:
    s = at.state
    elsewhere = s.drawn[player] + s.aside[player] + s.on_land(player, *DISCS)
    return int(max(0, at["discs_per_player"] - elsewhere))


def queue(at: At) -> list[str]:
    s = at.state
    first = [s.active] if s.active is not None else []
    return list(dict.fromkeys([*first, *s.act_order()])) if s.phase == "act" else []


def capital_letters(said: dict[str, Any]) -> dict[str, Any]:
    """Terrain may be written in small letters; no row at all says nothing."""
    rows = said.pop("terrain", None)
    return {**said, "terrain": [str(row).upper() for row in rows]} if isinstance(rows, list) and rows else said


def impossible(at: At) -> Iterator[Fault]:
    """Too many players, land of another size, pieces without an owner."""
    s = at.state
    if len(s.players) > at["players.max"]:
        yield Fault(("players",), f"{len(s.players)} players; the game takes at most {at['players.max']}")
    bare = bare_land(at)
    if s.terrain and len(s.terrain) != len(bare):
        yield Fault(("terrain",), f"{len(s.terrain)} rows, not {len(bare)}")
    for i, row in enumerate(s.terrain):
        if len(row) != len(bare[0]):
            yield Fault(("terrain", i), f"{row} has {len(row)} quadrants, not {len(bare[0])}")
        for letter in sorted(set(row) - {*TYPES, EMPTY}):
            yield Fault(("terrain", i), f"there is no type {letter}", f"there are: {', '.join((*TYPES, EMPTY))}")
    for quadrant, piece in s.pieces.items():
        if piece.kind != "village" and piece.owner is None:
            yield Fault(("pieces", quadrant, "owner"), f"a {piece.kind} needs an owner")


FORM = Form(
    seats=Default("players", "those named in `player`, `bag`, `drawn`, `aside` or `pieces`; with none, the table is not set up", players),
    defaults=(
        Default("phase", "`act`; `setup` if `terrain` is given and has quadrants without a tile", lambda at: "setup" if any(EMPTY in row for row in at.state.terrain) else "act"),
        Default("terrain", "no tile lies", bare_land),
        Default("drawer", "the first player; in phase `setup` not named yet", lambda at: None if at.state.phase == "setup" else at.seats[0]),
        Default("player.*.popularity", "as at the set-up", lambda at, who: min(at["popularity.start"], at["popularity.tokens_per_player"], at["popularity.max"])),
        Default("player.*.workshops", "those that are not in play (land, State Board)", lambda at, who: max(0, at["workshops_per_player"] - at.state.workshops_in_play(who))),
        Default("player.*.churches", "those that are not in play (land, towns, Church Board)", lambda at, who: max(0, at["churches_per_player"] - at.state.churches_in_play(who))),
        Default("state_board.villages", "those that are not on the land", lambda at: max(0, at["villages"] - at.state.settlements)),
        Default("bag.*", "the discs that lie nowhere else", in_the_bag),
        Default("queue", "in phase `act` the players with drawn discs, from the drawer's left; one named as `active` comes first", queue),
        Default("active", "the first of the queue", lambda at: at.state.queue[0] if at.state.queue else None),
    ),
    readings={State: capital_letters},
    faults=impossible,
)  # fmt: skip


def dump(rules: Rules, state: State) -> dict[str, Any]:
    """The position form, with the supplies that follow from the rest."""
    at: At = Position(rules, state, quiet=True)
    form: dict[str, Any] = msgspec.to_builtins(state)
    if state.players:
        form["supply"] = supply(at)
        form["popularity_supply"] = popularity_supply(at)
    return form
