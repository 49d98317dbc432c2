"""Wood, stone, gold and chi behind the screens: costs, payments, gains (GW-GEN-5 to -10)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.rules import Figure

from .catalogue import At

Cost = Mapping[str, int]
"""Resource -> how much."""


def cost_of(at: At, name: str, clan: str, printed: Cost | None = None, **where: Any) -> dict[str, Figure]:
    """The cost that the parameter `name` (`recruit.spearman.cost`) says, or `printed`, as it is for a clan now: each of
    its resources is a figure of its own (`recruit.spearman.cost.gold`), which cards may change."""
    cost: Cost = at[name] if printed is None else printed
    return {kind: at.value(f"{name}.{kind}", clan, base=n, **where) for kind, n in cost.items()}


def plain(cost: Mapping[str, int | Figure]) -> dict[str, int]:
    """A cost as numbers, resources of number 0 left out."""
    return {kind: int(n) for kind, n in cost.items() if int(n)}


def pay(at: At, clan: str, cost: Mapping[str, int | Figure]) -> None:
    """Pay a cost that was found affordable, and use up the limits of the cards that lowered it."""
    res = at.state.player[clan].res
    for kind, n in cost.items():
        if isinstance(n, Figure):
            at.spend(n)
        res[kind] -= int(n)


def gain(at: At, clan: str, gains: Mapping[str, int], rule: str = "", **more: Any) -> None:
    """Gain resources and honor, and note it in the words of `rule` (with `player`, `gains` and `more`); without a rule,
    silently."""
    p = at.state.player[clan]
    for kind, n in gains.items():
        if kind == "honor":
            p.honor += n
        else:
            p.res[kind] += n
    if rule and any(gains.values()):
        at.note(rule, player=clan, gains={kind: n for kind, n in gains.items() if n}, **more)


def lose_honor(at: At, clan: str, n: int, rule: str, **more: Any) -> None:
    """Lose honor, if need be below 0 (GW-SHAME-12)."""
    at.state.player[clan].honor -= n
    at.note(rule, player=clan, n=n, honor=at.state.player[clan].honor, **more)
