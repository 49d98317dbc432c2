"""Typing mistakes: which known words a typed one may be meant for."""

from __future__ import annotations

from collections.abc import Iterable

SHORT = 5
"""Letters of a word in which one mistake is likely; a longer one may hold two."""


def meant_for(typed: str, known: Iterable[str], n: int = 3) -> list[str]:
    """Up to `n` known words that differ from `typed` by a mistake of typing, the nearest first.

    A mistake is a letter too many, too few or wrong, or two that changed places (optimal string alignment). In three
    letters the first is right, and a code with digits in it is not another code.
    """
    word = typed.lower()
    most = 1 if len(word) <= SHORT else 2
    found: list[tuple[int, int, str]] = []
    for place, one in enumerate(dict.fromkeys(known)):
        if abs(len(one) - len(word)) <= most and (far := _distance(word, one.lower(), most)) <= most:
            if far and (any(sign.isdigit() for sign in word) or (len(word) <= 3 and one[:1].lower() != word[:1])):
                continue
            found.append((far, place, one))
    return [one for _, _, one in sorted(found)[:n]]


def _distance(a: str, b: str, most: int) -> int:
    """In how many steps `a` becomes `b`; more than `most` is not worked out."""
    before: list[int] = []
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        earlier, before, row = before, row, [i]
        for j, y in enumerate(b, 1):
            steps = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (x != y))
            if i > 1 and j > 1 and x == b[j - 2] and y == a[i - 2]:
                steps = min(steps, earlier[j - 2] + 1)
            row.append(steps)
        if min(row) > most:
            return most + 1
    return row[-1]


__all__ = ["meant_for"]
