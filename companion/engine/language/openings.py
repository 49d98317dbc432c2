"""Words around an action: its place, said first (`quarry first: ann takes 3 stone`), and a limit to it (`cem only the
tea house`)."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

PLACE = re.compile(r"^(?:(?:at|in|on) )?(?:the )?([^,:;]+?)(?: (first|next|now|then))?(?::|,) +(\S.*)$", re.IGNORECASE)
"""A name before a line, parted from it."""
AT_PLACE = r"^(?:at|in|on) (?:the )?([^,:;]+?)(?: (first|next|now|then))? +((?:{people})\b.*)$"
"""The same, with nothing between it and whoever does something there."""
ONLY = re.compile(
    r"^(\S+ )?(?:only|just(?= (?:the|an?|one|his|her|\d)\b)) (?!(?:at|for|from|in|into|on|to|with)\b)", re.IGNORECASE
)
"""Words by which somebody does nothing more than that: `ann only builds`. Further on in a line they are about one thing
(`only on b2`), and who `just built` did so a moment ago."""


def placed_first(line: str, names: Collection[str]) -> Iterator[tuple[str, str]]:
    """(place, what is done there) for a line that begins with what may be a place."""
    people = "|".join(sorted(map(re.escape, names), key=len, reverse=True))
    for pattern in (PLACE, re.compile(AT_PLACE.format(people=people), re.IGNORECASE)):
        if found := pattern.match(line):
            yield found[1], found[3]


def done_with(parts: list[str], people: Collection[int]) -> Iterator[str]:
    """The line with `only` said otherwise: whoever does it is done after it. `people`: the places of parts that begin
    with somebody."""
    for n, part in enumerate(parts):
        if (plain := ONLY.sub(r"\1", part)) != part:
            end = next((i for i in people if i > n), len(parts))
            yield ", ".join([*parts[:n], plain, *parts[n + 1 : end], "done", *parts[end:]])


__all__ = ["done_with", "placed_first"]
