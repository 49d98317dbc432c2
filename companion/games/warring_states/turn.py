"""The frame of a turn: seven phases, and what belongs to each (rules WS-TURN)."""

from __future__ import annotations

from functools import partial

from companion.engine.play.phases import Phase, Who

from .allies import DeclineAid, SendAid
from .build import BuyArmy, DeployGeneral, DiscardResources, Rebuild
from .campaign import acting, turns_left
from .casualties import Conquer, LoseUnit, VolunteerCasualty
from .catalogue import At
from .clash import ResolveClash, RevealDestiny
from .ending import EndTurn, end_turn
from .events import ChooseGeneralLost, ChooseStolen, ChooseTarget, RevealEvent, event_acting, event_done
from .income import DrawIncome, to_draw
from .setup import Cut, Setup
from .state import War
from .table_view import cuts_awaited, draws_awaited, event_awaits, not_done, war_awaits
from .tactics import ChooseProvincial, FillBattleHand, Redraw
from .taxes import ExchangeGenerals, Meld
from .trade import Pass, Trade
from .war import AttackAgain, DeclareWar, EndCampaign, EndWarTurn


def begin_war(at: At) -> None:
    at.state.war = War(turn_of=at.state.active)
    at.note("WS-WAR-1.first", turn_of=at.state.active)


def not_passed(at: At) -> list[str]:
    """Who is not yet done with the Trade, Taxes or Build Phase (WS-TRADE-5, WS-TURN-3)."""
    s = at.state
    return [p for p in s.seats if p not in s.passed]


def after_end(at: At) -> str:
    return "over" if at.state.winner else "event"


step = partial(Phase, rule="WS-TURN-5", who=Who.EACH)
for_all = partial(step, awaited=not_passed, passing=Pass, says=not_done)
PHASES = (
    step(
        name="setup",
        title="set-up",
        moves=(Setup, Cut),
        awaited=lambda at: [p for p in at.state.cutting if p not in at.state.cuts],
        done=lambda at: bool(at.state.active),
        says=cuts_awaited,
    ),
    step(
        name="event",
        title="the Event Phase",
        moves=(RevealEvent, ChooseTarget, ChooseGeneralLost, ChooseStolen),
        awaited=event_acting,
        done=event_done,
        says=event_awaits,
    ),
    step(
        name="income",
        title="the Income Phase",
        moves=(DrawIncome,),
        awaited=to_draw,
        passing=DrawIncome,
        says=draws_awaited,
    ),
    for_all(name="trade", title="the Trade Phase", moves=(Trade, Pass)),
    for_all(name="taxes", title="the Taxes Phase", moves=(Meld, ExchangeGenerals, Pass)),
    for_all(
        name="build",
        title="the Build Phase",
        moves=(Rebuild, BuyArmy, DeployGeneral, DiscardResources, Pass),
    ),
    step(
        name="war",
        title="the War Phase",
        moves=(
            *(DeclareWar, SendAid, DeclineAid, ChooseProvincial, FillBattleHand, Redraw, RevealDestiny, ResolveClash),
            *(LoseUnit, VolunteerCasualty, Conquer, AttackAgain, EndCampaign, EndWarTurn),
        ),
        awaited=acting,
        enter=begin_war,
        done=lambda at: not turns_left(at),
        says=war_awaits,
    ),
    Phase(
        name="end",
        title="the End Phase",
        rule="WS-TURN-5",
        who=Who.AUTO,
        moves=(EndTurn,),
        run=end_turn,
        next=after_end,
        says=lambda at: "the End Phase",
    ),
    Phase(
        name="over",
        title="the end of the game",
        rule="WS-TURN-5",
        who=Who.TABLE,
        says=lambda at: "nothing: the game is over",
    ),
)
