"""Turns that can be taken, as a sample: of each region, space and barge the plainest. There are far too many to list."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from companion.engine.play.parts import Part

from .catalogue import FORTIFY, TRAIN, At, cat
from .exchange import ANY_GOOD, Exchange, goods_held
from .governors import Governor, empty_spaces, wood_parts
from .military import BUILT, MilitaryStep, MilitaryTurn, Soldier, Tower, Wall, piece_cost, pieces_owned
from .palace import open_to
from .passing import Buy, PassTurn, TakeTile, steps_allowed, takeable
from .region import RegionTurn
from .shipping import PORT, Delivery, Ship, free_spaces, payable, price
from .soldiers import next_space
from .state import Space
from .turns import stack_cost, to_act


def affordable(at: At, who: str, spaces: Mapping[str, Space]) -> Iterable[str]:
    """The marker spaces whose stack a player can pay, while there is a marker to place."""
    p = at.state.player[who]
    return (name for name, space in spaces.items() if p.markers and stack_cost(at, who, space.discs).value <= p.coin)


def region_actions(at: At, who: str, region: str) -> Iterator[Part]:
    """The actions of a region that a player could pay before the turn."""
    p, found, held = at.state.player[who], cat(at).regions[region], goods_held(at, who)
    for building in found.buildings if p.workers else ():
        for space in empty_spaces(at, building)[:1]:
            if sum(wood_parts(at, building, space)) <= p.wood:
                yield Governor(building, space)
    for kind, n in found.exchange.give.items():
        has = sum(held.values()) if kind == ANY_GOOD else p.of(kind)
        if times := min(has // n, at["exchange.max_times"]):
            yield Exchange(times)
    free = free_spaces(at, region) if found.port and p.ship_markers and p.crates else []
    if free and payable(held, price(at, region)):
        yield Ship(PORT, (Delivery(free[0]),))


def region_turns(at: At) -> Iterator[RegionTurn]:
    for who in to_act(at)[:1]:
        for region in affordable(at, who, at.state.regions):
            for part in region_actions(at, who, region):
                yield RegionTurn(who, region, (part,))


def pieces_to_place(at: At, who: str, action: str) -> Iterator[Part]:
    """The walls, towers or soldiers that a player could place first, one for each section."""
    p = at.state.player[who]
    if action == TRAIN and p.workers and at.value("soldier.cost.rice", who).value <= p.rice:
        yield from (Soldier(lane) for lane in cat(at).lanes if next_space(at, lane, "soldier"))
    for kind, part in (("wall", Wall), ("tower", Tower)) if action == FORTIFY else ():
        built = getattr(p, BUILT[kind])
        if built < pieces_owned(at, kind) and piece_cost(at, who, kind, built).value <= p.stone:
            yield from (part(lane) for lane in cat(at).lanes if next_space(at, lane, kind))


def military_turns(at: At) -> Iterator[MilitaryTurn]:
    for who in to_act(at)[:1]:
        step = [MilitaryStep(track) for track in open_to(at, who)[:1]]
        for action in affordable(at, who, at.state.military):
            for piece in pieces_to_place(at, who, action):
                yield MilitaryTurn(who, action, (*step, piece))


def pass_turns(at: At) -> Iterator[PassTurn]:
    for who in to_act(at)[:1]:
        taken: list[tuple[Part, ...]] = [(TakeTile(tile),) for tile in takeable(at, who)] or [()]
        yield from (PassTurn(who, one) for one in taken)
        if steps_allowed(at, who):
            yield from (PassTurn(who, (*taken[0], Buy(track))) for track in open_to(at, who))
