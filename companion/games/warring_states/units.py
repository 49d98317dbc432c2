"""Units: Generals by short name, and a number of armies. Players have them, commit them, lend them, and name them in
moves."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Protocol

from components.phrasing import count

from .state import Aid, Player, Units

WITH = ("with", "plus")
"""Words that announce units on a typed line."""


class Force(Protocol):
    """Whatever holds or names units."""

    @property
    def generals(self) -> Sequence[str] | None: ...
    @property
    def armies(self) -> int | None: ...


def size(force: Force) -> int:
    """The number of units in a force."""
    return (force.armies or 0) + len(force.generals or ())


def kinds(*forces: Force) -> list[str]:
    """The units by name, each once: `army`, then Generals by short name."""
    generals = sorted({general for force in forces for general in force.generals or ()})
    return ["army"] * any(force.armies for force in forces) + generals


def in_words(force: Force) -> list[str]:
    """Units as a sentence lists them: `[Daring, 2 armies]`."""
    return [*(force.generals or ()), *([count(force.armies, "army")] if force.armies else [])]


def together(*forces: Force) -> Units:
    """All units of several forces."""
    return Units([general for force in forces for general in force.generals or ()], sum(f.armies or 0 for f in forces))


def minus(force: Force, *others: Force) -> Units:
    """The units of a force that are not among those of the others."""
    left, away = together(force), together(*others)
    for general in away.generals:
        if general in left.generals:
            left.generals.remove(general)
    left.armies = max(0, left.armies - away.armies)
    return left


def includes(force: Force, some: Force) -> bool:
    """True if all of `some` are units of a force."""
    return 0 <= (some.armies or 0) <= (force.armies or 0) and not minus(some, force).generals


def every_unit(force: Force, field: str) -> Any:
    """The meaning of `all` for units, in a field of a move or, without one, in both."""
    all_of = {"generals": tuple(sorted(force.generals or ())), "armies": force.armies or 0}
    return all_of[field] if field else all_of


def drop(force: Player | Units | Aid, unit: str, n: int = 1) -> None:
    """Take a unit away, or `n` armies. ValueError: it is not there."""
    if unit == "army":
        force.armies -= n
    else:
        force.generals.remove(unit)


def choices(generals: Iterable[str]) -> list[tuple[str, ...]]:
    """Every choice among Generals, none included, each listed once."""
    found: dict[tuple[str, ...], None] = {(): None}
    for general in sorted(generals):
        found |= {(*some, general): None for some in found}
    return list(found)
