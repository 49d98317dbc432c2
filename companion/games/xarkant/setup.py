"""Set-up: player boards, the bag, the boards in the middle, the first drawer (rules XK-PREP, XK-GAME-2)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, ClassVar

import msgspec

from companion.engine.play.moves import Breach, Move, PieceName, Seat

from .catalogue import At, cat
from .churches import track_open
from .land import SIDE
from .state import EMPTY, Player, StateBoard
from .storage import popularity_supply, supply
from .tiles import begin, cells
from .workshops import slots_open


def new_player(at: At) -> Player:
    """A player board as it is set up (XK-PREP-1, -7), with no more popularity than it has tokens and spots for."""
    return Player(
        popularity=min(at["popularity.start"], at["popularity.tokens_per_player"], at["popularity.max"]),
        workshops=at["workshops_per_player"],
        churches=at["churches_per_player"],
    )


def bare_land(at: At) -> list[str]:
    """Rows of a land on which no tile lies yet."""
    return [EMPTY * (SIDE * at["grid.cols"])] * (SIDE * at["grid.rows"])


class Setup(Move, frozen=True):
    """Seat the players clockwise; each sets up a player board, and all discs go into the bag."""

    words = ("setup",)
    example = "setup red blue"
    asks: ClassVar[dict[str, str]] = {"seats": "XK-GAME-2.seats"}
    seats: Annotated[tuple[str, ...], PieceName("seat", many=True, loose=True)] = ()
    chosen: dict[str, Any] = msgspec.field(default_factory=dict, name="options")

    def forbidden(self, at: At) -> Iterator[Breach]:
        if at.state.players:
            yield at.breach("XK-GAME-1.seated", players=list(at.state.players))
            return
        low, high = at["players.min"], at["players.max"]
        if not low <= len(self.seats) <= high:
            yield at.breach("XK-GAME-2.number", players=len(self.seats), min=low, max=high)
        for seat in dict.fromkeys(self.seats):
            if (n := self.seats.count(seat)) > 1:
                yield at.breach("XK-GAME-5.twice", seat=seat, n=n)
        if len(cat(at).tiles) < cells(at):
            yield at.breach("XK-PREP-3.few", tiles=len(cat(at).tiles), cells=cells(at))
        for option in self.chosen:
            yield at.breach("XK-PREP-1.option", option=option)

    def apply(self, at: At) -> None:
        s = at.state
        s.players = list(self.seats)
        s.player = {seat: new_player(at) for seat in s.players}
        s.bag = dict.fromkeys(s.players, at["discs_per_player"])
        s.drawn, s.aside = dict.fromkeys(s.players, 0), dict.fromkeys(s.players, 0)
        s.terrain = bare_land(at)
        s.state_board = StateBoard(at["villages"])
        one = new_player(at)
        at.note("XK-GAME-2.seats", n=len(s.players), players=list(s.players))
        at.note("XK-PREP-7.board", workshops=one.workshops, churches=one.churches, popularity=one.popularity)
        at.note("XK-PREP-2.bag", discs=at["discs_per_player"])
        boards = {"villages": at["villages"], "workshop_slots": slots_open(at), "track_slots": track_open(at)}
        at.note("XK-PREP-6.boards", **boards)
        at.note("XK-PREP-4", supply=supply(at), popularity=popularity_supply(at))


class FirstDrawer(Move, frozen=True):
    """Name the player whom chance made the first drawer."""

    key = "event"
    role = "event"
    words = ("drawer", "first drawer")
    example = "drawer blue"
    asks: ClassVar[dict[str, str]] = {"player": "XK-PREP-5.player"}
    player: Annotated[str, Seat(actor=False)] = ""

    def forbidden(self, at: At) -> Iterator[Breach]:
        s = at.state
        if not s.players:
            yield at.breach("XK-GAME-2.unseated")
        elif s.phase != "setup" or s.drawer is not None:
            yield at.breach("XK-PREP-5.named", drawer=s.drawer, phase=s.phase)

    def apply(self, at: At) -> None:
        at.state.drawer = self.player
        at.note("XK-PREP-5.drawer", drawer=self.player)
        begin(at)
