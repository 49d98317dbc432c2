"""The two actions that spend a disc: collect and claim (rules XK-COLLECT, XK-CLAIM)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations_with_replacement
from typing import Annotated

from companion.engine.moves import Breach, Choice, Count, Move, Seat

from .catalogue import At, clockwise_from, cost_of, plural, spell, yields
from .domains import Quadrant
from .land import (
    area_of,
    describe,
    land,
    not_empty,
    occupied,
    off_the_land,
    open_areas,
    size_of,
    standing,
    vacant,
)
from .state import Piece
from .storage import receive
from .turns import made_progress, out_of_turn, pay, spend_disc, turn_goes_on, unaffordable, without_disc


def bonuses(at: At) -> dict[int, int]:
    """Popularity paid -> resources gained for it (XK-COLLECT-8); without XK-COLLECT-11 also several at once."""
    steps = {int(paid): int(more) for paid, more in at["collect.popularity_bonus"].items()}
    return steps if at.on("XK-COLLECT-11") else {**_sums(steps, at["popularity.max"]), **steps}


def _sums(steps: dict[int, int], most: int) -> dict[int, int]:
    """What several purchases together come to, the best for each amount up to `most`."""
    found: dict[int, int] = {}
    for n in range(1, most // min(steps, default=most + 1) + 1):
        for chosen in combinations_with_replacement(sorted(steps), n):
            paid = sum(chosen)
            if paid <= most:
                found[paid] = max(found.get(paid, 0), sum(steps[step] for step in chosen))
    return found


def free_disc_places(at: At) -> list[str]:
    """Empty quadrants of areas that are not occupied."""
    areas, free = land(at).of, open_areas(at)
    return [q for q in vacant(at) if q in areas and areas[q].spaces in free]


class Collect(Move, frozen=True):
    """Lay a disc, work side up, and collect the resources of its area."""

    name = "collect"
    words = ("collect", "work")
    example = "collect c3 pay 1"
    player: Annotated[str, Seat()] = ""
    at: Annotated[str, Quadrant()] = ""
    pay_popularity: Annotated[int, Count(lead=("pay", "paying"))] = 0

    def filled(self, at: At) -> Collect:
        return Collect(self.player or at.state.active or "", self.at, self.pay_popularity)

    def forbidden(self, at: At) -> Iterator[Breach]:
        yield from out_of_turn(at, self.player)
        if not self.player:
            return
        yield from without_disc(at, self.player)
        yield from off_the_land(at, self.at)
        if self.at:
            yield from not_empty(at, self.at, "XK-COLLECT-2")
            yield from occupied(at, self.at, "XK-COLLECT-1", "XK-LAND-4")
        yield from self._purchase(at)

    def _purchase(self, at: At) -> Iterator[Breach]:
        paid, steps = self.pay_popularity, bonuses(at)
        if not paid or not at.on("XK-COLLECT-8"):
            return
        have = at.state.player[self.player].popularity
        facts = {"paid": paid, "popularity": have, "steps": {str(k): v for k, v in steps.items()}}
        if paid not in steps:
            amounts = " or ".join(map(str, steps))
            yield Breach("XK-COLLECT-8", f"{amounts} popularity can be paid, not {paid}", facts)
            if paid in _sums(steps, paid):
                yield from at.against("XK-COLLECT-11", why=f"{paid} would be more than one purchase", **facts)
        if paid > have:
            yield from at.against("XK-COLLECT-9", why=f"{self.player} has {have} popularity, not {paid}", **facts)

    def needs(self, at: At) -> Iterator[Choice]:
        yield from whose(at, self.player)
        if not self.at:
            yield Choice("at", self.player, "on which quadrant?", free_disc_places(at))

    def apply(self, at: At) -> None:
        s = at.state
        p = s.player[self.player]
        area = area_of(at, self.at)
        bonus = 0
        if self.pay_popularity:
            p.popularity -= min(self.pay_popularity, p.popularity)
            bonus = bonuses(at).get(self.pay_popularity, 0) if at.on("XK-COLLECT-8") else 0
            paid = f"{self.player} pays {self.pay_popularity} popularity for {bonus} more"
            at.note("XK-COLLECT-8", paid, paid=self.pay_popularity, more=bonus)
            at.cite("XK-COLLECT-9", f"paid first, {p.popularity} popularity left", popularity=p.popularity)
            at.cite("XK-COLLECT-11", "one purchase, by the collector")
        spend_disc(at, self.player)
        s.pieces[self.at] = Piece("work" if at.on("XK-COLLECT-3") else "claim", self.player)
        where = describe(at, area) if area else self.at
        at.note("XK-COLLECT-3", f"{self.player} lays a work disc on {self.at}: {where}", at=self.at)
        at.cite("XK-COLLECT-1", "no disc lay in the area")
        at.cite("XK-COLLECT-2", "the quadrant was empty")
        at.cite("XK-LAND-1", f"{self.at} is a quadrant of the land")
        for rule in ("XK-LAND-2", "XK-LAND-3", "XK-LAND-9"):
            at.cite(rule, f"{self.at} belongs to {where}")
        if area is not None:
            kind = yields(at, area.kind)
            shops = [piece.owner for _, piece in standing(at, area) if piece.kind == "workshop"]
            receive(at, self.player, kind, self._due(at, kind, len(shops), bonus), collector=True)
            self._owners(at, kind, shops)
        turn_goes_on(at, self.player)

    def _due(self, at: At, kind: str, shops: int, bonus: int) -> int:
        """What the collector is due: quadrants, workshops, and what popularity bought."""
        area = area_of(at, self.at)
        size = size_of(at, area) if area else 0
        land_share = size * at["collect.per_quadrant"] if at.on("XK-COLLECT-4") else 0
        shop_share = shops * at["collect.per_workshop"] if at.on("XK-COLLECT-5") else 0
        due = int(land_share + shop_share + bonus)
        parts = [plural(size, "quadrant")]
        parts += [plural(shops, "workshop")] if shops else []
        parts += [f"{bonus} bought"] if bonus else []
        at.note("XK-COLLECT-4", f"{' + '.join(parts)}: {due} {kind} for {self.player}", size=size, due=due)
        at.cite("XK-LAND-8", f"the area counts {plural(size, 'quadrant')}, whatever stands there", size=size)
        at.cite("XK-COLLECT-7", f"the area yields {kind}", kind=kind)
        at.cite("XK-GAME-3", f"the area yields {kind}", kind=kind)
        at.cite("XK-PREP-4", "taken from the supply")
        if shops:
            at.cite("XK-COLLECT-5", f"{shop_share} for {plural(shops, 'workshop')}", workshops=shops)
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


class Claim(Move, frozen=True):
    """Lay a disc, claim side up: it stays there for the rest of the game."""

    name = "claim"
    words = ("claim",)
    example = "claim e1"
    player: Annotated[str, Seat()] = ""
    at: Annotated[str, Quadrant()] = ""

    def filled(self, at: At) -> Claim:
        return Claim(self.player or at.state.active or "", self.at)

    def _price(self, at: At) -> dict[str, int]:
        """Nothing (XK-CLAIM-4); if the rule were off, the cheapest price there is."""
        return {} if at.on("XK-CLAIM-4") else cost_of(at, "workshop")

    def forbidden(self, at: At) -> Iterator[Breach]:
        yield from out_of_turn(at, self.player)
        if not self.player:
            return
        yield from without_disc(at, self.player)
        yield from off_the_land(at, self.at)
        if self.at:
            yield from not_empty(at, self.at, "XK-CLAIM-2")
            yield from occupied(at, self.at, "XK-CLAIM-1", "XK-LAND-4", "XK-CLAIM-5")
        yield from unaffordable(at, self.player, self._price(at), what="a claim")

    def needs(self, at: At) -> Iterator[Choice]:
        yield from whose(at, self.player)
        if not self.at:
            yield Choice("at", self.player, "on which quadrant?", free_disc_places(at))

    def apply(self, at: At) -> None:
        s = at.state
        price = self._price(at)
        if price:
            pay(at, self.player, price, "a claim")
        spend_disc(at, self.player)
        s.pieces[self.at] = Piece("claim" if at.on("XK-CLAIM-3") else "work", self.player)
        area = area_of(at, self.at)
        where = describe(at, area) if area else self.at
        at.note("XK-CLAIM-3", f"{self.player} claims {where}: the disc on {self.at} stays", at=self.at)
        at.cite("XK-CLAIM-1", "no disc lay in the area")
        at.cite("XK-CLAIM-2", "the quadrant was empty")
        at.cite("XK-CLAIM-4", f"it costs {spell(price)} but the disc")
        at.cite("XK-CLAIM-5", "no other disc will lie in the area, and no village split it")
        made_progress(at)
        turn_goes_on(at, self.player)

    @classmethod
    def candidates(cls, at: At) -> Iterator[Move]:
        s = at.state
        if s.active is not None and s.drawn.get(s.active):
            yield from (cls(s.active, quadrant) for quadrant in free_disc_places(at))


def whose(at: At, player: str) -> Iterator[Choice]:
    """Who acts, where nobody is active."""
    if not player:
        yield Choice("player", "", "who acts?", list(at.state.players))


__all__ = ["Claim", "Collect", "bonuses", "free_disc_places", "whose"]
