"""Turns made of parts, and moves that bring choices or follow-up moves with them: judged as one transaction.

A turn is judged step by step in a copy: the free parts that lead, what the turn itself asks, its beginning, its parts
in the order said, the compulsory parts that were not said, the checks of the end. All or nothing; the state reached is
kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self, get_args, get_origin

import msgspec
from msgspec.structs import replace

from companion.engine.play.choices import ANY, Choices
from companion.engine.play.domains import Domain, domain_in
from companion.engine.play.moves import Breach, Choice, Move, acting, arguments_of, brought_by
from companion.engine.play.options import settle
from companion.engine.play.pending import settled
from companion.engine.play.phases import advance, say_what_is_owed

if TYPE_CHECKING:
    from companion.engine.play.position import Position

STEPS = "steps"
"""The field of a turn that holds its parts."""
UNSAID = msgspec.UNSET
"""Default of the first field of a part: a part is what it is by having it."""


class Part(Move, frozen=True):
    """One step of a turn. Its first field is its tag: `{"governor": "zhao_horses", "space": 1}`."""

    is_part: ClassVar[bool] = True
    answered_by: ClassVar[tuple[Domain, ...]] = ()
    """The domains that the step's effects may ask for: their words may be typed after `choose`."""
    needing: ClassVar[tuple[str, ...]] = ()
    """Verbs that say it only together with what it names: `takes the Beacon Command`."""
    undone: ClassVar[tuple[str, ...]] = ()
    """Words by which people say that no such step is taken: `no steps`."""
    by_answers: ClassVar[bool] = False
    """True if its answers may give its number: `sells two salt and a silk`. `Move.everything` has the number of
    each."""

    @classmethod
    def unnamed(cls, turn: Any) -> bool:
        """True if it may be said in this turn without its verb, by what it names alone (`""` among its words)."""
        return "" in cls.words

    @classmethod
    def tag(cls) -> str:
        """The JSON key by which a part is known."""
        return _tag(cls)

    def to_json(self) -> dict[str, Any]:
        form: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(self))
        return form


def _tag(kind: type[Part]) -> str:
    return kind.__struct_encode_fields__[0]


@cache
def _tag_type(kind: type[Part]) -> Any:
    return msgspec.structs.fields(kind)[0].type


class Parts(Domain):
    """The domain of a turn's steps: which parts it is made of. `lead`: kinds that may stand before its beginning,
    too."""

    many = True

    def __init__(self, *kinds: type[Part], lead: tuple[type[Part], ...] | type[Part] = ()) -> None:
        self.kinds = kinds
        self.free = lead if isinstance(lead, tuple) else (lead,)

    @property
    def every(self) -> tuple[type[Part], ...]:
        """All kinds of parts that can stand in the turn."""
        return (*self.kinds, *(kind for kind in self.free if kind not in self.kinds))

    def options(self, at: Position[Any]) -> Iterable[Any] | None:
        return None

    def kind_of(self, form: dict[str, Any]) -> type[Part] | None:
        """The kind of part that a JSON form is: by its tag, and by the tag's value where several kinds share it. Where
        the tag of one kind is a parameter of another, the one that knows all parameters."""
        found = []
        for kind in self.every:
            tag = _tag(kind)
            if tag in form and _fits(_tag_type(kind), form[tag]):
                if set(form) <= set(kind.__struct_encode_fields__):
                    return kind
                found.append(kind)
        return found[0] if found else None


class Turn(Move, frozen=True):
    """A move made of steps. A subclass has a field `steps: Annotated[tuple[Any, ...], Parts(…)] = ()`."""

    def parts(self) -> tuple[Part, ...]:
        """Its steps."""
        found: tuple[Part, ...] = getattr(self, STEPS)
        return found

    def with_parts(self, parts: Iterable[Part]) -> Self:
        """The same turn with other steps."""
        return replace(self, **{STEPS: tuple(parts)})

    def without_parts(self) -> Self:
        """The turn itself, before its steps."""
        return self.with_parts(())

    def opening(self, at: Position[Any]) -> Iterator[Breach]:
        """The reasons that forbid the turn whatever its free parts bring; asked before them."""
        return iter(())

    def begin(self, at: Position[Any]) -> None:
        """Begin the turn, before the parts: the marker is placed, the stack is paid."""

    def missing(self, at: Position[Any]) -> Iterable[Part]:
        """Compulsory parts that were not said; they are done last."""
        return ()

    def closing(self, at: Position[Any]) -> Iterator[Breach]:
        """The checks of the end, in the state reached."""
        return iter(())

    def end(self, at: Position[Any]) -> None:
        """End the turn, after the checks of the end: the next seat is active."""


class Run(msgspec.Struct, kw_only=True):
    """The outcome of a transaction: the position reached (only to be used if nothing is forbidden or asked), the move
    with everything filled in, and the place (`steps[2]`) at which it stopped."""

    after: Any
    move: Move
    reasons: list[Breach] = []
    needs: list[Choice] = []
    place: str = ""


