"""Random play, quickly: one move at a time that is probably legal."""

from __future__ import annotations

from random import Random

from companion.engine.play.moves import Move
from companion.engine.play.playout import Proposer, by_chance

from .cards import copies, impossible
from .catalogue import At
from .cleanup import Draw
from .deployment import Exchange, Ready
from .order import ChooseOrder
from .province import Reveal
from .scoring import presumed_end
from .setup import Tiles, presumed_setup, tiles_left, without_tile
from .warlords import DeclareWarlord, PlayWarlord

EXPERT: dict[type[Move], float] = {Exchange: 0.15}
WARLORDS: dict[type[Move], float] = {PlayWarlord: 0.05, DeclareWarlord: 0.05}
KINDS: dict[str, dict[type[Move], float]] = {
    "deploy": {Ready: 1},
    "order": {ChooseOrder: 1},
    "battles": {Reveal: 1},
    "clean": {Draw: 1},
}
"""Phase -> kinds of moves, and how often each is made."""


def propose(at: At, rng: Random) -> Move | None:
    """A move for the position. Cards shown are chosen among those a player can still hold."""
    s = at.state
    if s.phase == "setup":
        return presumed_setup(at)
    if s.phase == "clean" and (unknown := without_tile(at)):
        return Tiles(tuple(rng.sample(tiles_left(at), len(unknown))))
    more = EXPERT if s.phase == "deploy" and s.options.deck == "expert" else {}
    held = s.options.warlords and any(p.warlord.status == "held" for p in s.players.values())
    kinds = KINDS[s.phase] | more | (WARLORDS if held else {})
    return presumed_end(at) or by_chance(at, rng, kinds, OWN)


def _ready(at: At, rng: Random) -> Move:
    return Ready(at.rules.to_move(at.state)[0])


def _draw(at: At, rng: Random) -> Move:
    return Draw(at.rules.to_move(at.state)[0])


def _reveal(at: At, rng: Random) -> Move:
    white, black = (_card(at, colour, rng) for colour in at.seats)
    return Reveal(at.state.to_come()[0], white, black)


def _card(at: At, player: str, rng: Random) -> str:
    """A card that the player can still hold."""
    left = list(copies(at))
    while any(impossible(at, player, label := rng.choice(left))):
        left.remove(label)
    return label


OWN: dict[type[Move], Proposer] = {Ready: _ready, Draw: _draw, Reveal: _reveal}
