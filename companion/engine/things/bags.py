"""A bag from which pieces are drawn unseen, by owner or kind: what of a reported draw cannot be. Knows no game.

What is in the bag follows from what everybody has seen leave it, so a blind draw can be checked all the same.
"""

from __future__ import annotations

from collections.abc import Mapping


def size(bag: Mapping[str, int]) -> int:
    return sum(bag.values())


def beyond(bag: Mapping[str, int], drawn: Mapping[str, int]) -> dict[str, int]:
    """Kind -> how many more of it were reported than the bag holds; empty if the draw can have happened."""
    return {kind: n - bag.get(kind, 0) for kind, n in drawn.items() if n > bag.get(kind, 0)}


def certain(bag: Mapping[str, int], n: int) -> dict[str, int] | None:
    """What `n` drawn pieces must be: everything if the bag holds no more, all of one kind if it holds no other.

    None if the draw is open.
    """
    inside = {kind: k for kind, k in bag.items() if k}
    if size(inside) <= n:
        return inside
    return {next(iter(inside)): n} if len(inside) == 1 else None


__all__ = ["beyond", "certain", "size"]
