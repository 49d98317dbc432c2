"""Whoever has a choice says which cube becomes the mark, and which armies are lost (rules DY-SIX-3, DY-COMBAT-12)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Annotated

import msgspec

from companion.engine.play.moves import Breach, Choice, Move, Seat

from .battle import advance_battle
from .catalogue import At, armies, name, spell
from .domains import Place, SourceTally
from .dues import first_to_pay, pay_cost, pay_mark
from .state import Battle, Sources
from .supply import sources


def _paid_already(paid: Mapping[str, object], due: Collection[str], player: str, said: object) -> bool:
    """Whether this payment has been made. The payer may be left out while nobody owes another one."""
    payers = [player] if player else [] if due else list(paid)
    return any(payer in paid and paid[payer] == said for payer in payers)


def _pays_later(b: Battle, player: str) -> Iterator[Breach]:
    """White pays before Black (DY-REVEAL-4)."""
    first = first_to_pay(b)
    if player and first != player:
        yield Breach("DY-REVEAL-4", f"{name(first or '')} pays before {name(player)}", {"first": first})


class PayMark(Move, frozen=True):
    """The owner of a 6 takes its mark from the reserve or from a province."""

    name = "pay_mark"
    role = "choice"
    words = ("mark", "pay mark")
    example = "black mark reserve"
    player: Annotated[str, Seat()] = ""
    source: Annotated[str, Place()] = ""

    def filled(self, at: At) -> PayMark:
        b = at.state.fighting
        return PayMark(b.mark_due[0], self.source) if b and b.mark_due and not self.player else self

    def already(self, at: At) -> bool:
        b = at.state.battle
        return b is not None and _paid_already(b.marks_paid, b.mark_due, self.player, self.source)

    def forbidden(self, at: At) -> Iterator[Breach]:
        b = at.state.fighting
        if b is None or not b.mark_due or (self.player and self.player not in b.mark_due):
            if b is not None and self.player in b.idle_six:
                yield Breach(
                    "DY-SIX-9",
                    f"the 6 of {name(self.player)} counts for nothing here, and no mark is paid",
                    {"province": b.province},
                )
            else:
                yield Breach(
                    "DY-SIX-1",
                    f"no mark is due{' from ' + name(self.player) if self.player else ''}",
                    {"mark_due": list(b.mark_due) if b else []},
                )
            return
        yield from _pays_later(b, self.player)
        if self.source and self.source not in sources(at, self.player):
            where = "in the reserve" if self.source == "reserve" else f"in {self.source}"
            yield Breach("DY-SIX-3", f"{name(self.player)} has no army {where}", {"sources": sources(at, self.player)})

    def needs(self, at: At) -> Iterator[Choice]:
        if not self.source:
            yield Choice("source", self.player, "from where?", list(sources(at, self.player)))

    def apply(self, at: At) -> None:
        b = at.state.fighting
        if b is not None:
            pay_mark(at, b, self.player, self.source)
            advance_battle(at)

    @classmethod
    def candidates(cls, at: At) -> Iterator[Move]:
        b = at.state.fighting
        for player in b.mark_due if b else ():
            yield from (cls(player, source) for source in sources(at, player))


class PayCost(Move, frozen=True):
    """The owner of a costly modifier says which armies leave the game."""

    name = "pay_cost"
    role = "choice"
    words = ("cost", "pay cost")
    example = "white cost 1 reserve"
    player: Annotated[str, Seat()] = ""
    sources: Annotated[Sources, SourceTally()] = msgspec.field(default_factory=dict)

    def filled(self, at: At) -> PayCost:
        b = at.state.fighting
        return PayCost(next(iter(b.cost_due)), self.sources) if b and len(b.cost_due) == 1 and not self.player else self

    def already(self, at: At) -> bool:
        b = at.state.battle
        return b is not None and _paid_already(b.costs_paid, b.cost_due, self.player, self.sources)

    def forbidden(self, at: At) -> Iterator[Breach]:
        b = at.state.fighting
        if b is None or not b.cost_due or (self.player and self.player not in b.cost_due):
            yield Breach(
                "DY-COMBAT-11",
                f"no loss is due{' from ' + name(self.player) if self.player else ''}",
                {"cost_due": dict(b.cost_due) if b else {}},
            )
            return
        yield from _pays_later(b, self.player)
        if not self.sources or not self.player:
            return
        due, offer = b.cost_due[self.player], sources(at, self.player)
        if sum(self.sources.values()) != due:
            yield Breach(
                "DY-COMBAT-11",
                f"{armies(due)} are lost, not {sum(self.sources.values())}",
                {"due": due, "sources": dict(self.sources)},
            )
        wrong = [p for p, n in self.sources.items() if not 0 <= n <= offer.get(p, 0)]
        if wrong:
            yield Breach("DY-COMBAT-12", f"{name(self.player)} has {spell(offer)}", {"sources": offer})

    def needs(self, at: At) -> Iterator[Choice]:
        b = at.state.fighting
        if b and not self.player:
            yield Choice("player", "", "who pays?", list(b.cost_due))
        if not self.sources:
            yield Choice("sources", self.player, "from where?", list(sources(at, self.player)) if self.player else [])

    def apply(self, at: At) -> None:
        b = at.state.fighting
        if b is not None:
            pay_cost(at, b, self.player, {p: n for p, n in self.sources.items() if n})
            advance_battle(at)

    @classmethod
    def candidates(cls, at: At) -> Iterator[Move]:
        b = at.state.fighting
        for player, due in b.cost_due.items() if b else ():
            for place, n in sources(at, player).items():
                if n >= due:
                    yield cls(player, {place: due})


__all__ = ["PayCost", "PayMark"]
