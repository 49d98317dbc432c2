"""Silk: region turns and passing, to try turns that are made of steps."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated, Any

import msgspec

from companion.engine.answers.ledger import Ledger
from companion.engine.play.domains import Count, Flag, OneOf, PieceName, Seat, Unspoken
from companion.engine.play.moves import Breach, Move
from companion.engine.play.parts import UNSAID, Part, Parts, Turn
from companion.engine.play.phases import Phase
from companion.engine.play.position import Position, Rules
from companion.engine.things.figures import Source
from components.model import ResolvedGame, ResolvedPiece

GOODS = ("salt", "silk", "lacquer")
TRACKS = ("crimson", "indigo", "gold", "jade")


class Player(msgspec.Struct):
    coin: int = 0
    rice: int = 0
    wood: int = 0
    stone: int = 0
    salt: int = 0
    silk: int = 0
    lacquer: int = 0
    vp: int = 0
    workers: int = 12
    markers: int = 3
    ship_markers: int = 4
    crates: int = 12
    delivered: int = 0
    tracks: dict[str, int] = {}
    figurines: list[str] = []


class Port(msgspec.Struct):
    demand: str = ""
    ship: str = ""
    crates: dict[int, str] = {}
    markers: list[str] = []


class State(msgspec.Struct):
    players: list[str] = []
    phase: str = "action"
    active: str = ""
    next_order: list[str] = []
    round_tiles: list[str] = []
    player: dict[str, Player] = {}
    regions: dict[str, list[str]] = {}
    ports: dict[str, Port] = {}
    buildings: dict[str, list[str | None]] = {}


At = Position[State]


def piece(at: At, id: str) -> ResolvedPiece | None:
    return next((p for p in at.rules.game.pieces if p.id == id), None)


def field(at: At, id: str, name: str) -> Any:
    found = piece(at, id)
    return found.fields.get(name) if found else None


def named(at: At, kind: str) -> list[str]:
    return [p.id for p in at.rules.game.pieces if p.fields["kind"] == kind]


class Building(PieceName):
    def __init__(self) -> None:
        super().__init__("building")


class Region(PieceName):
    def __init__(self) -> None:
        super().__init__("region")


# --- gains ---------------------------------------------------------------------------------------------------------


def gain(at: At, who: str, args: dict[str, Any], source: Source) -> None:
    for good, n in args["goods"].items():
        setattr(at.state.player[who], good, getattr(at.state.player[who], good) + n)
    at.note("SI-TRACK-1", player=who, gains=args["goods"])


def any_good(at: At, who: str, args: dict[str, Any], source: Source) -> None:
    for _ in range(args["n"]):
        gain(at, who, {"goods": {at.choose("any_good", who, GOODS, "SI-TRACK-1.any_good"): 1}}, source)


def step(at: At, who: str, track: str) -> None:
    """One palace step with its benefit (SI-REG-4, SI-TRACK-1)."""
    tracks = at.state.player[who].tracks
    tracks[track] = tracks.get(track, 0) + 1
    at.note("SI-REG-4", player=who, track=track, step=tracks[track])
    if (benefit := piece(at, f"{track}-{tracks[track]}")) is not None:
        at.run(benefit.effect, who, Source(benefit, who))


# --- the region turn --------------------------------------------------------------------------------------------------


class FreeMarker(Part, frozen=True):
    """Discard an unplaced marker for coins."""

    words = ("free marker", "discard marker")
    free: Annotated[str | msgspec.UnsetType, OneOf("marker")] = UNSAID

    def forbidden(self, at: At) -> Iterator[Breach]:
        if not at.state.player[at.mover].markers:
            yield at.breach("SI-FREE-3", player=at.mover)

    def apply(self, at: At) -> None:
        p, n = at.state.player[at.mover], at["free.marker.coin"]
        p.markers -= 1
        p.coin += n
        at.note("SI-FREE-3", player=at.mover, n=n)


class Track(Part, frozen=True):
    """Take the step on the region's track."""

    words = ("track",)
    track: Annotated[bool | msgspec.UnsetType, Flag("track")] = UNSAID

    def forbidden(self, at: At) -> Iterator[Breach]:
        if at.turn.done(Track):
            yield at.breach("SI-REG-4.twice")

    def apply(self, at: At) -> None:
        step(at, at.mover, field(at, at.turn.region, "track"))


