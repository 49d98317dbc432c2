"""The two actions that spend a disc: collect and claim (rules XK-COLLECT, XK-CLAIM)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from companion.engine.play.moves import Breach, Count, Move
from components.phrasing import count

from .actions import DiscAction, made_progress
from .catalogue import At, clockwise_from, either, spell, yields
from .land import area_of, describe, free_disc_places, size_of, standing
from .prices import cost_of, pay, unaffordable
from .state import Piece
from .storage import receive


def bonuses(at: At) -> dict[int, int]:
    """Popularity paid -> resources gained for it (XK-COLLECT-8); without XK-COLLECT-11 also several at once."""
    steps = {int(paid): int(more) for paid, more in at["collect.popularity_bonus"].items()}
    return steps if at.on("XK-COLLECT-11") else {**_sums(steps, at["popularity.max"]), **steps}


def _sums(steps: dict[int, int], most: int) -> dict[int, int]:
    """What several purchases together come to, the best for each amount from 1 to `most`."""
    best = {0: 0}
    for paid in range(1, most + 1):
        ways = [best[paid - step] + more for step, more in steps.items() if paid - step in best]
        if ways:
            best[paid] = max(ways)
    del best[0]
    return best


class Collect(DiscAction, frozen=True):
    """Lay a disc, work side up, and collect the resources of its area."""

    name = "collect"
    words = ("collect", "work")
    example = "collect c3 pay 1"
    on_empty = "XK-COLLECT-2"
    in_free_area = ("XK-COLLECT-1", "XK-LAND-4")
    pay_popularity: Annotated[int, Count(lead=("pay", "paying"))] = 0

    def breaks(self, at: At) -> Iterator[Breach]:
        yield from super().breaks(at)
        yield from self._purchase(at)

    def _purchase(self, at: At) -> Iterator[Breach]:
        paid, steps = self.pay_popularity, bonuses(at)
        if not paid or not at.on("XK-COLLECT-8"):
            return
        have = at.state.player[self.player].popularity
        facts = {"paid": paid, "popularity": have, "steps": {str(k): v for k, v in steps.items()}}
        if paid not in steps:
            amounts = either(steps) or "no"
            yield Breach("XK-COLLECT-8", f"{amounts} popularity can be paid, not {paid}", facts)
            if paid in _sums(steps, at["popularity.max"]):
                yield from at.against("XK-COLLECT-11", why=f"{paid} would be more than one purchase", **facts)
        if paid > have:
            yield from at.against("XK-COLLECT-9", why=f"{self.player} has {have} popularity, not {paid}", **facts)

    def carry_out(self, at: At) -> None:
        s = at.state
        p = s.player[self.player]
        area = area_of(at, self.at)
        bonus = 0
        if self.pay_popularity:
            p.popularity -= min(self.pay_popularity, p.popularity)
            bonus = bonuses(at).get(self.pay_popularity, 0) if at.on("XK-COLLECT-8") else 0
            paid = f"{self.player} pays {self.pay_popularity} popularity for {bonus} more, {p.popularity} left"
            at.note("XK-COLLECT-8", paid, paid=self.pay_popularity, more=bonus)
            at.cite("XK-COLLECT-9", f"paid first, {p.popularity} popularity left", popularity=p.popularity)
            at.cite("XK-COLLECT-11", "one purchase, by the collector")
        s.pieces[self.at] = Piece("work" if at.on("XK-COLLECT-3") else "claim", self.player)
        where = describe(at, area) if area else self.at
        at.note("XK-COLLECT-3", f"{self.player} lays a work disc on {self.at}: {where}", at=self.at)
        at.cite("XK-LAND-1", f"{self.at} is a quadrant of the land")
        for rule in ("XK-LAND-2", "XK-LAND-3", "XK-LAND-9"):
            at.cite(rule, f"{self.at} belongs to {where}")
        if area is not None:
            kind = yields(at, area.kind)
            shops = [piece.owner for _, piece in standing(at, area) if piece.kind == "workshop"]
            receive(at, self.player, kind, self._due(at, kind, len(shops), bonus), collector=True)
            self._owners(at, kind, shops)
        self.spend_disc(at)

    def _due(self, at: At, kind: str, shops: int, bonus: int) -> int:
        """What the collector is due: quadrants, workshops, and what popularity bought."""
        area = area_of(at, self.at)
        size = size_of(at, area) if area else 0
        land_share = size * at["collect.per_quadrant"] if at.on("XK-COLLECT-4") else 0
        shop_share = shops * at["collect.per_workshop"] if at.on("XK-COLLECT-5") else 0
        due = int(land_share + shop_share + bonus)
        parts = [count(size, "quadrant")]
        parts += [count(shops, "workshop")] if shops else []
        parts += [f"{bonus} bought"] if bonus else []
        at.note("XK-COLLECT-4", f"{' + '.join(parts)}: {due} {kind} for {self.player}", size=size, due=due)
        at.cite("XK-LAND-8", f"the area counts {count(size, 'quadrant')}, whatever stands there", size=size)
        at.cite("XK-COLLECT-7", f"the area yields {kind}", kind=kind)
        at.cite("XK-GAME-3", f"the area yields {kind}", kind=kind)
        at.cite("XK-PREP-4", "taken from the supply")
        if shops:
            at.cite("XK-COLLECT-5", f"{shop_share} for {count(shops, 'workshop')}", workshops=shops)
        return due

    def _owners(self, at: At, kind: str, shops: list[str | None]) -> None:
        """Owners of workshops in the area, clockwise from the collector (XK-COLLECT-6, -10)."""
        if not at.on("XK-COLLECT-6"):
            return
        for owner in clockwise_from(at, self.player)[:-1]:
            share = shops.count(owner) * at["collect.owner_share"]
            if share:
                at.note("XK-COLLECT-6", f"{owner} gains {share} {kind} for a workshop", player=owner, share=share)
                receive(at, owner, kind, share, collector=False)

    @classmethod
    def candidates(cls, at: At) -> Iterator[Move]:
        s = at.state
        player = s.active
        if player is None or not s.drawn.get(player):
            return
        amounts = [0, *(paid for paid in bonuses(at) if paid <= s.player[player].popularity)]
        for quadrant in free_disc_places(at):
            yield from (cls(player, quadrant, paid) for paid in amounts)


class Claim(DiscAction, frozen=True):
    """Lay a disc, claim side up: it stays there for the rest of the game."""

    name = "claim"
    words = ("claim",)
    example = "claim e1"
    on_empty = "XK-CLAIM-2"
    in_free_area = ("XK-CLAIM-1", "XK-LAND-4", "XK-CLAIM-5")

    def _price(self, at: At) -> dict[str, int]:
        """Nothing (XK-CLAIM-4); if the rule were off, the cheapest price there is."""
        return {} if at.on("XK-CLAIM-4") else cost_of(at, "workshop")

    def breaks(self, at: At) -> Iterator[Breach]:
        yield from super().breaks(at)
        yield from unaffordable(at, self.player, self._price(at), what="a claim")

    def carry_out(self, at: At) -> None:
        s = at.state
        price = self._price(at)
        if price:
            pay(at, self.player, price, "a claim", "XK-CLAIM-4")
        s.pieces[self.at] = Piece("claim" if at.on("XK-CLAIM-3") else "work", self.player)
        area = area_of(at, self.at)
        where = describe(at, area) if area else self.at
        at.note("XK-CLAIM-3", f"{self.player} claims {where}: the disc on {self.at} stays", at=self.at)
        at.cite("XK-CLAIM-4", f"it costs {spell(price)} but the disc")
        at.cite("XK-CLAIM-5", "no other disc will lie in the area, and no village split it")
        made_progress(at)
        self.spend_disc(at)

    @classmethod
    def candidates(cls, at: At) -> Iterator[Move]:
        s = at.state
        if s.active is not None and s.drawn.get(s.active):
            yield from (cls(s.active, quadrant) for quadrant in free_disc_places(at))


__all__ = ["Claim", "Collect", "bonuses"]
