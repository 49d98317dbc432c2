"""Random play, quickly: one move at a time that is probably legal. What a turn leaves open is answered by chance."""

from __future__ import annotations

from random import Random

from companion.rules import Move, Part

from .barges import BargeTurn, boarding_parts, pushed_off, rows_with_room
from .battle import Fight, Loss, due, empty_spots, foretell, most_in_coins
from .catalogue import FORTIFY, TRAIN, At, cat
from .cleanup import Cleanup, new_ships_due
from .free import FreeMarker, FreeMerchant, FreeObjective, FreeTile, Recall
from .military import MilitaryStep, MilitaryTurn, pieces_to_place
from .objectives import shown
from .palace import open_to
from .passing import Buy, PassTurn, TakeTile, steps_allowed, takeable
from .preparation import Prepare, in_stack, open_places
from .region import Bubble, RegionStep, RegionTurn, region_actions
from .rounds import Income, RevealAttack, RoundTiles, tiles_due
from .scoring import Score, to_show
from .tiles import within_reach
from .turns import NO_STACK, stack_cost


def propose(at: At, rng: Random) -> Move | None:
    """A move for the position, None when the game is over. Tiles, ships and cards come up as chance would have it."""
    s = at.state
    if s.phase == "prepare":
        return _prepare(at, rng)
    if s.phase == "setup":
        if not s.tiles_laid:
            return RoundTiles(tuple(_tiles(at, rng, tiles_due(at))))
        return RevealAttack(rng.choice([id for id, card in cat(at).attack_cards.items() if card.round == s.round]))
    if s.phase == "income":
        return Income()
    if s.phase == "action":
        return _turn(at, rng, s.active or s.turn_order[0])
    if s.phase == "attack" and (lanes := due(at)):
        return _fight(at, rng, lanes[0])
    if s.phase == "attack" and s.round < at["rounds"]:
        return Cleanup(tuple(rng.sample(in_stack(at), new_ships_due(at))))
    return _show(at, rng, to_show(at)[0]) if to_show(at) else None


def _often(rng: Random, share: float) -> bool:
    """True in this share of cases."""
    return rng.random() < share


def _tiles(at: At, rng: Random, n: int) -> list[str]:
    """So many tiles from the supply, and from the box when it runs out."""
    left = within_reach(at, n)
    return rng.sample(list(left), min(n, sum(left.values())), counts=list(left.values()))


def _prepare(at: At, rng: Random) -> Move:
    lacking = open_places(at)
    order = tuple(rng.sample(at.state.players, len(at.state.players)))
    tiles = _tiles(at, rng, len(lacking["bonus"]))
    goods = rng.sample(list(cat(at).demand), len(lacking["demand"]), counts=list(cat(at).demand.values()))
    ships = rng.sample(in_stack(at), len(lacking["ships"]))
    return Prepare(
        order,
        dict(zip(lacking["bonus"], tiles, strict=False)),
        dict(zip(lacking["demand"], goods, strict=True)),
        dict(zip(lacking["ships"], ships, strict=True)),
    )


def _fight(at: At, rng: Random, lane: str) -> Move:
    course = foretell(at, lane)
    empty = empty_spots(at, course)
    tiles = _tiles(at, rng, len(empty)) if empty else []
    losses: dict[str, Loss | int] = {}
    for who in at.state.player if course.ravage else ():
        if coins := rng.randint(0, most_in_coins(at, who, course.ravage)):
            losses[who] = Loss(coins, course.ravage - coins)
    return Fight(lane, dict(zip(empty, tiles, strict=False)), losses)


def _show(at: At, rng: Random, who: str) -> Move:
    left = [card for card in cat(at).objectives if card not in shown(at)]
    return Score(who, tuple(rng.sample(left, min(at.state.player[who].objectives, len(left)))))


