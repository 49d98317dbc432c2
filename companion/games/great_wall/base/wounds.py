"""Wounds: where they may be placed, and those that a card or a unit lets a player place (rules GW-GRID-9, GW-FIRE-5)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Annotated, Any, ClassVar

from companion.engine.play.pending import owing
from companion.rules import Breach, OneOf, Source, Task

from . import targets
from .catalogue import At, cat, name_of
from .icons import STEP
from .named import NONE, HordeOrNone
from .reports import Report
from .soldiers import behind, find_horde, free_spots, has_shot, horde_at, is_shooter, share_edge, shooters_on_wall
from .state import SECTIONS, WOUND
from .year import is_open

FIRST_SHOTS = "winter.1"

OWN: dict[str, Callable[[At, str, str], Any]] = {"own_shooter": shooters_on_wall, "own_rest_or_wall": behind}
"""The need in a section of the player's own choice -> the test for it."""

# --- where they may go ----------------------------------------------------------------------------------------------


def woundable(at: At, clan: str, where: Mapping[str, Any]) -> dict[str, list[str]]:
    """Card -> free spots where a wound may be placed, by what an effect says: `section` (one or several) and `kind`, `rows`, `card`, or
    `beside` spots of it. `by`: who wounds, where that may be forbidden."""
    if where.get("card"):
        found = find_horde(at, where["card"])
        free = free_spots(at, found[2]) if found else []
        beside = str(where.get("beside", "")).split()
        spots = [spot for spot in free if not beside or any(share_edge(spot, own) for own in beside)]
        return {where["card"]: spots} if spots else {}
    rows, found_spots = where.get("rows", "any"), {}
    for section in sections_of(at, clan, where):
        for row, horde in enumerate(at.state.hordes[section], 1):
            if where.get("by") and at.allowed(at.forbids("wound", clan, by=where["by"], row=row, section=section)):
                continue
            if (rows == "any" or str(row) in str(rows).split()) and (free := free_spots(at, horde)):
                found_spots[horde.card] = free
    return found_spots


def sections_of(at: At, clan: str, where: Mapping[str, Any]) -> list[str]:
    if here := OWN.get(str(where.get("kind"))):
        return [section for section in SECTIONS if here(at, clan, section)]
    return [section for section in SECTIONS if section in (where.get("section") or SECTIONS)]


# --- what cards give ------------------------------------------------------------------------------------------------


def wound(at: At, who: str, args: dict[str, Any], source: Source) -> None:
    """Wounds are owed, one by one, as long as there is a free spot for them (GW-FIRE-5)."""
    where = {"section": source.about.get("section") or source.where or "", "kind": args["section"]}
    if is_shooter(at, source.about.get("unit", "")):
        where["by"] = "shooter"
    owe_wounds(at, who, args["n"], source, rows=said_rows(args), **where)


def said_rows(args: Mapping[str, Any]) -> str:
    """The rows of an effect as a debt keeps them."""
    rows = args.get("rows", "any")
    return "any" if rows == "any" else " ".join(map(str, rows))


def wound_beside(at: At, who: str, args: dict[str, Any], source: Source) -> None:
    """The flamethrower: a free spot that shares an edge with its own."""
    spots = " ".join(source.about.get("spots", ()))
    owe_wounds(at, who, args["n"], source, card=source.about.get("card", ""), beside=spots)


def owe_wounds(at: At, who: str, n: int, source: Source, **where: str) -> None:
    """Let a player place so many wounds at once, as far as there is room."""
    free = sum(len(spots) for spots in woundable(at, who, where).values())
    if free:
        at.owe(who, "wound", min(n, free), rule="GW-GRID-9", effect=source.piece.id, **where)


