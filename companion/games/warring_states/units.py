"""Units: Generals by short name, and a number of armies. Players have them, commit them, lend them, and name them in
moves."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

from components.phrasing import count

from .state import Aid, Player, Units


class Force(Protocol):
    """Whatever holds or names units."""

    @property
    def generals(self) -> Sequence[str] | None: ...
    @property
    def armies(self) -> int | None: ...


def each(force: Force) -> list[str]:
    """The units one by one: `army`, and Generals by short name."""
    return ["army"] * (force.armies or 0) + list(force.generals or ())


def kinds(*forces: Force) -> list[str]:
    """The same, each kind once."""
    found = {unit for force in forces for unit in each(force)}
    return sorted(found, key=lambda unit: (unit != "army", unit))


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
    """Whether all of `some` are units of a force."""
    return not each(minus(some, force)) and (some.armies or 0) >= 0


def drop(force: Player | Units | Aid, unit: str) -> None:
    """Take a unit away. ValueError: it is not there."""
    if unit == "army":
        force.armies -= 1
    else:
        force.generals.remove(unit)


def choices(generals: Iterable[str]) -> list[tuple[str, ...]]:
    """Every choice among Generals, none included, each listed once."""
    found: dict[tuple[str, ...], None] = {(): None}
    for general in sorted(generals):
        found |= {(*some, general): None for some in found}
    return list(found)
