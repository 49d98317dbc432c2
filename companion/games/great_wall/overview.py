"""What may be done now, in few lines: ways that differ only in where they lead are taken together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from companion.engine.language import notation
from companion.engine.play.moves import Move, acting
from components.phrasing import count

from .catalogue import At

KEY = {"recruit": "unit", "build": "what", "attack": "unit", "march": "unit", "man": "unit", "play_tactic": "card"}
"""Kind of move -> the field that tells its ways apart."""
MOST = 3
"""So many moves of a kind are listed one by one."""


def overview(at: At, legal: Sequence[Move]) -> list[str]:
    """The legal moves of the position; what is possible at any time comes last."""
    always = [move for move in legal if type(move) in at.rules.anytime]
    groups: dict[tuple[Any, ...], list[Move]] = {}
    for move in legal:
        if move not in always:
            who = getattr(move, acting(type(move)), "") if acting(type(move)) else ""
            groups.setdefault((move.name, who, getattr(move, KEY.get(move.name, ""), "")), []).append(move)
    lines = []
    for moves in groups.values():
        written = [notation.write(move, at) for move in moves]
        lines += written if len(moves) <= MOST else [f"{written[0]} ({count(len(moves) - 1, 'other way')})"]
    if always:
        lines.append(f"at any time: {'; '.join(notation.write(move, at) for move in always)}")
    return lines
