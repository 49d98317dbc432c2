"""When the game ends (rules XK-END)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from .catalogue import At
from .state import Reason


class End(NamedTuple):
    """A reason for the game to end, with the facts of its rule's sentence."""

    key: str
    """Rule and key of the sentence."""
    reason: Reason
    facts: dict[str, Any]

    @property
    def rule(self) -> str:
        return self.key.partition(".")[0]

    def said(self, at: At) -> str:
        return at.tell(self.key, **self.facts)


def end_if_cleaned_up_now(at: At) -> End | None:
    """The end of the game if cleanup happened now: of several reasons the first (XK-END-4)."""
    return end_after(at, idle_now(at))


def idle_now(at: At) -> int:
    """Rounds in a row without progress, the one just played included (XK-END-3)."""
    return 0 if at.state.progress else at.state.idle_rounds + 1


def end_after(at: At, idle: int) -> End | None:
    return next(ends(at, idle), None)


def ends(at: At, idle: int) -> Iterator[End]:
    """Every reason for the game to end after so many idle rounds."""
    s = at.state
    discs = at["discs_per_player"]
    if spent := [p for p in s.players if s.on_land(p, "claim") >= discs]:
        yield End("XK-END-1", "claims", {"players": spent, "n": len(spent), "discs": discs})
    if at["end.no_villages"] and s.state_board.villages <= 0:
        yield End("XK-END-2", "villages", {})
    if idle >= at["end.idle_rounds"]:
        yield End("XK-END-3.end", "idle", {"idle": idle})


def why_it_ended(at: At) -> tuple[str, str]:
    """The rule by which the game has ended, and what it says."""
    s = at.state
    found = (end for end in ends(at, s.idle_rounds) if end.reason == s.end_reason)
    return next(((end.rule, end.said(at)) for end in found), ("XK-SCORE-7", "the game is over"))
