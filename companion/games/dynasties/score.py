"""The ledger: what the last scoring paid, or what the next one would pay now; where the pawn goes; how it ended."""

from __future__ import annotations

from companion.engine.answers.ledger import Ending, Ledger, Line, Remark, TieBreak

from .catalogue import At, signed, tile_name
from .ending import just_ended, next_scoring, pawn_after, points
from .state import COLOURS, Scoring

ORDINALS = ("first", "second", "third")


def ledger(at: At) -> Ledger:
    """The scoring just made, with the pawn's way; between scorings what the next one would do as the board stands."""
    s = at.state
    made = s.last_scoring if just_ended(at) else None
    dynasty = next_scoring(at)
    if made is not None:
        unit = f"points in Dynasty {made.dynasty}"
    elif dynasty is not None and s.winner is None:
        made = Scoring(dynasty, s.pawn, points(at, dynasty))
        unit = f"points if Dynasty {dynasty} were scored now"
    else:
        made, unit = Scoring(s.dynasty, s.pawn, []), "points"
    return Ledger(unit, _lines(at, made), _ranking(at), _ties(at), _ending(at), _remarks(at, made))


def _lines(at: At, made: Scoring) -> tuple[Line, ...]:
    scored = sorted(at["scoring.dynasties"])
    figure = ORDINALS[scored.index(made.dynasty) % len(ORDINALS)] if made.dynasty in scored else ORDINALS[0]
    return tuple(
        Line(
            line.colour,
            "DY-SCORE-3",
            line.province,
            f"{figure} figure of tile {tile_name(at, line.province)}",
            line.points,
        )
        for line in made.paid
    )


def _remarks(at: At, made: Scoring) -> tuple[Remark, ...]:
    if not made.paid and made.dynasty not in at["scoring.dynasties"]:
        return ()
    paid = {line.province for line in made.paid}
    empty = [p for p in at.state.provinces if p not in paid]
    found = [Remark("DY-SCORE-4", f"{', '.join(empty)}: nobody there, nobody is paid")] if empty else []
    return (*found, *(Remark(rule, why) for rule, why in pawn_after(at, made.pawn_before, made.paid)[1]))


def _ranking(at: At) -> tuple[tuple[str, ...], ...]:
    s = at.state
    ahead = s.winner if s.winner in COLOURS else "white" if s.pawn > 0 else "black" if s.pawn < 0 else None
    return ((ahead,), tuple(c for c in COLOURS if c != ahead)) if ahead else (tuple(COLOURS),)


def _ties(at: At) -> tuple[TieBreak, ...]:
    s = at.state
    if s.winner is None or s.pawn:
        return ()
    return (TieBreak("DY-WIN-3", "armies in reserve", {c: p.reserve for c, p in s.players.items()}),)


def _ending(at: At) -> Ending | None:
    s = at.state
    if s.winner is None:
        return None
    red = abs(s.pawn) >= at["track.red_distance"]
    rule = "DY-WIN-1" if red else "DY-WIN-2" if s.pawn else "DY-WIN-4" if s.winner == "drawn" else "DY-WIN-3"
    reason = {
        "DY-WIN-1": f"the pawn stands on the red space {signed(s.pawn)}",
        "DY-WIN-2": f"after Dynasty {s.dynasty} the pawn stands on {signed(s.pawn)}",
        "DY-WIN-3": "the pawn is in the centre, and that side has more armies in reserve",
        "DY-WIN-4": "the pawn is in the centre, and the reserves are equal",
    }[rule]
    return Ending(rule, reason, (s.winner,) if s.winner in COLOURS else (), {"pawn": s.pawn})


__all__ = ["ledger"]