class Wound(Report, frozen=True):
    """Place a wound that a card or a unit gives, on a free vital spot; `none` leaves it."""

    owes: ClassVar[dict[str, str] | None] = {}
    elsewhere = "GW-GRID-9"
    role = "choice"
    entry = "spot"
    card: Annotated[str, HordeOrNone("horde")] = ""
    spot: Annotated[str, OneOf(*targets.CELLS)] = ""

    def task(self, at: At) -> Task | None:
        """The debt it settles; before the shots of a Winter of which nobody said how far it has got, that of a card
        which then wounds (GW-FIRE-7)."""
        s = at.state
        if (task := self.debt(at)) is not None or not self.by or s.agenda:
            return task
        if s.step != FIRST_SHOTS or has_shot(s) or not is_open(at, "done") or "wound" in s.allowed.get(self.by, {}):
            return None
        here = at.copy()
        here.trigger("firing_start", self.by)
        return owing(here, Wound, self.by)

    def by_options(self, at: At) -> list[str]:
        return [task.who] if (task := self.task(at)) else []

    def _able(self, at: At) -> dict[str, list[str]]:
        """The cards and spots where it may go."""
        task = self.task(at)
        return woundable(at, self.by, task.args) if task else {}

    def card_options(self, at: At) -> list[str]:
        found = self._able(at)
        return [card for card, spots in found.items() if self.spot in ("", *spots)] if found else [NONE]

    def spot_options(self, at: At) -> list[str] | None:
        return self._able(at).get(self.card, []) if self.card != NONE else None

    def forbidden(self, at: At) -> Iterator[Breach]:
        able, task = self._able(at), self.task(at)
        facts = {"card": name_of(at, "horde", self.card), "able": [name_of(at, "horde", one) for one in able]}
        if task is None:
            yield at.breach("GW-FIRE-2.wound", player=self.by)
        elif self.card not in ("", NONE, *able):
            cause = "GW-BP-16.elsewhere" if task.args.get("beside") else "GW-GRID-9.elsewhere"
            yield at.breach(cause, *giver_rule(at, task), **facts)
        elif (
            self.spot
            and self.card != NONE
            and not any(self.spot in able[one] for one in able if self.card in ("", one))
        ):
            yield from self._bad_spot(at, task, able)

    def _bad_spot(self, at: At, task: Task, able: dict[str, list[str]]) -> Iterator[Breach]:
        """The spot is covered or off the grid, or not where the wound may go."""
        card, beside = self.card or next(iter(able), ""), str(task.args.get("beside", "")).split()
        found, free = find_horde(at, card), able.get(card, [])
        facts = {"card": name_of(at, "horde", card), "spot": self.spot, "free": free, "n": len(free)}
        if beside and found and self.spot in free_spots(at, found[2]):
            yield at.breach("GW-BP-16.beside", own=beside, **facts)
        elif not self.card and len(able) > 1:
            yield at.breach("GW-GRID-9.nowhere", spot=self.spot, able=[name_of(at, "horde", one) for one in able])
        else:
            yield at.breach("GW-GRID-9.covered", "GW-FIRE-5", **facts)

    def settles(self) -> int:
        return 1_000 if self.card == NONE else 1

    def apply(self, at: At) -> None:
        if not at.state.agenda and (task := self.task(at)) is not None:
            at.state.allowed.setdefault(self.by, {})["wound"] = 0
            at.owe(self.by, self.name, task.n, task.rule, **task.args)
        if self.card == NONE:
            at.note("GW-GEN-4.passed", player=self.by)
            return
        if (task := self.debt(at)) is not None and task.args.get("kind") in OWN:
            task.args = {**task.args, "kind": "", "section": horde_at(at, self.card)[0]}  # the others go there too
        place_wound(at, self.by, self.card, self.spot)


def giver_rule(at: At, task: Task) -> list[str]:
    """The rule of the card or unit that gives a wound."""
    givers = (pieces.get(str(task.args.get("effect", ""))) for pieces in cat(at).pieces.values())
    return [piece.rule for piece in givers if piece and piece.rule][:1]


def place_wound(at: At, clan: str, card: str, spot: str) -> None:
    """Put a wound on a vital spot of a horde card on the board."""
    section, _, horde = horde_at(at, card)
    horde.spots[spot] = WOUND
    at.note("GW-GRID-9.wound", player=clan, card=name_of(at, "horde", card), spot=spot, section=section)


OPS = {"wound": wound, "wound_beside": wound_beside}
MOVES = dict.fromkeys((STEP, "winter.1.start", "winter.1.shots", "summer.6"), (Wound,))
