"""What chance says in Xarkant: tiles at set-up, the first drawer, discs from the bag. Nobody holds anything unseen."""

from __future__ import annotations

from typing import ClassVar

from msgspec.structs import replace

from companion.engine.play.moves import Move
from companion.lab import dealing

from .catalogue import At, cat
from .drawing import Draw, draw_count
from .setup import FirstDrawer
from .tiles import PlaceTile, allowed, next_cell, to_come, turns


class Dealer(dealing.Dealer):
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
