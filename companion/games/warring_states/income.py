"""The Income Phase (rules WS-INCOME)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from companion.engine.things.cards import learn
from companion.rules import Breach, Count, Move, Options, PieceName, Secret, Sum
from components.phrasing import count

from .catalogue import At
from .decks import CardList, draw, drawable, impossible_draw, listed
from .events import pending_choice
from .moves import Act
from .state import clockwise


def income(at: At, player: str) -> Sum:
    """The cards a player draws in the Income Phase."""
    land = at.state.players[player].provinces
    found = Sum()
    found.add("for every player", at["income.base"], "WS-INCOME-1" if land.total else "WS-INCOME-6")
    found.add(
        f"for {count(land.intact, 'intact province')}", land.intact // at["income.provinces_per_card"], "WS-INCOME-2"
    )
    extra = at.value("income.cards", player, base=0)
    found.add(f"by {at.state.event}", extra.value, "WS-INCOME-4", *extra.rules)
    return found


def to_draw(at: At) -> list[str]:
    """The players who still have to draw, in order (WS-DECK-5)."""
    return [p for p in clockwise(at.state, at.state.active) if p not in at.state.drawn]


class DrawIncome(Act, frozen=True):
    """A player draws the Resource cards due in the Income Phase."""

    role = "event"
    words = ("draw",)
    count: Annotated[int | None, Count(of=("resource", "card"))] = None
    cards: Annotated[CardList, PieceName("resource", many=True), Secret()] = ()

    def player_options(self, at: At) -> Options:
        return to_draw(at)[:1]

    def count_options(self, at: At) -> Options:
        return [self._due(at)]

    def _due(self, at: At) -> int:
        return min(income(at, self.player).total, drawable(at, "resource"))

    def presumes(self, at: At) -> Move | None:
        return pending_choice(at)

    def forbidden(self, at: At) -> Iterator[Breach]:
        p = self.own(at)
        if self.player in at.state.drawn:
            yield at.breach("WS-INCOME-5.again", player=self.player, drawn=list(at.state.drawn))
            return
        if (first := to_draw(at)[0]) != self.player:
            yield at.breach("WS-DECK-5", player=self.player, next=first)
        if self.count is None:
            return
        due, lines, names = self._due(at), income(at, self.player), listed(self.cards)
        if self.count != due:
            facts = {"count": self.count, "due": due, "entitlement": lines.total, "sum": str(lines)}
            razed = ["WS-INCOME-3"] if p.provinces.razed else []
            if self.count != lines.total:
                yield at.breach("WS-INCOME-5.count", *lines.rules(), *razed, player=self.player, **facts)
            if due < lines.total:
                yield at.breach("WS-DECK-4.draw", count=due, due=lines.total)
        if len(names) > self.count:
            yield at.breach("WS-INCOME-5.named", named=len(names), count=self.count)
        yield from impossible_draw(at, names, self.count)

    def apply(self, at: At) -> None:
        p = self.own(at)
        lines = income(at, self.player)
        n = draw(at, "resource", self.count or 0, lines.total)
        p.resource_hand += n
        learn(p.resource_known, listed(self.cards))
        at.state.drawn.append(self.player)
        at.note_sum("WS-INCOME-5", lines, player=self.player, count=n, hand=p.resource_hand)
