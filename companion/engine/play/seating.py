"""The move that seats the players: as many as the game takes, each once. Knows no game."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

import msgspec

from companion.engine.play.domains import PieceName, Unspoken
from companion.engine.play.moves import Breach, Move

if TYPE_CHECKING:
    from companion.engine.play.position import Position


class Seating(Move, frozen=True):
    """Set the table up for the players named, clockwise. `players.min` and `players.max` say how many it takes."""

    told: ClassVar[dict[str, str]]
    """The sentences that refuse it: `seated` (already), `number`, `twice`, and `option` for one the game has not."""
    seats: Annotated[tuple[str, ...], PieceName("seat", many=True, loose=True)] = ()
    chosen: Annotated[dict[str, Any], Unspoken()] = msgspec.field(default_factory=dict, name="options")

    def forbidden(self, at: Position[Any]) -> Iterator[Breach]:
        if at.seats:
            yield at.breach(self.told["seated"], players=list(at.seats))
            return
        low, high = at["players.min"], at["players.max"]
        if not low <= len(self.seats) <= high:
            yield at.breach(self.told["number"], players=len(self.seats), min=low, max=high)
        for seat in dict.fromkeys(self.seats):
            if (n := self.seats.count(seat)) > 1:
                yield at.breach(self.told["twice"], seat=seat, n=n)
        for option in self.chosen:
            yield at.breach(self.told["option"], option=option)


__all__ = ["Seating"]
