"""Placing a village: it takes a quadrant out of its area (rules XK-VILLAGE)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, ClassVar

from companion.engine.play.moves import Breach

from .catalogue import At
from .domains import Quadrant
from .land import free_disc_places, in_words, land, land_graph, not_empty, occupied, off_the_land, without_any_worker
from .state import Piece, Player
from .storage import cost_of, pay, unaffordable
from .turns import Action


def beside_worker(at: At, player: str, quadrant: str) -> bool:
    """Whether a quadrant borders a work disc of the player itself, not only its area (XK-VILLAGE-5)."""
    pieces = at.state.pieces
    around = (pieces.get(other) for other in land_graph(at).neighbours[quadrant])
    return any(piece is not None and piece.kind == "work" and piece.owner == player for piece in around)


def village_places(at: At, player: str) -> list[str]:
    return [q for q in free_disc_places(at) if beside_worker(at, player, q)]


class Village(Action, frozen=True):
    """Place a village next to a work disc: its quadrant loses its type and may split an area."""

    words = ("village", "build village", "place village")
    example = "village b4"
    asks: ClassVar[dict[str, str]] = {"at": "XK-VILLAGE-3.at"}
    at: Annotated[str, Quadrant()] = ""

    def broken(self, at: At, p: Player) -> Iterator[Breach]:
        if at.state.state_board.villages <= 0:
            yield at.breach("XK-VILLAGE-2", villages=0)
        yield from off_the_land(at, self.at)
        if self.at in land_graph(at):
            yield from not_empty(at, self.at, "XK-VILLAGE-3")
            yield from occupied(at, self.at, "XK-VILLAGE-4")
            if not beside_worker(at, self.player, self.at):
                yield at.breach("XK-VILLAGE-5.none", "XK-LAND-7", at=self.at, player=self.player)
        elif not self.at:
            yield from without_any_worker(at, self.player, "XK-VILLAGE-5")
        yield from unaffordable(at, "XK-VILLAGE-1", self.player, cost_of(at, "village"))

    def apply(self, at: At) -> None:
        s = at.state
        pay(at, "XK-VILLAGE-1", self.player, cost_of(at, "village"))
        before = land(at).of[self.at]
        s.state_board.villages = max(0, s.state_board.villages - 1)
        s.pieces[self.at] = Piece("village")
        s.progress = True
        at.note("XK-VILLAGE-3", player=self.player, at=self.at, left=s.state_board.villages)
        of = land(at).of
        parts = list(dict.fromkeys(of[q].spaces for q in before.spaces if q in of))
        key = f"XK-VILLAGE-6.{'left' if parts else 'gone'}"
        at.note(key, parts=[" ".join(p) for p in parts], areas=[*map(list, parts)], **in_words(at, before))
