"""The Build Phase: Bu into provinces, armies and Generals (rules WS-BUILD)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated, Any, ClassVar

from companion.engine.play.moves import Breach, Count, Move, PieceName, Seat
from companion.engine.things.cards import forget
from components.phrasing import count

from .catalogue import At, cards
from .decks import discard_resources, impossible_resources
from .domains import CardList, GeneralName, listed
from .effects import supply


def _unpaid(at: At, player: str, rule: str, price: str, n: int) -> Iterator[Breach]:
    """Is the whole price there? Nothing is bought on credit (WS-BUILD-4)."""
    bu, each = at.state.players[player].bu, at[price]
    if bu < each * n:
        yield at.breach("WS-BUILD-4", rule, player=player, cost=each * n, bu=bu, each=each, n=n)


class Rebuild(Move, frozen=True):
    """Pay to turn razed provinces back to intact."""

    name = "rebuild"
    words = ("rebuild",)
    example = "rebuild qin 1"
    asks: ClassVar = {"player": "WS-BUILD-4.player"}
    player: Annotated[str, Seat()] = ""
    n: Annotated[int, Count(1)] = 1

    def options(self, at: At, field: str) -> Iterable[Any] | None:
        if field == "n":
            return range(1, at.state.players[self.player].provinces.razed + 1) if self.player else [1]
        return at.seats

    def forbidden(self, at: At) -> Iterator[Breach]:
        if not self.player:
            return
        razed = at.state.players[self.player].provinces.razed
        if not 1 <= self.n <= razed:
            yield at.breach("WS-BUILD-1.razed", player=self.player, razed=razed, n=self.n)
        yield from _unpaid(at, self.player, "WS-BUILD-1", "build.rebuild_cost", self.n)

    def apply(self, at: At) -> None:
        p = at.state.players[self.player]
        cost = at["build.rebuild_cost"] * self.n
        p.bu -= cost
        p.provinces.razed -= self.n
        p.provinces.intact += self.n
        at.note("WS-BUILD-1", player=self.player, n=self.n, bu=p.bu, cost=cost)


class BuyArmy(Move, frozen=True):
    """Pay for Army Tokens."""

    name = "buy_army"
    words = ("army", "buy army", "buy")
    example = "army qin 2"
    asks: ClassVar = {"player": "WS-BUILD-4.player"}
    player: Annotated[str, Seat()] = ""
    n: Annotated[int, Count(1)] = 1

    def options(self, at: At, field: str) -> Iterable[Any] | None:
        if field == "n":
            cost = at["build.army_cost"]
            return range(1, max(2, at.state.players[self.player].bu // cost + 1)) if self.player and cost else [1]
        return at.seats

    def forbidden(self, at: At) -> Iterator[Breach]:
        if not self.player:
            return
        if self.n < 1:
            yield at.breach("WS-BUILD-2.number", player=self.player, n=self.n)
        yield from _unpaid(at, self.player, "WS-BUILD-2", "build.army_cost", self.n)
        room = supply(at, self.player)
        if room is not None and self.n > room:
            yield at.breach("WS-BUILD-6", player=self.player, supply=room, n=self.n)

    def apply(self, at: At) -> None:
        p = at.state.players[self.player]
        cost = at["build.army_cost"] * self.n
        p.bu -= cost
        p.armies += self.n
        at.note("WS-BUILD-2", player=self.player, n=self.n, armies=p.armies, bu=p.bu, cost=cost)


class DeployGeneral(Move, frozen=True):
    """Pay to put a General from the hand into play."""

    name = "deploy_general"
    words = ("deploy", "general")
    example = "deploy qin daring"
    asks: ClassVar = {"player": "WS-BUILD-4.player", "general": "WS-BUILD-3"}
    player: Annotated[str, Seat()] = ""
    general: Annotated[str, GeneralName()] = ""

    def options(self, at: At, field: str) -> Iterable[Any] | None:
        return at.seats if field == "player" else super().options(at, field)

    def forbidden(self, at: At) -> Iterator[Breach]:
        if not self.player:
            return
        hand = at.state.players[self.player].resource_hand
        if hand < 1:
            yield at.breach("WS-BUILD-3.hand", player=self.player, hand=hand)
        elif self.general:
            yield from impossible_resources(at, self.player, [cards(at).generals[self.general].card])
        yield from _unpaid(at, self.player, "WS-BUILD-3", "build.general_cost", 1)

    def apply(self, at: At) -> None:
        p = at.state.players[self.player]
        cost = at["build.general_cost"]
        card = cards(at).generals[self.general].card
        p.bu -= cost
        p.resource_hand -= 1
        forget(p.resource_known, [card])
        p.generals.append(self.general)
        facts = {"general": self.general, "card": card, "cost": cost, "bu": p.bu, "hand": p.resource_hand}
        at.note("WS-BUILD-3", player=self.player, **facts)


class DiscardResources(Move, frozen=True):
    """A player discards unused Resource cards; they may be named or just counted."""

    name = "discard_resources"
    words = ("discard",)
    example = "discard qin"
    asks: ClassVar = {"player": "WS-BUILD-5"}
    player: Annotated[str, Seat()] = ""
    cards: Annotated[CardList, PieceName("resource", many=True)] = ()

    def options(self, at: At, field: str) -> Iterable[Any] | None:
        return at.seats if field == "player" else None

    def forbidden(self, at: At) -> Iterator[Breach]:
        if not self.player:
            return
        hand = at.state.players[self.player].resource_hand
        names = listed(self.cards)
        if len(names) > hand:
            yield at.breach("WS-BUILD-5", player=self.player, hand=hand, named=len(names))
        else:
            yield from impossible_resources(at, self.player, names)

    def apply(self, at: At) -> None:
        p = at.state.players[self.player]
        names = listed(self.cards)
        unnamed = p.resource_hand - len(names)
        discard_resources(at, self.player, names, unnamed)
        said = [*names, *([count(unnamed, "unnamed card")] if unnamed else [])]
        at.note("WS-BUILD-5.discard", player=self.player, cards=said, hand=p.resource_hand)
        if any(general.card in names for general in cards(at).generals.values()):
            at.note("WS-BUILD-7", player=self.player)
