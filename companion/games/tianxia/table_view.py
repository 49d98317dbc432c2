"""The table as text: players, wall, regions, harbour and barges, and what is awaited."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from companion.rules import Columns, Grid, Lines, View, grid, lines
from components.phrasing import count, join_and, plural

from .battle import due
from .catalogue import At, cat, name_of
from .preparation import open_places
from .rounds import tiles_due
from .scoring import over, to_show


def heading(at: At) -> str:
    s = at.state
    if over(s):
        return "over: all objective cards are shown"
    phase = at.now
    if s.phase in ("prepare", "end"):
        return phase
    return f"round {s.round}, {phase}" + (f", {s.active} to act" if s.active else "")


LAID = {"turn_order": "the turn order", "bonus": "bonus tiles", "demand": "the demands", "ships": "the ships"}


def awaited(at: At) -> str:
    """The next thing to happen, in one sentence."""
    s = at.state
    if s.phase == "prepare":
        lacking = open_places(at)
        example = {
            "turn_order": f"prepare order {' '.join(s.players)}",
            "bonus": f"prepare bonus {(lacking['bonus'] or [''])[0]} purse",
            "demand": f"prepare demand {(lacking['demand'] or [''])[0]} salt",
            "ships": f"prepare ships {(lacking['ships'] or [''])[0]} heron",
        }
        still = [field for field, places in lacking.items() if places] or ["turn_order"]
        return f"lay out {join_and(LAID[field] for field in still)} (type: {example[still[0]]})"
    if s.phase == "setup":
        missing = [] if s.tiles_laid else [f"{count(tiles_due(at), 'bonus tile')} (type: tiles)"]
        missing += [] if s.attack_card else [f"the attack card of round {s.round} (type: card)"]
        return join_and(missing)
    if s.phase == "income":
        return "everybody takes income (type: income)"
    if s.phase == "action":
        return f"{s.active or 'anybody who has not passed'} takes a turn (region, fortify or train, barge, pass)"
    if lanes := due(at):
        return f"the battle of {name_of(at, 'lane', lanes[0])} (type: battle {lanes[0]})"
    if s.phase == "attack" and s.round < at["rounds"]:
        return "clean-up with the ships that come up (type: cleanup)"
    if waiting := to_show(at):
        shows = plural(len(waiting), "shows", "show")
        return f"{join_and(waiting)} {shows} what objective cards score (type: {waiting[0]} shows)"
    return "nothing: the game is over"


PLAYERS: Columns = {
    "points": "player.*.vp",
    **{kind: f"player.*.{kind}" for kind in ("coin", "rice", "wood", "stone", "salt", "silk", "lacquer")},
    "cards": "player.*.objectives",
}
PIECES: Columns = {
    "workers": "player.*.workers",
    "markers": "player.*.markers",
    "knots": "player.*.ship_markers",
    "crates": "player.*.crates",
    "tracks": lambda at, who: _initials(at.state.player[who].tracks),
    "merchants": lambda at, who: _initials(at.state.player[who].merchants),
}
OWNED: Columns = {"owns": lambda at, who: _owned(at, who) or "-"}


def _initials(figures: Mapping[str, int]) -> str:
    """`c3 i0 g1 j2`: the steps on the crimson, indigo, gold and jade track."""
    return " ".join(f"{name[0]}{n}" for name, n in figures.items())


def _owned(at: At, who: str) -> str:
    p = at.state.player[who]
    used = [f"({p.used_tiles} used)"] if p.used_tiles else []
    return join_and(filter(None, [" ".join([*p.tiles, *used]), " ".join(p.figurines)]))


def _row(row: Iterable[str | None]) -> str:
    return " ".join(owner or "_" for owner in row) or "-"


def wall(at: At) -> Grid:
    """The sections and their nomads."""
    columns: Columns = {
        "march": lambda at, lane: f"{at.state.nomads[lane].march}/{at['nomad.march.top']}",
        "strength": "nomads.*.strength",
        "defence": "sections.*.defence",
        "walls": lambda at, lane: _row(at.state.sections[lane].walls),
        "towers": lambda at, lane: _row(at.state.sections[lane].towers),
        "soldiers": lambda at, lane: _row(at.state.sections[lane].soldiers),
    }
    return grid(at, cat(at).lanes, columns, *due(at))


def land(at: At) -> list[str]:
    """Regions with their markers and buildings; the two military spaces."""
    found = []
    for id, region in cat(at).regions.items():
        sites = []
        for building in region.buildings:
            site = at.state.buildings[building]
            tokens = f" +{site.cost_tokens}" if site.cost_tokens else ""
            bonus = f" [{site.bonus}]" if site.bonus else ""
            sites.append(f"{name_of(at, 'building', building)}{tokens}: {_row(site.governors)}{bonus}")
        discs = " ".join(at.state.regions[id].discs)
        found.append(f"  {region.name} ({region.banner}) <{discs}>; {'; '.join(sites)}")
    military = ", ".join(f"{space} <{' '.join(one.discs)}>" for space, one in at.state.military.items())
    return ["Regions, with markers, governors and [bonus tiles]", *found, f"Military: {military}"]


def water(at: At) -> list[str]:
    """Harbour and barges."""
    found = []
    for place, port in at.state.ports.items():
        wants = f" wants {port.demand}" if port.demand else ""
        ship = cat(at).ships[port.ship].name if port.ship else "no ship"
        crates = ", ".join(f"{n} {owner}" for n, owner in sorted(port.crates.items()))
        knots = f"; knots {' '.join(port.markers)}" if port.markers else ""
        found.append(f"{name_of(at, 'place', place)}{wants}: {ship}" + (f", crates {crates}" if crates else "") + knots)
    barges = ", ".join(f"{barge} {_row(row)}" for barge, row in at.state.barges.items())
    return [
        f"Harbour: {'; '.join(found)}",
        f"Barges: {barges}; {count(at.state.neutral_workers, 'neutral worker')} left",
    ]


def _taken(at: At) -> str:
    """The spaces of the regions and the military spaces that have markers."""
    s = at.state
    there = {cat(at).regions[id].name: region.discs for id, region in s.regions.items()}
    there |= {space.capitalize(): one.discs for space, one in s.military.items()}
    return "Markers: " + (join_and(f"{where} {' '.join(discs)}" for where, discs in there.items() if discs) or "none")


def table(at: At) -> View:
    """The whole table."""
    s = at.state
    if not s.players:
        return View("nobody is seated yet")
    top = [f"turn order: {', '.join(s.turn_order)}" if s.turn_order else ""]
    top += [f"passed: {', '.join(s.next_order)}" if s.next_order else ""]
    top += [f"tiles below the round track: {' '.join(s.round_tiles)}" if s.round_tiles else ""]
    top += [f"attack card: {s.attack_card}" if s.attack_card else ""]
    players, pieces = grid(at, s.players, PLAYERS, s.active), grid(at, s.players, PIECES)
    owned = grid(at, s.players, OWNED)
    regions, harbour, walls = lines(*land(at)), lines(*water(at)), wall(at)
    everything = grid(at, s.players, {**PIECES, **OWNED})
    sections = (lines(*top), players, everything, walls, regions, harbour)
    brief = (lines("; ".join(filter(None, top[:2]))), players, pieces, walls, lines(_taken(at)))
    parts: dict[str, Sequence[Grid | Lines]] = {
        "land": (lines(*top[2:]), regions),
        "wall": (walls,),
        "harbour": (harbour,),
        "tiles": (owned, lines(*top[2:])),
    }
    return View(heading(at), sections, awaited(at), brief, parts)


__all__ = ["awaited", "heading", "table"]
