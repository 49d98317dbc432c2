"""Answers that a report brings along: carriers of shame, losses, saves, attacks on the Khan, a shot of a war machine.

After the report they become moves of their own, in the order in which they are asked for; each is judged by the rules.
What nothing asked for is judged, too, and refused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Annotated, Any

import msgspec

from companion.engine.language.jsonmoves import from_json
from companion.engine.play.moves import Move, Pairs, Seat
from companion.engine.play.pending import Task

from . import losses, saving, shame
from .catalogue import At
from .named import Said, SoldierName
from .reports import TableReport

Many = dict[str, Said | list[Said]]
"""Player -> one or several soldiers or carriers."""


class Bundle:
    """What a report brings along, as far as it has not been asked for yet."""

    def __init__(
        self,
        *,
        shame_to: Many | None = None,
        losses: Many | None = None,
        saves: Many | None = None,
        attack_khan: dict[str, Any] | None = None,
        shot: Any = None,
        goods: dict[str, list[str]] | None = None,
        extra_wound: Any = None,
    ) -> None:
        self.shame_to = _lists(shame_to or {})
        self.losses = _lists(losses or {})
        self.saves = _lists(saves or {})
        self.attack_khan = dict(attack_khan or {})
        self.khan_said = bool(attack_khan)
        self.shot: list[dict[str, Any]] = _several(shot)
        self.goods = {who: list(some) for who, some in (goods or {}).items()}
        self.extra_wound: list[str | dict[str, Any]] = _several(extra_wound)

    def left(self, at: At) -> Iterator[Move]:
        """Answers that nothing asked for, as the moves they would be."""
        for who, said in self.shame_to.items():
            useful = [carrier for carrier in said if not (carrier == shame.NONE and shame.is_hopeless(at, who))]
            yield from (shame.TakeShame(by=who, carrier=carrier) for carrier in useful)
        yield from (losses.ChooseLosses(by=who, soldiers=tuple(said)) for who, said in self.losses.items() if said)
        yield from (saving.Save(by=who, soldier=form) for who, said in self.saves.items() for form in said)
        yield from (
            from_json({"event": "gain", "by": who, "goods": some}, at) for who, some in self.goods.items() if some
        )
        yield from (from_json({"event": "wound", **_spot(one)}, at) for one in self.extra_wound)
        for left in LEFT:
            yield from left(self, at)


def _goods(at: At, task: Task, bundle: Bundle) -> Move | None:
    """The goods that a card lets somebody choose."""
    left = bundle.goods.get(task.who, [])
    some, left[:] = left[: task.n], left[task.n :]
    return from_json({"event": "gain", "by": task.who, "goods": some}, at) if some else None


def _wound(at: At, task: Task, bundle: Bundle) -> Move | None:
    """A wound that a card brings."""
    if not bundle.extra_wound:
        return None
    return from_json({"event": "wound", "by": task.who, **_spot(bundle.extra_wound.pop(0))}, at)


def _spot(said: str | dict[str, Any]) -> dict[str, Any]:
    return {"spot": said} if isinstance(said, str) else dict(said)


def _several(said: Any) -> list[Any]:
    return list(said) if isinstance(said, list) else [said] if said else []


Answer = Callable[[At, Task, Bundle], Move | None]

ANSWERS: dict[str, Answer] = {
    shame.TakeShame.name: shame.answer,
    losses.ChooseLosses.name: losses.answer_losses,
    saving.Save.name: saving.answer_save,
    "gain": _goods,
    "wound": _wound,
}
"""What is owed -> the answer that the bundle has for it; None: it stays owed. (A module's file adds its own.)"""
LEFT: list[Callable[[Bundle, At], Iterator[Move]]] = []
"""Further answers that nothing asked for, by the files that add to `ANSWERS`."""


def answered(at: At, bundle: Bundle) -> Iterator[Move]:
    """The answers of a bundle as moves, in the order in which they are asked for."""
    while at.state.agenda and (find := ANSWERS.get((task := at.state.agenda[0]).move)):
        move = find(at, task, bundle)
        if move is not None:
            yield move
        elif at.state.agenda and at.state.agenda[0] is task:
            break
    yield from bundle.left(at)


BROUGHT = ("shame_to", "losses", "saves", "attack_khan", "shot", "goods")


class Bundled(TableReport, frozen=True):
    """A report of the table that may bring answers along."""

    bundles = None
    shame_to: Annotated[Many, Pairs(Seat(actor=False), shame.Carrier(), lead=("shame",))] = msgspec.field(
        default_factory=dict
    )
    """Player -> carriers."""
    losses: Annotated[Many, Pairs(Seat(actor=False), SoldierName(), lead=("losses",))] = msgspec.field(
        default_factory=dict
    )
    """Player -> soldiers that are killed."""
    saves: Annotated[Many, Pairs(Seat(actor=False), SoldierName(), lead=("saves",))] = msgspec.field(
        default_factory=dict
    )
    """Player -> soldiers among them that are saved."""
    attack_khan: dict[str, Any] = msgspec.field(default_factory=dict)
    """Player -> the Khan's card -> spots that survivors cover."""
    shot: dict[str, Any] | list[dict[str, Any]] | None = None
    """Shots of war machines: machine, card, spots."""

    goods: dict[str, list[str]] = msgspec.field(default_factory=dict)
    """Player -> goods that a card lets choose."""

    def follow_ups(self, at: At) -> Iterator[Move]:
        yield from answered(at, Bundle(**{name: getattr(self, name) for name in BROUGHT}))


def _lists(said: Many) -> dict[str, list[Said]]:
    return {who: list(one) if isinstance(one, list) else [one] for who, one in said.items()}


__all__ = ["ANSWERS", "LEFT", "Bundle", "Bundled", "answered"]