class Bubble(Part, frozen=True):
    """Gain the region's bubble."""

    words = ("bubble",)
    bubble: Annotated[bool | msgspec.UnsetType, Flag("bubble")] = UNSAID

    def forbidden(self, at: At) -> Iterator[Breach]:
        if not field(at, at.turn.region, "bubble"):
            yield at.breach("SI-REG-5.none", region=at.turn.region)
        elif at.turn.done(Bubble):
            yield at.breach("SI-REG-5.twice", region=at.turn.region)

    def apply(self, at: At) -> None:
        gains = field(at, at.turn.region, "bubble")
        for good, n in gains.items():
            setattr(at.state.player[at.mover], good, getattr(at.state.player[at.mover], good) + n)
        at.note("SI-REG-5", player=at.mover, gains=gains)


class Governor(Part, frozen=True):
    """Install a governor in a building of the region."""

    words = ("governor",)
    asks = {"governor": "SI-GOV-1.building", "space": "SI-GOV-1.space"}  # noqa: RUF012
    governor: Annotated[str | msgspec.UnsetType, Building()] = UNSAID
    space: Annotated[int, Count(1)] = 0

    def options(self, at: At, field: str) -> Iterable[Any]:
        return named(at, "building") if field == "governor" else (1, 2, 3)

    def forbidden(self, at: At) -> Iterator[Breach]:
        if at.turn.done(Governor):
            yield at.breach("SI-REG-6", player=at.mover)
        if self.governor is UNSAID:
            return
        home = field(at, self.governor, "region")
        if home != at.turn.region:
            yield at.breach("SI-GOV-1.elsewhere", building=self.governor, place=home, region=at.turn.region)
        p = at.state.player[at.mover]
        if not p.workers:
            yield at.breach("SI-GOV-2.worker", player=at.mover)
        if self.space and (owner := at.state.buildings[self.governor][self.space - 1]):
            yield at.breach("SI-GOV-1.taken", space=self.space, building=self.governor, owner=owner)
        elif (cost := self.cost(at)) > p.wood:
            yield at.breach("SI-GOV-2.wood", player=at.mover, has=p.wood, building=self.governor, cost=cost)

    def cost(self, at: At) -> int:
        more: list[int] = field(at, self.governor, "more")
        return int(field(at, self.governor, "wood")) + (more[self.space - 1] if self.space else min(more))

    def apply(self, at: At) -> None:
        p = at.state.player[at.mover]
        p.wood -= self.cost(at)
        p.workers -= 1
        at.state.buildings[self.governor][self.space - 1] = at.mover
        at.note("SI-GOV-1", player=at.mover, building=self.governor, n=self.cost(at))
        found = piece(at, str(self.governor))
        assert found is not None
        at.run(found.effect, at.mover, Source(found, at.mover))


class Exchange(Part, frozen=True):
    """Use the region's conversion."""

    words = ("exchange",)
    asks = {"exchange": "SI-EXCH-2.exchange"}  # noqa: RUF012
    exchange: Annotated[int | msgspec.UnsetType, Count(1)] = UNSAID

    def options(self, at: At, field: str) -> Iterable[Any]:
        return range(1, at["exchange.max_times"] + 1)

    def forbidden(self, at: At) -> Iterator[Breach]:
        gives = field(at, at.turn.region, "gives")
        if not gives:
            yield at.breach("SI-EXCH-1", region=at.turn.region)
        if at.turn.done(Exchange):
            yield at.breach("SI-REG-6", player=at.mover)
        if self.exchange is UNSAID or not gives:
            return
        if self.exchange > at["exchange.max_times"]:
            yield at.breach("SI-EXCH-2", n=self.exchange, most=at["exchange.max_times"])
        for good, n in gives.items():
            has, cost = getattr(at.state.player[at.mover], good), n * self.exchange
            if has < cost:
                yield at.breach("SI-EXCH-4", player=at.mover, has=has, good=good, n=self.exchange, cost=cost)

    def apply(self, at: At) -> None:
        p, region, times = at.state.player[at.mover], at.turn.region, int(self.exchange)
        gives = {good: n * times for good, n in field(at, region, "gives").items()}
        gets = {good: n * times for good, n in field(at, region, "gets").items()}
        for good in {**gives, **gets}:
            setattr(p, good, getattr(p, good) - gives.get(good, 0) + gets.get(good, 0))
        at.note("SI-EXCH-1", player=at.mover, n=times, gives=gives, gets=gets)


class Delivery(msgspec.Struct, frozen=True, omit_defaults=True):
    space: int
    pay: dict[str, int] = {}


