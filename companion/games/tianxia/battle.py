"""The attack phase: prestige, the battle, the raid (rules TX-PRES, TX-BAT, TX-RAID).

`foretell` works a battle out from what is open; the event carries out what it says, so both always agree.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from math import inf
from typing import Annotated, Any, ClassVar

import msgspec

from companion.engine.things.slots import leave, leftmost
from companion.engine.things.tracks import moved
from companion.rules import Breach, Choice, Count, Figure, Pairs, PieceName, Reported, Seat

from .catalogue import ROWS, At, cat, name_of
from .gains import score
from .preparation import GETTING, base_strength
from .soldiers import defence, standing, strength_of
from .tiles import drawable, shuffle_if_empty, too_many, within_reach


class Rank(msgspec.Struct, frozen=True):
    """One player's share in the defence of a section: strength, and the points it wins."""

    player: str
    strength: Figure
    vp: int
    tied: bool
    """Another player has the same strength, so the leftmost piece decided."""


class Battle(msgspec.Struct, frozen=True):
    """A battle from beginning to end."""

    prestige: tuple[Rank, ...]
    strength: int
    towers: int
    walls: int
    after_structures: int
    returned: tuple[str, ...]
    won: bool
    victory_bonus: int
    raids: tuple[tuple[str, int], ...]
    """Building, strength left after its raid."""
    ravage: int


def prestige(at: At, lane: str) -> list[Rank]:
    """The contributions of the players, best first (TX-PRES-1 to -7)."""
    section = at.state.sections[lane]
    found: list[tuple[Any, str, Figure]] = []
    for who in at.state.players:
        pieces = {kind: getattr(section, row).count(who) for kind, row in ROWS.items()}
        if any(pieces.values()):
            own = at.value("prestige.strength", who, base=sum(n * strength_of(at, kind) for kind, n in pieces.items()))
            places = [leftmost(row, who) or inf for row in (section.soldiers, section.walls, section.towers)]
            found.append(((-own.value, *places), who, own))
    found.sort(key=lambda one: one[0])
    prizes, level = at["prestige.vp"], [own.value for _, _, own in found]
    return [
        Rank(who, own, prizes[n] if n < len(prizes) else 0, level.count(own.value) > 1)
        for n, (_, who, own) in enumerate(found)
    ]


def foretell(at: At, lane: str) -> Battle:
    """The battle in a lane as it would be fought now."""
    section, path, strength = at.state.sections[lane], cat(at).lanes[lane], at.state.nomads[lane].strength
    ranks, towers, walls = prestige(at, lane), len(standing(section.towers)), len(standing(section.walls))
    left = after = max(0, strength - towers * strength_of(at, "tower") - walls * strength_of(at, "wall"))
    returned: list[str] = []
    for owner in standing(section.soldiers) if left else ():
        returned.append(owner)
        left = max(0, left - strength_of(at, "soldier"))
        if not left:
            break
    won, raids = not left, []
    for building in path if not won else ():
        left = max(0, left - cat(at).buildings[building].raid)
        raids.append((building, left))
        if not left:
            break
    governors = sum(len(standing(at.state.buildings[building].governors)) for building in path)
    return Battle(
        prestige=tuple(ranks),
        strength=strength,
        towers=towers,
        walls=walls,
        after_structures=after,
        returned=tuple(returned),
        won=won,
        victory_bonus=governors * at["victory.vp_per_governor"] if won and ranks else 0,
        raids=tuple(raids),
        ravage=left if raids else 0,
    )


def due(at: At) -> list[str]:
    """The lanes in which a battle has still to be fought, in their order (TX-BAT-1, -2)."""
    return [lane for lane, nomad in at.state.nomads.items() if nomad.march >= at["nomad.march.top"]]


def undone(at: At) -> Iterator[Breach]:
    """The reason why everything after the battles has to wait for them."""
    if at.state.phase == "attack" and (lanes := due(at)):
        yield at.breach("TX-BAT-1.undone", lanes=[name_of(at, "lane", lane) for lane in lanes])


def empty_spots(at: At, course: Battle) -> list[str]:
    """The raided buildings without a tile (TX-RAID-4), in the order in which they are raided."""
    return [building for building, _ in course.raids if at.state.buildings[building].bonus is None]


