"""The truth of Tianxia: tiles, demands, ships and attack cards in their order, and hands of objective cards."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any, ClassVar

from msgspec.structs import replace

from companion.engine.play.moves import Move
from companion.lab import dealing
from companion.lab.dealing import Hand, Open, adds

from .barges import BargeTurn
from .battle import Fight, empty_spots, foretell, most_in_coins
from .catalogue import At, cat
from .cleanup import Cleanup, new_ships_due
from .free import FreeObjective
from .military import MilitaryTurn
from .objectives import shown
from .passing import PassTurn
from .preparation import Prepare, in_stack, open_places
from .region import RegionTurn
from .rounds import RevealAttack, RoundTiles, tiles_due
from .scoring import Score, leftovers, score_of
from .tiles import within_reach

TURNS = (RegionTurn, MilitaryTurn, BargeTurn, PassTurn)

GOODS, OBJECTIVE, INCOME, TILE = 0.4, 1.0, 0.5, 0.7
"""The worth in points of a good, a card in hand, a place that pays each round, a tile that was not used."""


class Dealer(dealing.Dealer):
    hands: ClassVar = {
        "objective": Hand(
            lambda at, seat: at.state.player[seat].objectives if seat not in at.state.scored else 0,
            lambda at, seat: [card for card in cat(at).objectives if card not in shown(at)],
        )
    }

    def propose(self, at: At, rng: Random) -> Move | None:
        """Propose a move; its chance results need not be right yet."""
        s = at.state
        if s.phase == "prepare":
            return Prepare()
        if s.phase == "setup":
            return RevealAttack() if s.tiles_laid else RoundTiles()
        return super().propose(at, rng)

    def tiles(self, at: At, n: int) -> list[str]:
        """So many tiles from the supply, and from the box once it has run out."""
        return self.deal("tile", within_reach(at, n), n, on=True)

    def chooser(self, values: list[Any]) -> Any:
        """A tile that is drawn inside a line comes from the supply, too; anything else is chosen."""
        if values[0] not in self.rules.catalogue.tiles:  # type: ignore[attr-defined]
            return super().chooser(values)
        return self.one("tile", dict.fromkeys(values, 1)) or values[0]

    def prepared(self, at: At, move: Move) -> Move:
        lacking = open_places(at)
        order = self.deal("turn order", dict.fromkeys(lacking["turn_order"], 1), len(lacking["turn_order"]))
        goods = self.deal("demand", cat(at).demand, len(lacking["demand"]))
        ships = self.deal("ship", in_stack(at), len(lacking["ships"]))
        return Prepare(
            tuple(order),
            dict(zip(lacking["bonus"], self.tiles(at, len(lacking["bonus"])), strict=False)),
            dict(zip(lacking["demand"], goods, strict=True)),
            dict(zip(lacking["ships"], ships, strict=True)),
        )

    def objectives(self, at: At, move: Prepare) -> Iterator[Open]:
        """Choose the objective cards that each player keeps of those dealt (TX-PREP-3)."""
        if open_places(at)["turn_order"]:
            for seat in at.seats:
                yield self.keeps(at, "objective", seat, at["objectives.dealt"], at["objectives.kept"])

    def card(self, at: At, move: Move) -> Move:
        cards = [id for id, card in cat(at).attack_cards.items() if card.round == at.state.round]
        return RevealAttack(self.one(f"attack {at.state.round}", cards))

    def ships(self, at: At, move: Move) -> Move:
        return Cleanup(tuple(self.deal("ship", in_stack(at), new_ships_due(at))))

    def refill(self, at: At, move: Fight) -> Move:
        empty = empty_spots(at, foretell(at, move.lane))
        return replace(move, replenish=dict(zip(empty, self.tiles(at, len(empty)), strict=False)))

    def losses(self, at: At, move: Fight) -> Iterator[Open]:
        """Each player settles a ravage in coins or points."""
        ravage = foretell(at, move.lane).ravage
        for who in at.state.turn_order if ravage else ():
            if most := most_in_coins(at, who, ravage):
                yield Open(who, range(most + 1), adds("losses", who))

    def discards(self, at: At, move: Any) -> Iterator[Open]:
        """An objective card discarded in a turn is one of the hand."""
        for place, part in enumerate(move.parts()):
            if isinstance(part, FreeObjective):
                yield Open(move.player, self.hand("objective", move.player), _with_card(place))

    def shows(self, at: At, move: Score) -> Iterator[Open]:
        """Nothing is lost by showing all cards: the best of those that are fulfilled count."""
        yield Open(
            move.player,
            [tuple(self.hand("objective", move.player))],
            lambda move, cards: replace(move, objectives=cards),
        )

    chance: ClassVar = {
        Prepare: prepared,
        RoundTiles: lambda dealer, at, move: RoundTiles(tuple(dealer.tiles(at, tiles_due(at)))),
        RevealAttack: card,
        Cleanup: ships,
        Fight: refill,
    }
    choices: ClassVar = {Prepare: objectives, Fight: losses, Score: shows, **dict.fromkeys(TURNS, discards)}
    spends: ClassVar = dict.fromkeys(
        TURNS,
        lambda at, move: [
            ("objective", move.player, part.card) for part in move.parts() if isinstance(part, FreeObjective)
        ],
    )

    def worth(self, at: At, seat: str) -> float:
        """The score, with the objective cards that would count now, and what may still become of pieces in play."""
        s, p = at.state, at.state.player[seat]
        mine = s.scored.get(seat) or self.hand("objective", seat)
        left = max(0, at["rounds"] - s.round)
        found = score_of(at, seat, mine)["total"] + GOODS * leftovers(at, seat) + OBJECTIVE * p.objectives
        aboard = sum(row.count(seat) for row in s.barges.values())
        governs = sum(site.governors.count(seat) for site in s.buildings.values())
        return float(found + left * INCOME * (aboard + governs) + TILE * len(p.tiles))


def _with_card(place: int) -> Any:
    def put(move: Any, card: str) -> Move:
        parts = list(move.parts())
        parts[place] = replace(parts[place], card=card)
        made: Move = move.with_parts(tuple(parts))
        return made

    return put
