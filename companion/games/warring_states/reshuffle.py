"""A deck that has run out, said aloud (rules WS-DECK-2 to -4)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal

from companion.engine.things.cards import discarded
from companion.rules import Breach, Move, OneOf

from .catalogue import At
from .decks import reshuffle
from .events import pending_choice
from .moves import presumed_step

DeckName = Literal["", "event", "resource", "battle"]


def draw_due(at: At) -> DeckName:
    """The deck from which a card has to be drawn next; empty if from none."""
    s = at.state
    if s.phase == "event" and s.event is None:
        return "event"
    if s.phase == "income":
        return "resource"
    c = s.campaign
    if c and c.round == "tactics" and not all(s.players[p].battle_hand for p in c.belligerents):
        return "battle"
    return ""


class Reshuffle(Move, frozen=True):
    """The discard pile of an empty deck becomes the new deck because a card has to be drawn. Every draw reshuffles by
    itself; this is for tables that say so."""

    role = "event"
    deck: Annotated[DeckName, OneOf("event", "resource", "battle")] = ""

    def presumes(self, at: At) -> Move | None:
        if at.state.phase == "event" and at.state.event and self.deck == "resource":
            return pending_choice(at)
        return presumed_step(at, "tactics") if self.deck == "battle" else None

    def forbidden(self, at: At) -> Iterator[Breach]:
        if not self.deck:
            return
        pile = getattr(at.state.decks, self.deck)
        facts = {"deck": self.deck, "name": self.deck.capitalize(), "draw": pile.draw, "discard": discarded(pile)}
        if pile.draw:
            yield at.breach("WS-DECK-2", "WS-DECK-3", **facts)
        elif draw_due(at) != self.deck:
            yield at.breach("WS-DECK-3.not_due", **facts)
        elif not discarded(pile):
            yield at.breach("WS-DECK-4.empty", **facts)

    def apply(self, at: At) -> None:
        reshuffle(at, self.deck)
