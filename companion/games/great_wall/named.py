"""Soldiers as reports name them: by their kind, by place and kind, or among those that stand on a card."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from companion.engine.play.moves import Domain
from components.phrasing import join_and

from .catalogue import At
from .soldiers import (
    Covered,
    Place,
    card_of,
    khan_cards,
    on_card,
    place_of,
    soldiers_on,
)

Said = str | dict[str, Any]
"""A soldier as reports name it: a unit (`spearman`), with its spots (`horseman@a1+b1`), or a mapping with place and
unit."""


def unit_of(form: Said) -> str:
    return str(form.get("unit", "")) if isinstance(form, Mapping) else form.partition("@")[0]


def where_of(form: Said) -> Place | None:
    """The place a report names with a soldier, if it names one."""
    if isinstance(form, Mapping):
        return place_of(form)
    where = form.partition("@")[2]
    if where in ("rest", "wall"):
        return Place("rest" if where == "rest" else "wall")
    card, _, spots = where.rpartition(":")
    return on_card(card, *spots.split("+")) if where else None


def counted(units: Iterable[str]) -> str:
    """Soldiers as a sentence names them: `1 horseman and 2 spearmen`."""
    numbers = Counter(units)
    many = {unit: f"{unit[:-3]}men" if unit.endswith("man") else f"{unit}s" for unit in numbers}
    return join_and([f"{n} {unit if n == 1 else many[unit]}" for unit, n in numbers.items()])


class Standing(NamedTuple):
    """A soldier on a card: its kind, and the card with its spots."""

    unit: str
    place: Place

    @property
    def name(self) -> str:
        """As typed lines name it: `spearman@a1`, on the Khan's cards `spearman@K01:a1`."""
        card = f"{self.place.card}:" if self.place.kind == "khan" else ""
        return f"{self.unit}@{card}{'+'.join(self.place.spots)}"


def standing(covered: Covered, clan: str) -> list[Standing]:
    """The soldiers of a clan on a card."""
    own = soldiers_on(covered).get(clan, ())
    return [Standing(one.unit, on_card(card_of(covered), *one.spots)) for one in own]


class SoldierName(Domain):
    """A soldier: its kind alone, or a mapping with place and kind."""

    loose = True

    def __init__(self, *, many: bool = False, lead: tuple[str, ...] = ()) -> None:
        self.many = many
        self.lead = lead

    def values(self, at: At) -> Iterable[str]:
        hordes = (horde for cards in at.state.hordes.values() for horde in cards)
        here = (one.name for card in (*hordes, *khan_cards(at)) for clan in at.seats for one in standing(card, clan))
        units = at.rules.names("unit")
        return (*units, *(f"{unit}@{zone}" for unit in units for zone in ("rest", "wall")), *dict.fromkeys(here))

    def options(self, at: At) -> Iterable[Any] | None:
        return None


def pick(soldiers: list[Standing], said: Iterable[Said]) -> list[Standing] | None:
    """The soldiers that a report names among those on a card; None if one of them is not there."""
    left, found = list(soldiers), []
    for form in said:
        one = next((one for one in left if one.unit == unit_of(form) and is_at(one.place, where_of(form))), None)
        if one is None:
            return None
        left.remove(one)
        found.append(one)
    return found


def is_at(place: Place, said: Place | None) -> bool:
    """Whether a soldier on a card stands where a report says, as far as it says it."""
    return said is None or (said.card in ("", place.card) and set(said.spots) <= set(place.spots))
