"""The ledger of a scoring Dynasty, and how the game ended (rules DY-SCORE, DY-WIN)."""

from __future__ import annotations

from companion.engine.ledger import Ending, Ledger, Line, TieBreak

from .catalogue import At
from .cleanup import points
from .state import COLOURS


def ledger(at: At) -> Ledger:
    """Points of the present (or next) scoring, the pawn, and the tie-break by reserves where the pawn is in the centre."""
    s = at.state
    lines = []
    totals, paid = points(at)
    for colour, province, n in paid:
        tile = "-".join(map(str, s.provinces[province].tile)) or "unknown"
        lines.append(Line(colour, "DY-SCORE-3", province, f"tile {tile}, Dynasty {s.dynasty}", n))
    ranking: tuple[tuple[str, ...], ...]
    if s.winner in COLOURS:
        ranking = ((s.winner,), tuple(c for c in COLOURS if c != s.winner))
    elif s.pawn:
        ahead = "white" if s.pawn > 0 else "black"
        ranking = ((ahead,), tuple(c for c in COLOURS if c != ahead))
    else:
        ranking = (tuple(COLOURS),)
    ties = (
        ()
        if s.pawn
        else (TieBreak("DY-WIN-3", "armies in reserve", {c: s.players[c].reserve for c in COLOURS if c in s.players}),)
    )
    ending = None
    if s.winner is not None:
        red = abs(s.pawn) >= at["track.red_distance"]
        rule = "DY-WIN-1" if red else "DY-WIN-2" if s.pawn else "DY-WIN-4" if s.winner == "drawn" else "DY-WIN-3"
        reason = {
            "DY-WIN-1": f"the pawn stands on the red space {s.pawn:+d}",
            "DY-WIN-2": f"after Dynasty {s.dynasty} the pawn stands on {s.pawn:+d}",
            "DY-WIN-3": "the pawn is in the centre, and that side has more armies in reserve",
            "DY-WIN-4": "the pawn is in the centre, and the reserves are equal",
        }[rule]
        ending = Ending(rule, reason, (s.winner,) if s.winner in COLOURS else (), {"pawn": s.pawn, **totals})
    return Ledger("points of this scoring", tuple(lines), ranking, ties, ending)


__all__ = ["ledger"]