def _turn(at: At, rng: Random, who: str) -> Move:
    """A turn of some kind; passing is what can always be done."""
    p = at.state.player[who]
    free = _free(at, rng, who)
    if p.markers > sum(isinstance(part, FreeMarker) for part in free) and _often(rng, 0.8):
        turn = (_region if _often(rng, 0.65) else _military)(at, rng, who, free)
        if turn is not None:
            return turn
    if _often(rng, 0.6 if p.markers else 0.35) and (barge := _barge(at, rng, who, free)):
        return barge
    return _pass(at, rng, who, free)


def _free(at: At, rng: Random, who: str) -> list[Part]:
    """Now and then a free action."""
    p = at.state.player[who]
    if not _often(rng, 0.3):
        return []
    found: list[Part] = [FreeTile("tile", tile) for tile in p.tiles]
    full = [row for row, one in cat(at).merchants.items() if p.merchants[row] >= one.spots]
    found += [FreeMerchant("merchant", row) for row in full]
    if _often(rng, 0.3):
        found += [Recall("recall", row) for row, n in p.merchants.items() if n]
        found += [FreeMarker("marker")] if p.markers > 1 else []
    if p.objectives and _often(rng, 0.2):
        left = [card for card in cat(at).objectives if card not in shown(at)]
        found.append(FreeObjective("objective", rng.choice(left)))
    return [rng.choice(found)] if found else []


def _affordable(at: At, who: str, discs: list[str], free: list[Part]) -> bool:
    waived = any(isinstance(part, FreeTile) and part.does(at, NO_STACK) for part in free)
    return waived or stack_cost(at, who, discs).value <= at.state.player[who].coin


def _region(at: At, rng: Random, who: str, free: list[Part]) -> Move | None:
    """A turn in the first of the regions, in any order, in which something can be done."""
    regions = rng.sample(list(at.state.regions), len(at.state.regions))
    open_to_all = (region for region in regions if _affordable(at, who, at.state.regions[region].discs, free))
    return next(filter(None, (_region_turn(at, rng, who, region, free) for region in open_to_all)), None)


def _region_turn(at: At, rng: Random, who: str, region: str, free: list[Part]) -> Move | None:
    actions: dict[type[Part], list[Part]] = {}
    for part in region_actions(at, who, region):
        actions.setdefault(type(part), []).append(part)
    steps = [rng.choice(parts) for parts in actions.values()]
    if _often(rng, 0.5):
        steps.append(RegionStep(True))
    if cat(at).regions[region].bubble and _often(rng, 0.5):
        steps.append(Bubble(True))
    rng.shuffle(steps)
    return RegionTurn(who, region, (*free, *steps)) if actions else None


def _military(at: At, rng: Random, who: str, free: list[Part]) -> Move | None:
    for action in rng.sample((FORTIFY, TRAIN), 2):
        pieces = list(pieces_to_place(at, who, action))
        if pieces and _affordable(at, who, at.state.military[action].discs, free):
            chosen = [rng.choice(pieces)]
            if action == TRAIN and at.state.player[who].rice >= 2 * at["soldier.cost.rice"] and _often(rng, 0.6):
                chosen.append(rng.choice(pieces))
            step = [MilitaryStep(rng.choice(tracks))] if (tracks := open_to(at, who)) else []
            return MilitaryTurn(who, action, (*free, *step, *chosen))
    return None


def _barge(at: At, rng: Random, who: str, free: list[Part]) -> Move | None:
    for barge in rng.sample(list(at.state.barges), len(at.state.barges)):
        if sum(boarding_parts(at, who, barge)) <= at.state.player[who].coin:
            rows = rows_with_room(at, pushed_off(at, barge))
            return BargeTurn(who, barge, pushed_to=rng.choice(rows) if rows else "", steps=tuple(free))
    return None


def _pass(at: At, rng: Random, who: str, free: list[Part]) -> Move:
    tiles = takeable(at, who)
    steps: list[Part] = [TakeTile(rng.choice(tiles))] if tiles else []
    price = at.value("figurine.step.cost.coin", who).value
    n = min(steps_allowed(at, who), at.state.player[who].coin // max(1, price))
    tracks = rng.choices(open_to(at, who) or [""], k=rng.randint(0, n))
    return PassTurn(who, (*free, *steps, *map(Buy, filter(None, tracks))))
