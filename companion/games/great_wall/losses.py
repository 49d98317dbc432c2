"""Soldiers that are lost on a card: how many, and who chooses them (rules GW-DEF-9, GW-ASLT-10)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import combinations
from typing import Annotated, Any, ClassVar, NamedTuple

from companion.engine.play.moves import Breach, Move, PieceName
from companion.engine.play.pending import Task
from companion.engine.things.figures import Figure

from .catalogue import At, cat, name_of
from .named import Said, SoldierName, Standing, counted, pick, standing, unit_of, where_of
from .reports import Report
from .saving import kill, owe_save, save, too_dear
from .soldiers import (
    find_horde,
)
from .state import HordeCard
from .year import in_tea_order


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
        return {"n": found.due if found else 0, "horde": card_name(at, self._card(at))}

    def _card(self, at: At) -> str:
        """The card that was said, or the one that kills now."""
        if self.card:
            return self.card
        if (task := self.debt(at)) is not None:
            return str(task.args["card"])
        return next((place.card for form in self.soldiers or () if (place := where_of(form))), "")

    def _toll(self, at: At) -> Toll | None:
        card = self._card(at)
        return toll(at, self.by, card) if self.by and card else None

    def forbidden(self, at: At) -> Iterator[Breach]:
        if not self.by:
            return
        found, task = self._toll(at), self.debt(at)
        card = name_of(at, "horde", self._card(at))
        if task is None and at.state.agenda:
            yield at.breach("GW-DEF-9.none", player=self.by)
        elif task is not None and (first := _first(at)) != self.by:
            yield at.breach("GW-DEF-9.turn", player=self.by, first=first)
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
        if found is None:
            raise KeyError(self.by)
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


def card_name(at: At, card: str) -> str:
    """A card as a question names it."""
    return name_of(at, "horde", card) if card not in TOLLS else "the Khan's cards"


def _first(at: At) -> str:
    """Who chooses losses next."""
    return next(task.who for task in at.state.agenda if task.move == ChooseLosses.name)


def choices(found: Toll) -> list[tuple[Said, ...]]:
    """Every way to choose who dies. In a defeat the spots do not matter, because the card leaves."""
    breach = found.rule != "GW-DEF-9"
    forms = [one.name if breach else one.unit for one in found.soldiers]
    return list(dict.fromkeys(tuple(sorted(some)) for some in combinations(forms, found.due)))


def answer_losses(at: At, task: Task, bundle: Any) -> Move | None:
    """The losses that a report bundled for a card; those with one possible choice go without saying."""
    card, left = str(task.args["card"]), bundle.losses.get(task.who, [])
    found = toll(at, task.who, card)
    assert found is not None
    chosen = [form for form in left if at_card(form, card)][: found.due]
    for form in chosen:
        left.remove(form)
    if not left and not chosen:  # who is saved would have died
        saved_here = [form for form in bundle.saves.get(task.who, []) if pick(found.soldiers, [form])]
        chosen = saved_here if len(saved_here) == found.due else []
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
