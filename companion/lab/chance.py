"""Chance in separate streams: each is known by the seed, the number of the game, its source, a number and a seat.

What one source says never depends on how often another was asked. So the same seed deals the same cards under changed
rules too, for as long as the games agree, and in any process.
"""

from __future__ import annotations

from hashlib import blake2b
from random import Random

BETWEEN = "\x1f"
"""Between the parts of a name: no name of the project can hold it."""


class Chance:
    """All of chance for one game. `seed`: any whole numbers or texts; equal ones give equal chance."""

    __slots__ = ("_root",)

    def __init__(self, *seed: int | str) -> None:
        self._root = blake2b(BETWEEN.join(map(str, seed)).encode(), digest_size=8)

    def number(self, source: str, number: int = 0, seat: str = "") -> int:
        """A whole number of 64 bits."""
        named = self._root.copy()
        named.update(f"{BETWEEN}{source}{BETWEEN}{number}{BETWEEN}{seat}".encode())
        return int.from_bytes(named.digest())

    def stream(self, source: str, number: int = 0, seat: str = "") -> Random:
        """A stream of random numbers of its own."""
        return Random(self.number(source, number, seat))


__all__ = ["Chance"]
