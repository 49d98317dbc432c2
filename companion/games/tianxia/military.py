"""The military turn: fortify the wall or train soldiers (rules TX-MIL, TX-FORT, TX-TRAIN)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated, Any, ClassVar

from companion.engine.things.tracks import printed_at
from companion.rules import UNSAID, Breach, Count, Figure, OneOf, Part, Parts, PieceName

from .catalogue import FORTIFY, ROWS, TRAIN, At, cat, name_of
from .free import FREE
from .palace import bad_choice, open_to, step
from .soldiers import next_space, place
from .turns import MarkerTurn, Paid, Step, Unset, affordable, to_act

LANE = PieceName("lane", after=("for", "to"), of=("lane", "section"))
TAKING = ("take", "takes", "choose", "chooses", "use", "uses")
SPOKEN = {
    **{f"{take} {said}": FORTIFY for take in TAKING for said in ("fortify", "fortifying")},
    **{f"{take} {said}": TRAIN for take in TAKING for said in ("train", "training")},
    "fortifying": FORTIFY,
    "fortified": FORTIFY,
    "drill": TRAIN,
    "training": TRAIN,
    "trained": TRAIN,
    "recruit": TRAIN,
}
BUILT = {"wall": "walls_built", "tower": "towers_built"}
LIST_RULE = {"wall": "TX-FORT-2", "tower": "TX-FORT-3"}
SLOT_RULE = {"wall": "TX-FORT-4", "tower": "TX-FORT-11", "soldier": "TX-TRAIN-3"}
FULL_RULE = {"wall": "TX-FORT-12", "tower": "TX-FORT-12", "soldier": "TX-TRAIN-7"}


def piece_cost(at: At, who: str, kind: str, built: int) -> Figure:
    """Stone for the next wall or tower of a player who has built so many (TX-FORT-2, -3)."""
    return at.value("fortify.piece.stone", who, base=printed_at(at[f"{kind}.cost.stone"], built))


def pieces_owned(at: At, kind: str) -> int:
    """The number of walls or towers that a player has in all (TX-FORT-8)."""
    return len(at[f"{kind}.cost.stone"])


class MilitaryStep(Step, frozen=True):
    """Take a palace step on any track."""

    words = ("track", "")
    asks: ClassVar[dict[str, str]] = {"track": "TX-MIL-3.track"}
    track: Annotated[str | Unset, PieceName("palace", after=("with",), of=("track", "step", "palace"))] = UNSAID

    def forbidden(self, at: At) -> Iterator[Breach]:
        if at.turn.count(MilitaryStep):
            yield at.breach("TX-MIL-3.twice", player=at.mover)
        if self.track is not UNSAID:
            yield from bad_choice(at, at.mover, str(self.track))

    def apply(self, at: At) -> None:
        at.note("TX-MIL-3.step", player=at.mover, track=self.track)
        step(at, at.mover, str(self.track))


class Piece(Part, frozen=True, kw_only=True):
    """A wall, tower or soldier: its first field names the section, `slot` is a claim of the table."""

    action: ClassVar[str] = FORTIFY
    """The turn in which it is placed, and in which a section alone may name it: `train linhu`."""

    slot: Annotated[int | None, Count(1, lead=("slot", "space"), announced=True)] = None

    @classmethod
    def unnamed(cls, turn: Any) -> bool:
        return getattr(turn, "action", "") == cls.action

    @property
    def lane(self) -> str:
        """The section; empty where none is said yet."""
        return str(getattr(self, self.tag()) or "")

    def bad_space(self, at: At) -> Iterator[Breach]:
        """The row is full, or another space was named than the leftmost empty one."""
        if not self.lane:
            return
        kind, name = self.tag(), name_of(at, "lane", self.lane)
        free, row = next_space(at, self.lane, kind), ROWS[kind]
        if free is None:
            yield at.breach(f"{FULL_RULE[kind]}.full", lane=name, row=row, n=at["section.slots"][row])
        elif self.slot not in (None, free):
            yield at.breach(f"{SLOT_RULE[kind]}.leftmost", lane=name, slot=free, said=self.slot)

    def stand(self, at: At, defence: str) -> None:
        """Put it there, and tell where it stands and what the section counts now (rule `defence`)."""
        slot, name = place(at, at.mover, self.lane, self.tag()), name_of(at, "lane", self.lane)
        at.note(f"{SLOT_RULE[self.tag()]}.stands", lane=name, slot=slot)
        at.note(f"{defence}.defence", lane=name, n=at.state.sections[self.lane].defence)


class Structure(Piece, frozen=True, kw_only=True):
    """The common parts of walls and towers; `cost`, too, is a claim of the table."""

    cost: Annotated[int | None, Count(lead=("cost",), after=("for",), of=("stone",), announced=True, confirms=True)] = (
        None
    )

    def forbidden(self, at: At) -> Iterator[Breach]:
        kind, who = self.tag(), at.mover
        p = at.state.player[who]
        if at.turn.action != FORTIFY:
            yield at.breach("TX-MIL-1.fortify", piece=kind)
        yield from self.bad_space(at)
        built = int(getattr(p, BUILT[kind]))
        if built >= pieces_owned(at, kind):
            yield at.breach("TX-FORT-8", player=who, piece=kind, n=built)
            return
        cost = piece_cost(at, who, kind, built)
        if self.cost not in (None, cost.value):
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
        at.note(f"{LIST_RULE[kind]}.build", player=who, nth=built + 1, sum=cost.sum)
        self.stand(at, "TX-FORT-6")


class Wall(Structure, frozen=True):
    """Build the next wall in a section."""

    words = ("wall",)
    asks: ClassVar[dict[str, str]] = {"wall": "TX-FORT-7.lane"}
    wall: Annotated[str | Unset, LANE] = UNSAID


class Tower(Structure, frozen=True):
    """Build the next tower in a section."""

    words = ("tower",)
    asks: ClassVar[dict[str, str]] = {"tower": "TX-FORT-7.lane"}
    tower: Annotated[str | Unset, LANE] = UNSAID


class Soldier(Piece, frozen=True):
    """Train a soldier in a section."""

    action = TRAIN
    words = ("soldier",)
    asks: ClassVar[dict[str, str]] = {"soldier": "TX-TRAIN-1.lane"}
    soldier: Annotated[str | Unset, LANE] = UNSAID

    def forbidden(self, at: At) -> Iterator[Breach]:
        p = at.state.player[at.mover]
        if at.turn.action != TRAIN:
            yield at.breach("TX-MIL-1.train")
        yield from self.bad_space(at)
        if not p.workers:
            yield at.breach("TX-TRAIN-4", player=at.mover)
        cost = at.value("soldier.cost.rice", at.mover)
        if cost.value > p.rice:
            yield at.breach("TX-TRAIN-2.rice", player=at.mover, has=p.rice, cost=cost.sum)

    def apply(self, at: At) -> None:
        p, cost = at.state.player[at.mover], at.value("soldier.cost.rice", at.mover)
        at.spend(cost)
        p.rice -= cost.value
        p.workers -= 1
        at.note("TX-TRAIN-2.train", player=at.mover, sum=cost.sum)
        at.kept("TX-TRAIN-1", "TX-TRAIN-4", "TX-TRAIN-6", "TX-TRAIN-8")
        self.stand(at, "TX-TRAIN-5")


PIECES: tuple[type[Part], ...] = (Wall, Tower, Soldier)


def pieces_to_place(at: At, who: str, action: str) -> Iterator[Part]:
    """The walls, towers or soldiers that a player could place first, one for each section."""
    p = at.state.player[who]
    if action == TRAIN and p.workers and at.value("soldier.cost.rice", who).value <= p.rice:
        yield from (Soldier(lane) for lane in cat(at).lanes if next_space(at, lane, "soldier"))
    for kind, part in (("wall", Wall), ("tower", Tower)) if action == FORTIFY else ():
        built = getattr(p, BUILT[kind])
        if built < pieces_owned(at, kind) and piece_cost(at, who, kind, built).value <= p.stone:
            yield from (part(lane) for lane in cat(at).lanes if next_space(at, lane, kind))


class MilitaryTurn(MarkerTurn, frozen=True):
    """Place a marker at the wall: a palace step, and walls and towers or soldiers."""

    name = "military"
    words = ("military", "")
    sampled = True
    asks: ClassVar[dict[str, str]] = {"action": "TX-MIL-1.action"}
    stacking = "TX-MIL-2"
    spaces = ("military", "action")
    action: Annotated[str, OneOf(FORTIFY, TRAIN, spoken=SPOKEN, after=("to",))] = ""
    steps: Annotated[tuple[Any, ...], Parts(MilitaryStep, *PIECES, Paid, lead=FREE)] = ()

    @classmethod
    def candidates(cls, at: At) -> Iterator[MilitaryTurn]:
        for who in to_act(at)[:1]:
            first = [MilitaryStep(track) for track in open_to(at, who)[:1]]
            for action in affordable(at, who, at.state.military):
                for piece in pieces_to_place(at, who, action):
                    yield MilitaryTurn(who, action, (*first, piece))

    def action_options(self, at: At) -> Iterable[str]:
        """The action of the turn: if it was not named, the first piece tells it, as in `builds two walls`."""
        said = next((step for step in self.steps if isinstance(step, PIECES)), None)
        return (FORTIFY, TRAIN) if said is None else (TRAIN,) if isinstance(said, Soldier) else (FORTIFY,)

    def begin(self, at: At) -> None:
        space = at.state.military[self.action]
        at.kept("TX-MIL-1", "TX-MIL-5", *(["TX-MIL-6"] if space.discs else []))
        self.place_marker(at, space, self.action.capitalize(), "TX-MIL-2")

    def missing(self, at: At) -> Iterable[Part]:
        """A typed line that leaves out the palace step is asked for its track; a report without it is refused."""
        if at.open and self.count(*PIECES) and not self.count(MilitaryStep) and open_to(at, self.player):
            yield MilitaryStep()

    def closing(self, at: At) -> Iterator[Breach]:
        if not self.count(*PIECES):
            yield at.breach("TX-MIL-4", player=self.player)
        if not self.count(MilitaryStep) and open_to(at, self.player):
            yield at.breach("TX-MIL-7", player=self.player)
