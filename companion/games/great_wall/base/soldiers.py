"""Soldiers and where they stand: supply, rest zones, walls, vital spots of horde cards, towers, the Khan's cards.

Every soldier that moves goes through `put_at` and `take_from`, so that no piece is lost or gained.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, Literal, NamedTuple

import msgspec

from .catalogue import SPEARMAN, At, cat
from .state import KHAN, SECTIONS, TOWERS, WOUND, HordeCard, KhanCard, Player, Skill, State, Units

Kind = Literal["supply", "rest", "wall", "card", "tower", "khan", "several"]
Covered = HordeCard | Skill | KhanCard
"""Anything with vital spots."""


class Place(msgspec.Struct, frozen=True, omit_defaults=True):
    """A soldier's place. `card`: a horde card, a skill card or `khan` (`kind` is `khan` for the last two). A report may
    name several places for one soldier, which then stands at none of them."""

    kind: Kind = "supply"
    section: str = ""
    card: str = ""
    tower: str = ""
    spots: tuple[str, ...] = ()


SUPPLY = Place()
SEVERAL = Place("several")


def rest(section: str) -> Place:
    return Place("rest", section)


def wall(section: str) -> Place:
    return Place("wall", section)


def on_card(card: str, *spots: str) -> Place:
    """A place on a horde card, or on one of the Khan's three cards."""
    of_khan = card == KHAN or card.startswith("K")
    return Place("khan" if of_khan else "card", card=card, spots=spots)


SAID = {"rest": "the rest zone of", "wall": "the wall of", "tower": "tower"}


def named_in(form: Mapping[str, Any]) -> list[str]:
    """The places that a mapping names, as people say them: `the wall of C`, `H13 a1`."""
    found = [f"{words} {form[kind]}" for kind, words in SAID.items() if form.get(kind)]
    spots = form.get("spots") or form.get("spot") or form.get(KHAN) or ()
    on = [form.get("card") or (KHAN if KHAN in form else ""), *([spots] if isinstance(spots, str) else spots)]
    return [
        *found,
        *([" ".join(filter(None, map(str, on)))] if any(on) else []),
        *(["supply"] if "supply" in form else []),
    ]


def place_of(form: Any) -> Place | None:
    """The place a report names: a section (its rest zone), a tower, `supply`, or a mapping. None if it names no place.
    `SEVERAL`: it names more than one."""
    if isinstance(form, str):
        form = form.strip()
        if form.upper() in TOWERS:
            return Place("tower", tower=form.upper())
        if form.lower() in ("supply", ""):
            return SUPPLY
        return rest(form.upper()) if form.upper() in SECTIONS else None
    if not isinstance(form, Mapping):
        return None
    if len(form) > 1 and len(named_in(form)) > 1:
        return SEVERAL
    for kind in ("rest", "wall"):
        if (section := str(form.get(kind, "")).upper()) in SECTIONS:
            return Place(kind, section)
    if tower := form.get("tower"):
        return place_of(tower) if str(tower).upper() in TOWERS else None
    if card := form.get("card") or ("khan" if "khan" in form else ""):
        spots = form.get("spots", form.get("spot", form.get("khan", ())))
        named = (spots,) if isinstance(spots, str) else tuple(spots or ())
        return on_card(KHAN if str(card).lower() == KHAN else str(card), *map(str, named))
    return SUPPLY if "supply" in form else None


class Soldier(NamedTuple):
    """A soldier on vital spots. It counts once, whether it covers one or two (GW-DEF-5)."""

    clan: str
    unit: str
    place: Place

    @property
    def spots(self) -> tuple[str, ...]:
        return self.place.spots

    @property
    def name(self) -> str:
        return f"{self.clan}.{self.unit}"


# --- vital spots --------------------------------------------------------------------------------------------------


def vital_spots(at: At, card_id: str) -> tuple[str, ...]:
    """The vital spots printed on a horde card, a skill card or the Khan's card (`khan`), column by column and row by
    row (GW-GRID-8)."""
    return cat(at).spots[f"khan:{at.state.side}" if card_id == KHAN else card_id]


