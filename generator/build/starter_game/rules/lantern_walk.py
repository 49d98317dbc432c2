"""The rules of Lantern Walk, as the companion follows them. Every number and sentence comes from the YAML."""

from collections.abc import Iterator
from typing import Annotated, Any

import msgspec

from companion.engine.answers.ledger import Ending, Ledger, Line
from companion.engine.play.declared import Each, Named, Once, Seated
from companion.engine.play.domains import PieceName
from companion.engine.play.forms import Default, Form
from companion.engine.play.moves import Breach, Move
from companion.engine.play.phases import Phase, Who
from companion.engine.play.position import Position, Rules
from companion.engine.things.figures import Source
from companion.engine.things.views import Grid, View

SeatName = Annotated[str, Seated()]
Lantern = Annotated[str, Named("lantern", "lantern")]


class State(msgspec.Struct):
    """What lies on the table. These are the names that position files use."""

    players: Annotated[list[str], Once()] = []
    phase: str = "setup"
    active: SeatName | None = None
    light: Annotated[dict[SeatName, int], Each()] = {}
    seen: dict[Lantern, int] = {}  # cards turned over, by name


At = Position[State]

FORM = Form(
    seats=Default("players", "those named in `light`", lambda at: list(at.state.light)),
    defaults=(
        Default("phase", "`walk`", lambda at: "walk"),
        Default("active", "the first player", lambda at: at.seats[0] if at.seats else None),
    ),
)


class Setup(Move, frozen=True):
    """Take your seats."""

    name = "setup"
    words = ("setup",)
    seats: tuple[str, ...] = ()

    def forbidden(self, at: At) -> Iterator[Breach]:
        if not at["game.min_players"] <= len(self.seats) <= at["game.max_players"]:
            yield at.breach("LW-WALK-1", n=len(self.seats))

    def apply(self, at: At) -> None:
        s = at.state
        s.players, s.active = list(self.seats), self.seats[0]
        s.light = dict.fromkeys(s.players, 0)
        at.note("LW-WALK-1", n=len(s.players))
        at.enter("walk")


class Turn(Move, frozen=True):
    """Turn over the top card. The companion is told what came up; it never shuffles."""

    name = "turn"
    words = ("turn", "draw")
    example = "turn glow-worm"
    asks = {"card": "LW-WALK-2"}
    card: Annotated[str, PieceName("lantern", secret=True)] = ""

    def forbidden(self, at: At) -> Iterator[Breach]:
        if self.card and at.state.seen.get(self.card, 0) >= at.rules.copies[self.card]:
            yield at.breach("LW-WALK-3", card=self.card, n=at.rules.copies[self.card])

    def apply(self, at: At) -> None:
        s = at.state
        player = s.active
        s.seen[self.card] = s.seen.get(self.card, 0) + 1
        at.note("LW-WALK-2", player=player, card=self.card)
        piece = at.rules.lanterns[self.card]
        at.run(piece.effect, player, Source(piece.name, player))
        if max(s.light.values()) >= at["walk.goal"] or s.seen == at.rules.copies:
            at.enter("over")
        s.active = to_the_left(at, player)


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


class LanternWalkRules(Rules):
    form, state, free_seats = FORM, State, True
    ops = {"gain_light": gain_light, "pass_light": pass_light}
    phases = (
        Phase(name="setup", title="the set-up", rule="LW-WALK-1", who=Who.TABLE, moves=(Setup,)),
        Phase(name="walk", title="the walk", rule="LW-WALK-2", moves=(Turn,)),
        Phase(name="over", title="the end", rule="LW-WALK-2", who=Who.TABLE),
    )

    def __init__(self, game: Any) -> None:
        self.game = game
        self.moves = {kind.name: kind for kind in (Setup, Turn)}
        self.lanterns = {piece.name: piece for piece in game.pieces if piece.set == "lantern"}
        self.copies = {name: piece.copies for name, piece in self.lanterns.items()}

    def names(self, set_name: str) -> list[str]:
        return list(self.lanterns)

    def new_state(self) -> State:
        return State()

    def setup_move(self, seats: list[str], options: dict[str, Any]) -> Move:
        return Setup(tuple(seats))

    def seats(self, state: State) -> list[str]:
        return state.players

    def over(self, state: State) -> bool:
        return state.phase == "over"

    def view(self, at: At) -> View:
        rows = tuple((player, at.state.light[player]) for player in at.seats)
        return View("Light", (Grid(("", "light"), rows, (at.state.active or "",)),), at.state.active or "")

    def score(self, at: At) -> Ledger:
        light = at.state.light
        lines = tuple(Line(player, "LW-WALK-2", "light", str(n), n) for player, n in light.items())
        ranking = tuple(tuple(p for p in at.seats if light[p] == n) for n in sorted(set(light.values()), reverse=True))
        won = Ending("LW-WALK-2", "The walk is over.", ranking[0]) if self.over(at.state) else None
        return Ledger("light", lines, ranking, ending=won)


def rules(game: Any) -> LanternWalkRules:
    return LanternWalkRules(game)
