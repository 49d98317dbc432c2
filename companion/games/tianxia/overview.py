"""What may be done now, in few lines: the turns of the active player taken together by region, space and barge."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from companion.engine.language import notation
from companion.engine.play.moves import Move
from components.phrasing import count, join_and

from .barges import BargeTurn, boarding_cost
from .catalogue import At, cat
from .free import FREE
from .military import MilitaryTurn
from .passing import PassTurn, steps_allowed
from .region import RegionTurn
from .turns import AnyTurn, stack_cost


def overview(at: At, legal: Sequence[Move]) -> list[str]:
    """The legal moves of the position; turns that differ only in a step are taken together."""
    lines = [notation.write(move, at) for move in legal if not isinstance(move, AnyTurn)]
    return [*_regions(at, legal), *_military(at, legal), *_barges(at, legal), *_passing(at, legal), *lines]


def _paid(n: int) -> str:
    return f" (pay {count(n, 'coin')})" if n else ""


def _regions(at: At, legal: Sequence[Move]) -> Iterator[str]:
    actions: dict[tuple[str, str], list[str]] = {}
    for move in legal:
        if isinstance(move, RegionTurn):
            said = [notation.short(part, at) for part in move.parts()[:1]]
            actions.setdefault((move.player, move.region), []).extend(said)
    for (who, region), said in actions.items():
        cost = stack_cost(at, who, at.state.regions[region].discs).value
        yield f"{who} {region}{_paid(cost)}: {join_and(dict.fromkeys(said), 'or')}"


def _military(at: At, legal: Sequence[Move]) -> Iterator[str]:
    pieces: dict[tuple[str, str], list[str]] = {}
    for move in legal:
        if isinstance(move, MilitaryTurn):
            pieces.setdefault((move.player, move.action), []).append(move.parts()[-1].tag())
    for (who, action), said in pieces.items():
        cost = stack_cost(at, who, at.state.military[action].discs).value
        yield f"{who} {action}{_paid(cost)}: track …, then {join_and(dict.fromkeys(said), 'or')} in a lane"


def _barges(at: At, legal: Sequence[Move]) -> Iterator[str]:
    found = {(move.player, move.barge): move for move in legal if isinstance(move, BargeTurn)}
    for who, barge in found:
        yield f"{who} barge {barge} (pay {count(boarding_cost(at, who, barge).total, 'coin')}): 1 {cat(at).barges[barge]}"


def _passing(at: At, legal: Sequence[Move]) -> Iterator[str]:
    for who in dict.fromkeys(move.player for move in legal if isinstance(move, PassTurn)):
        n = steps_allowed(at, who)
        steps = f", then buy up to {count(n, 'palace step')}" if n else ""
        yield f"{who} pass: take a tile{steps}"
        yield f"with any turn: {', '.join(kind.words[0] for kind in FREE)}"
