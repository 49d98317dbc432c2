"""Tables as scenes: what games lay out alike, and pieces that lie where a path of the state leads. Knows no game."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import cycle
from typing import TYPE_CHECKING, Any, NamedTuple

from companion.engine.things.paths import walk
from components.scene import Lay, Scene, Thing

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


class Row(NamedTuple):
    """What lies at a path; a number there says how many. In `piece` and `at`, `{v}` is the value, `{0}` what the first
    star of the path stands for, and `{n}` the place in its list, from 1."""

    path: str
    piece: str
    at: str
    side: str = ""
    lay: Lay = ""


def things(state: Any, rows: Iterable[Row]) -> Iterator[Thing]:
    """The pieces of all rows."""
    for path, piece, place, side, lay in rows:
        for stars, value in walk(state, path):
            n = stars[-1] + 1 if stars and isinstance(stars[-1], int) else 1
            count = int(value) if isinstance(value, int) else 1
            piece_of, place_of = (text.format(*stars, v=value, n=n) for text in (piece, place))
            yield Thing(piece=piece_of, at=place_of, side=side, lay=lay, count=count)  # type: ignore[arg-type]


__all__ = ["Row", "coloured", "one_by_one", "row", "table", "things"]