class Ship(Part, frozen=True):
    """Deliver crates to the ship in the region's port."""

    words = ("ship",)
    ship: Annotated[str | msgspec.UnsetType, OneOf("port", "wave")] = UNSAID
    deliveries: Annotated[tuple[Delivery, ...], Unspoken()] = ()

    def forbidden(self, at: At) -> Iterator[Breach]:
        region = at.turn.region
        port = at.state.ports.get(region)
        if port is None or not field(at, region, "port"):
            yield at.breach("SI-SHIP-1", region=region)
            return
        price = 1 + field(at, f"{port.ship}-1", "extra")
        covered = set(port.crates)
        for delivery in self.deliveries:
            if delivery.space in covered or not piece(at, f"{port.ship}-{delivery.space}"):
                yield at.breach("SI-SHIP-4", space=delivery.space, ship=port.ship)
            covered.add(delivery.space)
            if delivery.pay.get(port.demand, 0) < 1 or sum(delivery.pay.values()) != price:
                yield at.breach("SI-SHIP-6", cost=f"1 {port.demand} and {price - 1} more", pay=delivery.pay)

    def apply(self, at: At) -> None:
        p, port = at.state.player[at.mover], at.state.ports[at.turn.region]
        port.markers.append(at.mover)
        p.ship_markers -= 1
        for delivery in self.deliveries:
            for good, n in delivery.pay.items():
                setattr(p, good, getattr(p, good) - n)
            port.crates[delivery.space] = at.mover
            p.crates -= 1
            p.delivered += 1
            at.note("SI-SHIP-6", player=at.mover, space=delivery.space, ship=port.ship, pay=delivery.pay)
            covered = piece(at, f"{port.ship}-{delivery.space}")
            assert covered is not None
            at.run(covered.effect, at.mover, Source(covered, at.mover))
            at.trigger("delivery", at.mover)


class RegionTurn(Turn, frozen=True):
    """Take a turn in a region."""

    name = "region"
    key = "turn"
    words = ("region", "")
    example = "zhao track, bubble, governor horses 1, exchange 3"
    asks = {"region": "SI-REG-1.region"}  # noqa: RUF012
    player: Annotated[str, Seat()] = ""
    region: Annotated[str, Region()] = ""
    steps: Annotated[tuple[Any, ...], Parts(Track, Bubble, Governor, Exchange, Ship, lead=FreeMarker)] = ()

    def done(self, kind: type[Part]) -> bool:
        return any(isinstance(part, kind) for part in self.steps)

    def forbidden(self, at: At) -> Iterator[Breach]:
        p = at.state.player.get(self.player)
        if p is None:
            return
        if self.player in at.state.next_order:
            yield at.breach("SI-ACT-4", player=self.player)
        if not p.markers:
            yield at.breach("SI-ACT-6", player=self.player)
        if self.region and self.cost(at) > p.coin:
            yield at.breach("SI-REG-2", player=self.player, has=p.coin, cost=self.cost(at))

    def cost(self, at: At) -> int:
        return len(at.state.regions.get(self.region, ())) * int(at["stack.cost.coin_per_disc"])

    def begin(self, at: At) -> None:
        p = at.state.player[self.player]
        if cost := self.cost(at):
            p.coin -= cost
            at.note("SI-REG-2", player=self.player, n=cost)
        p.markers -= 1
        at.state.regions.setdefault(self.region, []).append(self.player)
        at.note("SI-REG-1", player=self.player, region=self.region)

    def missing(self, at: At) -> Iterable[Part]:
        if not self.done(Track):
            yield Track(True)
        if field(at, self.region, "bubble") and not self.done(Bubble):
            yield Bubble(True)

    def closing(self, at: At) -> Iterator[Breach]:
        if not any(map(self.done, (Governor, Exchange, Ship))):
            yield at.breach("SI-REG-7", player=self.player, region=self.region)


# --- passing ----------------------------------------------------------------------------------------------------------


class TakeTile(Part, frozen=True):
    """Take a tile from below the round track."""

    words = ("tile", "take")
    asks = {"tile": "SI-PASS-9.tile"}  # noqa: RUF012
    tile: Annotated[str | msgspec.UnsetType | None, OneOf("tiger", "ox", "purse")] = UNSAID

    def options(self, at: At, field: str) -> Iterable[Any]:
        return at.state.round_tiles

    def forbidden(self, at: At) -> Iterator[Breach]:
        if at.turn.count(TakeTile):
            yield at.breach("SI-PASS-9.twice", player=at.mover)
        if at.turn.count(Buy):
            yield at.breach("SI-PASS-2", player=at.mover)
        if self.tile is not UNSAID and self.tile not in at.state.round_tiles:
            yield at.breach("SI-PASS-9.gone", tile=self.tile)

    def apply(self, at: At) -> None:
        at.state.round_tiles.remove(str(self.tile))
        at.state.player[at.mover].figurines.append(str(self.tile))
        at.note("SI-PASS-9", player=at.mover, tile=self.tile)


