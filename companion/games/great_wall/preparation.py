"""Setup: the board, the first hordes, generals and advisors (rules GW-SET)."""

from __future__ import annotations

from typing import Annotated

from companion.engine.play.moves import PieceName

from .catalogue import At
from .reports import TableReport


class StartGame(TableReport, frozen=True):
    """Seat the players."""

    name = "start_game"
    words = ("start", "setup")
    example = "start pine bamboo plum"
    players: Annotated[tuple[str, ...], PieceName("clan", many=True, loose=True)] = ()
    modules: tuple[str, ...] = ()

    def apply(self, at: At) -> None:
        at.state.players = list(self.players)


def is_set_up(at: At) -> bool:
    """Whether everything of the setup has been reported."""
    return False


MOVES = {"setup": (StartGame,)}
