"""Placing a village: it takes a quadrant out of its area (rules XK-VILLAGE)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from companion.engine.play.moves import Breach, Choice, Move
from components.phrasing import count

from .actions import ResourceAction
from .catalogue import At, spell
from .domains import Quadrant
from .land import area_of, describe, free_disc_places, land, land_graph, not_empty, occupied, off_the_land, on_land
from .prices import cost_of, pay, unaffordable
from .state import Piece


def village_cost(at: At) -> dict[str, int]:
    return cost_of(at, "village", "XK-VILLAGE-1", "XK-VILLAGE-8")


def beside_worker(at: At, player: str, quadrant: str) -> bool:
    """Whether a quadrant borders on a work disc of the player itself, not only on its area (XK-VILLAGE-5)."""
    pieces = at.state.pieces
    around = (pieces.get(other) for other in land_graph(at).neighbours[quadrant])
    return any(piece is not None and piece.kind == "work" and piece.owner == player for piece in around)


def village_places(at: At, player: str) -> list[str]:
    return [q for q in free_disc_places(at) if beside_worker(at, player, q)]


class Village(ResourceAction, frozen=True):
    """Place a village next to a work disc: its quadrant has no type any more and may split an area."""

    name = "village"
    words = ("village", "build village", "place village")
    example = "village b4"
    at: Annotated[str, Quadrant()] = ""

    def breaks(self, at: At) -> Iterator[Breach]:
        yield from super().breaks(at)
        if at.state.state_board.villages <= 0:
            yield Breach("XK-VILLAGE-2", "no village is left on the State Board", {"villages": 0})
        yield from off_the_land(at, self.at)
        if self.at and on_land(at, self.at):
            yield from not_empty(at, self.at, "XK-VILLAGE-3")
            yield from occupied(at, self.at, "XK-VILLAGE-4", "XK-LAND-4")
            if not beside_worker(at, self.player, self.at):
                why = f"no work disc of {self.player} lies next to {self.at}"
                yield from at.against("XK-VILLAGE-5", "XK-LAND-7", why=why, at=self.at, player=self.player)
        yield from unaffordable(at, self.player, village_cost(at), "XK-VILLAGE-1", what="a village")

    def left_out(self, at: At) -> Iterator[Choice]:
        if not self.at:
            options = village_places(at, self.player)
            yield Choice("at", self.player, "on which quadrant?", options)

    def carry_out(self, at: At) -> None:
        s = at.state
        cost = village_cost(at)
        pay(at, self.player, cost, "a village", "XK-VILLAGE-1")
        at.cite("XK-VILLAGE-8", f"a village costs {spell(cost)}", cost=cost)
        before = area_of(at, self.at)
        s.state_board.villages = max(0, s.state_board.villages - 1)
        s.pieces[self.at] = Piece("village", None if at.on("XK-VILLAGE-7") else self.player)
        left = s.state_board.villages
        at.note("XK-VILLAGE-3", f"{self.player} places a village on {self.at}", at=self.at)
        at.cite("XK-VILLAGE-2", f"{count(left, 'village')} left on the State Board", villages=left)
        at.cite("XK-VILLAGE-4", "no disc lay in the area")
        at.cite("XK-VILLAGE-5", f"a work disc of {self.player} lies next to it")
        at.cite("XK-LAND-7", "next to it means sharing an edge")
        at.cite("XK-VILLAGE-7", "it belongs to nobody")
        if before is not None:
            of = land(at).of
            parts = list({of[q].spaces: of[q] for q in before.spaces if q in of}.values())
            now = " and ".join(describe(at, part) for part in parts) or "nothing"
            what = f"{describe(at, before)} becomes {now}"
            at.note("XK-VILLAGE-6", what, areas=[list(part.spaces) for part in parts])
            at.cite("XK-LAND-3", f"{self.at} has no type any more", at=self.at)

    @classmethod
    def candidates(cls, at: At) -> Iterator[Move]:
        player = at.state.active
        if player is not None and at.state.state_board.villages:
            yield from (cls(player, quadrant) for quadrant in village_places(at, player))


__all__ = ["Village", "village_cost", "village_places"]
