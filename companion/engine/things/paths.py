"""Values in a state, found by paths: `player.*.claimed.*.card`.

A game says in tables where its pieces lie; the same tables serve what is counted, what may still come up, and what the
laws check. A star stands for every entry of a mapping or list; several paths may stand in a row, with spaces between.
What is None is left out.
"""

from __future__ import annotations

from functools import cache
from typing import Any


def walk(state: Any, path: str) -> list[tuple[tuple[Any, ...], Any]]:
    """Every value at a path, with what its stars stand for: keys of mappings, numbers of lists."""
    reached: list[tuple[tuple[Any, ...], Any]] = []
    for steps in _steps(path):
        here: list[tuple[tuple[Any, ...], Any]] = [((), state)]
        for step in steps:
            if step == "*":
                here = [((*stars, key), value) for stars, held in here for key, value in _entries(held)]
            else:
                here = [(stars, _part(held, step)) for stars, held in here]
            here = [one for one in here if one[1] is not None]
        reached += here
    return reached


def found(state: Any, path: str) -> list[Any]:
    """Every value at a path."""
    reached: list[Any] = []
    for steps in _steps(path):
        here: list[Any] = [state]
        for step in steps:
            if step == "*":
                here = [value for held in here for value in (held.values() if isinstance(held, dict) else held)]
            else:
                here = [_part(held, step) for held in here]
            here = [value for value in here if value is not None]
        reached += here
    return reached


def total(state: Any, path: str) -> int:
    """The sum of the numbers at a path; `true` counts one."""
    return sum(found(state, path))


@cache
def _steps(path: str) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(one.split(".")) for one in path.split())


def _entries(held: Any) -> Any:
    return held.items() if isinstance(held, dict) else enumerate(held)


def _part(held: Any, step: str) -> Any:
    return held.get(step) if isinstance(held, dict) else getattr(held, step)


__all__ = ["found", "total", "walk"]
