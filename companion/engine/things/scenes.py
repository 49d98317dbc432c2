"""What games lay out alike when they say their table as a scene. Knows no game."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import cycle
from typing import TYPE_CHECKING, Any

from components.scene import Scene, Thing

if TYPE_CHECKING:
    from companion.engine.play.position import Position


def table(at: Position[Any], things: Iterable[Thing]) -> Scene:
    """The scene of a table: title and phase, and the things of which there is at least one."""
    title = f"{at.rules.game.title}: {at.rules.phase(at.state)}"
    return Scene(title=title, pieces=[thing for thing in things if thing.count])


def one_by_one(piece: str, n: int, place: str) -> Iterator[Thing]:
    """`n` pieces alike in the places `place.1` to `place.n`."""
    return (Thing(piece=piece, at=f"{place}.{i}") for i in range(1, n + 1))


def row(pieces: Iterable[str], place: str) -> Iterator[Thing]:
    """Pieces in the places `place.1`, `place.2` and so on."""
    return (Thing(piece=piece, at=f"{place}.{i}") for i, piece in enumerate(pieces, 1))


def coloured(seats: Sequence[str], printed: Sequence[str]) -> dict[str, str]:
    """Seat -> colour of its pieces: the one it is called by, otherwise the first that no seat is called by."""
    called = [seat.lower() for seat in seats]
    free = cycle([colour for colour in printed if colour not in called] or printed)
    return {seat: seat.lower() if seat.lower() in printed else next(free) for seat in seats}


__all__ = ["coloured", "one_by_one", "row", "table"]
