"""Saving a soldier at the last moment (rules GW-SAVE, GW-DEF-12).

A soldier that is to be killed stays where it stands until its owner has had the chance to save it (a debt of the move
`save`); silence lets it die.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated, Any

from companion.engine.play.moves import Breach, Move
from companion.engine.play.pending import Task
from companion.engine.things.figures import Figure

from .catalogue import At
from .named import Said, SoldierName, unit_of, where_of
from .reports import Report
from .soldiers import (
    Place,
    everywhere,
    find_horde,
    on_card,
    put_at,
    rest,
    take_from,
)
from .supplies import pay


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
    before = at.state.own(clan).saves_this_year
    return at.value("save_soldier.chi", clan, unit=unit, section=section, before=before)


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


def answer_save(at: At, task: Task, bundle: Any) -> Move | None:
    """The save that a report bundled for a soldier; without one it dies."""
    return Save(by=task.who, soldier=matching(bundle.saves.get(task.who, []), task) or "")
