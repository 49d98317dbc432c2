"""The Trade Phase, and saying that one is done with a phase (rules WS-TRADE, WS-TURN-3)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations, product
from typing import Annotated

from companion.engine.things.cards import blur, forget, learn
from companion.rules import Breach, Move, Options, Seat, Secret, Tally
from components.phrasing import count

from .catalogue import At, cards
from .decks import CardList, discard, impossible_hand, listed
from .moves import Act
from .state import clockwise

Gift = int | CardList | None
"""The gift of one side in a trade: a number of cards, or the cards."""


class Given:
    """The gift of one side in a trade: the number of cards, those that were named, and Bu."""

    def __init__(self, said: Gift) -> None:
        named = [] if isinstance(said, int) or said is None else listed(said)
        self.bu = named.count("Bu")
        self.names = [name for name in named if name != "Bu"]
        self.count = said if isinstance(said, int) else len(self.names)

    def in_words(self) -> list[str]:
        unnamed = self.count - len(self.names)
        return [*self.names, *([count(unnamed, "card")] if unnamed else []), *([f"{self.bu} Bu"] if self.bu else [])]


class Trade(Move, frozen=True):
    """Two players exchange Resource cards from hand; each side a number of cards, or the cards by name."""

    role = "free"
    sampled = True
    a: Annotated[str, Seat()] = ""
    b: Annotated[str, Seat(actor=False, after=("with", "to", "against"))] = ""
    a_gives: Annotated[Gift, Tally("goods", bare=True, loose=True), Secret()] = None
    b_gives: Annotated[
        Gift,
        Tally(
            "goods",
            bare=True,
            loose=True,
            lead=("for",),
            after=("against", "gets", "get", "got", "takes", "take", "took"),
        ),
        Secret(),
    ] = None

    def a_options(self, at: At) -> Options:
        return at.seats

    def a_gives_options(self, at: At) -> Options:
        return range(at.state.players[self.a].resource_hand + 1)

    def b_gives_options(self, at: At) -> Options:
        return range(at.state.players[self.b].resource_hand + 1) if self.b else None

    @property
    def sides(self) -> tuple[tuple[str, Gift], tuple[str, Gift]]:
        return (self.a, self.a_gives), (self.b, self.b_gives)

    def forbidden(self, at: At) -> Iterator[Breach]:
        if self.a and self.a == self.b:
            yield at.breach("WS-TRADE-2", a=self.a, b=self.b)
            return
        for player, said in self.sides:
            if player and said is not None:
                yield from self._giving(at, player, Given(said))

    def _giving(self, at: At, player: str, given: Given) -> Iterator[Breach]:
        p, known = at.state.players[player], cards(at).copies["resource"]
        foreign = Counter(name for name in given.names if name not in known)
        foreign += Counter({"Bu": 0 if at["trade.allow_bu"] else given.bu})
        if foreign:
            offered = [f"{n} Bu" if name == "Bu" else count(n, name) for name, n in foreign.items()]
            yield at.breach("WS-TRADE-4", offered=offered)
            return
        if given.count + given.bu < (least := at["trade.min_each_side"]):
            yield at.breach("WS-TRADE-3", player=player, gives=given.count + given.bu, least=least)
        if given.count > p.resource_hand:
            yield at.breach("WS-TRADE-6.cards", player=player, hand=p.resource_hand, gives=given.count)
        else:
            yield from impossible_hand(at, "resource", player, given.names, "WS-TRADE-6")
        if given.bu > p.bu:
            yield at.breach("WS-TRADE-6.bu", player=player, bu=p.bu, gives=given.bu)

    def apply(self, at: At) -> None:
        players = at.state.players
        a, b = (Given(said) for _, said in self.sides)
        for player, gives, gets in ((self.a, a, b), (self.b, b, a)):
            p = players[player]
            forget(p.resource_known, gives.names)
            blur(p.resource_known, gives.count - len(gives.names), p.resource_hand - gives.count)
            learn(p.resource_known, gets.names)
            p.resource_hand += gets.count - gives.count
            p.bu += gets.bu - gives.bu
        hands = {player: players[player].resource_hand for player, _ in self.sides}
        at.note("WS-TRADE-1", a=self.a, b=self.b, a_gives=a.in_words(), b_gives=b.in_words(), hands=hands)

    @classmethod
    def candidates(cls, at: At) -> Iterator[Move]:
        s, least = at.state, at["trade.min_each_side"]
        if s.phase == "trade":
            few = {seat: range(least, min(p.resource_hand, 2) + 1) for seat, p in s.players.items()}
            for a, b in combinations(s.seats, 2):
                yield from (cls(a, b, x, y) for x, y in product(few[a], few[b]))


def not_passed(at: At) -> list[str]:
    """The players who are not yet done with the Trade, Taxes or Build Phase (WS-TRADE-5, WS-TURN-3)."""
    s = at.state
    return [p for p in clockwise(s, s.active) if p not in s.passed]


class Pass(Act, frozen=True):
    """A player is done with the Trade, Taxes or Build Phase."""

    leaves = ("trade", "meld", "exchange_generals")

    def forbidden(self, at: At) -> Iterator[Breach]:
        s = at.state
        if self.player in s.passed:
            yield at.breach("WS-TRADE-5" if s.phase == "trade" else "WS-TURN-3", player=self.player, passed=s.passed[:])

    def apply(self, at: At) -> None:
        p = self.own(at)
        s = at.state
        if s.phase == "build" and p.resource_hand:
            at.note("WS-BUILD-5.unused", player=self.player, n=p.resource_hand)
            discard(at, "resource", self.player, (), p.resource_hand)
        s.passed = list(dict.fromkeys([*s.passed, self.player]))
        key = "WS-TRADE-5" if s.phase == "trade" else "WS-TURN-3"
        at.note(key, player=self.player, waiting_for=not_passed(at))
