"""Soldiers that are lost: who chooses them, and who is saved at the last moment (rules GW-SAVE, GW-DEF-9, -12, GW-ASLT-10).

A soldier that is to be killed stays where it stands until its owner has had the chance to save it (a debt of the move
`save`); silence lets it die.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import combinations
from typing import Annotated, Any, ClassVar, NamedTuple

from companion.engine.play.moves import Breach, Domain, Move, PieceName
from companion.engine.play.pending import Task
from companion.engine.things.figures import Figure
from components.phrasing import join_and

from .catalogue import At, cat, name_of
from .reports import Report
from .soldiers import (
    Covered,
    Place,
    card_of,
    everywhere,
    find_horde,
    khan_cards,
    on_card,
    place_of,
    put_at,
    rest,
    soldiers_on,
    take_from,
)
from .state import HordeCard
from .supplies import pay
from .year import in_tea_order

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


# --- how many -----------------------------------------------------------------------------------------------------


class Toll(NamedTuple):
    """What a card kills: by which rule, whose soldiers may die on it, how many of them, where the saved ones rest."""

    rule: str
    soldiers: list[Standing]
    lethality: Figure
    section: str

    @property
    def due(self) -> int:
        """How many die: the lethality, or all if they are fewer."""
        return min(int(self.lethality), len(self.soldiers))


TOLLS: dict[str, Callable[[At, str], Toll]] = {}
"""Cards that are not horde cards of a section -> what they kill of a clan (a module's file adds its own)."""


def toll(at: At, clan: str, card: str) -> Toll | None:
    """What a card on the board would kill of a clan now (GW-DEF-9, GW-ASLT-10)."""
    if card in TOLLS:
        return TOLLS[card](at, clan)
    found = find_horde(at, card)
    if found is None:
        return None
    section, row, horde = found
    rule = "GW-ASLT-10" if at.state.step == "winter.2" else "GW-DEF-9"
    return Toll(rule, standing(horde, clan), lethality(at, clan, section, row, horde), section)


def lethality(at: At, clan: str, section: str, row: int, horde: HordeCard) -> Figure:
    """The lethality of a horde card as it is for a clan."""
    printed = cat(at).hordes[horde.card].lethality
    return at.value("lethality", clan, base=printed, card=horde.card, section=section, row=row)


def owe_losses(at: At, card: str, clans: Iterable[str]) -> None:
    """In tea order each of the players loses soldiers on a card by its lethality, choosing which."""
    for clan in in_tea_order(at, clans):
        found = toll(at, clan, card)
        if found is not None and found.due:
            at.owe(clan, ChooseLosses.name, rule=found.rule, card=card)


class ChooseLosses(Report, frozen=True):
    """Choose which of the own soldiers on a horde card are killed."""

    name = "choose_losses"
    elsewhere = "GW-DEF-9"
    role = "choice"
    words = ("loses", "lose")
    example = "plum loses spearman"
    asks: ClassVar[dict[str, str]] = {"soldiers": "GW-DEF-9.soldiers"}
    soldiers: Annotated[tuple[Said, ...] | None, SoldierName(many=True)] = None
    card: Annotated[str, PieceName("losing", lead=("on",))] = ""
    saves: tuple[Said, ...] | None = None
    """Those of them that are saved; None: each may still be."""

    def options(self, at: At, field: str) -> Iterable[Any] | None:
        if field == "soldiers":
            found = self._toll(at)
            return None if found is None else choices(found)
        return None if field in ("card", "saves") else super().options(at, field)

    def facts(self, at: At) -> dict[str, Any]:
        found = self._toll(at)
        return {"n": found.due if found else 0, "horde": name_of(at, "horde", self._card(at))}

    def _task(self, at: At) -> Task | None:
        return next((task for task in at.state.agenda if task.move == self.name and task.who == self.by), None)

    def _card(self, at: At) -> str:
        """The card that was said, or the one that kills now."""
        if self.card:
            return self.card
        if (task := self._task(at)) is not None:
            return str(task.args["card"])
        return next((place.card for form in self.soldiers or () if (place := where_of(form))), "")

    def _toll(self, at: At) -> Toll | None:
        card = self._card(at)
        return toll(at, self.by, card) if self.by and card else None

    def forbidden(self, at: At) -> Iterator[Breach]:
        if not self.by:
            return
        found, task = self._toll(at), self._task(at)
        card = name_of(at, "horde", self._card(at))
        if task is None and at.state.agenda:
            yield at.breach("GW-DEF-9.none", player=self.by)
        elif found is None:
            yield at.breach("GW-DEF-9.card", player=self.by, card=card)
        elif task is not None and self.card and self.card != task.args["card"]:
            due = name_of(at, "horde", str(task.args["card"]))
            yield at.breach(f"{found.rule}.order", player=self.by, card=card, due=due)
        elif self.soldiers is not None:
            if (chosen := pick(found.soldiers, self.soldiers)) is None:
                units = counted(unit_of(form) for form in self.soldiers)
                yield at.breach(f"{found.rule}.there", player=self.by, units=units, card=card)
            elif len(chosen) != found.due:
                facts = {"n": found.due, "said": len(chosen), "lethality": found.lethality.sum}
                yield at.breach(f"{found.rule}.number", player=self.by, card=card, **facts)
            elif self.saves:
                yield from self._bad_saves(at, found, chosen)

    def _bad_saves(self, at: At, found: Toll, chosen: list[Standing]) -> Iterator[Breach]:
        """Why those who are said to be saved cannot be: they do not die, or there is no chi for them."""
        here, units = at.copy(), [unit_of(form) for form in self.saves or ()]
        if (saved := pick(chosen, self.saves or ())) is None:
            yield at.breach("GW-SAVE-1.other", player=self.by, unit=units[0])
            return
        for one in saved:
            if breach := too_dear(here, self.by, one.unit, found.section):
                yield breach
                return
            save(here, self.by, one.unit, one.place)

    def apply(self, at: At) -> None:
        found, card = self._toll(at), self._card(at)
        assert found is not None
        dying = pick(found.soldiers, self.soldiers or ()) or []
        at.note(
            f"{found.rule}.loses",
            player=self.by,
            units=counted(one.unit for one in dying),
            card=name_of(at, "horde", card),
        )
        saved = pick(dying, self.saves or ()) or []
        for one in dying:
            if one in saved:
                saved.remove(one)
                save(at, self.by, one.unit, one.place)
            elif self.saves is None and not too_dear(at, self.by, one.unit, found.section):
                owe_save(at, self.by, one.unit, one.place, found.section)
            else:
                kill(at, self.by, one.unit, one.place)


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


def choices(found: Toll) -> list[tuple[Said, ...]]:
    """Every way to choose who dies. In a defeat the spots do not matter, because the card leaves."""
    breach = found.rule != "GW-DEF-9"
    forms = [one.name if breach else one.unit for one in found.soldiers]
    return list(dict.fromkeys(tuple(sorted(some)) for some in combinations(forms, found.due)))


# --- saving -------------------------------------------------------------------------------------------------------


def owe_save(at: At, clan: str, unit: str, place: Place, section: str) -> None:
    """A soldier is to be killed; its owner may save it."""
    args = {"unit": unit, "kind": place.kind, "card": place.card, "spots": "+".join(place.spots), "section": section}
    at.owe(clan, Save.name, 1, "GW-SAVE-1", **{key: value for key, value in args.items() if value})


def stands(at: At, task: Task) -> Place | None:
    """Where the soldier of a debt stands; looked for where a position did not say it."""
    args = task.args
    if kind := args.get("kind"):
        if kind in ("wall", "rest"):
            return Place("wall" if kind == "wall" else "rest", str(args["section"]))
        return on_card(str(args["card"]), *filter(None, str(args.get("spots", "")).split("+")))
    found = [place for place, unit, _ in everywhere(at, task.who) if unit == args["unit"]]
    found.sort(key=lambda place: place.kind == "rest")
    here = [place for place in found if section_of(at, place) == at.state.section]
    return next(iter(here or found), None)


def section_of(at: At, place: Place) -> str:
    """The section in which a place lies; that of the Khan for his cards (GW-SAVE-2, GW-GK-9)."""
    if place.kind == "card":
        found = find_horde(at, place.card)
        return found[0] if found else ""
    return (at.state.khan.section or "") if place.kind == "khan" else place.section


def price(at: At, clan: str, unit: str, section: str) -> Figure:
    """The chi that saving a soldier costs (GW-SAVE-1)."""
    return at.value("save_soldier.chi", clan, unit=unit, section=section)


def why(figure: Figure) -> str:
    """How cards changed a figure, to follow it in brackets; nothing if they did not."""
    return f" ({figure.sum})" if figure.changes else ""


def too_dear(at: At, clan: str, unit: str, section: str) -> Breach | None:
    """Why a player cannot pay for a soldier (GW-SAVE-1)."""
    cost, has = price(at, clan, unit, section), at.state.own(clan).res["chi"]
    facts = {"unit": unit, "has": has, "cost": cost, "why": why(cost)}
    return at.breach("GW-SAVE-1.chi", player=clan, **facts) if has < int(cost) else None


def matching(said: list[Said], task: Task) -> Said | None:
    """Take the first of the soldiers said that can be the one of a debt off the list."""
    for form in said:
        if fits(form, task):
            said.remove(form)
            return form
    return None


def fits(form: Said, task: Task) -> bool:
    """Whether a soldier as somebody names it can be the one of a debt."""
    place, args = where_of(form), task.args
    if unit_of(form) != args["unit"]:
        return False
    if place is None or "kind" not in args:
        return True
    same = (place.kind, place.card or place.section) == (args["kind"], args.get("card") or args["section"])
    return same and set(place.spots) <= set(str(args.get("spots", "")).split("+"))


class Save(Report, frozen=True):
    """Pay chi for a soldier that is to be killed; without a soldier: let it die."""

    name = "save"
    elsewhere = "GW-SAVE-1"
    role = "choice"
    words = ("saves", "save")
    example = "plum saves spearman"
    soldier: Annotated[Said, SoldierName()] = ""
    soldiers: tuple[Said, ...] = ()
    """Several in one report."""

    def options(self, at: At, field: str) -> Iterable[Any] | None:
        if field == "soldier" and self.by:
            return list(dict.fromkeys(("", *(str(task.args["unit"]) for task in self._dying(at)))))
        return None if field == "soldiers" else super().options(at, field)

    def _dying(self, at: At) -> list[Task]:
        return [task for task in at.state.agenda if task.move == self.name and task.who == self.by]

    def _said(self) -> tuple[Said, ...]:
        return ((self.soldier,) if self.soldier else ()) + self.soldiers

    def _meant(self, at: At) -> list[Task] | None:
        """The debts this settles, one for each soldier said; None if one of them is not to be killed."""
        left, found = self._dying(at), []
        for form in self._said() or ("",):
            task = next((task for task in left if not form or fits(form, task)), None)
            if task is None:
                return None
            left.remove(task)
            found.append(task)
        return found

    def forbidden(self, at: At) -> Iterator[Breach]:
        if not self.by:
            return
        tasks, unit = self._meant(at), next(map(unit_of, self._said()), "soldier")
        if tasks is None:
            yield at.breach("GW-SAVE-1.other" if self._dying(at) else "GW-SAVE-1.none", player=self.by, unit=unit)
            return
        here = at.copy() if len(tasks) > 1 else at
        for task in tasks if self._said() else ():
            place, unit = stands(here, task), str(task.args["unit"])
            if place is None:
                yield at.breach("GW-SAVE-2", player=self.by, unit=unit)
                return
            if breach := too_dear(here, self.by, unit, section_of(here, place)):
                yield breach
                return
            if len(tasks) > 1:
                save(here, self.by, unit, place)

    def apply(self, at: At) -> None:
        tasks = self._meant(at) or []
        for n, task in enumerate(tasks):
            place, unit = stands(at, task), str(task.args["unit"])
            at.state.agenda.remove(task)
            if not n:  # the engine settles the first debt of this kind
                at.state.agenda.insert(0, task)
            if place is not None:
                (save if self._said() else kill)(at, self.by, unit, place)


def save(at: At, clan: str, unit: str, place: Place) -> None:
    """A soldier goes to the rest zone of the section where it stood, for chi (GW-SAVE-1 to -5)."""
    section, p = section_of(at, place), at.state.own(clan)
    cost = price(at, clan, unit, section)
    pay(at, clan, {"chi": cost})
    p.saves_this_year += 1
    if place.kind != "rest":
        take_from(at, clan, place, unit)
        put_at(at, clan, rest(section), unit)
    if at.state.step == "winter.2":
        spared = at.state.saved_in_breach.setdefault(clan, {})
        spared[unit] = spared.get(unit, 0) + 1
        at.kept("GW-SAVE-4", "GW-SAVE-5")
    at.note("GW-SAVE-1.saved", player=clan, unit=unit, n=cost, why=why(cost), section=section)
    at.kept("GW-SAVE-2", "GW-SAVE-3")
    at.trigger("save", clan, unit=unit, section=section)


def kill(at: At, clan: str, unit: str, place: Place) -> None:
    """A soldier returns to its owner's supply, clean (GW-DEF-12)."""
    section = section_of(at, place)
    if not too_dear(at, clan, unit, section):
        at.note("GW-SAVE-1.left", player=clan, unit=unit, n=price(at, clan, unit, section))
    take_from(at, clan, place, unit)
    supply = at.state.own(clan).supply
    supply[unit] = supply.get(unit, 0) + 1
    at.note("GW-DEF-12", player=clan, unit=unit)
    at.trigger("soldier_killed", clan, unit=unit, section=section)


# --- answers that a report brings along ---------------------------------------------------------------------------


def answer_losses(at: At, task: Task, bundle: Any) -> Move | None:
    """The losses that a report bundled for a card; those with one possible choice go without saying."""
    card, left = str(task.args["card"]), bundle.losses.get(task.who, [])
    found = toll(at, task.who, card)
    if found is None:
        return None
    chosen = [form for form in left if at_card(form, card)][: found.due]
    for form in chosen:
        left.remove(form)
    only = len(choices(found)) == 1 and not at.state.own(task.who).tactics
    if not (chosen or only or task.who in bundle.losses):
        return None
    soldiers = choices(found)[0] if only and not chosen else tuple(chosen)
    saved, said = [], bundle.saves.get(task.who, [])
    for one in pick(found.soldiers, soldiers) or []:
        form = next((form for form in said if pick([one], [form])), None)
        if form is not None:
            said.remove(form)
            saved.append(form)
    return ChooseLosses(by=task.who, card=card, soldiers=soldiers, saves=tuple(saved))


def at_card(form: Said, card: str) -> bool:
    """Whether a soldier as somebody names it can be one on a card."""
    place = where_of(form)
    return place is None or place.card in ("", card) or (card in TOLLS and place.kind == "khan")


def answer_save(at: At, task: Task, bundle: Any) -> Move | None:
    """The save that a report bundled for a soldier; without one it dies."""
    return Save(by=task.who, soldier=matching(bundle.saves.get(task.who, []), task) or "")


__all__ = [
    "TOLLS",
    "ChooseLosses",
    "Said",
    "Save",
    "SoldierName",
    "Toll",
    "answer_losses",
    "answer_save",
    "counted",
    "kill",
    "lethality",
    "owe_losses",
    "owe_save",
    "pick",
    "section_of",
    "standing",
    "toll",
    "unit_of",
    "where_of",
]
