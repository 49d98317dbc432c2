"""The frame of a Dynasty: its phases, and what belongs to each."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from companion.rules import Move, Phase, Who
from components.phrasing import join_and

from . import cleanup, province
from .catalogue import At, name
from .cleanup import Clean, Draw, clean_up, cleaned_up
from .deployment import Exchange, Ready
from .order import ChooseOrder, FixedOrder, begin_order, chooser, fix_order
from .payments import PayCost, PayMark
from .placing import PlaceArmies
from .province import Resolve, Reveal
from .scoring import Advance, Score, drawing_due, end_dynasty
from .setup import KeepWarlord, Setup, ShowEarlyMandate, Tiles, keeping
from .warlords import DeclareWarlord, PlayWarlord


def waiting_for(what: str, plural: str = "") -> Callable[[At], str]:
    """Says who has still to do what: `White lays five cards`, `White and Black lay five cards`."""

    def says(at: At) -> str:
        who = at.rules.to_move(at.state)
        return f"{join_and(map(name, who))} {what if len(who) == 1 else plural}"

    return says


def phase(name: str, title: str, rule: str, *moves: type[Move], who: Who = Who.EACH, **more: Any) -> Phase:
    return Phase(name=name, title=title, rule=rule, who=who, moves=moves, **more)


keep_a_warlord = waiting_for("keeps a Warlord", "keep a Warlord")
KEEP: dict[str, Any] = {
    "awaited": keeping,
    "done": lambda at: bool(at.state.players) and not keeping(at),
    "says": lambda at: keep_a_warlord(at) if at.state.players else "the set-up (type: setup)",
}
LAY: dict[str, Any] = {
    "awaited": lambda at: at.state.not_ready,
    "says": waiting_for("lays five cards", "lay five cards"),
}
ORDER: dict[str, Any] = {
    "enter": begin_order,
    "awaited": lambda at: [who for who in chooser(at)[:1] if who],
    "done": lambda at: bool(at.state.order) or chooser(at)[0] is None,
    "run": fix_order,
    "says": waiting_for("chooses the order"),
}
BATTLES: dict[str, Any] = {"who": Who.TABLE, "done": lambda at: not at.state.to_come(), "says": province.awaited}
CLEAN: dict[str, Any] = {"enter": clean_up, "done": cleaned_up, "awaited": drawing_due, "says": cleanup.awaited}
SCORE: dict[str, Any] = {
    "who": Who.AUTO,
    "run": end_dynasty,
    "next": lambda at: "over" if at.state.winner else "deploy",
    "says": cleanup.awaited,
}
OVER: dict[str, Any] = {"who": Who.TABLE, "last": True, "says": lambda at: "nothing: the game is over"}
PHASES = (
    phase("setup", "the set-up", "DY-CLEAN-9", **KEEP),
    phase("deploy", "the deployment", "DY-DEPLOY-3", Exchange, Ready, passing=Ready, **LAY),
    phase("order", "the choice of the order", "DY-ORDER-6", **ORDER),
    phase("battles", "the time of the battles", "DY-REVEAL-2", Resolve, PlaceArmies, **BATTLES),
    phase("clean", "the clean-up", "DY-CLEAN-9", Clean, Draw, Score, Advance, passing=Draw, **CLEAN),
    phase("score", "the scoring", "DY-CLEAN-9", Score, Advance, **SCORE),
    phase("over", "the end of the game", "DY-CLEAN-9", **OVER),
)
ANYTIME: tuple[type[Move], ...] = (
    *(Setup, Tiles, KeepWarlord, ShowEarlyMandate),
    *(FixedOrder, ChooseOrder),
    *(Reveal, PayMark, PayCost),
    *(PlayWarlord, DeclareWarlord),
)
"""Moves whose own rules say when."""
