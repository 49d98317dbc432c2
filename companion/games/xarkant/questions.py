"""Questions about figures: an area, the turns of a tile, the order of play, points, the end."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

from companion.rules import Answer, PieceName, QueryError, Seat

from .catalogue import At, cat
from .cleanup import end_if_cleaned_up_now
from .domains import Quadrant
from .land import disc_in, land, type_name
from .score import RULE_OF, ledger, lines_of
from .tiles import allowed, cells, matching, turns


def area(position: At, at: Annotated[str, Quadrant()]) -> Answer:
    """The area of a quadrant: type, size, quadrants, whether a disc lies in it."""
    found = land(position).of.get(at)
    if found is None:
        nothing: dict[str, object] = {"type": None, "size": 0, "cells": [], "occupied": False}
        return Answer(nothing, ["XK-LAND-3", "XK-LAND-10"])
    value = {
        "type": type_name(position, found.kind),
        "size": found.size,
        "cells": list(found.spaces),
        "occupied": disc_in(position, found) is not None,
    }
    return Answer(value, ["XK-LAND-2", "XK-LAND-9", "XK-LAND-3", "XK-LAND-8", "XK-LAND-4"])


def rotations(position: At, cell: int, tile: Annotated[str, PieceName("landscape")]) -> Answer:
    """The possible turns of a tile in a cell, and the result of each that matches."""
    if not 0 < cell <= cells(position):
        raise QueryError(f"there is no cell {cell!r}; the cells are numbered 1 to {cells(position)}")
    found = turns(position, cell, cat(position).tiles[tile])
    best = allowed(found)
    rules = ["XK-TILE-4", "XK-TILE-5", "XK-TILE-7", *(["XK-TILE-6"] if len(best) > 1 else [])]
    return Answer({"legal": best, "sizes": matching(found)}, rules)


def act_order(position: At) -> Answer:
    """Players with drawn discs in the order in which they act."""
    return Answer(position.state.act_order(), ["XK-TURN-2", "XK-TURN-9", "XK-GAME-5"])


def score(position: At, player: Annotated[str, Seat()]) -> Answer:
    """A player's points by heading, and their sum."""
    lines = list(lines_of(position, player))
    value = {heading: sum(line.points for line in lines if line.rule == rule) for heading, rule in RULE_OF.items()}
    rules = [f"XK-SCORE-{n}" for n in (1, 2, 3, 4, 5, 6, 8, 9, 10, 12)]
    return Answer({**value, "total": sum(value.values())}, rules)


def ranking(position: At) -> Answer:
    """Groups of players, best first."""
    return Answer([list(group) for group in ledger(position).ranking], ["XK-SCORE-7", "XK-SCORE-11"])


def end_check(position: At) -> Answer:
    """Tell if the game would end if cleanup happened now, and why."""
    end = end_if_cleaned_up_now(position)
    if end is None:
        return Answer({"ends": False, "reason": None}, ["XK-END-1", "XK-END-2", "XK-END-3"])
    return Answer({"ends": True, "reason": end.reason}, [end.rule, "XK-END-4", "XK-CLEAN-2"])


ASKED: tuple[Callable[..., Answer], ...] = (area, rotations, act_order, score, ranking, end_check)
