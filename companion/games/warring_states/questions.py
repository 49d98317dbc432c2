"""Questions about figures: what a player draws, may hold and redraw, what a side's Battle Total is, what a meld pays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

from companion.rules import Answer, OneOf, QueryError, Seat, Sum

from . import income as incomes
from .campaign import the_campaign
from .catalogue import At
from .clash import battle_total
from .state import Campaign, Side
from .tactics import hand_size, redraws
from .taxes import MELDS, pays

Who = Annotated[str, Seat()]


def _itemised(sum_: Sum) -> Answer:
    return Answer({"total": sum_.total, "sum": str(sum_)}, sum_.rules())


def _war(at: At) -> Campaign:
    try:
        return the_campaign(at)
    except LookupError as error:
        raise QueryError("there is no war going on") from error


def income(at: At, player: Who) -> Answer:
    """The Resource cards a player draws in the Income Phase."""
    return _itemised(incomes.income(at, player))


def fill(at: At, player: Who) -> Answer:
    """The cards to which a belligerent's empty Battle hand is filled."""
    return _itemised(hand_size(at, _war(at), player))


def redraw(at: At, player: Who) -> Answer:
    """The Battle cards a player may redraw after filling."""
    return _itemised(redraws(at, player))


def total(at: At, side: Side) -> Answer:
    """The Battle Total of the attacker or the defender, as far as the cards are shown."""
    return _itemised(battle_total(at, _war(at), side))


def meld(at: At, player: Who, kind: Annotated[str, OneOf(*MELDS)]) -> Answer:
    """The Bu that a kind of meld pays a player now."""
    bu = pays(at, player, kind)
    return Answer({"total": bu.value, "sum": bu.sum}, [MELDS[kind].rule, *bu.rules])


ASKED: tuple[Callable[..., Answer], ...] = (income, fill, redraw, total, meld)
