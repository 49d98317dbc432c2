"""Placing armies: from the reserve first, then from bordering provinces, then from anywhere (rules DY-PLACE)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated, Any, NamedTuple

import msgspec

from companion.engine.things.stores import ways
from companion.rules import Breach, ByPlayer, PieceName, Tally

from .armies import armies_at, is_choice, move, spell
from .catalogue import At, Facts, cat, name
from .state import Battle, Sources


class Step(NamedTuple):
    """One of the three steps of placing: so many armies come from these places, which have so many."""

    rule: str
    n: int
    offer: Sources


def comes_from(at: At, b: Battle) -> list[Step]:
    """The steps in which the winner's armies come or, once they have been placed, came."""
    own, left = armies_at(at.state, b.winner or ""), b.to_place
    for source, n in b.placed.items():
        own[source] += n
        left += n
    near = cat(at).borders[b.province]
    far = [p for p in at.state.provinces if p not in near and p != b.province]
    found = []
    for rule, places in (("DY-PLACE-2", ("reserve",)), ("DY-PLACE-3", near), ("DY-PLACE-4", far)):
        offer = {place: own[place] for place in places}
        n = min(left, sum(offer.values()))
        found.append(Step(rule, n, offer))
        left -= n
    return found


def place(at: At, b: Battle, steps: list[Step], taken: Sources) -> None:
    """Place the armies; the rules of the steps in which they come are noted, unless the reserve has them all."""
    player = b.winner or ""
    for source, n in taken.items():
        move(at, player, n, source, b.province)
    b.placed, b.to_place = taken, 0
    facts: Facts = {"player": name(player), "province": b.province, "borders": cat(at).borders[b.province]}
    at.note("DY-PLACE-1", **facts, n=sum(taken.values()), taken=spell(taken), sources=taken)
    for step in steps if taken.keys() - {"reserve"} else ():
        if not taken.keys().isdisjoint(step.offer):
            at.note(step.rule, **facts)


WHERE = ("in", "into", "on", "onto", "at")


class PlaceArmies(ByPlayer, frozen=True):
    """The winner says from where the armies come that have to be placed."""

    name = "place"
    role = "choice"
    owed_by = "DY-COMBAT-4"
    elsewhere = "DY-REVEAL-2"
    sources: Annotated[Sources, Tally("place", whole=True, after=("from",), of=("army", "cube"))] = msgspec.field(
        default_factory=dict
    )
    """The places of the armies; one that has to give all it has may be left out."""
    to: Annotated[str, PieceName("province", lead=("to",), after=WHERE, announced=True, confirms=True)] = ""
    """The place for them; left out: the province of the battle."""

    def options(self, at: At, field: str) -> Iterable[Any] | None:
        b = at.state.fought
        if b.winner is None:
            return super().options(at, field)
        if field == "player":
            return [b.winner]
        if field == "to":
            return ("", b.province)
        return [way for _, n, offer in comes_from(at, b) if is_choice(n, offer) for way in ways(n, offer)]

    def facts(self, at: At) -> dict[str, Any]:
        return {"province": at.state.fought.province}

    def taken(self, steps: list[Step]) -> Sources:
        """The sources named, completed with those understood: places that give all they have."""
        taken: Sources = {}
        left_open = sum(self.sources.values()) != sum(step.n for step in steps)
        for _, n, offer in steps if left_open else ():
            giving = {place: most for place, most in offer.items() if most}
            if n == sum(giving.values()) and giving.keys().isdisjoint(self.sources):
                taken.update(giving)
        return taken | {place: n for place, n in self.sources.items() if n}

    def everything(self, at: At, field: str) -> Sources | None:
        b = at.state.fought
        steps = comes_from(at, b) if b.winner else []
        return {place: min(step.n, there) for step in steps for place, there in step.offer.items()} or None

    def standing(self, at: At, field: str) -> Sources:
        b = at.state.fought
        return {place: there for step in comes_from(at, b) for place, there in step.offer.items()} if b.winner else {}

    def already(self, at: At) -> bool:
        b = at.state.fought
        if not b.placed or self.player not in ("", b.winner) or self.to not in ("", b.province):
            return False
        return self.sources in (b.placed, {q: n for q, n in b.placed.items() if q != "reserve"})

    def forbidden(self, at: At) -> Iterator[Breach]:
        b = at.state.fought
        if not (b.to_place or b.placed):
            yield at.breach("DY-REVEAL-2.nothing")
            return
        if self.to not in ("", b.province):
            yield at.breach("DY-PLACE-1.elsewhere", province=b.province, to=self.to)
        if self.player and self.player != b.winner:
            yield at.breach("DY-COMBAT-4.owed", player=name(b.winner), winner=b.winner)
        elif self.sources or b.placed:
            wrong = list(self._wrong(at, b)) if self.sources else []
            yield from wrong
            if b.placed and not wrong:
                yield at.breach("DY-PLACE-1.again", player=name(b.winner), placed=spell(b.placed))

    def _wrong(self, at: At, b: Battle) -> Iterator[Breach]:
        steps = reserve, near, far = comes_from(at, b)
        said = self.taken(steps) if b.to_place else {q: n for q, n in self.sources.items() if n}
        total, due = sum(said.values()), sum(step.n for step in steps)
        facts: Facts = {"player": name(b.winner), "due": due, "taken": spell(said), "sources": said}
        if any(n < 0 for n in said.values()):
            yield at.breach("DY-PLACE-1.negative", **facts)
            return
        if b.province in said:
            yield at.breach("DY-PLACE-7.there", **facts, province=b.province)
        if (given := said.get("reserve", 0)) != reserve.n:
            key = "none" if not given else "first" if given < reserve.n else "more" if reserve.n else "empty"
            yield at.breach(f"DY-PLACE-2.{key}", **facts, n=reserve.n, said=given)
        short = [(step, q) for q, n in said.items() for step in (near, far) if n > step.offer.get(q, n)]
        for step, q in short:
            there: Facts = {**facts, "has": step.offer[q], "place": q}
            if at.state.provinces[q].marks.of(b.winner or ""):
                yield at.breach("DY-PLACE-7.mark", "DY-SIX-6", **there)
            else:
                yield at.breach(f"{step.rule}.{'short' if step.offer[q] else 'nobody'}", **there)
        if b.province not in said and given == reserve.n:
            if total != due:
                yield at.breach("DY-PLACE-1.count", **facts, said=total)
            now = sum(n for q, n in said.items() if q in near.offer)
            if not short and total == due and now != near.n:
                yield at.breach("DY-PLACE-4.near", "DY-PLACE-3", **facts, n=near.n, near=now)

    def apply(self, at: At) -> None:
        b = at.state.going_on
        steps = comes_from(at, b)
        place(at, b, steps, self.taken(steps))
        at.step("fight_on")
