"""Turns: who may act, what an action is, and passing (rules XK-TURN)."""

from __future__ import annotations

from collections.abc import Iterator

from companion.rules import Breach, ByPlayer

from .catalogue import At
from .state import Player


class Action(ByPlayer, frozen=True):
    """Something the player whose turn it is does. It does not end the turn (XK-TURN-3)."""

    def board(self, at: At) -> Player:
        """The player's board."""
        return at.state.player[self.player]

    def forbidden(self, at: At) -> Iterator[Breach]:
        s = at.state
        if s.phase == "act" and self.player != s.active:
            key = "waits" if self.player in s.queue else "no_disc" if s.active else "nobody"
            yield at.breach(f"XK-TURN-2.{key}", player=self.player, active=s.active, queue=list(s.queue))


class Pass(Action, frozen=True):
    """End the turn; discs not spent wait for cleanup."""

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


def pass_drawer(at: At) -> None:
    """The drawer marker moves one seat to the left (XK-DRAW-5)."""
    s = at.state
    s.drawer = s.clockwise_from(s.drawer)[0] if s.drawer else None
    at.note("XK-DRAW-5.passes", drawer=s.drawer)
