"""The Trade Phase, and saying that one is done with a phase (rules WS-TRADE, WS-TURN-3)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated, Any, ClassVar

from companion.engine.play.moves import Breach, Move, Seat
from companion.engine.things.cards import blur, forget
from components.phrasing import count

from .catalogue import At, cards
from .decks import discard_resources, impossible_resources, learn
from .domains import Gift, Goods, gift


class Trade(Move, frozen=True):
    """Two players exchange Resource cards from hand; each side a number of cards, or the cards by name."""

    name = "trade"
    role = "free"
    words = ("trade", "swap")
    example = "qin trade chu 2 for 1"
    sampled = True
    asks: ClassVar = {"a": "WS-TRADE-1.a", "b": "WS-TRADE-1.b", "a_gives": "WS-TRADE-3.a", "b_gives": "WS-TRADE-3.b"}
    a: Annotated[str, Seat()] = ""
    b: Annotated[str, Seat(actor=False)] = ""
    a_gives: Annotated[Gift, Goods("resource", bare=True)] = None
    b_gives: Annotated[Gift, Goods("resource", bare=True, lead=("for",))] = None

    def options(self, at: At, field: str) -> Iterable[Any] | None:
        if field in ("a", "b"):
            return at.seats
        giver = self.a if field == "a_gives" else self.b
        return range(at.state.players[giver].resource_hand + 1) if giver else None

    @property
    def sides(self) -> tuple[tuple[str, Gift], tuple[str, Gift]]:
        return (self.a, self.a_gives), (self.b, self.b_gives)

    def forbidden(self, at: At) -> Iterator[Breach]:
        if self.a and self.a == self.b:
            yield at.breach("WS-TRADE-2", a=self.a, b=self.b)
            return
        for player, said in self.sides:
            if player and said is not None:
                yield from self._giving(at, player, said)

    def _giving(self, at: At, player: str, said: Gift) -> Iterator[Breach]:
        p = at.state.players[player]
        n, names = gift(said)
        bu = names.count("Bu") if at["trade.allow_bu"] else 0
        given = [name for name in names if name in cards(at).resources]
        foreign = [name for name in names if name not in given and not (bu and name == "Bu")]
        if foreign:
            yield at.breach("WS-TRADE-4", offered=foreign)
            return
        if n < (least := at["trade.min_each_side"]):
            yield at.breach("WS-TRADE-3", player=player, gives=n, least=least)
        if n - bu > p.resource_hand:
            yield at.breach("WS-TRADE-6.cards", player=player, hand=p.resource_hand, gives=n - bu)
        else:
            yield from impossible_resources(at, player, given)
        if bu > p.bu:
            yield at.breach("WS-TRADE-6.bu", player=player, bu=p.bu, gives=bu)

    def apply(self, at: At) -> None:
        players = at.state.players
        given = []
        for player, said in self.sides:
            p = players[player]
            n, names = gift(said)
            bu = names.count("Bu")
            named = [name for name in names if name != "Bu"]
            unnamed = n - len(names)
            p.resource_hand -= n - bu
            p.bu -= bu
            forget(p.resource_known, named)
            blur(p.resource_known, unnamed, p.resource_hand)
            given.append((named, unnamed, bu))
        for taker, (named, unnamed, bu) in zip((self.b, self.a), given, strict=True):
            players[taker].resource_hand += len(named) + unnamed
            players[taker].bu += bu
            learn(players[taker].resource_known, named)
        a_gives, b_gives = (_said(*gives) for gives in given)
        hands = {player: players[player].resource_hand for player, _ in self.sides}
        at.note("WS-TRADE-1", a=self.a, b=self.b, a_gives=a_gives, b_gives=b_gives, hands=hands)

    @classmethod
    def candidates(cls, at: At) -> Iterator[Move]:
        s = at.state
        least = at["trade.min_each_side"]
        if s.phase == "trade":
            for i, a in enumerate(s.seats):
                for b in s.seats[i + 1 :]:
                    for x in range(least, min(s.players[a].resource_hand, 2) + 1):
                        yield from (cls(a, b, x, y) for y in range(least, min(s.players[b].resource_hand, 2) + 1))


def _said(named: list[str], unnamed: int, bu: int) -> list[str]:
    return [*named, *([count(unnamed, "card")] if unnamed else []), *([f"{bu} Bu"] if bu else [])]


class Pass(Move, frozen=True):
    """A player is done with the Trade, Taxes or Build Phase."""

    name = "pass"
    words = ("pass", "done")
    example = "pass qin"
    asks: ClassVar = {"player": "WS-TURN-3"}
    player: Annotated[str, Seat()] = ""

    def forbidden(self, at: At) -> Iterator[Breach]:
        s = at.state
        if self.player in s.passed:
            yield at.breach("WS-TRADE-5" if s.phase == "trade" else "WS-TURN-3", player=self.player, passed=s.passed[:])

    def apply(self, at: At) -> None:
        s = at.state
        p = s.players[self.player]
        if s.phase == "build" and p.resource_hand:
            at.note("WS-BUILD-5.unused", player=self.player, n=p.resource_hand)
            discard_resources(at, self.player, (), p.resource_hand)
        if self.player not in s.passed:
            s.passed.append(self.player)
        waiting = [q for q in s.seats if q not in s.passed]
        at.note("WS-TRADE-5" if s.phase == "trade" else "WS-TURN-3", player=self.player, waiting_for=waiting)
