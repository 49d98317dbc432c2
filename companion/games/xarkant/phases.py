"""The frame of a round: set-up, drawing, acting, cleanup (rules XK-GAME-1, XK-DRAW-1, XK-TURN-1, XK-CLEAN-1)."""

from __future__ import annotations

from collections import Counter
from typing import Any

from companion.engine.things.stores import ways
from companion.rules import Phase, Who
from components.phrasing import count

from .building import Church, Village, Workshop
from .catalogue import At
from .cleanup import Cleanup
from .discs import Claim, Collect
from .drawing import Draw, draw_count, end_phase
from .setup import FirstDrawer, Setup
from .tiles import PlaceTile, next_cell, to_come
from .trading import Trade
from .turns import Pass

ACTIONS = (Collect, Claim, Workshop, Church, Village, Trade, Pass)


def tile_awaited(at: At) -> str:
    cell = next_cell(at)
    if cell is None:
        return "chance names the first drawer (type: drawer)"
    other = next(iter(to_come(at)), "NAME")
    return f"the tile for cell {cell} (type its name: {other}, or with its turn: {other} 90)"


def draw_awaited(at: At) -> str:
    n = draw_count(at)
    discs = (
        "" if len([*ways(n, at.state.bag)]) == 1 else "".join(f" {k} {player}" for player, k in _even(at, n).items())
    )
    return f"{at.state.drawer} draws {count(n, 'disc')} (type: draw{discs})"


def _even(at: At, n: int) -> dict[str, int]:
    """A draw that can come out: one disc of each player in turn, as far as the bag holds them."""
    bag = at.state.bag
    discs = [player for k in range(max(bag.values(), default=0)) for player in at.state.players if bag[player] > k]
    return dict(Counter(discs[:n]))


def action_awaited(at: At) -> str:
    s = at.state
    if s.active is None:
        return "a player with a drawn disc"
    discs = s.drawn.get(s.active, 0)
    others = f", then {', '.join(s.queue[1:])}" if s.queue[1:] else ""
    return f"{s.active} acts with {count(discs, 'disc') if discs else 'no disc'} left, until passing{others}"


def phase(name: str, rule: str, **more: Any) -> Phase:
    """A phase of the round; its rule is quoted also when its moves are said elsewhere."""
    return Phase(name=name, rule=rule, elsewhere=rule, **more)


def named(seat: str | None) -> list[str]:
    return [seat] if seat else []


DRAW = {"awaited": lambda at: named(at.state.drawer), "says": draw_awaited}
ACT = {
    "awaited": lambda at: named(at.state.active),
    "says": action_awaited,
    "run": end_phase,
    "next": lambda at: "draw" if any(at.state.bag.values()) else "cleanup",
}
CLEANUP = {"who": Who.TABLE, "says": lambda at: "the round is cleaned up (type: cleanup)"}
PHASES = (
    Phase(name="setup", rule="XK-GAME-1", who=Who.TABLE, moves=(Setup, PlaceTile, FirstDrawer), says=tile_awaited),
    phase("draw", "XK-DRAW-1", moves=(Draw,), **DRAW),
    phase("act", "XK-TURN-1", who=Who.EACH, moves=ACTIONS, **ACT),
    phase("cleanup", "XK-CLEAN-1", moves=(Cleanup,), **CLEANUP),
    Phase(name="end", rule="XK-END-4", who=Who.TABLE, says=lambda at: "nothing: the game is over"),
)
