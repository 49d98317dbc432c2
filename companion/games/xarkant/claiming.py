"""Claiming land (rules XK-CLAIM)."""

from __future__ import annotations

from typing import ClassVar

from .catalogue import At
from .land import in_words, land
from .turns import DiscAction


class Claim(DiscAction, frozen=True):
    """Lay a disc, claim side up: it stays there for the rest of the game."""

    words = ("claim",)
    example = "claim e1"
    area_rule = "XK-CLAIM-1"
    quadrant_rule = "XK-CLAIM-2"
    asks: ClassVar[dict[str, str]] = {"at": "XK-CLAIM-1.at"}

    def apply(self, at: At) -> None:
        at.note("XK-CLAIM-3.claims", player=self.player, at=self.at, **in_words(at, land(at).of[self.at]))
        at.state.progress = True
        self.lay_disc(at, "claim")
