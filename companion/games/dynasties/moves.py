"""What moves of this game share, and where the values of their fields come from."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from companion.engine.play.moves import Domain, Move

from .catalogue import At, cat


class ByItself(Move, frozen=True):
    """A step that happens by itself and may be said all the same, when it is due."""

    role = "automatic"

    def apply(self, at: At) -> None:
        """It has happened, or it happens when its time comes."""


def go_on(at: At) -> None:
    """The battle goes on by itself, as far as nobody has to choose (`province.fight_on`)."""
    at.rules.steps["fight_on"](at)


def now(at: At) -> str:
    """The present phase as a sentence names it."""
    return at.rules.phase_table[at.state.phase].words


class WarlordId(Domain):
    """A Warlord by id (`ST-1`), name or the last word of it."""

    def values(self, at: At) -> Iterable[str]:
        return cat(at).warlords

    def spoken(self, at: At) -> dict[str, Any]:
        words: dict[str, Any] = {}
        for ident, card in cat(at).warlords.items():
            for word in (ident, ident.replace("-", ""), card.name, card.name.rsplit(" ", 1)[-1]):
                words[word] = ident
        return words
