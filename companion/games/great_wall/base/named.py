"""Soldiers and carriers of shame as reports name them: by kind, by place and kind, or among those that stand on a card."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, Unpack

from companion.engine.play.domains import Manner
from companion.rules import Domain, PieceName
from components.phrasing import join_and

from .catalogue import At
from .soldiers import Place, Soldier, covered_cards, on_card, place_of, soldiers_in

Said = str | dict[str, str | list[str] | None]
"""A soldier as reports name it: a unit (`spearman`), with its spots (`horseman@a1+b1`), or a mapping with place and
unit."""
NONE = "none"
"""Said for the carrier of a token that nothing can carry, and for a wound that is left."""


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


def means(form: Said, unit: str, place: Place | None) -> bool:
    """True if a report can mean a soldier of this kind at this place, as far as it names them."""
    said = where_of(form)
    if unit_of(form) != unit or said is None or place is None:
        return unit_of(form) == unit
    if said.card or said.spots:
        return said.card in ("", place.card) and set(said.spots) <= set(place.spots)
    return said.kind == place.kind and said.section in ("", place.section)


def taken(said: list[Said], unit: str, place: Place | None) -> Said:
    """The first of the soldiers said that can be this one, taken off the list; "": none of them is."""
    form = next((form for form in said if means(form, unit, place)), "")
    if form:
        said.remove(form)
    return form


def pick(soldiers: list[Soldier], said: Iterable[Said]) -> list[Soldier] | None:
    """The soldiers that a report names among some; None if one of them is not there."""
    left, found = list(soldiers), []
    for form in said:
        one = next((one for one in left if means(form, one.unit, one.place)), None)
        if one is None:
            return None
        left.remove(one)
        found.append(one)
    return found


def counted(units: Iterable[str] | Mapping[str, int]) -> str:
    """Soldiers as a sentence names them: `1 horseman and 2 spearmen`. `units`: one by one, or with their numbers."""
    return join_and([f"{n} {unit if n == 1 else plural(unit)}" for unit, n in Counter(units).items()])


def plural(unit: str) -> str:
    return f"{unit[:-3]}men" if unit.endswith("man") else f"{unit}s"


def typed(one: Soldier) -> str:
    """A soldier on a card as typed lines name it: `spearman@a1`, on the Khan's cards `spearman@K01:a1`."""
    return f"{one.unit}@{spelt(one.place)}"


def spelt(place: Place) -> str:
    """Vital spots as typed lines name them: `a1+b1`, on the Khan's cards `K01:a1`."""
    card = f"{place.card}:" if place.kind == "khan" else ""
    return f"{card}{'+'.join(place.spots)}"


class SoldierName(Domain):
    """A soldier: its kind alone, or a mapping with place and kind. `or_none`: or nobody."""

    loose = True

    def __init__(self, *, or_none: bool = False, **manner: Unpack[Manner]) -> None:
        super().__init__(**manner)
        self.or_none = or_none

    def values(self, at: At) -> Iterable[str]:
        here = (typed(one) for card in covered_cards(at) for one in soldiers_in(card))
        units = at.rules.names("unit")
        zones = (f"{unit}@{zone}" for unit in units for zone in ("rest", "wall"))
        return (*units, *zones, *dict.fromkeys(here), *((NONE,) if self.or_none else ()))

    def spoken(self, at: At) -> dict[str, Any]:
        on_cards = {form: form.replace("@", " on ").replace("+", " ") for form in self.values(at) if form[-1].isdigit()}
        named = {text: form for form, text in on_cards.items()}
        return {**super().spoken(at), **named, **({"nobody": NONE, "no one": NONE} if self.or_none else {})}

    def options(self, at: At) -> Iterable[Any] | None:
        return None

    def written(self, at: At, value: Any) -> str:
        if not isinstance(value, dict):
            return ""
        place = next((zone for zone in ("rest", "wall") if value.get(zone)), "")
        if spots := value.get("spots"):
            place = spelt(on_card("" if place else str(value.get("card") or ""), *spots))
        return f"{unit_of(value)}@{place}" if place else unit_of(value)


class HordeOrNone(PieceName):
    """A horde card, or `none` for what is left."""

    loose = True

    def values(self, at: At) -> Iterable[str]:
        return (*super().values(at), NONE)

    def spoken(self, at: At) -> dict[str, Any]:
        return {**super().spoken(at), NONE: NONE}


class Carrier(Domain):
    """A kind of soldier in the player's supply, a claimed card, or `none`."""

    loose = True

    def values(self, at: At) -> Iterable[str]:
        claimed = [claimed.card for p in at.state.player.values() for claimed in p.claimed]
        return (*at.rules.names("unit"), *claimed, NONE)

    def spoken(self, at: At) -> dict[str, Any]:
        values = super().spoken(at)
        cards = {words: card for words, card in at.rules.spoken("horde").items() if card in values}
        return {**cards, **values}
