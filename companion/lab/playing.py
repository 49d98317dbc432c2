"""One game of the lab, played to its end."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from companion.engine.play.moves import Move
from companion.engine.play.playout import MOST_MOVES, MOST_REFUSALS, PlayoutError
from companion.engine.play.position import Position, Rules
from companion.lab.record import End, GameRecord, Recorder

LOOKED_AT = 10
LISTED = 8
"""In one of so many games, the options of one of so many moves are listed, to count what was offered: listing them
takes longer than playing."""


def play_undealt(
    rules: Rules, seats: Sequence[str], seed: int, number: int, *, most: int = MOST_MOVES, keep: bool = False
) -> tuple[GameRecord, list[list[Move]]]:
    """A game of random proposals, in which what is drawn is anything that could come up: the quickest there is. Its
    record, and the moves of each line if they are kept. Raises PlayoutError where the set-up is refused."""
    recorder = Recorder(rules, seats, ["undealt"] * len(seats), seed, number, keep=keep)
    rng = Random(f"{seed} {number}")
    at: Position[Any] = Position(rules, rules.new_state())
    at.chooser = rng.choice
    verdict = recorder.play(at, rules.setup_move(list(seats), {}))
    if not verdict.legal:
        reasons = "; ".join(b.why for b in verdict.reasons) or "it leaves out a choice"
        raise PlayoutError(f"the set-up is illegal: {reasons}", seed, [])
    record, in_a_row, end = recorder.record, 0, "cut"
    record.moves = 0
    looked_at = number % LOOKED_AT == 0
    while record.moves < most:
        if rules.over(at.state):
            end = "over"
            break
        move = rules.propose(at, rng) if in_a_row <= MOST_REFUSALS else None
        if move is None:
            end = "stuck"
            break
        listed = at.legal() if looked_at and not in_a_row and record.moves % LISTED == LISTED - 1 else None
        in_a_row = 0 if recorder.play(at, move, listed).legal else in_a_row + 1
    made: End = "over" if end == "over" else "stuck" if end == "stuck" else "cut"
    return recorder.end(at, made), recorder.moves or []


__all__ = ["LISTED", "play_undealt"]
