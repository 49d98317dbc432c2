"""Moments of the base game at which a module's chapter may do something: it adds a function to the list.

Each is called with the position and what the list says. A module that is not in play adds nothing to the table, so the
function looks at the pieces it needs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from companion.engine.play.moves import Breach

from .catalogue import At

LOCATION_OPENS: list[Callable[[At, str], None]] = []
"""(location): it resolves; before anybody uses a clerk there."""
TOWER_MANNED: list[Callable[[At, str, str], None]] = []
"""(clan, tower): a soldier of the clan has gone into the tower."""
MACHINE_BUILT: list[Callable[[At, str, str, str], None]] = []
"""(clan, machine, section): the clan has built a war machine."""

FEWER = "fewer_uses"
"""What is allowed a player who uses so many clerks fewer in the location that resolves."""
IDLED_BY: list[str] = []
"""The rule by which that is so."""

OFF_BOARD: list[Callable[[At, str], Iterator[Breach]]] = []
"""(card): a card that is no horde card on the board has been named as a target; why it cannot be one."""
