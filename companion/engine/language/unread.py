"""The errors for a line that is not a move."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

from companion.engine.errors import CompanionError
from companion.engine.play.moves import Move
from companion.engine.play.position import Position


class NotationError(CompanionError):
    """A line that is not a move: it cannot be read, or could mean two things. `what` says why, or finds out why."""

    kind: Literal["unreadable", "ambiguous"]

    def __init__(
        self,
        kind: Literal["unreadable", "ambiguous"],
        what: str | Callable[[], str],
        *,
        readings: list[str] | None = None,
        ways: list[list[Move]] | None = None,
        left: list[str] | None = None,
        line: str = "",
        at: Position[Any] | None = None,
    ) -> None:
        super().__init__(what)
        self.kind = kind
        self.why = what
        """The message, or whatever finds it out."""
        self.ways = ways or []
        """The moves of each reading of an ambiguous line, or of each guess at one that cannot be read whole, in the
        order of `nearest`."""
        self.left = left or []
        """Of each guess the words that are no part of it."""
        self._readings = readings or []
        self._line = line
        self._at = at
        self.find: Callable[[str, Position[Any]], list[str]] | None = None
        """Finds the legal moves most like a line in a position."""

    @property
    def what(self) -> str:
        """The message. Most lines are tried in several ways, so it is put together only when it is wanted."""
        if callable(self.why):
            self.why = self.why()
        return self.why

    def __str__(self) -> str:
        return self.what

    @property
    def nearest(self) -> list[str]:
        """Lines that could be meant: the readings, or the legal moves most like the line."""
        if self._readings or self._at is None or self.find is None:
            return self._readings
        return self.find(self._line, self._at)

    def more(self) -> dict[str, Any]:
        return {"nearest": self.nearest} | ({"not_heard": self.left} if self.left else {})


__all__ = ["NotationError"]
