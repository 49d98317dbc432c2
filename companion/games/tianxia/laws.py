"""What holds after every event of a whole game: no piece is lost or gained, no stock is below 0."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from .catalogue import At, cat, kinds_of_stock
from .position_form import placed_workers
from .soldiers import defence
from .state import GREY
from .tiles import on_the_table


def broken_laws(at: At) -> list[str]:
    """Every law that a position breaks, each as a sentence with the figures."""
    return [*_of_players(at), *_of_the_board(at), *_of_stacks(at)] if at.state.players else []


def _of_players(at: At) -> Iterator[str]:
    s = at.state
    for who, p in s.player.items():
        pieces = {
            "workers": (p.workers + placed_workers(at, who), at["workers"]),
            "action markers": (p.markers + s.placed_markers(who) + p.discarded_markers, at["action_markers"]),
            "shipping markers": (p.ship_markers + s.moored(who), at["shipping.markers"]),
            "crates": (p.crates + p.delivered, at["crates"]),
            "walls": (p.walls_built, s.pieces("walls", who)),
            "towers": (p.towers_built, s.pieces("towers", who)),
        }
        for what, (n, due) in pieces.items():
            if n != due:
                yield f"{who} has {n} {what}, not {due}"
        for what in (*kinds_of_stock(at), "workers", "markers", "ship_markers", "crates", "objectives"):
            if p.of(what) < 0:
                yield f"{who} has {p.of(what)} {what.replace('_', ' ')}"
        if len(set(p.figurines)) < len(p.figurines):
            yield f"{who} has a figurine twice"


def _of_the_board(at: At) -> Iterator[str]:
    s = at.state
    if (grey := s.neutral_workers + s.on_barges(GREY)) != at["neutral_workers"]:
        yield f"there are {grey} neutral workers, not {at['neutral_workers']}"
    for barge, row in s.barges.items():
        if len(row) > at["barge.capacity"]:
            yield f"{len(row)} workers are on the {barge} barge, which holds {at['barge.capacity']}"
    for lane, section in s.sections.items():
        if section.defence != (stands := defence(at, section)):
            yield f"the defence marker of {lane} is at {section.defence}, and {stands} stand there"
        for row, most in at["section.slots"].items():
            if len(getattr(section, row)) > most:
                yield f"{lane} has room for {most} {row}"


def _of_stacks(at: At) -> Iterator[str]:
    s, found = at.state, cat(at)
    known = on_the_table(at) + Counter(s.box)
    for tile, n in known.items():
        if n > found.tiles[tile]:
            yield f"there are {n} {tile} tiles, and {found.tiles[tile]} in the box"
    ships = [*s.discarded_ships, *(port.ship for port in s.ports.values() if port.ship)]
    for ship, n in Counter(ships).items():
        if n > 1:
            yield f"{ship} is there {n} times"
    cards = sum(p.objectives for p in s.player.values()) + len(s.discarded_objectives)
    if cards > len(found.objectives):
        yield f"there are {cards} objective cards, not {len(found.objectives)}"
    if sum(s.face_down.values()) > (used := sum(p.used_tiles for p in s.player.values())):
        yield f"more used tiles are named than the {used} that lie face down"
