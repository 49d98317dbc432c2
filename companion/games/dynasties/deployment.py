"""Phase 1: exchanges of the expert game, then five cards laid face down (rules DY-EXP, DY-DEPLOY)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from companion.rules import Breach, ByPlayer, Count, Move, Options, PieceName

from .cards import copies, impossible, yellow
from .catalogue import SIDES, At, Facts, cat, name
from .scoring import presumed_end
from .setup import presumed_setup


class Deploying(ByPlayer, frozen=True):
    """A move of the deployment says that the table is set up, and the Dynasty before is over."""

    def presumes(self, at: At) -> Move | None:
        return presumed_setup(at) or presumed_end(at)


class Exchange(Deploying, frozen=True):
    """Expert: discard a strong card for one of the armies set aside."""

    elsewhere = "DY-EXP-5"
    card: Annotated[str, PieceName("card")] = ""

    def card_options(self, at: At) -> Options:
        return copies(at)

    def forbidden(self, at: At) -> Iterator[Breach]:
        s, p = at.state, at.state.players.get(self.player)
        if s.options.deck != "expert":
            yield at.breach("DY-EXP-1.basic", deck=s.options.deck)
        elif self.player in s.ready:
            yield at.breach("DY-EXP-5.laid", player=name(self.player))
        elif p is not None:
            if self.player == "white" and "black" in s.exchanged:
                yield at.breach("DY-EXP-5.first", **SIDES)
            wrong = [*self._kind(at)] if self.card else []
            yield from wrong
            if not p.set_aside:
                yield at.breach("DY-EXP-6.none", player=name(self.player))
            if p.hand <= yellow(at):
                yield at.breach("DY-CARD-5.exchange", player=name(self.player), hand=p.hand, yellow=yellow(at))
            if self.card and not wrong:
                yield from impossible(at, self.player, self.card)

    def _kind(self, at: At) -> Iterator[Breach]:
        """Only some cards are exchanged (DY-EXP-1 to -4)."""
        card = cat(at).cards[self.card]
        allowed = [str(label) for label in at["expert.exchange_cards"]]
        if card.yellow:
            yield at.breach("DY-EXP-4.yellow", card=card.label)
        elif self.card not in allowed:
            rule = "DY-EXP-1.card" if card.kind != "modifier" else "DY-EXP-2.card" if card.cost else "DY-EXP-3.card"
            yield at.breach(rule, card=card.label, allowed=allowed)

    def apply(self, at: At) -> None:
        p = at.state.players[self.player]
        p.removed.append(self.card)
        p.hand -= 1
        p.hand_at_deploy = p.hand
        p.set_aside -= 1
        p.reserve += 1
        if self.player == "black" and may_exchange(at, "white"):
            at.note("DY-EXP-5.done", player=name("white"))
        at.state.exchanged.append(self.player)
        left: Facts = {"reserve": p.reserve, "set_aside": p.set_aside, "hand": p.hand}
        at.note("DY-EXP-1", player=name(self.player), card=self.card, **left)


def may_exchange(at: At, player: str) -> bool:
    """True if a player may still exchange cards (DY-EXP-5, -6)."""
    return any(at.judge(Exchange(player, str(card))).legal for card in at["expert.exchange_cards"])


class Ready(Deploying, frozen=True):
    """A player has laid a card at every province."""

    elsewhere = "DY-DEPLOY-3"
    laid: Annotated[int | None, Count(of=("card",))] = None

    def everything(self, at: At, field: str) -> int:
        return cards_due(at)

    def laid_options(self, at: At) -> Options:
        return (None, cards_due(at))

    def forbidden(self, at: At) -> Iterator[Breach]:
        p, due = at.state.players.get(self.player), cards_due(at)
        if self.player in at.state.ready:
            yield at.breach("DY-DEPLOY-3.again", player=name(self.player))
        elif p is not None and p.hand < due:
            yield at.breach("DY-DEPLOY-2.hand", player=name(self.player), hand=p.hand, due=due)
        if self.laid not in (None, due):
            yield at.breach("DY-DEPLOY-2.count", laid=self.laid, due=due)

    def apply(self, at: At) -> None:
        s, p = at.state, at.state.players[self.player]
        p.hand -= cards_due(at)
        s.ready.append(self.player)
        at.note("DY-DEPLOY-1", player=name(self.player), n=cards_due(at), hand=p.hand)
        if len(s.ready) == len(s.players):
            at.note("DY-DEPLOY-3")


def cards_due(at: At) -> int:
    """Cards each player lays in a Dynasty (DY-DEPLOY-1, -2)."""
    return len(cat(at).provinces) * int(at["deploy.cards_per_province"])
