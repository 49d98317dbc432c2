"""Where cubes can be taken from: for marks and losses, and in which steps for placing (rules DY-PLACE)."""

from __future__ import annotations

from .catalogue import At, borders
from .state import Battle, Sources


def sources(at: At, player: str) -> Sources:
    """Own cubes that may pay a mark or a permanent loss: reserve and armies of any province (DY-SIX-3, DY-COMBAT-12)."""
    s = at.state
    found = {"reserve": s.players[player].reserve}
    found.update({p: province.of(player) for p, province in s.provinces.items()})
    return {place: n for place, n in found.items() if n}


def placing(at: At, battle: Battle) -> list[tuple[str, int, Sources]]:
    """The steps in which armies come into the province: (rule, how many from this step, what it offers)."""
    s = at.state
    player = battle.winner or ""
    left = battle.to_place if at.on("DY-PLACE-1") else 0
    reserve = min(left, s.players[player].reserve) if at.on("DY-PLACE-2") else 0
    steps: list[tuple[str, int, Sources]] = [("DY-PLACE-2", reserve, {"reserve": reserve} if reserve else {})]
    left -= reserve
    bordering = borders(at, battle.province)
    for rule, near in (("DY-PLACE-3", True), ("DY-PLACE-4", False)):
        offer = {
            p: province.of(player)
            for p, province in s.provinces.items()
            if (p != battle.province or not at.on("DY-PLACE-7")) and (p in bordering) == near and province.of(player)
        }
        n = min(left, sum(offer.values())) if at.on(rule) else 0
        steps.append((rule, n, offer if n else {}))
        left -= n
    return steps


def forced(at: At, steps: list[tuple[str, int, Sources]]) -> Sources | None:
    """The only way to take the armies, None if the owner has a choice."""
    taken: Sources = {}
    for _, n, offer in steps:
        if not n:
            continue
        if len(offer) > 1 and n < sum(offer.values()) and at.on("DY-PLACE-5"):
            return None
        for place, most in offer.items():
            taken[place] = min(n, most)
            n -= taken[place]
    return taken


def take(at: At, player: str, place: str, n: int) -> None:
    if place == "reserve":
        at.state.players[player].reserve -= n
    else:
        at.state.provinces[place].add(player, -n)


__all__ = ["forced", "placing", "sources", "take"]
