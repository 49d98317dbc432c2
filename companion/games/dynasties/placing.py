"""Placing armies: from the reserve first, then from bordering provinces, then from anywhere (rules DY-PLACE)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated, Any, ClassVar, NamedTuple

import msgspec

from companion.engine.play.moves import Breach, Move, Seat, Tally, default_options

from .armies import is_choice, spell, take, ways
from .catalogue import At, Facts, cat, name
from .moves import go_on
from .state import Battle, Sources


class Step(NamedTuple):
    """One of the three steps of placing: so many armies come from these places, which have so many."""

    rule: str
    n: int
    offer: Sources


def comes_from(at: At, b: Battle) -> list[Step]:
    """The steps in which the winner's armies come. Once they have been placed: those in which they came."""
    s, winner = at.state, b.winner or ""
    if b.placed:
        own, left = b.placed, sum(b.placed.values())
    else:
        own = {"reserve": s.players[winner].reserve, **{q: p.of(winner) for q, p in s.provinces.items()}}
        left = b.to_place
    near = cat(at).borders[b.province]
    far = [q for q in s.provinces if q not in near and q != b.province]
    found = []
    for rule, places in (("DY-PLACE-2", ["reserve"]), ("DY-PLACE-3", near), ("DY-PLACE-4", far)):
        offer = {q: own[q] for q in places if own.get(q)}
        n = min(left, sum(offer.values()))
        found.append(Step(rule, n, offer if n else {}))
        left -= n
    return found


def place(at: At, b: Battle, taken: Sources) -> None:
    player, borders = b.winner or "", cat(at).borders[b.province]
    for source, n in taken.items():
        take(at, player, source, n)
        at.state.provinces[b.province].add(player, n)
    b.placed, b.to_place = taken, 0
    facts: Facts = {"player": name(player), "n": sum(taken.values()), "province": b.province, "taken": spell(taken)}
    at.note("DY-PLACE-1", **facts, sources=taken)
    provinces = taken.keys() - {"reserve"}
    if provinces and "reserve" in taken:
        at.note("DY-PLACE-2", player=name(player))
    if not provinces.isdisjoint(borders):
        at.note("DY-PLACE-3", province=b.province, borders=borders)
    if provinces - {*borders}:
        at.note("DY-PLACE-4", province=b.province)


class PlaceArmies(Move, frozen=True):
    """The winner says from where the armies come that have to be placed."""

    name = "place"
    role = "choice"
    words = ("place",)
    example = "white place 1 tibet 2 gansu"
    asks: ClassVar = {"sources": "DY-PLACE-5"}
    player: Annotated[str, Seat()] = ""
    sources: Annotated[Sources, Tally("place")] = msgspec.field(default_factory=dict)
    """What comes from a place that has to give all it has may be left out."""

    def options(self, at: At, field: str) -> Iterable[Any] | None:
        b = at.state.battle
        if b is None or b.winner is None:
            return default_options(self, at, field)
        if field == "player":
            return [b.winner]
        return [way for _, n, offer in comes_from(at, b) if is_choice(n, offer) for way in ways(n, offer)]

    def facts(self, at: At) -> dict[str, Any]:
        return {"province": at.state.battle and at.state.battle.province}

    def taken(self, at: At, b: Battle) -> Sources:
        """What was said, and what was understood: places that give all they have."""
        taken: Sources = {}
        for _, n, offer in comes_from(at, b) if b.to_place else ():
            if n == sum(offer.values()) and not set(offer) & set(self.sources):
                taken.update(offer)
        return taken | {q: n for q, n in self.sources.items() if n}

    def already(self, at: At) -> bool:
        b = at.state.battle
        if b is None or not b.placed or self.player not in ("", b.winner):
            return False
        return self.sources in (b.placed, {q: n for q, n in b.placed.items() if q != "reserve"})

    def forbidden(self, at: At) -> Iterator[Breach]:
        b = at.state.battle
        if b is None or not (b.to_place or b.placed):
            yield at.breach("DY-REVEAL-2.nothing")
        elif self.player and self.player != b.winner:
            yield at.breach("DY-COMBAT-4.owed", player=name(b.winner), winner=b.winner)
        elif self.sources or b.placed:
            wrong = list(self._wrong(at, b)) if self.sources else []
            yield from wrong
            if b.placed and not wrong:
                yield at.breach("DY-PLACE-1.again", player=name(b.winner), placed=spell(b.placed))

    def _wrong(self, at: At, b: Battle) -> Iterator[Breach]:
        said = self.taken(at, b)
        reserve, near, far = comes_from(at, b)
        due = reserve.n + near.n + far.n
        facts: Facts = {"player": name(b.winner), "due": due, "taken": spell(said), "sources": said}
        if any(n < 0 for n in said.values()):
            yield at.breach("DY-PLACE-1.negative", **facts)
            return
        if b.province in said:
            yield at.breach("DY-PLACE-7.there", **facts, province=b.province)
            return
        alone = "reserve" not in self.sources and sum(self.sources.values()) == due
        if reserve.n and alone:  # provinces are to pay for what the reserve has
            facts = {**facts, "taken": spell(self.sources), "sources": self.sources}
            yield at.breach("DY-PLACE-2.count", **facts, n=reserve.n, said=0)
            return
        if said.get("reserve", 0) != reserve.n:
            yield at.breach("DY-PLACE-2.count", **facts, n=reserve.n, said=said.get("reserve", 0))
            return
        if sum(said.values()) != due:
            yield at.breach("DY-PLACE-1.count", **facts, said=sum(said.values()))
        borders = cat(at).borders[b.province]
        for q, n in said.items():
            has = n if q == "reserve" else at.state.provinces[q].of(b.winner or "") + b.placed.get(q, 0)
            if n > has:
                yield at.breach("DY-PLACE-3.short" if q in borders else "DY-PLACE-4.short", **facts, has=has, place=q)
                return
        now = sum(n for q, n in said.items() if q in borders)
        if sum(said.values()) == due and now != near.n:
            yield at.breach("DY-PLACE-4.near", "DY-PLACE-3", **facts, n=near.n, near=now)

    def apply(self, at: At) -> None:
        b = at.state.going_on
        place(at, b, self.taken(at, b))
        go_on(at)
