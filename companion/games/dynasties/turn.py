"""The frame of a Dynasty: its phases, and what belongs to each."""

from __future__ import annotations

from typing import Any

from companion.engine.play.moves import Move
from companion.engine.play.phases import Phase, Who

from .catalogue import At
from .cleanup import Clean, Draw, clean_up, cleaned_up
from .deployment import Exchange, Ready
from .order import ChooseOrder, FixedOrder, begin_order, chooser, fix_order, order_known
from .payments import PayCost, PayMark
from .placing import PlaceArmies
from .province import Resolve, Reveal
from .scoring import Advance, Score, drawing_due, end_dynasty
from .setup import KeepWarlord, Setup, ShowEarlyMandate, Tiles, is_set_up, keeping
from .state import STAGES
from .warlords import DeclareWarlord, PlayWarlord


def not_ready(at: At) -> list[str]:
    return [c for c in at.state.players if c not in at.state.ready]


def choosing(at: At) -> list[str]:
    who = chooser(at)[0]
    return [who] if who else []


def all_revealed(at: At) -> bool:
    return not at.state.to_come()


def next_dynasty(at: At) -> str:
    return "over" if at.state.winner else "deploy"


def phase(name: str, rule: str, *moves: type[Move], who: Who = Who.EACH, **more: Any) -> Phase:
    return Phase(name=name, title=STAGES[name], rule=rule, who=who, moves=moves, **more)


CLEAN: dict[str, Any] = {"enter": clean_up, "done": cleaned_up}
ORDER: dict[str, Any] = {"enter": begin_order, "done": order_known}
PHASES = (
    phase("setup", "DY-CLEAN-9", awaited=keeping, done=is_set_up),
    phase("deploy", "DY-DEPLOY-3", Exchange, Ready, awaited=not_ready, passing=Ready),
    phase("order", "DY-ORDER-6", awaited=choosing, run=fix_order, **ORDER),
    phase("battles", "DY-REVEAL-2", Resolve, PlaceArmies, who=Who.TABLE, done=all_revealed),
    phase("clean", "DY-CLEAN-9", Clean, Draw, Score, Advance, awaited=drawing_due, passing=Draw, **CLEAN),
    phase("score", "DY-CLEAN-9", Score, Advance, who=Who.AUTO, run=end_dynasty, next=next_dynasty),
    phase("over", "DY-CLEAN-9", who=Who.TABLE),
)
ANYTIME: tuple[type[Move], ...] = (
    *(Setup, Tiles, KeepWarlord, ShowEarlyMandate),
    *(FixedOrder, ChooseOrder),
    *(Reveal, PayMark, PayCost),
    *(PlayWarlord, DeclareWarlord),
)
"""Moves whose own rules say when."""
