"""A card that comes up from a deck: an advisor; once a year a relic, a Rat card, a dragon card."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, ClassVar

from companion.engine.play.moves import Breach, Move

from . import decks
from .catalogue import At
from .decks import out_of_play
from .reports import TableReport


class RevealNext(TableReport, frozen=True):
    """The next card of a deck; `card` is a field of every such report."""

    deck: ClassVar[str]
    module: ClassVar[str] = "base"
    called: ClassVar[str]
    """The card, in a refusal where its module is not in play."""
    seen_in: ClassVar[str]
    """The deck, as the log of what was seen calls it."""
    card: str = ""

    def options(self, at: At, field: str) -> Iterable[Any] | None:
        return decks.hidden(at, decks.DECKS[self.deck].set) if field == "card" else None

    def presumes(self, at: At) -> Move | None:
        return decks.renewed(at, self.deck) or super().presumes(at)

    def shows(self) -> dict[str, Any]:
        return {self.seen_in: self.card}

    def forbidden(self, at: At) -> Iterator[Breach]:
        yield from out_of_play(at, self.module, self.called)
        if self.card:
            yield from decks.impossible(at, decks.DECKS[self.deck].set, [self.card])
            yield from self.misread(at)
        yield from decks.run_out(at, self.deck)

    def misread(self, at: At) -> Iterator[Breach]:
        """What else the report says of the card that the card does not."""
        return iter(())
