"""What all turns share: who is to act, the stacking cost, the end of a turn (rules TX-ACT, TX-GAME-2)."""

from __future__ import annotations

from collections.abc import Iterator

from companion.engine.play.moves import Breach
from companion.engine.play.parts import Part, Turn
from companion.engine.things.figures import Figure

from .catalogue import At

NO_STACK, WAVE_ALLOWED = "no_stack_cost", "wave_allowed"
"""What a tile may allow for the rest of a turn."""


def still_in(at: At) -> list[str]:
    """The players who have not passed, in turn order."""
    return [seat for seat in at.state.turn_order if seat not in at.state.next_order]


def to_act(at: At) -> list[str]:
    """The active player; where nobody said whose turn it is, everybody who has not passed."""
    return [at.state.active] if at.state.active else still_in(at) or list(at.state.players)


def has_passed(at: At, who: str) -> Iterator[Breach]:
    """A player who has passed is out of the round (TX-ACT-4)."""
    if who in at.state.next_order:
        yield at.breach("TX-ACT-4", player=who)


def next_turn(at: At, who: str) -> None:
    """The next player in turn order who has not passed; when all have, the battles follow (TX-ACT-1)."""
    s = at.state
    s.this_turn.clear()
    for worked in s.used_up.values():
        worked.clear()
    waiting = still_in(at)
    if not waiting:
        s.active = None
        at.note("TX-ACT-1.all")
        at.enter("attack")
        return
    place = s.turn_order.index(who) + 1
    after = [*s.turn_order[place:], *s.turn_order[:place]]
    s.active = next(seat for seat in after if seat in waiting)


def stack_cost(at: At, who: str, discs: list[str]) -> Figure:
    """Coins for the markers on a space, whoever owns them (TX-REG-2, -9, TX-MIL-6)."""
    free = NO_STACK in at.state.this_turn
    return at.value("stack.cost.coin", who, base=0 if free else len(discs) * at["stack.cost.coin_per_disc"])


class AnyTurn(Turn, frozen=True):
    """A turn in the action phase."""

    key = "turn"

    def count(self, *kinds: type[Part]) -> int:
        """How many steps of these kinds have been taken."""
        return sum(isinstance(part, kinds) for part in self.parts())

    def end(self, at: At) -> None:
        next_turn(at, at.mover)


class MarkerTurn(AnyTurn, frozen=True):
    """A turn that places an action marker (TX-ACT-6)."""

    def discs(self, at: At) -> list[str] | None:
        """The markers on the chosen space; None if none is chosen yet."""
        raise NotImplementedError

    @property
    def placed(self) -> bool:
        """Whether the marker is placed, as far as the turn goes: free actions at its head come before."""
        return any(part.tag() != "free" for part in self.parts())

    def opening(self, at: At) -> Iterator[Breach]:
        yield from self.no_marker(at, at.mover)

    def no_marker(self, at: At, who: str) -> Iterator[Breach]:
        """No unplaced marker is left (TX-ACT-6)."""
        if who in at.state.player and not at.state.player[who].markers:
            yield at.breach("TX-ACT-6", player=who)

    def too_dear(self, at: At, who: str, rule: str) -> Iterator[Breach]:
        """The stack cannot be paid (TX-REG-2, TX-MIL-2)."""
        discs = self.discs(at)
        if discs is None or who not in at.state.player:
            return
        cost, has = stack_cost(at, who, discs), at.state.player[who].coin
        if cost.value > has:
            yield at.breach(f"{rule}.coin", player=who, has=has, cost=cost.value, sum=cost.sum, n=len(discs))

    def place_marker(self, at: At, who: str, space: str, rule: str, placing: str) -> None:
        """Pay for the stack and put a marker on top of it (rules `rule` and `placing`)."""
        p, discs = at.state.player[who], self.discs(at) or []
        cost = stack_cost(at, who, discs)
        if discs:
            p.coin -= cost.value
            at.note(f"{rule}.pay", player=who, n=cost.value, discs=len(discs), sum=cost.sum)
        p.markers -= 1
        self.put_marker(at, who)
        at.note(f"{placing}.place", player=who, place=space, left=p.markers)

    def put_marker(self, at: At, who: str) -> None:
        raise NotImplementedError