def most_in_coins(at: At, who: str, strength: int) -> int:
    """The amount of the strength left that a player can settle in coins (TX-RAID-8)."""
    price = at["ravage.coin_per_strength"]
    return min(strength, at.state.player[who].coin // price) if price else strength


class Loss(msgspec.Struct, frozen=True):
    """A player's share of the nomad's remaining strength: strength paid in coins, and strength paid in points."""

    coins: int = 0
    points: int = 0


PAYING = ("pays", "pay", "loses", "lose", "settles")


class Settling(Count):
    """Payment for the remaining strength of the nomad that fights next: coins alone (the rest is points), or coins and
    points. Points are those of the score track, or, beside coins, as many as the strength they stand for."""

    def spoken(self, at: At) -> dict[str, Any]:
        found: dict[str, Any] = {f"{n} coin": n for n in range(1, at["nomad.strength.max"] + 1)}
        found |= dict.fromkeys(("nothing", "no coin"), 0)
        lane = next(iter(due(at)), "")
        left = foretell(at, lane).ravage if lane else 0
        for coins in range(left):
            strength = left - coins
            loss, points = Loss(coins, strength), strength * at["ravage.vp_per_strength"]
            for n in dict.fromkeys((points, strength)) if coins else (points,):
                found |= dict.fromkeys((f"{coins} coin {n} point", f"{coins} coin and {n} point"), loss)
            found |= dict.fromkeys((f"{points} point",) if not coins else (), loss)
        return found

    def written(self, at: At, value: Any) -> str:
        if not isinstance(value, Loss) or not value.coins:
            return ""  # points alone are among the words
        return f"{value.coins} coin {value.points} point" if value.points else f"{value.coins} coin"


class Fight(Reported, frozen=True):
    """Fight the battle of a lane: prestige, structures, soldiers, and the raid if the wall falls."""

    name = "battle"
    asks: ClassVar[dict[str, str]] = {"lane": "TX-BAT-2.lane"}
    lane: Annotated[str, PieceName("lane", after=("against", "for"), of=("lane", "section", "nomad"))] = ""
    replenish: Annotated[
        dict[str, str],
        Pairs(PieceName("building"), PieceName("tile"), lead=("refill", "refills"), between=GETTING, secret=True),
    ] = msgspec.field(default_factory=dict)
    losses: Annotated[
        dict[str, Loss | int], Pairs(Seat(actor=False), Settling(), lead=("loss", "losses", "coins"), between=PAYING)
    ] = msgspec.field(default_factory=dict)
    """Player -> coins, or coins and points. Who is left out pays with points, but in a typed line they are asked."""

    def shows(self) -> dict[str, Any]:
        return {f"tile for {building}": tile for building, tile in self.replenish.items()}

    def unsaid(self, at: At) -> Iterator[Choice]:
        """The tiles that come up, then what each player settles in coins, where there is a choice."""
        course = foretell(at, self.lane)
        empty = empty_spots(at, course)
        left = Counter(within_reach(at, len(empty))) - Counter(self.replenish.values())
        waiting = [building for building in empty if building not in self.replenish]
        for building in waiting[: max(0, drawable(at) - len(self.replenish))]:
            name = name_of(at, "building", building)
            yield at.ask("TX-RAID-4.tile", f"replenish.{building}", "", left, building=name)
        lane, coin, points = (
            name_of(at, "lane", self.lane),
            at["ravage.coin_per_strength"],
            at["ravage.vp_per_strength"],
        )
        for who in at.state.turn_order:
            most = most_in_coins(at, who, course.ravage)
            if most and who not in self.losses:
                facts = {"lane": lane, "n": course.ravage, "coin": coin, "points": points}
                yield at.ask("TX-RAID-7.losses", "losses", who, range(most + 1), **facts)

    def forbidden(self, at: At) -> Iterator[Breach]:
        lanes = due(at)
        if at.state.phase != "attack":
            yield at.breach("TX-BAT-1.phase", phase=at.state.phase)
            return
        if not self.lane:
            if not lanes:
                yield at.breach("TX-BAT-1.none")
            return
        if self.lane not in lanes:
            nomad = at.state.nomads[self.lane]
            yield at.breach("TX-BAT-1.march", lane=name_of(at, "lane", self.lane), march=nomad.march)
            return
        if self.lane != lanes[0]:
            first = name_of(at, "lane", lanes[0])
            yield at.breach("TX-BAT-2.first", lane=name_of(at, "lane", self.lane), first=first)
        course = foretell(at, self.lane)
        yield from self._bad_tiles(at, course)
        yield from self._bad_losses(at, course)

    def _bad_tiles(self, at: At, course: Battle) -> Iterator[Breach]:
        raided = [building for building, _ in course.raids]
        for building in self.replenish:
            name = name_of(at, "building", building)
            if building not in raided:
                yield at.breach("TX-RAID-4.spared", building=name)
            elif (tile := at.state.buildings[building].bonus) is not None:
                yield at.breach("TX-RAID-12", building=name, tile=tile)
        yield from too_many(at, self.replenish.values())

    def _bad_losses(self, at: At, course: Battle) -> Iterator[Breach]:
        for who, loss in self._settled(at, course.ravage).items():
            if loss.coins + loss.points != course.ravage or min(loss.coins, loss.points) < 0:
                facts = {"coins": loss.coins, "points": loss.points, "due": course.ravage}
                yield at.breach("TX-RAID-7", player=who, **facts)
            price, has = loss.coins * at["ravage.coin_per_strength"], at.state.player[who].coin
            if price > has:
                yield at.breach("TX-RAID-8", player=who, has=has, cost=price)

    def _settled(self, at: At, ravage: int) -> dict[str, Loss]:
        """The losses of each player, in turn order; a number alone is paid in coins, the rest in points."""
        found: dict[str, Loss] = {}
        for who in at.state.turn_order:
            said = self.losses.get(who, 0)
            found[who] = said if isinstance(said, Loss) else Loss(said, ravage - said)
        return found

    def apply(self, at: At) -> None:
        course = foretell(at, self.lane)
        at.kept("TX-BAT-1", "TX-BAT-2", "TX-BAT-12")
        self._award(at, course)
        self._hold(at, course)
        if course.won:
            at.note("TX-BAT-5.won", lane=name_of(at, "lane", self.lane))
            if course.victory_bonus:
                at.note("TX-BAT-6.governors", player=course.prestige[0].player, n=course.victory_bonus)
                score(at, course.prestige[0].player, course.victory_bonus, "TX-BAT-6")
        else:
            self._raid(at, course)
        self._reset(at)

    def _award(self, at: At, course: Battle) -> None:
        for place, rank in enumerate(course.prestige, 1):
            at.note("TX-PRES-1.strength", player=rank.player, strength=rank.strength.sum, place=place)
            if rank.tied:
                at.kept("TX-PRES-3", "TX-PRES-7")
            if rank.vp:
                score(at, rank.player, rank.vp, "TX-PRES-2")
        at.kept("TX-PRES-5", "TX-PRES-6", *(["TX-PRES-4"] if len(course.prestige) < len(at.seats) else []))
        if not course.prestige:
            at.note("TX-PRES-4.nobody")

    def _hold(self, at: At, course: Battle) -> None:
        """Structures, then soldiers from the left (TX-BAT-3, -4)."""
        section = at.state.sections[self.lane]
        left = course.after_structures
        at.note("TX-BAT-3.structures", strength=course.strength, towers=course.towers, walls=course.walls, left=left)
        for owner in course.returned:
            leave(section.soldiers, section.soldiers.index(owner) + 1)
            at.state.player[owner].workers += 1
            left = max(0, left - strength_of(at, "soldier"))
            at.note("TX-BAT-4.leaves", player=owner, left=left)
            score(at, owner, at["soldier.returned.vp"], "TX-BAT-4")

    def _raid(self, at: At, course: Battle) -> None:
        for building, left in course.raids:
            site, name = at.state.buildings[building], name_of(at, "building", building)
            at.note("TX-RAID-1.raid", building=name)
            at.kept("TX-RAID-10", "TX-RAID-11")
            if home := standing(site.governors):
                at.note("TX-RAID-2.home", building=name, players=home)
            for owner in home:
                at.state.player[owner].workers += 1
            site.governors = [None] * len(site.governors)
            site.cost_tokens += 1
            at.note("TX-RAID-3.token", building=name, n=site.cost_tokens)
            self._refill(at, building, name)
            at.note("TX-RAID-5.strength", raid=cat(at).buildings[building].raid, left=left)
        if course.ravage:
            at.note("TX-RAID-6.ravage", lane=name_of(at, "lane", self.lane), n=course.ravage)
            for who, loss in self._settled(at, course.ravage).items():
                coins, points = loss.coins * at["ravage.coin_per_strength"], loss.points * at["ravage.vp_per_strength"]
                at.state.player[who].coin -= coins
                score(at, who, -points, "TX-RAID-6")
                at.note("TX-RAID-7.loses", player=who, coins=coins, points=points)
                at.kept(*(["TX-RAID-8"] if coins else []), *(["TX-RAID-9"] if at.state.player[who].vp < 0 else []))
        else:
            at.note("TX-BAT-9.over", lane=name_of(at, "lane", self.lane))

    def _refill(self, at: At, building: str, name: str) -> None:
        site = at.state.buildings[building]
        if site.bonus is not None:
            at.note("TX-RAID-12.stays", building=name, tile=site.bonus)
        elif (tile := self.replenish.get(building)) is None:
            at.note("TX-RAID-4.none", building=name)
        else:
            shuffle_if_empty(at)
            site.bonus = tile
            at.note("TX-RAID-4.refill", building=name, tile=tile)

    def _reset(self, at: At) -> None:
        """The nomad goes back, and both counters are set anew (TX-BAT-7, -8, -10, -11)."""
        nomad, section, lane = at.state.nomads[self.lane], at.state.sections[self.lane], name_of(at, "lane", self.lane)
        nomad.march, nomad.strength = 0, moved(0, base_strength(at), at["nomad.strength.max"])
        at.note("TX-BAT-7.back", lane=lane)
        at.note("TX-BAT-10.strength", n=nomad.strength)
        section.defence = defence(at, section)
        at.kept("TX-BAT-8", "TX-FORT-9")
        at.note("TX-BAT-11.defence", lane=lane, n=section.defence)
