"""The truth of Dynasties: two decks, two hands, the Warlords that were kept, and the scoring tiles."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import ClassVar

from companion.engine.play.moves import Move
from companion.engine.play.options import combinations
from companion.lab import dealing
from companion.lab.dealing import Hand, Open, held

from .cards import copies, deck_size
from .catalogue import At, cat
from .cleanup import Draw, drawing
from .deployment import Exchange
from .province import Reveal
from .scoring import points
from .setup import KeepWarlord, Setup, Tiles, without_tile
from .state import COLOURS
from .warlords import DeclareWarlord, PlayWarlord, WarlordMove

ARMY = 0.5
"""The worth of an army on the board, in points."""
CARD = 0.3
"""The worth of a white card in hand, in points."""
WARLORD = 0.03
"""The chance to propose a Warlord, in each battle."""


def _size(at: At, colour: str) -> int:
    """Cards that a player holds or has laid unseen, those included that lie open and may come home."""
    p = at.state.players[colour]
    return deck_size(at) - p.deck - len(p.removed)


def _possible(at: At, colour: str) -> Counter[str]:
    left = Counter(copies(at))
    left.subtract(at.state.players[colour].removed)
    return left


def _kept(at: At, colour: str) -> int:
    return int(at.state.players[colour].warlord.status != "none")


class Dealer(dealing.Dealer):
    hands: ClassVar = {
        "card": Hand(_size, _possible, own=True),
        "warlord": Hand(
            _kept, lambda at, colour: [w.id for w in cat(at).warlords.values() if w.colour == colour], own=True
        ),
    }

    def propose(self, at: At, rng: Random) -> Move | None:
        """Cards that are about to be shown need not be proposed, and only Warlords that were kept."""
        s = at.state
        if s.phase != "battles" or at.rules.agenda(s):
            return super().propose(at, rng)
        for colour, p in s.players.items():
            if p.warlord.status == "held" and rng.random() < WARLORD and (mine := self.hand("warlord", colour)):
                found = [
                    move for kind in (PlayWarlord, DeclareWarlord) for move in combinations(kind(colour, mine[0]), at)
                ]
                if found:
                    return rng.choice(found)
        return Reveal(s.to_come()[0])

    def draw(self, at: At, name: str, seat: str, n: int) -> list[str]:
        if name == "card" and not self.held["card", seat]:
            return self._first_hand(at, seat, n)
        return super().draw(at, name, seat, n)

    def _first_hand(self, at: At, seat: str, n: int) -> list[str]:
        """The yellow cards, which never leave the game, and white ones from the deck."""
        yellow = list(Counter(cat(at).yellow[at.state.options.deck]).elements())
        deck = self.unseen(at, "card", seat)
        deck.subtract(yellow)
        return [*yellow, *self.deal(f"card {seat}", deck, n - len(yellow))]

    def settle(self, at: At) -> None:
        self._leave(at)
        super().settle(at)

    def _leave(self, at: At) -> None:
        """White cards that were shown or exchanged have left the hand."""
        for seat, p in at.state.players.items():
            mine, seen = self.held.setdefault(("card", seat), []), self.noted.get(f"removed {seat}", 0)
            for label in filter(mine.__contains__, p.removed[seen:]):
                mine.remove(label)
            self.noted[f"removed {seat}"] = len(p.removed)

    def drawn(self, at: At, move: Draw) -> Iterator[Open]:
        """Choose which of the cards drawn are kept; the others go under the deck."""
        self._leave(at)
        due = drawing(at, move.player)
        if due.kept:
            yield self.keeps(at, "card", move.player, due.drawn, due.kept, on=False)

    def stays(self, at: At, move: KeepWarlord) -> Iterator[Open]:
        """Choose which of the Warlords dealt is kept."""
        if not self.hand("warlord", move.player):
            yield self.keeps(at, "warlord", move.player, at["warlord.dealt"], at["warlord.kept"])

    def tiles(self, at: At, move: Move) -> Move:
        lying = [q.tile for q in at.state.provinces.values()]
        left = [letter for letter, points in cat(at).tiles.items() if points not in lying]
        return Tiles(tuple(self.deal("tile", left, len(without_tile(at)))))

    def cards(self, at: At, move: Move) -> Iterator[Open]:
        """Each player shows a card of those not yet shown in this Dynasty."""
        for colour in COLOURS:
            yield held(self, colour, "card", colour, at.state.players[colour].shown.values())

    def exchanged(self, at: At, move: Exchange) -> Iterator[Open]:
        mine = held(self, move.player, "card", "card")
        strong = [str(label) for label in at["expert.exchange_cards"]]
        yield mine._replace(options=[label for label in mine.options if label in strong])

    def warlord(self, at: At, move: WarlordMove) -> Iterator[Open]:
        mine = self.hand("warlord", move.player)
        yield Open(move.player, [move.card] if move.card in mine else [], lambda move, card: move)

    chance: ClassVar = {Tiles: tiles}
    choices: ClassVar = {
        KeepWarlord: stays,
        Draw: drawn,
        Reveal: cards,
        Exchange: exchanged,
        PlayWarlord: warlord,
        DeclareWarlord: warlord,
    }
    draws = frozenset((Setup, KeepWarlord, Draw, Exchange))

    def worth(self, at: At, seat: str) -> float:
        """Points, what the provinces would pay at the next scoring, armies, and the cards in hand."""
        s = at.state
        found = float(self.rules.score(at).totals().get(seat, 0))
        due = next((n for n in at["scoring.dynasties"] if n >= s.dynasty and n > s.scored), None)
        if due is not None:
            found += sum(paid.points for paid in points(at, due) if paid.colour == seat)
        mine = self.hand("card", seat)
        return found + ARMY * s.board_total(seat) + CARD * sum(not cat(at).cards[label].yellow for label in mine)
