"""Values and texts of a game as a rulebook prints them."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from components.model import ResolvedGame

LANGUAGE = "en_GB"
"""Of all books, for the division of words."""
SHORTEST = 3
"""No part of a divided word is shorter."""


def ranges(pages: list[int]) -> str:
    """`3, 7-9, 12`: page numbers with runs of three or more drawn together."""
    runs: list[list[int]] = []
    for page in pages:
        if runs and page == runs[-1][-1] + 1:
            runs[-1].append(page)
        else:
            runs.append([page])
    return ", ".join(f"{r[0]}–{r[-1]}" if len(r) > 2 else ", ".join(map(str, r)) for r in runs)


@cache
def divisions() -> Callable[[str], list[int]]:
    """Where a long word may be divided: after so many letters."""
    from pyphen import Pyphen  # type: ignore[import-untyped]

    found: Callable[[str], list[int]] = Pyphen(lang=LANGUAGE, left=SHORTEST, right=SHORTEST).positions
    return cache(found)


def plain(text: str) -> str:
    """Text as it stands: no character of it is markup."""
    return text.replace("[", "[[").replace("**", "* *")


def shown(value: object) -> str:
    """The value of a parameter, as a reader should see it."""
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dict):
        return ", ".join(f"{plain(str(k))}{':' * str(k).isdigit()} {shown(v)}" for k, v in value.items())
    if isinstance(value, list):
        return ("; " if any(isinstance(v, dict) for v in value) else ", ").join(shown(v) for v in value)
    return plain(str(value))


def has_source(game: ResolvedGame) -> bool:
    """Whether any rule of a game was given by a source, so that the others add to it or settle it."""
    return any(rule.origin == "given" for rule in game.rules.values())
