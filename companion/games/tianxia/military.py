"""The military turn: fortify the wall or train soldiers (rules TX-MIL, TX-FORT, TX-TRAIN)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated, Any, ClassVar

import msgspec

from companion.engine.play.moves import Breach, Count, OneOf, Seat
from companion.engine.play.parts import UNSAID, Part, Parts
from companion.engine.things.figures import Figure
from companion.engine.things.tracks import printed_at

from . import domains
from .catalogue import FORTIFY, ROWS, TRAIN, At, cat, name_of
from .free import FREE, Choose, Unset
from .palace import bad_choice, open_to, step
from .soldiers import next_space, place
from .turns import MarkerTurn

BUILT = {"wall": "walls_built", "tower": "towers_built"}
LIST_RULE = {"wall": "TX-FORT-2", "tower": "TX-FORT-3"}
SLOT_RULE = {"wall": "TX-FORT-4", "tower": "TX-FORT-11"}


def piece_cost(at: At, who: str, kind: str, built: int) -> Figure:
    """Stone for the next wall or tower of a player who has built so many (TX-FORT-2, -3)."""
    return at.value("fortify.piece.stone", who, base=printed_at(at[f"{kind}.cost.stone"], built))


def pieces_owned(at: At, kind: str) -> int:
    """How many walls or towers a player has in all (TX-FORT-8)."""
    return len(at[f"{kind}.cost.stone"])


class MilitaryStep(Part, frozen=True):
    """Take a palace step on any track."""

    words = ("track", "step")
    asks: ClassVar[dict[str, str]] = {"track": "TX-MIL-3.track"}
    track: Annotated[str | Unset, domains.banner()] = UNSAID
    choose: Choose = msgspec.field(default_factory=dict)

    def forbidden(self, at: At) -> Iterator[Breach]:
        if at.turn.count(MilitaryStep):
            yield at.breach("TX-MIL-3.twice", player=at.mover)
        if self.track is not UNSAID:
            yield from bad_choice(at, at.mover, str(self.track))

    def apply(self, at: At) -> None:
        at.note("TX-MIL-3.step", player=at.mover, track=self.track)
        step(at, at.mover, str(self.track))


class Structure(Part, frozen=True):
    """What walls and towers share: the first field names the section, `slot` and `cost` are claims of the table."""

    slot: ClassVar[Any]
    cost: ClassVar[Any]

    @property
    def lane(self) -> str:
        return str(getattr(self, self.tag()))

    def options(self, at: At, field: str) -> Iterable[Any] | None:
        return list(cat(at).lanes) if field == self.tag() else None

    def forbidden(self, at: At) -> Iterator[Breach]:
        kind, who = self.tag(), at.mover
        p = at.state.player[who]
        if at.turn.action != FORTIFY:
            yield at.breach("TX-MIL-1.fortify", piece=kind)
        said = getattr(self, kind) is not UNSAID
        if said:
            yield from _full(at, self.lane, kind, self.slot, "TX-FORT-12", SLOT_RULE[kind])
        built = int(getattr(p, BUILT[kind]))
        if built >= pieces_owned(at, kind):
            yield at.breach("TX-FORT-8", player=who, piece=kind, n=built)
            return
        cost = piece_cost(at, who, kind, built)
        if self.cost is not None and self.cost != cost.value:
            yield at.breach(f"{LIST_RULE[kind]}.price", piece=kind, nth=built + 1, cost=cost.value, said=self.cost)
        if cost.value > p.stone:
            yield at.breach("TX-FORT-1.stone", player=who, has=p.stone, piece=kind, nth=built + 1, cost=cost.sum)

    def apply(self, at: At) -> None:
        kind, who = self.tag(), at.mover
        p = at.state.player[who]
        built = getattr(p, BUILT[kind])
        cost = piece_cost(at, who, kind, built)
        at.spend(cost)
        p.stone -= cost.value
        setattr(p, BUILT[kind], built + 1)
        at.kept("TX-FORT-1", "TX-FORT-7", "TX-FORT-10", *(["TX-FORT-5"] if kind == "tower" else []))
        slot = place(at, who, self.lane, kind)
        at.note(f"{LIST_RULE[kind]}.build", player=who, nth=built + 1, sum=cost.sum)
        at.note(f"{SLOT_RULE[kind]}.stands", lane=name_of(at, "lane", self.lane), slot=slot)
        at.note("TX-FORT-6.defence", lane=name_of(at, "lane", self.lane), n=at.state.sections[self.lane].defence)


def _full(at: At, lane: str, kind: str, slot: int | None, full: str, leftmost: str) -> Iterator[Breach]:
    """The row is full, or another space was named than the leftmost empty one."""
    free, name = next_space(at, lane, kind), name_of(at, "lane", lane)
    if free is None:
        yield at.breach(f"{full}.full", lane=name, row=ROWS[kind], n=at["section.slots"][ROWS[kind]])
    elif slot is not None and slot != free:
        yield at.breach(f"{leftmost}.leftmost", lane=name, slot=free, said=slot)


class Wall(Structure, frozen=True):
    """Build the next wall in a section."""

    words = ("wall", "build wall")
    asks: ClassVar[dict[str, str]] = {"wall": "TX-FORT-7.lane"}
    wall: Annotated[str | Unset, domains.lane()] = UNSAID
    slot: Annotated[int | None, Count(1, lead=("slot", "space"))] = None  # type: ignore[misc]
    cost: Annotated[int | None, Count(lead=("cost",))] = None  # type: ignore[misc]


class Tower(Structure, frozen=True):
    """Build the next tower in a section."""

    words = ("tower", "build tower")
    asks: ClassVar[dict[str, str]] = {"tower": "TX-FORT-7.lane"}
    tower: Annotated[str | Unset, domains.lane()] = UNSAID
    slot: Annotated[int | None, Count(1, lead=("slot", "space"))] = None  # type: ignore[misc]
    cost: Annotated[int | None, Count(lead=("cost",))] = None  # type: ignore[misc]


class Soldier(Part, frozen=True):
    """Train a soldier in a section."""

    words = ("soldier", "train soldier")
    asks: ClassVar[dict[str, str]] = {"soldier": "TX-TRAIN-1.lane"}
    soldier: Annotated[str | Unset, domains.lane()] = UNSAID
    slot: Annotated[int | None, Count(1, lead=("slot", "space"))] = None

    def options(self, at: At, field: str) -> Iterable[Any] | None:
        return list(cat(at).lanes) if field == "soldier" else None

    def forbidden(self, at: At) -> Iterator[Breach]:
        p = at.state.player[at.mover]
        if at.turn.action != TRAIN:
            yield at.breach("TX-MIL-1.train")
        if self.soldier is not UNSAID:
            yield from _full(at, str(self.soldier), "soldier", self.slot, "TX-TRAIN-7", "TX-TRAIN-3")
        if not p.workers:
            yield at.breach("TX-TRAIN-4", player=at.mover)
        cost = at.value("soldier.cost.rice", at.mover)
        if cost.value > p.rice:
            yield at.breach("TX-TRAIN-2.rice", player=at.mover, has=p.rice, cost=cost.sum)

    def apply(self, at: At) -> None:
        who, lane = at.mover, str(self.soldier)
        p, cost = at.state.player[who], at.value("soldier.cost.rice", who)
        at.spend(cost)
        p.rice -= cost.value
        p.workers -= 1
        slot = place(at, who, lane, "soldier")
        at.note("TX-TRAIN-2.train", player=who, sum=cost.sum)
        at.kept("TX-TRAIN-1", "TX-TRAIN-4", "TX-TRAIN-6", "TX-TRAIN-8")
        at.note("TX-TRAIN-3.stands", lane=name_of(at, "lane", lane), slot=slot)
        at.note("TX-TRAIN-5.defence", lane=name_of(at, "lane", lane), n=at.state.sections[lane].defence)


PIECES: tuple[type[Part], ...] = (Wall, Tower, Soldier)


class MilitaryTurn(MarkerTurn, frozen=True):
    """Place a marker at the wall: a palace step, and walls and towers or soldiers."""

    name = "military"
    words = ("military", "")
    example = "fortify wall yiqu, tower yiqu, wall linhu, track crimson"
    sampled = True
    asks: ClassVar[dict[str, str]] = {"action": "TX-MIL-1.action"}
    player: Annotated[str, Seat()] = ""
    action: Annotated[str, OneOf(FORTIFY, TRAIN)] = ""
    steps: Annotated[tuple[Any, ...], Parts(MilitaryStep, *PIECES, lead=FREE)] = ()

    @classmethod
    def candidates(cls, at: At) -> Iterator[MilitaryTurn]:
        from .samples import military_turns

        return military_turns(at)

    def discs(self, at: At) -> list[str] | None:
        return at.state.military[self.action].discs if self.action else None

    def put_marker(self, at: At, who: str) -> None:
        at.state.military[self.action].discs.append(who)

    def forbidden(self, at: At) -> Iterator[Breach]:
        yield from self.no_marker(at, self.player)
        yield from self.too_dear(at, self.player, "TX-MIL-2")

    def begin(self, at: At) -> None:
        at.kept("TX-MIL-1", "TX-MIL-5", *(["TX-MIL-6"] if self.discs(at) else []))
        self.place_marker(at, self.player, self.action.capitalize(), "TX-MIL-2", "TX-MIL-2")

    def closing(self, at: At) -> Iterator[Breach]:
        if not self.count(*PIECES):
            yield at.breach("TX-MIL-4", player=self.player)
        if not self.count(MilitaryStep) and open_to(at, self.player):
            yield at.breach("TX-MIL-7", player=self.player)
