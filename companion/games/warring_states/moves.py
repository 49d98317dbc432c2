"""The common parts of this game's moves: their player, and their round of a battle (rules WS-WAR-3, WS-TACT-1)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from companion.engine.play.moves import acting
from companion.rules import Breach, ByPlayer, Move, Options

from .campaign import awaited_helpers, provincial_open, speakers
from .catalogue import At
from .state import Campaign, Player, Round

ROUNDS: dict[Round, str] = {
    "ally": "the Ally Segment",
    "tactics": "the Tactics Round",
    "clash": "the Clash Round",
    "casualties": "the Casualties Round",
    "decide": "the attacker's decision",
}
"""The rounds in their order, as sentences name them."""


class Act(ByPlayer, frozen=True):
    """A move of one player."""

    def own(self, at: At) -> Player:
        """The record of the player."""
        return at.state.players[self.player]


class Market(Act, frozen=True):
    """A move of the Trade, Taxes or Build Phase: anybody may make it, also those who were done (WS-TURN-3)."""

    def player_options(self, at: At) -> Options:
        return at.seats


class BattleStep(Move, frozen=True):
    """A step of a battle. It says that the rounds before its own are over."""

    rounds: ClassVar[tuple[Round, ...]]

    def presumes(self, at: At) -> Move | None:
        return presumed_step(at, self.rounds[0])

    def in_place(self, at: At, c: Campaign) -> bool:
        """True if this is the round for it."""
        return c.round in self.rounds

    def options(self, at: At, field: str) -> Options:
        return super().options(at, field) if at.state.campaign or field == acting(type(self)) else None

    def untimely(self, at: At) -> Iterator[Breach]:
        c = at.state.campaign
        if c is None or c.round == "ally":
            yield at.breach("WS-WAR-3.ally", waiting=awaited_helpers(at)) if c else at.breach("WS-WAR-3.no_war")
        elif not self.in_place(at, c):
            now, when = ROUNDS[c.round], ROUNDS[self.rounds[0]]
            yield at.breach("WS-TACT-1.round", round=c.round, battle=c.battle, now=now, when=when)


def presumed_step(at: At, until: Round) -> Move | None:
    """The next step that an action of round `until` implies: silence means no aid, and a step with one outcome needs no
    words. In a typed line nobody who has units to send is silent."""
    c = at.state.campaign
    if c is None:
        return None
    goal = list(ROUNDS).index(until)
    asked = at.open and any(at.state.players[player].has_unit for player in speakers(at))
    steps = (
        ("decline_aid", c.round == "ally" and goal in (1, 2) and not asked),
        ("choose_provincial", goal >= 1 and provincial_open(at)),
        ("resolve_clash", goal >= 3 and c.round == "clash" and c.shown and c.winner is None),
        ("conquer" if c.conquered else "lose_unit", goal == 4 and c.round == "casualties"),
    )
    return next((at.rules.moves[name]() for name, due in steps if due), None)
