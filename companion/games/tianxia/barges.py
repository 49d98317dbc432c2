"""The barge turn: a worker goes aboard, and a fourth one pushes the last off to the merchants (rules TX-BARGE,
TX-MERCH)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, ClassVar

from companion.rules import UNSAID, Breach, Choice, Figure, Flag, OneOf, Options, Part, Parts, PieceName, Seat, Sum
from components.phrasing import count

from .catalogue import At, cat
from .free import FREE
from .gains import gain
from .state import GREY
from .turns import AnyTurn, Unset

OWN, NEUTRAL = "own", "neutral"
MOVED = ("go", "goes", "move", "moves", "fall", "falls", "into", "fills", "fills up", "up", "takes")


def own_aboard(at: At, who: str, barge: str) -> Figure:
    """The number of own workers aboard that raise the price of a barge (TX-BARGE-2, -12)."""
    return at.value("barge.own_workers", who, base=at.state.barges[barge].count(who))


def boarding_parts(at: At, who: str, barge: str) -> tuple[int, int]:
    """The coin that is always due, and the coins for own workers aboard."""
    return at["barge.cost.coin"], own_aboard(at, who, barge).value * at["barge.cost.coin_per_own_worker"]


def boarding_cost(at: At, who: str, barge: str) -> Sum:
    """Coins for a barge, line by line."""
    own, cost = own_aboard(at, who, barge), Sum()
    basic, more = boarding_parts(at, who, barge)
    less = f" ({own.sum})" if own.changes else ""
    cost.add("for the barge", basic, "TX-BARGE-2")
    cost.add(f"for {count(own.base, 'own worker')} aboard{less}", more, "TX-BARGE-2", *own.rules)
    return cost


def pushed_off(at: At, barge: str) -> str:
    """Whose worker falls off when one more boards (TX-BARGE-5); empty: nobody's."""
    row = at.state.barges.get(barge, [])
    return row[-1] if len(row) >= at["barge.capacity"] else ""


def rows_with_room(at: At, who: str) -> list[str]:
    """The merchant rows with a free spot of the owner of a worker that falls off; a neutral one has none."""
    has = at.state.player[who].merchants if who in at.state.player else {}
    return [row for row, n in has.items() if n < cat(at).merchants[row].spots]


class Board(Part, frozen=True):
    """Board the barge, before the free actions that follow."""

    words = ("board",)
    board: Annotated[bool | Unset, Flag("board")] = UNSAID

    def forbidden(self, at: At) -> Iterator[Breach]:
        if at.turn.count(Board):
            yield at.breach("TX-BARGE-1.twice", player=at.mover)

    def apply(self, at: At) -> None:
        """The boarding itself is the beginning of the turn."""


class BargeTurn(AnyTurn, frozen=True):
    """Send a worker to a barge; no marker is used."""

    name = "barge"
    asks: ClassVar[dict[str, str]] = {
        "barge": "TX-BARGE-1.barge",
        "worker": "TX-BARGE-9.worker",
        "pushed_to": "TX-MERCH-7.pushed_to",
    }
    barge: Annotated[str, PieceName("barge", after=("to", "onto", "for"), of=("barge", "boat"))] = ""
    worker: Annotated[str, OneOf(OWN, NEUTRAL, spoken={"grey": NEUTRAL}, of=("worker",))] = ""
    pushed: Annotated[
        str,
        Seat(
            actor=False,
            lead=("pushes",),
            after=("push", "pushing"),
            of=("worker", "man", "guy", "meeple"),
            confirms=True,
        ),
    ] = ""
    """Whose worker falls off: a claim of the table."""
    pushed_to: Annotated[
        str, PieceName("merchants", lead=("pushed", "push", "to"), after=MOVED, of=("row", "merchant"))
    ] = ""
    steps: Annotated[tuple[Any, ...], Parts(Board, lead=FREE)] = ()

    def pushed_options(self, at: At) -> Options:
        return ["", *filter(None, [pushed_off(at, self.barge)])]

    def pushed_to_options(self, at: At) -> Options:
        return rows_with_room(at, pushed_off(at, self.barge)) or None

    def questions(self, at: At, field: str, values: list[Any]) -> list[Choice]:
        if field == "pushed_to":
            owner = pushed_off(at, self.barge)
            return [at.ask("TX-MERCH-7.pushed_to", field, owner, values, barge=self.barge)]
        return super().questions(at, field, values)

    def forbidden(self, at: At) -> Iterator[Breach]:
        s = at.state
        p, owner = s.player.get(self.player), pushed_off(at, self.barge)
        if p is None:
            return
        if self.worker == NEUTRAL and p.workers:
            yield at.breach("TX-BARGE-9.neutral", player=self.player, n=p.workers)
        if self.barge and self.pushed_to and owner not in s.player:
            yield at.breach("TX-BARGE-5.nobody", barge=self.barge, n=len(s.barges[self.barge]))
        elif self.barge and self.pushed_to and self.pushed_to not in rows_with_room(at, owner):
            yield at.breach("TX-MERCH-1.full", player=owner, row=self.pushed_to)
        if self.barge and self.pushed and self.pushed != owner:
            yield at.breach("TX-BARGE-5.other", barge=self.barge, said=self.pushed, owner=owner or "nobody")
        if self.worker == OWN and not p.workers:
            yield at.breach("TX-BARGE-9.own", player=self.player)
        if self.worker == NEUTRAL and not s.neutral_workers:
            yield at.breach("TX-BARGE-11")
        if self.barge and sum(boarding_parts(at, self.player, self.barge)) > p.coin:
            cost = boarding_cost(at, self.player, self.barge)
            yield at.breach("TX-BARGE-2.coin", player=self.player, has=p.coin, cost=cost.total, sum=cost.detail)

    def begin(self, at: At) -> None:
        s, who, neutral = at.state, self.player, self.worker == NEUTRAL
        cost = boarding_cost(at, who, self.barge)
        s.player[who].coin -= cost.total
        at.note("TX-BARGE-2.pay", player=who, barge=self.barge, n=cost.total, sum=cost.detail)
        at.kept("TX-BARGE-1", "TX-BARGE-5", "TX-BARGE-12", "TX-ACT-5")
        row, off = s.barges[self.barge], pushed_off(at, self.barge)
        if neutral:
            s.neutral_workers -= 1
            at.kept("TX-BARGE-9", "TX-BARGE-10", "TX-BARGE-11")
        else:
            s.player[who].workers -= 1
        row.insert(0, GREY if neutral else who)
        at.note(f"TX-BARGE-3.{'neutral' if neutral else 'board'}", player=who, barge=self.barge)
        if off:
            row.pop()
            at.kept("TX-BARGE-7")
            self._fall(at, off)
        gain(at, who, {cat(at).barges[self.barge]: at["barge.gain"]} if at["barge.gain"] else {}, "TX-BARGE-4")

    def _fall(self, at: At, owner: str) -> None:
        """A worker pushed off goes to a merchant spot, home if there is none, or back to the neutral supply."""
        s = at.state
        if owner == GREY:
            s.neutral_workers += 1
            at.note("TX-BARGE-6.grey", n=s.neutral_workers)
        elif self.pushed_to:
            s.player[owner].merchants[self.pushed_to] += 1
            n = s.player[owner].merchants[self.pushed_to]
            at.note("TX-MERCH-1.pushed", player=owner, row=self.pushed_to, n=n)
            at.kept("TX-MERCH-7")
        else:
            s.player[owner].workers += 1
            at.note("TX-MERCH-2.home", player=owner)
