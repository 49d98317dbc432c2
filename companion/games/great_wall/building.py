"""The Builders' Encampment: wall levels, barricades and war machines; the Warehouse pays first (rules GW-BUILD)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations_with_replacement
from typing import Annotated, Any, ClassVar, NamedTuple

from companion.engine.play.moves import Breach, Domain, Move, OneOf
from companion.engine.things.figures import Figure
from companion.engine.things.stores import lacking

from .activation import ClerkUse
from .answers import Answers
from .catalogue import At, cat, name_of
from .effects import use_once
from .hooks import MACHINE_BUILT
from .icons import STEP
from .locations import ends_use, too_many, use
from .prices import changes, figure_rules, misclaimed
from .state import GOODS, SECTIONS
from .supplies import gain, plain
from .targets import Sections
from .year import look_at_walls

SITE = "builders_encampment"
WALL, BARRICADE = "wall", "barricade"


class Works(Domain):
    """What is built: a wall level, a barricade, or a war machine by its name."""

    def values(self, at: At) -> Iterable[str]:
        return (WALL, BARRICADE, *cat(at).of("machine"))


class Price(NamedTuple):
    """The price of a build: as printed, as it is for the builder, and who pays what (GW-BUILD-3)."""

    printed: Mapping[str, int]
    figures: Mapping[str, Figure]
    discount: Figure
    less: Mapping[str, int]
    """Goods left out by a card for one build."""
    stores: dict[str, int]
    own: dict[str, int]

    @property
    def honor(self) -> int:
        """The number of resources in the printed price (GW-BUILD-7)."""
        return sum(self.printed.values())


def printed_cost(at: At, what: str, section: str) -> Mapping[str, int]:
    """The printed price of a build in a section (GW-BUILD-5, GW-BUILD-8, GW-BP-6)."""
    if what == WALL:
        table: Mapping[Any, Mapping[str, int]] = at["wall.cost"]
        level = min(at.state.walls[section] + 1, at["wall.max_level"])
        return table.get(level) or table[str(level)]
    name = "barricade.cost" if what == BARRICADE else f"machine.{what}.cost"
    cost: Mapping[str, int] = at[name]
    return cost


def price(at: At, clan: str, what: str, section: str, goods: Iterable[str] = ()) -> Price:
    """What a build costs a clan; `goods`: those that a card for one build leaves out."""
    printed = printed_cost(at, what, section)
    name = f"{what}.cost" if what in (WALL, BARRICADE) else f"machine.{what}.cost"
    figures = {kind: at.value(f"{name}.{kind}", clan, base=n, section=section) for kind, n in printed.items()}
    cost = plain(figures)
    total = sum(cost.get(good, 0) for good in GOODS)
    discount = at.value("build.cost.goods", clan, base=total, section=section)
    less: dict[str, int] = {}
    for good in list(goods)[: total - int(discount)]:
        less[good] = less.get(good, 0) + 1
    cost = {kind: n - less.get(kind, 0) for kind, n in cost.items() if n > less.get(kind, 0)}
    stores = {kind: min(n, at.state.warehouse.get(kind, 0)) for kind, n in cost.items()}
    own = {kind: n - stores[kind] for kind, n in cost.items() if n > stores[kind]}
    return Price(printed, figures, discount, less, {kind: n for kind, n in stores.items() if n}, own)


class Build(ClerkUse, frozen=True):
    """Build a wall level, a barricade or a war machine."""

    name = "build"
    elsewhere = "GW-BUILD-1"
    words = ("build", "builds")
    example = "pine build wall L"
    site = SITE
    asks: ClassVar[dict[str, str]] = {
        "what": "GW-BUILD-2.what",
        "section": "GW-BUILD-2.section",
        "goods": "GW-CARD-3.goods",
    }
    what: Annotated[str, Works()] = ""
    section: Annotated[str, Sections()] = ""
    goods: Annotated[tuple[str, ...], OneOf(*GOODS, many=True, lead=("less", "without"))] = ()
    """Which goods a card for one build leaves out."""
    builds: tuple[dict[str, Any], ...] = ()
    """Several builds in one report."""
    shot: Any = None
    pay: dict[str, dict[str, int]] | None = None

    def options(self, at: At, field: str) -> Iterable[Any] | None:
        if field == "by":
            return super().options(at, field)
        if self.builds or field in ("builds", "shot", "pay"):
            return None
        if field == "what":
            machines = cat(at).of("machine") if "black_powder" in at.state.modules else ()
            return (WALL, BARRICADE, *machines)
        if field == "section":
            return SECTIONS
        return self._discounts(at) if self.by and self.what and self.section else None

    def _discounts(self, at: At) -> list[tuple[str, ...]] | None:
        """The goods that a card may leave out of this build; None if there is no such card."""
        cost = price(at, self.by, self.what, self.section)
        n = int(cost.discount.base) - int(cost.discount)
        has = plain(cost.figures)
        mixes = combinations_with_replacement([good for good in GOODS if has.get(good)], n)
        return [mix for mix in mixes if all(mix.count(good) <= has[good] for good in mix)] if n else None

    def forbidden(self, at: At) -> Iterator[Breach]:
        yield from self.moment(at)
        if self.builds or not self.what:
            yield from too_many(at, self.by)
            return
        if self.what not in (WALL, BARRICADE) and "black_powder" not in at.state.modules:
            yield at.breach("GW-BUILD-2.machine", what=name_of(at, "machine", self.what))
            return
        if self.section:
            yield from no_room(at, self.what, self.section)
        yield from too_many(at, self.by)
        if self.section and self.by:
            yield from self._unpaid(at)

    def _unpaid(self, at: At) -> Iterator[Breach]:
        """Warehouse and own supply do not cover the price, or another payment is claimed (GW-BUILD-3, GW-BUILD-4)."""
        choices = [self.goods] if self.goods else self._discounts(at) or [()]
        costs = [price(at, self.by, self.what, self.section, goods) for goods in choices]
        lacks = [lacking(at.state.own(self.by).res, cost.own) for cost in costs]
        facts: dict[str, Any] = {"player": self.by, "what": said(at, self.what), "section": self.section}
        if all(lacks):
            cost = costs[0]
            facts |= {"cost": plain(cost.figures), "lacks": lacks[0], "sum": changes(cost.figures)}
            yield at.breach("GW-BUILD-4", "GW-GEN-6", **facts)
        elif len(costs) == 1:
            yield from misclaimed(at, self.pay, costs[0].own, costs[0].stores)

    def apply(self, at: At) -> None:
        if self.builds:
            return
        s, cost = at.state, price(at, self.by, self.what, self.section, self.goods)
        use(at, self.by, SITE)
        for kind, n in cost.stores.items():
            s.warehouse[kind] -= n
        for kind, n in cost.own.items():
            s.own(self.by).res[kind] -= n
        for figure in (*cost.figures.values(), cost.discount):
            use_once(at, figure)
        facts = {"player": self.by, "section": self.section, "cost": plain(cost.figures), "sum": changes(cost.figures)}
        if cost.less:
            at.note("GW-CARD-3.discount", player=self.by, goods=cost.less, sum=cost.discount.sum)
        if cost.stores:
            at.note("GW-BUILD-3.paid", own=cost.own, warehouse=cost.stores)
        at.kept("GW-BUILD-1", "GW-BUILD-2", *figure_rules(cost.figures))
        _stand(at, self, cost, facts)
        ends_use(at, self.by)

    def follow_ups(self, at: At) -> Iterator[Move]:
        yield from (Build(by=self.by, **one) for one in self.builds)
        answers = Answers(self)
        answers.goods = {}
        yield from answers.given(at)
        yield from answers.left(at)


def _stand(at: At, build: Build, cost: Price, facts: dict[str, Any]) -> None:
    """What was built stands, and earns its honor (GW-BUILD-7, GW-BUILD-9, GW-BP-6)."""
    s, clan, section = at.state, build.by, build.section
    if build.what == WALL:
        s.walls[section] += 1
        s.own(clan).walls_built += 1
        gain(at, clan, {"honor": cost.honor})
        at.note("GW-BUILD-5.built", level=s.walls[section], honor=cost.honor, **facts)
        at.kept("GW-BUILD-7")
        at.trigger("build_wall", clan, section=section)
        look_at_walls(at)
    elif build.what == BARRICADE:
        s.barricades[section] += 1
        honor = at["barricade.honor"]
        gain(at, clan, {"honor": honor})
        at.note("GW-BUILD-8.built", n=s.barricades[section], honor=honor, **facts)
        at.kept("GW-BUILD-9")
        at.trigger("build_barricade", clan, section=section)
    else:
        s.machines[section].append(build.what)
        honor = at["machine.honor"]
        gain(at, clan, {"honor": honor})
        at.note("GW-BP-6.built", machine=said(at, build.what), honor=honor, **facts)
        for shoot in MACHINE_BUILT:
            shoot(at, clan, build.what, section)


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
    """What is built, as a sentence names it."""
    return (
        f"a {name_of(at, 'machine', what)}"
        if what not in (WALL, BARRICADE)
        else "a wall level"
        if what == WALL
        else "a barricade"
    )


MOVES = {STEP: (Build,)}

__all__ = ["MOVES", "SITE", "Build", "Price", "no_room", "price"]
