"""What all actions have in common: whose they are, what they spend, and that the turn goes on (rules XK-TURN)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, ClassVar, Self

import msgspec

from companion.engine.play.moves import Breach, Choice, Move, Seat
from components.phrasing import count

from .catalogue import At
from .domains import Quadrant
from .land import free_disc_places, not_empty, occupied, off_the_land
from .turns import end_turn, out_of_turn


class Action(Move, frozen=True):
    """Something the player whose turn it is does.

    A kind of action says what forbids it to that player (`breaks`), what was left out (`left_out`), and what it does
    (`carry_out`).
    """

    player: Annotated[str, Seat()] = ""

    def filled(self, at: At) -> Self:
        return self if self.player else msgspec.structs.replace(self, player=at.state.active or "")

    def forbidden(self, at: At) -> Iterator[Breach]:
        yield from out_of_turn(at, self.player)
        if self.player in at.state.player:
            yield from self.breaks(at)

    def breaks(self, at: At) -> Iterator[Breach]:
        """What forbids it, apart from whose turn it is."""
        return iter(())

    def needs(self, at: At) -> Iterator[Choice]:
        if self.player:
            yield from self.left_out(at)
        else:
            yield Choice("player", "", "who acts?", list(at.state.players))

    def left_out(self, at: At) -> Iterator[Choice]:
        """Choices that were not said."""
        return iter(())

    def apply(self, at: At) -> None:
        at.cite("XK-TURN-1", "in an action phase, after the draw")
        at.cite("XK-TURN-2", f"{self.player} is the one to act")
        self.carry_out(at)
        if at.on("XK-TURN-3"):
            at.cite("XK-TURN-3", "the turn goes on until passing")
        else:
            end_turn(at, self.player)

    def carry_out(self, at: At) -> None:
        raise NotImplementedError


class DiscAction(Action, frozen=True):
    """An action that lays a drawn disc on an empty quadrant of an area without discs (XK-TURN-4)."""

    on_empty: ClassVar[str]
    """The rule that wants the quadrant empty."""
    in_free_area: ClassVar[tuple[str, ...]]
    """The rules that want the area unoccupied."""

    at: Annotated[str, Quadrant()] = ""

    def breaks(self, at: At) -> Iterator[Breach]:
        s = at.state
        if s.phase == "act" and self.player == s.active and not s.drawn.get(self.player):
            why = f"{self.player} has no drawn disc left to spend"
            yield from at.against("XK-TURN-4", why=why, player=self.player, drawn=0)
        yield from off_the_land(at, self.at)
        if self.at:
            yield from not_empty(at, self.at, self.on_empty)
            yield from occupied(at, self.at, *self.in_free_area)

    def left_out(self, at: At) -> Iterator[Choice]:
        if not self.at:
            yield Choice("at", self.player, "on which quadrant?", free_disc_places(at))

    def spend_disc(self, at: At) -> None:
        spend_disc(at, self.player)
        at.cite(self.in_free_area[0], "no disc lay in the area")
        at.cite(self.on_empty, "the quadrant was empty")


class ResourceAction(Action, frozen=True):
    """An action paid with resources or popularity: it spends no disc and may be repeated (XK-TURN-5, -8)."""

    builds: ClassVar[bool] = True
    """Whether it puts a piece into play, so that the round is not an idle one (XK-END-3)."""

    def breaks(self, at: At) -> Iterator[Breach]:
        s = at.state
        allowed = at.on("XK-TURN-5") and at.on("XK-TURN-8")
        if not allowed and s.phase == "act" and self.player == s.active and not s.drawn.get(self.player):
            yield Breach("XK-TURN-4", f"{self.player} has no drawn disc left", {"player": self.player, "drawn": 0})

    def apply(self, at: At) -> None:
        discs = at.state.drawn.get(self.player, 0)
        at.cite("XK-TURN-5", "this spends no disc", drawn=discs)
        if not discs:
            at.cite("XK-TURN-8", "all discs are spent, and the turn goes on until passing")
        elif not at.on("XK-TURN-5"):
            spend_disc(at, self.player)
        if self.builds:
            made_progress(at)
        super().apply(at)


def spend_disc(at: At, player: str) -> None:
    s = at.state
    s.drawn[player] = max(0, s.drawn.get(player, 0) - 1)
    left = s.drawn[player]
    more = count(left, "drawn disc") if left else "no drawn disc"
    at.note("XK-TURN-4", f"{player} has {more} left", player=player, left=left)


def made_progress(at: At) -> None:
    """Something was claimed or built in this round (XK-END-3)."""
    at.state.progress = True


__all__ = ["Action", "DiscAction", "ResourceAction", "made_progress"]
