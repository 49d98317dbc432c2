"""How much paper each module of a game takes: for whoever has not decided yet what to print."""

from __future__ import annotations

from collections.abc import Callable

from components.model import BASE, ResolvedGame, ResolvedPiece
from generator.build.processes import shared


def sheets_added(game: ResolvedGame, sheets: Callable[[list[ResolvedPiece]], int], jobs: int) -> dict[str, int]:
    """Module -> how many more sheets the base game takes with this module alone, in the game's order; empty for a game
    whose modules have no pieces. `sheets` says how many some pieces take, and is asked in `jobs` processes."""
    extra = [module for module in game.modules if module != BASE and any(p.module == module for p in game.pieces)]
    if not extra:
        return {}

    def taken(modules: tuple[str, ...]) -> int:
        return sheets([piece for piece in game.pieces if piece.module in modules])

    found = dict(shared(taken, [(BASE,), *((BASE, module) for module in extra)], jobs))
    return {module: found[n] - found[0] for n, module in enumerate(extra, 1)}
