"""Phase 3: both cards of a province are shown, and its battle goes on to its end (rules DY-REVEAL).

`fight_on` is the list of the steps. What has only one outcome happens by itself; where somebody has to choose, they owe
the choice.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

from companion.engine.things.stores import ways
from companion.rules import Breach, ByItself, Move, Options, PieceName

from .armies import is_choice
from .cards import copies, impossible
from .catalogue import SIDES, At, cat, name
from .combat import fight, plague
from .order import is_fixed
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


def owed(s: State) -> Payment | PlaceArmies | Resolve | None:
    """The move that the battle waits for: somebody has to choose from where a payment or the armies to be placed come,
    or a position says that the cards lie open and nothing else has happened yet."""
    b = s.fighting
    if b is None:
        return None
    return first_due(b) or (PlaceArmies(b.winner or "") if b.resolved else Resolve())


def awaited(at: At) -> str:
    """The next thing to happen: a choice, or the next reveal."""
    if isinstance(move := owed(at.state), Resolve):
        return f"the battle for {at.state.fought.province} is resolved (type: resolve)"
    if move:
        needs = at.judge(move).needs
        return needs[0].question if needs else f"the battle for {at.state.fought.province} goes on"
    first, *others = left = at.state.to_come()
    if not at.state.order:
        return f"reveal a province: {', '.join(left)}"
    return f"reveal {first}" + (f", then {', '.join(others)}" if others else "")


AGAINST = ("against", "to", "v", "vs", "versus", "meets")
"""Words between the cards of the two players."""


class NextProvince(PieceName):
    """A province, also as the one that is next, or the last that is left."""

    def spoken(self, at: At) -> dict[str, Any]:
        left = to_reveal(at) if at.state.phase == "battles" else []
        known = left[:1] if at.state.order or len(left) == 1 else []
        which = ("next", "last") if len(left) == 1 else ("next",)
        named = {f"{one} {noun}": next_one for one in which for noun in ("one", "province") for next_one in known}
        return {**super().spoken(at), **named}


class Reveal(Move, frozen=True):
    """Both cards of the next province are shown."""

    role = "event"
    sampled = True
    few = 2
    province: Annotated[str, NextProvince("province", after=("for",), of=("province",))] = ""
    white: Annotated[str, PieceName("card", after=AGAINST, secret=True)] = ""
    black: Annotated[str, PieceName("card", after=AGAINST, secret=True)] = ""

    def province_options(self, at: At) -> Options:
        left = to_reveal(at)
        return left[:1] if at.state.order else left

    def white_options(self, at: At) -> Options:
        return self._cards(at, "white")

    def black_options(self, at: At) -> Options:
        return self._cards(at, "black")

    def _cards(self, at: At, colour: str) -> Options:
        """A card that lies open already need not be said."""
        side = at.state.players.get(colour)
        return None if side is not None and self.province in side.shown else copies(at)

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
            facts = {"province": self.province, "next": left[0], "order": list(s.order)}
            yield at.breach("DY-ORDER-5.next", **facts)
            if is_fixed(at):
                yield at.breach(f"DY-ORDER-{1 if s.dynasty == 1 else 4}.next", **facts)

    def _card(self, at: At, player: str, label: str) -> Iterator[Breach]:
        lies = at.state.players[player].shown.get(self.province)
        if label not in copies(at):
            yield at.breach("DY-SETUP-7.deck", card=label, deck=at.state.options.deck)
        elif lies is None:
            yield from impossible(at, player, label)
        elif lies != label:
            yield at.breach("DY-DEPLOY-3.lies", player=name(player), province=self.province, lies=lies, card=label)

    def facts(self, at: At) -> dict[str, Any]:
        return dict(SIDES)

    def apply(self, at: At) -> None:
        s = at.state
        s.battle = Battle(self.province)
        for player, label in zip(COLOURS, (self.white, self.black), strict=True):
            s.players[player].shown[self.province] = label or s.players[player].shown[self.province]
        shown = {player: s.players[player].shown[self.province] for player in COLOURS}
        at.note("DY-REVEAL-1", province=self.province, **SIDES, **shown)
        for player in COLOURS:
            due_for(at, s.battle, player)
        fight_on(at)


def to_reveal(at: At) -> list[str]:
    """Provinces still to be revealed, the one being fought over left out."""
    left, b = at.state.to_come(), at.state.fighting
    return left if b is None else [p for p in left if p != b.province]


class Resolve(ByItself, frozen=True):
    """Compare the cards (or apply the Plague) and remove armies."""

    owed_by = "DY-REVEAL-2"
    elsewhere = "DY-REVEAL-2"
    player = ""

    def already(self, at: At) -> bool:
        return at.state.battle is not None and at.state.battle.resolved

    def forbidden(self, at: At) -> Iterator[Breach]:
        if at.state.fighting is None:
            yield at.breach("DY-REVEAL-2.closed")

    def apply(self, at: At) -> None:
        at.step("fight_on")
