"""When the game ends (rules XK-END)."""

from __future__ import annotations

from typing import NamedTuple

from components.phrasing import count

from .catalogue import At
from .state import Reason


class End(NamedTuple):
    rule: str
    reason: Reason
    why: str


def idle_now(at: At) -> int:
    """Rounds in a row without progress, the one just played included (XK-END-3)."""
    return 0 if at.state.progress else at.state.idle_rounds + 1


def reasons_to_end(at: At, idle: int) -> list[End]:
    """Every reason there is, in the order of their numbers. `idle`: rounds in a row without progress."""
    s = at.state
    found: list[End] = []
    discs = at["discs_per_player"]
    spent = [p for p in s.players if s.discs_on_land(p, "claim") >= discs]
    if spent and at.on("XK-END-1"):
        has = "has" if len(spent) == 1 else "have"
        why = f"{' and '.join(spent)} {has} no disc to put back: all {discs} are claims"
        found.append(End("XK-END-1", "claims", why))
    if at["end.no_villages"] and s.state_board.villages <= 0 and at.on("XK-END-2"):
        found.append(End("XK-END-2", "villages", "no village is left on the State Board"))
    limit = at["end.idle_rounds"]
    if idle >= limit and at.on("XK-END-3"):
        why = f"nobody has claimed or built for {count(idle, 'round')}"
        found.append(End("XK-END-3", "idle", why))
    return found


def at_round_end(at: At) -> End | None:
    """The end of the game as cleanup sees it; `idle_rounds` holds the round just played already."""
    return _end(at, at.state.idle_rounds)


def if_cleaned_up_now(at: At) -> End | None:
    """The end of the game if cleanup happened now."""
    return _end(at, idle_now(at))


def _end(at: At, idle: int) -> End | None:
    """Of several reasons the one with the lowest number counts (XK-END-4)."""
    found = reasons_to_end(at, idle)
    if not found:
        return None
    return found[0] if at.on("XK-END-4") else found[-1]


__all__ = ["End", "at_round_end", "idle_now", "if_cleaned_up_now", "reasons_to_end"]
