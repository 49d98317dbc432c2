"""The common parts of all Great Wall reports: one mapping with `event`, the answers they bring along, and the steps
that the next report implies. Passing stands in the chapter of each step.

Somebody's report derives from `Report`, one of the table (what chance brought) from `TableReport`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Annotated, Any, ClassVar, NamedTuple

import msgspec

from companion.engine.play import pending
from companion.engine.play.phases import current
from companion.rules import Breach, Brings, Choice, Flag, Move, Pairs, Seat, Task, Unspoken

from .brought import brought
from .catalogue import At
from .hand import Answers, Hand, Many, OnCards, Shots, report, takes_several
from .icons import STEP
from .named import NONE, Carrier, SoldierName
from .year import in_tea_order


def is_over(at: At) -> bool:
    """True if the running step is visibly over, in a position that leaves its progress open."""
    phase = current(at)
    seen = brought(at).seen_over.get(phase.name) if phase and not at.state.agenda else None
    return bool(seen and at.state.players and seen(at))


def step_over(at: At) -> Move | None:
    """The report that the running step is over, where one can see it."""
    return at.rules.moves["next_step"]() if is_over(at) else None


class Told(Move, frozen=True):
    """Any report: an answer that it brings along becomes a report of its own, in the order in which it is asked for."""

    key = "event"
    always_followed = False
    owes: ClassVar[dict[str, str] | None] = None
    """The arguments of a debt of this kind (`Task.args`), and the set of its names; None: nobody owes it."""
    entry: ClassVar[str] = ""
    """The parameter that an entry of another report's field gives; "": the first."""
    seen_to_fall: ClassVar[bool] = False
    """True if an entry is seen to have `fell` only as long as nothing else has happened."""

    def presumes(self, at: At) -> Move | None:
        """The next report that goes without saying, because this one can only follow it: what a phase offers as `quiet`
        (everybody passes, the cards are retired, the check), where this one belongs to a later one; the end of a step
        that is visibly over."""
        phase = current(at)
        if phase is None or self.answers or type(self) in phase.moves or type(self) in at.rules.anytime:
            return None
        quiet = brought(at).quiet.get(phase.name)
        return (quiet(at, self) if quiet else None) or step_over(at)

    @classmethod
    def taken(cls, at: At, task: Task, hand: Hand) -> Move | None:
        """The answer to a debt of this kind, taken from what another report said; None: the debt stays."""
        left = hand.of(cls.name, task.who) or []
        n = task.n if takes_several(cls) else 1
        some, left[:] = left[:n], left[n:]
        return report(at, task.who, cls, some if takes_several(cls) else some[0]) if some else None

    @classmethod
    def fell(cls, at: At, who: str, entry: Any) -> bool:
        """True if an unused entry only repeats what happened by itself."""
        return False

    def otherwise(self, at: At) -> Answers:
        """The answers that it has in fields of its own."""
        return {}

    def further(self, at: At, hand: Hand) -> Iterator[Move] | None:
        """Further reports for which it stands, beside the answers in its hand."""
        return hand.reports(at)

    def follow_ups(self, at: At) -> Iterator[Move]:
        """Answers, and further reports one after the other, each with the answers it asks for; then what nothing asked
        for. Before further reports, what can be answered in one way only goes without saying."""
        hand = Hand(at, self)
        yield from hand.given(at)
        if (further := self.further(at, hand)) is not None:
            yield from hand.settled(at)
            for one in further:
                yield one
                yield from hand.settled(at)
        yield from hand.left(at)


class Report(Told, frozen=True):
    """A report of something that a player does. `by` and `player` mean the same (`Rules.read_move`)."""

    by: Annotated[str, Seat()] = ""

    def debt(self, at: At) -> Task | None:
        """The player's debt that this report settles."""
        return pending.debt(at, self)


class May(Report, frozen=True):
    """A report of something that its player owes, but may leave. A JSON report leaves it by saying nothing more; a typed
    line says so (`none`), or is asked."""

    none: Annotated[bool, Flag(NONE, "nobody", "no one", "nothing")] = False

    def none_options(self, at: At) -> None:
        return None

    def acts(self) -> bool:
        """True if it states an action."""
        return False

    def whether(self, at: At) -> Choice | None:
        """The question what is done, with `none` among the answers; None: nothing can be done."""
        return None

    def unsaid(self, at: At) -> Iterator[Choice]:
        if not self.none and not self.acts() and (choice := self.whether(at)) is not None:
            yield choice

    def forbidden(self, at: At) -> Iterator[Breach]:
        if self.none and self.acts():
            yield at.loose_choice({NONE: None})


class TableReport(Told, frozen=True):
    """A report of something that nobody chooses. `by` may stand in its JSON form and means nothing."""

    role = "event"
    by: Annotated[str, Unspoken()] = ""


