"""summer (rules GW-summer)."""

from __future__ import annotations

MOVES: dict[str, tuple[type, ...]] = {}
