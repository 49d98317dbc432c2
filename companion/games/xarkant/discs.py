"""The uses of a disc: it lies on an empty quadrant, collects resources or claims land (rules XK-COLLECT, XK-CLAIM)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, ClassVar

from companion.engine.things.spaces import Area
from companion.rules import Breach, Count, Options

from .catalogue import At
from .domains import Quadrant
from .land import in_words, land, not_empty, occupied, off_the_land, standing
from .state import Piece
from .storage import available, store
from .turns import Action


class DiscAction(Action, frozen=True):
    """An action that lays a drawn disc on an empty quadrant of an area that is not occupied."""

    area_rule: ClassVar[str]
    """The rule that wants the area unoccupied."""
    repeats = ""
    quadrant_rule: ClassVar[str]
    """The rule that wants the quadrant empty."""
    at: Annotated[str, Quadrant(after=("from", "to"))] = ""

    def forbidden(self, at: At) -> Iterator[Breach]:
        yield from super().forbidden(at)
        s = at.state
        if self.player == s.active and not s.drawn.get(self.player):
            yield at.breach("XK-TURN-4", player=self.player, drawn=0)
        yield from off_the_land(at, self.at)
        yield from not_empty(at, self.at, self.quadrant_rule)
        yield from occupied(at, self.at, self.area_rule)

    def lay_disc(self, at: At, kind: str) -> None:
        """Use one of the player's drawn discs (XK-TURN-4)."""
        s = at.state
        s.pieces[self.at] = Piece(kind, self.player)  # type: ignore[arg-type]
        s.drawn[self.player] = max(0, s.drawn.get(self.player, 0) - 1)
        at.note("XK-TURN-4", player=self.player, left=s.drawn[self.player])


def bonuses(at: At) -> dict[int, int]:
    """Popularity paid -> resources gained for it (XK-COLLECT-8)."""
    return {int(paid): int(more) for paid, more in at["collect.popularity_bonus"].items()}


class Collect(DiscAction, frozen=True):
    """Lay a disc, work side up, and collect the resources of its area."""

    area_rule = "XK-COLLECT-1"
    quadrant_rule = "XK-COLLECT-2"
    pay_popularity: Annotated[
        int,
        Count(
            lead=("pay", "paying", "spend", "spending"),
            after=("for", "with"),
            of=("popularity", "heart"),
            announced=True,
        ),
    ] = 0

    def pay_popularity_options(self, at: At) -> Options:
        return (0, *bonuses(at))

    def forbidden(self, at: At) -> Iterator[Breach]:
        yield from super().forbidden(at)
        p = self.board(at)
        paid, steps, have = self.pay_popularity, list(bonuses(at)), p.popularity
        if paid and paid not in steps:
            yield at.breach(f"XK-COLLECT-8.{'step' if steps else 'none'}", paid=paid, popularity=have, steps=steps)
        if paid > have:
            yield at.breach("XK-COLLECT-9", player=self.player, paid=paid, popularity=have)

    def apply(self, at: At) -> None:
        area = land(at).of[self.at]
        at.note("XK-COLLECT-3", player=self.player, at=self.at, **in_words(at, area))
        self._harvest(at, area)
        self.lay_disc(at, "work")

    def _harvest(self, at: At, area: Area[str]) -> None:
        kind = str(at[f"types.{area.kind}.resource"])
        shops = [piece.owner for _, piece in standing(at, area) if piece.kind == "workshop"]
        p, more = self.board(at), bonuses(at).get(self.pay_popularity, 0)
        if paid := min(self.pay_popularity, p.popularity):  # XK-COLLECT-8, -9
            p.popularity -= paid
            at.note("XK-COLLECT-9", player=self.player, paid=paid, popularity=p.popularity)
        land_share = area.size * at["collect.per_quadrant"]
        shop_share = len(shops) * at["collect.per_workshop"]
        at.note("XK-COLLECT-4", player=self.player, kind=kind, size=area.size, due=land_share)
        if shops:
            at.note("XK-COLLECT-5", kind=kind, workshops=len(shops), due=shop_share)
        if more:
            at.note("XK-COLLECT-8", kind=kind, paid=self.pay_popularity, more=more)
        taken = available(at, self.player, kind, land_share + shop_share + more)
        if taken != land_share:
            at.note("XK-COLLECT-7", player=self.player, kind=kind, due=taken)
        store(at, "XK-STORE-1", self.player, kind, taken)
        for owner in at.state.clockwise_from(self.player)[:-1]:
            n = shops.count(owner)
            if share := available(at, owner, kind, n * at["collect.owner_share"]):
                at.note("XK-COLLECT-6", player=owner, kind=kind, workshops=n, share=share)
                store(at, "XK-STORE-4", owner, kind, share)


class Claim(DiscAction, frozen=True):
    """Lay a disc, claim side up: it stays there for the rest of the game."""

    at: Annotated[str, Quadrant(after=("from", "to"), yields=False)] = ""
    area_rule = "XK-CLAIM-1"
    quadrant_rule = "XK-CLAIM-2"

    def apply(self, at: At) -> None:
        at.note("XK-CLAIM-3.claims", player=self.player, at=self.at, **in_words(at, land(at).of[self.at]))
        at.state.progress = True
        self.lay_disc(at, "claim")
