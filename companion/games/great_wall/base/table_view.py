"""The table as text: the wall with its hordes, the players, the town, and what is awaited; and the legal moves in few
lines.

Goods behind the screens are counted, but shown to their owner only (`private`, GW-INFO-1).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from companion.engine.language import notation
from companion.engine.play.moves import maker
from companion.engine.play.phases import current
from companion.rules import Columns, Grid, Lines, Move, View, grid, lines
from components.phrasing import count

from .assault import compare
from .awaiting import awaited
from .brought import in_play
from .catalogue import At, cat, name_of
from .soldiers import free_spots, soldiers_on
from .state import RESOURCES, SECTIONS, WOUND, HordeCard, KhanCard, Skill, Units
from .year import ENDED

NOBODY = "-"


def heading(at: At) -> str:
    """Year and step, and which card and location resolve."""
    s = at.state
    if s.scored:
        return "the game is over"
    phase = current(at)
    words = [phase.title if phase else s.step]
    if s.season not in ("setup", ENDED):
        words.insert(0, f"year {s.year}")
    if s.active:
        words.append(f"{s.active} resolves {name_of(at, 'command', s.active_card or '') or 'a card'}")
    if s.resolving:
        words.append(name_of(at, "location", s.resolving))
    return ", ".join(words)


def letter(unit: str) -> str:
    """A kind of soldier in one letter, as the chits show it."""
    return unit[:1].upper()


def units_line(units: Units | Mapping[str, int]) -> str:
    """`2S 1A`."""
    return " ".join(f"{n}{letter(unit)}" for unit, n in units.items() if n) or NOBODY


# --- the wall -----------------------------------------------------------------------------------------------------


def wall(at: At) -> list[str]:
    """The sections, each with defence and offence as they would be compared now, and its hordes row by row."""
    found = []
    for section in SECTIONS:
        s, now = at.state, compare(at, section)
        parts = [f"{section}: wall {s.walls[section]}, {count(s.barricades[section], 'barricade')}: {now.defence}"]
        parts[0] += f" against {now.offence}" + (" (breached)" if s.breached[section] else "")
        for what in ("rest", "wall"):
            there = {clan: getattr(p, what)[section] for clan, p in s.player.items()}
            said = ", ".join(f"{clan} {units_line(units)}" for clan, units in there.items() if any(units.values()))
            parts += [f"{what} {said}"] if said else []
        parts += [part for module in in_play(at) for part in module.at_section(at, section)]
        found.append("; ".join(parts))
        found += [f"   {row} {horde_line(at, horde)}" for row, horde in enumerate(s.hordes[section], 1)]
    return found


def wall_in_short(at: At) -> list[str]:
    """A line for each section: what it has, who stands there, its hordes with what they lack."""
    found = []
    for section in SECTIONS:
        s, now = at.state, compare(at, section)
        there = {clan: sum(sum(side[section].values()) for side in (p.rest, p.wall)) for clan, p in s.player.items()}
        stand = " ".join(f"{clan} {n}" for clan, n in there.items() if n)
        hordes = " ".join(f"{horde.card} ({len(free_spots(at, horde))} free)" for horde in s.hordes[section])
        breached = ", breached" if s.breached[section] else ""
        parts = [f"{section}: wall {s.walls[section]}, {now.defence} against {now.offence}{breached}", hordes, stand]
        parts += [part for module in in_play(at) for part in module.at_section(at, section)]
        found.append("; ".join(filter(None, parts)))
    return found


def horde_line(at: At, horde: HordeCard) -> str:
    """`H16 Copper Ring Bowmen (power 2, kills 1): a1 plum S, b1 wound; free c1 b2`."""
    card = cat(at).hordes[horde.card]
    keyword = f", {card.keyword}" if card.keyword != "none" else ""
    return f"{card.id} {card.name} ({card.power}, kills {card.lethality}{keyword}): {spots_line(at, horde)}"


def spots_line(at: At, covered: HordeCard | Skill | KhanCard) -> str:
    """The vital spots of a card in a line: the soldiers on them, and the free ones."""
    there = [
        f"{'+'.join(one.spots)} {clan} {letter(one.unit)}" for clan, own in soldiers_on(covered).items() for one in own
    ]
    wounds = [spot for spot, value in covered.spots.items() if value == WOUND]
    there += [f"wounds {' '.join(sorted(wounds))}"] if wounds else []
    free = free_spots(at, covered)
    return "; ".join([*there, f"free {' '.join(free)}" if free else "all covered"])


# --- players ------------------------------------------------------------------------------------------------------


def _cards(cards: Iterable[str]) -> str:
    """Command cards by their numbers: `1 2 6`."""
    return "".join(sorted(card[1:] for card in cards)) or NOBODY


PLAYERS: Columns = {
    "honor": "player.*.honor",
    "tea": lambda at, clan: at.state.tea.index(clan) + 1,
    "clerks": lambda at, clan: f"{at.state.player[clan].clerks.supply}+{at.state.player[clan].clerks.embassy}",
    "hand": lambda at, clan: _cards(at.state.player[clan].hand),
    "pile": lambda at, clan: _cards(at.state.player[clan].discard),
    "tactic": "player.*.tactics",
    "supply": lambda at, clan: units_line(at.state.player[clan].supply),
    "shamed": lambda at, clan: units_line(at.state.player[clan].shamed),
    "over": lambda at, clan: "/".join(str(n) for n in at.state.player[clan].overseers.values()),
    "claim": lambda at, clan: _claimed(at, clan),
}

AT_LENGTH = ("shamed", "over")
"""Columns that a small terminal has no room for."""


def _claimed(at: At, clan: str) -> str:
    cards = at.state.player[clan].claimed
    shamed = sum(one.shame for one in cards)
    return f"{len(cards)}" + (f" ({shamed} shamed)" if shamed else "") if cards else NOBODY


def leaders(at: At) -> str:
    """Generals and advisors of everybody, supportive ones in brackets."""
    said = []
    for clan, p in at.state.player.items():
        support = f" ({' '.join(p.support)})" if p.support else ""
        if p.general or p.active or p.support:
            said.append(f"{clan} {' '.join([p.general or NOBODY, *p.active])}{support}")
    return f"Generals and advisors: {', '.join(said)}" if said else ""


def private(at: At, seat: str) -> list[Grid | Lines]:
    """The lines that only a player may see: the goods behind the screen (GW-INFO-1)."""
    res = at.state.player[seat].res
    return [lines(f"Behind the screen of {seat}: {', '.join(f'{res[kind]} {kind}' for kind in RESOURCES)}")]


# --- town and decks -----------------------------------------------------------------------------------------------


def town(at: At) -> list[str]:
    """Clerks in locations, the command track, the advisor track, stores and decks."""
    s = at.state
    clerks = []
    for location, there in s.locations.items():
        if any(there.values()):
            site = cat(at).locations[location]
            who = ", ".join(clan if n == 1 else f"{clan} {n}" for clan, n in there.items() if n)
            clerks.append(f"{site.name} {sum(there.values())}/{site.slots[s.side]} ({who})")
    track = [
        f"{spot} {card.player} {card.card}{' done' if card.resolved else ''}"
        for spot, card in sorted(s.command_track.items())
    ]
    stores = ", ".join(f"{n} {kind}" for kind, n in s.warehouse.items() if n)
    top = f" (top {s.horde_deck.top_mark})" if s.horde_deck.top_mark else ""
    return [
        f"Clerks: {'; '.join(clerks)}" if clerks else "",
        f"Command track: {', '.join(track)}" if track else "",
        f"Advisors: {' '.join(s.advisor_track)}" if s.advisor_track else "",
        f"Artifacts: {', '.join(name_of(at, 'artifact', card) for card in s.artifacts)}" if s.artifacts else "",
        f"Shame pool {s.shame_pool}; Warehouse {stores or 'empty'}; decks: {s.horde_deck.count} hordes{top}, "
        f"{s.advisor_deck_count} advisors, {s.tactic_deck_count} tactics",
    ]


def table(at: At) -> View:
    """The whole table."""
    s = at.state
    if not s.players:
        return View("nobody is seated yet", next=awaited(at))
    modules = [module.line(at) for module in in_play(at)]
    acting = at.rules.to_move(s)
    players = grid(at, s.players, PLAYERS, *(acting if len(acting) < len(s.players) else ()))
    walls, led, there = lines(*wall(at)), lines(leaders(at)), town(at)
    rows = {title: cell for title, cell in PLAYERS.items() if title not in AT_LENGTH}
    brief = (lines(*wall_in_short(at)), grid(at, s.players, rows, *players.marked), lines(*there[:2]))
    told: dict[str, Grid | Lines] = {"wall": walls, "players": players, "town": lines(*there), "cards": led}
    told["modules"] = lines(*modules)
    parts = {name: (part,) for name, part in told.items() if part.lines()}
    return View(heading(at), (walls, players, lines(*led.text, *there, *modules)), awaited(at), brief, parts)


KEY = {"recruit": "unit", "build": "what", "attack": "unit", "march": "unit", "man": "unit", "play_tactic": "card"}
"""Kind of move -> the field that tells its ways apart."""
MOST = 3
"""So many moves of a kind are listed one by one."""


def overview(at: At, legal: Sequence[Move]) -> list[str]:
    """The legal moves of the position; what is possible at any time comes last."""
    always = [move for move in legal if type(move) in at.rules.anytime]
    groups: dict[tuple[Any, ...], list[Move]] = {}
    for move in legal:
        if move not in always:
            who = maker(move)
            groups.setdefault((move.name, who, getattr(move, KEY.get(move.name, ""), "")), []).append(move)
    lines = []
    for moves in groups.values():
        written = [notation.write(move, at) for move in moves]
        lines += written if len(moves) <= MOST else [f"{written[0]} ({count(len(moves) - 1, 'other way')})"]
    if always:
        lines.append(f"at any time: {'; '.join(notation.write(move, at) for move in always)}")
    return lines
