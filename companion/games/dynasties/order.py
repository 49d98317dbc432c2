"""Phase 2: who chooses the order of the reveals, and the order (rules DY-ORDER)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations
from typing import Annotated, Any

from companion.engine.play.moves import Breach, Choice, Move, Seat

from .catalogue import At, cat, name
from .moves import ProvinceName, TableMove
from .state import COLOURS, STAGES


def chooser(at: At) -> tuple[str | None, str]:
    """Who chooses the order (None: it is fixed), and by which rule."""
    s = at.state
    white, black = (s.counted.get(c, 0) for c in COLOURS)
    if s.dynasty == 1:
        return None, "DY-ORDER-1"
    if white != black:
        return ("white" if white < black else "black"), "DY-ORDER-2"
    return s.last_chooser, "DY-ORDER-3" if s.last_chooser else "DY-ORDER-4"


def why(at: At) -> dict[str, Any]:
    """The facts from which it follows who chooses."""
    who, _ = chooser(at)
    counts = sorted(at.state.counted.values())
    return {"chooser": who, "player": name(who), "fewer": counts[0], "more": counts[-1], **at.state.counted}


def begin_order(at: At) -> None:
    """Both players are ready: the armies on the board are counted, once (DY-ORDER-6)."""
    s = at.state
    s.phase = "order"
    s.counted = {c: s.board_total(c) for c in COLOURS}
    who, rule = chooser(at)
    if who is not None:
        at.note(f"{rule}.chooses", **why(at))


def fix_order(at: At) -> bool:
    """Nobody chooses: the provinces are revealed from west to east (DY-ORDER-1, -4)."""
    who, rule = chooser(at)
    if who is None:
        _announce(at, list(cat(at).provinces), f"{rule}.fixed")
    return who is None


def _announce(at: At, order: list[str], key: str, **facts: Any) -> None:
    s = at.state
    s.order, s.phase = order, "battles"
    at.note(key, order=order, **facts)
    s.counted = {}


class FixedOrder(TableMove, frozen=True):
    """The provinces are revealed from west to east."""

    name = "fixed_order"
    role = "automatic"
    words = ("fixed order",)
    example = "fixed order"

    def already(self, at: At) -> bool:
        s = at.state
        unrevealed = s.phase == "battles" and not any(p.shown for p in s.players.values())
        return unrevealed and s.order == cat(at).provinces and (s.dynasty == 1 or s.last_chooser is None)

    def breaches(self, at: At) -> Iterator[Breach]:
        if at.state.phase != "order":
            yield not_now(at)
        else:
            yield at.breach(f"{chooser(at)[1]}.chooses", **why(at))


class ChooseOrder(TableMove, frozen=True):
    """The player who may choose announces the whole order of the reveals."""

    name = "choose_order"
    role = "choice"
    words = ("order",)
    example = "order tibet gansu mandarin qinghai xinjiang"
    player: Annotated[str, Seat()] = ""
    order: Annotated[tuple[str, ...], ProvinceName(many=True)] = ()

    def filled(self, at: At) -> ChooseOrder:
        who = chooser(at)[0] if at.state.phase == "order" else None
        return ChooseOrder(self.player or who or "", self.order)

    def breaches(self, at: At) -> Iterator[Breach]:
        s = at.state
        if s.phase != "order":
            yield not_now(at)
            return
        who, rule = chooser(at)
        if self.player and self.player != who:
            yield at.breach(f"{rule}.chooses", **why(at))
        if self.order and sorted(self.order) != sorted(cat(at).provinces):
            yield at.breach("DY-ORDER-5.each", order=list(self.order))

    def needs(self, at: At) -> Iterator[Choice]:
        if not self.order:
            yield at.ask("DY-ORDER-5.order", "order", self.player, list(cat(at).provinces), player=name(self.player))

    def carry_out(self, at: At) -> None:
        who, rule = chooser(at)
        at.state.last_chooser = self.player
        _announce(at, list(self.order), f"{rule}.chosen" if who else "DY-ORDER-5", player=name(self.player))

    @classmethod
    def candidates(cls, at: At) -> Iterator[Move]:
        if at.state.phase == "order" and (who := chooser(at)[0]):
            yield from (cls(who, order) for order in permutations(cat(at).provinces))


def not_now(at: At) -> Breach:
    """The order cannot be settled: it has not come to that, or it has been announced."""
    s = at.state
    if s.phase == "battles":
        nobody = s.order == cat(at).provinces and (s.dynasty == 1 or s.last_chooser is None)
        key = (
            "DY-ORDER-1.fixed"
            if nobody and s.dynasty == 1
            else "DY-ORDER-4.fixed"
            if nobody
            else "DY-ORDER-5.announced"
        )
        return at.breach(key, order=s.order)
    if s.phase == "deploy":
        return at.breach("DY-ORDER-6.early", waiting=[name(c) for c in COLOURS if c not in s.ready])
    return at.breach("DY-ORDER-6.phase", phase=STAGES[s.phase])
