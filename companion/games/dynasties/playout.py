"""Random play, quickly: one move at a time that is probably legal."""

from __future__ import annotations

from random import Random
from typing import Any

from msgspec.structs import replace

from companion.engine.play.moves import Move, arguments_of
from companion.engine.play.options import legal_moves

from .cards import copies, yellow
from .catalogue import At, cat
from .cleanup import Draw
from .deployment import Exchange, Ready
from .order import ChooseOrder, chooser
from .province import Reveal
from .scoring import drawing_due, presumed_end
from .setup import Tiles, presumed_setup, tiles_left, without_tile
from .state import COLOURS
from .warlords import DeclareWarlord, PlayWarlord


def propose(at: At, rng: Random) -> Move | None:
    """A move for the position. Cards shown are chosen among those a player can still hold."""
    s = at.state
    if s.phase == "setup":
        return presumed_setup(at)
    if owed := at.rules.agenda(s):
        kind: Any = at.rules.moves[owed[0].move]
        move, field = kind(owed[0].who), arguments_of(kind)[-1].name
        paid: Move = replace(move, **{field: rng.choice(list(move.options(at, field)))})
        return paid
    held = s.options.warlords and any(p.warlord.status == "held" for p in s.players.values())
    if held and rng.random() < 0.05:
        lords = [*legal_moves(PlayWarlord, at), *legal_moves(DeclareWarlord, at)]
        if lords:
            return rng.choice(lords)
    if s.phase == "deploy":
        player = next(c for c in COLOURS if c not in s.ready)
        if s.options.deck == "expert" and not s.ready and s.players[player].set_aside and rng.random() < 0.15:
            return Exchange(player, str(rng.choice(at["expert.exchange_cards"])))
        return Ready(player)
    if s.phase == "order":
        order = list(cat(at).provinces)
        rng.shuffle(order)
        return ChooseOrder(chooser(at)[0] or "", tuple(order))
    if s.phase == "battles":
        return Reveal(s.to_come()[0], _card(at, "white", rng), _card(at, "black", rng))
    if unknown := without_tile(at):
        return Tiles(tuple(rng.sample(tiles_left(at), len(unknown))))
    due = drawing_due(at)
    return Draw(due[0]) if due else presumed_end(at)


def _card(at: At, player: str, rng: Random) -> str:
    p, cards = at.state.players[player], cat(at).cards
    shown = list(p.shown.values())
    white = p.hand_at_deploy - yellow(at) > sum(not cards[label].yellow for label in shown)
    fit = [
        label
        for label, n in copies(at).items()
        if p.removed.count(label) + shown.count(label) < n and (white or cards[label].yellow)
    ]
    return rng.choice(fit)
