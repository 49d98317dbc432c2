"""How much paper each module of a game takes: for whoever has not decided yet what to print."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from components.model import ResolvedGame, ResolvedPiece
from components.variants import BASE
from generator.sheets.impose import Document


def sheets_added(game: ResolvedGame, laid: Callable[[list[ResolvedPiece]], Sequence[Document]]) -> dict[str, int]:
    """Module -> how many more sheets the base game takes with this module alone, in the game's order; empty for a game
    whose modules have no pieces. `laid` lays pieces on sheets."""
    extra = [module for module in game.modules if module != BASE and any(p.module == module for p in game.pieces)]
    if not extra:
        return {}

    def sheets(*modules: str) -> int:
        part = [piece for piece in game.pieces if piece.module in modules]
        return sum(document.leaves for document in laid(part))

    alone = sheets(BASE)
    return {module: sheets(BASE, module) - alone for module in extra}
