"""Sixes and lasting losses: what a card shown costs, and from where it is paid (rules DY-SIX, DY-COMBAT-11, -12)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated, Any, ClassVar

import msgspec

from companion.engine.things.stores import ways
from companion.rules import Breach, ByPlayer, PieceName, Tally

from .armies import only_marked, said_of, sources, spell, take
from .catalogue import At, cat, name
from .combat import wins
from .state import COLOURS, Battle, Sources
from .warlords import counts_as


def due_for(at: At, b: Battle, player: str) -> None:
    """Note the debts from the card that a player has just shown."""
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


def first_due(b: Battle) -> Payment | None:
    """The payment that is due first: White pays before Black (DY-REVEAL-4)."""
    for c in COLOURS:
        if c in b.mark_due or c in b.cost_due:
            return PayMark(c) if c in b.mark_due else PayCost(c)
    return None


class Payment(ByPlayer, frozen=True):
    """A payment for a card shown. Its payer need not be named where it can only be one of the two."""

    role = "choice"
    owed_by = "DY-REVEAL-2"
    due: ClassVar[str]
    """Field of the battle that says who owes it."""
    paid: ClassVar[str]
    """Field of the battle that says who has paid it, and from where."""
    rules: ClassVar[tuple[str, str]]
    """The rule that makes it due, and the one that says from where it is paid."""

    def said(self) -> Sources:
        """From where it is paid, as far as it was said."""
        return {}

    def owed(self, at: At, b: Battle) -> tuple[int, Sources]:
        """The number of cubes its player owes, and the places they can come from."""
        return b.cost_due.get(self.player, 1), sources(at.state, self.player)

    def options(self, at: At, field: str) -> Iterable[Any] | None:
        b = at.state.fought
        due = [c for c in COLOURS if c in getattr(b, self.due)]
        if field == "player":
            return due[:1] or getattr(b, self.paid) or COLOURS
        return list(ways(*self.owed(at, b))) if self.player in due else None

    def already(self, at: At) -> bool:
        """True if this payment has been made; the payer may be left out while nobody owes another one."""
        paid = getattr(at.state.fought, self.paid)
        payers = [self.player] if self.player else [] if first_due(at.state.fought) else list(paid)
        return any(payer in paid and from_where(paid[payer]) == self.said() for payer in payers)

    def forbidden(self, at: At) -> Iterator[Breach]:
        b, player = at.state.fought, self.player
        due, paid = getattr(b, self.due), getattr(b, self.paid)
        first = first_due(b)
        if player in due:
            if first is not None and first.player != player:
                yield at.breach("DY-REVEAL-4.first", first=name(first.player), player=name(player))
            yield from self._wrong(at, *self.owed(at, b), "short")
        elif player in paid:
            made = from_where(paid[player])
            yield from self._wrong(at, sum(made.values()), made, "paid")
        elif player or not due:
            yield at.breach(f"{self.rules[0]}.{'player' if player else 'none'}", player=name(player))

    def _wrong(self, at: At, due: int, offer: Sources, key: str) -> Iterator[Breach]:
        """Another number than is due, or cubes from where there are none (`short`) or for what is `paid`."""
        said = self.said()
        given = sum(said.values())
        facts = {"player": name(self.player), "due": due, "said": given, "offer": spell(offer)}
        if said and given < due and key == "short":
            yield from self.due_all_the_same(at, facts)
        if said and given != due:
            yield at.breach(f"{self.rules[0]}.count", **facts)
        elif key == "paid" or any(not 0 <= n <= offer.get(place, 0) for place, n in said.items()):
            over = [place for place, n in said.items() if n > offer.get(place, 0)]
            yield at.breach(f"{self.rules[1]}.{key}", *only_marked(at, self.player, *over), **facts)

    def due_all_the_same(self, at: At, facts: dict[str, Any]) -> Iterator[Breach]:
        """The reasons why it is due though its card changes nothing."""
        return iter(())

    def apply(self, at: At) -> None:
        self.pay(at, at.state.going_on, {place: n for place, n in self.said().items() if n})
        at.step("fight_on")

    def pay(self, at: At, b: Battle, paid: Sources) -> None:
        """Take the cubes from where they come."""
        for place, n in paid.items():
            take(at, self.player, place, n)


class PayMark(Payment, frozen=True):
    """The owner of a 6 takes its mark from the reserve or from a province."""

    words = ("mark",)
    due = "mark_due"
    paid = "marks_paid"
    rules = ("DY-SIX-1", "DY-SIX-3")
    source: Annotated[
        str,
        PieceName(
            "place", lead=("from",), after=("with", "out"), of=("cube", "army"), announced=True, alone=("reserve",)
        ),
    ] = ""
    to: Annotated[str, PieceName("province", after=("onto", "into"), confirms=True)] = ""
    """The place of the mark; left out: the province of the battle."""

    def said(self) -> Sources:
        return from_where(self.source)

    def options(self, at: At, field: str) -> Iterable[Any] | None:
        if field == "to":
            return ("", at.state.fought.province)
        found = super().options(at, field)
        return found if field == "player" or found is None else [place for way in found for place in way]

    def forbidden(self, at: At) -> Iterator[Breach]:
        b = at.state.fought
        if b.province and self.to not in ("", b.province):
            yield at.breach("DY-SIX-1.elsewhere", province=b.province, to=self.to)
        if self.player in b.idle_six:
            yield at.breach("DY-SIX-9.idle", player=name(self.player), province=b.province)
        else:
            yield from super().forbidden(at)

    def pay(self, at: At, b: Battle, paid: Sources) -> None:
        super().pay(at, b, paid)
        b.mark_due = [other for other in b.mark_due if other != self.player]
        for source in paid:
            at.state.provinces[b.province].marks.add(self.player, 1)
            b.marks_paid[self.player] = source
            at.note("DY-SIX-3", player=name(self.player), source=said_of(source))


class PayCost(Payment, frozen=True):
    """The owner of a costly modifier says which armies leave the game."""

    words = ("cost",)
    due = "cost_due"
    paid = "costs_paid"
    rules = ("DY-COMBAT-11", "DY-COMBAT-12")
    sources: Annotated[Sources, Tally("place", whole=True, after=("from", "in", "on", "at"), of=("army", "cube"))] = (
        msgspec.field(default_factory=dict)
    )

    def everything(self, at: At, field: str) -> Sources | None:
        b = at.state.fought
        payer = self.player or next(iter(b.cost_due), "")
        due = b.cost_due.get(payer, 0)
        return {place: min(due, n) for place, n in sources(at.state, payer).items()} if due else None

    def standing(self, at: At, field: str) -> Sources:
        return sources(at.state, self.player or next(iter(at.state.fought.cost_due), ""))

    def said(self) -> Sources:
        return self.sources

    def facts(self, at: At) -> dict[str, Any]:
        return {"cost": at.state.fought.cost_due.get(self.player)}

    def due_all_the_same(self, at: At, facts: dict[str, Any]) -> Iterator[Breach]:
        b = at.state.fought
        if wins(at, b) != self.player:
            shown = at.state.players[self.player].shown[b.province]
            yield at.breach("DY-COMBAT-12.idle", card=shown, province=b.province, **facts)

    def pay(self, at: At, b: Battle, paid: Sources) -> None:
        super().pay(at, b, paid)
        at.state.players[self.player].out += sum(paid.values())
        b.cost_due.pop(self.player, None)
        b.costs_paid[self.player] = paid
        at.note("DY-COMBAT-12", player=name(self.player), paid=spell(paid), sources=paid)


def from_where(said: str | Sources) -> Sources:
    """Place -> cubes; a place alone is said for one of them."""
    return said if isinstance(said, dict) else {said: 1} if said else {}
