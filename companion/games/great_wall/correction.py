"""Corrections that all players agree on: a field of the position gets another value (GW-INFO-8)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

from companion.engine.play.moves import Breach, Free
from companion.engine.play.position import PositionError
from companion.engine.table.corrections import corrected

from .catalogue import At
from .laws import broken_laws
from .reports import TableReport


class Correct(TableReport, frozen=True):
    """Set a field of the position to what the table shows."""

    words = ("correct",)
    example = "correct field=player.pine.honor value=5 reason=miscounted"
    field: Annotated[str, Free()] = ""
    value: Any = None
    reason: Annotated[str, Free()] = ""

    @property
    def path(self) -> str:
        """The field; `game` may stand before it, as in positions."""
        return self.field.removeprefix("game.")

    def forbidden(self, at: At) -> Iterator[Breach]:
        if not self.field:
            yield at.breach("GW-INFO-8.field")
            return
        here = at.copy()
        try:
            here.state = corrected(at.rules, at.state, self.path, self.value)
        except PositionError as error:
            yield at.breach("GW-INFO-8.cannot", field=self.field, why=str(error))
            return
        if not broken_laws(at) and (broken := broken_laws(here)):
            yield at.breach("GW-INFO-8.recount", why=broken)

    def apply(self, at: At) -> None:
        at.state = corrected(at.rules, at.state, self.path, self.value)
        at.note("GW-INFO-8.corrected", field=self.field, value=str(self.value), reason=self.reason or "no reason given")


ANYTIME = (Correct,)