class Asked(Exception):
    """A choice inside the line has not been said."""

    def __init__(self, choice: Choice) -> None:
        self.choice = choice


class Refused(Exception):
    """A choice inside the line is not among its options."""

    def __init__(self, breach: Breach) -> None:
        self.breach = breach


@cache
def parts_of(kind: type[Move]) -> Parts | None:
    """The domain of a turn's steps; None for a move without parts."""
    for argument in arguments_of(kind) if issubclass(kind, Turn) else ():
        if isinstance(argument.domain, Parts):
            return argument.domain
    return None


@cache
def _always(kind: type[Move]) -> bool:
    followed = kind.follow_ups is not Move.follow_ups and kind.always_followed
    return issubclass(kind, Turn) or "choose" in kind.__struct_fields__ or followed


def transacts(move: Move) -> bool:
    """True if a move has to be carried out in a copy to be judged: it has parts, choices inside it, or follow-ups."""
    kind = type(move)
    return _always(kind) or any(getattr(move, one.name) for one in brought_by(kind))


def run(move: Move, at: Position[Any], *, close: bool = True) -> Run:
    """Judge a transaction by carrying it out in a copy. `close=False`: a turn that is still being put together, without
    its compulsory parts and the checks of its end."""
    return _Transaction(move, at).run(close)


class _Transaction:
    def __init__(self, move: Move, at: Position[Any]) -> None:
        self.move = move
        self.at = at.copy()
        self.at.quiet = at.quiet
        self.at.chooser = at.chooser
        self.done: list[Part] = []
        self.steps: tuple[Part, ...] = ()
        """The steps as they were said, filled in as far as they have been judged; a compulsory one that was left out
        stands among them once it is its turn, so that a question can be answered in it."""
        self.named: dict[str, Any] = {}

    def run(self, close: bool) -> Run:
        try:
            stopped = self._turn(self.move, close) if isinstance(self.move, Turn) else self._plain(self.move)
        except Refused as error:
            stopped = self._stop(self._reasons(error.breach))
        except Asked as asked:
            stopped = self._stop([], [asked.choice])
        return stopped or Run(after=self.at, move=self._so_far())

    def _reasons(self, breach: Breach) -> list[Breach]:
        """A breach with the further rules on which it rests."""
        return self.at.allowed([breach]) or [breach]

    def _stop(self, reasons: list[Breach], needs: Iterable[Choice] = (), place: str = "") -> Run:
        return Run(after=self.at, move=self._so_far(), reasons=reasons, needs=list(needs), place=place)

    def _so_far(self) -> Move:
        """The move with everything filled in, as far as it has come."""
        if not isinstance(self.move, Turn):
            return self.move
        parts = (*self.done, *self.steps[len(self.done) :])
        return self.move if parts == self.move.parts() else self.move.with_parts(parts)

    def _plain(self, move: Move) -> Run | None:
        done = settle(move, self.at)
        self.move = done.move
        if done.reasons or done.needs:
            return self._stop(done.reasons, done.needs)
        self._moves(done.move)
        stopped = self._carried_out(done.move, "")
        if self.named:
            self.move = replace(done.move, choose=self.named)
        if stopped is not None:
            stopped.move = self.move
            return stopped
        return self._followed(self.move)

    def _turn(self, turn: Turn, close: bool) -> Run | None:
        domain = parts_of(type(turn))
        self.steps = steps = turn.parts()
        at = self.at
        turn = self._with_mover(turn)
        gate = at.gate(turn)
        if not at.rules.over(at.state):
            gate += at.allowed(turn.opening(at))
        if gate:
            return self._stop(gate)
        at.underway = type(turn) if at.mover else None
        leading = 0
        if domain and steps and isinstance(steps[0], domain.free) and acting(type(turn)) and not at.mover:
            nobody = settle(turn.without_parts(), at)
            return self._stop(nobody.reasons, nobody.needs)
        while domain and leading < len(steps) and isinstance(steps[leading], domain.free):
            stopped = self._part(steps[leading], leading)
            if stopped:
                return stopped
            leading += 1
        header = settle(turn.with_parts((*self.done, *steps[leading:])) if leading else turn, at)
        turn = self._say(header.move)
        if header.reasons or header.needs:
            return self._stop(header.reasons, header.needs)
        turn.begin(at)
        for i in range(leading, len(steps)):
            stopped = self._part(steps[i], i)
            if stopped:
                return stopped
        if not close:
            return None
        for part in at.turn.missing(at):
            self.steps = (*self.done, part)
            stopped = self._part(part, len(self.done))
            if stopped:
                return stopped
        broken = at.allowed(at.turn.closing(at))
        if broken:
            return self._stop(broken)
        at.turn.end(at)
        return self._followed(self._so_far())

    def _with_mover(self, turn: Turn) -> Turn:
        who = acting(type(turn))
        if who and not getattr(turn, who):
            awaited = list(turn.options(self.at, who) or ())
            if len(awaited) == 1:
                turn = replace(turn, **{who: awaited[0]})
        self._moves(turn)
        self.at.turn = turn.without_parts()
        return turn

    def _moves(self, move: Move) -> None:
        """The seat that acts, if the move says one."""
        who = acting(type(move))
        self.at.mover = getattr(move, who) if who else ""

    def _say(self, turn: Move) -> Turn:
        assert isinstance(turn, Turn)
        self.move = turn
        self._moves(turn)
        self.at.turn = turn.with_parts(self.done)
        return turn

    def _part(self, part: Part, index: int) -> Run | None:
        place = f"steps[{index}]"
        done = settle(part, self.at)
        self._fill_in(done.move, index)
        if done.needs:
            needs = [replace(choice, field=f"{place}.{choice.field}") for choice in done.needs]
            return self._stop([], needs, place)
        if done.reasons:
            return self._stop(done.reasons, place=place)
        stopped = self._carried_out(done.move, place)
        part = self._fill_in(replace(done.move, choose=self.named) if self.named else done.move, index)
        if stopped is not None:
            stopped.move = self._so_far()
            return stopped
        self.done.append(part)
        self.at.turn = self.at.turn.with_parts(self.done)
        return None

    def _fill_in(self, part: Move, index: int) -> Part:
        """Keep a step with what is known of it by now."""
        assert isinstance(part, Part)
        self.steps = (*self.steps[:index], part, *self.steps[index + 1 :])
        return part

    def _carried_out(self, move: Move, place: str) -> Run | None:
        """Apply one move or part with the choices said in it; what is asked, or an answer too many, stops it."""
        at = self.at
        said = getattr(move, "choose", None) or {}
        at.choices = choices = Choices(said, place)
        at.added = 0
        try:
            move.apply(at)
        except Asked as asked:
            self.named = choices.completed(said)
            return self._stop([], [asked.choice], place)
        except Refused as refused:
            self.named = {}
            return self._stop(self._reasons(refused.breach), place=place)
        left, self.named = choices.left() if said else {}, choices.completed(said)
        at.choices = None
        loose = at.allowed([at.loose_choice(left)]) if left else []
        return self._stop(loose, place=place) if loose else None

    def _followed(self, move: Move) -> Run | None:
        """Apply the consequences of the move; then judge and carry out the moves bundled with it."""
        at = self.at
        at.answering, at.underway = True, None
        after(move, at)
        for follow in move.follow_ups(at):
            verdict = at.play(follow)
            if not verdict.legal:
                return self._stop(verdict.reasons, verdict.needs, verdict.move.name)
        at.answering = False
        say_what_is_owed(at)
        return None


