"""The base of everything that a person at the table can have caused: not a fault of the program."""

from __future__ import annotations

from typing import Any


class CompanionError(Exception):
    """Something to be told in one message. `kind` sorts it for programs; `status` is the exit status it leads to."""

    kind: str = "table"
    status: int = 2

    def more(self) -> dict[str, Any]:
        """What programs should know beside the message."""
        return {}


__all__ = ["CompanionError"]
