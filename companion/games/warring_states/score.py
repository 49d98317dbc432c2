"""The standing: Province Tokens controlled, the tie-break ladder, and how the game ended (rules WS-WIN)."""

from __future__ import annotations

from itertools import groupby

from companion.engine.answers.ledger import Ending, Ledger, Line, TieBreak

from .catalogue import At
from .ending import controlled, seats_of_turn, standing


def ledger(at: At) -> Ledger:
    """Tokens of every player, best first, with the figures of the tie-break where players are level."""
    s = at.state
    order = seats_of_turn(at)
    lines: list[Line] = []
    for seat in order:
        p = s.players[seat]
        lines.append(Line(seat, "WS-WIN-1", "intact provinces", str(p.provinces.intact), p.provinces.intact))
        if p.provinces.razed:
            counted = controlled(at, p) - p.provinces.intact
            words = str(p.provinces.razed) if counted else f"{p.provinces.razed} not counted"
            lines.append(Line(seat, "WS-WIN-3", "razed provinces", words, counted))
    rows = standing(at, order)
    groups = [tuple(seat for seat, _ in group) for _, group in groupby(rows, key=lambda row: row[1][0])]
    reached = [seat for seat, key in rows if key[0] >= at["victory.provinces"]]
    ties: list[TieBreak] = []
    if len(reached) > 1:
        for what, i in (("Province Tokens", 0), ("intact provinces", 1), ("Bu", 2)):
            ties.append(TieBreak("WS-WIN-4", what, {seat: key[i] for seat, key in rows if seat in reached}))
        ties.append(
            TieBreak(
                "WS-WIN-4",
                "seats clockwise from the active player",
                {seat: -key[3] for seat, key in rows if seat in reached},
                lowest=True,
            )
        )
    ending = None
    if s.winner is not None:
        tokens = controlled(at, s.players[s.winner])
        need = at["victory.provinces"]
        ending = Ending(
            "WS-WIN-1" if tokens >= need else "WS-WIN-5",
            f"{s.winner} controls {tokens} of the {need} Province Tokens needed"
            if tokens >= need
            else f"{s.winner} is the last player left",
            (s.winner,),
            {"tokens": tokens, "need": need, "turn": s.turn},
        )
    return Ledger("Province Tokens", tuple(lines), tuple(groups), tuple(ties), ending)


__all__ = ["ledger"]
