"""The sleeve that fits a card: pure geometry over the usual sizes of `layouts/sheets.yaml`. All lengths in mm."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

SNUG = 4.0
"""A sleeve fits if it is no more than this wider and higher than the card …"""
LOOSE = 9.0
"""… and loosely if no more than this."""

Size = tuple[float, float]


class Fitting(msgspec.Struct, frozen=True):
    """The sleeve for a card: its name, the size of card it is made for, and whether the card has room to slide."""

    name: str
    w: float
    h: float
    loose: bool


def sleeve_for(w: float, h: float, sleeves: Mapping[str, Size]) -> Fitting | None:
    """The smallest sleeve that holds a card of `w` x `h`, upright or turned; None if none of them fits."""
    found: list[tuple[float, Fitting]] = []
    short, long = sorted((w, h))
    for name, size in sleeves.items():
        across, along = sorted(size)
        room = (across - short, along - long)
        if min(room) >= 0 and max(room) <= LOOSE:
            found.append((across * along, Fitting(name, across, along, max(room) > SNUG)))
    return min(found, key=lambda one: one[0])[1] if found else None
