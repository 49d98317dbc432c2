"""Round set-up and income: tiles, the attack card, what everybody receives (rules TX-RSET, TX-INC)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Annotated, Any, ClassVar

import msgspec

from companion.engine.things.sums import Gains
from companion.engine.things.tracks import moved
from companion.rules import Breach, Options, PieceName, Reported, Unspoken

from .catalogue import At, Gain, cat, name_of
from .gains import gain
from .state import GREY
from .tiles import drawable, shuffle_if_empty, too_many, within_reach


def tiles_due(at: At) -> int:
    """The number of tiles to lay out (TX-RSET-7), as far as there are enough (TX-TILE-5)."""
    return min(len(at.state.players) + int(at["round_tiles.extra"]), drawable(at))


def _set_up(at: At) -> None:
    """Income follows when tiles and card are there."""
    if at.state.tiles_laid and at.state.attack_card:
        at.enter("income")


class RoundTiles(Reported, frozen=True):
    """The bonus tiles that are laid out below the round track."""

    name = "round_tiles"
    asks: ClassVar[dict[str, str]] = {"tiles": "TX-RSET-1.tiles"}
    tiles: Annotated[tuple[str, ...], PieceName("tile", many=True, secret=True)] = ()

    def tiles_options(self, at: At) -> Options:
        """One draw that can come up stands for all: which it is, only the table can say."""
        due = tiles_due(at)
        return [tuple(islice(Counter(within_reach(at, due)).elements(), due))] if due else None

    def things(self, at: At, field: str) -> Iterable[str] | None:
        return dict.fromkeys(within_reach(at, tiles_due(at))) if field == "tiles" else None

    def facts(self, at: At) -> dict[str, Any]:
        return {"n": tiles_due(at)}

    def shows(self) -> dict[str, Any]:
        return {"round tiles": sorted(self.tiles)}

    def forbidden(self, at: At) -> Iterator[Breach]:
        if at.state.tiles_laid:
            yield at.breach("TX-RSET-1.laid", tiles=list(at.state.round_tiles))
        due = tiles_due(at)
        if self.tiles and len(self.tiles) != due:
            yield at.breach("TX-RSET-7", n=len(self.tiles), due=due, players=len(at.state.players))
        yield from too_many(at, self.tiles)

    def apply(self, at: At) -> None:
        shuffle_if_empty(at, len(self.tiles))
        at.state.round_tiles = list(self.tiles)
        at.state.tiles_laid = True
        at.note("TX-RSET-1.lay", tiles=list(self.tiles))
        at.kept("TX-RSET-7")
        _set_up(at)


class RevealAttack(Reported, frozen=True):
    """The nomad attack card of the round: nomads march and grow."""

    name = "attack_card"
    asks: ClassVar[dict[str, str]] = {"card": "TX-RSET-2.card"}
    card: Annotated[str, PieceName("attack", of=("card", "attack"), secret=True)] = ""

    def shows(self) -> dict[str, Any]:
        return {"attack card": self.card}

    def forbidden(self, at: At) -> Iterator[Breach]:
        s = at.state
        if s.attack_card:
            yield at.breach("TX-RSET-2.shown", card=s.attack_card)
        if self.card and (numeral := cat(at).attack_cards[self.card].round) != s.round:
            yield at.breach("TX-RSET-8", card=self.card, numeral=numeral, round=s.round)

    def apply(self, at: At) -> None:
        s, card, top = at.state, cat(at).attack_cards[self.card], at["nomad.march.top"]
        s.attack_card = self.card
        at.note("TX-RSET-2.reveal", card=self.card, name=card.name)
        at.kept("TX-RSET-8", "TX-PREP-8")
        for lane, nomad in s.nomads.items():
            by, more = card.march[lane], card.strength[lane]
            if nomad.march + by > top:
                at.note("TX-RSET-4.stops", lane=name_of(at, "lane", lane), n=nomad.march + by - top)
            nomad.march = moved(nomad.march, by, top)
            at.note("TX-RSET-3.march", lane=name_of(at, "lane", lane), n=by, march=nomad.march)
            nomad.strength = moved(nomad.strength, more, at["nomad.strength.max"])
            at.kept("TX-RSET-5")
            at.note("TX-RSET-9.grow", lane=name_of(at, "lane", lane), n=more, strength=nomad.strength)
        if threatened := [name_of(at, "lane", lane) for lane, nomad in s.nomads.items() if nomad.march >= top]:
            at.note("TX-RSET-6.battles", lanes=threatened)
        _set_up(at)


# --- income --------------------------------------------------------------------------------------------------------


def income_of(at: At, who: str) -> Gains:
    """A player's income, line by line (TX-INC-1 to -8)."""
    s, found = at.state, Gains()
    found.add("Manor", _paying(at["home.income"]), "TX-INC-7", "TX-INC-2")
    uncovered = at["shipping.markers"] - s.player[who].ship_markers
    for n, slot in enumerate(at["estate.income"][:uncovered], 1):
        found.add(f"estate slot {n}", _paying(slot), "TX-INC-7", "TX-SHIP-3")
    for id, building in cat(at).buildings.items():
        if building.pays and (n := s.buildings[id].governors.count(who)):
            name, more = (f"{building.name} ({n} governors)", ["TX-GOV-7"]) if n > 1 else (building.name, [])
            found.add(name, {kind: amount * n for kind, amount in building.does.items()}, "TX-INC-1", *more)
    for barge, row in s.barges.items():
        if n := row.count(who):
            goods = _paying({cat(at).barges[barge]: n * at["barge.income_per_worker"]})
            more = ["TX-INC-4"] if GREY in row else []
            found.add(f"{name_of(at, 'barge', barge)} ({n} aboard)", goods, "TX-INC-3", *more)
    return found


def _paying(goods: Gain) -> Gain:
    """The goods that a table has not set to 0."""
    return {kind: n for kind, n in goods.items() if n}


class Income(Reported, frozen=True):
    """Everybody takes their income; choices are made in turn order."""

    name = "income"
    choose: Annotated[dict[str, Any], Unspoken()] = msgspec.field(default_factory=dict)

    def apply(self, at: At) -> None:
        s = at.state
        for who in s.turn_order:
            found = income_of(at, who)
            for line in found:
                gain(at, who, line.goods, line.rules[0], line.what)
                at.kept(*line.rules[1:])
            at.note("TX-INC-6.total", player=who, gains=found.total)
        at.kept("TX-INC-6", "TX-INC-8", "TX-GAME-2")
        s.active = s.turn_order[0]
        at.enter("action")
        at.note("TX-ACT-1.first", player=s.active)
