"""The truth of Warring States: three decks, and two hands for each player."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import ClassVar

from msgspec.structs import replace

from companion.engine.play.moves import Move
from companion.engine.play.position import Position, Rules
from companion.lab import dealing
from companion.lab.dealing import Hand, Open, fills

from .build import DeployGeneral
from .campaign import the_campaign
from .catalogue import At, cards
from .clash import RevealDestiny
from .events import RevealEvent, turnable
from .income import DrawIncome
from .setup import Cut
from .tactics import FillBattleHand, Redraw
from .taxes import MELDS, ExchangeGenerals, Meld, meld_cards
from .trade import Given, Pass, Trade
from .units import size

MOST_WAYS = 12
"""Of the ways to redraw cards, so many are considered."""


def _outside(at: At, deck: str) -> Counter[str]:
    """The cards of a deck that lie neither open on its discard pile nor in play."""
    left = Counter(cards(at).copies[deck])
    left.subtract(getattr(at.state.decks, deck).discard)
    if deck == "resource":
        generals = cards(at).generals
        left.subtract(generals[general].card for p in at.state.players.values() for general in p.generals)
    else:
        left.subtract(card for c in (at.state.campaign,) if c for card in c.destiny.values() if card)
    return left


def _hand(deck: str) -> Hand:
    return Hand(lambda at, seat: at.state.players[seat].held(deck), lambda at, seat: _outside(at, deck))


def _needs(rules: Rules) -> list[tuple[str, list[tuple[str, int]]]]:
    """The cards of each meld."""
    found: list[tuple[str, list[tuple[str, int]]]] | None = rules.__dict__.get("_needs")
    if found is None:
        at: At = Position(rules, rules.new_state())
        found = rules.__dict__["_needs"] = [(kind, list(Counter(meld_cards(at, kind)).items())) for kind in MELDS]
    return found


PROVINCE, RAZED, GENERAL, BU, CARD, ATTACK = 4.0, 2.5, 1.5, 0.3, 0.3, 0.3
"""Their worth in armies; the last is a unit by which an attacker is ahead."""


class Dealer(dealing.Dealer):
    hands: ClassVar = {"resource": _hand("resource"), "battle": _hand("battle")}

    def unseen(self, at: At, name: str, seat: str = "") -> Counter[str]:
        """The unseen cards, without those discarded unseen, which stay out of reach until the pile is shuffled."""
        if not getattr(at.state.decks, name).discard_unknown:
            self.held.pop((name, ""), None)
        return super().unseen(at, name, seat)

    def settle(self, at: At) -> None:
        for (name, seat), mine in list(self.held.items()):
            if seat and mine and not at.state.players[seat].held(name):  # the rest of a hand is thrown away unseen
                self.held.setdefault((name, ""), []).extend(mine)
                mine.clear()
        super().settle(at)

    def cut(self, at: At, move: Cut) -> Move:
        found = list(cards(at).battle)
        return replace(move, card=found[self.roll("cut", len(found), move.player)])

    def melds(self, at: At, move: Meld) -> Iterator[Open]:
        count = self.hand("resource", move.player).count
        kinds = [kind for kind, needs in _needs(at.rules) if all(count(card) >= n for card, n in needs)]
        yield Open(move.player, kinds, fills("kind"))

    def deployed(self, at: At, move: DeployGeneral) -> Iterator[Open]:
        mine = self.hand("resource", move.player)
        able = [general for general, one in cards(at).generals.items() if one.card in mine]
        yield Open(move.player, able, fills("general"))

    def handed_in(self, at: At, move: ExchangeGenerals) -> Iterator[Open]:
        mine = Counter(self.hand("resource", move.player))
        known = cards(at).generals
        pairs = combinations(
            [general for general, one in known.items() for _ in range(mine[one.card])],
            at["tax.generals_exchange"]["generals"],
        )
        yield Open(move.player, list(dict.fromkeys(pairs)), fills("generals"))

    def redrawn(self, at: At, move: Redraw) -> Iterator[Open]:
        """Choose the cards to throw away, as many as were proposed."""
        mine = sorted(self.hand("battle", move.player), key=lambda card: cards(at).battle[card].value)
        ways: Sequence[tuple[str, ...]] = list(combinations(mine, move.n or 1))[:MOST_WAYS]
        yield Open(move.player, ways, lambda move, thrown: replace(move, cards=thrown, n=len(thrown)))

    def shown(self, at: At, move: RevealDestiny) -> Iterator[Open]:
        c = the_campaign(at)
        for seat, field in zip(c.belligerents, ("attacker_card", "defender_card"), strict=True):
            if at.state.players[seat].battle_hand:
                mine = self.hand("battle", seat)
                yield Open(seat, mine, fills(field))

    def agreed(self, at: At, move: Trade) -> Iterator[Open]:
        """The other side has to agree."""
        yield Open(move.b, (True, False), lambda move, yes: move if yes else None)

    def after(self, at: At, move: Move, presumed: Sequence[Move] = ()) -> None:
        """Cards change hands; the table is told how many, and chance says which."""
        if isinstance(move, Trade):
            gives = {seat: self._given(seat, Given(said).count) for seat, said in move.sides}
            self.held["resource", move.a] += gives[move.b]
            self.held["resource", move.b] += gives[move.a]
        super().after(at, move, presumed)

    def _given(self, seat: str, n: int) -> list[str]:
        mine = self.held["resource", seat]
        return [mine.pop(self.roll("given", len(mine), seat)) for _ in range(min(n, len(mine)))]

    chance: ClassVar = {
        Cut: cut,
        RevealEvent: lambda dealer, at, move: replace(move, card=dealer.one("event", turnable(at))),
    }
    choices: ClassVar = {
        Meld: melds,
        DeployGeneral: deployed,
        ExchangeGenerals: handed_in,
        Redraw: redrawn,
        RevealDestiny: shown,
        Trade: agreed,
    }
    spends: ClassVar = {
        Meld: lambda at, move: [("resource", move.player, card) for card in meld_cards(at, move.kind)],
        DeployGeneral: lambda at, move: [("resource", move.player, cards(at).generals[move.general].card)],
        ExchangeGenerals: lambda at, move: [("resource", move.player, card) for card in move.named(at)],
        Redraw: lambda at, move: [("battle", move.player, card) for card in move.cards],
        RevealDestiny: lambda at, move: [
            ("battle", seat, card) for seat, card in move.played(at, the_campaign(at)) if card
        ],
    }
    draws = frozenset((DrawIncome, FillBattleHand, Redraw, ExchangeGenerals, Pass, Trade))

    def worth(self, at: At, seat: str) -> float:
        """Provinces, units, coins and cards; of a war, how much stronger the attacker is."""
        s, p = at.state, at.state.players[seat]
        found = PROVINCE * p.provinces.intact + RAZED * p.provinces.razed + p.armies + GENERAL * len(p.generals)
        found += BU * p.bu + CARD * p.resource_hand
        if (c := s.campaign) is not None and seat == c.attacker:
            found += ATTACK * (size(c.committed) - size(s.players[c.defender]))
        return found
