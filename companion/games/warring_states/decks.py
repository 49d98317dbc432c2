"""A deck that has run out, said aloud (rules WS-DECK-2, -3). Every draw reshuffles by itself; this is for tables that tell it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal

from companion.engine.play.moves import Breach, Choice, Move, OneOf
from components.phrasing import count

from .campaign import campaign_of
from .catalogue import At
from .events import presumed_choice
from .income_trade import to_draw
from .steps import presumed_step
from .zones import reshuffle

DeckName = Literal["", "event", "resource", "battle"]
DECKS: tuple[DeckName, ...] = ("event", "resource", "battle")


def draw_due(at: At) -> DeckName:
    """The deck from which a card has to be drawn next; empty if from none."""
    s = at.state
    if s.phase == "event" and s.event is None:
        return "event"
    if s.phase == "income" and to_draw(at):
        return "resource"
    c = campaign_of(at)
    if c and c.round == "tactics" and not all(s.players[p].battle_hand for p in (c.attacker, c.defender)):
        return "battle"
    return ""


class Reshuffle(Move, frozen=True):
    """The discard pile of an empty deck is shuffled and becomes the deck, because a card has to be drawn."""

    name = "reshuffle"
    role = "event"
    words = ("reshuffle",)
    example = "reshuffle resource"
    deck: Annotated[DeckName, OneOf("event", "resource", "battle")] = ""

    def filled(self, at: At) -> Reshuffle:
        return self if self.deck else Reshuffle(draw_due(at))

    def presumes(self, at: At) -> Move | None:
        if at.state.phase == "event" and at.state.event and self.deck == "resource":
            return presumed_choice(at)
        return presumed_step(at, "tactics") if self.deck == "battle" else None

    def forbidden(self, at: At) -> Iterator[Breach]:
        if not self.deck:
            return
        pile = getattr(at.state.decks, self.deck)
        discarded = len(pile.discard) if self.deck == "event" else pile.discard_count
        facts = {"deck": self.deck, "draw": pile.draw, "discard": discarded}
        if pile.draw:
            why = f"{count(pile.draw, 'card')} are still in the {self.deck} deck"
            if at.on("WS-DECK-3"):
                yield Breach("WS-DECK-2", why, facts)
            yield Breach("WS-DECK-3", f"{why}, and a deck is reshuffled no sooner than a draw finds it empty", facts)
        elif draw_due(at) != self.deck:
            yield Breach("WS-DECK-3", f"no card has to be drawn from the {self.deck} deck now", facts)
        elif not discarded:
            yield Breach("WS-DECK-4", f"the {self.deck} discard pile is empty too", facts)

    def needs(self, at: At) -> Iterator[Choice]:
        if not self.deck:
            yield Choice("deck", "", "which deck?", list(DECKS))

    def apply(self, at: At) -> None:
        reshuffle(at, self.deck)

    @classmethod
    def candidates(cls, at: At) -> Iterator[Move]:
        yield from (cls(deck) for deck in DECKS)


__all__ = ["Reshuffle", "draw_due"]
