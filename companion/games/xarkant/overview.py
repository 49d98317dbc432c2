"""What may be done now, in few lines: by tile while the land is laid, by area in a turn.

One line for each legal move would be a hundred and more: every free quadrant twice, and again for each price.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from companion.engine.language import notation
from companion.engine.play.moves import Move
from components.phrasing import count, join_and

from .catalogue import At
from .churches import Church
from .claiming import Claim
from .collecting import Collect
from .land import land, standing, type_name
from .tiles import PlaceTile
from .trading import Trade
from .villages import Village
from .workshops import Workshop

GROUPED = (PlaceTile, Collect, Claim, Workshop, Church, Village, Trade)


def overview(at: At, legal: Sequence[Move]) -> list[str]:
    """The legal moves of the position; those that differ only in a quadrant, a turn or a price are taken together."""
    lines = [*_tiles(legal), *_discs(at, legal), *_buildings(legal), *_trades(at, legal)]
    return lines + [notation.write(move, at) for move in legal if not isinstance(move, GROUPED)]


def _tiles(legal: Sequence[Move]) -> Iterator[str]:
    ways: dict[str, list[int]] = {}
    for move in legal:
        if isinstance(move, PlaceTile):
            ways.setdefault(move.tile, []).append(move.rot or 0)
    yield from (f"{tile} {join_and(turns, 'or')}" for tile, turns in ways.items())


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
    player = next((move.player for move in (*collects, *claims)), "")
    for where, words in places.items():
        yield f"{player} {join_and(words, 'or')}, with a quadrant of"
        yield from _by_area(at, where)


def _by_area(at: At, quadrants: Sequence[str]) -> Iterator[str]:
    """Quadrants by their areas, the largest area first."""
    for area in sorted(land(at).all, key=lambda area: -area.size):
        inside = [quadrant for quadrant in quadrants if quadrant in area.spaces]
        shops = sum(piece.kind == "workshop" for _, piece in standing(at, area))
        beside = f" with {count(shops, 'workshop')}" if shops else ""
        if inside:
            yield f"  a {type_name(at, area.kind)} of {area.size}{beside}: {' '.join(inside)}"


def _buildings(legal: Sequence[Move]) -> Iterator[str]:
    for kind in (Workshop, Church, Village):
        found = [move for move in legal if isinstance(move, kind)]
        if found:
            yield f"{found[0].player} {kind.words[0]} {join_and(map(_where, found), 'or')}"


def _where(move: Workshop | Church | Village) -> str:
    if move.at or isinstance(move, Village):
        return move.at
    return move.track if isinstance(move, Church) else move.to


def _trades(at: At, legal: Sequence[Move]) -> Iterator[str]:
    trades = [move for move in legal if isinstance(move, Trade)]
    if trades:
        given = dict.fromkeys(kind for move in trades for kind in move.give or {})
        most = max(sum((move.give or {}).values()) for move in trades)
        tokens = f"up to {most} tokens" if most > 1 else "1 token"
        fee = at["trade.cost.popularity"]
        yield f"{notation.write(trades[0], at)} (for {fee} popularity {tokens}, of {join_and(given, 'or')})"
