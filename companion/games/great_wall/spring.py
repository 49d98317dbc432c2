"""spring (rules GW-spring)."""

from __future__ import annotations

MOVES: dict[str, tuple[type, ...]] = {}
