"""Orchard: a game just large enough to exercise every part of the engine that knows no game."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from random import Random
from typing import Annotated, Any

import msgspec

from companion.engine.answers.ledger import Ending, Ledger, Line, TieBreak
from companion.engine.play.moves import Breach, Choice, Count, Flag, Move, OneOf, PieceName, Seat, Tally
from companion.engine.play.position import Answer, Position, PositionError, Rules
from components.model import ResolvedGame


class State(msgspec.Struct):
    seats: list[str] = []
    phase: str = "setup"
    turn: str = ""
    bag: int = 0
    coins: dict[str, int] = {}
    fruit: dict[str, dict[str, int]] = {}
    ladders: dict[str, int] = {}
    passed: list[str] = []
    raided: str | None = None


At = Position[State]


def copies(at: At) -> dict[str, int]:
    return at.rules.copies  # type: ignore[attr-defined, no-any-return]


def in_phase(at: At, phase: str, player: str = "") -> Iterator[Breach]:
    s = at.state
    if s.phase != phase:
        yield Breach("OR-TURN-1", f"this belongs to the {phase}, and it is the {s.phase}", {"phase": s.phase})
    elif phase == "turns" and player and player != s.turn:
        yield Breach("OR-TURN-1", f"it is {s.turn}'s turn, not {player}'s", {"turn": s.turn})


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
        at.note("OR-END-1", "the bag is empty: the game is over")
    elif i == len(s.seats):
        s.phase, s.passed = "market", []


class Setup(Move):
    """Lay out the orchard."""

    name = "setup"
    words = ("setup",)
    seats: tuple[str, ...] = ()

    def forbidden(self, at: At) -> Iterator[Breach]:
        if at.state.phase != "setup":
            yield Breach("OR-TURN-1", "the orchard is laid out already")
        if not at["game.min_players"] <= len(set(self.seats)) <= at["game.max_players"]:
            yield Breach("OR-SETUP-1", f"{len(set(self.seats))} farmers", {"players": len(set(self.seats))})

    def apply(self, at: At) -> None:
        s = at.state
        s.seats, s.turn, s.phase = list(self.seats), self.seats[0], "market"
        s.coins = dict.fromkeys(s.seats, at["setup.coins"])
        s.fruit = {seat: {} for seat in s.seats}
        s.ladders = dict.fromkeys(s.seats, 0)
        s.bag = sum(copies(at).values())
        at.note("OR-SETUP-2", f"{at['setup.coins']} coins each", coins=at["setup.coins"])


class Swap(Move):
    """Two farmers swap fruit."""

    name = "swap"
    words = ("swap", "trade")
    example = "ana swap bo 2 pears for 1 plum"
    a: Annotated[str, Seat()] = ""
    b: Annotated[str, Seat()] = ""
    a_gives: Annotated[dict[str, int], Tally("fruit")] = msgspec.field(default_factory=dict)
    b_gives: Annotated[dict[str, int], Tally("fruit", lead=("for",))] = msgspec.field(default_factory=dict)

    def forbidden(self, at: At) -> Iterator[Breach]:
        yield from in_phase(at, "market")
        if self.a and self.a == self.b:
            yield Breach("OR-MARKET-1", "nobody swaps with himself")
        for seat, gives in ((self.a, self.a_gives), (self.b, self.b_gives)):
            for fruit, n in gives.items():
                has = at.state.fruit.get(seat, {}).get(fruit, 0)
                if n > has or n < 1:
                    yield Breach("OR-MARKET-1", f"{seat} has {has} {fruit}, not {n}", {"has": has, "gives": n})

    def needs(self, at: At) -> Iterator[Choice]:
        if not self.a or not self.b:
            yield Choice("b" if self.a else "a", "", "who swaps?", at.seats)
        elif not self.a_gives or not self.b_gives:
            yield Choice("b_gives" if self.a_gives else "a_gives", self.a, "what is given?", list(copies(at)))

    def apply(self, at: At) -> None:
        for giver, taker, gives in ((self.a, self.b, self.a_gives), (self.b, self.a, self.b_gives)):
            for fruit, n in gives.items():
                give(at, giver, taker, fruit, n)
        at.note("OR-MARKET-1", f"{self.a} and {self.b} swap", gives=self.a_gives, gets=self.b_gives)


class Pass(Move):
    """Say that you are done with the market."""

    name = "pass"
    words = ("pass",)
    player: Annotated[str, Seat()] = ""

    def forbidden(self, at: At) -> Iterator[Breach]:
        yield from in_phase(at, "market")
        if self.player in at.state.passed:
            yield Breach("OR-MARKET-2", f"{self.player} has passed already", {"passed": at.state.passed})

    def needs(self, at: At) -> Iterator[Choice]:
        if not self.player:
            yield Choice("player", "", "who passes?", [p for p in at.seats if p not in at.state.passed])

    def apply(self, at: At) -> None:
        s = at.state
        s.passed.append(self.player)
        at.note("OR-MARKET-2", f"{self.player} passes")
        if len(s.passed) == len(s.seats):
            s.phase = "turns"

    @classmethod
    def candidates(cls, at: At) -> Iterator[Move]:
        yield from (cls(p) for p in at.seats)


class Pick(Move):
    """Report the fruit that came out of the bag."""

    name = "pick"
    role = "event"
    words = ("pick", "draw")
    example = "pick pear"
    player: Annotated[str, Seat()] = ""
    fruit: Annotated[str, PieceName("fruit")] = ""

    def filled(self, at: At) -> Pick:
        return self if self.player else Pick(at.state.turn, self.fruit)

    def presumes(self, at: At) -> Move | None:
        return presumed(at)

    def forbidden(self, at: At) -> Iterator[Breach]:
        s = at.state
        yield from in_phase(at, "turns", self.player)
        if s.raided:
            yield Breach("OR-RAID-2", f"{s.raided} has to hand over a fruit first", {"raided": s.raided})
        if s.bag == 0:
            yield Breach("OR-DRAW-1", "the bag is empty")
        out = sum(have.get(self.fruit, 0) for have in s.fruit.values())
        if self.fruit and out >= copies(at)[self.fruit]:
            facts = {"card": self.fruit, "out": out, "copies": copies(at)[self.fruit]}
            yield Breach("OR-DRAW-2", f"all {out} {self.fruit} lie with the farmers", facts)

    def needs(self, at: At) -> Iterator[Choice]:
        if not self.fruit:
            yield Choice("fruit", self.player, "what came out?", list(copies(at)))

    def apply(self, at: At) -> None:
        s = at.state
        s.bag -= 1
        have = s.fruit[self.player]
        have[self.fruit] = have.get(self.fruit, 0) + 1
        at.note("OR-DRAW-1", f"{self.player} picks a {self.fruit}", bag=s.bag)
        next_turn(at)

    def shows(self) -> dict[str, Any]:
        return {"the bag": self.fruit}

    @classmethod
    def candidates(cls, at: At) -> Iterator[Move]:
        yield from (cls(at.state.turn, fruit) for fruit in copies(at))


class Ladder(Move):
    """Buy ladders."""

    name = "ladder"
    words = ("ladder", "buy ladder")
    example = "buy 2 ladders"
    player: Annotated[str, Seat()] = ""
    n: Annotated[int, Count(1)] = 1

    def filled(self, at: At) -> Ladder:
        return self if self.player else Ladder(at.state.turn, self.n)

    def presumes(self, at: At) -> Move | None:
        return presumed(at)

    def forbidden(self, at: At) -> Iterator[Breach]:
        yield from in_phase(at, "turns", self.player)
        if at.state.raided:
            yield Breach("OR-RAID-2", f"{at.state.raided} has to hand over a fruit first")
        cost, has = self.n * at["ladder.cost"], at.state.coins.get(self.player, 0)
        if cost > has:
            yield Breach("OR-LADDER-1", f"{self.n} cost {cost}, {self.player} has {has}", {"cost": cost, "has": has})

    def apply(self, at: At) -> None:
        at.state.coins[self.player] -= self.n * at["ladder.cost"]
        at.state.ladders[self.player] += self.n
        at.note("OR-LADDER-1", f"{self.player} buys {self.n} for {self.n * at['ladder.cost']}", n=self.n)

    @classmethod
    def candidates(cls, at: At) -> Iterator[Move]:
        yield cls(at.state.turn, 1)


class Raid(Move):
    """Raid another farmer."""

    name = "raid"
    words = ("raid",)
    player: Annotated[str, Seat()] = ""
    target: Annotated[str, Seat()] = ""
    loudly: Annotated[bool, Flag("loudly")] = False

    def filled(self, at: At) -> Raid:
        return self if self.player else Raid(at.state.turn, self.target, self.loudly)

    def presumes(self, at: At) -> Move | None:
        return presumed(at)

    def forbidden(self, at: At) -> Iterator[Breach]:
        s = at.state
        yield from in_phase(at, "turns", self.player)
        if not s.ladders.get(self.player):
            yield Breach("OR-RAID-1", f"{self.player} has no ladder", {"ladders": 0})
        elif self.target and (self.target == self.player or not s.fruit.get(self.target)):
            yield Breach("OR-RAID-1", f"{self.target} has nothing to lose to {self.player}", {"target": self.target})
        if s.raided:
            yield Breach("OR-RAID-2", f"{s.raided} has to hand over a fruit first", {"raided": s.raided})

    def needs(self, at: At) -> Iterator[Choice]:
        if not self.target:
            options = [p for p in at.seats if p != self.player and at.state.fruit[p]]
            yield Choice("target", self.player, "who is raided?", options)

    def apply(self, at: At) -> None:
        at.state.ladders[self.player] -= 1
        at.state.coins[self.player] += at["ladder.cost"]
        at.state.raided = self.target
        at.note("OR-RAID-1", f"{self.player} raids {self.target}", loudly=self.loudly)

    @classmethod
    def candidates(cls, at: At) -> Iterator[Move]:
        yield from (cls(at.state.turn, p) for p in at.seats)


class Lose(Move):
    """Hand over a fruit after a raid."""

    name = "lose"
    role = "choice"
    words = ("lose", "hand over")
    player: Annotated[str, Seat()] = ""
    fruit: Annotated[str, PieceName("fruit")] = ""

    def filled(self, at: At) -> Lose:
        return self if self.player or not at.state.raided else Lose(at.state.raided, self.fruit)

    def forbidden(self, at: At) -> Iterator[Breach]:
        s = at.state
        if s.raided is None or self.player not in ("", s.raided):
            yield Breach("OR-RAID-2", f"{self.player or 'nobody'} was raided", {"raided": s.raided})
        elif self.fruit and self.fruit not in s.fruit[s.raided]:
            yield Breach("OR-RAID-2", f"{s.raided} has no {self.fruit}", {"has": s.fruit[s.raided]})

    def needs(self, at: At) -> Iterator[Choice]:
        if not self.fruit:
            yield Choice("fruit", self.player, "which fruit?", sorted(at.state.fruit[at.state.raided or ""]))

    def apply(self, at: At) -> None:
        give(at, self.player, at.state.turn, self.fruit)
        at.state.raided = None
        at.note("OR-RAID-2", f"{self.player} hands over a {self.fruit}", fruit=self.fruit)

    @classmethod
    def candidates(cls, at: At) -> Iterator[Move]:
        if at.state.raided:
            yield from (cls(at.state.raided, fruit) for fruit in copies(at))


class Done(Move):
    """End your turn without picking; nothing happens if it has ended by itself."""

    name = "done"
    words = ("done", "end turn")
    mood: Annotated[str, OneOf("happy", "sad")] = ""

    def already(self, at: At) -> bool:
        return at.state.phase == "over"

    def forbidden(self, at: At) -> Iterator[Breach]:
        yield from in_phase(at, "turns")
        if at.state.raided:
            yield Breach("OR-RAID-2", f"{at.state.raided} has to hand over a fruit first")

    def apply(self, at: At) -> None:
        at.note("OR-TURN-1", f"{at.state.turn} is done")
        next_turn(at)

    @classmethod
    def candidates(cls, at: At) -> Iterator[Move]:
        yield cls()


def presumed(at: At) -> Move | None:
    """The fruit handed over, where there is only one kind."""
    raided = at.state.raided
    if raided and len(at.state.fruit[raided]) == 1:
        return Lose(raided, next(iter(at.state.fruit[raided])))
    return None


class Orchard(Rules):
    state = State
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

    def complete(self, partial: dict[str, Any]) -> State:
        seats = partial.get("seats") or ["ana", "bo"]
        for seat in partial.get("coins", {}):
            if seat not in seats:
                raise PositionError(f"coins.{seat}", f"nobody is called {seat}", f"seats: {', '.join(seats)}")
        blank: dict[str, Any] = {
            "seats": seats,
            "phase": "turns",
            "turn": seats[0],
            "bag": sum(self.copies.values()) - sum(sum(f.values()) for f in partial.get("fruit", {}).values()),
        }
        state = msgspec.convert({**blank, **partial}, State)
        for seat in seats:
            state.coins.setdefault(seat, self.game.params["setup.coins"])
            state.fruit.setdefault(seat, {})
            state.ladders.setdefault(seat, 0)
        return state

    def dump(self, state: State) -> dict[str, Any]:
        out = sum(sum(have.values()) for have in state.fruit.values())
        return {**msgspec.to_builtins(state), "out": out}

    def copy(self, state: State) -> State:
        return msgspec.convert(msgspec.to_builtins(state), State)

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

    def to_move(self, state: State) -> list[str]:
        if state.phase == "market":
            return [p for p in state.seats if p not in state.passed]
        return [state.raided or state.turn] if state.phase == "turns" else []

    def over(self, state: State) -> bool:
        return state.phase == "over"

    def phase(self, state: State) -> str:
        return f"{state.turn}'s turn" if state.phase == "turns" else state.phase

    def show(self, at: Position[Any]) -> str:
        s = at.state
        return "\n".join(f"{p}: {s.coins[p]} coins, {s.ladders[p]} ladders, {s.fruit[p]}" for p in s.seats)

    def picture(self, at: Position[Any]) -> str | None:
        return f"<svg xmlns='http://www.w3.org/2000/svg'><title>{len(at.seats)} farmers</title></svg>"

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

    def pass_all(self, at: Position[Any]) -> list[Move]:
        s = at.state
        return [Pass(p) for p in s.seats if p not in s.passed] if s.phase == "market" else []

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
