"""Both cards of a province are shown, and what follows by itself (rules DY-REVEAL, DY-ORDER-5, DY-CARD)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from companion.engine.play.moves import Breach, Choice, Move

from .battle import advance_battle, choice_open
from .catalogue import At, card_of, copies, name, yellow
from .deployment import impossible
from .domains import Label, ProvinceName
from .dues import dues, first_to_pay
from .state import COLOURS, STAGES, Battle


class Reveal(Move, frozen=True):
    """Both cards of the next province are shown."""

    name = "reveal"
    role = "event"
    words = ("reveal", "show")
    example = "reveal tibet 7 +1"
    province: Annotated[str, ProvinceName()] = ""
    white: Annotated[str, Label()] = ""
    black: Annotated[str, Label()] = ""

    def presumes(self, at: At) -> Move | None:
        return presumed_in_battle(at)

    def filled(self, at: At) -> Reveal:
        s = at.state
        left = s.to_come() if s.phase == "battles" else []
        if s.fighting is not None:
            left = [p for p in left if p != s.fighting.province]
        sure = bool(s.order) or len(left) == 1
        return Reveal(left[0], self.white, self.black) if not self.province and left and sure else self

    def forbidden(self, at: At) -> Iterator[Breach]:
        s = at.state
        if s.phase != "battles":
            facts = {"phase": s.phase, "ready": list(s.ready)}
            if s.phase == "deploy":
                waiting = " and ".join(name(c) for c in COLOURS if c not in s.ready)
                yield Breach("DY-DEPLOY-3", f"{waiting} may still rearrange cards", facts)
            yield Breach(
                "DY-ORDER-5", f"cards are shown once the order is announced, and this is {STAGES[s.phase]}", facts
            )
            return
        fighting = s.fighting
        if fighting is not None and (choice_open(at) is None or self.province == fighting.province):
            yield Breach("DY-REVEAL-3", f"{fighting.province} is not finished", {"province": fighting.province})
        elif self.province:
            left = [p for p in s.to_come() if fighting is None or p != fighting.province]
            if self.province not in left:
                yield Breach("DY-ORDER-5", f"{self.province} has had its turn in this Dynasty", {"left": left})
            elif s.provinces[self.province].white and s.provinces[self.province].black:
                yield Breach("DY-ARMY-3", f"armies of both colours stand in {self.province}", {"left": left})
            elif s.order and self.province != left[0]:
                yield Breach(
                    "DY-ORDER-5", f"{left[0]} comes before {self.province}", {"order": list(s.order), "next": left[0]}
                )
        for player, label in (("white", self.white), ("black", self.black)):
            if label:
                yield from self._card(at, player, label)

    def _card(self, at: At, player: str, label: str) -> Iterator[Breach]:
        p = at.state.players[player]
        if label not in copies(at):
            yield Breach(
                "DY-SETUP-7",
                f"{label} is not in the {at.state.options.deck} deck",
                {"deck": at.state.options.deck, "card": label},
            )
            return
        yield from impossible(at, player, label)
        shown = [other for other in p.shown.values() if not card_of(at, other).yellow]
        white_cards = p.hand_at_deploy - yellow(at)
        if not card_of(at, label).yellow and len(shown) + 1 > white_cards:
            yield Breach(
                "DY-CARD-5",
                f"{name(player)} had {p.hand_at_deploy} cards, {yellow(at)} of them yellow and {white_cards} white; "
                f"white ones shown: {', '.join([*shown, label])}",
                {"hand_at_deploy": p.hand_at_deploy, "white_cards": white_cards, "shown": shown},
            )

    def needs(self, at: At) -> Iterator[Choice]:
        if open_choice := choice_open(at):
            yield open_choice
            return
        if not self.province:
            yield Choice("province", "", "which province comes next?", at.state.to_come())
        for field, label in (("white", self.white), ("black", self.black)):
            if not label:
                yield Choice(field, field, f"which card does {name(field)} show in {self.province}?", list(copies(at)))

    def apply(self, at: At) -> None:
        s = at.state
        battle = Battle(self.province)
        s.battle = battle
        at.note("DY-REVEAL-1", f"{self.province}: White {self.white}, Black {self.black}", province=self.province)
        at.cite("DY-REVEAL-2", "show, pay, compare, remove, place")
        for player, label in (("white", self.white), ("black", self.black)):
            s.players[player].shown[self.province] = label
        for player in COLOURS:
            dues(at, battle, player)
        advance_battle(at)

    @classmethod
    def candidates(cls, at: At) -> Iterator[Move]:
        s = at.state
        left = s.to_come() if s.phase == "battles" and not s.fighting else []
        if left:
            labels = list(copies(at))
            for i, white in enumerate(labels):  # a sample: every pair would be too long a list
                yield from (cls(left[0], white, black) for black in dict.fromkeys((labels[i * 5 % len(labels)], white)))


class Resolve(Move, frozen=True):
    """Compare the cards (or apply the Plague) and remove armies."""

    name = "resolve"
    role = "automatic"
    words = ("resolve",)
    example = "resolve"

    def already(self, at: At) -> bool:
        b = at.state.battle
        return b is not None and b.resolved

    def forbidden(self, at: At) -> Iterator[Breach]:
        b = at.state.fighting
        if b is None:
            yield Breach("DY-REVEAL-2", "no cards lie open", {})
        elif b.mark_due or b.cost_due:
            yield Breach(
                "DY-REVEAL-2",
                f"{name(first_to_pay(b) or '')} has to pay first",
                {"mark_due": list(b.mark_due), "cost_due": dict(b.cost_due)},
            )

    def apply(self, at: At) -> None:
        advance_battle(at)


def presumed_in_battle(at: At) -> Move | None:
    """Forced steps of a loaded position are carried out by the next action."""
    b = at.state.fighting
    if b is None or b.finished:
        return None
    if not b.mark_due and not b.cost_due and not b.resolved:
        return Resolve()
    return None


__all__ = ["Resolve", "Reveal", "presumed_in_battle"]
