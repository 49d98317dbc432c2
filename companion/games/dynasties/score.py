"""The ledger: what the last scoring paid or the next one would pay now, where the pawn stands, how it ended."""

from __future__ import annotations

from typing import Any

from companion.engine.answers.ledger import Ending, Ledger, Line, Remark, TieBreak

from .catalogue import At, cat, name, signed
from .scoring import ended, ending_facts, ending_rule, next_scoring, ordinal, pawn_after, points
from .state import COLOURS, Paid, Scoring


def ledger(at: At) -> Ledger:
    """The scoring just made; between scorings the pawn's lead, and what the next scoring would do as the board stands."""
    s = at.state
    made = s.last_scoring if ended(at) or s.phase == "over" else None
    if made is not None:
        lines = tuple(
            Line(paid.colour, "DY-SCORE-3", paid.province, _value(at, paid, made.dynasty), paid.points)
            for paid in made.paid
        )
        return Ledger(f"points in Dynasty {made.dynasty}", lines, _ranking(at), _ties(at), _ending(at), _pawn(at, made))
    lead = (Line(_ranking(at)[0][0], "DY-SCORE-5", "the scoring pawn", f"on {signed(s.pawn)}", abs(s.pawn)),)
    unit = "spaces on the scoring track"
    return Ledger(unit, lead if s.pawn else (), _ranking(at), _ties(at), _ending(at), _forecast(at))


def _told(at: At, key: str, **facts: Any) -> Remark:
    rule, _, which = key.partition(".")
    return Remark(rule, at.rules.words(rule, "says", which).say(facts))


def _value(at: At, paid: Paid, dynasty: int) -> str:
    """`first value of tile E 2-3-5`."""
    return f"{ordinal(at, dynasty)} value of tile {tile_name(at, paid.province)}"


def _pawn(at: At, made: Scoring) -> tuple[Remark, ...]:
    empty = [p for p in at.state.provinces if p not in {line.province for line in made.paid}]
    nobody = [_told(at, "DY-SCORE-4", provinces=empty)] if empty else []
    said = pawn_after(at, made.pawn_before, made.paid)[1]
    return (*nobody, *(_told(at, key, **facts) for key, facts in said))


def _forecast(at: At) -> tuple[Remark, ...]:
    """What the next scoring would pay, if the board stayed as it is."""
    dynasty = next_scoring(at)
    if dynasty is None or at.state.winner is not None:
        return ()
    made = Scoring(dynasty, at.state.pawn, points(at, dynasty))
    lines = (
        _told(
            at,
            "DY-SCORE-3.would",
            province=paid.province,
            player=name(paid.colour),
            points=paid.points,
            value=_value(at, paid, dynasty),
        )
        for paid in made.paid
    )
    return (_told(at, "DY-SCORE-1.would", dynasty=dynasty), *lines, *_pawn(at, made))


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
    reason = _told(at, f"{ending_rule(at)}.why", **ending_facts(at))
    return Ending(reason.rule, reason.what, (s.winner,) if s.winner in COLOURS else (), {"pawn": s.pawn})


def tile_name(at: At, province: str) -> str:
    """`E 2-3-5`, or `?` where the tile has not been told."""
    values = at.state.provinces[province].tile
    letter = next((letter for letter, tile in cat(at).tiles.items() if tile == values), "")
    return f"{letter} {'-'.join(map(str, values))}".strip() if values else "?"
