"""The Builders' Encampment: wall levels, barricades and war machines; the Warehouse pays first (rules GW-BUILD)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations_with_replacement
from typing import Annotated, Any, Self

import msgspec

from companion.rules import Breach, Brings, Count, Domain, Figure, OneOf, lacking

from .brought import modules
from .catalogue import At, cat, name_of
from .decks import in_play
from .effects import SAVED
from .hand import Shots
from .icons import STEP
from .prices import Pay, Price, cost_of, gain, less, misclaimed, plain
from .state import GOODS, SECTIONS
from .targets import Sections
from .uses import ClerkUse
from .year import look_at_walls

WALL, BARRICADE = "wall", "barricade"


class Works(Domain):
    """The things to build: a wall level, a barricade, or a war machine by its name."""

    of = ("level", "tile", "next")

    def values(self, at: At) -> Iterable[str]:
        return (WALL, BARRICADE, *cat(at).of("machine"))

    def spoken(self, at: At) -> dict[str, Any]:
        return {**at.rules.spoken("machine"), WALL: WALL, BARRICADE: BARRICADE}

    def is_a(self, at: At, value: Any, noun: str) -> bool:
        return bool(value == WALL)

    def options(self, at: At) -> Iterable[str]:
        return (WALL, BARRICADE, *in_play(at, "machine"))


NOTHING = Figure(0, 0)


class BuildPrice(Price, frozen=True):
    """The price of a build. `discount`: all goods of it together, as a card for one build changes them."""

    printed: Mapping[str, int] = {}
    discount: Figure = NOTHING
    without: Mapping[str, int] = {}
    """Goods that such a card leaves out."""

    @property
    def due(self) -> dict[str, int]:
        """The part of the cost that its builder pays (GW-BUILD-3)."""
        return less(self.cost, self.without)

    @property
    def own(self) -> dict[str, int]:
        return less(self.due, self.stores or {})

    @property
    def changed(self) -> list[Figure]:
        return [*super().changed, self.discount]

    @property
    def honor(self) -> int:
        """The number of resources in the printed price (GW-BUILD-7)."""
        return sum(self.printed.values())


def printed_cost(at: At, what: str, section: str) -> Mapping[str, int]:
    """The printed price of a build in a section (GW-BUILD-5, GW-BUILD-8, GW-BP-6)."""
    if what == WALL:
        return at["wall.cost"][min(at.state.walls[section] + 1, at["wall.max_level"])]  # type: ignore[no-any-return]
    return at[figure_of(what)]  # type: ignore[no-any-return]


def figure_of(what: str) -> str:
    """The name of the price of a build."""
    return f"{what}.cost" if what in (WALL, BARRICADE) else f"machine.{what}.cost"


def price(at: At, clan: str, what: str, section: str, goods: Iterable[str] = ()) -> BuildPrice:
    """The cost of a build for a clan; `goods`: those that a card for one build leaves out."""
    printed = printed_cost(at, what, section)
    figures = cost_of(at, figure_of(what), clan, printed, section=section)
    total = sum(n for kind, n in plain(figures).items() if kind in GOODS)
    discount = at.value("build.cost.goods", clan, base=total, section=section)
    without = Counter(list(goods)[: total - int(discount)])
    cost = BuildPrice("GW-BUILD-3", said(at, what), figures, {}, printed, discount, without)
    stores = {kind: min(n, at.state.warehouse.get(kind, 0)) for kind, n in cost.due.items()}
    return msgspec.structs.replace(cost, stores={kind: n for kind, n in stores.items() if n})


class Build(ClerkUse, frozen=True):
    """Build a wall level, a barricade or a war machine."""

    elsewhere = "GW-BUILD-1"
    repeats = "what"
    shares = ("what",)
    counted = ("level", "clerk")
    site = "builders_encampment"
    what: Annotated[str, Works()] = ""
    section: Annotated[str, Sections(after=("to", "for"))] = ""
    level: Annotated[int, Count(1, lead=("level",), after=("to",), announced=True, confirms=True)] = 0
    """The level that the wall reaches, where somebody says so."""
    goods: Annotated[tuple[str, ...], OneOf(*GOODS, many=True, lead=("less", "without"))] = ()
    """The goods that a card for one build leaves out."""
    builds: Annotated[tuple[dict[str, Any], ...], Brings("build")] = ()
    """Several builds in one report."""
    shot: Shots = None
    pay: Pay = None

    def alone(self) -> Self | None:
        return None if self.builds else super().alone()

    def what_options(self, at: At) -> Iterable[str] | None:
        return None if self.builds else (WALL,) if self.level else Works().options(at)

    def section_options(self, at: At) -> Iterable[str] | None:
        return None if self.builds else SECTIONS

    def level_options(self, at: At) -> Iterable[int]:
        reached = at.state.walls.get(self.section) if self.what == WALL else None
        return (0,) if reached is None else (0, reached + 1)

    def goods_options(self, at: At) -> list[tuple[str, ...]] | None:
        return self._discounts(at) if self.what and self.section else None

    def _discounts(self, at: At) -> list[tuple[str, ...]] | None:
        """The goods that a card may leave out of this build, those alone with which it was played; None if there is no
        such card."""
        cost = price(at, self.by, self.what, self.section)
        n = int(cost.discount.base) - int(cost.discount)
        has = plain(cost.figures)
        mixes = combinations_with_replacement([good for good in GOODS if has.get(good)], n)
        able = [mix for mix in mixes if all(mix.count(good) <= has[good] for good in mix)]
        played = Counter(at.state.effects_now.get(SAVED, ()))
        return ([mix for mix in able if Counter(mix) == played] or able) if n else None

    def obstacles(self, at: At) -> Iterator[Breach]:
        if self.what and self.what not in (WALL, BARRICADE) and self.what not in in_play(at, "machine"):
            yield at.breach("GW-BUILD-2.machine", what=name_of(at, "machine", self.what))
        elif self.level and self.section in at.state.walls and self.level != at.state.walls[self.section] + 1:
            yield at.breach("GW-BUILD-5.level", section=self.section, n=at.state.walls[self.section] + 1)
        elif self.what and self.section in at.state.walls:  # without players there is no wall
            yield from no_room(at, self.what, self.section)

    def unpaid(self, at: At) -> Iterator[Breach]:
        """Warehouse and own supply do not cover the price, or another payment is claimed (GW-BUILD-3, GW-BUILD-4)."""
        if self.builds or not self.what or not self.section:
            return
        if self.goods and not any(Counter(self.goods) <= Counter(mix) for mix in self._discounts(at) or ()):
            yield at.loose_choice({"goods": None}) if self._discounts(at) is None else self._not_left_out(at)
        choices = [self.goods] if self.goods else self._discounts(at) or [()]
        costs = [price(at, self.by, self.what, self.section, goods) for goods in choices]
        lacks = [lacking(at.state.own(self.by).res, cost.own) for cost in costs]
        if all(lacks):
            facts = {"what": costs[0].what, "cost": costs[0].cost, "lacks": lacks[0], "sum": costs[0].sum}
            yield at.breach("GW-BUILD-4", "GW-GEN-6", player=self.by, section=self.section, **facts)
        elif len(costs) == 1:
            yield from misclaimed(at, self.pay, costs[0])

    def _not_left_out(self, at: At) -> Breach:
        """A card leaves out other goods than those that are said, or fewer."""
        able = [" and ".join(mix) for mix in self._discounts(at) or () if mix]
        return at.breach("GW-CARD-3.saved", player=self.by, goods=list(self.goods), able=able)

    def apply(self, at: At) -> None:
        if not self.builds:
            super().apply(at)

    def price(self, at: At) -> BuildPrice:
        return price(at, self.by, self.what, self.section, self.goods)

    def done(self, at: At, cost: Price) -> None:
        assert isinstance(cost, BuildPrice)
        if cost.without:
            at.note("GW-CARD-3.discount", player=self.by, goods=dict(cost.without), sum=cost.discount.sum)
        if cost.stores:
            at.note("GW-BUILD-3.paid", own=cost.own, warehouse=cost.stores)
        at.kept("GW-BUILD-1", "GW-BUILD-2")
        _stand(at, self, cost)


def _stand(at: At, build: Build, cost: BuildPrice) -> None:
    """Place the finished build, and give its honor (GW-BUILD-7, GW-BUILD-9, GW-BP-6)."""
    s, clan, section = at.state, build.by, build.section
    facts: dict[str, Any] = {"player": clan, "section": section, "cost": cost.cost, "sum": cost.sum}
    honor = cost.honor if build.what == WALL else at["barricade.honor" if build.what == BARRICADE else "machine.honor"]
    gain(at, clan, {"honor": honor})
    if build.what == WALL:
        s.walls[section] += 1
        s.own(clan).walls_built += 1
        at.note("GW-BUILD-5.built", level=s.walls[section], honor=honor, **facts)
        at.kept("GW-BUILD-7")
        at.trigger("build_wall", clan, section=section)
        look_at_walls(at)
    elif build.what == BARRICADE:
        s.barricades[section] += 1
        at.note("GW-BUILD-8.built", n=s.barricades[section], honor=honor, **facts)
        at.kept("GW-BUILD-9")
        at.trigger("build_barricade", clan, section=section)
    else:
        s.machines[section].append(build.what)
        at.note("GW-BP-6.built", machine=cost.what, honor=honor, **facts)
        for module in modules(at):
            module.machine_built(at, clan, build.what, section)


def no_room(at: At, what: str, section: str) -> Iterator[Breach]:
    """Nothing more of the kind can stand in the section (GW-BUILD-6, GW-BUILD-10, GW-BP-6)."""
    s = at.state
    if what == WALL and s.walls[section] >= at["wall.max_level"]:
        yield at.breach("GW-BUILD-6", section=section, n=at["wall.max_level"])
    elif what == BARRICADE and s.barricades[section] >= at["barricade.max_per_section"]:
        yield at.breach("GW-BUILD-10", section=section, n=at["barricade.max_per_section"])
    elif what not in (WALL, BARRICADE):
        there, facts = s.machines[section], {"machine": said(at, what), "section": section}
        if what in there:
            yield at.breach("GW-BP-6.twice", **facts)
        elif len(there) >= at["machine.max_per_section"]:
            yield at.breach("GW-BP-6.full", n=at["machine.max_per_section"], **facts)
        elif sum(one.count(what) for one in s.machines.values()) >= cat(at).of("machine")[what].copies:
            yield at.breach("GW-GEN-5.machine", machine=name_of(at, "machine", what))


def said(at: At, what: str) -> str:
    """The name of a build in a sentence."""
    return {WALL: "a wall level", BARRICADE: "a barricade"}.get(what) or f"a {name_of(at, 'machine', what)}"


MOVES = {STEP: (Build,)}
