"""Phase 3: both cards of a province are shown, and its battle goes on to its end (rules DY-REVEAL).

`fight_on` is the list of the steps. It carries out what has only one outcome and stops where somebody has to choose.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from companion.engine.play.moves import Breach, Choice

from .cards import copies, impossible, too_many_whites
from .catalogue import At, cat, name
from .cleanup import clean_up
from .combat import fight
from .moves import Label, ProvinceName, TableMove
from .payments import due_for, first_to_pay, pay_if_forced, payment_choice
from .placing import place_if_forced, placing_choice
from .plague import plague
from .state import COLOURS, STAGES, Battle
from .warlords import disarm


def fight_on(at: At) -> bool:
    """The next step of the battle that has only one outcome (DY-REVEAL-2); False: there is none."""
    s = at.state
    b = s.fighting
    if b is None:
        return not s.to_come() and clean_up(at)
    if first_to_pay(b) is not None:
        return pay_if_forced(at, b)
    if not b.resolved:
        b.resolved = True
        cards = [cat(at).cards[s.players[c].shown[b.province]] for c in COLOURS]
        (plague if "plague" in (card.kind for card in cards) else fight)(at, b, cards)
        return True
    if b.to_place:
        return place_if_forced(at, b)
    b.finished = s.provinces[b.province].resolved = True
    disarm(at, b.province)
    return True


def choice_open(at: At) -> Choice | None:
    """A payment or placing that its owner still has to choose."""
    b = at.state.fighting
    if b is None:
        return None
    if first_to_pay(b) is not None:
        return payment_choice(at, b)
    return placing_choice(at, b) if b.to_place else None


class Reveal(TableMove, frozen=True):
    """Both cards of the next province are shown."""

    name = "reveal"
    role = "event"
    words = ("reveal", "show")
    example = "reveal tibet 7 +1"
    province: Annotated[str, ProvinceName()] = ""
    white: Annotated[str, Label()] = ""
    black: Annotated[str, Label()] = ""

    def filled(self, at: At) -> Reveal:
        s = at.state
        left = _next(at) if s.phase == "battles" else []
        province = self.province or (left[0] if left and (s.order or len(left) == 1) else "")
        known = [s.players[c].shown.get(province, "") if s.players else "" for c in COLOURS]
        return Reveal(province, self.white or known[0], self.black or known[1])

    def breaches(self, at: At) -> Iterator[Breach]:
        s = at.state
        if s.phase != "battles":
            if s.phase == "deploy":
                yield at.breach("DY-DEPLOY-3.reveal", waiting=[name(c) for c in COLOURS if c not in s.ready])
            yield at.breach("DY-ORDER-5.phase", phase=STAGES[s.phase])
            return
        b = s.fighting
        if b is not None and self.province == b.province:
            yield at.breach("DY-REVEAL-3", province=b.province)
            return
        if self.province:
            yield from self._turn(at)
        for player, label in zip(COLOURS, (self.white, self.black), strict=True):
            if label:
                yield from self._card(at, player, label)

    def _turn(self, at: At) -> Iterator[Breach]:
        """The provinces come in their order (DY-ORDER-5)."""
        s, left = at.state, _next(at)
        there = s.provinces[self.province]
        if self.province not in left:
            yield at.breach("DY-ORDER-5.done", province=self.province, left=left)
        elif there.white and there.black:
            yield at.breach("DY-ARMY-3.both", province=self.province)
        elif s.order and self.province != left[0]:
            yield at.breach("DY-ORDER-5.next", province=self.province, next=left[0], order=list(s.order))

    def _card(self, at: At, player: str, label: str) -> Iterator[Breach]:
        lies = at.state.players[player].shown.get(self.province, label)
        if label not in copies(at):
            yield at.breach("DY-SETUP-7.deck", card=label, deck=at.state.options.deck)
        elif lies != label:
            yield at.breach("DY-DEPLOY-3.lies", player=name(player), province=self.province, lies=lies, card=label)
        elif self.province not in at.state.players[player].shown:
            yield from impossible(at, player, label)
            yield from too_many_whites(at, player, label)

    def needs(self, at: At) -> Iterator[Choice]:
        if open_choice := choice_open(at):
            yield open_choice
            return
        if not self.province:
            yield at.ask("DY-ORDER-5.next", "province", "", at.state.to_come())
        for field, label in (("white", self.white), ("black", self.black)):
            if not label:
                yield at.ask("DY-REVEAL-1", field, field, copies(at), player=name(field), province=self.province)

    def carry_out(self, at: At) -> None:
        s = at.state
        s.battle = Battle(self.province)
        at.note("DY-REVEAL-1", province=self.province, white=self.white, black=self.black)
        for player, label in zip(COLOURS, (self.white, self.black), strict=True):
            s.players[player].shown[self.province] = label
        for player in COLOURS:
            due_for(at, s.battle, player)


def _next(at: At) -> list[str]:
    """Provinces still to be revealed, the one being fought over left out."""
    s = at.state
    return [p for p in s.to_come() if s.fighting is None or p != s.fighting.province]


class Resolve(TableMove, frozen=True):
    """Compare the cards (or apply the Plague) and remove armies."""

    name = "resolve"
    role = "automatic"
    words = ("resolve",)
    example = "resolve"

    def already(self, at: At) -> bool:
        return at.state.battle is not None and at.state.battle.resolved

    def breaches(self, at: At) -> Iterator[Breach]:
        yield too_early(at)

    def carry_out(self, at: At) -> None:
        """Happens by itself as soon as all is paid."""


def too_early(at: At) -> Breach:
    """A later step of a battle said before its time (DY-REVEAL-2)."""
    b = at.state.fighting
    payer = first_to_pay(b) if b else None
    return at.breach("DY-REVEAL-2.pay" if payer else "DY-REVEAL-2.closed", player=name(payer))


__all__ = ["Resolve", "Reveal", "choice_open", "fight_on"]
