"""Drawing discs from the bag, and who draws next (rules XK-DRAW)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

from companion.engine.play.moves import Amounts
from companion.engine.things.stores import ways
from companion.rules import Breach, Choice, Move, Options, Reported, lacking

from .catalogue import At
from .cleanup import end_if_cleaned_up_now
from .domains import Discs
from .turns import pass_drawer


def full_draw(at: At) -> int:
    """Discs drawn from a full bag: as many as there are players, or the number the table plays with (XK-DRAW-2)."""
    return len(at.state.players) if at["draw.count"] == "players" else int(at["draw.count"])


def draw_count(at: At) -> int:
    """Discs to be drawn now: a full draw, or as many as the bag holds (XK-DRAW-2, -3)."""
    return min(full_draw(at), sum(at.state.bag.values()))


class Draw(Reported, frozen=True):
    """Report which discs the drawer drew from the bag."""

    discs: Annotated[Amounts | None, Discs("disc", after=("for",), of=("disc", "one", "colour"))] = None
    """Player -> number of discs drawn."""

    def discs_options(self, at: At) -> Options:
        return ways(draw_count(at), at.state.bag)

    def everything(self, at: At, field: str) -> Any:
        left = {player: n for player, n in at.state.bag.items() if n}
        return left if field and sum(left.values()) <= full_draw(at) else None

    def questions(self, at: At, field: str, values: list[Any]) -> list[Choice]:
        """The players whose discs may have been drawn; how many of each is for the table to say."""
        s = at.state
        return [at.ask("XK-DRAW-1.discs", field, s.drawer or "", filter(s.bag.get, s.players), n=draw_count(at))]

    def presumes(self, at: At) -> Move | None:
        """Drawing for a new round says that the old one was cleaned up, and that it was not the last."""
        over = at.state.phase != "cleanup" or end_if_cleaned_up_now(at) is not None
        return None if over else at.rules.moves["cleanup"]()

    def forbidden(self, at: At) -> Iterator[Breach]:
        s = at.state
        if s.phase != "draw" or self.discs is None:
            return
        drawn, due = sum(self.discs.values()), draw_count(at)
        facts = {"drawn": dict(self.discs), "due": due, "bag": dict(s.bag), "players": len(s.players)}
        if drawn != due:
            yield at.breach("XK-DRAW-3.all" if due < full_draw(at) else "XK-DRAW-2.number", n=drawn, **facts)
        for player in lacking(s.bag, self.discs):
            yield at.breach("XK-DRAW-4", player=player, has=s.bag.get(player, 0), n=self.discs[player], **facts)

    def apply(self, at: At) -> None:
        s = at.state
        discs = self.discs or {}
        rule = "XK-DRAW-2" if sum(discs.values()) == full_draw(at) else "XK-DRAW-3"
        at.note(f"{rule}.drawn", drawer=s.drawer, n=sum(discs.values()), drawn=dict(discs))
        for player, n in discs.items():
            s.bag[player] = s.bag.get(player, 0) - n
            s.drawn[player] = s.drawn.get(player, 0) + n
        s.end_reason = None  # a table may play on after the end
        s.queue = s.act_order()
        s.active = s.queue[0] if s.queue else None
        at.enter("act")
        if s.active is not None:
            at.note(f"XK-TURN-2.{'order' if s.queue[1:] else 'one'}", queue=list(s.queue))


def end_phase(at: At) -> None:
    """Everybody has passed: the next drawer draws, or the round is cleaned up (XK-DRAW-5, XK-CLEAN-1)."""
    s = at.state
    if at["drawer.passes"] == "each_phase":
        pass_drawer(at)
    if any(s.bag.values()):
        at.note("XK-DRAW-1.awaited", drawer=s.drawer, n=draw_count(at))
    else:
        at.note("XK-CLEAN-1", bag=0)
