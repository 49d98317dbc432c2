"""A position: the resolved game, a state and the steps noted on the way. And the verdict on a move in it.

The one way to change a state is `Position.play`, and it plays only what `Position.judge` found legal, or what the table
decided to keep against the rules (`override`), or what was judged when it was recorded (`replay`).
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any, Generic, TypeVar

from companion.engine.errors import NoSuchName
from companion.engine.play import judging
from companion.engine.play.faults import PositionError
from companion.engine.play.judging import Verdict
from companion.engine.play.moves import Breach, Choice, Event, Move
from companion.engine.play.options import left_out, legal_moves
from companion.engine.play.parts import Asked, Choices, Refused, perform, transacts
from companion.engine.play.pending import Task, presumable, waits
from companion.engine.play.phases import current, enter, gate, in_place
from companion.engine.play.rules import Answer, Rules
from companion.engine.things import effects, figures
from companion.engine.things.figures import Figure, Source
from companion.engine.things.sums import Sum
from components.model import Effect
from components.sentences import Sentence

S = TypeVar("S")
MOST_OWED = 200
"""So many debts in a row settle themselves where legal moves are listed: a rules module may owe one without end."""


class Position(Generic[S]):
    """A resolved game, a state of it, and what was noted since (`events`).

    `off` are the rules switched off: a breach of such a rule does not count.
    """

    __slots__ = (
        "added",
        "ahead",
        "answering",
        "asking",
        "choices",
        "chooser",
        "events",
        "mover",
        "off",
        "open",
        "params",
        "quiet",
        "rules",
        "state",
        "tapped",
        "turn",
        "underway",
    )

    def __init__(self, rules: Rules, state: S, *, quiet: bool = False) -> None:
        self.rules = rules
        self.state = state
        self.params = rules.game.params
        self.off = frozenset(rules.game.off)
        self.events: list[Event] = []
        self.added = 0
        """The number of debts and steps that the present move or step has added."""
        self.answering = False
        """True: answers that a line brings along are being played, so nobody has to be asked yet."""
        self.asking = True
        """False: nobody listens, so what somebody has still to choose is worked out only when that seat moves."""
        self.open = False
        """True: a typed line is being judged, and what it leaves to somebody is asked. Otherwise (a JSON report, a
        recorded line, a playout) what is unsaid takes the default of the rules."""
        self.quiet = quiet
        """True: `note` keeps nothing (playouts, replays)."""
        self.tapped = False
        """True: nobody types here, so what has to happen next is told without lines that could be typed."""
        self.mover = ""
        """The seat whose turn is being judged, for the parts of the turn."""
        self.turn: Any = None
        """The turn being judged, as far as it has been carried out."""
        self.underway: type[Move] | None = None
        """The kind of turn being judged, once this is known to be its moment; nobody asks again."""
        self.ahead: list[tuple[Move, Verdict, Position[S]]] | None = None
        """The verdicts foreseen in this position; None: it may change, so nothing is kept."""
        self.choices: Choices | None = None
        """The answers said inside the line being carried out."""
        self.chooser: Callable[[list[Any]], Any] | None = None
        """Makes the choices that a line leaves open (playouts, lists of legal turns); None: they are asked."""

    def __getitem__(self, parameter: str) -> Any:
        """The value of a parameter, by its flat name."""
        try:
            return self.params[parameter]
        except KeyError:
            raise NoSuchName("parameter", parameter, self.params) from None

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
        self, key: str, field: str, of: str, options: Iterable[Any] = (), /, *, move: str = "", **facts: Any
    ) -> Choice:
        """The question a rule leaves to `of`, in the words of its `asks`."""
        rule, _, which = key.partition(".")
        words, facts = self.rules.words(rule, "asks", which), {"player": self.rules.called(of), **facts}
        return Choice(field, of, words.say(facts), list(options), move, rule, words, facts)

    def leaves_open(self, key: str, field: str, of: str, options: Iterable[Any] = (), /, **facts: Any) -> None:
        """Stop a typed line with a question that it leaves to `of`; any other goes on with the default of the rules.
        For what shows itself only while a move is carried out in a copy (`follow_ups`, `begin`); what shows itself
        before is asked by `Move.unsaid`."""
        if self.open:
            raise Asked(self.ask(key, field, of, options, **facts))

    def tell(self, key: str, **facts: Any) -> str:
        """A sentence of a rule's `says` as text."""
        rule, _, which = key.partition(".")
        return self.rules.words(rule, "says", which).say(facts)

    def note(self, key: str, what: str | Sentence = "", **facts: Any) -> None:
        """Note a step of what happened: `note("WS-BUILD-2.buy", player=…, n=…)` in the words of the rule's `says`."""
        if self.quiet:
            return
        rule, _, which = key.partition(".")
        self.events.append(Event(rule, what or self.rules.words(rule, "says", which), facts))

    def note_sum(self, key: str, total: Sum, **facts: Any) -> None:
        """Note what a sum comes to. The rule of each of its lines stands in the full answer only, not among the lines
        for the table."""
        if self.quiet:
            return
        self.note(key, sum=str(total), **facts)
        own = key.partition(".")[0]
        said = ((rule, f"{item.amount} {item.what}") for item in total for rule in item.rules)
        self.events += [Event(rule, what, aside=True) for rule, what in said if rule != own]

    def kept(self, *rules: str) -> None:
        """Cite rules that were kept on the way, by their titles: in the full answer, but not among the lines for the
        table."""
        if not self.quiet:
            known = self.rules.game.rules
            self.events += [Event(rule, Sentence.plain(known[rule].title), aside=True) for rule in rules]

    def copy(self) -> Position[S]:
        made = Position(self.rules, self.rules.copy(self.state))
        made.open, made.asking, made.tapped = self.open, self.asking, self.tapped
        return made

    # --- figures and effects -----------------------------------------------------------------------------------

    def value(self, name: str, who: str = "", *, base: Any = None, **where: Any) -> Figure:
        """A figure as it is for `who` now: the parameter `name`, or `base` where it is worked out at the table, as
        changed by the cards in force."""
        return figures.value(self, name, who, base=base, where=where)

    def spend(self, figure: Figure) -> None:
        """Use up the limits of what had its occasion in a figure (in `apply` only)."""
        for source in figure.limited:
            figures.use(self, source)

    def permits(self, name: str, who: str = "", **where: Any) -> Source | None:
        """The card that permits something to `who`, if there is one."""
        return effects.permits(self, name, who, where)

    def forbids(self, name: str, who: str = "", **where: Any) -> Iterator[Breach]:
        """A breach for each card that forbids something to `who`."""
        return effects.forbids(self, name, who, where)

    def trigger(self, moment: str, who: str = "", **where: Any) -> None:
        """Run the effects that wait for a moment."""
        effects.trigger(self, moment, who, where)

    def ends(self, span: str) -> None:
        """A span is over: what works once in it works again."""
        for owner in ("", *self.seats):
            self.rules.counted(self.state, span, owner).clear()

    def run(self, tree: Iterable[Effect], who: str, source: Source) -> None:
        """Carry out effects for `who`."""
        effects.run(self, tree, who, source)

    def choose(self, kind: str, who: str, options: Iterable[Any], key: str, **facts: Any) -> Any:
        """The next answer of a kind that was said inside the line (`choose: {KIND: [...]}`). A choice with one answer
        need not be said; None where there is none. `key`: the sentence that asks for it.

        Stops the line with a question if the answer is missing, or with a breach of the rule if it is not among the
        options.
        """
        values = list(options)
        said = self.choices.take(kind, who, values) if self.choices else None
        if said and said[0] in values:
            return said.pop(0)
        if len(values) <= 1 and not said:
            return values[0] if values else None
        if self.chooser and self.choices and not said:
            answer = self.chooser(values)
            self.choices.add(kind, "" if who == self.mover else who, answer)
            return answer
        path = self.choices.path(kind, who, self.mover) if self.choices else f"choose.{kind}"
        if said:
            words = "{said} is not a valid choice; choose from {options}"
            raise Refused(Breach(key.partition(".")[0], Sentence(words), {"said": said[0], "options": values}))
        raise Asked(self.ask(key, path, who, values, **facts))

    @contextmanager
    def choosing(self, said: dict[str, Any], place: str) -> Iterator[None]:
        """Choices said inside a part of a step (one delivery of several); what is not said there is taken from those of
        the step. An answer left over stops the line."""
        around = self.choices
        where = f"{around.place}.{place}" if around and around.place else place
        self.choices = Choices(said, where, around)
        yield
        left, self.choices = self.choices.left(), around
        if left:
            self.refuse(self.loose_choice(left))

    def refuse(self, *breaches: Breach) -> None:
        """Stop the line for a reason that shows itself only while it is carried out. Nothing happens where the rule is
        switched off."""
        for breach in self.allowed(breaches):
            raise Refused(breach)

    # --- phases and what is owed -------------------------------------------------------------------------------

    def owe(self, who: str, move: str, n: int = 1, rule: str = "", **args: Any) -> None:
        """`who` owes a move of a kind, `n` of them; nothing else happens before."""
        if move not in self.rules.moves:
            raise NoSuchName("move", move, self.rules.moves)
        if who and who not in self.seats:
            raise NoSuchName("seat", who, self.seats)
        if not isinstance(n, int):
            raise TypeError(f"a debt of {n!r:.40} `{move}`: the number of moves has to be a whole number")
        if n:
            self._add(Task(who=who, move=move, n=n, rule=rule, args=args))

    def then(self, step: str, **args: Any) -> None:
        """A step of `Rules.steps` that runs once what is owed before it has been settled."""
        if step not in self.rules.steps:
            raise NoSuchName("step", step, self.rules.steps)
        self._add(Task(step=step, args=args))

    def _add(self, task: Task) -> None:
        self.rules.add_task(self.state, task, self.added)
        self.added += 1

    def step(self, name: str, /, **args: Any) -> None:
        """Run a step of `Rules.steps` now."""
        if name not in self.rules.steps:
            raise NoSuchName("step", name, self.rules.steps)
        self.rules.steps[name](self, **args)

    @property
    def now(self) -> str:
        """The present phase as a sentence names it."""
        phase = current(self)
        return phase.words if phase else self.rules.stage(self.state)

    enter = enter

    def gate(self, move: Move) -> list[Breach]:
        """The reasons why the moment is wrong for a move: that the game is over, or its phase, seat or debts."""
        ended = list(self.rules.closed(self)) if self.rules.over(self.state) else []
        return self.allowed(ended or gate(move, self))

    def worded(self, key: str, otherwise: str, **facts: Any) -> Breach:
        """A breach in the words its rule has under a key that the engine knows, or else in the engine's own."""
        rule, _, which = key.partition(".")
        known = self.rules.game.rules.get(rule)
        has_own = known is not None and f"breaks.{which}" in known.words
        words = self.rules.words(rule, "breaks", which) if has_own else _compiled(otherwise)
        return Breach(rule, words, facts)

    def loose_choice(self, left: dict[str, Any]) -> Breach:
        """The breach for answers that nothing asked for."""
        return self.worded(self.rules.loose_choice, "this move leaves no choice for {choices}", choices=list(left))

    # --- judging and playing -----------------------------------------------------------------------------------

    judge = judging.judge
    presuming = judging.presuming
    foresee = judging.foresee
    expected = judging.expected
    reasons = judging.reasons
    refuses = judging.refuses

    def left_out(self, move: Move) -> tuple[Move, list[Choice]]:
        """The move as far as it is certain, and the choices needed before it can be carried out against the rules."""
        return left_out(move, self)

    def is_on(self, breach: Breach) -> bool:
        """True if all rules on which a breach rests are switched on."""
        off = self.off
        return not off or (breach.rule not in off and off.isdisjoint(breach.with_rules))

    def allowed(self, breaches: Iterable[Breach]) -> list[Breach]:
        """The breaches that count: those of rules that are switched on, one for each rule."""
        found: list[Breach] = []
        seen: set[str] = set()
        for breach in filter(self.is_on, breaches):
            for rule in (breach.rule, *breach.with_rules):
                if rule not in seen:
                    seen.add(rule)
                    found.append(breach if rule == breach.rule else self._background(rule, breach))
        return found

    def _background(self, rule: str, breach: Breach) -> Breach:
        """The breach of a further rule on which a reason rests, in that rule's own words if it has some and the reason
        gives the facts for them."""
        has_own = "breaks." in self.rules.game.rules[rule].words
        own = self.rules.words(rule, "breaks", "") if has_own else None
        return Breach(rule, own if own and own.names <= breach.facts.keys() else breach.words, breach.facts)

    def play(self, move: Move) -> Verdict:
        """Judge `move` and, if it is legal, carry it out. A move that is not legal changes nothing."""
        verdict = self.judge(move)
        if verdict.legal:
            self.carry_out(verdict)
        return verdict

    def carry_out(self, verdict: Verdict) -> None:
        """Carry out what a verdict found legal (or what the table keeps by override)."""
        if verdict.done_already:
            return
        if verdict.after is not None:
            self.state = verdict.after.state
            self.events += verdict.after.events
            return
        for early in verdict.presumed:
            self.perform(early)
        self.perform(verdict.move)

    def perform(self, move: Move) -> None:
        """Carry out a move that has been judged: with what it settles of what is owed, and what then happens by
        itself."""
        perform(move, self)

    def replay(self, moves: Iterable[Move]) -> None:
        """Carry out moves that were judged when they were recorded."""
        for move in moves:
            perform(move, self)

    def is_settled_by_reasons(self, move: Move) -> bool:
        """True if the verdict on a complete move depends only on the reasons against it: nothing is presumed before it,
        and it need not be carried out to be judged."""
        return not transacts(move) and judging.implied(move, self) is None

    def legal_of(self, kind: type[Move]) -> list[Move]:
        """The legal moves of one kind, as in the list of all of them."""
        if self.rules.may_owe and self.rules.agenda(self.state):
            return [move for move in self.legal() if type(move) is kind]
        here = Position(self.rules, self.state, quiet=True)
        here.ahead = []
        return [*legal_moves(kind, here)] if kind.sampled or kind in here._in_place() else []

    def legal(self) -> list[Move]:
        """Every legal move, in a fixed order; a sample of the kinds that have too many (`Move.sampled`)."""
        rules = self.rules
        here = Position(rules, self.state, quiet=True)
        here.ahead = []
        kinds = here._in_place()
        found = [
            move for kind in rules.moves.values() if kind.sampled or kind in kinds for move in legal_moves(kind, here)
        ]
        for _ in range(MOST_OWED):
            if not (rules.may_owe and rules.agenda(here.state)) or (early := self._settles_itself(here)) is None:
                break
            # What waits for a debt that settles itself may be said as well; what does not wait has been listed.
            own = here.state is not self.state
            if own:  # a copy, and nobody looks at it again
                here.ahead = None
            here = here.foresee(early, own=own)[1]
            here.ahead, kinds = [], here._in_place()
            for kind in rules.moves.values():
                if kind in kinds and kind not in rules.anytime:
                    found += [move for move in legal_moves(kind, here) if waits(move, self) and move not in found]
        return found

    def _settles_itself(self, here: Position[S]) -> Move | None:
        """The `presumable` move of a position reached; a debt that may be left counts only where this position is
        closed."""
        here.open = self.open
        early = presumable(here)
        here.open = False
        return early

    def _in_place(self) -> Container[type[Move]]:
        """The kinds of moves that are in place here; with rules switched off, any may be."""
        return self.rules.moves.values() if self.off else in_place(self)


@cache
def _compiled(words: str) -> Sentence:
    """A sentence of the engine's own."""
    return Sentence(words)


__all__ = ["Answer", "Position", "PositionError", "Rules", "Verdict"]
