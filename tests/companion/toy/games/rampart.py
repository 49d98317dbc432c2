"""Rampart: an activation with clerks, cards that change figures and wait for moments, shame owed by several players."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated, Any

import msgspec

from companion.engine.answers.ledger import Ledger
from companion.engine.play.domains import Domain, OneOf, Seat, Unspoken
from companion.engine.play.moves import Breach, Move
from companion.engine.play.pending import Task
from companion.engine.play.phases import Phase, Who
from companion.engine.play.position import Position, Rules
from companion.engine.things.figures import Source
from components.model import ResolvedGame, ResolvedPiece


class Player(msgspec.Struct):
    stone: int = 0
    chi: int = 0
    honor: int = 0
    barricades: int = 0
    soldiers: dict[str, int] = {}
    shamed: dict[str, int] = {}
    cards: list[str] = []
    used: dict[str, list[str]] = {}


class State(msgspec.Struct):
    tea: list[str] = []
    phase: str = "fall"
    active: str = ""
    quarry: dict[str, int] = {}
    player: dict[str, Player] = {}
    pending: list[Task] = []


At = Position[State]


def in_tea_order(at: At, seats: Iterable[str]) -> list[str]:
    wanted = set(seats)
    return [seat for seat in at.state.tea if seat in wanted]


def gain(at: At, who: str, args: dict[str, Any], source: Source) -> None:
    for good, n in args["goods"].items():
        setattr(at.state.player[who], good, getattr(at.state.player[who], good) + n)
    at.note("RA-CARD-1", player=who, gains=args["goods"], card=source.name)


class Activate(Move):
    """Activate the Quarry."""

    name = "activate"
    key = "event"
    words = ("activate",)
    by: Annotated[str, Seat()] = ""
    order: Annotated[tuple[str, ...], OneOf("quarry", many=True)] = ("quarry",)

    def options(self, at: At, field: str) -> Iterable[Any] | None:
        return [at.state.active] if field == "by" else None

    def forbidden(self, at: At) -> Iterator[Breach]:
        if (clerks := sum(at.state.quarry.values())) < at["quarry.slots"]:
            yield at.breach("RA-LOC-1", clerks=clerks, slots=at["quarry.slots"])

    def apply(self, at: At) -> None:
        at.note("RA-LOC-1")
        at.ends("activation")
        for seat in in_tea_order(at, at.state.quarry):
            at.owe(seat, "gather", at.state.quarry[seat], rule="RA-LOC-5")
            at.then("done", seat=seat)
        at.then("home")


def done(at: At, seat: str) -> None:
    """A player has finished all own clerks in the location."""
    at.trigger("resolve:quarry", seat)


def home(at: At) -> None:
    at.state.quarry = {}
    at.note("RA-LOC-6")


class Gather(Move):
    """Use a clerk to gather stone."""

    name = "gather"
    key = "event"
    role = "choice"
    words = ("gather",)
    by: Annotated[str, Seat()] = ""

    def apply(self, at: At) -> None:
        at.state.player[self.by].stone += at["production.yield"]
        at.note("RA-PROD-2", player=self.by, n=at["production.yield"])

    def options(self, at: At, field: str) -> Iterable[Any] | None:
        return at.rules.to_move(at.state)


class Build(Move):
    """Build a barricade."""

    name = "build"
    key = "event"
    words = ("build",)
    by: Annotated[str, Seat()] = ""

    def options(self, at: At, field: str) -> Iterable[Any] | None:
        return [at.state.active]

    def forbidden(self, at: At) -> Iterator[Breach]:
        if self.by:
            has, cost = at.state.player[self.by].stone, at.value("barricade.cost.stone", self.by)
            if has < int(cost):
                yield at.breach("RA-BUILD-1", player=self.by, has=has, cost=cost, sum=cost.sum)

    def apply(self, at: At) -> None:
        cost = at.value("barricade.cost.stone", self.by)
        at.spend(cost)
        at.state.player[self.by].stone -= int(cost)
        at.state.player[self.by].barricades += 1
        at.note("RA-BUILD-1", player=self.by, n=cost, sum=cost.sum)


class Assault(Move):
    """The horde breaks through: every player with soldiers owes shame."""

    name = "assault"
    key = "event"
    role = "event"
    words = ("assault",)
    shame_to: Annotated[dict[str, list[str]], Unspoken()] = msgspec.field(default_factory=dict)

    def options(self, at: At, field: str) -> Iterable[Any] | None:
        return None

    def apply(self, at: At) -> None:
        at.note("RA-ASLT-8")
        for seat in in_tea_order(at, at.state.player):
            at.trigger("breach_shame", seat)
            at.owe(seat, "take_shame", rule="RA-SHAME-2")

    def follow_ups(self, at: At) -> Iterator[Move]:
        for seat, carriers in self.shame_to.items():
            yield from (TakeShame(seat, carrier) for carrier in carriers)


class Carrier(Domain):
    """A kind of soldier in the player's supply, or `none`."""

    def values(self, at: Position[Any]) -> Iterable[str]:
        return ("spearman", "archer", "none")


