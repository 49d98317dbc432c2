"""Phase 2: who chooses the order of the reveals, and the order (rules DY-ORDER)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations
from typing import Annotated, Any

from companion.rules import Breach, ByItself, ByPlayer, Options, PieceName

from .catalogue import At, cat, name
from .state import COLOURS


def chooser(at: At) -> tuple[str | None, str]:
    """The player who chooses the order (None: it is fixed), and the rule."""
    s = at.state
    if s.dynasty == 1:
        return None, "DY-ORDER-1"
    if len({*s.counted.values()}) > 1:
        return min(s.counted, key=s.counted.__getitem__), "DY-ORDER-2"
    return s.last_chooser, "DY-ORDER-3" if s.last_chooser else "DY-ORDER-4"


def why(at: At) -> dict[str, Any]:
    """The facts from which it follows who chooses."""
    who, _ = chooser(at)
    counts = sorted(at.state.counted.values())
    return {"chooser": who, "player": name(who), "fewer": counts[0], "more": counts[-1], **at.state.counted}


def begin_order(at: At) -> None:
    """Both players are ready: the armies on the board are counted, once (DY-ORDER-6)."""
    at.state.counted = {c: at.state.board_total(c) for c in COLOURS}
    who, rule = chooser(at)
    if who is not None:
        at.note(f"{rule}.chooses", **why(at))


def fix_order(at: At) -> None:
    """Nobody has chosen: the provinces are revealed from west to east (DY-ORDER-1, -4)."""
    s = at.state
    if not s.order:
        s.order = list(cat(at).provinces)
        at.note(f"{chooser(at)[1]}.fixed", order=s.order)
    s.counted = {}


def is_fixed(at: At) -> bool:
    """True if the provinces come from west to east because nobody chose."""
    s = at.state
    return s.order == cat(at).provinces and s.last_chooser is None


class FixedOrder(ByItself, frozen=True):
    """The provinces are revealed from west to east."""

    def already(self, at: At) -> bool:
        s = at.state
        return s.phase == "battles" and not any(p.shown for p in s.players.values()) and is_fixed(at)

    def forbidden(self, at: At) -> Iterator[Breach]:
        if at.state.phase != "order":
            yield not_now(at)
        else:
            yield at.breach(f"{chooser(at)[1]}.chooses", **why(at))


class ChooseOrder(ByPlayer, frozen=True):
    """The player who may choose announces the whole order of the reveals."""

    role = "choice"
    words = ("order",)
    order: Annotated[tuple[str, ...], PieceName("province", many=True, ordered=True)] = ()

    def player_options(self, at: At) -> Options:
        return [chooser(at)[0] or ""] if at.state.phase == "order" else COLOURS

    def order_options(self, at: At) -> Options:
        return permutations(cat(at).provinces)

    def forbidden(self, at: At) -> Iterator[Breach]:
        if at.state.phase != "order":
            yield not_now(at)
            return
        who, rule = chooser(at)
        if self.player and self.player != who:
            yield at.breach(f"{rule}.chooses", **why(at))
        if self.order and sorted(self.order) != sorted(cat(at).provinces):
            yield at.breach("DY-ORDER-5.each", order=list(self.order))

    def apply(self, at: At) -> None:
        who, rule = chooser(at)
        at.state.last_chooser = self.player
        at.state.order = list(self.order)
        at.note(f"{rule}.chosen" if who else "DY-ORDER-5", player=name(self.player), order=at.state.order)


def not_now(at: At) -> Breach:
    """The order cannot be settled: it has not come to that, or it has been announced."""
    s = at.state
    if s.phase == "battles":
        rule = "DY-ORDER-5.announced" if not is_fixed(at) else f"DY-ORDER-{1 if s.dynasty == 1 else 4}.fixed"
        return at.breach(rule, order=s.order)
    if s.phase == "deploy":
        return at.breach("DY-ORDER-6.early", waiting=[*map(name, s.not_ready)])
    return at.breach("DY-ORDER-6.phase", phase=at.now)
