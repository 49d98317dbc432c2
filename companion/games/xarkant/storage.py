"""Resources gained, and what becomes of those that do not fit (rules XK-STORE, XK-COLLECT-10)."""

from __future__ import annotations

from companion.engine.things.stores import room
from components.phrasing import count

from .catalogue import At, popularity_supply, supply
from .state import KINDS


def room_for(at: At, player: str, kind: str) -> int:
    """Spaces left on a player board for one kind; kinds are separate (XK-STORE-6)."""
    p = at.state.player[player]
    capacity: dict[str, int] = at["storage.capacity"]
    if at.on("XK-STORE-6"):
        return room(p.of(kind), capacity[kind])
    return room(sum(p.stored().values()), sum(capacity[k] for k in KINDS))


def receive(at: At, player: str, kind: str, due: int, *, collector: bool) -> None:
    """Take `due` tokens from the supply, keep what fits, return the rest and popularity with it."""
    p = at.state.player[player]
    stock = max(0, supply(at)[kind])
    taken = min(due, stock) if at.on("XK-COLLECT-10") else due
    if taken < due:
        what = f"the supply has only {stock} of the {due} {kind} for {player}"
        at.note("XK-COLLECT-10", what, player=player, due=due, supply=stock)
    space = room_for(at, player, kind)
    if not at.on("XK-STORE-5"):
        taken = min(taken, space)
    kept = min(taken, space) if at.on("XK-STORE-1") else taken
    p.add(kind, kept)
    back = taken - kept
    if not back:
        return
    facts = {"player": player, "kind": kind, "kept": kept, "returned": back}
    at.note("XK-STORE-1", f"{player} keeps {kept} {kind} and returns {back}: no more room", **facts)
    capacity = at["storage.capacity"][kind]
    at.cite("XK-STORE-6", f"a board holds {capacity} {kind}", capacity=capacity)
    at.cite("XK-STORE-5", "nobody may take less to avoid it")
    if collector or at.on("XK-STORE-4"):
        _lose_popularity(at, player, back)
    if not collector:
        at.cite("XK-STORE-4", "that holds for owners of workshops, too", player=player)


def _lose_popularity(at: At, player: str, returned: int) -> None:
    if not at.on("XK-STORE-2"):
        return
    p = at.state.player[player]
    due = at["overflow.popularity"] * (1 if at.on("XK-STORE-7") else returned)
    lost = min(due, max(0, p.popularity - at["popularity.min"])) if at.on("XK-STORE-3") else due
    p.popularity -= lost
    if lost:
        what = f"{player} returns {lost} popularity, {p.popularity} left"
        at.note("XK-STORE-2", what, player=player, popularity=-lost)
    at.cite("XK-STORE-7", f"once, however many tokens overflow: {count(returned, 'token')}", returned=returned)
    if lost < due:
        what = f"{player} has no {'more ' if lost else ''}popularity to return"
        at.note("XK-STORE-3", what, player=player, popularity=p.popularity)
        at.cite("XK-STORE-2", f"{count(due, 'popularity', 'popularity')} would be returned", due=due)


def gain_popularity(at: At, player: str, n: int) -> int:
    """Popularity from the supply, as far as it fits and is there (XK-STATE-6). Returns what was gained."""
    p = at.state.player[player]
    fits = max(0, at["popularity.max"] - p.popularity)
    there = max(0, popularity_supply(at))
    gained = min(n, fits, there) if at.on("XK-STATE-6") else n
    p.popularity += gained
    if gained < n:
        why = f"the board has room for {fits}" if fits <= there else f"the supply has only {there}"
        at.note("XK-STATE-6", f"{why}: {player} gains {gained}, not {n}", gained=gained, due=n)
    return gained


__all__ = ["gain_popularity", "receive", "room_for"]