class Buy(Part, frozen=True):
    """Buy a palace step."""

    words = ("buy",)
    asks = {"buy": "SI-PASS-6.buy"}  # noqa: RUF012
    answered_by = (OneOf(*GOODS),)
    buy: Annotated[str | msgspec.UnsetType, OneOf(*TRACKS)] = UNSAID
    choose: Annotated[dict[str, list[str]], Unspoken()] = msgspec.field(default_factory=dict)

    def forbidden(self, at: At) -> Iterator[Breach]:
        p, bought = at.state.player[at.mover], at.turn.count(Buy) + 1
        if bought > len(p.figurines):
            yield at.breach("SI-PASS-6", player=at.mover, figurines=len(p.figurines), n=bought)
        cost = at.value("figurine.step.cost.coin", at.mover)
        if p.coin < cost.value:
            yield at.breach("SI-PASS-7", player=at.mover, has=p.coin, cost=cost)

    def apply(self, at: At) -> None:
        at.state.player[at.mover].coin -= at.value("figurine.step.cost.coin", at.mover).value
        step(at, at.mover, str(self.buy))


class PassTurn(Turn, frozen=True):
    """Pass: take a tile, then buy palace steps."""

    name = "pass"
    key = "turn"
    words = ("pass",)
    example = "pass, tile tiger, buy gold, buy jade"
    player: Annotated[str, Seat()] = ""
    steps: Annotated[tuple[Any, ...], Parts(TakeTile, Buy, lead=FreeMarker)] = ()

    def count(self, kind: type[Part]) -> int:
        return sum(isinstance(part, kind) for part in self.steps)

    def forbidden(self, at: At) -> Iterator[Breach]:
        if self.player in at.state.next_order:
            yield at.breach("SI-ACT-4", player=self.player)

    def begin(self, at: At) -> None:
        at.state.next_order.append(self.player)
        at.note("SI-PASS-1", player=self.player, n=len(at.state.next_order))

    def closing(self, at: At) -> Iterator[Breach]:
        if at.state.round_tiles and not self.count(TakeTile):
            yield at.breach("SI-PASS-9.none", player=self.player)


def next_player(at: At) -> list[str]:
    """The active player; whoever acts first, where the position leaves it open."""
    s = at.state
    return [s.active] if s.active else [p for p in s.players if p not in s.next_order]


class Silk(Rules):
    state = State
    move_keys = ("turn", "event")
    loose_choice = "SI-TRACK-1"
    phases = (
        Phase(
            name="action", title="the action phase", rule="SI-ACT-1", moves=(RegionTurn, PassTurn), awaited=next_player
        ),
    )
    ops = {"gain": gain, "any_good": any_good}  # noqa: RUF012

    def __init__(self, game: ResolvedGame) -> None:
        self.game = game
        self.moves: dict[str, type[Move]] = {"region": RegionTurn, "pass": PassTurn}

    def bearers(self, state: State, piece: ResolvedPiece) -> Iterable[tuple[str, Any]]:
        owners = {owner for owner in state.buildings.get(piece.id, ()) if owner}
        return [(owner, piece.id) for owner in owners]

    def names(self, set_name: str) -> Iterable[str]:
        return [p.id for p in self.game.pieces if p.fields["kind"] == set_name]

    def spoken(self, set_name: str) -> dict[str, Any]:
        return {word: name for name in self.names(set_name) for word in (name, name.split("_")[-1])}

    def new_state(self) -> State:
        return State()

    def complete(self, partial: dict[str, Any]) -> State:
        state = msgspec.convert({"players": ["ana", "bo", "cai"], **partial}, State)
        for seat in state.players:
            p = state.player.setdefault(seat, Player())
            p.markers = self.game.params["markers"] - sum(row.count(seat) for row in state.regions.values())
        for name in self.names("building"):
            state.buildings[name] = [*state.buildings.get(name, ()), None, None, None][:3]
        return state

    def copy(self, state: State) -> State:
        return msgspec.convert(msgspec.to_builtins(state, str_keys=False), State)

    def seats(self, state: State) -> list[str]:
        return state.players

    def over(self, state: State) -> bool:
        return False

    def show(self, at: Position[Any]) -> str:
        return "\n".join(f"{seat}: {p.coin} coins" for seat, p in at.state.player.items())

    def score(self, at: Position[Any]) -> Ledger:
        return Ledger("points", (), (tuple(at.seats),))


def rules(game: ResolvedGame) -> Silk:
    return Silk(game)
