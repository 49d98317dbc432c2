"""Lines that say who does something after it, as people tell it: `archer for ana`, `put it here, says ben`.

What is only told otherwise is turned round; every word stays, or is said by the word beside it (`over to`: `to`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

# `wood and stone are the new goods`: what is said of something, before it
BY = r"(?:for|by|of)"
"""What stands between a thing and whoever does it."""
PARTICLE = re.compile(
    r"\b(?:up|over|down|out|off|straight|across|back) (?=(?:to|from|of|on|onto|into|in|at)\b)", re.IGNORECASE
)
"""A direction before the word that says it as well: `over to`, `up on`, `out of`."""
THEM_ALL = re.compile(r"\b(?:them|it|these|those) all\b", re.IGNORECASE)
"""Everything of what was named last."""
THIS = re.compile(r"(?<=\w) (?:for )?(?:this (?:time|turn|round|year)|now)(?=[.!]?$)", re.IGNORECASE)
"""When somebody does something, where it can be no other time."""


def quoted(line: str, names: Iterable[str]) -> str:
    """A line with whoever says it before it: `put it on the table, says cleo`. Whoever is named there anyway stays."""
    if "say" not in line.lower():
        return line
    found = re.search(rf",?\s+says?\s+({_any(names)})(?=[,.!]|$)", line, re.IGNORECASE)
    if not found:
        return line
    rest = f"{line[: found.start()]}{line[found.end() :]}"
    return rest if re.match(rf"(?:{_any(names)})\b", rest, re.IGNORECASE) else f"{found[1]} {rest}"


def otherwise_told(line: str, names: Iterable[str]) -> Iterator[str]:
    """The same line, told otherwise, for a line that cannot be read as it stands."""
    names = [*names]
    plain = THEM_ALL.sub("all", THIS.sub("", PARTICLE.sub("", line)))
    if plain != line:
        yield plain
    if found := re.match(r"(.+?) (?:is|are) (the .+)$", plain, re.IGNORECASE):
        yield f"{found[2]} {found[1]}"
    if names and not re.match(rf"(?:{_any(names)})\b", plain, re.IGNORECASE):
        for found in re.finditer(rf"\s+{BY}\s+({_any(names)})\b(?!['\u2019]s)[,:]?", plain, re.IGNORECASE):
            yield f"{found[1]} {plain[: found.start()]}{plain[found.end() :]}"


def _any(names: Iterable[str]) -> str:
    return "|".join(sorted(map(re.escape, names), key=len, reverse=True))


__all__ = ["otherwise_told", "quoted"]
