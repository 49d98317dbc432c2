"""A position: the resolved game, a state and the steps noted on the way. And the verdict on a move in it.

The one way to change a state is `Position.play`, and it plays only what `Position.judge` found legal, or what the table
decided to keep against the rules (`override`), or what was judged when it was recorded (`replay`).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import msgspec

from companion.engine.errors import CompanionError
from companion.engine.play.moves import Breach, Choice, Event, Move
from components.model import ResolvedGame
from components.sentences import Sentence

if TYPE_CHECKING:
    from random import Random

    from companion.engine.answers.ledger import Ledger

S = TypeVar("S")


class Answer(msgspec.Struct):
    """The answer to a query: a value of plain data, and the rules it follows from."""

    value: Any
    rules: list[str] = []


class PositionError(CompanionError):
    """A position that cannot be: `path` leads to the place (`players.Qin.bu`), `what` says what is wrong there,
    `hint` how to mend it."""

    kind = "position"

    def __init__(self, path: str, what: str, hint: str = "") -> None:
        super().__init__(f"{path}: {what}" if path else what)
        self.path = path
        self.what = what
        self.hint = hint


class Rules(ABC):
    """What a game hands to the engine: one object per resolved game, a subclass of this (built by `companion.games`).

    What is abstract here every game has to say; the rest has an answer that suits most games.
    """

    game: ResolvedGame
    moves: dict[str, type[Move]]
    """Move name -> class."""
    state: type[msgspec.Struct]
    """The record of the whole table. Its plain form is the form of position files."""
    move_keys: tuple[str, ...] = ("action", "event")
    """Keys under which the JSON form of a move may carry its name; the first of them that is there counts."""
    fillers: frozenset[str] = frozenset()
    """Words of this game that a typed line may contain without meaning anything, e.g. `armies` in `2 armies`."""
    free_seats = False
    """True: seats may be called anything, e.g. by the players' names; those of `game.yaml` are only offered."""
    derived: frozenset[str] = frozenset()
    """Field names that `dump` adds beside those of `state`; read-only, ignored in position files."""

    # names

    @abstractmethod
    def names(self, set_name: str) -> Iterable[str]:
        """Names of the pieces of a set, as the moves use them."""

    def spoken(self, set_name: str) -> dict[str, Any]:
        """Typed word -> name, for the pieces of a set."""
        return {name: name for name in self.names(set_name)}

    def shorthand(self, text: str, at: Position[Any]) -> list[Move] | None:
        """A typed line that means several moves, or one in words of this game's own. None: not such a line.

        Raises NotationError where it certainly is one and a part of it cannot be read.
        """
        return None

    def words(self, rule: str, field: str, key: str) -> Sentence:
        """A sentence of a rule, compiled when first needed. Raises KeyError if `rules.yaml` has none of that key."""
        found = self._sentences.get((rule, field, key))
        if found is None:
            found = self._sentences[rule, field, key] = Sentence(self.game.rules[rule].words[f"{field}.{key}"])
        return found

    @cached_property
    def _sentences(self) -> dict[tuple[str, str, str], Sentence]:
        return {}

    # the state

    @abstractmethod
    def new_state(self) -> Any:
        """The table before set-up."""

    @abstractmethod
    def setup_move(self, seats: list[str], options: dict[str, Any]) -> Move:
        """The move that sets the table up for these seats; recorded as the first line of a new table."""

    @abstractmethod
    def complete(self, partial: dict[str, Any]) -> Any:
        """A state from a position form that may leave things out. Its keys have been checked against `state`, and
        the `derived` ones are gone; values may still have any type. Raises PositionError."""

    def dump(self, state: Any) -> dict[str, Any]:
        """The form of position files: plain data, derived read-only fields included."""
        form: dict[str, Any] = msgspec.to_builtins(state)
        return form

    @abstractmethod
    def copy(self, state: Any) -> Any: ...

    def check_whole(self, state: Any) -> list[str]:
        """Conservation laws that a whole position breaks, each as a sentence with the figures."""
        return []

    def impossible(self, state: Any) -> list[str]:
        """The laws of `check_whole` that not even a move against the rules can break: what the table keeps by override
        has to lie there with the pieces of the box."""
        return self.check_whole(state)

    # the table

    @abstractmethod
    def seats(self, state: Any) -> list[str]: ...

    @abstractmethod
    def to_move(self, state: Any) -> list[str]:
        """The seats from whom something is awaited; empty when it is chance or the table as a whole."""

    @abstractmethod
    def over(self, state: Any) -> bool: ...

    def phase(self, state: Any) -> str:
        """Where the game stands, in a few words (for prompts and the log)."""
        return ""

    @abstractmethod
    def show(self, at: Position[Any]) -> str:
        """The table as text for a terminal, without colour."""

    def overview(self, at: Position[Any], legal: list[Move]) -> list[str]:
        """The lines in which `moves` lists the legal moves: one for each, unless a game has so many that it takes them
        together."""
        from companion.engine.language.notation import write

        return [write(move, at) for move in legal]

    def picture(self, at: Position[Any]) -> str | None:
        """The table as an SVG document; None: this game draws none."""
        return None

    @abstractmethod
    def score(self, at: Position[Any]) -> Ledger: ...

    def pass_all(self, at: Position[Any]) -> list[Move]:
        """The moves by which everybody says that the present phase is over; empty where silence means nothing."""
        return []

    def propose(self, at: Position[Any], rng: Random) -> Move | None:
        """A move that is probably legal here, chosen by `rng`, quickly (playouts). None: nothing can be done."""
        legal = at.legal()
        return rng.choice(legal) if legal else None

    def queries(self) -> dict[str, Callable[..., Answer]]:
        """Questions about figures, by name: called with the position and the question's own arguments."""
        return {}


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

    def breach(self, key: str, *with_rules: str, **facts: Any) -> Breach:
        """The breach of a rule in the words of `rules.yaml`: `WS-BUILD-4.coins` is the rule and the key under its
        `breaks`, `WS-BUILD-4` its only sentence. The reason may rest on further rules (`with_rules`): with one of them
        off, there is no breach."""
        rule, _, which = key.partition(".")
        return Breach(rule, self.rules.words(rule, "breaks", which), facts, with_rules)

    def ask(
        self, key: str, field: str, of: str, options: Iterable[Any] = (), *, move: str = "", **facts: Any
    ) -> Choice:
        """The question a rule leaves to `of`, in the words of its `asks`."""
        rule, _, which = key.partition(".")
        question = self.rules.words(rule, "asks", which).say({"player": of, **facts})
        return Choice(field, of, question, list(options), move, rule)

    def note(self, key: str, what: str = "", **facts: Any) -> None:
        """Note a step of what happened: `note("WS-BUILD-2.buy", player=…, n=…)` in the words of the rule's `says`."""
        if self.quiet:
            return
        rule, _, which = key.partition(".")
        self.events.append(Event(rule, what or self.rules.words(rule, "says", which), facts))

    def cite(self, rule: str, what: str, **facts: Any) -> None:
        """Note a rule that was kept on the way: in the full answer, but not among the lines for the table."""
        if not self.quiet:
            self.events.append(Event(rule, what, facts, aside=True))

    def copy(self) -> Position[S]:
        return Position(self.rules, self.rules.copy(self.state))

    def against(self, *rules: str, why: str, **facts: Any) -> Iterator[Breach]:
        """Breaches for a reason that rests on all of `rules` together: with one of them off, there is none."""
        if not self.off.intersection(rules):
            yield from (Breach(rule, why, facts) for rule in rules)

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
            if breach.rule in off or not off.isdisjoint(breach.with_rules):
                continue
            for rule in (breach.rule, *breach.with_rules):
                if rule not in seen:
                    seen.add(rule)
                    found.append(breach if rule == breach.rule else Breach(rule, breach.words, breach.facts))
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
        """All candidate moves (`Move.candidates`) whose verdict is legal, in a fixed order."""
        found: list[Move] = []
        for kind in self.rules.moves.values():
            for move in kind.candidates(self):
                if self.judge(move).legal:
                    found.append(move)
        return found


__all__ = ["Answer", "Position", "PositionError", "Rules", "Verdict"]
