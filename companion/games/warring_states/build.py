"""The Build Phase: Bu into provinces, armies and Generals (rules WS-BUILD)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, ClassVar

from companion.engine.things.cards import forget
from companion.rules import Breach, Count, Options, PieceName
from components.phrasing import count

from .catalogue import At, cards
from .decks import CardList, discard, impossible_hand, listed
from .effects import supply
from .moves import Market
from .state import Player


class _Purchase(Market, frozen=True):
    """A purchase at a price each: one, or `n`. Nothing is bought on credit (WS-BUILD-4)."""

    rule: ClassVar[str]
    price: ClassVar[str]

    def forbidden(self, at: At) -> Iterator[Breach]:
        p = self.own(at)
        n, each = getattr(self, "n", 1), at[self.price]
        if p.bu < each * n:
            yield at.breach("WS-BUILD-4", self.rule, player=self.player, cost=each * n, bu=p.bu, each=each, n=n)

    def pay(self, at: At, p: Player, **facts: Any) -> None:
        n = getattr(self, "n", 1)
        p.bu -= at[self.price] * n
        at.note(self.rule, player=self.player, n=n, cost=at[self.price] * n, bu=p.bu, **facts)


class Rebuild(_Purchase, frozen=True):
    """Pay to turn razed provinces back to intact."""

    rule = "WS-BUILD-1"
    price = "build.rebuild_cost"
    n: Annotated[int, Count(1, of=("province", "razed", "ruin"))] = 1

    def n_options(self, at: At) -> Options:
        return range(1, at.state.players[self.player].provinces.razed + 1)

    def everything(self, at: At, field: str) -> Any:
        razed = at.state.players[self.player].provinces.razed if self.player else 0
        return razed if field else {"n": razed}

    def forbidden(self, at: At) -> Iterator[Breach]:
        p = self.own(at)
        if not 1 <= self.n <= p.provinces.razed:
            key = "number" if self.n < 1 else "razed" if p.provinces.razed else "none"
            yield at.breach(f"WS-BUILD-1.{key}", player=self.player, razed=p.provinces.razed, n=self.n)
        yield from super().forbidden(at)

    def apply(self, at: At) -> None:
        p = self.own(at)
        p.provinces.razed -= self.n
        p.provinces.intact += self.n
        self.pay(at, p)


class BuyArmy(_Purchase, frozen=True):
    """Pay for Army Tokens."""

    words = ("army",)
    rule = "WS-BUILD-2"
    price = "build.army_cost"
    n: Annotated[int, Count(1, of=("army", "more"))] = 1

    def n_options(self, at: At) -> Options:
        return range(1, max(1, at.state.players[self.player].bu // (at[self.price] or 1)) + 1)

    def forbidden(self, at: At) -> Iterator[Breach]:
        if self.n < 1:
            yield at.breach("WS-BUILD-2.number", player=self.player, n=self.n)
        yield from super().forbidden(at)
        room = supply(at, self.player)
        if room is not None and self.n > room:
            yield at.breach(f"WS-BUILD-6.{'few' if room else 'none'}", player=self.player, supply=room, n=self.n)

    def apply(self, at: At) -> None:
        p = self.own(at)
        p.armies += self.n
        self.pay(at, p, armies=p.armies)


class DeployGeneral(_Purchase, frozen=True):
    """Pay to put a General from the hand into play."""

    words = ("deploy",)
    rule = "WS-BUILD-3"
    price = "build.general_cost"
    general: Annotated[str, PieceName("general")] = ""

    def forbidden(self, at: At) -> Iterator[Breach]:
        p = self.own(at)
        if p.resource_hand < 1:
            yield at.breach("WS-BUILD-3.hand", player=self.player, hand=p.resource_hand)
        elif self.general:
            yield from impossible_hand(
                at, "resource", self.player, [cards(at).generals[self.general].card], "WS-BUILD-3"
            )
        yield from super().forbidden(at)

    def apply(self, at: At) -> None:
        p = self.own(at)
        card = cards(at).generals[self.general].card
        p.resource_hand -= 1
        forget(p.resource_known, [card])
        p.generals.append(self.general)
        self.pay(at, p, general=self.general, card=card, hand=p.resource_hand)


class DiscardResources(Market, frozen=True):
    """A player discards unused Resource cards; they may be named or just counted."""

    verbless = False
    words = ("discard",)
    cards: Annotated[CardList, PieceName("resource", many=True)] = ()

    def everything(self, at: At, field: str) -> Any:
        return () if field else {"cards": ()}

    def forbidden(self, at: At) -> Iterator[Breach]:
        p = self.own(at)
        names = listed(self.cards)
        if len(names) > p.resource_hand:
            yield at.breach("WS-BUILD-5", player=self.player, hand=p.resource_hand, named=len(names))
        else:
            yield from impossible_hand(at, "resource", self.player, names, "WS-BUILD-5")

    def apply(self, at: At) -> None:
        p = self.own(at)
        names = listed(self.cards)
        unnamed = p.resource_hand - len(names)
        discard(at, "resource", self.player, names, unnamed)
        said = [*names, *([count(unnamed, "unnamed card")] if unnamed else [])]
        at.note("WS-BUILD-5.discard", player=self.player, cards=said, hand=p.resource_hand)
        if any(general.card in names for general in cards(at).generals.values()):
            at.note("WS-BUILD-7", player=self.player)
