"""Answers that a report brings along: carriers of shame, losses, saves, goods, wounds, shots, attacks on the Khan.

After the report they become reports of their own, in the order in which they are asked for; each is judged by the rules.
What nothing asked for is judged, too, and refused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Annotated, Any, NamedTuple

from companion.engine.language.jsonmoves import from_json
from companion.engine.play.pending import presumable
from companion.rules import Move, Tally, Task, Unspoken

from .brought import brought
from .catalogue import At
from .named import Said

Many = dict[str, Said | list[Said]]
"""Player -> one or several soldiers or carriers."""
OnCards = dict[str, str | list[str]]
"""Card -> spots."""
Aside = Annotated[Any, Unspoken()]
"""What only JSON says; typed lines say it by reports of their own."""


class Payment(Tally):
    """What somebody says to have paid: `for 2 gold`."""

    announced = True
    confirms = True
    loose = True

    def __init__(self) -> None:
        super().__init__("resource", lead=("for", "paying", "pay", "costing"), loose=True)


Pay = Annotated[dict[str, int | dict[str, int]] | None, Payment()]
"""What is paid: good -> number, or from where it comes, `own` and `warehouse` -> good -> number. Where it does not say so,
the rules do."""
Shots = Annotated[dict[str, Any] | list[dict[str, Any]] | None, Unspoken()]
"""Machine, card and spots of one shot of a war machine, or of several."""


class Answer(NamedTuple):
    """How a debt is answered by what a report says."""

    field: str
    """Where the report says it: for each player, or for whoever is asked."""
    parameter: str = ""
    """What an entry there is in the report that it becomes. Empty: it gives all parameters, or a spot."""
    whole: bool = False
    """Its parameter takes several entries."""
    find: Callable[[At, Task, Bundle], Move | None] | None = None
    """The answer to a debt, where it is not simply the next entry. None: the debt stays."""
    said_twice: Callable[[At, str, Any], bool] = lambda at, who, entry: False
    """Whether an entry that nothing asked for only says what happened by itself."""
    passes: bool = False
    """One sees that only as long as nothing else has happened."""


ENTRY = frozenset({"machine", "section", "card", "spot", "spots"})
"""Parameters of an entry that is a mapping."""


class Bundle:
    """What a report brings along, as far as it has not been asked for yet."""

    def __init__(self, at: At, report: Any, *, waits: bool = False) -> None:
        self.answers = brought(at).answers
        self.by: str = report.by
        self.unsaved: bool = getattr(report, "unsaved", False)
        """Whether it says that nobody saves a soldier."""
        self.waits = waits
        """Whether tokens of which it says nothing wait for the end of the unit."""
        self.said = {
            answer.field: _by_player(getattr(report, answer.field))
            for answer in self.answers.values()
            if answer.field in (report.__struct_fields__ if report.bundles is None else report.bundles)
            and hasattr(report, answer.field)
        }
        """Field -> player -> entries; under "" those of whoever is asked first."""
        self.spoken = {field for field, said in self.said.items() if said}
        """Fields that said something."""

    def of(self, field: str, who: str) -> list[Any]:
        """The entries that a player has left in a field."""
        said = self.said[field]
        return said.get(who) or said.get("") or []

    def given(self, at: At) -> Iterator[Move]:
        """The answers to what is owed, as far as there are some."""
        while (task := _first(at)) and (answer := self.answers.get(task.move)) and answer.field in self.said:
            self._forget(at)
            move = answer.find(at, task, self) if answer.find else self._next(at, task, answer)
            if move is not None:
                yield move
            elif _first(at) is task:
                break

    def _forget(self, at: At) -> None:
        """Drop what only says what has happened by itself, while one can see that it has."""
        for move, answer in self.answers.items():
            for who, entries in self.said.get(answer.field, {}).items():
                if answer.passes and not any(task.move == move and task.who == who for task in at.state.agenda):
                    entries[:] = [entry for entry in entries if not answer.said_twice(at, who, entry)]

    def _next(self, at: At, task: Task, answer: Answer) -> Move | None:
        left = self.of(answer.field, task.who)
        n = task.n if answer.whole else 1
        some, left[:] = left[:n], left[n:]
        return _report(at, task.move, task.who, answer, some) if some else None

    def settled(self, at: At) -> Iterator[Move]:
        """The same, with what can be answered in one way only."""
        yield from self.given(at)
        while (move := presumable(at)) is not None:
            yield move
            yield from self.given(at)

    def left(self, at: At) -> Iterator[Move]:
        """Answers that nothing asked for, as the reports they would be."""
        for move, answer in self.answers.items():
            for who, entries in self.said.pop(answer.field, {}).items():
                loose = [entry for entry in entries if not answer.said_twice(at, who, entry)]
                for some in [loose] if answer.whole and loose else [[entry] for entry in loose]:
                    yield _report(at, move, who or self.by, answer, some)


def _first(at: At) -> Task | None:
    return at.state.agenda[0] if at.state.agenda else None


def _report(at: At, move: str, by: str, answer: Answer, entries: list[Any]) -> Move:
    """The report that entries of a bundle become."""
    said = entries if answer.whole else entries[0]
    form = {answer.parameter: said} if answer.parameter else said if isinstance(said, Mapping) else {"spot": said}
    return from_json({**form, "event": move, "by": by}, at)


def _by_player(said: Any) -> dict[str, list[Any]]:
    """Player -> entries; "": of nobody in particular. (A wound or a shot may be a mapping itself.)"""
    entries = said if isinstance(said, dict) and said.keys().isdisjoint(ENTRY) else {"": said}
    return {who: list(one) if isinstance(one, list | tuple) else [one] for who, one in entries.items() if one or who}


def in_turn(at: At, bundle: Bundle, reports: Iterable[Move] | None = None) -> Iterator[Move]:
    """Answers, and further reports one after the other, each with the answers it asks for; then what nothing asked for.
    Before further reports, what can be answered in one way only goes without saying."""
    yield from bundle.given(at) if reports is None else bundle.settled(at)
    for one in reports or ():
        yield one
        yield from bundle.settled(at)
    yield from bundle.left(at)


ANSWERS = {
    "gain": Answer("goods", "goods", whole=True),
    "wound": Answer("extra_wound"),
    "discard_tactic": Answer("discard", "card"),
}
