"""What can be said of cards: a list of names, names with numbers, or how many."""

from __future__ import annotations

from typing import Annotated

import msgspec

from components.phrasing import count

Tallied = dict[str, Annotated[int, msgspec.Meta(ge=0, le=1_000)]]
"""Name -> number of cards; nobody can mean fewer than none, or more than any deck could hold."""
CardList = tuple[str, ...] | Tallied
"""Resource cards: a list of names or a mapping name -> number."""
Gift = int | CardList | None
"""What one side of a trade gives: a number of cards, or the cards."""


def listed(said: CardList) -> list[str]:
    """The cards one by one: `{Mine: 2}` -> `[Mine, Mine]`."""
    if isinstance(said, dict):
        return [name for name, n in said.items() for _ in range(n)]
    return list(said)


class Given:
    """What a side of a trade gives: so many cards, those of them that were named, and Bu."""

    def __init__(self, said: Gift) -> None:
        named = [] if isinstance(said, int) or said is None else listed(said)
        self.bu = named.count("Bu")
        self.names = [name for name in named if name != "Bu"]
        self.count = said if isinstance(said, int) else len(self.names)

    def in_words(self) -> list[str]:
        unnamed = self.count - len(self.names)
        return [*self.names, *([count(unnamed, "card")] if unnamed else []), *([f"{self.bu} Bu"] if self.bu else [])]