class TakeShame(Move):
    """Place a shame token."""

    name = "take_shame"
    key = "event"
    role = "choice"
    answers = True
    elsewhere = "RA-SHAME-2"
    in_turn = "RA-SHAME-2.order"
    words = ("shame",)
    asks = {"carrier": "RA-SHAME-2"}  # noqa: RUF012
    by: Annotated[str, Seat()] = ""
    carrier: Annotated[str, Carrier()] = ""

    def forbidden(self, at: At) -> Iterator[Breach]:
        free = unshamed(at, self.by)
        if self.carrier == "none" and free:
            yield at.breach("RA-SHAME-6", player=self.by, soldiers=list(free))
        elif self.carrier not in ("", "none") and not free.get(self.carrier):
            yield at.breach("RA-SHAME-2.carrier", player=self.by, carrier=self.carrier)

    def apply(self, at: At) -> None:
        p = at.state.player[self.by]
        if self.carrier == "none":
            p.honor -= at["shame.unable_loss"]
            at.note("RA-SHAME-6", player=self.by, n=at["shame.unable_loss"])
        else:
            p.shamed[self.carrier] = p.shamed.get(self.carrier, 0) + 1
            at.note("RA-SHAME-2", player=self.by, carrier=self.carrier)


def unshamed(at: At, seat: str) -> dict[str, int]:
    p = at.state.player[seat]
    left = {unit: n - p.shamed.get(unit, 0) for unit, n in p.soldiers.items()}
    return {unit: n for unit, n in left.items() if n > 0}


class Rampart(Rules):
    state = State
    move_keys = ("event",)
    phases = (
        Phase(name="fall", rule="RA-FALL-1", moves=(Activate, Gather, Build)),
        Phase(name="winter", rule="RA-FALL-1", elsewhere="RA-ASLT-8", who=Who.TABLE, moves=(Assault, TakeShame)),
    )
    ops = {"gain": gain}  # noqa: RUF012
    steps = {"done": done, "home": home}  # noqa: RUF012

    def __init__(self, game: ResolvedGame) -> None:
        self.game = game
        kinds: tuple[type[Move], ...] = (Activate, Gather, Build, Assault, TakeShame)
        self.moves = {kind.name: kind for kind in kinds}

    def bearers(self, state: State, piece: ResolvedPiece) -> Iterable[tuple[str, Any]]:
        return [(seat, "") for seat, p in state.player.items() if piece.id in p.cards]

    def counted(self, state: State, span: str, owner: str) -> list[str]:
        return state.player[owner].used.setdefault(span, []) if owner else []

    def names(self, set_name: str) -> Iterable[str]:
        return [piece.id for piece in self.game.pieces]

    def new_state(self) -> State:
        return State()

    def complete(self, partial: dict[str, Any]) -> State:
        state = msgspec.convert({"tea": ["plum", "pine", "reed"], **partial}, State)
        for seat in state.tea:
            state.player.setdefault(seat, Player())
        return state

    def seats(self, state: State) -> list[str]:
        return state.tea

    def over(self, state: State) -> bool:
        return False

    def show(self, at: Position[Any]) -> str:
        return "\n".join(f"{seat}: {p.stone} stone" for seat, p in at.state.player.items())

    def score(self, at: Position[Any]) -> Ledger:
        return Ledger("honor", (), (tuple(at.seats),))


def rules(game: ResolvedGame) -> Rampart:
    return Rampart(game)
