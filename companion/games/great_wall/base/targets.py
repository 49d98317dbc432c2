"""The origin and the destination of a soldier, as reports write them: `{rest: L}`, `{wall: C}`, `{card: H13, spots:
[a1]}`.

A typed line says the same in words: `rest L`, `wall C`, `H13 a1 b1`, `T2`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations
from typing import Annotated, Any

import msgspec

from companion.rules import Breach, Domain, OneOf, PieceName, Unspoken

from .brought import modules
from .catalogue import SPEARMAN, At, name_of
from .decks import has_towers
from .soldiers import (
    Covered,
    Place,
    covered_card,
    find_horde,
    free_spots,
    is_shooter,
    named_in,
    place_of,
    share_edge,
    shooters_on_wall,
    spots_of_unit,
    vital_spots,
)
from .state import SECTIONS, TOWERS

_CALLED = {"left": "L", "centre": "C", "center": "C", "middle": "C", "right": "R"}
CALLED = {**_CALLED, **{f"{word} section": one for word, one in (*_CALLED.items(), *zip("LCR", "LCR", strict=True))}}
"""Further words for the sections of the wall."""


class Sections(Domain):
    """A section of the wall."""

    after = ("to",)
    of = ("section", "zone")

    def values(self, at: At) -> Iterable[str]:
        return SECTIONS

    def place(self, at: At, value: Any) -> str:
        return f"board#wall.{value}"

    def spoken(self, at: At) -> dict[str, Any]:
        return {**{one: one for one in SECTIONS}, **CALLED}


class Walls(Sections):
    """The wall of a section. A section alone may be its wall or its rest zone, as the soldier allows."""


CELLS = tuple(f"{column}{row}" for row in (1, 2, 3) for column in "abc")
"""Every cell of a grid."""


class Spots(Domain):
    """Vital spots by column and row: `a1`. A report may give them in other forms; the rules judge them."""

    many = True
    loose = True

    def values(self, at: At) -> Iterable[str]:
        return CELLS

    def options(self, at: At) -> Iterable[Any] | None:
        return None


class Spot(Spots):
    """One vital spot."""

    many = False


class Named(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A place as a report names it, by one of its fields."""

    def __str__(self) -> str:
        return said(self.place) if self.place else ""

    @property
    def form(self) -> dict[str, Any]:
        """Its fields that are set."""
        return {field: getattr(self, field) for field in self.__struct_fields__ if getattr(self, field)}

    @property
    def place(self) -> Place | None:
        """The same as the rules see it; None if it names none."""
        return place_of(self.form)


REST = ("section", "zone", "rest")
"""Everyday words for the rest zone of a section."""


class Target(Named, frozen=True):
    """A place for a soldier."""

    rest: Annotated[str, Sections(lead=("rest",), after=("to", "into", "for", "who", "that"), of=REST)] = ""
    wall: Annotated[
        str, Walls(lead=("wall",), after=("to", "onto", "for", "who", "that", "go", "goes"), of=("section", "wall"))
    ] = ""
    tower: Annotated[str, OneOf(*TOWERS, after=("tower", "to", "into", "for"))] = ""
    card: Annotated[
        str,
        PieceName(
            "horde", after=("onto", "against", "to", "who", "that", "attack", "attacks", "attacking"), loose=True
        ),
    ] = ""
    spots: Annotated[tuple[str, ...], Spots(after=("onto", "who", "that", "cover", "covers", "covering"))] = ()


class Origin(Named, frozen=True):
    """The place a soldier comes from."""

    rest: Annotated[str, Sections(lead=("from", "rest"), after=(), of=REST)] = ""
    wall: Annotated[str, Sections(lead=("wall",), after=())] = ""
    card: Annotated[str, Unspoken()] = ""
    spots: Annotated[tuple[str, ...], Unspoken()] = ()


class Destination(Named, frozen=True):
    """The destination of a march, or the wall or tower that a soldier mans."""

    rest: Annotated[str, Sections(lead=("to", "rest"), of=REST)] = ""
    wall: Annotated[str, Sections(lead=("wall",), after=("to", "onto"), of=("section", "wall"))] = ""
    tower: Annotated[str, OneOf(*TOWERS, lead=("tower",))] = ""


def place(form: Named | str | None) -> Place | None:
    """The place that a field of a report names; None if it names none."""
    return form.place if isinstance(form, Named) else place_of(form) if form else None


def several(at: At, rule: str, form: Named | str | None, unit: str, *with_rules: str) -> Iterator[Breach]:
    """A breach of `rule` (`breaks.several`) where a report names more than one place for a soldier."""
    if isinstance(form, Named) and len(places := named_in(form.form)) > 1:
        yield at.breach(f"{rule}.several", *with_rules, unit=unit or "soldier", places=places)


def sure(form: Named | str | None) -> Place:
    """The same where it has to name one. LookupError: it names none."""
    found = place(form)
    if found is None or found.kind == "several":
        raise LookupError(str(form))
    return found


def said(where: Place) -> str:
    """A place in the words of a typed line."""
    if where.kind in ("rest", "wall"):
        return f"{where.kind} {where.section}"
    return " ".join((where.card, *where.spots)) if where.card else where.tower


def told(at: At, where: Place | None) -> str:
    """A place as a sentence names it."""
    if where is None or where.kind == "several":
        return "a place that is not on the table"
    if where.kind in ("rest", "wall"):
        return f"the {'rest zone' if where.kind == 'rest' else 'wall'} of {where.section}"
    if where.card:
        spots = f" {' and '.join(where.spots)}" if where.spots else ""
        return f"{name_of(at, 'horde', where.card)}{spots}"
    return f"tower {where.tower}" if where.tower else "the supply"


