"""Sixes and lasting losses: what a card shown costs, and from where it is paid (rules DY-SIX, DY-COMBAT-11, -12)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated

import msgspec

from companion.engine.play.moves import Breach, Choice, Move, Seat, default_options

from .armies import sources, spell, take
from .catalogue import At, cat, name
from .moves import Place, SourceTally, TableMove
from .state import COLOURS, Battle, Sources
from .warlords import counts_as, declared


def due_for(at: At, b: Battle, player: str) -> None:
    """What the card just shown by a player obliges them to."""
    s = at.state
    card = cat(at).cards[s.players[player].shown[b.province]]
    if card.mark:
        _six(at, b, player)
    if card.cost:
        b.cost_due[player] = min(card.cost, sum(sources(at, player).values()))
        at.note("DY-COMBAT-11", card=card.label, player=name(player), cost=card.cost)
    if (counts := counts_as(at, player, b.province)) is not None:
        s.players[player].feigned = b.province
        at.note("DY-WL-10", card=card.label, player=name(player), counts=counts)


def _six(at: At, b: Battle, player: str) -> None:
    """A 6 is marked, as long as it may be used in the province (DY-SIX-1, -2, -9)."""
    facts = {"player": name(player), "province": b.province}
    marks = at.state.provinces[b.province].marks.of(player)
    if marks < at["six.uses_per_province"]:
        b.mark_due.append(player)
        at.note("DY-SIX-1", **facts)
    elif declared(at, player, b.province, "extra_six"):
        b.mark_due.append(player)
        at.note("DY-WL-14", **facts)
    else:
        b.idle_six.append(player)
        at.note("DY-SIX-2", **facts, marks=marks)
        at.note("DY-SIX-9", **facts, value=at["six.illegal_value"])


def first_to_pay(b: Battle) -> str | None:
    """White pays before Black (DY-REVEAL-4)."""
    return next((c for c in COLOURS if c in b.mark_due or c in b.cost_due), None)


def pay_if_forced(at: At, b: Battle) -> bool:
    """Pay what is due from the only place it can come from; False: the payer has a choice."""
    player = first_to_pay(b) or ""
    offer = sources(at, player)
    if player in b.mark_due:
        if len(offer) == 1:
            pay_mark(at, b, player, next(iter(offer)))
        elif not offer:
            b.mark_due.remove(player)
        return len(offer) < 2
    due = b.cost_due[player]
    if len(offer) > 1 and due < sum(offer.values()):
        return False
    pay_cost(at, b, player, {place: min(n, due) for place, n in offer.items()})
    return True


def payment_choice(at: At, b: Battle) -> Choice:
    """The question to whoever has to pay next."""
    player = first_to_pay(b) or ""
    offer = list(sources(at, player))
    if player in b.mark_due:
        return at.ask("DY-SIX-3", "source", player, offer, move="pay_mark")
    cost = b.cost_due[player]
    return at.ask("DY-COMBAT-12", "sources", player, offer, move="pay_cost", player=name(player), cost=cost)


def pay_mark(at: At, b: Battle, player: str, source: str) -> None:
    take(at, player, source)
    at.state.provinces[b.province].marks.add(player)
    b.mark_due = [other for other in b.mark_due if other != player]
    b.marks_paid[player] = source
    at.note("DY-SIX-3", player=name(player), source="the reserve" if source == "reserve" else source)


def pay_cost(at: At, b: Battle, player: str, paid: Sources) -> None:
    for place, n in paid.items():
        take(at, player, place, n)
        at.state.players[player].out += n
    b.cost_due.pop(player, None)
    b.costs_paid[player] = paid
    at.note("DY-COMBAT-12", player=name(player), paid=spell(paid), sources=paid)


class PayMark(TableMove, frozen=True):
    """The owner of a 6 takes its mark from the reserve or from a province."""

    name = "pay_mark"
    role = "choice"
    words = ("mark", "pay mark")
    example = "black mark reserve"
    asks = {"source": "DY-SIX-3"}  # noqa: RUF012
    player: Annotated[str, Seat()] = ""
    source: Annotated[str, Place()] = ""

    def options(self, at: At, field: str) -> Iterable[str] | None:
        return sources(at, self.player) if field == "source" else default_options(self, at, field)

    def already(self, at: At) -> bool:
        b = at.state.battle
        return b is not None and _said_again(b.marks_paid, b.mark_due, self.player, self.source)

    def breaches(self, at: At) -> Iterator[Breach]:
        b = at.state.battle
        player = self.player
        if b is not None and not b.mark_due and not player and len(b.marks_paid) == 1:
            player = next(iter(b.marks_paid))
        if b is not None and player in b.idle_six:
            yield at.breach("DY-SIX-9.idle", player=name(player), province=b.province)
        elif b is not None and player in b.marks_paid:
            yield at.breach("DY-SIX-3.paid", player=name(player), source=b.marks_paid[player])
        elif b is None or not b.mark_due or (player and player not in b.mark_due):
            yield at.breach("DY-SIX-1.none" if not player else "DY-SIX-1.player", player=name(player))
        elif player:
            yield from _pays_later(at, b, player)
            if self.source and self.source not in sources(at, player):
                where = "the reserve" if self.source == "reserve" else self.source
                yield at.breach("DY-SIX-3.empty", player=name(player), source=where)

    def carry_out(self, at: At) -> None:
        if b := at.state.fighting:
            pay_mark(at, b, self.player, self.source)


class PayCost(TableMove, frozen=True):
    """The owner of a costly modifier says which armies leave the game."""

    name = "pay_cost"
    role = "choice"
    words = ("cost", "pay cost")
    example = "white cost 1 reserve"
    player: Annotated[str, Seat()] = ""
    sources: Annotated[Sources, SourceTally()] = msgspec.field(default_factory=dict)

    def filled(self, at: At) -> PayCost:
        b = at.state.fighting
        return PayCost(next(iter(b.cost_due)), self.sources) if b and len(b.cost_due) == 1 and not self.player else self

    def already(self, at: At) -> bool:
        b = at.state.battle
        return b is not None and _said_again(b.costs_paid, b.cost_due, self.player, self.sources)

    def breaches(self, at: At) -> Iterator[Breach]:
        b = at.state.battle
        player = self.player
        if b is not None and not b.cost_due and not player and len(b.costs_paid) == 1:
            player = next(iter(b.costs_paid))
        if b is None or not (player in b.cost_due or player in b.costs_paid):
            yield at.breach("DY-COMBAT-11.none" if not player else "DY-COMBAT-11.player", player=name(player))
            return
        paid = b.costs_paid.get(player)
        if paid is None:
            yield from _pays_later(at, b, player)
        if not self.sources:
            return
        due, offer = (sum(paid.values()), paid) if paid is not None else (b.cost_due[player], sources(at, player))
        facts = {"player": name(player), "due": due, "sources": dict(self.sources)}
        if sum(self.sources.values()) != due:
            yield at.breach("DY-COMBAT-11.count", **facts, said=sum(self.sources.values()))
        elif paid is not None:
            yield at.breach("DY-COMBAT-12.paid", **facts, offer=spell(paid))
        if any(not 0 <= n <= offer.get(place, 0) for place, n in self.sources.items()) and paid is None:
            yield at.breach("DY-COMBAT-12.short", **facts, offer=spell(offer))

    def needs(self, at: At) -> Iterator[Choice]:
        b = at.state.fighting
        if b and not self.player:
            yield at.ask("DY-COMBAT-11", "player", "", b.cost_due)
        elif b and not self.sources:
            cost = b.cost_due[self.player]
            offer = sources(at, self.player)
            yield at.ask("DY-COMBAT-12", "sources", self.player, offer, player=name(self.player), cost=cost)

    def carry_out(self, at: At) -> None:
        if b := at.state.fighting:
            pay_cost(at, b, self.player, {place: n for place, n in self.sources.items() if n})

    @classmethod
    def candidates(cls, at: At) -> Iterator[Move]:
        b = at.state.fighting
        for player, due in b.cost_due.items() if b else ():
            yield from (cls(player, {place: due}) for place, n in sources(at, player).items() if n >= due)


def _said_again(paid: Mapping[str, object], due: object, player: str, said: object) -> bool:
    """Whether this payment has been made. The payer may be left out while nobody owes another one."""
    payers = [player] if player else [] if due else list(paid)
    return any(payer in paid and paid[payer] == said for payer in payers)


def _pays_later(at: At, b: Battle, player: str) -> Iterator[Breach]:
    """White pays before Black (DY-REVEAL-4)."""
    if player and first_to_pay(b) != player:
        yield at.breach("DY-REVEAL-4.first", first=name(first_to_pay(b)), player=name(player))
