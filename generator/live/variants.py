"""The variants with which a game is shown, as the page ticks them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import msgspec

if TYPE_CHECKING:
    from generator.live.desk import Desk


class Variants:
    """Chooses the variants of a desk, and tells pages of them."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._told: dict[str, Any] = {}

    def told(self) -> dict[str, Any]:
        """The titles of the game's variants, and with which it is shown."""
        state = self._desk.state
        return {"all": state.game.variant_names if state else {}, "chosen": list(self._desk.options.variants)}

    def tell(self) -> None:
        """Publish them if they changed."""
        if (now := self.told()) != self._told:
            self._told = now
            self._desk.publish("variants", now)

    def choose(self, names: Sequence[str]) -> None:
        """Show the game with these variants."""
        with self._desk.lock:
            self._desk.ask_for(msgspec.structs.replace(self._desk.options, variants=tuple(names)))
            self.tell()