class Bundled(TableReport, frozen=True):
    """A report of the table that may bring answers along."""

    always_followed = True
    shame_to: Annotated[
        Many,
        Pairs(
            Seat(actor=False),
            Carrier(many=True),
            announced=True,
            lead=("shame",),
            between=("shames", "shame", "takes", "under"),
        ).bringing("take_shame"),
    ] = msgspec.field(default_factory=dict)
    """Player -> carriers."""
    unsaved: Annotated[
        bool,
        Flag(
            "nobody saves",
            "no one saves",
            "nobody saves anybody",
            "no one saves anybody",
            "nobody is saved",
            "no one is saved",
        ),
    ] = False
    """Nobody saves a soldier."""
    losses: Annotated[
        Many,
        Pairs(
            Seat(actor=False),
            SoldierName(many=True),
            announced=True,
            lead=("losses",),
            between=("lose", "loses"),
        ).bringing("choose_losses"),
    ] = msgspec.field(default_factory=dict)
    """Player -> soldiers that are killed."""
    saves: Annotated[
        Many,
        Pairs(
            Seat(actor=False),
            SoldierName(many=True, or_none=True),
            announced=True,
            lead=("saves",),
            between=("save", "saves"),
        ).bringing("save"),
    ] = msgspec.field(default_factory=dict)
    """Player -> soldiers among them that are saved; `none`: nobody (else)."""
    attack_khan: Annotated[dict[str, OnCards], Brings("attack_khan")] = msgspec.field(default_factory=dict)
    """Player -> the Khan's card -> spots that survivors cover."""
    shot: Shots = None
    """Shots of war machines: machine, card, spots."""
    goods: Annotated[dict[str, list[str]], Brings("gain", "toll")] = msgspec.field(default_factory=dict)
    """Player -> goods that a card lets choose."""


Passed = Callable[[At, str], None]
"""The consequence when a clan passes in a step."""


class Window(NamedTuple):
    """An optional action in a step: whether it can still be done, and the question for it."""

    asks: str
    is_open: Callable[[At, str], bool]


class Pass(Report, frozen=True):
    """Do nothing more here: remove no more shame, take no clerk back, leave a use of a clerk."""

    @classmethod
    def left_here(cls, at: At) -> tuple[str, ...]:
        """In a location what its clerks do."""
        phase, here = current(at), at.state.resolving
        kinds = [kind for kind in (phase.moves if phase else ()) if kind is not cls and kind.name != "place_clerks"]
        uses = [kind for kind in kinds if here in getattr(kind, "sites", lambda at: ())(at)]
        if phase is not None and phase.name == "fall.3" and not here:
            return ("attack", "march")  # what an icon lets its owner do
        return tuple(kind.name for kind in (uses if here else kinds))

    def forbidden(self, at: At) -> Iterator[Breach]:
        phase = current(at)
        if phase is not None and phase.name not in brought(at).passes:
            yield at.breach("GW-GEN-4.nothing", step=phase.title)
        elif phase is not None and (check := brought(at).pass_checks.get(phase.name)):
            yield from check(at, self.by)

    def gives_up(self, at: At) -> Choice | None:
        phase = current(at)
        window = brought(at).windows.get(phase.name) if phase else None
        if window is None or not window.is_open(at, self.by):
            return None
        return at.ask(window.asks, self.name, self.by, [f"{self.by} pass", "pass all"])

    def apply(self, at: At) -> None:
        phase = current(at)
        assert phase is not None
        if self.gives_up(at) is not None:
            at.note("GW-GEN-4.passed", player=self.by)
        brought(at).passes[phase.name](at, self.by)


# --- everybody passes -----------------------------------------------------------------------------------------------


def everybody_passes(at: At) -> list[Move]:
    """The reports by which everybody leaves what may be left now; empty where nobody can pass."""
    debts, phase = [task for task in at.state.agenda if task.move], current(at)
    if debts:
        end = next((n for n, task in enumerate(debts) if not _may_be_left(at, task)), len(debts))
        return [_left(at, task) for task in debts[:end]]
    if phase is None or phase.name not in brought(at).passes:
        return []
    passes: list[Move] = [Pass(by=clan) for clan in _to_pass(at, phase.name)]
    return passes if passes and not at.refuses(passes[0]) else []


def _to_pass(at: At, phase: str) -> list[str]:
    """The clans that pass in a phase, in order."""
    s = at.state
    if phase == STEP:
        return list(s.order) or list(at.rules.to_move(s))[:1]
    allowed = [clan for clan in in_tea_order(at) if clan not in s.done]
    return [clan for clan in allowed if clan in s.allowed] if phase.startswith("winter") else allowed


def passes(text: str, at: At) -> list[Move] | None:
    """`pine pass` where pine owes something that may be left: then it is left. None: another line."""
    first = next((task for task in at.state.agenda if task.move), None)
    who, _, verb = text.strip().lower().rpartition(" ")
    if first is None or who not in ("", first.who) or verb not in (*Pass.words, "passes"):
        return None
    return [_left(at, first)] if _may_be_left(at, first) else None


def _may_be_left(at: At, task: Task) -> bool:
    return issubclass(at.rules.moves[task.move], May)


def _left(at: At, task: Task) -> Move:
    kind = at.rules.moves[task.move]
    assert issubclass(kind, May)
    return kind(by=task.who, none=True)
