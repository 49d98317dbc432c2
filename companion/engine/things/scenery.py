"""Scenes from tables of rows: what lies at a path of the state is a piece in a place."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from companion.engine.things.paths import walk
from components.scene import Lay, Thing


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


__all__ = ["Row", "things"]
