"""Answers that a report brings along: carriers of shame, losses, saves, goods, wounds, shots, attacks on the Khan.

After the report they become reports of their own, in the order in which they are asked for; each is judged by the rules.
What nothing asked for is judged, too, and refused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Annotated, Any, NamedTuple

import msgspec

from companion.engine.language.jsonmoves import from_json
from companion.engine.play.moves import Move, Pairs, Seat
from companion.engine.play.pending import Task, presumable

from . import losses, saving, shame
from .catalogue import At
from .named import Said, SoldierName
from .reports import TableReport

Many = dict[str, Said | list[Said]]
"""Player -> one or several soldiers or carriers."""
OnCards = dict[str, str | list[str]]
"""Card -> spots."""
Shots = dict[str, Any] | list[dict[str, Any]] | None
"""Machine, card and spots of one shot of a war machine, or of several."""
FIELDS = ("shame_to", "losses", "saves", "attack_khan", "shot", "goods", "extra_wound", "discard")
"""Fields of reports that bring answers along."""


class Bundle:
    """What a report brings along, as far as it has not been asked for yet."""

    def __init__(self, report: Any, *, waits: bool = False) -> None:
        has = [field for field in FIELDS if field in (report.bundles or FIELDS) and hasattr(report, field)]
        said = {field: getattr(report, field) if field in has else None for field in FIELDS}
        self.by: str = report.by
        self.answers = {debt for debt, answer in ANSWERS.items() if answer.field in has}
        """Kinds of debt that it may answer."""
        self.waits = waits
        """Whether tokens of which it says nothing wait for the end of the unit."""
        self.shame_to, self.losses, self.saves = (_by_player(said[field]) for field in ("shame_to", "losses", "saves"))
        self.goods, self.extra_wound, self.discard = (
            _by_player(said[one]) for one in ("goods", "extra_wound", "discard")
        )
        """Player -> goods, spots, tactics; "": whoever chooses first."""
        self.attack_khan = dict(said["attack_khan"] or {})
        self.khan_said = bool(self.attack_khan)
        self.shot = _several(said["shot"])

    def given(self, at: At) -> Iterator[Move]:
        """The answers to what is owed, as far as there are some."""
        while (task := _first(at)) and task.move in self.answers:
            move = ANSWERS[task.move].find(at, task, self)
            if move is not None:
                yield move
            elif _first(at) is task:
                break

    def settled(self, at: At) -> Iterator[Move]:
        """The same, with what can be answered in one way only."""
        yield from self.given(at)
        while (move := presumable(at)) is not None:
            yield move
            yield from self.given(at)

    def left(self, at: At) -> Iterator[Move]:
        """Answers that nothing asked for, as the reports they would be."""
        for who, said in self.shame_to.items():
            useful = [carrier for carrier in said if not (carrier == shame.NONE and shame.is_hopeless(at, who))]
            yield from (report(at, "take_shame", who, carrier=carrier) for carrier in useful)
        yield from (report(at, "choose_losses", who, soldiers=said) for who, said in self.losses.items() if said)
        yield from (report(at, "save", who, soldier=form) for who, said in self.saves.items() for form in said)
        yield from (report(at, "gain", who or self.by, goods=some) for who, some in self.goods.items() if some)
        for who, said in self.extra_wound.items():
            yield from (report(at, "wound", who or self.by, **_spot(one)) for one in said)
        for who, said in self.discard.items():
            yield from (report(at, "discard_tactic", who or self.by, card=one) for one in said)
        yield from (report(at, "machine_shot", self.by, **one) for one in self.shot)
        yield from (report(at, "attack_khan", who, spots=said) for who, said in self.attack_khan.items())


def _first(at: At) -> Task | None:
    return at.state.agenda[0] if at.state.agenda else None


def report(at: At, event: str, by: str, **said: Any) -> Move:
    """A report from its JSON form."""
    return from_json({"event": event, "by": by, **said}, at)


def _goods(at: At, task: Task, bundle: Bundle) -> Move | None:
    """The goods that a card lets somebody choose, or that are paid as a toll."""
    left = _said_for(bundle.goods, task.who)
    some, left[:] = left[: task.n], left[task.n :]
    return report(at, task.move, task.who, goods=some) if some else None


def _wound(at: At, task: Task, bundle: Bundle) -> Move | None:
    """A wound that a card brings."""
    left = _said_for(bundle.extra_wound, task.who)
    return report(at, "wound", task.who, **_spot(left.pop(0))) if left else None


def _discard(at: At, task: Task, bundle: Bundle) -> Move | None:
    """A tactic above the hand limit."""
    left = _said_for(bundle.discard, task.who)
    return report(at, task.move, task.who, card=left.pop(0)) if left else None


def _said_for(said: dict[str, list[Any]], who: str) -> list[Any]:
    """What is said for a player, or for whoever chooses first."""
    return said.get(who) or said.get("") or []


def _spot(said: str | dict[str, Any]) -> dict[str, Any]:
    return {"spot": said} if isinstance(said, str) else dict(said)


def _several(said: Any) -> list[Any]:
    return list(said) if isinstance(said, list | tuple) else [said] if said else []


def _by_player(said: Any) -> dict[str, list[Any]]:
    """Player -> what is said; "": of nobody in particular. (A spot may be a mapping itself: card and spot.)"""
    named = said if isinstance(said, dict) and "spot" not in said else {"": said or ()}
    return {who: _several(one) for who, one in named.items()}


class Answer(NamedTuple):
    """How a debt is answered: by what a report says in a field."""

    field: str
    find: Callable[[At, Task, Bundle], Move | None]


ANSWERS: dict[str, Answer] = {
    shame.TakeShame.name: Answer("shame_to", shame.answer),
    losses.ChooseLosses.name: Answer("losses", losses.answer_losses),
    saving.Save.name: Answer("saves", saving.answer_save),
    "gain": Answer("goods", _goods),
    "toll": Answer("goods", _goods),
    "wound": Answer("extra_wound", _wound),
    "discard_tactic": Answer("discard", _discard),
}
"""What is owed -> the answer that the bundle has for it; None: it stays owed. (A module's file adds its own.)"""


def in_turn(at: At, bundle: Bundle, reports: Iterable[Move] | None = None) -> Iterator[Move]:
    """Answers, and further reports one after the other, each with the answers it asks for; then what nothing asked for.
    Before further reports, what can be answered in one way only goes without saying."""
    yield from bundle.given(at) if reports is None else bundle.settled(at)
    for one in reports or ():
        yield one
        yield from bundle.settled(at)
    yield from bundle.left(at)


class Bundled(TableReport, frozen=True):
    """A report of the table that may bring answers along."""

    bundles = None
    shame_to: Annotated[Many, Pairs(Seat(actor=False), shame.Carrier(many=True), lead=("shame",))] = msgspec.field(
        default_factory=dict
    )
    """Player -> carriers."""
    losses: Annotated[Many, Pairs(Seat(actor=False), SoldierName(many=True), lead=("losses",))] = msgspec.field(
        default_factory=dict
    )
    """Player -> soldiers that are killed."""
    saves: Annotated[Many, Pairs(Seat(actor=False), SoldierName(many=True), lead=("saves",))] = msgspec.field(
        default_factory=dict
    )
    """Player -> soldiers among them that are saved."""
    attack_khan: dict[str, OnCards] = msgspec.field(default_factory=dict)
    """Player -> the Khan's card -> spots that survivors cover."""
    shot: Shots = None
    """Shots of war machines: machine, card, spots."""
    goods: dict[str, list[str]] = msgspec.field(default_factory=dict)
    """Player -> goods that a card lets choose."""

    def follow_ups(self, at: At) -> Iterator[Move]:
        yield from in_turn(at, Bundle(self, waits=True))