def some_attacks(at: At, unit: str, sections: Iterable[str] = SECTIONS) -> list[tuple[str, tuple[str, ...]]]:
    """Of the attacks on each card the first on one spot, and the first on two."""
    found = {(card, len(spots)): (card, spots) for card, spots in reversed(attackable(at, unit, sections))}
    return [*reversed(found.values())]


def by_card(spots: Mapping[str, str | Iterable[str]]) -> dict[str, list[str]]:
    """Card -> its spots, of which one may have been said by itself."""
    return {card: [said] if isinstance(said, str) else [str(spot) for spot in said] for card, said in spots.items()}


# --- what the pieces allow ----------------------------------------------------------------------------------------


def spot_sets(at: At, card: str, unit: str) -> list[tuple[str, ...]]:
    """The free spots of a card, and for a soldier of two spots the free pairs that share an edge (GW-ATT-4)."""
    covered = covered_card(at, card)
    free = free_spots(at, covered) if covered else []
    found: list[tuple[str, ...]] = [(spot,) for spot in free]
    if unit and spots_of_unit(at, unit) > 1:
        found += [pair for pair in combinations(free, 2) if share_edge(*pair)]
    return found


def attackable(at: At, unit: str, sections: Iterable[str] = SECTIONS) -> list[tuple[str, tuple[str, ...]]]:
    """(card, spots) of every attack a soldier of this kind could make in these sections."""
    cards = (horde.card for section in sections for horde in at.state.hordes[section])
    return [(card, spots) for card in cards for spots in spot_sets(at, card, unit)]


# --- why a soldier cannot go there --------------------------------------------------------------------------------


def bad_cover(
    at: At,
    covered: Covered,
    spots: Iterable[str],
    outside: tuple[str, ...],
    taken: tuple[str, ...],
    also: Iterable[Breach] = (),
    /,
    **facts: Any,
) -> Iterator[Breach]:
    """The reasons why spots of a card cannot be covered: some are not on its grid, or covered already (GW-GRID-8,
    GW-GRID-9). `outside`, `taken`: the rules for these; `also`: further faults of the spots, reported between the two.
    """
    said = list(spots)
    if off := [spot for spot in said if spot not in vital_spots(at, covered.card)]:
        yield at.breach(*outside, off=off, **facts)
    yield from also
    if hit := [spot for spot in said if spot in covered.spots]:
        yield at.breach(*taken, taken=hit, n=len(hit), **facts)


def bad_spots(at: At, unit: str, card: str, spots: tuple[str, ...], section: str = "") -> Iterable[Breach]:
    """The reasons why a soldier cannot attack there: the card, the spots, what covers them (GW-ATT-1 to -5). `section`:
    the only one whose hordes it can reach."""
    found = find_horde(at, card)
    if found is None:
        for module in modules(at):
            yield from module.off_board(at, card)
        yield at.breach("GW-ATT-1.card", card=name_of(at, "horde", card))
        return
    facts = {"card": name_of(at, "horde", card), "unit": unit, "spots": list(spots)}
    if section and found[0] != section:
        yield at.breach("GW-ATT-5", section=section, **facts)
    most, different = spots_of_unit(at, unit) if unit else len(spots), set(spots)
    wrong: list[Breach] = []
    if len(different) > most or len(different) < len(spots):
        wrong = [at.breach("GW-ATT-4.number", **facts)]
    elif len(spots) > 1 and different <= set(vital_spots(at, card)) and not share_edge(*spots[:2]):
        wrong = [at.breach("GW-ATT-4.apart", **facts)]
    outside, taken = ("GW-ATT-1.spot", "GW-GRID-8"), ("GW-ATT-3", "GW-GRID-9")
    yield from bad_cover(at, found[2], spots, outside, taken, wrong, **facts)


def bad_wall(at: At, clan: str, unit: str, section: str, rule: str = "GW-REC-5") -> Iterable[Breach]:
    """The reasons why a soldier cannot go onto a wall (GW-REC-5, GW-REC-6, GW-CAMP-4)."""
    if unit and not is_shooter(at, unit):
        yield at.breach(f"{rule}.shooter", "GW-REC-7", unit=unit)
    elif clan and shooters_on_wall(at, clan, section) >= at["wall.shooters_per_player"]:
        yield at.breach("GW-REC-6", player=clan, section=section, n=at["wall.shooters_per_player"])


def no_towers(at: At, there: Place | None) -> Iterable[Breach]:
    """A breach for a tower on a table without towers (GW-BP-7)."""
    if there is not None and there.kind == "tower" and not has_towers(at):
        yield at.breach("GW-BP-7.module")


def bad_tower(at: At, clan: str, unit: str, tower: str) -> Iterable[Breach]:
    """The reasons why a soldier cannot go into a tower of the table (GW-BP-7)."""
    if not has_towers(at):
        return
    inside = at.state.towers[tower]
    if unit and unit != SPEARMAN:
        yield at.breach("GW-BP-7.unit", unit=unit)
    if len(inside) >= at["tower.capacity"]:
        yield at.breach("GW-BP-7.full", tower=tower, n=at["tower.capacity"])
    elif clan and inside.count(clan) >= at["tower.per_player"]:
        yield at.breach("GW-BP-7.own", player=clan, tower=tower, n=at["tower.per_player"])
