"""Whose turn it is, and what follows when it ends (rules XK-TURN, XK-DRAW-5, XK-CLEAN-1)."""

from __future__ import annotations

from collections.abc import Iterator

from companion.engine.play.moves import Breach
from companion.engine.things.bags import size
from components.phrasing import count

from .catalogue import At, clockwise_from, left_of


def act_order(at: At) -> list[str]:
    """Players with a drawn disc, from the drawer's left (XK-TURN-2); each once, whatever was drawn (XK-TURN-9)."""
    s = at.state
    if s.drawer is None:
        return []
    order = [p for p in clockwise_from(at, s.drawer) if s.drawn.get(p)]
    if at.on("XK-TURN-9"):
        return order
    return [p for p in order for _ in range(s.drawn[p])]


def full_draw(at: At) -> int:
    """Discs drawn from a full bag: as many as there are players, or the number the table plays with (XK-DRAW-2)."""
    return len(at.state.players) if at["draw.count"] == "players" else int(at["draw.count"])


def draw_count(at: At) -> int:
    """Discs to be drawn now: a full draw, or as many as the bag holds (XK-DRAW-2, -3)."""
    return min(full_draw(at), size(at.state.bag)) if at.on("XK-DRAW-3") else full_draw(at)


def out_of_turn(at: At, player: str) -> Iterator[Breach]:
    """Why a player may not act now at all."""
    s = at.state
    if s.phase != "act":
        why = f"actions are taken after the draw, in an action phase; now: {s.phase}"
        yield Breach("XK-TURN-1", why, {"phase": s.phase, "player": player})
    elif player and player != s.active:
        facts = {"active": s.active, "queue": list(s.queue), "player": player}
        if player in s.queue:
            why = f"{s.active} acts before {player}"
        elif s.active is None:
            why = "nobody has a drawn disc"
        else:
            why = f"it is {s.active}'s turn, and {player} has no drawn disc to act with"
        yield Breach("XK-TURN-2", why, facts)


def end_turn(at: At, player: str) -> None:
    """Set aside what was not spent; the next player acts, or the phase ends (XK-TURN-7, XK-DRAW-5, XK-CLEAN-1)."""
    s = at.state
    unspent = s.drawn.get(player, 0)
    again = s.queue.count(player) > 1
    if unspent and not again:
        s.drawn[player] = 0
        home = s.aside if at.on("XK-TURN-7") else s.bag
        home[player] = home.get(player, 0) + unspent
        what = f"{count(unspent, 'unspent disc')} of {player} set aside until cleanup"
        at.note("XK-TURN-7", what, player=player, discs=unspent)
    if player in s.queue:
        s.queue.remove(player)
    s.active = s.queue[0] if s.queue else None
    if s.active is not None:
        discs = count(s.drawn.get(s.active, 0), "disc")
        at.note("XK-TURN-2", f"{s.active} acts, with {discs}", active=s.active)
        at.cite("XK-TURN-9", f"with {discs} in one turn")
        return
    if at["drawer.passes"] == "each_phase":
        pass_drawer(at)
    empty = not size(s.bag)
    if (empty and at.on("XK-CLEAN-1")) or not at.on("XK-GAME-1"):
        s.phase = "cleanup"
        at.note("XK-CLEAN-1", "the bag is empty: cleanup", bag=0)
        at.cite("XK-GAME-1", "after the action phases comes one cleanup")
    else:
        s.phase = "draw"
        at.cite("XK-GAME-1", "the round goes on with another action phase", bag=size(s.bag))
        at.note("XK-DRAW-1", f"{s.drawer} draws {count(draw_count(at), 'disc')}", drawer=s.drawer, bag=size(s.bag))


def pass_drawer(at: At) -> None:
    """The drawer moves one seat to the left (XK-DRAW-5)."""
    s = at.state
    if s.drawer is not None and at.on("XK-DRAW-5"):
        s.drawer = left_of(at, s.drawer)
        at.note("XK-DRAW-5", f"{s.drawer} is the drawer now", drawer=s.drawer)


__all__ = ["act_order", "draw_count", "end_turn", "full_draw", "out_of_turn", "pass_drawer"]
