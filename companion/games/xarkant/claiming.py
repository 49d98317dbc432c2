"""Claiming land (rules XK-CLAIM)."""

from __future__ import annotations

from collections.abc import Iterator

from companion.engine.play.moves import Move

from .catalogue import At
from .land import area_of, free_disc_places, in_words
from .turns import DiscAction


class Claim(DiscAction, frozen=True):
    """Lay a disc, claim side up: it stays there for the rest of the game."""

    name = "claim"
    words = ("claim",)
    example = "claim e1"
    area_rule = "XK-CLAIM-1"
    quadrant_rule = "XK-CLAIM-2"

    def apply(self, at: At) -> None:
        area = area_of(at, self.at)
        if area is not None:
            at.note("XK-CLAIM-3.claims", player=self.player, at=self.at, **in_words(at, area))
        at.state.progress = True
        self.lay_disc(at, "claim")

    @classmethod
    def candidates(cls, at: At) -> Iterator[Move]:
        s = at.state
        if s.active is not None and s.drawn.get(s.active):
            yield from (cls(s.active, quadrant) for quadrant in free_disc_places(at))
