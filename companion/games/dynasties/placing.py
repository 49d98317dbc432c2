"""The winner says from where the armies come that have to be placed (rules DY-PLACE)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

import msgspec

from companion.engine.play.moves import Breach, Choice, Move, Seat

from .battle import place
from .catalogue import At, armies, borders, name
from .domains import SourceTally
from .dues import first_to_pay
from .reveal import presumed_in_battle
from .state import Battle, Sources
from .supply import placing


class PlaceArmies(Move, frozen=True):
    """The winner says from where the armies come that he has to place."""

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
        for _, n, offer in placing(at, b) if self.sources else ():
            if n == sum(offer.values()) and not set(offer) & set(self.sources):
                understood.update(offer)
        return PlaceArmies(self.player or b.winner or "", {**understood, **self.sources})

    def already(self, at: At) -> bool:
        b = at.state.battle
        if b is None or not b.finished or self.player not in ("", b.winner) or not b.placed:
            return False
        return self.sources in (b.placed, {p: n for p, n in b.placed.items() if p != "reserve"})

    def presumes(self, at: At) -> Move | None:
        return presumed_in_battle(at)

    def forbidden(self, at: At) -> Iterator[Breach]:
        b = at.state.fighting
        if b is None or not b.to_place:
            why = (
                f"{name(first_to_pay(b) or '')} has to pay first"
                if b and (b.mark_due or b.cost_due)
                else "nobody has armies to place"
            )
            yield Breach("DY-REVEAL-2", why, {"to_place": b.to_place if b else 0})
            return
        if self.player and self.player != b.winner:
            yield Breach("DY-COMBAT-4", f"{name(b.winner or '')} has won and places", {"winner": b.winner})
            return
        if not self.sources:
            return
        yield from self._sources(at, b)

    def _sources(self, at: At, b: Battle) -> Iterator[Breach]:
        steps = placing(at, b)
        said = {p: n for p, n in self.sources.items() if n}
        due = sum(n for _, n, _ in steps)
        facts = {
            "due": due,
            "sources": said,
            "steps": [{"rule": rule, "n": n, "from": offer} for rule, n, offer in steps],
        }
        if any(n < 0 for n in said.values()):
            yield Breach("DY-PLACE-1", "nobody places fewer than no armies", facts)
            return
        if b.province in said and at.on("DY-PLACE-7"):
            yield Breach("DY-PLACE-7", f"armies that stand in {b.province} cannot be placed there", facts)
        reserve = steps[0][1]
        if said.get("reserve", 0) != reserve:
            yield Breach("DY-PLACE-2", f"{armies(reserve)} come from the reserve, not {said.get('reserve', 0)}", facts)
        elif sum(said.values()) != due:
            yield Breach("DY-PLACE-1", f"{armies(due)} are placed, not {sum(said.values())}", facts)
        have = {q: p.of(b.winner or "") for q, p in at.state.provinces.items()}
        short = [p for p, n in said.items() if p != "reserve" and n > have.get(p, 0)]
        if short:
            yield Breach("DY-PLACE-7", f"{name(b.winner or '')} has only {have.get(short[0], 0)} in {short[0]}", facts)
        near = sum(n for p, n in said.items() if p in borders(at, b.province))
        right_share = said.get("reserve", 0) == reserve
        if right_share and sum(said.values()) == due and not short and near != steps[1][1]:
            why = f"{armies(steps[1][1])} come from bordering provinces, not {near}"
            yield Breach("DY-PLACE-3", why, facts)
            yield Breach("DY-PLACE-4", why, facts)

    def needs(self, at: At) -> Iterator[Choice]:
        b = at.state.fighting
        if b and not self.sources:
            offer = sorted({p for _, _, places in placing(at, b) for p in places if p != "reserve"})
            yield Choice("sources", b.winner or "", "from which provinces?", offer)

    def apply(self, at: At) -> None:
        b = at.state.fighting
        if b is not None:
            at.cite("DY-PLACE-5", "the owner chooses within a step")
            place(at, b, {p: n for p, n in self.sources.items() if n})

    @classmethod
    def candidates(cls, at: At) -> Iterator[Move]:
        b = at.state.fighting
        if b is None or not b.to_place or not b.resolved:
            return
        steps = placing(at, b)
        found: list[Sources] = []
        for turn in range(4):
            taken: Sources = {}
            for _, n, offer in steps:
                places = sorted(offer)
                for p in places[turn % len(places) :] + places[: turn % len(places)] if places else ():
                    k = min(n, offer[p])
                    if k:
                        taken[p] = k
                    n -= k
            if taken not in found:
                found.append(taken)
                yield cls(b.winner or "", taken)


__all__ = ["PlaceArmies"]
