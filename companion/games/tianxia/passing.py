"""Passing: the marker for the next round, a tile, palace steps for figurines (rules TX-PASS)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated, Any, ClassVar

from companion.rules import UNSAID, Breach, Options, Part, Parts, PieceName

from .catalogue import At
from .free import FREE
from .palace import bad_choice, open_to, step
from .tiles import owns, receive
from .turns import AnyTurn, Step, TileName, Unset, to_act


def takeable(at: At, who: str) -> list[str]:
    """The tiles below the round track that a player may own (TX-PASS-5, TX-FIG-2)."""
    return [tile for tile in dict.fromkeys(at.state.round_tiles) if not owns(at, who, tile)]


def steps_allowed(at: At, who: str) -> int:
    """The number of palace steps that a player may buy when passing (TX-PASS-6)."""
    return len(at.state.player[who].figurines) * int(at["figurine.steps_per_figurine"])


class Takeable(TileName):
    """A tile below the round track, or none of them."""

    def spoken(self, at: At) -> dict[str, Any]:
        return {**super().spoken(at), "without tile": None, "no tile": None}


class TakeTile(Part, frozen=True):
    """Take a tile from below the round track."""

    words = ("tile", "")
    asks: ClassVar[dict[str, str]] = {"tile": "TX-PASS-4.tile"}
    tile: Annotated[str | Unset | None, Takeable("tile", after=("with", "for"))] = UNSAID
    """None: there is none to take."""

    def tile_options(self, at: At) -> Options:
        return dict.fromkeys(at.state.round_tiles) or [None]

    def forbidden(self, at: At) -> Iterator[Breach]:
        if at.turn.count(TakeTile):
            yield at.breach("TX-PASS-4.twice", player=at.mover)
        if at.turn.count(Buy):
            yield at.breach("TX-PASS-2", player=at.mover)
        if self.tile is None and (free := takeable(at, at.mover)):
            yield at.breach("TX-PASS-9", player=at.mover, tiles=free)
        elif self.tile in (None, UNSAID):
            return
        elif self.tile not in at.state.round_tiles:
            yield at.breach("TX-PASS-4.gone", tile=self.tile, tiles=list(at.state.round_tiles))
        elif owns(at, at.mover, str(self.tile)):
            yield at.breach("TX-FIG-2.owned", player=at.mover, tile=self.tile)

    def apply(self, at: At) -> None:
        if self.tile is None:
            at.note("TX-PASS-5.none", player=at.mover)
            return
        at.state.round_tiles.remove(str(self.tile))
        receive(at, at.mover, str(self.tile))
        at.note("TX-PASS-4.take", player=at.mover, tile=self.tile)
        at.kept("TX-PASS-9")


class Buy(Step, frozen=True):
    """Buy a palace step."""

    words = ("buy", "")
    undone: ClassVar[tuple[str, ...]] = (
        "no step",
        "buy no step",
        "take no step",
        "buy nothing",
        "buy none",
        "none either",
        "nothing else",
        "no more",
    )
    asks: ClassVar[dict[str, str]] = {"buy": "TX-PASS-8.track"}
    buy: Annotated[str | Unset, PieceName("palace", of=("track", "step", "palace"))] = UNSAID

    def forbidden(self, at: At) -> Iterator[Breach]:
        who, n = at.mover, at.turn.count(Buy) + 1
        p, allowed = at.state.player[who], steps_allowed(at, who)
        if self.buy is not UNSAID:
            yield from bad_choice(at, who, str(self.buy))
        if n > allowed:
            yield at.breach("TX-PASS-6", player=who, figurines=len(p.figurines), allowed=allowed, n=n)
        cost = at.value("figurine.step.cost.coin", who)
        if cost.value > p.coin:
            yield at.breach("TX-PASS-7.coin", player=who, has=p.coin, cost=cost.sum)

    def apply(self, at: At) -> None:
        cost = at.value("figurine.step.cost.coin", at.mover)
        at.state.player[at.mover].coin -= cost.value
        at.note("TX-PASS-7.buy", player=at.mover, track=self.buy, sum=cost.sum)
        at.kept("TX-PASS-6", "TX-PASS-8", "TX-PASS-10", "TX-PASS-11")
        step(at, at.mover, str(self.buy))


class PassTurn(AnyTurn, frozen=True):
    """Pass: the next place in the turn order, a tile, then palace steps for coins."""

    name = "pass"
    sampled = True
    steps: Annotated[tuple[Any, ...], Parts(TakeTile, Buy, lead=FREE)] = ()

    @classmethod
    def candidates(cls, at: At) -> Iterator[PassTurn]:
        for who in to_act(at)[:1]:
            taken: list[tuple[Part, ...]] = [(TakeTile(tile),) for tile in takeable(at, who)] or [()]
            yield from (PassTurn(who, one) for one in taken)
            if steps_allowed(at, who):
                yield from (PassTurn(who, (*taken[0], Buy(track))) for track in open_to(at, who))

    def begin(self, at: At) -> None:
        at.state.next_order.append(self.player)
        at.note("TX-PASS-1.pass", player=self.player, place=len(at.state.next_order))
        at.kept("TX-PASS-2", "TX-ACT-9", *(["TX-PASS-3"] if at.state.player[self.player].markers else []))

    def missing(self, at: At) -> Iterable[Part]:
        """A typed line that only passes is asked for the tile; a report without it is refused."""
        if at.open and not self.count(TakeTile, Buy) and takeable(at, self.player):
            yield TakeTile()

    def closing(self, at: At) -> Iterator[Breach]:
        if not self.count(TakeTile) and (free := takeable(at, self.player)):
            yield at.breach("TX-PASS-9", player=self.player, tiles=free)
