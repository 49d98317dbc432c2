"""The possible moves in few lines: by tile while the land is laid, by area in a turn.

One line for each legal move would be a hundred and more: every free quadrant twice, and again for each price.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from companion.engine.language import notation
from companion.rules import Move
from components.phrasing import count, join_and

from .building import Church, Village, Workshop
from .catalogue import At
from .discs import Claim, Collect
from .land import land, standing, type_name
from .tiles import PlaceTile
from .trading import Trade

GROUPED = (PlaceTile, Collect, Claim, Workshop, Church, Village, Trade)


def overview(at: At, legal: Sequence[Move]) -> list[str]:
    """The legal moves of the position; those that differ only in a quadrant, a turn or a price are taken together."""
    tiles = _together((move.tile, move.rot) for move in legal if isinstance(move, PlaceTile))
    placed = (move for move in legal if isinstance(move, Workshop | Church | Village))
    buildings = _together((f"{move.player} {move.words[0]}", _where(move)) for move in placed)
    alone = (notation.write(move, at) for move in legal if not isinstance(move, GROUPED))
    return [*tiles, *_discs(at, legal), *buildings, *_trades(at, legal), *alone]


def _together(ways: Iterable[tuple[str, Any]]) -> Iterator[str]:
    """`T07 90 or 180`: what can be done in several ways, in one line."""
    found: dict[str, list[Any]] = {}
    for what, way in ways:
        found.setdefault(what, []).append(way)
    return (f"{what} {join_and(some, 'or')}" for what, some in found.items())


def _discs(at: At, legal: Sequence[Move]) -> Iterator[str]:
    """Collecting and claiming, by area: nearly always on the same quadrants."""
    collects = [move for move in legal if isinstance(move, Collect)]
    claims = [move for move in legal if isinstance(move, Claim)]
    places: dict[tuple[str, ...], list[str]] = {}
    if collects:
        paid = [n for n in dict.fromkeys(move.pay_popularity for move in collects) if n]
        more = f" [pay {join_and(paid, 'or')}]" if paid else ""
        places.setdefault(tuple(dict.fromkeys(move.at for move in collects)), []).append(f"collect …{more}")
    if claims:
        places.setdefault(tuple(move.at for move in claims), []).append("claim …")
    for where, words in places.items():
        yield f"{(collects or claims)[0].player} {join_and(words, 'or')}, with a quadrant of"
        yield from _by_area(at, where)


def _by_area(at: At, quadrants: Sequence[str]) -> Iterator[str]:
    """Quadrants by their areas, the largest area first."""
    for area in sorted(land(at).all, key=lambda area: -area.size):
        shops = sum(piece.kind == "workshop" for _, piece in standing(at, area))
        if inside := [quadrant for quadrant in quadrants if quadrant in area.spaces]:
            beside = f" with {count(shops, 'workshop')}" if shops else ""
            yield f"  a {type_name(at, area.kind)} of {area.size}{beside}: {' '.join(inside)}"


def _where(move: Workshop | Church | Village) -> str:
    return move.at or (move.track if isinstance(move, Church) else move.to if isinstance(move, Workshop) else "")


def _trades(at: At, legal: Sequence[Move]) -> Iterator[str]:
    trades = [move for move in legal if isinstance(move, Trade)]
    if trades:
        given = dict.fromkeys(kind for move in trades for kind in move.give or {})
        most = max(sum((move.give or {}).values()) for move in trades)
        tokens = f"up to {most} tokens" if most > 1 else "1 token"
        fee = at["trade.cost.popularity"]
        yield f"{notation.write(trades[0], at)} (for {fee} popularity {tokens}, of {join_and(given, 'or')})"
