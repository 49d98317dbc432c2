"""Cleaning up after a round, and when the game ends (rules XK-CLEAN, XK-END)."""

from __future__ import annotations

from typing import Any, NamedTuple

from companion.rules import Reported

from .catalogue import At
from .state import Reason
from .turns import pass_drawer


class Cleanup(Reported, frozen=True):
    """Clean up after the round: check for the end of the game, then return discs to the bag."""

    def apply(self, at: At) -> None:
        s = at.state
        end, s.idle_rounds = end_if_cleaned_up_now(at), idle_now(at)
        s.queue, s.active = [], None
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


# --- the end of the game --------------------------------------------------------------------------------------------


class End(NamedTuple):
    """A reason for the game to end, with the facts of its rule's sentence."""

    key: str
    """Rule and key of the sentence."""
    reason: Reason
    holds: bool
    facts: dict[str, Any]

    @property
    def rule(self) -> str:
        return self.key.partition(".")[0]

    def said(self, at: At) -> str:
        return at.tell(self.key, **self.facts)


def end_if_cleaned_up_now(at: At) -> End | None:
    """The end of the game if cleanup happened now: of several reasons the first (XK-END-4)."""
    return next((end for end in ends(at, idle_now(at)) if end.holds), None)


def idle_now(at: At) -> int:
    """Rounds in a row without progress, the one just played included (XK-END-3)."""
    return 0 if at.state.progress else at.state.idle_rounds + 1


def ends(at: At, idle: int) -> list[End]:
    """Every reason for which a game may end, after so many idle rounds."""
    s, discs = at.state, at["discs_per_player"]
    spent = [p for p in s.players if s.on_land(p, "claim") >= discs]
    none_left = at["end.no_villages"] and s.state_board.villages <= 0
    return [
        End("XK-END-1", "claims", bool(spent), {"players": spent, "n": len(spent), "discs": discs}),
        End("XK-END-2", "villages", none_left, {}),
        End("XK-END-3.end", "idle", idle >= at["end.idle_rounds"], {"idle": idle}),
    ]


def why_it_ended(at: At) -> tuple[str, str]:
    """The rule by which the game has ended, and what it says."""
    found = (end for end in ends(at, at.state.idle_rounds) if end.reason == at.state.end_reason)
    return next(((end.rule, end.said(at)) for end in found), ("XK-SCORE-7", "It is not known why the game ended"))
