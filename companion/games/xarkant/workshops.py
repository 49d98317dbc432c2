"""Placing a workshop, on the land or on the State Board (rules XK-WORKSHOP, XK-STATE)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated, Any, ClassVar

from companion.engine.play.moves import Breach, default_options
from companion.engine.things.effects import Source
from companion.engine.things.slots import next_slot, price
from companion.engine.things.stores import lacking, together

from .catalogue import At, cat
from .domains import Destination, Quadrant
from .land import not_empty, off_the_land, without_worker
from .state import Piece, Player
from .storage import cost_of, pay, unaffordable
from .turns import Action


def slots_open(at: At) -> int:
    """Workshop slots of the State Board that this number of players may use (XK-STATE-2, XK-PREP-6)."""
    per_player: int = at["state.workshop_slots_per_player"]
    return min(per_player * len(at.state.players), len(at["state.workshop_extra"]))


def state_extra(at: At) -> dict[str, int]:
    """The additional cost of the next slot of the State Board (XK-STATE-1, -5)."""
    extras: list[dict[str, int]] = at["state.workshop_extra"]
    return price(extras, len(at.state.state_board.workshops) + 1, extras[-1]) if extras else {}


class Workshop(Action, frozen=True):
    """Place a workshop on the land, or on the State Board for popularity."""

    words = ("workshop", "house", "build workshop", "place workshop")
    example = "workshop f4"
    asks: ClassVar[dict[str, str]] = {"to": "XK-WORKSHOP-3.to", "at": "XK-WORKSHOP-3.at"}
    to: Annotated[str, Destination("land", "state", spoken={"state board": "state"})] = ""
    at: Annotated[str, Quadrant()] = ""

    def options(self, at: At, field: str) -> Iterable[Any] | None:
        if field == "to" and self.at:
            return ("land",)
        return None if field == "at" and self.to == "state" else default_options(self, at, field)

    def broken(self, at: At, p: Player) -> Iterator[Breach]:
        if not p.workshops:
            yield at.breach("XK-WORKSHOP-2", player=self.player, workshops=0)
        if self.to == "state":
            yield from self._on_the_state_board(at)
        elif self.to or self.at:  # a quadrant alone says that it goes on the land
            yield from off_the_land(at, self.at)
            yield from not_empty(at, self.at, "XK-WORKSHOP-4")
            yield from without_worker(at, self.at, self.player, "XK-WORKSHOP-5")
        base = cost_of(at, "workshop")
        yield from unaffordable(at, "XK-WORKSHOP-1", self.player, base)
        if self.to == "state" and not lacking(p.stored(), base):
            slot = len(at.state.state_board.workshops) + 1
            yield from unaffordable(at, "XK-STATE-1", self.player, together(base, state_extra(at)), slot=slot)

    def _on_the_state_board(self, at: At) -> Iterator[Breach]:
        if self.at:
            yield at.breach("XK-WORKSHOP-3", to=self.to, at=self.at)
        taken, places = at.state.state_board.workshops, slots_open(at)
        if next_slot(taken, places) is None:
            yield at.breach("XK-STATE-2", open=places, taken=len(taken))

    def apply(self, at: At) -> None:
        s = at.state
        p = self.board(at)
        extra = state_extra(at) if self.to == "state" else {}
        pay(at, "XK-WORKSHOP-1", self.player, together(cost_of(at, "workshop"), extra))
        p.workshops = max(0, p.workshops - 1)
        s.progress = True
        if self.to == "state":
            s.state_board.workshops.append(self.player)
            slot = len(s.state_board.workshops)
            at.note("XK-STATE-1", slot=slot, extra=extra)
            at.note("XK-WORKSHOP-3.state", player=self.player, slot=slot)
            if board := cat(at).state_board:
                at.run(board.effect, self.player, Source(board, self.player))
        else:
            s.pieces[self.at] = Piece("workshop", self.player)
            at.note("XK-WORKSHOP-3.land", player=self.player, at=self.at)
