"""The rules of Lantern Walk, as the companion follows them. Every number and sentence comes from the YAML."""

from collections.abc import Iterator
from typing import Annotated, Any

import msgspec

from companion.rules import Breach, Default, Each, Ending, Form, Grid, Ledger, Line, Move, Named, Phase, PieceName
from companion.rules import Position, Rules, Seated, Seating, Source, View, Who, ranked

At = Position["State"]
SeatName = Annotated[str, Seated()]


class State(msgspec.Struct):  # what lies on the table; position files use these names
    seats: list[str] = []
    phase: str = "setup"
    active: SeatName | None = None
    light: Annotated[dict[SeatName, int], Each()] = {}
    seen: list[Annotated[str, Named("lantern")]] = []  # cards that were turned over


class Setup(Seating, frozen=True):
    """Take your seats."""

    told = {"number": "LW-WALK-1", "seated": "LW-WALK-1.seated", "twice": "LW-WALK-1.twice"}

    def apply(self, at: At) -> None:
        at.state.seats, at.state.active = list(self.seats), self.seats[0]
        at.state.light = dict.fromkeys(self.seats, 0)
        at.note("LW-WALK-1", n=len(self.seats))
        at.enter("walk")


class Turn(Move, frozen=True):
    """Turn over the top card. The companion is told what came up; it never shuffles."""

    words = ("turn", "draw")
    example = "turn glow-worm"
    card: Annotated[str, PieceName("lantern", secret=True)] = ""

    def forbidden(self, at: At) -> Iterator[Breach]:
        if self.card and at.state.seen.count(self.card) >= (n := at.rules.cards[self.card].copies):
            yield at.breach("LW-WALK-3", card=self.card, n=n)

    def apply(self, at: At) -> None:
        s, player, card = at.state, at.state.active, at.rules.cards[self.card]
        s.seen.append(self.card)
        at.note("LW-WALK-2", player=player, card=self.card)
        at.run(card.effect, player, Source(card, player))
        s.active = to_the_left(at, player)
        if max(s.light.values()) >= at["walk.goal"] or len(s.seen) == sum(c.copies for c in at.rules.cards.values()):
            at.enter("over")


def to_the_left(at: At, player: str) -> str:
    return at.seats[(at.seats.index(player) + 1) % len(at.seats)]


def gain_light(at: At, who: str, args: dict[str, Any], source: Source) -> None:
    at.state.light[who] += args["n"]
    at.note("LW-WALK-2.gain", player=who, n=args["n"], light=at.state.light[who])


def pass_light(at: At, who: str, args: dict[str, Any], source: Source) -> None:
    n, other = min(args["n"], at.state.light[who]), to_the_left(at, who)
    at.state.light[who] -= n
    at.state.light[other] += n
    at.note("LW-WALK-2.pass", player=who, other=other, n=n)


class LanternWalk(Rules):
    state, free_seats = State, True  # free seats: people sit down under names of their own
    form = Form(  # what a position file may leave out
        seats=Default("seats", "those named in `light`", lambda at: list(at.state.light)),
        defaults=(Default("phase", "walk", lambda at: "walk"), Default("active", "the first", lambda at: at.seats[0])),
    )
    ops = {"gain_light": gain_light, "pass_light": pass_light}
    phases = (
        Phase(name="setup", title="the set-up", rule="LW-WALK-1", who=Who.TABLE, moves=(Setup,)),
        Phase(name="walk", title="the walk", rule="LW-WALK-2", moves=(Turn,)),
        Phase(name="over", title="the end", rule="LW-WALK-2", who=Who.TABLE, last=True),
    )

    def __init__(self, game: Any) -> None:
        super().__init__(game)
        self.cards = {piece.name: piece for piece in game.pieces}

    def view(self, at: At) -> View:
        rows, active = tuple(at.state.light.items()), at.state.active or ""
        return View("Light", [Grid(("", "light"), rows, marked=(active,))], active)

    def score(self, at: At) -> Ledger:
        ranking, _ = ranked(at.state.light)
        lines = tuple(Line(seat, "LW-WALK-2", "light", str(n), n) for seat, n in at.state.light.items())
        ending = Ending("LW-WALK-2", at.tell("LW-WALK-2.over"), ranking[0]) if self.over(at.state) else None
        return Ledger("light", lines, ranking, ending=ending)


rules = LanternWalk
