"""The common parts of all turns: the player to act, the stacking cost, the end of a turn (rules TX-ACT, TX-GAME-2)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated, Any, ClassVar

import msgspec

from companion.rules import UNSAID, Breach, Count, Domain, Figure, Part, PieceName, Seat, Turn, Unspoken

from .catalogue import At, cat
from .state import Space

NO_STACK, WAVE_ALLOWED = "no_stack_cost", "wave_allowed"
"""The permissions that a tile may give for the rest of a turn."""
Unset = msgspec.UnsetType


class TileName(PieceName):
    """A bonus tile; some of them are figurines."""

    def nouns(self, at: At) -> tuple[str, ...]:
        return ("tile", "figurine")

    def is_a(self, at: At, value: Any, noun: str) -> bool:
        return noun == "tile" or value in cat(at).figurines


class Step(Part, frozen=True, kw_only=True):
    """A step whose effects may leave choices; `choose` answers them."""

    answered_by: ClassVar[tuple[Domain, ...]] = (
        *map(PieceName, ("good", "resource")),
        PieceName("palace", of=("track", "step")),
        PieceName("lane", of=("section", "free", "soldier")),
        PieceName("tile", of=("bonus", "tile", "figurine")),
    )
    choose: Annotated[dict[str, Any], Unspoken()] = msgspec.field(default_factory=dict)


def still_in(at: At) -> list[str]:
    """The players who have not passed, in turn order."""
    return [seat for seat in at.state.turn_order if seat not in at.state.next_order]


def to_act(at: At) -> list[str]:
    """The active player; where nobody said whose turn it is, everybody who has not passed."""
    return [at.state.active] if at.state.active else still_in(at) or list(at.state.players)


def whose(at: At) -> str:
    """Whoever takes the turn of which a line is read; "" where nobody knows."""
    return getattr(at.turn, "player", "") or at.state.active or ""


def affordable(at: At, who: str, spaces: Mapping[str, Space]) -> Iterable[str]:
    """The marker spaces whose stack a player can pay, while there is a marker to place."""
    p = at.state.player[who]
    return (name for name, space in spaces.items() if p.markers and stack_cost(at, who, space.discs).value <= p.coin)


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


class Paid(Part, frozen=True):
    """The cost of the markers on the space: a claim of the table."""

    words = ("pay",)
    paid: Annotated[int | Unset, Count(of=("coin",), confirms=True)] = UNSAID

    def everything(self, at: At, field: str) -> Any:
        """`The coin`, where it is one."""
        space = at.turn.space(at) if isinstance(at.turn, MarkerTurn) else None
        return stack_cost(at, whose(at), space.discs).value if space else None

    def forbidden(self, at: At) -> Iterator[Breach]:
        assert isinstance(at.turn, MarkerTurn)
        space = at.turn.space(at)
        cost = stack_cost(at, at.mover, space.discs[:-1] if space else [])
        if space and self.paid != cost.value:
            facts = {"n": len(space.discs) - 1, "cost": cost.value, "sum": cost.sum, "said": self.paid}
            yield at.breach(f"{at.turn.stacking}.said", player=at.mover, **facts)

    def apply(self, at: At) -> None:
        """The stack was paid for when the marker was placed."""


class AnyTurn(Turn, frozen=True):
    """A turn in the action phase."""

    key = "turn"
    player: Annotated[str, Seat()] = ""

    def count(self, *kinds: type[Part]) -> int:
        """The number of steps of these kinds taken."""
        return sum([isinstance(part, kinds) for part in self.parts()])

    def end(self, at: At) -> None:
        next_turn(at, self.player)


class MarkerTurn(AnyTurn, frozen=True):
    """A turn that places an action marker (TX-ACT-6) on a space: the stack there is paid for by `stacking`."""

    stacking: ClassVar[str]
    spaces: ClassVar[tuple[str, str]]
    """The field of the state with the spaces, and the field of the turn that names one."""

    def space(self, at: At) -> Space | None:
        """The chosen space; None if none is chosen yet."""
        field, name = self.spaces
        found: dict[str, Space] = getattr(at.state, field)
        return found.get(getattr(self, name))

    @property
    def placed(self) -> bool:
        """True if the marker is placed, as far as the turn goes: free actions at its head come before."""
        return any(part.tag() != "free" for part in self.parts())

    def opening(self, at: At) -> Iterator[Breach]:
        if self.player in at.state.player and not at.state.player[self.player].markers:
            yield at.breach("TX-ACT-6", player=self.player)

    def forbidden(self, at: At) -> Iterator[Breach]:
        yield from self.opening(at)
        space, p = self.space(at), at.state.player.get(self.player)
        if space and p and (cost := stack_cost(at, self.player, space.discs)).value > p.coin:
            facts = {"has": p.coin, "cost": cost.value, "sum": cost.sum, "n": len(space.discs)}
            yield at.breach(f"{self.stacking}.coin", player=self.player, **facts)

    def place_marker(self, at: At, space: Space, name: str, rule: str) -> None:
        """Pay for the stack and put a marker on top of it (`rule`)."""
        p = at.state.player[self.player]
        cost = stack_cost(at, self.player, space.discs)
        if space.discs:
            p.coin -= cost.value
            facts = {"n": cost.value, "discs": len(space.discs), "sum": cost.sum}
            at.note(f"{self.stacking}.pay", player=self.player, **facts)
        p.markers -= 1
        space.discs.append(self.player)
        at.note(f"{rule}.place", player=self.player, place=name, left=p.markers)
