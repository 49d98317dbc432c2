"""Results of chance in Xarkant: tiles at set-up, the first drawer, discs from the bag. Nobody holds anything unseen."""

from __future__ import annotations

from random import Random
from typing import ClassVar

from msgspec.structs import replace

from companion.engine.play.moves import Move
from companion.lab import dealing

from .catalogue import At, cat
from .drawing import Draw, draw_count
from .setup import FirstDrawer
from .tiles import PlaceTile, allowed, next_cell, to_come, turns

RESOURCE = 0.5
"""The worth of a resource in store, in points."""


class Dealer(dealing.Dealer):
    plans, rollout = 10, 0
    """A turn is a plan, a disc for what the next building costs: moves by chance would spoil it."""

    def propose(self, at: At, rng: Random) -> Move | None:
        """Propose a move; its chance results need not be right yet."""
        s = at.state
        if s.phase == "setup":
            return FirstDrawer() if next_cell(at) is None else PlaceTile()
        return Draw() if s.phase == "draw" else super().propose(at, rng)

    def tile(self, at: At, move: Move) -> Move:
        cell = next_cell(at)
        if cell is None:
            return move
        tile = self.one("tile", to_come(at))
        turned = allowed(turns(at, cell, cat(at).tiles[tile]))
        return PlaceTile(cell, tile, turned[self.roll("turn", len(turned))])

    def discs(self, at: At, move: Move) -> Move:
        drawn = self.deal("bag", at.state.bag, draw_count(at))
        return Draw({player: drawn.count(player) for player in at.state.players if player in drawn})

    def first(self, at: At, move: Move) -> Move:
        return replace(move, player=at.state.players[self.roll("first drawer", len(at.state.players))])

    chance: ClassVar = {PlaceTile: tile, Draw: discs, FirstDrawer: first}

    def worth(self, at: At, seat: str) -> float:
        """The score, and something for resources, which will be buildings."""
        return self.rules.score(at).totals().get(seat, 0) + RESOURCE * sum(at.state.player[seat].stored().values())
