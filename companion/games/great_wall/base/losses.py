"""Soldiers that die: how many a card kills, who chooses them, and how they are saved at the last moment (rules GW-DEF-9,
GW-ASLT-10, GW-SAVE).

A soldier that is to be killed stays where it stands until its owner has had the chance to save it (a debt of the move
`save`); silence lets it die.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations
from typing import Annotated, Any, ClassVar, NamedTuple, Self

from msgspec.structs import replace

from companion.rules import Breach, Brings, Choice, Figure, Move, PieceName, Task

from .brought import brought
from .catalogue import At, cat, name_of
from .hand import Hand
from .named import NONE, Said, SoldierName, counted, means, pick, taken, typed, unit_of, where_of
from .prices import Pay, Price, misclaimed, pay
from .reports import May, Report
from .soldiers import SUPPLY, Place, Soldier, everywhere, find_horde, move, on_card, rest, soldiers_on
from .year import in_tea_order


class Toll(NamedTuple):
    """The deaths that a card causes: by which rule, among whose soldiers, how many, and where the saved ones rest."""

    rule: str
    soldiers: list[Soldier]
    lethality: Figure
    section: str

    @property
    def due(self) -> int:
        """The number of deaths: the lethality, or all if they are fewer."""
        return min(int(self.lethality), len(self.soldiers))

    def choices(self) -> list[tuple[Said, ...]]:
        """Every way to choose who dies. In a defeat the spots do not matter, because the card leaves."""
        forms = [one.unit if self.rule == "GW-DEF-9" else typed(one) for one in self.soldiers]
        return list(dict.fromkeys(tuple(sorted(some)) for some in combinations(forms, self.due)))


def toll(at: At, clan: str, card: str) -> Toll | None:
    """The deaths that a card on the board would cause in a clan now (GW-DEF-9, GW-ASLT-10)."""
    if special := brought(at).tolls.get(card):
        return special(at, clan)
    if (found := find_horde(at, card)) is None:
        return None
    section, row, horde = found
    printed = cat(at).hordes[card].lethality
    lethality = at.value("lethality", clan, base=printed, card=card, section=section, row=row)
    rule = "GW-ASLT-10" if at.state.step == "winter.2" else "GW-DEF-9"
    return Toll(rule, soldiers_on(horde).get(clan, []), lethality, section)


def owe_losses(at: At, card: str, clans: Iterable[str]) -> None:
    """In tea order each of the players loses soldiers on a card by its lethality, choosing which."""
    for clan in in_tea_order(at, clans):
        found = toll(at, clan, card)
        if found is not None and found.due:
            at.owe(clan, ChooseLosses.name, rule=found.rule, card=card)


class ChooseLosses(Report, frozen=True):
    """Choose which of your soldiers on a horde card are killed."""

    owes: ClassVar[dict[str, str] | None] = {"card": "claimable"}
    elsewhere = "GW-DEF-9"
    role = "choice"
    in_turn = "GW-DEF-9.turn"
    words = ("loses",)
    soldiers: Annotated[tuple[Said, ...] | None, SoldierName(many=True)] = None
    card: Annotated[str, PieceName("claimable", lead=("on",))] = ""
    saves: Annotated[tuple[Said, ...] | None, Brings("save")] = None
    """Those of them that are saved; None: each may still be."""

    def soldiers_options(self, at: At) -> list[tuple[Said, ...]] | None:
        found = toll(at, self.by, self._card(at))
        return found.choices() if found else None

    def card_options(self, at: At) -> None:
        return None

    def facts(self, at: At) -> dict[str, Any]:
        found, card = toll(at, self.by, self._card(at)), self._card(at)
        horde = name_of(at, "horde", card) if card not in brought(at).tolls else "the Khan's cards"
        return {"n": found.due if found else 0, "horde": horde}

    def _card(self, at: At) -> str:
        """The card that was said, or the one that kills now."""
        if self.card:
            return self.card
        if (task := self.debt(at)) is not None:
            return str(task.args["card"])
        return next((place.card for form in self.soldiers or () if (place := where_of(form))), "")

    def forbidden(self, at: At) -> Iterator[Breach]:
        card, task = self._card(at), self.debt(at)
        found, facts = toll(at, self.by, card), {"player": self.by, "card": name_of(at, "horde", card)}
        if not card:
            yield at.breach("GW-DEF-9.none", player=self.by)
        elif found is None:
            yield at.breach("GW-DEF-9.card", **facts)
        elif task is not None and card != task.args["card"]:
            yield at.breach(f"{found.rule}.order", due=name_of(at, "horde", str(task.args["card"])), **facts)
        elif self.soldiers is not None:
            if (chosen := pick(found.soldiers, self.soldiers)) is None:
                yield at.breach(f"{found.rule}.there", units=counted(map(unit_of, self.soldiers)), **facts)
            elif len(chosen) != found.due:
                n, lethality = found.due, found.lethality.sum
                yield at.breach(f"{found.rule}.number", n=n, said=len(chosen), lethality=lethality, **facts)

    def apply(self, at: At) -> None:
        found, card = toll(at, self.by, self._card(at)), name_of(at, "horde", self._card(at))
        if found is None:
            raise KeyError(self.by)
        dying = pick(found.soldiers, self.soldiers or ()) or []
        at.note(f"{found.rule}.loses", player=self.by, units=counted(one.unit for one in dying), card=card)
        for one in dying:
            told = self.saves is not None and not self.saves
            if not told and (at.answering or self.saves or not too_dear(at, self.by, one.unit, found.section)):
                owe_save(at, self.by, one.unit, one.place, found.section)
            else:
                kill(at, self.by, one.unit, one.place)

    @classmethod
    def taken(cls, at: At, task: Task, hand: Hand) -> Move | None:
        """The losses said for a card; those with one possible choice go without saying."""
        card, left = str(task.args["card"]), hand.of(cls.name, task.who) or []
        found = toll(at, task.who, card)
        assert found is not None
        here = [form for form in left if (place := where_of(form)) is None or place.card in ("", *_cards(found, card))]
        chosen = here[: found.due]
        for form in chosen:
            left.remove(form)
        if not left and not chosen:  # who is saved would have died
            saved = [form for form in hand.of(Save.name, task.who) or () if pick(found.soldiers, [form])]
            chosen = saved if len(saved) == found.due else []
        choices = found.choices()
        if not chosen and len(choices) == 1 and not at.state.own(task.who).tactics:
            chosen = list(choices[0])
        return cls(by=task.who, card=card, soldiers=tuple(chosen)) if chosen or hand.has(cls.name, task.who) else None


def _cards(found: Toll, card: str) -> list[str]:
    """The cards on which soldiers die together."""
    return [card, *(one.place.card for one in found.soldiers)]


# --- saving -------------------------------------------------------------------------------------------------------


def owe_save(at: At, clan: str, unit: str, place: Place, section: str) -> None:
    """A soldier is to be killed; its owner may save it."""
    args = {"unit": unit, "kind": place.kind, "card": place.card, "spots": "+".join(place.spots), "section": section}
    at.owe(clan, Save.name, 1, "GW-SAVE-1", **{key: value for key, value in args.items() if value})


def stands(at: At, task: Task, said: Said = "") -> Place | None:
    """The place of the soldier that a debt is about. If the position leaves it open: where one is found; then the place
    in the report (`said`); then the section that is compared, whose rest zone is all that matters."""
    if place := _place(task):
        return place
    found = [place for place, unit, _ in everywhere(at, task.who) if unit == task.args["unit"]]
    found.sort(key=lambda place: (section_of(at, place) != at.state.section, place.kind == "rest"))
    told = where_of(said) if said else None
    if told is not None and any(means(said, str(task.args["unit"]), place) for place in found):
        found = [place for place in found if means(said, str(task.args["unit"]), place)]
    elsewhere = told if told is not None and section_of(at, told) else None
    return next(iter(found), elsewhere or (rest(at.state.section) if at.state.section else None))


def is_there(at: At, clan: str, unit: str, place: Place) -> bool:
    """True if the position shows the soldier there; a soldier it does not show counts as one in the supply."""
    return any(there == place and one == unit for there, one, _ in everywhere(at, clan))


def _place(task: Task) -> Place | None:
    """The place that a debt names for its soldier, if any."""
    kind, card, section, spots = (str(task.args.get(key, "")) for key in ("kind", "card", "section", "spots"))
    if card:
        return on_card(card, *filter(None, spots.split("+")))
    return Place(kind, section) if kind else None  # type: ignore[arg-type]


def section_of(at: At, place: Place) -> str:
    """The section in which a place lies; that of the Khan for his cards (GW-SAVE-2, GW-GK-9)."""
    if place.kind == "card":
        found = find_horde(at, place.card)
        return found[0] if found else ""
    return (at.state.khan.section or "") if place.kind == "khan" else place.section


def saving(at: At, clan: str, **where: str) -> Figure:
    """The chi that saving a soldier costs (GW-SAVE-1). `where`: its `unit` and `section`, as far as they are known."""
    return at.value("save_soldier.chi", clan, before=at.state.own(clan).saves_this_year, **where)


def too_dear(at: At, clan: str, unit: str, section: str) -> Breach | None:
    """The reason why a player cannot pay for a soldier (GW-SAVE-1)."""
    cost, has = saving(at, clan, unit=unit, section=section), at.state.own(clan).res["chi"]
    facts = {"unit": unit, "has": has, "cost": cost, "why": cost.why}
    return at.breach("GW-SAVE-1.chi", player=clan, **facts) if has < int(cost) else None


class Save(May, frozen=True):
    """Pay chi for a soldier that is to be killed; without a soldier: let it die."""

    owes: ClassVar[dict[str, str] | None] = {"unit": "unit"}
    elsewhere = "GW-SAVE-1"
    role = "choice"
    answers = True
    words = ("saves",)
    repeats = "soldier"
    soldier: Annotated[Said, SoldierName()] = ""
    soldiers: Annotated[tuple[Said, ...], Brings()] = ()
    """Several in one report."""
    pay: Pay = None

    def alone(self) -> Self | None:
        said = self._said()
        return replace(self, soldier=said[0], soldiers=()) if said else self

    def soldier_options(self, at: At) -> list[str] | None:
        units = (str(task.args["unit"]) for task in dying(at, self.by))
        return None if self.soldiers else list(dict.fromkeys(("", *units)))

    def whether(self, at: At) -> Choice | None:
        able = may_be_saved(at, self.by)
        return at.ask("GW-SAVE-1.whom", "soldier", self.by, [*able, NONE], **told(at, self.by)) if able else None

    def acts(self) -> bool:
        return bool(self._said())

    def _said(self) -> tuple[Said, ...]:
        return ((self.soldier,) if self.soldier else ()) + self.soldiers

    def means(self, task: Task) -> bool:
        return not self._said() or means(self._said()[0], str(task.args["unit"]), _place(task))

    def forbidden(self, at: At) -> Iterator[Breach]:
        yield from super().forbidden(at)
        task = self.debt(at)
        if self._said() and task is not None:
            unit, place = str(task.args["unit"]), stands(at, task, self._said()[0])
            if breach := too_dear(at, self.by, unit, section_of(at, place) if place else ""):
                yield breach
            price = saving(at, self.by, unit=unit, section=section_of(at, place) if place else "")
            yield from misclaimed(at, self.pay, Price("GW-SAVE-1", unit, {"chi": price} if price else {}))
            if place is None or place.kind == "several":
                yield at.breach("GW-SAVE-2", player=self.by, unit=unit)

    def apply(self, at: At) -> None:
        said = self._said()
        if (task := self.debt(at)) is not None and (place := stands(at, task, *said[:1])) is not None:
            unit = str(task.args["unit"])
            here = place if _place(task) or is_there(at, self.by, unit, place) else SUPPLY
            (save if said else kill)(at, self.by, unit, place, here)

    def follow_ups(self, at: At) -> Iterator[Move]:
        if later := self._said()[1:]:
            yield Save(by=self.by, soldiers=later)

    @classmethod
    def taken(cls, at: At, task: Task, hand: Hand) -> Move | None:
        """The save said for a soldier; without one it dies. A typed line says whom its owner saves, or that it is nobody,
        as long as it can be paid."""
        clan, said = task.who, hand.of(cls.name, task.who) or []
        if not said and not hand.unsaved and (able := may_be_saved(at, clan)):
            at.leaves_open("GW-SAVE-1.whom", "saves", clan, [*able, NONE], **told(at, clan))
        form = taken(said, str(task.args["unit"]), stands(at, task))
        return cls(by=clan, soldier=form, none=not form)

    @classmethod
    def fell(cls, at: At, who: str, entry: Any) -> bool:
        """True if a list of the saved ends with `none`."""
        return bool(entry == NONE)


def save(at: At, clan: str, unit: str, place: Place, here: Place) -> None:
    """A soldier goes to the rest zone of the section where it stood, for chi (GW-SAVE-1 to -5). `here`: where the
    position shows it."""
    section, p = section_of(at, place), at.state.own(clan)
    cost = saving(at, clan, unit=unit, section=section)
    pay(at, clan, {"chi": cost})
    p.saves_this_year += 1
    if here.kind != "rest":
        move(at, clan, unit, here, rest(section))
    if at.state.step == "winter.2":
        spared = at.state.saved_in_breach.setdefault(clan, {})
        spared[unit] = spared.get(unit, 0) + 1
        at.kept("GW-SAVE-4", "GW-SAVE-5")
    at.note("GW-SAVE-1.saved", player=clan, unit=unit, n=cost, why=cost.why, section=section)
    at.kept("GW-SAVE-2", "GW-SAVE-3")
    at.trigger("save", clan, unit=unit, section=section)


def kill(at: At, clan: str, unit: str, place: Place, here: Place | None = None) -> None:
    """A soldier returns to its owner's supply, clean (GW-DEF-12). `here`: where the position shows it, if elsewhere."""
    section = section_of(at, place)
    if not too_dear(at, clan, unit, section):
        at.note("GW-SAVE-1.left", player=clan, unit=unit, n=saving(at, clan, unit=unit, section=section))
    if here != SUPPLY:
        move(at, clan, unit, place, SUPPLY)
    at.note("GW-DEF-12", player=clan, unit=unit)
    at.trigger("soldier_killed", clan, unit=unit, section=section)


def dying(at: At, clan: str) -> list[Task]:
    """The soldiers of a player that are to be killed now."""
    return [task for task in at.state.agenda if task.move == Save.name and task.who == clan]


def may_be_saved(at: At, clan: str) -> list[str]:
    """The kinds of those that their owner can pay for."""
    able = (task for task in dying(at, clan) if not unpayable(at, task))
    return list(dict.fromkeys(str(task.args["unit"]) for task in able))


def told(at: At, clan: str) -> dict[str, Any]:
    """The facts in the question whom to save."""
    units = [str(task.args["unit"]) for task in dying(at, clan)]
    return {"units": counted(units), "n": saving(at, clan, unit=units[0]), "has": at.state.own(clan).res["chi"]}


def unpayable(at: At, task: Task) -> Breach | None:
    """The reason why the owner of a soldier that is to be killed cannot pay for it."""
    place = stands(at, task)
    return too_dear(at, task.who, str(task.args["unit"]), section_of(at, place) if place else "")


OWED = (Save,)
