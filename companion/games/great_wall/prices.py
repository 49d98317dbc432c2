"""Prices: what the own supply lacks, what somebody claims to have paid, how cards have changed a price (GW-GEN-6, -7)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from companion.engine.play.moves import Breach

from .catalogue import At
from .supplies import afford, plain


def unpaid(at: At, clan: str, what: str, cost: Mapping[str, Any], rule: str = "GW-REC-3") -> Iterator[Breach]:
    """A price that the own supply does not cover (GW-GEN-6, GW-GEN-7)."""
    if lacks := afford(at, clan, cost):
        facts = {"cost": plain(cost), "lacks": lacks, "sum": changes(cost)}
        yield at.breach(f"{rule}.price", "GW-GEN-6", player=clan, what=what, **facts)


def misclaimed(
    at: At, pay: Mapping[str, Mapping[str, int]] | None, own: Mapping[str, int], stores: Mapping[str, int] | None = None
) -> Iterator[Breach]:
    """A payment that somebody claims, but that is not the price (GW-GEN-6, GW-GEN-7, GW-BUILD-3)."""
    if pay is None:
        return
    from_stores = {kind: n for kind, n in pay.get("warehouse", {}).items() if n}
    from_own = {kind: n for kind, n in pay.get("own", {}).items() if n}
    if stores is None and from_stores:
        yield at.breach("GW-GEN-7", goods=from_stores)
    elif from_own != dict(own) or from_stores != dict(stores or {}):
        rule = "GW-BUILD-3.claimed" if stores is not None else "GW-GEN-6.claimed"
        yield at.breach(rule, own=dict(own), warehouse=dict(stores or {}))


def changes(cost: Mapping[str, Any]) -> str:
    """How cards have changed a price: ` (gold: 2, less 1 by Foreman)`; nothing where they have not."""
    said = [f"{kind}: {n.sum}" for kind, n in cost.items() if getattr(n, "changes", ())]
    return f" ({'; '.join(said)})" if said else ""


def figure_rules(cost: Mapping[str, Any]) -> list[str]:
    """The rules of the cards that changed a price."""
    return list(dict.fromkeys(rule for n in cost.values() for rule in getattr(n, "rules", ())))


__all__ = ["changes", "figure_rules", "misclaimed", "unpaid"]
