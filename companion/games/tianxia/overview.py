"""The possible moves in few lines: the turns of the active player taken together by region, space and barge."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from companion.engine.language import notation, saying
from companion.rules import Move, Part
from components.phrasing import count, join_and

from .barges import BargeTurn, boarding_cost
from .catalogue import At, cat
from .free import FREE
from .military import MilitaryTurn
from .passing import PassTurn, steps_allowed, takeable
from .region import RegionTurn
from .turns import AnyTurn, Step, stack_cost


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
            said = [saying.short(_plain(part), at) for part in move.parts()[:1]]
            actions.setdefault((move.player, move.region), []).extend(said)
    for (who, region), said in actions.items():
        cost = stack_cost(at, who, at.state.regions[region].discs).value
        yield f"{who} {region}{_paid(cost)}: {join_and(dict.fromkeys(said), 'or')}"


def _plain(part: Part) -> Part:
    """A step without the answers that stand in it: they are asked for."""
    return replace(part, choose={}) if isinstance(part, Step) else part


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
        gained = f": {at['barge.gain']} {cat(at).barges[barge]}" if at["barge.gain"] else ""
        yield f"{who} barge {barge}{_paid(boarding_cost(at, who, barge).total)}{gained}"


def _passing(at: At, legal: Sequence[Move]) -> Iterator[str]:
    for who in dict.fromkeys(move.player for move in legal if isinstance(move, PassTurn)):
        steps = ["take a tile"] if takeable(at, who) else []
        steps += [f"buy up to {count(n, 'palace step')}"] if (n := steps_allowed(at, who)) else []
        yield f"{who} pass{':' if steps else ''} {', then '.join(steps)}".rstrip()
        yield f"with any turn: {', '.join(kind.words[0] for kind in FREE)}"
