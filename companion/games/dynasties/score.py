"""The ledger: what the last scoring paid or the next one would pay now, where the pawn stands, how it ended."""

from __future__ import annotations

from collections.abc import Iterator

from companion.engine.answers.ledger import Ending, Ledger, Line, Remark, TieBreak

from .catalogue import At, cat, name, signed
from .scoring import ended, ending_facts, ending_rule, move_pawn, next_scoring, ordinal, points
from .state import COLOURS, Paid, Scoring


def ledger(at: At) -> Ledger:
    """The scoring just made; between scorings the pawn's lead, and what the next scoring would do as the board stands."""
    s = at.state
    made = s.last_scoring if ended(at) or s.phase == "over" else None
    if made is not None:
        unit, remarks = f"points in Dynasty {made.dynasty}", tuple(_pawn(at, made))
        lines = [Line(p.colour, "DY-SCORE-3", p.province, _value(at, p, made.dynasty), p.points) for p in made.paid]
    else:
        unit, remarks = "spaces on the scoring track", tuple(_forecast(at))
        ahead = _ranking(at)[0][0]
        lines = [Line(ahead, "DY-SCORE-5", "the scoring pawn", f"on {signed(s.pawn)}", abs(s.pawn))] if s.pawn else []
    return Ledger(unit, tuple(lines), _ranking(at), _ties(at), _ending(at), remarks)


def _value(at: At, paid: Paid, dynasty: int) -> str:
    """`first value of tile E 2-3-5`."""
    return f"{ordinal(at, dynasty)} value of tile {tile_name(at, paid.province)}"


def _pawn(at: At, made: Scoring) -> Iterator[Remark]:
    """What a scoring does to the pawn: it is moved on a copy of the table."""
    here = at.copy()
    move_pawn(here, made)
    yield from (Remark(event.rule, event.what) for event in here.events)


def _forecast(at: At) -> Iterator[Remark]:
    """What the next scoring would pay, if the board stayed as it is."""
    dynasty = next_scoring(at)
    if dynasty is None or at.state.winner is not None:
        return
    made = Scoring(dynasty, at.state.pawn, points(at, dynasty))
    yield Remark("DY-SCORE-1", at.tell("DY-SCORE-1.would", dynasty=dynasty))
    for paid in made.paid:
        facts = {"province": paid.province, "player": name(paid.colour), "points": paid.points}
        yield Remark("DY-SCORE-3", at.tell("DY-SCORE-3.would", **facts, value=_value(at, paid, dynasty)))
    yield from _pawn(at, made)


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
    rule, winners = ending_rule(at), (s.winner,) if s.winner in COLOURS else ()
    return Ending(rule, at.tell(f"{rule}.why", **ending_facts(at)), winners, {"pawn": s.pawn})


def tile_name(at: At, province: str) -> str:
    """`E 2-3-5`, or `?` where the tile has not been told."""
    values = at.state.provinces[province].tile
    return f"{cat(at).letter(values)} {'-'.join(map(str, values))}".strip() if values else "?"
