"""A line that says several things, one after the other: `ann army 2 and deploy daring`."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from companion.engine.errors import CompanionError
from companion.engine.play.moves import Move
from companion.engine.play.parts import Turn
from companion.engine.play.position import Position

JOINTS = re.compile(r"\s*(?:[,.]\s+(?:and\s+)?(?:then\s+)?|\s(?:and\s+then|and|then)\s)\s*", re.IGNORECASE)
"""What stands between two things said in one line."""
Read = Callable[[str, str], list[Move]]
"""(line, who acts) -> its moves. Raises CompanionError."""


def one_by_one(line: str, at: Position[Any], people: Mapping[str, str], me: str, read: Read) -> list[Move]:
    """The moves of a line each of whose parts can be read alone; who acts is said once. None in games whose turns are
    typed step by step, with commas of their own."""
    parts = [part for part in JOINTS.split(line.strip()) if part]
    if len(parts) < 2 or any(issubclass(kind, Turn) for kind in at.rules.moves.values()):
        return []
    seats = {**{person.lower(): seat for person, seat in people.items()}, **{seat.lower(): seat for seat in at.seats}}
    moves: list[Move] = []
    alike: list[str] = []  # those who do the same: `ann and ben stay out`
    for part in parts:
        first, _, rest = part.partition(" ")
        me = seats.get(first.lower(), me)
        if not rest and first.lower() in seats:
            alike.append(me)
            continue
        try:
            for seat in alike:
                moves += read(f"{seat} {rest}", seat)
            moves += read(part, me)
            alike = []
        except CompanionError:
            return []
    return [] if alike else moves


__all__ = ["one_by_one"]
