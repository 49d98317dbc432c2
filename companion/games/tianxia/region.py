"""The region turn: marker, palace step, bubble, and the actions of the region (rules TX-REG)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated, Any, ClassVar

from companion.rules import UNSAID, Breach, Flag, Part, Parts, PieceName

from .catalogue import ANY_GOOD, At, Region, cat, name_of
from .exchange import Exchange, goods_held
from .free import FREE
from .gains import gain
from .governors import Governor, empty_spaces, wood_parts
from .palace import step
from .shipping import PORT, Delivery, Ship, free_spaces, payable, price
from .turns import MarkerTurn, Paid, Step, Unset, affordable, to_act


def here(at: At) -> Region:
    """The region of the turn."""
    return cat(at).regions[at.turn.region]


class OwnTrack(Flag):
    """The track of the region, which may be named: `the crimson step` in Zhao."""

    def spoken(self, at: At) -> dict[str, Any]:
        region = cat(at).regions.get(getattr(at.turn, "region", ""))
        said = ("track", "step", "palace", "palace track", "palace step", "track step")
        own = (region.banner, f"{region.banner} track", f"{region.banner} step") if region else ()
        return dict.fromkeys((*said, *own), True)


class OwnBubble(Flag):
    """The bubble of the region, which may be called by what it brings: `the stone` in Zhao."""

    def spoken(self, at: At) -> dict[str, Any]:
        region = cat(at).regions.get(getattr(at.turn, "region", ""))
        brings = region.bubble.items() if region else ()
        own = (said for kind, n in brings for said in (kind, f"{n} {kind}") if isinstance(n, int))
        return dict.fromkeys((*self.words, *own), True)


class RegionStep(Step, frozen=True):
    """Take the palace step of the region."""

    words = ("track", "")
    track: Annotated[bool | Unset, OwnTrack("track")] = UNSAID

    def forbidden(self, at: At) -> Iterator[Breach]:
        if at.turn.count(RegionStep):
            yield at.breach("TX-REG-4.twice", player=at.mover)

    def apply(self, at: At) -> None:
        at.note("TX-REG-4.step", player=at.mover, region=here(at).name, track=here(at).banner)
        step(at, at.mover, here(at).banner)


class Bubble(Step, frozen=True):
    """Gain the bubble of the region."""

    words = ("bubble",)
    needing: ClassVar[tuple[str, ...]] = ("take", "get", "gain", "collect")
    bubble: Annotated[bool | Unset, OwnBubble("bubble")] = UNSAID

    def forbidden(self, at: At) -> Iterator[Breach]:
        if not here(at).bubble:
            yield at.breach("TX-REG-5.none", region=here(at).name)
        elif at.turn.count(Bubble):
            yield at.breach("TX-REG-5.twice", region=here(at).name)

    def apply(self, at: At) -> None:
        at.kept("TX-REG-3")
        gain(at, at.mover, here(at).bubble, "TX-REG-5")


ACTIONS: tuple[type[Part], ...] = (Governor, Exchange, Ship)


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


class RegionTurn(MarkerTurn, frozen=True):
    """Place a marker in a region: a palace step, its bubble, and at least one of governor, exchange and shipping."""

    name = "region"
    words = ("region", "")
    sampled = True
    asks: ClassVar[dict[str, str]] = {"region": "TX-REG-1.region"}
    stacking = "TX-REG-2"
    spaces = ("regions", "region")
    region: Annotated[str, PieceName("region", after=("to",))] = ""
    steps: Annotated[tuple[Any, ...], Parts(RegionStep, Bubble, *ACTIONS, Paid, lead=FREE)] = ()

    @classmethod
    def candidates(cls, at: At) -> Iterator[RegionTurn]:
        for who in to_act(at)[:1]:
            for region in affordable(at, who, at.state.regions):
                for part in region_actions(at, who, region):
                    yield RegionTurn(who, region, (part,))

    def region_options(self, at: At) -> Iterable[str]:
        """The region: if it was not named, a building or a port tells it, as in `installs a governor in the
        granary`."""
        for said in self.steps:
            if isinstance(said, Governor) and said.governor in cat(at).buildings:
                return (cat(at).buildings[str(said.governor)].region,)
            if isinstance(said, Ship) and said.ship in cat(at).ports:
                return (str(said.ship),)
        return cat(at).regions

    def begin(self, at: At) -> None:
        space = at.state.regions[self.region]
        if self.player in space.discs:
            at.kept("TX-REG-9")
        self.place_marker(at, space, name_of(at, "region", self.region), "TX-REG-1")

    def missing(self, at: At) -> Iterable[Part]:
        if not self.count(RegionStep):
            at.kept("TX-REG-10")
            yield RegionStep(True)
        if here(at).bubble and not self.count(Bubble):
            yield Bubble(True)

    def closing(self, at: At) -> Iterator[Breach]:
        if not self.count(*ACTIONS):
            yield at.breach("TX-REG-7", "TX-REG-11", player=self.player, region=here(at).name)
