"""Laws of a whole game, checked after every event: no piece is lost or gained, no row is too long, no stock is below 0.
And corrections that all players agree on (GW-INFO-8), after which they hold again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import product
from typing import Annotated, Any

from companion.engine.play.domains import Free
from companion.engine.play.faults import PositionError
from companion.engine.table.corrections import corrected
from companion.rules import Breach, Unspoken

from . import decks
from .catalogue import SPEARMAN, At, cat, name_of
from .named import counted
from .reports import TableReport
from .shame import tokens
from .soldiers import covered_cards, everywhere, shooters_on_wall, soldiers_in, spots_of_unit, units_of
from .state import GOODS, SECTIONS


def broken_laws(at: At) -> list[str]:
    """Every law that a position breaks, each as a sentence with the figures."""
    if not at.state.players:
        return []
    return [*_soldiers(at), *_clerks(at), *_commands(at), *_shame(at), *_cards(at), *_limits(at)]


def _soldiers(at: At) -> Iterator[str]:
    """Each soldier is in one place (a soldier on two spots counts once)."""
    for clan, p in at.state.player.items():
        have = Counter(p.supply) + Counter(p.shamed)
        have[SPEARMAN] += sum(level > 0 for level in p.overseers.values())
        for _, unit, n in everywhere(at, clan):
            have[unit] += n
        for unit in units_of(at, clan):
            if have[unit] != (due := cat(at).units[unit].per_clan):
                yield f"{clan} has {counted({unit: have[unit]})}, not {due}"
        for unit, n in have.items():
            if n and unit not in units_of(at, clan):
                yield f"{clan} has {counted({unit: n})}, and none in the box"


def _clerks(at: At) -> Iterator[str]:
    due = int(at["clerks.start"]) + int(at["clerks.embassy"])
    for clan, p in at.state.player.items():
        placed = sum(clerks.get(clan, 0) for clerks in at.state.locations.values())
        if (have := p.clerks.supply + p.clerks.embassy + placed) != due:
            yield f"{clan} has {have} clerks, not {due}"


def _commands(at: At) -> Iterator[str]:
    s = at.state
    for clan, p in s.player.items():
        shown = [s.revealed[clan]] if clan in s.revealed else []
        track = [card.card for card in s.command_track.values() if card.player == clan]
        if sorted([*p.hand, *p.discard, *track, *shown]) != sorted(cat(at).commands):
            yield f"{clan} has {', '.join(sorted([*p.hand, *p.discard, *track, *shown]))} as command cards"


def _shame(at: At) -> Iterator[str]:
    s = at.state
    have, due = s.shame_pool + sum(tokens(at, clan) for clan in s.players), at["shame.pool_per_player"] * len(s.players)
    if have != due:
        yield f"there are {have} shame tokens, {s.shame_pool} of them in the pool, not {due}"


def _cards(at: At) -> Iterator[str]:
    """Every numbered card lies in one place, and the decks hold the rest; not in the middle of a defeat, where a card is
    claimed before it leaves its row."""
    if at.state.agenda:
        return
    for set_name in decks.OPEN:
        for card, n in Counter(card for card, _ in decks.lying(at, set_name)).items():
            if n > 1:
                yield f"{name_of(at, set_name, card)} ({card}) lies in {n} places"
    for name, deck in decks.DECKS.items():
        there = len(decks.in_play(at, deck.set))
        held = sum(p.tactics for p in at.state.player.values()) if name == "tactic" else 0
        known = sum(card != "khan" for card, _ in decks.lying(at, deck.set))
        if there and deck.left(at.state) + known + held != there:
            yield f"the {name} deck has {deck.left(at.state)} cards and {known + held} lie elsewhere; there are {there}"


Limit = tuple[str, int, int]
"""The thing counted, its number, and the most there can be."""


def _limits(at: At) -> Iterator[str]:
    """No row is too long. (What one field can hold stands in `state.py`.)"""
    for what, n, most in (*_at_the_wall(at), *_in_town(at)):
        if n > most:
            yield f"there are {n} {what}, and there can be {most} at most"
    if sorted(at.state.tea) != sorted(at.state.players):
        yield f"the tea pile is {', '.join(at.state.tea)}"


def _at_the_wall(at: At) -> Iterator[Limit]:
    for covered in covered_cards(at):
        for soldier in soldiers_in(covered):
            yield f"spots under {soldier.name}", len(soldier.spots), spots_of_unit(at, soldier.unit)
    for tower, clans in at.state.towers.items():
        yield f"soldiers of a clan in {tower}", max(Counter(clans).values(), default=0), at["tower.per_player"]
    for clan, section in product(at.seats, SECTIONS):
        shooters = shooters_on_wall(at, clan, section)
        yield f"shooters of {clan} on the wall of {section}", shooters, at["wall.shooters_per_player"]


def _in_town(at: At) -> Iterator[Limit]:
    s = at.state
    for location, clerks in s.locations.items():
        slots = cat(at).locations[location].slots[s.side]
        yield f"clerks in the {name_of(at, 'location', location)}", sum(clerks.values()), slots
    for kind in GOODS:
        yield f"{kind} in the Warehouse", s.warehouse[kind], at["warehouse_capacity"][s.side][kind]


class Correct(TableReport, frozen=True):
    """Set a field of the position to what the table shows."""

    field: Annotated[str, Free()] = ""
    value: Annotated[Any, Unspoken()] = None
    reason: Annotated[str, Free()] = ""

    @property
    def path(self) -> str:
        """The field; `game` may stand before it, as in positions."""
        return self.field.removeprefix("game.")

    def forbidden(self, at: At) -> Iterator[Breach]:
        if not self.field:
            yield at.breach("GW-INFO-8.field")
            return
        here = at.copy()
        try:
            here.state = corrected(at.rules, at.state, self.path, self.value)
        except PositionError as error:
            yield at.breach("GW-INFO-8.cannot", field=self.field, why=str(error))
            return
        if not broken_laws(at) and (broken := broken_laws(here)):
            yield at.breach("GW-INFO-8.recount", why=broken)

    def apply(self, at: At) -> None:
        at.state = corrected(at.rules, at.state, self.path, self.value)
        at.note("GW-INFO-8.corrected", field=self.field, value=str(self.value), reason=self.reason or "no reason given")


ANYTIME = (Correct,)
