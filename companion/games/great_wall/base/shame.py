"""Shame: who owes how many tokens, and what carries each of them (rules GW-SHAME).

Tokens are owed one by one in tea order. One that nobody can take (no carrier, an empty pool) costs honor at once,
unless the player holds a tactic that might still cancel it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, ClassVar

from companion.engine.play.phases import advance
from companion.rules import Breach, Move, Task

from .catalogue import At, name_of
from .hand import Hand
from .named import NONE, Carrier, Said, unit_of
from .prices import lose_honor
from .reports import Report
from .soldiers import units_of
from .state import Claimed
from .year import in_tea_order, look_at_pool

ENDS = ("unit", "_over")
"""The names of the steps that end a resolution unit."""


# --- carriers -----------------------------------------------------------------------------------------------------


def carriers(at: At, clan: str) -> list[str]:
    """The possible carriers of a token: kinds of clean soldiers in the supply, clean claimed cards (GW-SHAME-2
    to -4)."""
    left = at.state.carriers_left.get(clan)
    return [name for name in _every_carrier(at, clan) if left is None or left.get(name, 0) > 0]


def _every_carrier(at: At, clan: str) -> dict[str, int]:
    """Kinds of clean soldiers and clean cards with their numbers."""
    p = at.state.own(clan)
    units = {unit: n for unit in units_of(at, clan) if (n := p.supply.get(unit, 0)) > 0}
    return units | {claimed.card: 1 for claimed in p.claimed if not claimed.shame}


def is_hopeless(at: At, clan: str) -> bool:
    """True if a token only costs honor: the pool is empty, or nothing can carry it (GW-SHAME-6 to -8)."""
    return at.state.shame_pool <= 0 or not carriers(at, clan)


def tokens(at: At, clan: str) -> int:
    """The shame tokens of a clan, under soldiers and on claimed cards."""
    p = at.state.own(clan)
    return sum(p.shamed.values()) + sum(claimed.shame for claimed in p.claimed)


def shamed(at: At, clan: str) -> list[str]:
    """The carriers of a clan's tokens: kinds of soldiers, claimed cards."""
    p = at.state.own(clan)
    return [*(unit for unit, n in p.shamed.items() if n), *(one.card for one in p.claimed if one.shame)]


def claimed_card(at: At, clan: str, card: str) -> Claimed | None:
    """A card that a clan has claimed."""
    return next((claimed for claimed in at.state.own(clan).claimed if claimed.card == card), None)


def put_shame(at: At, clan: str, carrier: str) -> None:
    """A token from the pool onto its carrier, or the loss of honor in its place."""
    s, p = at.state, at.state.own(clan)
    if s.shame_pool <= 0:
        lose_honor(at, clan, at["shame.pool_empty_loss"], "GW-SHAME-7")
        at.kept("GW-SHAME-8")
        return
    if carrier == NONE:
        lose_honor(at, clan, at["shame.unable_loss"], "GW-SHAME-6")
        return
    if (claimed := claimed_card(at, clan, carrier)) is not None:
        claimed.shame = True
    else:
        p.supply[carrier] = p.supply.get(carrier, 0) - 1
        p.shamed[carrier] = p.shamed.get(carrier, 0) + 1
    if clan in s.carriers_left:
        s.carriers_left[clan][carrier] = s.carriers_left[clan].get(carrier, 0) - 1
    s.shame_pool -= 1
    at.note("GW-SHAME-2.put", player=clan, carrier=said(at, carrier), pool=s.shame_pool)
    at.kept("GW-SHAME-1")
    look_at_pool(at)


def lift_shame(at: At, clan: str, carrier: str) -> None:
    """A token back into the pool; its carrier is clean again (GW-SHAME-10)."""
    p = at.state.own(clan)
    if (claimed := claimed_card(at, clan, carrier)) is not None:
        claimed.shame = False
    else:
        p.shamed[carrier] -= 1
        p.supply[carrier] = p.supply.get(carrier, 0) + 1
    at.state.shame_pool += 1
    at.note("GW-SHAME-10", player=clan, carrier=said(at, carrier), pool=at.state.shame_pool)


def said(at: At, carrier: str) -> str:
    """A carrier as a sentence names it."""
    if carrier in at.rules.known("unit"):
        return f"{'an' if carrier[:1] in 'aeiou' else 'a'} {carrier}"
    return name_of(at, "horde", carrier)


# --- owing --------------------------------------------------------------------------------------------------------


def owe_shame(at: At, owed: Mapping[str, int], rule: str) -> None:
    """Players gain shame together: in tea order, each all own tokens before the next (GW-SHAME-11)."""
    clans = in_tea_order(at, [clan for clan, n in owed.items() if n > 0])
    at.then("shame_falls")
    for clan in clans:
        at.owe(clan, TakeShame.name, owed[clan], rule)
    if len(clans) > 1:
        at.kept("GW-SHAME-11")


