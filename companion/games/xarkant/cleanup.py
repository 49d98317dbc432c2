"""Cleaning up after a round (rules XK-CLEAN)."""

from __future__ import annotations

from companion.engine.play.moves import Move

from .catalogue import At
from .drawing import pass_drawer
from .ending import end_after, idle_now


class Cleanup(Move, frozen=True):
    """Clean up after the round: check for the end of the game, then return discs to the bag."""

    key = "event"
    role = "event"
    words = ("cleanup", "clean up")
    example = "cleanup"

    def apply(self, at: At) -> None:
        s = at.state
        s.idle_rounds = idle_now(at)
        s.queue, s.active = [], None
        end = end_after(at, s.idle_rounds)
        s.end_reason = end.reason if end else None
        if end is not None:  # before any disc returns (XK-CLEAN-2)
            at.enter("end")
            at.note(end.key, reason=end.reason, **end.facts)
            return
        self._return_discs(at)
        s.round += 1
        s.progress = False
        at.enter("draw")
        if at["drawer.passes"] == "each_round":
            pass_drawer(at)
        at.note("XK-CLEAN-4", round=s.round, drawer=s.drawer)
        if s.idle_rounds:
            at.note("XK-END-3.idle", idle=s.idle_rounds, left=at["end.idle_rounds"] - s.idle_rounds)

    def _return_discs(self, at: At) -> None:
        """Work discs and unspent ones go back into the bag (XK-CLEAN-3, XK-TURN-7); claims stay (XK-CLAIM-3)."""
        s = at.state
        home = {player: s.aside.get(player, 0) + s.drawn.get(player, 0) for player in s.players}
        for quadrant in [q for q, p in s.pieces.items() if p.kind == "work"]:
            home[s.pieces.pop(quadrant).owner or ""] += 1
        for player, n in home.items():
            s.aside[player] = s.drawn[player] = 0
            s.bag[player] = s.bag.get(player, 0) + n
        at.note("XK-CLEAN-3", discs=home)
        if claims := sum(p.kind == "claim" for p in s.pieces.values()):
            at.note("XK-CLAIM-3.stays", claims=claims)
