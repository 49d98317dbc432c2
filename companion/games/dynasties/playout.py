"""Random play, quickly: one move at a time that is probably legal."""

from __future__ import annotations

from random import Random

from companion.engine.play.moves import made_by
from companion.engine.play.options import legal_moves
from companion.engine.play.playout import drawn
from companion.rules import Move

from .cards import copies, impossible, white_cards
from .catalogue import At, cat
from .cleanup import Draw
from .deployment import Exchange, Ready
from .order import ChooseOrder
from .province import Reveal
from .scoring import drawing_due, presumed_end
from .setup import Tiles, presumed_setup, without_tile
from .state import COLOURS
from .warlords import DeclareWarlord, PlayWarlord


def propose(at: At, rng: Random) -> Move | None:
    """A move for the position. Cards shown are chosen among those a player can still hold."""
    s = at.state
    for owed in at.rules.agenda(s):
        return drawn(made_by(at.rules.moves[owed.move], owed.who), at, rng)
    if s.phase == "setup":
        return presumed_setup(at)
    held = s.options.warlords and any(p.warlord.status == "held" for p in s.players.values())
    if held and rng.random() < 0.05 and (lords := [*legal_moves(PlayWarlord, at), *legal_moves(DeclareWarlord, at)]):
        return rng.choice(lords)
    if s.phase == "deploy":
        player = s.not_ready[0]
        strong = s.options.deck == "expert" and not s.ready and s.players[player].set_aside and rng.random() < 0.15
        return Exchange(player, str(rng.choice(at["expert.exchange_cards"]))) if strong else Ready(player)
    if s.phase == "order":
        return drawn(ChooseOrder(), at, rng)
    if s.phase == "battles":
        return Reveal(s.to_come()[0], *(_card(at, player, rng) for player in COLOURS))
    if without_tile(at):
        return drawn(Tiles(), at, rng)
    due = drawing_due(at)
    return Draw(due[0]) if due else presumed_end(at)


def _card(at: At, player: str, rng: Random) -> str:
    """A card that a player can show."""
    p, found = at.state.players[player], cat(at)
    white = sum(not found.cards[label].yellow for label in p.shown.values()) < white_cards(at, p)
    labels = [*(copies(at) if white else found.yellow[at.state.options.deck])]
    tried = iter(lambda: rng.choice(labels), "")
    return next(label for label in tried if not any(impossible(at, player, label)))
