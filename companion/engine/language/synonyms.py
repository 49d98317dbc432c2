"""Other words for what a game calls its moves: past tenses, and words that mean the same at any table."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from companion.engine.language.words import singular

_ALIKE = (
    "put place lay set send move",
    "rebuild repair restore fix mend",
    "meld cash sell",
    "take draw pick get",
    "buy purchase raise hire recruit",
    "show reveal turn flip",
    "discard throw drop",
    "gather collect harvest",
    "build place construct",
    "fight attack",
    "swap trade exchange barter switch",
    "pass skip",
)
ALIKE = tuple(frozenset(group.split()) for group in _ALIKE)
"""Words of which one may be said for another, if a game has only one of them for a verb."""
_PAST = (
    "drew draw took take gave give bought buy built build sold sell threw throw laid lay chose choose lost lose "
    "paid pay spent spend sent send fought fight went go got get made make did do kept keep "
    "rebuilt rebuild drawn draw taken take given give thrown throw chosen choose shown show"
)
PAST = dict(zip(_PAST.split()[::2], _PAST.split()[1::2], strict=True))


def told_in_past(word: str) -> list[str]:
    """The verbs of which a word may be the past tense, or say that it is being done; none if it does not look so."""
    if word in PAST:
        return [PAST[word]]
    plain: list[str] = []
    for ending in ("ed", "d", "ing"):
        if word.endswith(ending) and len(word) > len(ending) + 2:
            stem = word.removesuffix(ending)
            plain += [stem, f"{stem}e"]
            plain += [stem[:-1]] if stem[-1:] == stem[-2:-1] else []
    return plain


def instead_of(word: str, verbs: Collection[str]) -> Iterator[str]:
    """The verbs of a game for which somebody may have said `word`, the likeliest first; others only where the game does
    not have that one."""
    plain = told_in_past(word) or [singular(word)]
    plain += [singular(word)] if word not in PAST and singular(word) not in plain else []
    found = [one for one in plain if one in verbs and one != word]
    found = found or sorted(other for one in plain for group in ALIKE if one in group for other in group & {*verbs})
    yield from dict.fromkeys(one for one in found if one != word)


__all__ = ["instead_of", "told_in_past"]
