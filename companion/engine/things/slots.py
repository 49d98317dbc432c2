"""Rows of slots that are taken one after the other, from the left. Knows no game.

A row is the list of those who took its slots, so that it can stand in a state and in a position file as it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


def next_slot(row: Sequence[object], open_slots: int) -> int | None:
    """Number of the slot to be taken next, the leftmost being 1; None if every open one is taken."""
    return len(row) + 1 if len(row) < open_slots else None


def price(prices: Sequence[T], slot: int, dearest: T) -> T:
    """What a slot says, by its number; `dearest` where nothing is printed for it."""
    return prices[slot - 1] if 0 < slot <= len(prices) else dearest


__all__ = ["next_slot", "price"]
