"""The phases of a game as a table: which moves belong to each, who acts in it, what ends it, what comes next.

From the table follow "not now", whose turn it is, the headings of the log and the `next:` line. A game keeps the name
of the phase where its position form has it (`Rules.stage`); nothing else of a phase is stored.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Sequence
from enum import Enum
from typing import TYPE_CHECKING, Any

import msgspec

from companion.engine.errors import NoSuchName
from companion.engine.play.moves import Breach, Choice, Move, made_by, maker
from companion.engine.play.pending import Task, debt

if TYPE_CHECKING:
    from companion.engine.play.position import Position

MOST_STEPS = 1_000
"""A table of phases that runs on by itself for longer than this goes round in a circle."""


class Who(Enum):
    """The actors in a phase."""

    ACTIVE = "the active seat"
    ORDER = "each seat once, in order"
    EACH = "every seat, in any order"
    TABLE = "the table: what came up"
    AUTO = "nobody: it runs by itself"


class Phase(msgspec.Struct, frozen=True, kw_only=True):
    """One phase, season or step. `rule` is quoted when something belongs to another phase."""

    name: str
    rule: str
    elsewhere: str = ""
    """The rule quoted when one of its moves is said in another phase. Empty: the `rule` of that other phase."""
    title: str = ""
    """As people say it: `the Build Phase`. Empty: the name."""
    who: Who = Who.ACTIVE
    moves: tuple[type[Move], ...] = ()
    awaited: Callable[[Any], list[str]] | None = None
    """The seats that still have to act (`ORDER`: the first of them is next). None: the active seat, or everybody."""
    shut_out: Callable[[Any, str], Iterator[Breach]] | None = None
    """The reasons why a seat may do nothing more in it (it has passed); they come before "not your turn"."""
    done: Callable[[Any], bool] | None = None
    """True if it is over. None: it ends when nobody is awaited any more, or by a move that calls `at.enter`."""
    enter: Callable[[Any], None] | None = None
    run: Callable[[Any], None] | None = None
    """The automatic step (`AUTO`)."""
    skip: Callable[[Any], bool] | None = None
    """True: nothing can happen in it (nobody can use the window), so it is left out."""
    next: str | Callable[[Any], str] = ""
    """The phase that follows. Empty: the one below it in the table."""
    last: bool = False
    """The end: whatever belongs to another phase is refused by the `rule` of this one."""
    whole: bool = False
    """It stands for several phases, where a position did not say which of them."""
    module: str = ""
    """The module that brings it; it is left out where that module is not in play."""
    passing: type[Move] | None = None
    """The move by which a seat says that it is done here."""
    says: Callable[[Any], str] | None = None
    """The next thing to happen, in one sentence, given the position: the `next:` line."""

    @property
    def words(self) -> str:
        """The phase as people say it."""
        return self.title or self.name


def current(at: Position[Any]) -> Phase | None:
    """The phase the table is in; None for a game without a table of phases, or before and after the game."""
    return at.rules.phase_table.get(at.rules.stage(at.state))


def awaited(at: Position[Any]) -> list[str]:
    """The seats from whom something is awaited: those who owe something, else those who act in the phase."""
    debts = at.rules.agenda(at.state)
    if debts:
        return list(dict.fromkeys(task.who for task in debts if task.who))
    phase = current(at)
    if phase is None or phase.who in (Who.TABLE, Who.AUTO):
        return []
    seats = phase.awaited(at) if phase.awaited else None
    if phase.who is Who.ACTIVE:
        return seats if seats is not None else [at.rules.active(at.state)]
    seats = at.seats if seats is None else seats
    return seats[:1] if phase.who is Who.ORDER else seats


def gate(move: Move, at: Position[Any]) -> Iterator[Breach]:
    """The reasons why the moment is wrong for a move: its module is not in play, a debt comes first, it belongs to
    another phase, or another seat is to act."""
    kind = type(move)
    if kind.is_part or not at.rules.phase_table or kind in at.rules.anytime:
        return
    if (module := at.rules.brought.get(kind)) and (playing := at.rules.modules(at.state)) and module not in playing:
        title = at.rules.game.rules[kind.elsewhere].title
        yield at.worded(at.rules.no_module or kind.elsewhere, NO_MODULE, rule=kind.elsewhere, title=title)
    if debts := at.rules.agenda(at.state):
        yield from _owed_first(move, at, debts)
        return
    if kind.answers:
        yield from _nothing_owed(move, at)
        return
    phase = current(at)
    if phase is None or kind not in phase.moves:
        yield from _not_now(kind, at, phase)
        return
    who = maker(move)
    if who and phase.shut_out:
        yield from phase.shut_out(at, who)
    if who and phase.who in (Who.ACTIVE, Who.ORDER) and who not in (seats := awaited(at)):
        called = at.rules.called
        yield at.worded(f"{phase.rule}.turn", TURN, player=called(who), seats=[*map(called, seats)], phase=phase.name)


def is_its_moment(move: Move, at: Position[Any]) -> bool:
    """Fast path: True if `gate` would yield nothing. It settles nearly every move that is asked about."""
    kind, rules, state = type(move), at.rules, at.state
    if kind.is_part or kind is at.underway:
        return True
    return kind in rules.open_to_all.get(rules.stage(state), ()) and not (rules.may_owe and rules.agenda(state))


def in_place(at: Position[Any]) -> Container[type[Move]]:
    """The kinds of moves that belong here, as far as `gate` does not ask who makes them: those of the phase, or those
    that settle what is owed."""
    rules = at.rules
    if not rules.phase_table:
        return rules.moves.values()
    debts = rules.agenda(at.state)
    phase = current(at)
    here = [rules.moves[task.move] for task in debts if task.move] if debts else phase.moves if phase else ()
    return {*rules.anytime, *here}


def _not_now(kind: type[Move], at: Position[Any], phase: Phase | None) -> Iterator[Breach]:
    """In the words that the rule has for this very phase, or for any other than its own (`phase`)."""
    rules, stage = at.rules, at.rules.stage(at.state)
    homes = [home for home in rules.phase_table.values() if kind in home.moves and not home.whole]
    home = homes[0] if homes else None
    ended = phase.rule if phase and phase.last else ""
    rule = (
        ended
        or kind.elsewhere
        or (home.elsewhere if home else "")
        or (phase.rule if phase else home.rule if home else "")
    )
    known = rules.game.rules.get(rule)
    key = stage if known is not None and f"breaks.{stage}" in known.words else "phase"
    facts = {
        "phase": stage,
        "now": at.now,
        "belongs_to": list(dict.fromkeys(home.words for home in homes)),
    }
    if rules.over(at.state):
        facts["ending"] = rules.how_it_ended(at)
    yield at.worded(f"{rule}.{key}", PHASE, **facts, **rules.moment(at))


def _owed_first(move: Move, at: Position[Any], debts: list[Any]) -> Iterator[Breach]:
    kind = type(move)
    if debt(at, move) is not None:
        first = next(task.who for task in debts if task.move == kind.name)
        who = maker(move)
        if kind.in_turn and who not in ("", first):
            called = at.rules.called
            yield at.worded(kind.in_turn, TURN, player=called(who), seats=[called(first)])
        return
    phase = current(at)
    if not kind.answers and kind not in (phase.moves if phase else ()):
        yield from _not_now(kind, at, phase)
    elif kind.idle:
        return
    task = debts[0]
    player = at.rules.called(task.who)
    words = OWED if player else OWED_BY_CHANCE
    yield at.worded(f"{task.rule}.owed", words, player=player, move=task.move.replace("_", " "), n=task.n)
    if kind.answers:
        yield from _nothing_owed(move, at)


def _nothing_owed(move: Move, at: Position[Any]) -> Iterator[Breach]:
    """An answer to something that its seat does not owe."""
    kind = type(move)
    player = at.rules.called(maker(move))
    words = NOTHING_OWED if player else TABLE_OWES_NOTHING
    yield at.worded(f"{kind.elsewhere}.none", words, player=player, move=kind.name.replace("_", " "))


def advance(at: Position[Any]) -> None:
    """Let everything happen that happens by itself: steps that wait, phases that are over, phases that run alone."""
    rules, phases = at.rules, at.rules.phase_table
    for _ in range(MOST_STEPS):
        agenda = rules.agenda(at.state) if rules.may_owe else None
        if agenda:
            if not agenda[0].step:
                say_what_is_owed(at)
                return
            task = agenda[0]
            rules.settle_task(at.state, task, task.n)
            at.added = 0
            at.step(task.step, **task.args)
            continue
        phase = phases.get(rules.stage(at.state))
        if phase is None or not _over(phase, at):
            return
        at.added = 0
        if phase.run:
            phase.run(at)
            if rules.agenda(at.state) or current(at) is not phase:
                continue
        enter(at, _following(phase, at))
    raise RuntimeError(f"the phases of {rules.game.id} form an endless loop")


def say_what_is_owed(at: Position[Any]) -> None:
    """A line that stands though somebody has still to choose says so, in the words of the question; once the answers
    that the line brings along have been played."""
    if at.quiet or at.answering or not at.asking:
        return
    agenda = at.rules.agenda(at.state) if at.rules.may_owe else None
    if not agenda or not agenda[0].move:
        return
    for choice in _asked_first(at, agenda[0]):
        at.note(choice.rule, choice.question)


def question_owed(at: Position[Any]) -> str:
    """The question that what is owed first puts; "" where nothing is owed, or nothing of it has to be chosen."""
    agenda = at.rules.agenda(at.state) if at.rules.may_owe else None
    asked = _asked_first(at, agenda[0]) if agenda and agenda[0].move else ()
    return next((choice.question for choice in asked), "")


def _asked_first(at: Position[Any], task: Task) -> Sequence[Choice]:
    return at.judge(made_by(at.rules.moves[task.move], task.who)).needs


def enter(at: Position[Any], name: str) -> None:
    """Begin a phase (or one after it, where it is left out)."""
    if name not in at.rules.phase_table and at.rules.phases:
        raise NoSuchName("phase", name, at.rules.phase_table)
    phase = at.rules.phase_table.get(name)
    while phase is not None and _left_out(phase, at):
        name = _following(phase, at)
        phase = at.rules.phase_table.get(name)
    at.rules.set_stage(at.state, name)
    if phase is not None:
        at.rules.began(at, phase)
        if phase.enter:
            phase.enter(at)


def go_on(at: Position[Any]) -> None:
    """Begin the phase that follows the present one."""
    if (phase := current(at)) is not None:
        enter(at, _following(phase, at))


def _over(phase: Phase, at: Position[Any]) -> bool:
    if phase.done is not None:
        return phase.done(at)
    if phase.who is Who.AUTO:
        return True
    return phase.who in (Who.ORDER, Who.EACH) and phase.awaited is not None and not phase.awaited(at)


def _left_out(phase: Phase, at: Position[Any]) -> bool:
    out_of_play = phase.module and phase.module not in at.rules.modules(at.state)
    return bool(out_of_play) or bool(phase.skip and phase.skip(at))


def _following(phase: Phase, at: Position[Any]) -> str:
    if phase.next:
        return phase.next if isinstance(phase.next, str) else phase.next(at)
    names = list(at.rules.phase_table)
    after = names.index(phase.name) + 1
    return names[after] if after < len(names) else names[0]


NO_MODULE = "{rule} ({title}) is a rule of a module that is not in play"
PHASE = "this move belongs to {belongs_to}; it is now {now}"
TURN = "{player} does not act now; {seats} {seats:does|do}"
OWED = "{player} must first {move}"
OWED_BY_CHANCE = "first say what comes up: {move}"
NOTHING_OWED = "{player} has nothing to settle by this: {move}"
TABLE_OWES_NOTHING = "nothing has come up that asks for this: {move}"
"""Words for rules that have none of their own under `phase`, `turn`, `owed` and `none`."""

__all__ = [
    "Phase",
    "Who",
    "advance",
    "awaited",
    "current",
    "enter",
    "gate",
    "go_on",
    "in_place",
    "is_its_moment",
    "question_owed",
    "say_what_is_owed",
]
