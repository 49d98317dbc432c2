"""Prices: what is lacking, and paying them to the supply (rules XK-GAME-6)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from companion.engine.play.moves import Breach
from companion.engine.things.stores import lacking

from .catalogue import At, spell
from .state import KINDS


def cost_of(at: At, what: str, *rules: str) -> dict[str, int]:
    """A printed price (`workshop`, `church`, `village`); nothing where one of `rules` is off."""
    price: dict[str, int] = at[f"{what}.cost"]
    return {kind: price[kind] for kind in KINDS if price.get(kind)} if all(map(at.on, rules)) else {}


def unaffordable(at: At, player: str, cost: Mapping[str, int], *rules: str, what: str) -> Iterator[Breach]:
    """A price a player cannot pay in full, against `rules`."""
    store = at.state.player[player].stored()
    short = lacking(store, cost)
    if short:
        have = {kind: store[kind] for kind in cost}
        why = f"{what} costs {spell(cost)}; {player} has {spell_all(have)}"
        yield from at.against(*rules, "XK-GAME-6", why=why, cost=dict(cost), have=have, missing=short)


def spell_all(goods: Mapping[str, int]) -> str:
    """`no wheat and 2 wood`: with the kinds there are none of."""
    return " and ".join(f"{n or 'no'} {kind}" for kind, n in goods.items()) or "nothing"


def pay(at: At, player: str, cost: Mapping[str, int], what: str, rule: str) -> None:
    """Pay a price to the supply; noted under `rule`."""
    p = at.state.player[player]
    paid = {kind: min(n, p.of(kind)) for kind, n in cost.items()}  # less only where the table keeps what it may not
    for kind, n in paid.items():
        p.add(kind, -n)
    at.note(rule, f"{player} pays {spell(paid)} for {what}", player=player, cost=dict(cost))
    if cost:
        at.cite("XK-GAME-6", "paid in full, to the supply, before the effect", cost=dict(cost))


__all__ = ["cost_of", "pay", "spell_all", "unaffordable"]
