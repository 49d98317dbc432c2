"""The steps of a war: which of them are open, which belong to which round, which can be presumed (rules WS-WAR-3, WS-TACT-1)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from companion.engine.play.moves import Breach, Choice, Move

from .campaign import campaign_of, losable, loser_of, provincial_open, speakers
from .catalogue import At
from .state import Campaign, Round

ORDER: tuple[Round, ...] = ("ally", "tactics", "clash", "casualties", "decide")


def presumed_step(at: At, until: Round) -> Move | None:
    """The next step that has only one outcome and that an action of round `until` says has happened."""
    c = campaign_of(at)
    if c is None:
        return None
    goal = ORDER.index(until)
    if c.round == "ally" and 1 <= goal <= 2:
        return _step(at, "decline_aid", player=speakers(at, c)[0])
    if goal >= 1 and len(sides := provincial_open(at, c)) == 1:
        return _step(at, "choose_provincial", defender=c.defender, side=sides[0])
    if goal >= 3 and c.round == "clash" and c.shown and c.winner is None:
        return _step(at, "resolve_clash")
    if goal == 4 and c.round == "casualties":
        if c.winner == "attacker" and c.provincial_army:
            return _step(at, "conquer")
        if len(units := losable(at, c)) == 1:
            return _step(at, "lose_unit", player=loser_of(c) or "", unit=units[0])
    return None


def _step(at: At, name: str, **arguments: Any) -> Move:
    kind: Any = at.rules.moves[name]
    move: Move = kind(**arguments)
    return move


def choice_open(at: At) -> Choice | None:
    """A choice that has to be made before the war can go on, when it has more than one answer."""
    c = campaign_of(at)
    if c is None:
        return None
    if len(sides := provincial_open(at, c)) > 1:
        return Choice(
            "side",
            c.defender,
            f"which province of {c.defender} acts as Provincial Army?",
            list(sides),
            "choose_provincial",
        )
    if c.round == "casualties" and len(units := losable(at, c)) > 1:
        loser = loser_of(c) or ""
        return Choice("unit", loser, f"which unit does {loser} lose?", list(units), "lose_unit")
    return None


def out_of_round(at: At, c: Campaign | None, *rounds: Round) -> Iterator[Breach]:
    """A step of a battle belongs to its round (WS-TACT-1), and a battle to a campaign (WS-WAR-3)."""
    if c is None:
        if at.state.phase == "war":
            yield Breach("WS-WAR-3", "no war is being fought", {})
    elif c.round == "ally":
        yield Breach("WS-WAR-3", "the war is in its Ally Segment", {"round": c.round})
    elif c.round not in rounds:
        yield Breach(
            "WS-TACT-1",
            f"this belongs to the {rounds[0]} round, and battle {c.battle} is at {c.round}",
            {"round": c.round},
        )


__all__ = ["choice_open", "out_of_round", "presumed_step"]
