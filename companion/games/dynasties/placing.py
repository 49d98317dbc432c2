"""Placing armies: from the reserve first, then from bordering provinces, then from anywhere (rules DY-PLACE)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, NamedTuple

import msgspec

from companion.engine.play.moves import Breach, Choice, Move, Seat

from .armies import spell, take
from .catalogue import At, cat, name
from .moves import SourceTally, TableMove
from .payments import first_to_pay
from .state import Battle, Sources


class Step(NamedTuple):
    """One of the three steps of placing: so many armies come from these places, which have so many."""

    rule: str
    n: int
    offer: Sources


def steps(at: At, b: Battle) -> list[Step]:
    """The steps in which the winner's armies come. Once they have been placed: those in which they came."""
    s = at.state
    if b.placed:
        own, left = b.placed, sum(b.placed.values())
    else:
        own = {
            "reserve": s.players[b.winner or ""].reserve,
            **{q: p.of(b.winner or "") for q, p in s.provinces.items()},
        }
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


def place_if_forced(at: At, b: Battle) -> bool:
    """Place the armies if there is only one way to take them; False: the winner has a choice."""
    taken: Sources = {}
    for _, n, offer in steps(at, b):
        if len(offer) > 1 and n < sum(offer.values()):
            return False
        taken.update((q, min(n, most)) for q, most in offer.items())
    place(at, b, taken)
    return True


def placing_choice(at: At, b: Battle) -> Choice:
    """The question to the winner from where the armies come (DY-PLACE-5)."""
    offer = sorted(q for step in steps(at, b)[1:] for q in step.offer)
    facts = {"player": name(b.winner), "province": b.province}
    return at.ask("DY-PLACE-5", "sources", b.winner or "", offer, move="place", **facts)


def place(at: At, b: Battle, taken: Sources) -> None:
    player = b.winner or ""
    reserve, near, far = (any(taken.get(q) for q in step.offer) for step in steps(at, b))
    for source, n in taken.items():
        take(at, player, source, n)
        at.state.provinces[b.province].add(player, n)
    b.placed, b.to_place = taken, 0
    facts: dict[str, Any] = {
        "player": name(player),
        "n": sum(taken.values()),
        "province": b.province,
        "taken": spell(taken),
    }
    at.note("DY-PLACE-1", **facts, sources=taken)
    if reserve and (near or far):
        at.note("DY-PLACE-2", player=name(player))
    if near:
        at.note("DY-PLACE-3", province=b.province, borders=cat(at).borders[b.province])
    if far:
        at.note("DY-PLACE-4", province=b.province)


class PlaceArmies(TableMove, frozen=True):
    """The winner says from where the armies come that have to be placed."""

    name = "place"
    role = "choice"
    words = ("place",)
    example = "white place 1 tibet 2 gansu"
    player: Annotated[str, Seat()] = ""
    sources: Annotated[Sources, SourceTally()] = msgspec.field(default_factory=dict)

    def filled(self, at: At) -> PlaceArmies:
        b = at.state.fighting
        if b is None or not b.to_place:
            return self
        understood: Sources = {}
        for _, n, offer in steps(at, b) if self.sources else ():
            if n == sum(offer.values()) and not set(offer) & set(self.sources):
                understood.update(offer)
        return PlaceArmies(self.player or b.winner or "", {**understood, **self.sources})

    def already(self, at: At) -> bool:
        b = at.state.battle
        if b is None or not b.placed or self.player not in ("", b.winner):
            return False
        return self.sources in (b.placed, {p: n for p, n in b.placed.items() if p != "reserve"})

    def breaches(self, at: At) -> Iterator[Breach]:
        b = at.state.battle
        payer = first_to_pay(b) if b else None
        if payer:
            yield at.breach("DY-REVEAL-2.pay", player=name(payer))
        elif b is None or not (b.to_place or b.placed):
            yield at.breach("DY-REVEAL-2.nothing")
        elif self.player and self.player != b.winner:
            yield at.breach("DY-COMBAT-4.winner", player=name(b.winner), winner=b.winner)
        elif self.sources:
            wrong = list(self._wrong(at, b))
            yield from wrong
            if b.placed and not wrong:
                yield at.breach("DY-PLACE-1.again", player=name(b.winner), placed=spell(b.placed))

    def _wrong(self, at: At, b: Battle) -> Iterator[Breach]:
        said = {q: n for q, n in self.sources.items() if n}
        found = steps(at, b)
        reserve, bordering = found[0].n, found[1].n
        facts: dict[str, Any] = {"player": name(b.winner), "due": sum(step.n for step in found), "sources": said}
        if any(n < 0 for n in said.values()):
            yield at.breach("DY-PLACE-1.negative", **facts)
            return
        if b.province in said:
            yield at.breach("DY-PLACE-7.there", **facts, province=b.province)
            return
        if said.get("reserve", 0) != reserve:
            yield at.breach("DY-PLACE-2.count", **facts, n=reserve, said=said.get("reserve", 0))
            return
        if sum(said.values()) != facts["due"]:
            yield at.breach("DY-PLACE-1.count", **facts, said=sum(said.values()))
        near = cat(at).borders[b.province]
        for place, n in said.items():
            has = 0 if place == "reserve" else at.state.provinces[place].of(b.winner or "") + b.placed.get(place, 0)
            if place != "reserve" and n > has:
                rule = "DY-PLACE-3" if place in near else "DY-PLACE-4"
                yield at.breach(f"{rule}.short", **facts, has=has, place=place)
                return
        now = sum(n for q, n in said.items() if q in near)
        if sum(said.values()) == facts["due"] and now != bordering:
            yield at.breach("DY-PLACE-4.near", "DY-PLACE-3", **facts, n=bordering, near=now)

    def needs(self, at: At) -> Iterator[Choice]:
        b = at.state.fighting
        if b and not self.sources:
            yield placing_choice(at, b)

    def carry_out(self, at: At) -> None:
        if (b := at.state.fighting) and b.winner:
            place(at, b, {q: n for q, n in self.sources.items() if n})

    @classmethod
    def candidates(cls, at: At) -> Iterator[Move]:
        b = at.state.fighting
        if b is None or not b.to_place or not b.resolved:
            return
        found: list[Sources] = []
        for turn in range(4):
            taken: Sources = {}
            for _, n, offer in steps(at, b):
                places = sorted(offer)
                for q in places[turn % len(places) :] + places[: turn % len(places)] if places else ():
                    if k := min(n, offer[q]):
                        taken[q] = k
                    n -= k
            if taken not in found:
                found.append(taken)
                yield cls(b.winner or "", taken)
