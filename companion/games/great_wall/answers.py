"""Answers that a report of Fall brings along: carriers of shame, goods, spots of wounds, a shot, discarded tactics. They
become reports of their own as soon as they are asked for; what nothing asked for is refused."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from companion.engine.language.jsonmoves import from_json
from companion.engine.play.moves import Move
from companion.engine.play.pending import Task, presumable

from .catalogue import At
from .shame import NONE, is_hopeless

Form = dict[str, Any]


def _listed(said: Any) -> list[Any]:
    return list(said) if isinstance(said, list | tuple) else [] if said in (None, "", {}) else [said]


class Answers:
    """What a report brings along, as far as it has not been asked for."""

    def __init__(self, report: Any) -> None:
        self.by: str = getattr(report, "by", "")
        self.shame_to = {clan: _listed(said) for clan, said in getattr(report, "shame_to", {}).items()}
        goods = getattr(report, "goods", ())
        self.goods = {clan: _listed(said) for clan, said in (goods if isinstance(goods, dict) else {"": goods}).items()}
        """Player -> goods; "": whoever chooses first."""
        self.wounds = _listed(getattr(report, "extra_wound", None))
        self.shots = _listed(getattr(report, "shot", None))
        self.discard = _listed(getattr(report, "discard", ()))

    def next(self, at: At) -> Move | None:
        """The answer to what is owed first; None if the report brings none."""
        task = at.state.agenda[0]
        find = FIND.get(task.move)
        form = find(self, task) if find else None
        return from_json({"event": task.move, "by": task.who, **form}, at) if form is not None else None

    def settled(self, at: At) -> Move | None:
        """The same, or the only thing that what is owed can be."""
        return self.next(at) or presumable(at)

    def given(self, at: At) -> Iterator[Move]:
        """The answers to all that is owed, as far as there are some."""
        while at.state.agenda and (move := self.next(at)) is not None:
            yield move

    def left(self, at: At) -> Iterator[Move]:
        """What nothing asked for, as the reports it would be."""
        for clan, said in self.shame_to.items():
            useful = [one for one in said if not (one == NONE and is_hopeless(at, clan))]
            yield from (from_json({"event": "take_shame", "by": clan, "carrier": one}, at) for one in useful)
        for clan, some in self.goods.items():
            yield from [from_json({"event": "gain", "by": clan or self.by, "goods": some}, at)] if some else []
        yield from (from_json({"event": "wound", "by": self.by, **_spot(one)}, at) for one in self.wounds)
        yield from (from_json({"event": "machine_shot", "by": self.by, **one}, at) for one in self.shots)
        yield from (from_json({"event": "discard_tactic", "by": self.by, "card": one}, at) for one in self.discard)


def _spot(said: Any) -> Form:
    """A wound as reports name it: a spot, or card and spot."""
    return dict(said) if isinstance(said, dict) else {"spot": said}


def _shame(answers: Answers, task: Task) -> Form | None:
    said = answers.shame_to.get(task.who)
    return {"carrier": said.pop(0)} if said else None


def _goods(answers: Answers, task: Task) -> Form | None:
    said = answers.goods.get(task.who) or answers.goods.get("")
    if not said:
        return None
    some, said[:] = said[: task.n], said[task.n :]
    return {"goods": some}


def _wound(answers: Answers, task: Task) -> Form | None:
    return _spot(answers.wounds.pop(0)) if answers.wounds else None


def _shot(answers: Answers, task: Task) -> Form | None:
    return dict(answers.shots.pop(0)) if answers.shots else None


def _discard(answers: Answers, task: Task) -> Form | None:
    return {"card": answers.discard.pop(0)} if answers.discard else None


FIND: dict[str, Callable[[Answers, Task], Form | None]] = {
    "take_shame": _shame,
    "gain": _goods,
    "toll": _goods,
    "wound": _wound,
    "machine_shot": _shot,
    "discard_tactic": _discard,
}

__all__ = ["Answers"]
