"""A position: the resolved game, a state and the steps noted on the way. And the verdict on a move in it.

The one way to change a state is `Position.play`, and it plays only what `Position.judge` found legal, or what the table
decided to keep against the rules (`override`), or what was judged when it was recorded (`replay`).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Generic, Protocol, TypeVar

import msgspec

from companion.engine.moves import Breach, Choice, Event, Move
from components.model import ResolvedGame

S = TypeVar("S")


class Rules(Protocol):
    """What a game hands to the engine (one object per resolved game; built by `companion.games`)."""

    game: ResolvedGame
    moves: dict[str, type[Move]]

    def names(self, set_name: str) -> Iterable[str]: ...
    def spoken(self, set_name: str) -> dict[str, Any]: ...
    def seats(self, state: Any) -> list[str]: ...
    def dump(self, state: Any) -> dict[str, Any]:
        """The position form of the game's brief: plain data, derived read-only fields included."""
        ...

    def to_move(self, state: Any) -> list[str]: ...
    def over(self, state: Any) -> bool: ...
    def copy(self, state: Any) -> Any: ...


class Verdict(msgspec.Struct, kw_only=True):
    """The answer to "may I?": `legal` is None when a choice was left out (`needs`)."""

    move: Move
    legal: bool | None
    reasons: list[Breach] = []
    needs: list[Choice] = []
    presumed: list[Move] = []
    """Moves the table said by saying this one; they are recorded with it."""
    done_already: bool = False
    """The move repeats what happened by itself: legal, and there is nothing to do."""


class Position(Generic[S]):
    """A resolved game, a state of it, and what was noted since (`events`).

    `off` are the rules switched off: a breach of such a rule does not count, and `on(id)` is false for it, so that a
    rule that does something (rather than forbid) stops doing it.
    """

    __slots__ = ("events", "off", "params", "quiet", "rules", "state")

    def __init__(self, rules: Rules, state: S, *, quiet: bool = False) -> None:
        self.rules = rules
        self.state = state
        self.params = rules.game.params
        self.off = frozenset(rules.game.off)
        self.events: list[Event] = []
        self.quiet = quiet
        """True: `note` keeps nothing (playouts, replays)."""

    def __getitem__(self, parameter: str) -> Any:
        """The value of a parameter, by its flat name."""
        return self.params[parameter]

    def on(self, rule: str) -> bool:
        return rule not in self.off

    @property
    def seats(self) -> list[str]:
        return self.rules.seats(self.state)

    def note(self, rule: str, what: str, **facts: Any) -> None:
        if not self.quiet:
            self.events.append(Event(rule, what, facts))

    def copy(self) -> Position[S]:
        return Position(self.rules, self.rules.copy(self.state))

    # --- judging and playing -----------------------------------------------------------------------------------

    def judge(self, move: Move) -> Verdict:
        """The verdict on `move`; changes nothing."""
        if move.already(self):
            return Verdict(move=move, legal=True, done_already=True)
        at: Position[S] = self
        presumed: list[Move] = []
        move = move.filled(at)
        while (early := move.presumes(at)) is not None:
            early = early.filled(at)
            if self._reasons(early, at) or any(True for _ in early.needs(at)):
                break
            if at is self:
                at = self.copy()
                at.quiet = True
            early.apply(at)
            presumed.append(early)
            move = move.filled(at)
        reasons = self._reasons(move, at)
        if reasons:
            return Verdict(move=move, legal=False, reasons=reasons, presumed=presumed)
        needs = list(move.needs(at))
        return Verdict(move=move, legal=None if needs else True, needs=needs, presumed=presumed)

    def _reasons(self, move: Move, at: Position[S]) -> list[Breach]:
        off = self.off
        found: list[Breach] = []
        seen: set[str] = set()
        for breach in move.forbidden(at):
            if breach.rule not in off and breach.rule not in seen:
                seen.add(breach.rule)
                found.append(breach)
        return found

    def play(self, move: Move) -> Verdict:
        """Judge `move` and, if it is legal, carry it out. A move that is not legal changes nothing."""
        verdict = self.judge(move)
        if verdict.legal:
            self.carry_out(verdict)
        return verdict

    def carry_out(self, verdict: Verdict) -> None:
        """Apply what a verdict found legal (or what the table keeps by override)."""
        if verdict.done_already:
            return
        for early in verdict.presumed:
            early.apply(self)
        verdict.move.apply(self)

    def replay(self, moves: Iterable[Move]) -> None:
        """Apply moves that were judged when they were recorded."""
        for move in moves:
            move.apply(self)

    def legal(self) -> list[Move]:
        """All candidate moves (`Move.options`) whose verdict is legal, in a fixed order."""
        found: list[Move] = []
        for kind in self.rules.moves.values():
            for move in kind.options(self):
                if self.judge(move).legal:
                    found.append(move)
        return found


__all__ = ["Position", "Rules", "Verdict"]
