"""Sixes and lasting losses: what a card shown costs, and from where it is paid (rules DY-SIX, DY-COMBAT-11, -12)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated, Any, ClassVar

import msgspec

from companion.engine.play.moves import Breach, Move, PieceName, Seat, Tally

from .armies import said_of, sources, spell, take, ways
from .catalogue import At, cat, name
from .moves import go_on
from .state import COLOURS, Battle, Sources
from .warlords import counts_as


def due_for(at: At, b: Battle, player: str) -> None:
    """What the card just shown by a player obliges them to."""
    s = at.state
    card = cat(at).cards[s.players[player].shown[b.province]]
    if card.mark:
        _six(at, b, player)
    if card.cost:
        b.cost_due[player] = min(card.cost, sum(sources(s, player).values()))
        at.note("DY-COMBAT-11", card=card.label, player=name(player), cost=card.cost)
    if (feigned := counts_as(at, player, b.province)) is not None:
        s.players[player].feigned = b.province if feigned["after"] == "return" else None
        at.note("DY-WL-10", card=card.label, player=name(player), counts=feigned["value"])


def _six(at: At, b: Battle, player: str) -> None:
    """A 6 is marked, as long as it may be used in the province (DY-SIX-1, -2, -9)."""
    facts = {"player": name(player), "province": b.province}
    marks = at.state.provinces[b.province].marks.of(player)
    uses = at.value("six.uses_per_province", player, province=b.province)
    if marks < uses.value:
        b.mark_due.append(player)
        at.note("DY-SIX-1" if marks < uses.base else uses.rules[0], **facts)
    else:
        b.idle_six.append(player)
        at.note("DY-SIX-2", **facts, marks=marks)
        at.note("DY-SIX-9", **facts, value=at["six.illegal_value"])


def first_to_pay(b: Battle) -> str | None:
    """White pays before Black (DY-REVEAL-4)."""
    return next((c for c in COLOURS if c in b.mark_due or c in b.cost_due), None)


def owed(at: At, b: Battle, player: str) -> tuple[int, Sources]:
    """How many cubes a player owes, and where they can come from."""
    return 1 if player in b.mark_due else b.cost_due[player], sources(at.state, player)


def pay(at: At, b: Battle, player: str, n: int, offer: Sources) -> None:
    """Pay what is due from the only places it can come from."""
    paid = next(ways(n, offer))
    if player in b.cost_due:
        pay_cost(at, b, player, paid)
    elif paid:
        pay_mark(at, b, player, *paid)
    else:
        b.mark_due.remove(player)


def pay_mark(at: At, b: Battle, player: str, source: str) -> None:
    take(at, player, source)
    at.state.provinces[b.province].marks.add(player, 1)
    b.mark_due = [other for other in b.mark_due if other != player]
    b.marks_paid[player] = source
    at.note("DY-SIX-3", player=name(player), source=said_of(source))


def pay_cost(at: At, b: Battle, player: str, paid: Sources) -> None:
    for place, n in paid.items():
        take(at, player, place, n)
        at.state.players[player].out += n
    b.cost_due.pop(player, None)
    b.costs_paid[player] = paid
    at.note("DY-COMBAT-12", player=name(player), paid=spell(paid), sources=paid)


class Payment(Move, frozen=True):
    """A payment for a card shown. Its payer need not be named where it can only be one of the two."""

    role = "choice"
    owed_in: ClassVar[str]
    """Field of the battle that says who owes it."""
    paid_in: ClassVar[str]
    """Field of the battle that says who has paid it, and from where."""
    player: Annotated[str, Seat()] = ""

    @property
    def said(self) -> str | Sources:
        """From where it is paid."""
        raise NotImplementedError

    def options(self, at: At, field: str) -> Iterable[Any] | None:
        b = at.state.battle or Battle("")
        due = [c for c in COLOURS if c in getattr(b, self.owed_in)]
        if field == "player":
            return due[:1] or getattr(b, self.paid_in) or COLOURS
        return self.ways(at, b) if self.player in due else None

    def ways(self, at: At, b: Battle) -> Iterable[Any]:
        """From where it can be paid."""
        raise NotImplementedError

    def already(self, at: At) -> bool:
        """Whether this payment has been made; the payer may be left out while nobody owes another one."""
        b = at.state.battle or Battle("")
        paid = getattr(b, self.paid_in)
        payers = [self.player] if self.player else [] if first_to_pay(b) else list(paid)
        return any(payer in paid and paid[payer] == self.said for payer in payers)

    def _later(self, at: At, b: Battle) -> Iterator[Breach]:
        """White pays before Black (DY-REVEAL-4)."""
        if (first := first_to_pay(b)) != self.player:
            yield at.breach("DY-REVEAL-4.first", first=name(first), player=name(self.player))


class PayMark(Payment, frozen=True):
    """The owner of a 6 takes its mark from the reserve or from a province."""

    words = ("mark", "pay mark")
    example = "black mark reserve"
    asks: ClassVar = {"source": "DY-SIX-3"}
    owed_in = "mark_due"
    paid_in = "marks_paid"
    source: Annotated[str, PieceName("place")] = ""

    @property
    def said(self) -> str:
        return self.source

    def ways(self, at: At, b: Battle) -> Iterable[str]:
        return sources(at.state, self.player)

    def forbidden(self, at: At) -> Iterator[Breach]:
        b, player = at.state.battle or Battle(""), self.player
        if player in b.idle_six:
            yield at.breach("DY-SIX-9.idle", player=name(player), province=b.province)
        elif player in b.marks_paid:
            yield at.breach("DY-SIX-3.paid", player=name(player), source=said_of(b.marks_paid[player]))
        elif player and player not in b.mark_due:
            yield at.breach("DY-SIX-1.player", player=name(player))
        elif not b.mark_due:
            yield at.breach("DY-SIX-1.none")
        elif player:
            yield from self._later(at, b)
            if self.source and self.source not in sources(at.state, player):
                yield at.breach("DY-SIX-3.empty", player=name(player), source=said_of(self.source))

    def apply(self, at: At) -> None:
        pay_mark(at, at.state.going_on, self.player, self.source)
        go_on(at)


class PayCost(Payment, frozen=True):
    """The owner of a costly modifier says which armies leave the game."""

    words = ("cost", "pay cost")
    example = "white cost 1 reserve"
    asks: ClassVar = {"sources": "DY-COMBAT-12"}
    owed_in = "cost_due"
    paid_in = "costs_paid"
    sources: Annotated[Sources, Tally("place")] = msgspec.field(default_factory=dict)

    @property
    def said(self) -> Sources:
        return self.sources

    def ways(self, at: At, b: Battle) -> Iterable[Sources]:
        return list(ways(*owed(at, b, self.player)))

    def facts(self, at: At) -> dict[str, Any]:
        return {"cost": at.state.battle and at.state.battle.cost_due.get(self.player)}

    def forbidden(self, at: At) -> Iterator[Breach]:
        b, player = at.state.battle or Battle(""), self.player
        if player in b.cost_due:
            yield from self._later(at, b)
            if self.sources:
                yield from self._wrong(at, *owed(at, b, player), "short")
        elif player in b.costs_paid:
            paid = b.costs_paid[player]
            yield from self._wrong(at, sum(paid.values()), paid, "paid")
        elif player:
            yield at.breach("DY-COMBAT-11.player", player=name(player))
        elif not b.cost_due:
            yield at.breach("DY-COMBAT-11.none")

    def _wrong(self, at: At, due: int, offer: Sources, otherwise: str) -> Iterator[Breach]:
        said = sum(self.sources.values())
        facts = {"player": name(self.player), "due": due, "said": said, "offer": spell(offer)}
        if self.sources and said != due:
            yield at.breach("DY-COMBAT-11.count", **facts)
        elif otherwise == "paid" or any(not 0 <= n <= offer.get(place, 0) for place, n in self.sources.items()):
            yield at.breach(f"DY-COMBAT-12.{otherwise}", **facts)

    def apply(self, at: At) -> None:
        pay_cost(at, at.state.going_on, self.player, {place: n for place, n in self.sources.items() if n})
        go_on(at)
