"""The frame of a Dynasty: its phases, and what belongs to each."""

from __future__ import annotations

from functools import partial

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


phase = partial(Phase, rule="DY-CLEAN-9", who=Who.EACH)
PHASES = (
    phase(name="setup", title=STAGES["setup"], awaited=keeping, done=is_set_up),
    phase(
        name="deploy",
        title=STAGES["deploy"],
        rule="DY-DEPLOY-3",
        moves=(Exchange, Ready),
        awaited=not_ready,
        passing=Ready,
    ),
    phase(
        name="order",
        title=STAGES["order"],
        rule="DY-ORDER-6",
        awaited=choosing,
        enter=begin_order,
        done=order_known,
        run=fix_order,
    ),
    phase(
        name="battles",
        title=STAGES["battles"],
        rule="DY-REVEAL-2",
        who=Who.TABLE,
        moves=(Resolve, PlaceArmies),
        done=lambda at: not at.state.to_come(),
    ),
    phase(
        name="clean",
        title=STAGES["clean"],
        moves=(Clean, Draw, Score, Advance),
        awaited=drawing_due,
        enter=clean_up,
        done=cleaned_up,
        passing=Draw,
    ),
    phase(
        name="score",
        title=STAGES["score"],
        who=Who.AUTO,
        moves=(Score, Advance),
        run=end_dynasty,
        next=lambda at: "over" if at.state.winner else "deploy",
    ),
    phase(name="over", title=STAGES["over"], who=Who.TABLE),
)
ANYTIME: tuple[type[Move], ...] = (
    *(Setup, Tiles, KeepWarlord, ShowEarlyMandate),
    *(FixedOrder, ChooseOrder),
    *(Reveal, PayMark, PayCost),
    *(PlayWarlord, DeclareWarlord),
)
"""Moves whose own rules say when."""
