"""Turns that can be taken, as a sample: of each region, space and barge the plainest. There are far too many to list."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from companion.engine.play.parts import Part

from .catalogue import FORTIFY, TRAIN, At, cat
from .domains import PORT, Delivery
from .exchange import ANY_GOOD, Exchange, goods_held
from .governors import Governor, empty_spaces, wood_cost
from .military import MilitaryStep, MilitaryTurn, Soldier, Tower, Wall, piece_cost, pieces_owned
from .palace import open_to
from .passing import Buy, PassTurn, TakeTile, steps_allowed, takeable
from .region import RegionTurn
from .shipping import Ship, free_spaces, price
from .soldiers import next_space
from .turns import stack_cost, to_act


def region_actions(at: At, who: str, region: str) -> Iterator[Part]:
    """The actions of a region that a player could pay before the turn."""
    p, found = at.state.player[who], cat(at).regions[region]
    for building in found.buildings if p.workers else ():
        space = next(iter(empty_spaces(at, building)), None)
        if space and wood_cost(at, building, space).total <= p.wood:
            yield Governor(building, space)
    for kind, n in islice(found.give.items(), 1):
        has = sum(goods_held(at, who).values()) if kind == ANY_GOOD else p.of(kind)
        if times := min(has // n, at["exchange.max_times"]):
            yield Exchange(times)
    if found.port and p.ship_markers and p.crates and (free := free_spaces(at, region)):
        cost = price(at, region)
        certain = all(p.of(good) >= n for good, n in cost.items() if good != ANY_GOOD)
        if certain and sum(goods_held(at, who).values()) >= cost.total():
            yield Ship(PORT, (Delivery(free[0]),))


def region_turns(at: At) -> Iterator[RegionTurn]:
    for who in to_act(at)[:1]:
        p = at.state.player[who]
        for region, space in at.state.regions.items() if p.markers else ():
            if stack_cost(at, who, space.discs).value <= p.coin:
                for part in region_actions(at, who, region):
                    yield RegionTurn(who, region, (part,))


def pieces_to_place(at: At, who: str, action: str) -> Iterator[Part]:
    """The walls, towers or soldiers that a player could place first, one for each section."""
    p = at.state.player[who]
    kinds = (("wall", Wall, p.walls_built), ("tower", Tower, p.towers_built)) if action == FORTIFY else ()
    for kind, part, built in kinds:
        if built < pieces_owned(at, kind) and piece_cost(at, who, kind, built).value <= p.stone:
            yield from (part(lane) for lane in cat(at).lanes if next_space(at, lane, kind))
    if action == TRAIN and p.workers and at.value("soldier.cost.rice", who).value <= p.rice:
        yield from (Soldier(soldier=lane) for lane in cat(at).lanes if next_space(at, lane, "soldier"))


def military_turns(at: At) -> Iterator[MilitaryTurn]:
    for who in to_act(at)[:1]:
        tracks = open_to(at, who)[:1]
        for action, space in at.state.military.items() if at.state.player[who].markers else ():
            if stack_cost(at, who, space.discs).value <= at.state.player[who].coin:
                for piece in pieces_to_place(at, who, action):
                    yield MilitaryTurn(who, action, (*(MilitaryStep(track) for track in tracks), piece))


def pass_turns(at: At) -> Iterator[PassTurn]:
    for who in to_act(at)[:1]:
        tiles: list[str | None] = [*takeable(at, who)]
        for tile in tiles or [None]:
            yield PassTurn(who, (TakeTile(tile),))
        if tiles and steps_allowed(at, who):
            yield from (PassTurn(who, (TakeTile(tiles[0]), Buy(track))) for track in open_to(at, who))
