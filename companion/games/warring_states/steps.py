"""The steps of a war: which of them are open, which belong to which round, which can be presumed (rules WS-WAR-3, WS-TACT-1)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from companion.engine.play.moves import Breach, Move

from .campaign import campaign_of, provincial_open, speakers
from .catalogue import At
from .state import Campaign, Round

ORDER: tuple[Round, ...] = ("ally", "tactics", "clash", "casualties", "decide")
ROUND_WORDS = {
    "ally": "the Ally Segment",
    "tactics": "the Tactics Round",
    "clash": "the Clash Round",
    "casualties": "the Casualties Round",
    "decide": "the attacker's decision",
}


def presumed_step(at: At, until: Round) -> Move | None:
    """The next step that an action of round `until` says has happened: silence is no aid, and what has only one outcome
    need not be said."""
    c = campaign_of(at)
    if c is None:
        return None
    goal = ORDER.index(until)
    if c.round == "ally" and goal in (1, 2):
        return _step(at, "decline_aid", player=speakers(at, c)[0])
    if goal >= 1 and provincial_open(at, c):
        return _step(at, "choose_provincial", defender=c.defender)
    if goal >= 3 and c.round == "clash" and c.shown and c.winner is None:
        return _step(at, "resolve_clash")
    if goal == 4 and c.round == "casualties":
        return _step(at, "conquer") if c.conquered else _step(at, "lose_unit", player=c.loser)
    return None


def _step(at: At, name: str, **arguments: Any) -> Move:
    kind: Any = at.rules.moves[name]
    move: Move = kind(**arguments)
    return move


def out_of_round(at: At, c: Campaign | None, *rounds: Round) -> Iterator[Breach]:
    """A step of a battle belongs to its round (WS-TACT-1), and a battle to a campaign (WS-WAR-3)."""
    if c is None:
        yield at.breach("WS-WAR-3.no_war")
    elif c.round == "ally":
        yield at.breach("WS-WAR-3.ally", round=c.round)
    elif c.round not in rounds:
        facts = {"round": c.round, "battle": c.battle, "now": ROUND_WORDS[c.round], "when": ROUND_WORDS[rounds[0]]}
        yield at.breach("WS-TACT-1.round", **facts)
