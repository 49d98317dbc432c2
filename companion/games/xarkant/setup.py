"""Set-up: player boards, the bag, the boards in the middle, the first drawer (rules XK-PREP, XK-GAME-2)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, ClassVar

from companion.engine.play.forms import furnish
from companion.rules import Breach, Reported, Seat, Seating

from .building import slots_open, track_open
from .catalogue import At, cat
from .storage import popularity_supply, supply
from .tiles import begin, cells


class Setup(Seating, frozen=True):
    """Seat the players clockwise; each sets up a player board, and all discs go into the bag."""

    told: ClassVar[dict[str, str]] = {
        "seated": "XK-GAME-1.seated",
        "number": "XK-GAME-2.number",
        "twice": "XK-GAME-5.twice",
        "option": "XK-PREP-1.option",
    }

    def forbidden(self, at: At) -> Iterator[Breach]:
        yield from super().forbidden(at)
        if len(cat(at).tiles) < cells(at):
            yield at.breach("XK-PREP-3.few", tiles=len(cat(at).tiles), cells=cells(at))

    def apply(self, at: At) -> None:
        s = at.state
        s.players = list(self.seats)
        s.bag, s.drawn, s.aside, s.player = {}, {}, {}, {}
        furnish(at.rules, s, {"phase": s.phase})
        one = s.player[s.players[0]]
        at.note("XK-GAME-2.seats", n=len(s.players), players=list(s.players))
        at.note("XK-PREP-7.board", workshops=one.workshops, churches=one.churches, popularity=one.popularity)
        at.note("XK-PREP-2.bag", discs=at["discs_per_player"])
        at.note("XK-PREP-6.boards", villages=at["villages"], workshop_slots=slots_open(at), track_slots=track_open(at))
        at.note("XK-PREP-4", supply=supply(at), popularity=popularity_supply(at))


class FirstDrawer(Reported, frozen=True):
    """Name the player whom chance made the first drawer."""

    words = ("drawer",)
    player: Annotated[str, Seat(actor=False, after=("to", "with"))] = ""

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