def shame_falls(at: At) -> None:
    """The step before a token is taken: those that only cost honor do so at once."""
    while at.state.agenda and (task := at.state.agenda[0]).move == TakeShame.name:
        if at.state.own(task.who).tactics or not is_hopeless(at, task.who):
            return
        at.rules.settle_task(at.state, task)
        put_shame(at, task.who, NONE)


def put_off(at: At, task: Task) -> None:
    """A player's tokens wait for the end of the unit, because the report that owes them does not say where they go.
    Soldiers who die meanwhile carry none of them."""
    s = at.state
    s.carriers_left.setdefault(task.who, _every_carrier(at, task.who))
    s.agenda.remove(task)
    end = next((n for n, one in enumerate(s.agenda) if one.step.endswith(ENDS)), len(s.agenda))
    s.agenda[end:end] = [Task(step="shame_falls"), task]
    s.agenda.insert(0, Task(step="shame_falls"))
    advance(at)


class TakeShame(Report, frozen=True):
    """Place a shame token that is owed, under a soldier in the supply or on a claimed card."""

    owes: ClassVar[dict[str, str] | None] = {}
    elsewhere = "GW-SHAME-1"
    role = "choice"
    answers = True
    in_turn = "GW-SHAME-11"
    seen_to_fall = True
    words = ("shame",)
    repeats = "carrier"
    counted = ("token", "shame")
    done_by = "carrier"
    carrier: Annotated[Said, Carrier(after=("under", "on", "onto", "to", "beneath"))] = ""
    carriers: Annotated[tuple[Said, ...], Carrier(many=True).bringing()] = ()
    """Several tokens in one report."""

    def carrier_options(self, at: At) -> list[str] | None:
        return None if self.carriers else [*carriers(at, self.by), NONE]

    def _said(self) -> tuple[Said, ...]:
        return ((self.carrier,) if self.carrier != "" else ()) + self.carriers

    def forbidden(self, at: At) -> Iterator[Breach]:
        n, said = sum(task.n for task in at.state.agenda if _owes(task, self.by)), self._said()
        if len(said) > n:
            yield at.breach("GW-SHAME-1.number", player=self.by, n=n, said=len(said))
        elif said:
            yield from self._bad_carrier(at, said[0])

    def _bad_carrier(self, at: At, carrier: Said) -> Iterator[Breach]:
        able = carriers(at, self.by)
        named = unit_of(carrier) if isinstance(carrier, dict) else name_of(at, "horde", carrier)
        facts = {"player": self.by, "carrier": named}
        if carrier == NONE:
            if not is_hopeless(at, self.by):
                yield at.breach("GW-SHAME-5", able=[said(at, one) for one in able], **facts)
        elif at.state.shame_pool <= 0:
            yield at.breach("GW-SHAME-7.empty", n=at["shame.pool_empty_loss"], **facts)
        elif isinstance(carrier, dict):
            yield at.breach("GW-SHAME-3.place", **facts)
        elif carrier in able:
            return
        elif claimed_card(at, self.by, carrier) is not None:
            yield at.breach("GW-SHAME-4", **facts)
        elif carrier in units_of(at, self.by):
            shamed = at.state.own(self.by).shamed.get(carrier, 0)
            yield at.breach("GW-SHAME-3.shamed" if shamed else "GW-SHAME-3.none", **facts)
        else:
            yield at.breach("GW-SHAME-2.foreign", **facts)

    def apply(self, at: At) -> None:
        put_shame(at, self.by, str(self._said()[0]))
        at.then("shame_falls")

    def follow_ups(self, at: At) -> Iterator[Move]:
        owed = TakeShame(by=self.by).debt(at) is not None
        if later := tuple(one for one in self._said()[1:] if owed or not self.fell(at, self.by, one)):
            yield TakeShame(by=self.by, carriers=later)

    @classmethod
    def taken(cls, at: At, task: Task, hand: Hand) -> Move | None:
        """The carrier said for a token; None: it stays owed."""
        if left := hand.of(cls.name, task.who):
            return cls(by=task.who, carrier=left.pop(0))
        if hand.waits and task.who not in at.state.carriers_left:
            put_off(at, task)
        return None

    @classmethod
    def fell(cls, at: At, who: str, entry: Any) -> bool:
        """True if a token without a carrier has already cost honor."""
        return bool(entry == NONE and is_hopeless(at, who))


def _owes(task: Task, clan: str) -> bool:
    return task.move == TakeShame.name and task.who == clan


OWED = (TakeShame,)
STEPS = {"shame_falls": shame_falls}
