"""Laws of a whole game, checked after every event: no piece is lost or gained, no stock is below 0."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from .catalogue import At, cat
from .position_form import COUNTED
from .soldiers import defence
from .state import GREY
from .tiles import outside_the_supply


class Law(NamedTuple):
    """`before` n `after`: ana has 12 workers. There may be from `least` to `most` of them."""

    before: str
    n: int
    after: str
    least: int
    most: int

    def __str__(self) -> str:
        due = max(self.least, min(self.n, self.most))
        return f"{f'{self.before} {self.n} {self.after}'.strip()}, not {due}"


def broken_laws(at: At) -> list[str]:
    """Every law that a position breaks, each as a sentence with the figures."""
    laws = [*_of_players(at), *_of_the_board(at), *_of_stacks(at)] if at.state.players else []
    return [str(law) for law in laws if not law.least <= law.n <= law.most]


def _of_players(at: At) -> Iterator[Law]:
    s = at.state
    for who, p in s.player.items():
        has = f"{who} has"
        for field, (total, name, used) in COUNTED.items():
            yield Law(has, p.of(field) + used(at, who), name, at[total], at[total])
        for row, built in (("walls", p.walls_built), ("towers", p.towers_built)):
            standing = s.pieces(row, who)
            yield Law(has, built, row, standing, standing)


def _of_the_board(at: At) -> Iterator[Law]:
    s, grey = at.state, at["neutral_workers"]
    yield Law("there are", s.neutral_workers + s.on_barges(GREY), "neutral workers", grey, grey)
    for barge, row in s.barges.items():
        yield Law(f"on the {barge} barge are", len(row), "workers", 0, at["barge.capacity"])
    for lane, section in s.sections.items():
        stands = defence(at, section)
        yield Law(f"the defence marker of {lane} is at", section.defence, "", stands, stands)
        for name, most in at["section.slots"].items():
            yield Law(f"{lane} has", len(getattr(section, name)), name, 0, most)


def _of_stacks(at: At) -> Iterator[Law]:
    s, found = at.state, cat(at)
    for tile, n in Counter(outside_the_supply(at)).items():
        yield Law("there are", n, f"{tile} tiles", 0, found.tiles[tile])
    ships = [*s.discarded_ships, *(port.ship for port in s.ports.values() if port.ship)]
    for ship, n in Counter(ships).items():
        yield Law("there are", n, f"{ship} ships", 0, 1)
    cards = sum(p.objectives for p in s.player.values()) + len(s.discarded_objectives)
    yield Law("there are", cards, "objective cards", 0, len(found.objectives))
    used = sum(p.used_tiles for p in s.player.values())
    yield Law("named are", sum(s.face_down.values()), "used tiles", 0, used)
