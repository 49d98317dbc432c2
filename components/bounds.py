"""The bounds of numbers in the files of a project, so that no program counts to a trillion for a slip of a key, and
none draws what has no size."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

LARGEST = 1_000_000
"""No number of a file is larger (or smaller, below 0)."""
SMALLEST = 1e-9
"""No number of a file is closer to 0, but 0 itself."""
MAX_PLAYERS = 100

PathKey = tuple[Any, ...]


def beyond(value: Any) -> str:
    """The reason why no file of a project may hold a value as a number; empty if it may."""
    if type(value) not in (int, float) or (value == 0 or SMALLEST <= abs(value) <= LARGEST):
        return ""
    if abs(value) < SMALLEST:
        return f"the number {value:g} is too close to 0"
    shown = str(value) if abs(value) < 10**20 else f"{value:g}" if type(value) is float else "here"
    return f"the number {shown} is beyond {LARGEST:,}"


def numbers_beyond(data: Any, path: PathKey = ()) -> Iterator[tuple[PathKey, str]]:
    """The path of each number inside some data that no file of a project may hold, and why."""
    for key, value in data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ():
        if isinstance(value, dict | list):
            yield from numbers_beyond(value, (*path, key))
        elif type(value) in (int, float) and (why := beyond(value)):
            yield (*path, key), why


__all__ = ["LARGEST", "MAX_PLAYERS", "beyond", "numbers_beyond"]
