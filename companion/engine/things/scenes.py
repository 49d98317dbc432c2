"""Tables as scenes: what games lay out alike, and pieces that lie where a path of the state leads. Knows no game."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import cycle
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from companion.engine.things.paths import walk
from components.scene import Lay, Scene, Thing

if TYPE_CHECKING:
    from companion.engine.play.position import Position


def table(at: Position[Any], things: Iterable[Thing]) -> Scene:
    """The scene of a table: title and phase, and the things of which there is at least one."""
    title = f"{at.rules.game.title}: {at.rules.heading(at)}"
    return Scene(title=title, pieces=[thing for thing in things if thing.count])


def coloured(seats: Sequence[str], printed: Sequence[str]) -> dict[str, str]:
    """Seat -> colour of its pieces: the one it is called by, otherwise the first that no seat is called by."""
    called = [seat.lower() for seat in seats]
    free = cycle([colour for colour in printed if colour not in called] or printed)
    return {seat: seat.lower() if seat.lower() in printed else next(free) for seat in seats}


class Row(NamedTuple):
    """The things at a path; a number there counts them. In `piece` and `at`, `{v}` is the value, `{0}` the key or index
    that the first star stands for, `{p}` and `{p0}` the same as `printed` has it, and `{n}` the place in its list, from
    1. With `{i}` in its place, each of several pieces has a place of its own, from 1."""

    path: str
    piece: str
    at: str
    side: str = ""
    lay: Lay = ""
    label: str = ""


def things(state: Any, rows: Iterable[Row], printed: Mapping[Any, str] = MappingProxyType({})) -> Iterator[Thing]:
    """The pieces of all rows. `printed`: what stands in the state -> as pieces are called, e.g. seat -> colour."""
    for path, piece, place, side, lay, label in rows:
        alone = "{i}" in place
        for stars, value in walk(state, path):
            n = stars[-1] + 1 if stars and isinstance(stars[-1], int) else 1
            facts = {"v": value, "p": printed.get(value, value), "n": n}
            facts |= {f"p{i}": printed.get(star, star) for i, star in enumerate(stars)}
            count = int(value) if isinstance(value, int) else 1
            for i in range(1, count + 1) if alone else (1,):
                made, spot = (text.format(*stars, **facts, i=i) for text in (piece, place))
                here = 1 if alone else count
                yield Thing(piece=made, at=spot, side=side, lay=lay, label=label, count=here)  # type: ignore[arg-type]


__all__ = ["Row", "coloured", "table", "things"]
