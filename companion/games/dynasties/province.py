"""Phase 3: both cards of a province are shown, and its battle goes on to its end (rules DY-REVEAL).

`fight_on` is the list of the steps. What has only one outcome happens by itself; where somebody has to choose, they owe
the choice.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated

from companion.engine.play.domains import PieceName
from companion.engine.play.moves import Breach, ByItself, Move
from companion.engine.things.stores import ways

from .armies import is_choice
from .cards import copies, impossible
from .catalogue import At, cat, name
from .combat import fight, plague
from .payments import Payment, due_for, first_due
from .placing import PlaceArmies, comes_from, place
from .state import COLOURS, Battle, State
from .warlords import disarm


def fight_on(at: At) -> None:
    """The steps of the battle (DY-REVEAL-2), up to its end or to a choice."""
    s = at.state
    while (b := s.fighting) is not None:
        if payment := first_due(b):
            n, offer = payment.owed(at, b)
            if is_choice(n, offer):
                return
            payment.pay(at, b, next(ways(n, offer)))
        elif not b.resolved:
            b.resolved = True
            cards = [cat(at).cards[s.players[c].shown[b.province]] for c in COLOURS]
            (plague if "plague" in (card.kind for card in cards) else fight)(at, b, cards)
        elif b.to_place:
            steps = comes_from(at, b)
            if any(is_choice(n, offer) for _, n, offer in steps):
                return
            place(at, b, steps, {q: k for _, n, offer in steps if n for q, k in next(ways(n, offer)).items()})
        else:
            b.finished = s.provinces[b.province].resolved = True
            disarm(at, b.province)


def owed(s: State) -> Payment | PlaceArmies | None:
    """The move that somebody owes in the battle because they have to choose: from where a payment or the armies to be
    placed come."""
    b = s.fighting
    return None if b is None else first_due(b) or PlaceArmies(b.winner or "")


def awaited(at: At) -> str:
    """What has to happen next: a choice, or the next reveal."""
    if move := owed(at.state):
        return at.judge(move).needs[0].question
    first, *others = left = at.state.to_come()
    if not at.state.order:
        return f"reveal a province: {', '.join(left)}"
    return f"reveal {first}" + (f", then {', '.join(others)}" if others else "")


class Reveal(Move, frozen=True):
    """Both cards of the next province are shown."""

    role = "event"
    words = ("reveal", "show")
    example = "reveal tibet 7 +1"
    sampled = True
    few = 2
    province: Annotated[str, PieceName("province")] = ""
    white: Annotated[str, PieceName("card", secret=True)] = ""
    black: Annotated[str, PieceName("card", secret=True)] = ""

    def options(self, at: At, field: str) -> Iterable[str] | None:
        """A card that lies open already need not be said."""
        if field == "province":
            left = to_reveal(at)
            return left[:1] if at.state.order else left
        return copies(at) if self.province not in at.state.players[field].shown else None

    def presumes(self, at: At) -> Move | None:
        """The battle before is finished: what is owed in it has to be said first."""
        first = owed(at.state)
        return None if first is None or at.refuses(self) else first

    def forbidden(self, at: At) -> Iterator[Breach]:
        s = at.state
        if s.phase != "battles":
            if s.phase == "deploy":
                yield at.breach("DY-DEPLOY-3.reveal", waiting=[*map(name, s.not_ready)])
            yield at.breach("DY-ORDER-5.phase", phase=at.now)
        elif s.fighting is not None and self.province == s.fighting.province:
            yield at.breach("DY-REVEAL-3", province=self.province)
        elif self.province:
            yield from self._turn(at)
            for player, label in zip(COLOURS, (self.white, self.black), strict=True):
                if label:
                    yield from self._card(at, player, label)

    def _turn(self, at: At) -> Iterator[Breach]:
        """The provinces come in their order (DY-ORDER-5)."""
        s, left = at.state, to_reveal(at)
        there = s.provinces[self.province]
        if self.province not in left:
            yield at.breach("DY-ORDER-5.done", province=self.province, left=left)
        elif there.white and there.black:
            yield at.breach("DY-ARMY-3.both", province=self.province)
        elif s.order and self.province != left[0]:
            yield at.breach("DY-ORDER-5.next", province=self.province, next=left[0], order=list(s.order))

    def _card(self, at: At, player: str, label: str) -> Iterator[Breach]:
        lies = at.state.players[player].shown.get(self.province)
        if label not in copies(at):
            yield at.breach("DY-SETUP-7.deck", card=label, deck=at.state.options.deck)
        elif lies is None:
            yield from impossible(at, player, label)
        elif lies != label:
            yield at.breach("DY-DEPLOY-3.lies", player=name(player), province=self.province, lies=lies, card=label)

    def apply(self, at: At) -> None:
        s = at.state
        s.battle = Battle(self.province)
        for player, label in zip(COLOURS, (self.white, self.black), strict=True):
            s.players[player].shown[self.province] = label or s.players[player].shown[self.province]
        shown = {player: s.players[player].shown[self.province] for player in COLOURS}
        at.note("DY-REVEAL-1", province=self.province, **shown)
        for player in COLOURS:
            due_for(at, s.battle, player)
        fight_on(at)


def to_reveal(at: At) -> list[str]:
    """Provinces still to be revealed, the one being fought over left out."""
    left, b = at.state.to_come(), at.state.fighting
    return left if b is None else [p for p in left if p != b.province]


class Resolve(ByItself, frozen=True):
    """Compare the cards (or apply the Plague) and remove armies."""

    def already(self, at: At) -> bool:
        return at.state.battle is not None and at.state.battle.resolved

    def forbidden(self, at: At) -> Iterator[Breach]:
        if at.state.fighting is None:
            yield at.breach("DY-REVEAL-2.closed")
