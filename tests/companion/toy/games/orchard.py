"""Orchard: a game just large enough to exercise every part of the engine that knows no game."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from random import Random
from typing import Annotated, Any

import msgspec

from companion.engine.answers.ledger import Ending, Ledger, Line, TieBreak
from companion.engine.play.declared import Each, Named, Once, Seated
from companion.engine.play.domains import Count, Flag, OneOf, PieceName, Seat, Tally, Unspoken
from companion.engine.play.forms import Default, Form
from companion.engine.play.moves import Breach, Move, default_options
from companion.engine.play.pending import Task
from companion.engine.play.phases import Phase, Who
from companion.engine.play.position import Answer, Position, Rules
from components.model import ResolvedGame
from components.scene import Scene, Thing

SeatName = Annotated[str, Seated()]
FruitName = Annotated[str, Named("fruit", "fruit called")]


class State(msgspec.Struct):
    seats: Annotated[list[str], Once()] = []
    phase: str = "setup"
    turn: SeatName = ""
    bag: int = 0
    coins: Annotated[dict[SeatName, int], Each()] = {}
    fruit: Annotated[dict[SeatName, dict[FruitName, int]], Each()] = {}
    ladders: Annotated[dict[SeatName, int], Each()] = {}
    passed: list[SeatName] = []
    raided: SeatName | None = None


At = Position[State]


def in_the_bag(at: At) -> int:
    return sum(copies(at).values()) - sum(sum(have.values()) for have in at.state.fruit.values())


FORM = Form(
    seats=Default("seats", "`ana` and `bo`", lambda at: ["ana", "bo"]),
    defaults=(
        Default("phase", "`turns`", lambda at: "turns"),
        Default("turn", "the first seat", lambda at: at.seats[0]),
        Default("bag", "the fruit that nobody has", in_the_bag),
        Default("coins.*", "", "setup.coins"),
    ),
)


def copies(at: At) -> dict[str, int]:
    return at.rules.copies  # type: ignore[attr-defined, no-any-return]


def give(at: At, giver: str, taker: str, fruit: str, n: int = 1) -> None:
    have = at.state.fruit
    have[giver][fruit] -= n
    if not have[giver][fruit]:
        del have[giver][fruit]
    have[taker][fruit] = have[taker].get(fruit, 0) + n


def next_turn(at: At) -> None:
    s = at.state
    i = s.seats.index(s.turn) + 1
    s.turn = s.seats[i % len(s.seats)]
    if s.bag == 0:
        s.phase = "over"
        at.note("OR-END-1")
    elif i == len(s.seats):
        at.enter("market")


class Setup(Move):
    """Lay out the orchard."""

    name = "setup"
    words = ("setup",)
    seats: Annotated[tuple[str, ...], Unspoken()] = ()

    def forbidden(self, at: At) -> Iterator[Breach]:
        if not at["game.min_players"] <= len(set(self.seats)) <= at["game.max_players"]:
            yield at.breach("OR-SETUP-1", players=len(set(self.seats)))

    def apply(self, at: At) -> None:
        s = at.state
        s.seats, s.turn = list(self.seats), self.seats[0]
        s.coins = dict.fromkeys(s.seats, at["setup.coins"])
        s.fruit = {seat: {} for seat in s.seats}
        s.ladders = dict.fromkeys(s.seats, 0)
        s.bag = sum(copies(at).values())
        at.note("OR-SETUP-2", coins=at["setup.coins"])
        at.enter("market")


class Swap(Move):
    """Two farmers swap fruit."""

    name = "swap"
    words = ("swap", "trade")
    example = "ana swap bo 2 pears for 1 plum"
    asks = {key: f"OR-MARKET-1.{key}" for key in ("a", "b", "a_gives", "b_gives")}  # noqa: RUF012
    sampled = True
    a: Annotated[str, Seat()] = ""
    b: Annotated[str, Seat(actor=False)] = ""
    a_gives: Annotated[dict[str, int], Tally("fruit")] = msgspec.field(default_factory=dict)
    b_gives: Annotated[dict[str, int], Tally("fruit", lead=("for",))] = msgspec.field(default_factory=dict)

    def options(self, at: At, field: str) -> Iterable[Any]:
        if field in ("a", "b"):
            return at.seats
        have = at.state.fruit.get(self.a if field == "a_gives" else self.b, {})
        return [{fruit: n} for fruit, most in have.items() for n in range(1, most + 1)]

    def forbidden(self, at: At) -> Iterator[Breach]:
        if self.a and self.a == self.b:
            yield at.breach("OR-MARKET-1.alone", player=self.a)
        for seat, gives in ((self.a, self.a_gives), (self.b, self.b_gives)):
            for fruit, n in gives.items():
                has = at.state.fruit.get(seat, {}).get(fruit, 0)
                if n > has or n < 1:
                    yield at.breach("OR-MARKET-1.short", player=seat, fruit=fruit, has=has, gives=n)

    def apply(self, at: At) -> None:
        for giver, taker, gives in ((self.a, self.b, self.a_gives), (self.b, self.a, self.b_gives)):
            for fruit, n in gives.items():
                give(at, giver, taker, fruit, n)
        at.note("OR-MARKET-1", a=self.a, b=self.b, gives=self.a_gives, gets=self.b_gives)


class Pass(Move):
    """Say that you are done with the market."""

    name = "pass"
    words = ("pass",)
    asks = {"player": "OR-MARKET-2"}  # noqa: RUF012
    player: Annotated[str, Seat()] = ""

    def forbidden(self, at: At) -> Iterator[Breach]:
        if self.player in at.state.passed:
            yield at.breach("OR-MARKET-2", player=self.player, passed=at.state.passed)

    def apply(self, at: At) -> None:
        at.state.passed.append(self.player)
        at.note("OR-MARKET-2", player=self.player)


class Pick(Move):
    """Report the fruit that came out of the bag."""

    name = "pick"
    role = "event"
    words = ("pick", "draw")
    example = "pick pear"
    asks = {"fruit": "OR-DRAW-1"}  # noqa: RUF012
    player: Annotated[str, Seat()] = ""
    fruit: Annotated[str, PieceName("fruit", secret=True)] = ""

    def forbidden(self, at: At) -> Iterator[Breach]:
        s = at.state
        if s.bag == 0:
            yield at.breach("OR-DRAW-1")
        out = sum(have.get(self.fruit, 0) for have in s.fruit.values())
        if self.fruit and out >= copies(at)[self.fruit]:
            yield at.breach("OR-DRAW-2", card=self.fruit, out=out, copies=copies(at)[self.fruit])

    def apply(self, at: At) -> None:
        s = at.state
        s.bag -= 1
        have = s.fruit[self.player]
        have[self.fruit] = have.get(self.fruit, 0) + 1
        at.note("OR-DRAW-1", player=self.player, fruit=self.fruit, bag=s.bag)
        next_turn(at)

    def shows(self) -> dict[str, Any]:
        return {"the bag": self.fruit}


class Ladder(Move):
    """Buy ladders."""

    name = "ladder"
    words = ("ladder", "buy ladder")
    example = "buy 2 ladders"
    player: Annotated[str, Seat()] = ""
    n: Annotated[int, Count(1)] = 1

    def options(self, at: At, field: str) -> Iterable[Any]:
        return range(1, at["setup.coins"] + 1) if field == "n" else default_options(self, at, field) or ()

    def forbidden(self, at: At) -> Iterator[Breach]:
        cost, has = self.n * at["ladder.cost"], at.state.coins.get(self.player, 0)
        if self.player and cost > has:
            yield at.breach("OR-LADDER-1", player=self.player, n=self.n, cost=cost, has=has)

    def apply(self, at: At) -> None:
        cost = self.n * at["ladder.cost"]
        at.state.coins[self.player] -= cost
        at.state.ladders[self.player] += self.n
        at.note("OR-LADDER-1", player=self.player, n=self.n, cost=cost)


class Raid(Move):
    """Raid another farmer."""

    name = "raid"
    words = ("raid",)
    asks = {"target": "OR-RAID-1"}  # noqa: RUF012
    player: Annotated[str, Seat()] = ""
    target: Annotated[str, Seat(actor=False)] = ""
    loudly: Annotated[bool, Flag("loudly")] = False

    def options(self, at: At, field: str) -> Iterable[Any] | None:
        return at.seats if field == "target" else default_options(self, at, field)

    def forbidden(self, at: At) -> Iterator[Breach]:
        s = at.state
        if self.player and not s.ladders.get(self.player):
            yield at.breach("OR-RAID-1.ladder", player=self.player)
        elif self.target and (self.target == self.player or not s.fruit.get(self.target)):
            yield at.breach("OR-RAID-1.nothing", player=self.player, target=self.target)

    def apply(self, at: At) -> None:
        at.state.ladders[self.player] -= 1
        at.state.coins[self.player] += at["ladder.cost"]
        at.note("OR-RAID-1", player=self.player, target=self.target, loudly=self.loudly)
        at.owe(self.target, "lose", rule="OR-RAID-2")


class Lose(Move):
    """Hand over a fruit after a raid."""

    name = "lose"
    role = "choice"
    words = ("lose", "hand over")
    asks = {"fruit": "OR-RAID-2"}  # noqa: RUF012
    player: Annotated[str, Seat()] = ""
    fruit: Annotated[str, PieceName("fruit")] = ""

    def forbidden(self, at: At) -> Iterator[Breach]:
        s = at.state
        if s.raided is None:
            yield at.breach("OR-RAID-2.nobody")
        elif self.fruit and self.fruit not in s.fruit[s.raided]:
            yield at.breach("OR-RAID-2.lacks", player=s.raided, fruit=self.fruit, has=s.fruit[s.raided])

    def apply(self, at: At) -> None:
        give(at, self.player, at.state.turn, self.fruit)
        at.note("OR-RAID-2", player=self.player, fruit=self.fruit)


class Done(Move):
    """End your turn without picking; nothing happens if it has ended by itself."""

    name = "done"
    words = ("done", "end turn")
    mood: Annotated[str, OneOf("happy", "sad")] = ""

    def options(self, at: At, field: str) -> Iterable[Any]:
        return ("", "happy", "sad")

    def already(self, at: At) -> bool:
        return at.state.phase == "over"

    def apply(self, at: At) -> None:
        at.note("OR-TURN-1", player=at.state.turn)
        next_turn(at)


def not_passed(at: At) -> list[str]:
    return [p for p in at.seats if p not in at.state.passed]


def open_market(at: At) -> None:
    at.state.passed = []


PHASES = (
    Phase(name="setup", title="the set-up", rule="OR-TURN-1", who=Who.TABLE, moves=(Setup,)),
    Phase(
        name="market", title="the market", rule="OR-TURN-1", who=Who.EACH, moves=(Swap, Pass),
        awaited=not_passed, enter=open_market, passing=Pass,
    ),
    Phase(name="turns", title="the turns", rule="OR-TURN-1", moves=(Pick, Ladder, Raid, Lose, Done)),
)  # fmt: skip


class Orchard(Rules):
    form = FORM
    state = State
    phases = PHASES
    derived = frozenset({"out"})

    def __init__(self, game: ResolvedGame) -> None:
        self.game = game
        kinds: tuple[type[Move], ...] = (Setup, Swap, Pass, Pick, Ladder, Raid, Lose, Done)
        self.moves = {kind.name: kind for kind in kinds}
        self.copies = {piece.name: piece.copies for piece in game.pieces}

    def names(self, set_name: str) -> Iterable[str]:
        return self.copies

    def spoken(self, set_name: str) -> dict[str, Any]:
        return {**{name: name for name in self.copies}, "plum": "Golden Plum"}

    def shorthand(self, text: str, at: Position[Any]) -> list[Move] | None:
        words = text.lower().split()
        if len(words) == 2 and words[0] == "storm" and words[1] in at.seats:
            return [Ladder(at.state.turn), Raid(at.state.turn, words[1])]
        return None

    def new_state(self) -> State:
        return State()

    def setup_move(self, seats: list[str], options: dict[str, Any]) -> Move:
        return Setup(tuple(seats))

    def dump(self, state: State) -> dict[str, Any]:
        out = sum(sum(have.values()) for have in state.fruit.values())
        return {**msgspec.to_builtins(state), "out": out}

    def check_whole(self, state: State) -> list[str]:
        out = sum(sum(have.values()) for have in state.fruit.values())
        total = sum(self.copies.values())
        coins = sum(state.coins.values()) + self.game.params["ladder.cost"] * sum(state.ladders.values())
        wrong = []
        if state.seats and out + state.bag != total:
            wrong.append(f"{out} fruit and {state.bag} in the bag, not {total}")
        if state.seats and coins != self.game.params["setup.coins"] * len(state.seats):
            wrong.append(f"coins and ladders are worth {coins}")
        if any(n < 0 for n in state.coins.values()):
            wrong.append("somebody has less than no coins")
        return wrong

    def seats(self, state: State) -> list[str]:
        return state.seats

    def active(self, state: State) -> str:
        return state.turn

    def agenda(self, state: State) -> list[Task]:
        return [Task(who=state.raided, move="lose", rule="OR-RAID-2")] if state.raided else []

    def add_task(self, state: State, task: Task, place: int) -> None:
        state.raided = task.who

    def settle_task(self, state: State, task: Task, n: int = 1) -> None:
        state.raided = None

    def over(self, state: State) -> bool:
        return state.phase == "over"

    def heading(self, at: Position[Any]) -> str:
        return f"{at.state.turn}'s turn" if at.state.phase == "turns" else at.state.phase

    def show(self, at: Position[Any]) -> str:
        s = at.state
        return "\n".join(f"{p}: {s.coins[p]} coins, {s.ladders[p]} ladders, {s.fruit[p]}" for p in s.seats)

    def scene(self, at: Position[Any]) -> Scene | None:
        s = at.state
        things = [Thing(mat="farm", id=seat, label=seat) for seat in s.seats]
        for seat, fruit in s.fruit.items():
            known = {kind: kind.lower().replace(" ", "-") for kind in fruit}
            things += [Thing(piece=f"fruit/{known[kind]}", count=n, at=f"{seat}#crates") for kind, n in fruit.items()]
        return Scene(title=f"{len(s.seats)} farmers", pieces=things)

    def score(self, at: Position[Any]) -> Ledger:
        s, each = at.state, at["score.ladder"]
        lines = []
        for p in s.seats:
            fruit = sum(s.fruit[p].values())
            lines.append(Line(p, "OR-END-2", "fruit", f"{fruit} x 1", fruit))
            lines.append(Line(p, "OR-END-2", "ladders", f"{s.ladders[p]} x {each}", s.ladders[p] * each))
        points = {p: sum(x.points for x in lines if x.seat == p) for p in s.seats}
        key = {p: (points[p], s.coins[p]) for p in s.seats}
        groups = [tuple(p for p in s.seats if key[p] == k) for k in sorted(set(key.values()), reverse=True)]
        level = [p for p in s.seats if points[p] == max(points.values())] if s.seats else []
        ties = (TieBreak("OR-END-3", "coins", {p: s.coins[p] for p in level}),) if len(level) > 1 else ()
        ending = Ending("OR-END-1", "The bag is empty.", groups[0]) if s.phase == "over" else None
        return Ledger("points", tuple(lines), tuple(groups), ties, ending)

    def propose(self, at: Position[Any], rng: Random) -> Move | None:
        s = at.state
        if s.phase == "market":
            return Pass(next(p for p in s.seats if p not in s.passed))
        if s.raided:
            return Lose(s.raided, rng.choice(sorted(s.fruit[s.raided]))) if s.fruit[s.raided] else None
        kinds = [Pick(s.turn, rng.choice(list(self.copies))), Ladder(s.turn), Raid(s.turn, rng.choice(s.seats))]
        return rng.choice(kinds)

    def queries(self) -> dict[str, Callable[..., Answer]]:
        def ladder_cost(at: At, n: int = 1) -> Answer:
            return Answer(n * at["ladder.cost"], ["OR-LADDER-1"])

        return {"ladder_cost": ladder_cost}


def rules(game: ResolvedGame) -> Orchard:
    return Orchard(game)