def free_spots(at: At, covered: Covered) -> list[str]:
    """Its vital spots without soldier or wound (GW-GRID-9)."""
    return [spot for spot in vital_spots(at, covered.card) if spot not in covered.spots]


def share_edge(one: str, other: str) -> bool:
    """True if two spots of a grid share an edge."""
    if not (one[1:].isdecimal() and other[1:].isdecimal()):
        return False
    return abs(ord(one[0]) - ord(other[0])) + abs(int(one[1:]) - int(other[1:])) == 1


@lru_cache(maxsize=1024)
def _read_spot(value: str) -> tuple[str, str, str]:
    clan, _, unit = value.partition(".")
    unit, _, number = unit.partition("#")
    return clan, unit, number


def soldiers_in(covered: Covered) -> list[Soldier]:
    """The soldiers on a card, in the order of their first spots."""
    found: dict[str, list[str]] = {}
    for spot in sorted(covered.spots, key=_by_row):
        if (value := covered.spots[spot]) != WOUND:
            found.setdefault(value if "#" in value else f"{value}#{spot}", []).append(spot)
    return [Soldier(*_read_spot(key)[:2], on_card(covered.card, *spots)) for key, spots in found.items()]


def _by_row(spot: str) -> tuple[str, str]:
    return spot[1:], spot[:1]


def soldiers_on(covered: Covered) -> dict[str, list[Soldier]]:
    """Clan -> its soldiers on a card."""
    found: dict[str, list[Soldier]] = {}
    for soldier in soldiers_in(covered):
        found.setdefault(soldier.clan, []).append(soldier)
    return found


def has_soldier(covered: Covered, clan: str) -> bool:
    start = f"{clan}."
    return any(value.startswith(start) for value in covered.spots.values())


# --- cards on the table -------------------------------------------------------------------------------------------


def find_horde(at: At, card: str) -> tuple[str, int, HordeCard] | None:
    """Section, row (from 1) and record of a horde card on the board; None if it is not there."""
    for section, cards in at.state.hordes.items():
        for row, horde in enumerate(cards, 1):
            if horde.card == card:
                return section, row, horde
    return None


def horde_at(at: At, card: str) -> tuple[str, int, HordeCard]:
    """The same for a card that lies there. KeyError: it does not."""
    found = find_horde(at, card)
    if found is None:
        raise KeyError(card)
    return found


def covered_card(at: At, card: str) -> Covered | None:
    """The record of a horde card on the board, or of one of the Khan's cards."""
    return next((covered for covered in covered_cards(at) if covered.card == card), None)


def khan_cards(at: At) -> list[Covered]:
    """The Khan's card and his two skill cards."""
    return [at.state.khan.card, *at.state.khan.skills]


def covered_cards(at: At) -> list[Covered]:
    """Every card on the table with vital spots."""
    return [*(horde for cards in at.state.hordes.values() for horde in cards), *khan_cards(at)]


# --- moving -------------------------------------------------------------------------------------------------------


def put_on_card(at: At, clan: str, unit: str, covered: Covered, spots: tuple[str, ...] | list[str]) -> None:
    """Cover one spot or two with a soldier."""
    value = f"{clan}.{unit}"
    if len(spots) > 1:
        taken = {int(n) for other in covered.spots.values() if (n := _read_spot(other)[2]) and other.startswith(value)}
        value += f"#{next(n for n in range(1, 100) if n not in taken)}"
    for spot in spots:
        covered.spots[spot] = value


def put_at(at: At, clan: str, place: Place, unit: str) -> None:
    """Put a soldier somewhere."""
    p = at.state.player[clan]
    if place.kind == "tower":
        at.state.towers[place.tower].append(clan)
    elif place.card:
        put_on_card(at, clan, unit, _its_card(at, place), place.spots)
    else:
        units = _units(p, place)
        units[unit] = units.get(unit, 0) + 1


