"""Two positions that a seat cannot tell apart give it the same bytes of decisions, menus and fields."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Any

import laws
import msgspec
import pytest
import walking
from games import WAYS, Way

from companion.engine.decisions.drafts import draft
from companion.engine.decisions.fields import Field
from companion.engine.decisions.menus import menu
from companion.engine.decisions.pending import decisions
from companion.engine.play.moves import Move, maker
from companion.engine.play.position import Position
from companion.engine.play.secrets import hidden, seen_by

MOST = 150
"""Moves of a game that are played."""


@cache
def positions(way: Way) -> list[tuple[Position[Any], Move]]:
    return laws.positions(way.rules, way.seats, 6, MOST)[1:-1]


SECRETIVE = [
    way for way in WAYS if str(way) in ("dynasties-both", "warring-states-4 players", "great-wall-all modules")
]


@pytest.mark.parametrize("way", SECRETIVE, ids=str)
def test_a_seat_reads_nothing_of_what_others_hold(way: Way) -> None:
    rng, kept = Random(3), 0
    for at, move in positions(way)[::10]:
        for seat in (*at.seats, ""):
            kept += len(hidden(at, seat))
            other = otherwise(at, seat, rng)
            assert seen_by(other, seat).state == seen_by(at, seat).state
            assert told(other, seat, move) == told(at, seat, move)
    assert kept


def otherwise(at: Position[Any], seat: str, rng: Random) -> Position[Any]:
    """The same table with anything else where a seat may not look."""
    other = at.copy()
    for into, name, _, _ in hidden(other, seat):
        value = altered(into[name] if isinstance(into, dict) else getattr(into, name), rng)
        if isinstance(into, dict):
            into[name] = value
        else:
            setattr(into, name, value)
    return other


def altered(value: Any, rng: Random) -> Any:
    """Something else of the same type."""
    if isinstance(value, bool) or value is None:
        return value
    if isinstance(value, int):
        return value + rng.randint(1, 5)
    if isinstance(value, dict):
        return {key: altered(one, rng) for key, one in value.items()}
    if isinstance(value, list):
        return value[1:]
    return f"{value}?" if isinstance(value, str) and value else value


def told(at: Position[Any], seat: str, move: Move) -> bytes:
    """Everything a menu tells a seat: what it has to decide, its verbs, the first field of each; and the way to a move
    that it makes."""
    found = menu(at, seat)
    fields = [found.next(verb.name).form() for verb in (*found.verbs, *found.offers) if verb.standing == "incomplete"]
    way = [walking.filled(found.next(move.name), move).form()] if maker(move) == seat else []
    made = draft(at, seat)
    if maker(move) == seat:
        made.begin(move.name)
        if isinstance(made.here, Field) and made.here.kind in ("one", "number", "steps"):
            way.append(made.form(leads=True))
    return msgspec.json.encode([decisions(at), decisions(at, seat), found.form(), fields, way])
