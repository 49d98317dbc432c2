"""A table for a game without a rules module: whose turn it is, a score pad and counters. It judges nothing."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

import msgspec

from companion.engine.answers.ledger import Ending, Ledger, Line
from companion.engine.play.declared import Each, Number, Once, Seated
from companion.engine.play.domains import Count, Flag, Free, Seat
from companion.engine.play.forms import Default, Form
from companion.engine.play.moves import Breach, Move
from companion.engine.play.position import Position, Rules
from companion.engine.things.views import Cell, Grid, Lines, View
from components.model import ResolvedGame
from components.phrasing import span
from components.sentences import Sentence

if TYPE_CHECKING:
    from random import Random

MOST = 1_000_000
"""No score or counter goes beyond this, in either direction."""


SeatName = Annotated[str, Seated()]
Figure = Annotated[int, Number(None)]


class Entry(msgspec.Struct, frozen=True):
    """One line of the score pad."""

    seat: SeatName
    points: Figure
    what: str = ""


class State(msgspec.Struct):
    """The contents of the pad. `counters`: seat -> name -> number; `shared`: those of the table."""

    players: Annotated[list[str], Once()] = []
    active: SeatName | None = None
    round: Annotated[int, Number(1)] = 1
    scores: list[Entry] = []
    counters: Annotated[dict[SeatName, dict[str, Figure]], Each()] = {}
    shared: dict[str, Figure] = {}
    ended: bool = False


FORM = Form(
    seats=Default("players", "those who have points or counters", lambda at: seats_named(at.state)),
    defaults=(Default("active", "the first player", lambda at: at.seats[0] if at.seats else None),),
)


def seats_named(state: State) -> list[str]:
    return list(dict.fromkeys([*(entry.seat for entry in state.scores), *state.counters]))


At = Position[State]


def note(at: At, words: str, **facts: Any) -> None:
    at.note("", Sentence(words), **facts)


class Setup(Move, frozen=True):
    """Begin the table."""

    name = "setup"
    words = ("setup",)
    seats: tuple[str, ...] = ()

    def options(self, at: At, field: str) -> Iterable[Any] | None:
        return None

    def forbidden(self, at: At) -> Iterator[Breach]:
        low, high = at.rules.game.players
        if not low <= len(self.seats) <= high:
            words = "{title} is for {span} players, not {n}"
            facts = {"title": at.rules.game.title, "span": span(low, high), "n": len(self.seats)}
            yield Breach("", Sentence(words), facts)

    def apply(self, at: At) -> None:
        at.state.players = list(self.seats)
        at.state.active = self.seats[0]
        at.state.counters = {seat: {} for seat in self.seats}
        note(at, "{player} begins", player=self.seats[0])


class Score(Move, frozen=True):
    """Write points on the score pad. Points may be negative."""

    name = "score"
    words = ("score", "scores")
    example = "ana 5 for the harvest"
    player: Annotated[str, Seat()] = ""
    points: Annotated[int, Count(-MOST)] = 0
    what: Annotated[str, Free(lead=("for",))] = ""

    def options(self, at: At, field: str) -> Iterable[Any] | None:
        return at.seats if field == "player" else None

    def forbidden(self, at: At) -> Iterator[Breach]:
        if abs(self.points) > MOST:
            yield Breach("", Sentence("the pad holds numbers up to {most}"), {"most": MOST})

    def apply(self, at: At) -> None:
        at.state.scores.append(Entry(self.player, self.points, self.what))
        total = sum(entry.points for entry in at.state.scores if entry.seat == self.player)
        note(at, "{player} has {total|point}", player=self.player, total=total)


class Counter(Move, frozen=True):
    """Keep a number of any kind, for a player or for the table: `ana grain 3` sets it, `ana grain +2` changes it."""

    name = "counter"
    words = ("count", "counter")
    example = "ana grain +2"
    player: Annotated[str, Seat(actor=False)] = ""
    called: Annotated[str, Free()] = ""
    by: Annotated[bool, Flag("by")] = False
    """True: the number is added to what is there."""
    n: Annotated[int, Count(-MOST)] = 0

    def options(self, at: At, field: str) -> Iterable[Any] | None:
        return ["", *at.seats] if field == "player" else None

    def forbidden(self, at: At) -> Iterator[Breach]:
        if not self.called:
            yield Breach("", Sentence("a counter needs a name, as in 'ana grain 3'"))
        if abs(self.n) > MOST:
            yield Breach("", Sentence("the pad holds numbers up to {most}"), {"most": MOST})

    def apply(self, at: At) -> None:
        mine = at.state.counters[self.player] if self.player else at.state.shared
        mine[self.called] = max(-MOST, min(MOST, (mine.get(self.called, 0) if self.by else 0) + self.n))
        note(at, "{whose}{called}: {n}", whose=f"{self.player}, " if self.player else "", called=self.called,
             n=mine[self.called])  # fmt: skip


class Next(Move, frozen=True):
    """The turn passes to the next player; after the last one a new round begins."""

    name = "next"
    words = ("next", "done", "pass")

    def apply(self, at: At) -> None:
        s = at.state
        i = s.players.index(s.active) + 1 if s.active else 0
        s.active = s.players[i % len(s.players)]
        if i == len(s.players):
            s.round += 1
            note(at, "round {n}", n=s.round)
        note(at, "{player} is next", player=s.active)


class Turn(Move, frozen=True):
    """It is this player's turn."""

    name = "turn"
    words = ("turn", "first")
    example = "turn bo"
    player: Annotated[str, Seat(actor=False)] = ""

    def options(self, at: At, field: str) -> Iterable[Any] | None:
        return at.seats

    def apply(self, at: At) -> None:
        at.state.active = self.player
        note(at, "{player} is next", player=self.player)