def take_from(at: At, clan: str, place: Place, unit: str) -> None:
    """Take a soldier away from where it stands. On a card: the one on the spots named, or the only one of its kind."""
    p = at.state.player[clan]
    if place.kind == "tower":
        at.state.towers[place.tower].remove(clan)
    elif place.card:
        covered, soldier = _its_card(at, place), soldier_at(at, clan, place, unit)
        if soldier is None:
            raise KeyError(unit)
        for spot in soldier.spots:
            del covered.spots[spot]
    else:
        units = _units(p, place)
        units[unit] = max(0, units.get(unit, 0) - 1)
        if not units[unit] and place.kind != "supply":
            del units[unit]


def _its_card(at: At, place: Place) -> Covered:
    """The card of a place that is one. KeyError: it does not lie on the table."""
    covered = covered_card(at, place.card)
    if covered is None:
        raise KeyError(place.card)
    return covered


def move(at: At, clan: str, unit: str, here: Place, there: Place) -> None:
    """Move a soldier."""
    take_from(at, clan, here, unit)
    put_at(at, clan, there, unit)


def soldier_at(at: At, clan: str, place: Place, unit: str) -> Soldier | None:
    """The soldier of a clan on a card that the place means: the one on its spots, or the first of its kind."""
    covered = covered_card(at, place.card)
    own = soldiers_on(covered).get(clan, ()) if covered else ()
    return next((one for one in own if one.unit == unit and set(place.spots) <= set(one.spots)), None)


def number_at(at: At, clan: str, place: Place, unit: str) -> int:
    """The number of soldiers of a kind that a clan has in its supply, a rest zone or on a wall."""
    return _units(at.state.player[clan], place).get(unit, 0)


def _units(p: Player, place: Place) -> Units:
    if place.kind == "supply":
        return p.supply
    return (p.rest if place.kind == "rest" else p.wall)[place.section]


# --- kinds of soldiers, and counting them -------------------------------------------------------------------------


def is_shooter(at: At, unit: str) -> bool:
    """Archers, and with Black Powder bombers and crossbowmen (GW-REC-7, GW-BP-15)."""
    return unit in cat(at).shooters


def spots_of_unit(at: At, unit: str) -> int:
    """The most spots a soldier of a kind covers (GW-ATT-4)."""
    return cat(at).units[unit].spots


def units_of(at: At, clan: str) -> tuple[str, ...]:
    """The kinds of soldiers a clan has in this game."""
    found, modules = cat(at), at.state.modules
    special = found.special.get(clan, "")
    return (*found.base_units, special) if special and found.units[special].module in modules else found.base_units


def resting(at: At, clan: str, unit: str = "") -> list[str]:
    """The sections in whose rest zones a clan has soldiers (of a kind)."""
    zones = at.state.own(clan).rest
    return [section for section, units in zones.items() if (units.get(unit) if unit else any(units.values()))]


def behind(at: At, clan: str, section: str) -> int:
    """A clan's soldiers in the rest zone of a section and on its wall."""
    p = at.state.own(clan)
    return sum(p.rest[section].values()) + sum(p.wall[section].values())


def has_shot(s: State) -> bool:
    """True if a shooter has shot in this Winter."""
    return any(any(p.shots_done.values()) for p in s.player.values())


def shooters_on_wall(at: At, clan: str, section: str) -> int:
    return sum(n for unit, n in at.state.player[clan].wall[section].items() if unit in cat(at).shooters)


def in_section(at: At, clan: str, section: str) -> int:
    """A clan's soldiers in a section: rest zone, wall and horde cards."""
    on_cards = sum(len(soldiers_on(horde).get(clan, ())) for horde in at.state.hordes[section])
    return behind(at, clan, section) + on_cards


def everywhere(at: At, clan: str) -> Iterator[tuple[Place, str, int]]:
    """Every place with soldiers of a clan outside the supply: place, unit, number."""
    p = at.state.player[clan]
    for kind in ("rest", "wall"):
        for section, units in getattr(p, kind).items():
            yield from ((Place(kind, section), unit, n) for unit, n in units.items() if n)
    for covered in covered_cards(at):
        yield from ((one.place, one.unit, 1) for one in soldiers_in(covered) if one.clan == clan)
    for tower, clans in at.state.towers.items():
        if n := clans.count(clan):
            yield Place("tower", tower=tower), SPEARMAN, n
