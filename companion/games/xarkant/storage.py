"""Stores, prices and the supply; what becomes of tokens that do not fit (rules XK-GAME-6, XK-STORE, XK-COLLECT-10)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from companion.engine.things.stores import left
from companion.rules import Breach, Source, lacking

from .catalogue import At
from .state import KINDS


def supply(at: At) -> dict[str, int]:
    """Resource tokens in the supply (XK-PREP-4)."""
    return left(at["token_supply"], (p.stored() for p in at.state.player.values()))


def popularity_supply(at: At) -> int:
    """Popularity tokens in the supply (XK-PREP-4)."""
    players = at.state.player.values()
    return int(at["popularity.tokens_per_player"] * len(players) - sum(p.popularity for p in players))


def room_for(at: At, player: str, kind: str) -> int:
    """Spaces left on a player board for one kind (XK-STORE-6)."""
    return max(0, int(at["storage.capacity"][kind]) - at.state.player[player].of(kind))


# --- prices ---------------------------------------------------------------------------------------------------------


def cost_of(at: At, what: str) -> dict[str, int]:
    """The printed price of a `workshop`, `church` or `village`."""
    price: dict[str, int] = at[f"{what}.cost"]
    return {kind: price[kind] for kind in KINDS if price.get(kind)}


def unaffordable(at: At, rule: str, player: str, cost: Mapping[str, int], **facts: Any) -> Iterator[Breach]:
    """A price a player cannot pay in full (XK-GAME-6), against `rule`."""
    store = at.state.player[player].stored()
    if short := lacking(store, cost):
        have = {kind: store[kind] for kind in cost}
        yield at.breach(rule, player=player, cost=dict(cost), have=have, missing=short, **facts)


def pay(at: At, rule: str, player: str, cost: Mapping[str, int]) -> None:
    """Pay a price to the supply; less only where the table keeps a move that cannot be paid."""
    p = at.state.player[player]
    paid = {kind: min(n, p.of(kind)) for kind, n in cost.items()}
    for kind, n in paid.items():
        p.add(kind, -n)
    at.note(rule, player=player, cost=paid)


# --- gaining resources ----------------------------------------------------------------------------------------------


def available(at: At, player: str, kind: str, due: int) -> int:
    """The number of resources due to a player that the supply can give (XK-COLLECT-10)."""
    stock = max(0, supply(at)[kind])
    if stock < due:
        at.note(f"XK-COLLECT-10.{'few' if stock else 'none'}", player=player, kind=kind, due=due, supply=stock)
    return min(due, stock)


def store(at: At, rule: str, player: str, kind: str, taken: int) -> None:
    """Keep what fits; return the rest, and popularity once (XK-STORE-1, -2, -7). `rule` tells of what is returned."""
    p = at.state.player[player]
    kept = min(taken, room_for(at, player, kind))
    p.add(kind, kept)
    if kept == taken:
        return
    at.note(f"{rule}.{'some' if kept else 'none'}", player=player, kind=kind, kept=kept, returned=taken - kept)
    due = at["overflow.popularity"]
    lost = min(due, max(0, p.popularity - at["popularity.min"]))
    p.popularity -= lost
    if lost:
        at.note("XK-STORE-2", player=player, n=lost, popularity=p.popularity)
    if lost < due:
        at.note("XK-STORE-3", player=player, popularity=p.popularity)


# --- gaining popularity ---------------------------------------------------------------------------------------------


def gain_popularity(at: At, player: str, args: Mapping[str, Any], source: Source) -> None:
    """The verb `gain_popularity`: popularity from the supply, as far as it fits and is there (XK-STATE-3, -6)."""
    p = at.state.player[player]
    due = int(args["n"])
    fits, there = max(0, at["popularity.max"] - p.popularity), max(0, popularity_supply(at))
    gained = min(due, fits, there)
    p.popularity += gained
    at.note("XK-STATE-3", player=player, popularity=gained)
    if gained < due:
        at.note(f"XK-STATE-6.{'room' if fits <= there else 'supply'}", player=player, gained=gained, due=due)
