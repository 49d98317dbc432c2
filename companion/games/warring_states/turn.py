"""The frame of a turn: seven phases, and what belongs to each (rules WS-TURN)."""

from __future__ import annotations

from typing import Any

from companion.rules import Move, Phase, Who
from components.phrasing import join_and

from .allies import DeclineAid, SendAid
from .build import BuyArmy, DeployGeneral, DiscardResources, Rebuild
from .campaign import acting, turns_left
from .casualties import Conquer, LoseUnit, VolunteerCasualty
from .catalogue import At
from .clash import ResolveClash, RevealDestiny
from .ending import EndTurn, end_turn
from .events import ChooseGeneralLost, ChooseStolen, ChooseTarget, RevealEvent, pending_choice
from .income import DrawIncome, income, to_draw
from .setup import Cut, Setup, cutting
from .state import War
from .table_view import event_awaits, war_awaits
from .tactics import ChooseProvincial, FillBattleHand, Redraw
from .taxes import ExchangeGenerals, Meld
from .trade import Pass, Trade, not_passed
from .war import AttackAgain, DeclareWar, EndCampaign, EndWarTurn


def begin_war(at: At) -> None:
    at.state.war = War(turn_of=at.state.active)
    at.note("WS-WAR-1.first", turn_of=at.state.active)


def phase(name: str, title: str, *moves: type[Move], who: Who = Who.EACH, **more: Any) -> Phase:
    return Phase(name=name, title=title, rule="WS-TURN-5", who=who, moves=moves, **more)


def market(doing: str) -> dict[str, Any]:
    """A phase in which everybody may do something until they are done."""

    def says(at: At) -> str:
        seats = not_passed(at)
        return f"{join_and(seats)} can still {doing} (type: {seats[0]} pass, or: pass all)"

    return {"awaited": not_passed, "passing": Pass, "says": says}


WAR: dict[str, Any] = {"enter": begin_war, "done": lambda at: not turns_left(at)}
END: dict[str, Any] = {"run": end_turn, "next": lambda at: "over" if at.state.winner else "event"}
EVENT: dict[str, Any] = {
    "awaited": lambda at: [owed.player for owed in at.state.owed] or [at.state.active],
    "done": lambda at: at.state.event is not None and pending_choice(at) is None,
    "says": event_awaits,
}
REVEAL = (RevealEvent, ChooseTarget, ChooseGeneralLost, ChooseStolen)
BUILD = (Rebuild, BuyArmy, DeployGeneral, DiscardResources, Pass)
BATTLE = (
    *(SendAid, DeclineAid, ChooseProvincial, FillBattleHand, Redraw, RevealDestiny, ResolveClash),
    *(LoseUnit, VolunteerCasualty, Conquer, AttackAgain, EndCampaign),
)
SETUP: dict[str, Any] = {
    "awaited": cutting,
    "done": lambda at: bool(at.state.active),
    "says": lambda at: f"{join_and(cutting(at))} to cut the Battle deck" if at.seats else "nobody is seated yet",
}
INCOME: dict[str, Any] = {
    "awaited": to_draw,
    "passing": DrawIncome,
    "says": lambda at: ", ".join(f"{p} draws {income(at, p).total}" for p in to_draw(at)),
}
PHASES = (
    phase("setup", "set-up", Setup, Cut, **SETUP),
    phase("event", "the Event Phase", *REVEAL, **EVENT),
    phase("income", "the Income Phase", DrawIncome, **INCOME),
    phase("trade", "the Trade Phase", Trade, Pass, **market("trade")),
    phase("taxes", "the Taxes Phase", Meld, ExchangeGenerals, Pass, **market("meld")),
    phase("build", "the Build Phase", *BUILD, **market("build")),
    phase("war", "the War Phase", DeclareWar, *BATTLE, EndWarTurn, awaited=acting, says=war_awaits, **WAR),
    phase("end", "the End Phase", EndTurn, who=Who.AUTO, says=lambda at: "the End Phase", **END),
    phase("over", "the end of the game", who=Who.TABLE, last=True, says=lambda at: "nothing: the game is over"),
)
