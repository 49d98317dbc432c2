"""Lines that say who does something after it, as people tell it: `archer for ana`, `put it here, says ben`.

What is only told otherwise is turned round; every word stays, or is said by the word beside it (`over to`: `to`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from companion.engine.language.words import singular

# `wood and stone are the new goods`: what is said of something, before it
BY = r"(?:for|by|of)"
"""What stands between a thing and whoever does it."""
PARTICLE = re.compile(
    r"\b(?:up|over|down|out|off|straight|across|back) (?=(?:to|from|of|on|onto|into|in|at)\b)", re.IGNORECASE
)
"""A direction before the word that says it as well: `over to`, `up on`, `out of`."""
OWN = re.compile(r"\b(?:himself|herself|themsel(?:f|ves)|(?:his|her|their) own(?= *$|,))", re.IGNORECASE)
"""Whoever does it, once more."""
ONE_OF = re.compile(r"\bone of (?:the|my|your|his|her|its|our|their|(\w+['\u2019]s)) (\w+)\b", re.IGNORECASE)
"""One of somebody's things."""
NEITHER = re.compile(r"^neither (\S+)((?:,? (?:nor|and|or) \S+)+) (?:do |does |will |wants? to )?(.+)$", re.IGNORECASE)
"""Several of whom none does something."""
SO_DO = r"\bso (?:do|does|did|has|have|is|are|will) ((?:{0})(?:(?:, and |, | and )(?:{0}))*)(?!\w)"
"""The same said of others: `ann buys an army and so do ben and cem`."""
THATS_IT = re.compile(
    r"\bthat is (?:it|all)(?: for (?:now|me|today))?(?=[,.;!]|$)"
    r"|(?<=, )(?:and )?(?:no more|(?:nothing|nobody) (?:more|else))(?=[,.;!]|$)",
    re.IGNORECASE,
)
"""Words by which somebody is done."""
THEM_ALL = re.compile(r"\b(?:them|it|these|those) all\b", re.IGNORECASE)
"""Everything of what was named last."""
FIRST = re.compile(r"^([^,;]+?) first, then\b", re.IGNORECASE)
"""What comes first, where what comes then is said as well."""
FIRST_OF = re.compile(r"\bfirst ((?:the )?[^,;]+?(?:,|,? and) then)\b", re.IGNORECASE)
"""The same, said before it."""
SO_OFTEN = r"((?:[^\s,;:.]+ ){{{0}}})×(\d+)"
"""A thing of so many words, and how often it is meant."""
LONGEST_THING = 4
THIS = re.compile(r"(?<=\w) (?:for )?(?:this (?:time|turn|round|year)|now)(?=[.!]?$)", re.IGNORECASE)
"""When somebody does something, where it can be no other time."""


def quoted(line: str, names: Iterable[str]) -> str:
    """A line with whoever says it before it: `put it on the table, says cleo`. Whoever is named there anyway stays. Of
    those who do nothing (`neither ben nor cleo helps`) each is said not to do it."""
    if found := NEITHER.match(line):
        others = re.sub(r",? (?:nor|or|and) ", " and ", found[2], flags=re.IGNORECASE)
        line = f"{found[1]}{others} do not {found[3]}"
    line = THATS_IT.sub("done", line)
    if "so " in line.lower():
        line = re.sub(SO_DO.format(_any(names)), r"\1 too", line, flags=re.IGNORECASE)
    if "say" not in line.lower():
        return line
    said = rf",?\s+says?\s+({_any(names)})(?=[,.!]|$)|,\s+({_any(names)})\s+says?(?=[.!]?$)"
    found = re.search(said, line, re.IGNORECASE)
    if not found:
        return line
    who = found[1] or found[2]
    rest = f"{line[: found.start()]}{line[found.end() :]}"
    return rest if re.match(rf"(?:{_any(names)})\b", rest, re.IGNORECASE) else f"{who} {rest}"


def otherwise_told(line: str, names: Iterable[str]) -> Iterator[str]:
    """The same line, told otherwise, for a line that cannot be read as it stands."""
    names = [*names]
    if "×" in line:
        for n in range(1, LONGEST_THING + 1):
            yield re.sub(SO_OFTEN.format(n), r"\2 \1", line)
        return
    subject = re.match(rf"({_any(names)})\b", line, re.IGNORECASE) if names else None
    if subject and (own := OWN.sub(subject[1], line)) != line:
        yield own
        line = own
    if (one := ONE_OF.sub(lambda found: f"{found[1] or 'a'} {singular(found[2])}", line)) != line:
        yield one
    plain = THEM_ALL.sub("all", THIS.sub("", PARTICLE.sub("", FIRST.sub(r"\1, then", FIRST_OF.sub(r"\1", line)))))
    if plain != line:
        yield plain
    if found := re.match(r"(.+?) (?:is|are) (the .+)$", plain, re.IGNORECASE):
        yield f"{found[2]} {found[1]}"
    if names and not re.match(rf"(?:{_any(names)})\b", plain, re.IGNORECASE):
        alone = [*re.finditer(rf"[,.]\s+({_any(names)})(?=[,.]|$)", plain, re.IGNORECASE)]
        if len(alone) == 1:  # `wood boat, ben`
            yield f"{alone[0][1]} {plain[: alone[0].start()]},{plain[alone[0].end() :]}".rstrip(",. ")
        for found in re.finditer(rf"\s+{BY}\s+({_any(names)})\b(?!['\u2019]s)[,:]?", plain, re.IGNORECASE):
            yield f"{found[1]} {plain[: found.start()]}{plain[found.end() :]}"


def _any(names: Iterable[str]) -> str:
    return "|".join(sorted(map(re.escape, names), key=len, reverse=True))


__all__ = ["otherwise_told", "quoted"]