class End(Move, frozen=True):
    """The game is over; the highest total wins."""

    name = "end"
    words = ("end", "over")

    def apply(self, at: At) -> None:
        at.state.ended = True
        note(at, "the game is over")


class ScorePad(Rules):
    """A table that keeps what it is told."""

    form = FORM
    state = State
    free_seats = True
    people_first = True
    kinds: ClassVar[tuple[type[Move], ...]] = (Setup, Score, Counter, Next, Turn, End)

    def __init__(self, game: ResolvedGame) -> None:
        self.game = game
        self.moves = {kind.name: kind for kind in self.kinds}

    def shorthand(self, text: str, at: At) -> list[Move] | None:
        """`ana 5 for harvest`, `ana grain +2`, `grain 3`: told apart by where the number stands."""
        seats = {seat.lower(): seat for seat in at.seats}
        first, _, rest = text.strip().partition(" ")
        seat = seats.get(first.lower(), "")
        rest = rest.strip() if seat else text.strip()
        rest = re.sub(r"^(scores?|counts?|counter)\s+", "", rest, flags=re.IGNORECASE)
        if not seat:
            first, _, after = rest.partition(" ")
            seat, rest = (seats[first.lower()], after.strip()) if first.lower() in seats else ("", rest)
        found = re.fullmatch(r"([+-]?\d{1,9})(?:\s+(?:points?|vp))?(?:\s+(?:for\s+)?(.+))?", rest, re.IGNORECASE)
        if found and seat:
            return [Score(seat, int(found[1]), (found[2] or "").strip())]
        found = re.fullmatch(r"(\D*?[^\d\s:=+-])(?:\s*[:=])?\s+(by\s+)?([+-]?)(\d{1,9})", rest)
        if found and not text.lower().startswith("setup"):
            return [Counter(seat, found[1], bool(found[2] or found[3]), int(found[3] + found[4]))]
        return None

    def new_state(self) -> State:
        return State()

    def setup_move(self, seats: list[str], options: dict[str, Any]) -> Move:
        return Setup(tuple(seats))

    def seats(self, state: State) -> list[str]:
        return state.players

    def to_move(self, state: State) -> list[str]:
        return [state.active] if state.active and not state.ended else []

    def over(self, state: State) -> bool:
        return state.ended

    def heading(self, at: At) -> str:
        return f"round {at.state.round}"

    def view(self, at: At) -> View:
        s = at.state
        totals = self.score(at).totals()
        names = list(dict.fromkeys(name for mine in s.counters.values() for name in mine))
        rows: list[tuple[Cell, ...]] = [
            (seat, totals[seat], *(s.counters[seat].get(name, 0) for name in names)) for seat in s.players
        ]
        table = Grid(("", "points", *names), tuple(rows), (s.active or "",))
        shared = ", ".join(f"{name} {n}" for name, n in s.shared.items())
        counters = Lines((f"table: {shared}",) if shared else ())
        return View(self.heading(at).capitalize(), (table, counters), s.active or "")

    def overview(self, at: At, legal: list[Move]) -> list[str]:
        who = at.state.active or "ana"
        return [
            f"{who} 5 for something    points, which may be negative",
            f"{who} grain 3, {who} grain +2    a counter; without a name, one of the table",
            "next    the turn passes on",
            f"turn {at.seats[-1] if at.seats else 'bo'}    it is somebody else's turn",
            "end    the game is over",
        ]

    def score(self, at: At) -> Ledger:
        s = at.state
        lines = tuple(
            Line(entry.seat, "", entry.what or "points", f"{entry.points:+}", entry.points) for entry in s.scores
        )
        totals = {seat: sum(line.points for line in lines if line.seat == seat) for seat in s.players}
        best = sorted(set(totals.values()), reverse=True)
        groups = tuple(tuple(seat for seat in s.players if totals[seat] == n) for n in best)
        ending = Ending("", "The table ended the game.", groups[0] if groups else ()) if s.ended else None
        return Ledger("points", lines, groups, ending=ending)

    def propose(self, at: At, rng: Random) -> Move | None:
        if rng.random() < 0.02:
            return End()
        who = at.state.active or at.seats[0]
        return rng.choice([Next(), Score(who, rng.randint(-3, 9)), Counter(who, "grain", by=True, n=1)])


__all__ = ["ScorePad"]
