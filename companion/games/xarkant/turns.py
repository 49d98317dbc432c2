"""Turns: who may act, what an action is, and passing (rules XK-TURN)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, ClassVar

from companion.engine.play.moves import Breach, Move, Seat

from .catalogue import At
from .domains import Quadrant
from .land import not_empty, occupied, off_the_land
from .state import Piece, Player


class Action(Move, frozen=True):
    """Something the player whose turn it is does. It does not end the turn (XK-TURN-3)."""

    asks: ClassVar[dict[str, str]] = {"player": "XK-TURN-2"}
    player: Annotated[str, Seat()] = ""

    def board(self, at: At) -> Player:
        """The player's board."""
        return at.state.player[self.player]

    def forbidden(self, at: At) -> Iterator[Breach]:
        s = at.state
        if s.phase == "act" and self.player and self.player != s.active:
            key = "waits" if self.player in s.queue else "no_disc" if s.active else "nobody"
            yield at.breach(f"XK-TURN-2.{key}", player=self.player, active=s.active, queue=list(s.queue))
        if self.player:
            yield from self.broken(at, self.board(at))

    def broken(self, at: At, p: Player) -> Iterator[Breach]:
        """Every rule the action breaks, whoever's turn it is, given the board of the player."""
        return iter(())


class DiscAction(Action, frozen=True):
    """An action that lays a drawn disc on an empty quadrant of an area that is not occupied."""

    area_rule: ClassVar[str]
    """The rule that wants the area unoccupied."""
    quadrant_rule: ClassVar[str]
    """The rule that wants the quadrant empty."""
    at: Annotated[str, Quadrant()] = ""

    def broken(self, at: At, p: Player) -> Iterator[Breach]:
        s = at.state
        if self.player == s.active and not s.drawn.get(self.player):
            yield at.breach("XK-TURN-4", player=self.player, drawn=0)
        yield from off_the_land(at, self.at)
        yield from not_empty(at, self.at, self.quadrant_rule)
        yield from occupied(at, self.at, self.area_rule)

    def lay_disc(self, at: At, kind: str) -> None:
        """Use one of the player's drawn discs (XK-TURN-4)."""
        s = at.state
        s.pieces[self.at] = Piece(kind, self.player)  # type: ignore[arg-type]
        s.drawn[self.player] = max(0, s.drawn.get(self.player, 0) - 1)
        at.note("XK-TURN-4", player=self.player, left=s.drawn[self.player])


class Pass(Action, frozen=True):
    """End the turn; discs not spent wait for cleanup."""

    words = ("pass", "done", "end turn")
    example = "pass"

    def apply(self, at: At) -> None:
        s = at.state
        at.note("XK-TURN-6", player=self.player)
        if s.phase != "act":  # kept against the rules
            return
        if unspent := s.drawn.get(self.player, 0):
            s.drawn[self.player] = 0
            s.aside[self.player] += unspent
            at.note("XK-TURN-7", player=self.player, n=unspent)
        s.queue = [player for player in s.queue if player != self.player]
        s.active = s.queue[0] if s.queue else None
        if s.active is not None:
            at.note("XK-TURN-2.next", active=s.active, n=s.drawn.get(s.active, 0))
