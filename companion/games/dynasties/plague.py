"""Plague: no combat, and only a part of the armies stays (rules DY-PLAGUE)."""

from __future__ import annotations

from .armies import send_home
from .catalogue import At, Card
from .state import COLOURS, Battle


def plague(at: At, b: Battle, cards: list[Card]) -> None:
    """No card is compared; the armies in the province are divided, once even if both cards are Plagues."""
    at.note("DY-PLAGUE-1", province=b.province)
    if all(card.kind == "plague" for card in cards):
        at.note("DY-PLAGUE-4")
    province = at.state.provinces[b.province]
    if not province.white and not province.black:
        at.note("DY-PLAGUE-6", province=b.province)
    for colour in COLOURS:
        if there := province.of(colour):
            left, rule = remaining(at, b, there)
            at.note(rule if left < there else f"{rule}.all", there=there, left=left, lost=there - left)
            send_home(at, colour, b.province, there - left)


def remaining(at: At, b: Battle, armies: int) -> tuple[int, str]:
    """Armies that stay in the province, and the rule that says so."""
    divide, least = at["plague.divide"], min(armies, at["plague.minimum"])
    divided = -(-armies // divide) if at["plague.round"] == "up" else armies // divide
    left = at.value("plague.left", base=max(divided, least), province=b.province)
    if left.changes:
        return min(armies, left.value), left.rules[0]
    return left.value, "DY-PLAGUE-2" if divided >= least else "DY-PLAGUE-3"
