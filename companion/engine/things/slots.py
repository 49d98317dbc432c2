"""Rows of slots that are taken from the left, with or without gaps. Knows no game.

A row is the list of those who took its slots, so that it can stand in a state and in a position file as it is. A slot
that became free in the middle is None; slots at the right end that nobody took need not stand in the list.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


def next_slot(row: Sequence[object], open_slots: int) -> int | None:
    """Number of the slot to be taken next, the leftmost being 1; None if every open one is taken."""
    return len(row) + 1 if len(row) < open_slots else None


def first_free(row: Sequence[object], open_slots: int) -> int | None:
    """Number of the leftmost free slot of a row that may have gaps; None if every open one is taken."""
    slot = (row.index(None) if None in row else len(row)) + 1
    return slot if slot <= open_slots else None


def put(row: list[T | None], slot: int, who: T) -> None:
    """Take a slot, by its number."""
    row.extend([None] * (slot - len(row)))
    row[slot - 1] = who


def leave(row: list[T | None], slot: int) -> None:
    """Free a slot, by its number. The others stay where they are; no free slots are kept at the right end."""
    row[slot - 1] = None
    while row and row[-1] is None:
        row.pop()


def leftmost(row: Sequence[object], who: object) -> int | None:
    """Number of the leftmost slot that `who` took."""
    return row.index(who) + 1 if who in row else None


def price(prices: Sequence[T], slot: int, dearest: T) -> T:
    """The price of a slot, by its number; `dearest` where nothing is printed for it."""
    return prices[slot - 1] if 0 < slot <= len(prices) else dearest


__all__ = ["first_free", "leave", "leftmost", "next_slot", "price", "put"]
