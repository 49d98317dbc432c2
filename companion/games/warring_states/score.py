"""The standing: Province Tokens controlled, the tie-break ladder, and how the game ended (rules WS-WIN)."""

from __future__ import annotations

from itertools import groupby

from companion.engine.answers.ledger import Ending, Ledger, Line, TieBreak

from .catalogue import At
from .ending import controlled, seats_of_turn, standing

LADDER = ("Province Tokens", "intact provinces", "Bu", "seats clockwise from the active player")
"""What decides among players who all have enough provinces (WS-WIN-4)."""


def ledger(at: At) -> Ledger:
    """Tokens of every player, best first, with the figures of the tie-break where players are level."""
    s, need = at.state, at["victory.provinces"]
    order = seats_of_turn(at)
    lines: list[Line] = []
    for seat in order:
        land = s.players[seat].provinces
        lines.append(Line(seat, "WS-WIN-1", "intact provinces", str(land.intact), land.intact))
        if land.razed:
            counted = controlled(at, s.players[seat]) - land.intact
            words = str(land.razed) if counted else f"{land.razed} not counted"
            lines.append(Line(seat, "WS-WIN-3", "razed provinces", words, counted))
    rows = standing(at, order)
    groups = [tuple(seat for seat, _ in group) for _, group in groupby(rows, key=lambda row: row[1][0])]
    reached = {seat: key for seat, key in rows if key[0] >= need}
    ties = [
        TieBreak("WS-WIN-4", what, {seat: abs(key[i]) for seat, key in reached.items()}, lowest=what == LADDER[-1])
        for i, what in enumerate(LADDER if len(reached) > 1 else ())
    ]
    ending = None
    if s.winner is not None:
        tokens = controlled(at, s.players[s.winner])
        enough, facts = tokens >= need, {"tokens": tokens, "need": need, "turn": s.turn}
        won = f"{s.winner} controls {tokens} of the {need} Province Tokens needed"
        left = f"{s.winner} is the last player left"
        ending = Ending("WS-WIN-1" if enough else "WS-WIN-5", won if enough else left, (s.winner,), facts)
    return Ledger("Province Tokens", tuple(lines), tuple(groups), tuple(ties), ending)
