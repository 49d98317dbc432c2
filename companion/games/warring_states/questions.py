"""Questions about figures: what a player draws, may hold and redraw, what a side's Battle Total is, what a meld pays."""

from __future__ import annotations

from collections.abc import Callable

from companion.engine.answers.queries import QueryError
from companion.engine.play.position import Answer
from companion.engine.things.sums import Sum
from components.phrasing import suggest

from . import income as incomes
from .campaign import the_campaign
from .catalogue import At
from .clash import battle_total
from .state import Campaign, Side
from .tactics import hand_size, redraws
from .taxes import MELDS, pays


def _itemised(sum_: Sum) -> Answer:
    return Answer({"total": sum_.total, "sum": str(sum_)}, sum_.rules())


def _seat(at: At, player: str) -> str:
    if player not in at.seats:
        raise QueryError(f"{player!r} is not at the table{suggest(player, at.seats, 'at the table')}")
    return player


def _war(at: At) -> Campaign:
    try:
        return the_campaign(at)
    except LookupError as error:
        raise QueryError("there is no war going on") from error


def income(at: At, player: str) -> Answer:
    """The Resource cards a player draws in the Income Phase."""
    return _itemised(incomes.income(at, _seat(at, player)))


def fill(at: At, player: str) -> Answer:
    """The cards to which a belligerent's empty Battle hand is filled."""
    return _itemised(hand_size(at, _war(at), _seat(at, player)))


def redraw(at: At, player: str) -> Answer:
    """The Battle cards a player may redraw after filling."""
    return _itemised(redraws(at, _seat(at, player)))


def total(at: At, side: Side) -> Answer:
    """The Battle Total of the attacker or the defender, as far as the cards are shown."""
    return _itemised(battle_total(at, _war(at), side))


def meld(at: At, player: str, kind: str) -> Answer:
    """The Bu that a kind of meld pays a player now."""
    if kind not in MELDS:
        raise QueryError(f"no meld is called {kind!r}{suggest(kind, MELDS)}")
    bu = pays(at, _seat(at, player), kind)
    return Answer({"total": bu.value, "sum": bu.sum}, [MELDS[kind].rule, *bu.rules])


ASKED: tuple[Callable[..., Answer], ...] = (income, fill, redraw, total, meld)
QUERIES = {query.__name__: query for query in ASKED}
