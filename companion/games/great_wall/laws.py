"""What holds after every event of a whole game: no piece is lost or gained, no row is too long, no stock is below 0."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from . import decks
from .catalogue import At, cat, name_of
from .shame import tokens
from .soldiers import everywhere, khan_cards, shooters_on_wall, soldiers_in, spots_of_unit, units_of
from .state import GOODS, SECTIONS


def broken_laws(at: At) -> list[str]:
    """Every law that a position breaks, each as a sentence with the figures."""
    if not at.state.players:
        return []
    return [*_soldiers(at), *_clerks(at), *_commands(at), *_shame(at), *_cards(at), *_board(at), *_stocks(at)]


def _soldiers(at: At) -> Iterator[str]:
    """Each soldier is in one place (a soldier on two spots counts once)."""
    for clan, p in at.state.player.items():
        have = Counter(p.supply) + Counter(p.shamed)
        have[cat(at).tower_unit] += sum(level > 0 for level in p.overseers.values())
        for _, unit, n in everywhere(at, clan):
            have[unit] += n
        for unit in units_of(at, clan):
            if have[unit] != (due := cat(at).units[unit].copies):
                yield f"{clan} has {have[unit]} {unit}, not {due}"
        for unit, n in have.items():
            if n and unit not in units_of(at, clan):
                yield f"{clan} has {n} {unit}, and none in the box"
        for unit in (*p.supply, *p.shamed):
            if p.supply.get(unit, 0) < 0 or p.shamed.get(unit, 0) < 0:
                yield f"{clan} has less than no {unit} in the supply"


def _clerks(at: At) -> Iterator[str]:
    due = int(at["clerks.start"]) + int(at["clerks.embassy"])
    for clan, p in at.state.player.items():
        placed = sum(clerks.get(clan, 0) for clerks in at.state.locations.values())
        if (have := p.clerks.supply + p.clerks.embassy + placed) != due:
            yield f"{clan} has {have} clerks, not {due}"
        if p.clerks.supply < 0 or p.clerks.embassy < 0:
            yield f"{clan} has less than no clerks in the supply or on the Embassy"


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
    if have != due or s.shame_pool < 0:
        yield f"there are {have} shame tokens, {s.shame_pool} of them in the pool, not {due}"


def _cards(at: At) -> Iterator[str]:
    """Every numbered card lies in one place, and the decks hold the rest; not in the middle of a defeat, where a card is
    claimed before it leaves its row."""
    if at.state.agenda:
        return
    for set_name, lie in decks.OPEN.items():
        lying = Counter(card for zone in lie(at.state) for card in zone.known)
        if set_name == "horde":
            del lying["khan"]
        for card, n in lying.items():
            if n > 1:
                yield f"{name_of(at, set_name, card)} ({card}) lies in {n} places"
    for name, deck in decks.DECKS.items():
        there = len(decks.in_play(at, deck.set))
        lying = Counter(card for zone in deck.lie(at.state) for card in zone.known if card != "khan")
        held = sum(p.tactics for p in at.state.player.values()) if name == "tactic" else 0
        known = sum(lying.values()) - (_just_played(at) if name == "tactic" else 0)
        if there and deck.left(at.state) + known + held != there:
            yield f"the {name} deck has {deck.left(at.state)} cards and {known + held} lie elsewhere; there are {there}"


def _just_played(at: At) -> int:
    """Tactics that a zone names beside the discard pile."""
    played = [card for cards in at.state.played_this_unit.values() for card in cards]
    return sum(card not in at.state.tactic_discard for card in played)


def _board(at: At) -> Iterator[str]:
    s = at.state
    for location, clerks in s.locations.items():
        if sum(clerks.values()) > (slots := cat(at).locations[location].slots[s.side]):
            yield f"{sum(clerks.values())} clerks are in the {name_of(at, 'location', location)}, which has {slots} slots"
    for section in SECTIONS:
        if len(s.hordes[section]) > at["grid.rows"]:
            yield f"{len(s.hordes[section])} horde cards are before {section}"
        if not 0 <= s.barricades[section] <= at["barricade.max_per_section"]:
            yield f"{s.barricades[section]} barricades are at {section}"
        if not 0 <= s.walls[section] <= at["wall.max_level"]:
            yield f"the wall of {section} is at level {s.walls[section]}"
        machines = s.machines[section]
        if len(machines) > at["machine.max_per_section"] or len(set(machines)) < len(machines):
            yield f"{', '.join(machines)} stand at {section}"
        for clan in s.players:
            if (n := shooters_on_wall(at, clan, section)) > at["wall.shooters_per_player"]:
                yield f"{clan} has {n} shooters on the wall of {section}"
    for covered in (*(horde for cards in s.hordes.values() for horde in cards), *khan_cards(at)):
        for soldier in soldiers_in(covered.spots):
            if len(soldier.spots) > spots_of_unit(at, soldier.unit):
                yield f"{soldier.name} stands on {', '.join(soldier.spots)}"
    for tower, clans in s.towers.items():
        if len(clans) > at["tower.capacity"] or max(Counter(clans).values(), default=0) > at["tower.per_player"]:
            yield f"{', '.join(clans)} stand in {tower}"


def _stocks(at: At) -> Iterator[str]:
    s = at.state
    for kind in GOODS:
        if not 0 <= s.warehouse[kind] <= at["warehouse_capacity"][s.side][kind]:
            yield f"the Warehouse has {s.warehouse[kind]} {kind}"
    for clan, p in s.player.items():
        for kind, n in p.res.items():
            if n < 0:
                yield f"{clan} has {n} {kind}"
        if p.tactics < 0:
            yield f"{clan} has {p.tactics} tactics"
        if len(p.active) > at["advisor.active_max"] or len(p.support) > at["advisor.support_max"]:
            yield f"{clan} has {len(p.active)} active and {len(p.support)} supportive advisors"
    if sorted(s.tea) != sorted(s.players):
        yield f"the tea pile is {', '.join(s.tea)}"