def perform(move: Move, at: Position[Any]) -> None:
    """Carry out a move that was judged before, in place: parts, answers and follow-ups included."""
    kind = type(move)
    at.added = 0
    if not transacts(move):
        move.apply(at)
        after(move, at)
        return
    who = acting(kind)
    at.mover = getattr(move, who) if who else ""
    if isinstance(move, Turn):
        steps = move.parts()
        domain = parts_of(type(move))
        leading = 0
        while domain and leading < len(steps) and isinstance(steps[leading], domain.free):
            leading += 1
        for i, part in enumerate(steps):
            if i == leading:
                move.begin(at)
            at.turn = move.with_parts(steps[:i])
            _apply(part, at, f"steps[{i}]")
        if leading == len(steps):
            move.begin(at)
        at.turn = move
        move.end(at)
    else:
        _apply(move, at, "")
    answering, at.answering = at.answering, True
    after(move, at)
    for follow in move.follow_ups(at):
        perform(settle(follow, at).move, at)
    at.answering = answering
    say_what_is_owed(at)


def _apply(move: Move, at: Position[Any], place: str) -> None:
    at.choices = Choices(getattr(move, "choose", None) or {}, place)
    at.added = 0
    move.apply(at)
    at.choices = None


def after(move: Move, at: Position[Any]) -> None:
    """Settle the debts that a move pays, then run the steps that happen by themselves."""
    rules = at.rules
    if rules.phase_table:
        if rules.may_owe and rules.agenda(at.state):
            settled(at, move)
        advance(at)


def _fits(annotation: Any, value: Any) -> bool:
    """True if a value can belong to a tag: only a Literal tells kinds with the same tag apart."""
    _, inner = domain_in(annotation)
    for part in (inner, *get_args(inner)):
        if get_origin(part) is Literal:
            return value in get_args(part)
    return True


__all__ = [
    "ANY",
    "STEPS",
    "UNSAID",
    "Asked",
    "Choices",
    "Part",
    "Parts",
    "Refused",
    "Run",
    "Turn",
    "parts_of",
    "perform",
    "run",
    "transacts",
]
