"""Scoring and end: points, both pawns, the winner, and the ledger (rules DY-SCORE, DY-WIN, DY-CLEAN-8, -9, -11)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

from companion.engine.answers.ledger import Remark, Standing
from companion.rules import Breach, ByItself, Ending, Ledger, Line, Move, TieBreak

from .armies import controls
from .catalogue import SIDES, At, Facts, cat, name, signed
from .setup import Tiles
from .state import COLOURS, Paid, Scoring, rival
from .warlords import window_open

ORDINALS = ("first", "second", "third")


def drawing_due(at: At) -> list[str]:
    """The players who still have to draw; none after the last Dynasty (DY-CLEAN-3, -8)."""
    s = at.state
    return [c for c in COLOURS if c not in s.drew] if s.phase == "clean" and s.dynasty < at["game.dynasties"] else []


def scoring_due(at: At) -> bool:
    return at.state.dynasty in at["scoring.dynasties"] and at.state.scored < at.state.dynasty


def unknown_tiles(at: At) -> list[str]:
    """Provinces that would pay somebody, if it were known what."""
    return [p for p, q in at.state.provinces.items() if not q.tile and (q.white or q.black)]


def ended(at: At) -> bool:
    """True between the end of a Dynasty and the first action of the next one."""
    s = at.state
    return s.phase == "deploy" and s.dynasty > 1 and not s.ready and not s.exchanged


def which_value(at: At, dynasty: int) -> int:
    """The index, from 0, of the value that a tile pays: the first at the first scoring (DY-SCORE-2)."""
    return sum(n < dynasty for n in at["scoring.dynasties"])


def points(at: At, dynasty: int) -> list[Paid]:
    """The payments of the provinces as they stand, if `dynasty` is scored: one line for each that is controlled."""
    which = which_value(at, dynasty)
    return [
        Paid(colour, q, province.tile[which] if len(province.tile) > which else 0)
        for q, province in at.state.provinces.items()
        for colour in COLOURS
        if controls(at, colour, q)
    ]


def ordinal(at: At, dynasty: int) -> str:
    """The word for the value of the tiles that a scoring pays."""
    return ORDINALS[which_value(at, dynasty) % len(ORDINALS)]


# --- the end of a Dynasty ----------------------------------------------------------------------------------------


def end_dynasty(at: At) -> None:
    """Score if a scoring is due; then the large pawn moves on, or the game ends."""
    s = at.state
    if scoring_due(at):
        score_provinces(at)
    if s.winner is None and s.dynasty >= at["game.dynasties"]:
        decide(at)
    if s.winner is not None:
        return
    s.dynasty += 1
    s.order, s.ready, s.exchanged, s.drew, s.battle = [], [], [], [], None
    for province in s.provinces.values():
        province.resolved = False
    for p in s.players.values():
        p.shown, p.feigned, p.hand_at_deploy = {}, None, p.hand
    at.note("DY-CLEAN-11", dynasty=s.dynasty)


def score_provinces(at: At) -> None:
    s = at.state
    made = s.last_scoring = Scoring(s.dynasty, s.pawn, points(at, s.dynasty))
    s.scored = s.dynasty
    at.note("DY-SCORE-1", dynasty=s.dynasty)
    at.note("DY-SCORE-2.value", which=ordinal(at, s.dynasty))
    for line in made.paid:
        at.note("DY-SCORE-3", province=line.province, points=line.points, player=name(line.colour))
    move_pawn(at, made)
    red_space(at)


def move_pawn(at: At, made: Scoring) -> None:
    """The pawn moves by the difference of the points, as far as the track goes (DY-SCORE-4..7)."""
    white, black = (sum(line.points for line in made.paid if line.colour == c) for c in COLOURS)
    before, goal, red = made.pawn_before, made.pawn_before + white - black, at["track.red_distance"]
    at.state.pawn = max(-red, min(goal, red))
    facts: Facts = {"white": white, "black": black, "n": abs(white - black), "pawn": signed(goal)}
    paying = [line.province for line in made.paid]
    if empty := [p for p in at.state.provinces if p not in paying]:
        at.note("DY-SCORE-4", provinces=empty)
    if white == black:
        at.note("DY-SCORE-6", **facts)
    else:
        at.note("DY-SCORE-5", **facts, **SIDES, player=name(COLOURS[white < black]), pawn_before=signed(before))
    if at.state.pawn != goal:
        at.note("DY-SCORE-7", pawn=signed(at.state.pawn))


def red_space(at: At) -> bool:
    """The pawn on a red space ends the game at once (DY-WIN-1)."""
    if abs(at.state.pawn) < at["track.red_distance"]:
        return False
    _win(at, "white" if at.state.pawn > 0 else "black")
    return True


def decide(at: At) -> None:
    """The last Dynasty is over: the side of the pawn wins, then the larger reserve (DY-WIN-2..4)."""
    s = at.state
    white, black = (s.players[c].reserve for c in COLOURS)
    lead = s.pawn or white - black
    _win(at, "white" if lead > 0 else "black" if lead else "drawn")


def _win(at: At, winner: Literal["white", "black", "drawn"]) -> None:
    at.state.winner = winner
    at.note(f"{ending_rule(at)}.wins", **ending_facts(at))


def ending_rule(at: At) -> str:
    """The rule by which the game ended."""
    s = at.state
    if s.pawn:
        return "DY-WIN-1" if abs(s.pawn) >= at["track.red_distance"] else "DY-WIN-2"
    return "DY-WIN-4" if s.winner == "drawn" else "DY-WIN-3"


def ending_facts(at: At) -> dict[str, Any]:
    """The figures on which the end rests."""
    s = at.state
    own = s.winner if s.winner in COLOURS else COLOURS[0]
    reserves = {"reserve": s.players[own].reserve, "other": s.players[rival(own)].reserve}
    return {"winner": s.winner, "player": name(s.winner), "pawn": signed(s.pawn), "dynasty": s.dynasty, **reserves}


# --- said by hand ------------------------------------------------------------------------------------------------


def presumed_end(at: At) -> Move | None:
    """An action of the next Dynasty says that this one has been scored and is over."""
    if at.state.phase not in ("clean", "score") or drawing_due(at):
        return None
    if at.open and scoring_due(at) and not unknown_tiles(at) and window_open(at):
        return None  # a typed line of one player does not take the last moment for a Warlord from the other
    return Score() if scoring_due(at) else Advance()


class EndMove(ByItself, frozen=True):
    """The end of a Dynasty: nobody plays another Warlord."""

    elsewhere = "DY-CLEAN-9"

    def forbidden(self, at: At) -> Iterator[Breach]:
        if due := drawing_due(at):
            yield at.breach("DY-CLEAN-9.due", due=[name(c) for c in due])

    def presumes(self, at: At) -> Move | None:
        """The tiles have to be told before they can pay."""
        due = at.state.phase in ("clean", "score") and not drawing_due(at) and scoring_due(at)
        return Tiles() if due and unknown_tiles(at) else None

    def apply(self, at: At) -> None:
        at.enter("score")


class Score(EndMove, frozen=True):
    """Score the provinces and move the pawn."""

    def already(self, at: At) -> bool:
        s = at.state
        return s.scored == s.dynasty or (s.scored == s.dynasty - 1 and ended(at))

    def forbidden(self, at: At) -> Iterator[Breach]:
        if at.state.dynasty not in at["scoring.dynasties"]:
            yield at.breach("DY-SCORE-1.none", dynasty=at.state.dynasty, dynasties=at["scoring.dynasties"])
        yield from super().forbidden(at)


class Advance(EndMove, frozen=True):
    """The large pawn moves on, or the game ends."""

    def already(self, at: At) -> bool:
        s = at.state
        by_dynasty = s.phase == "over" and s.scored == s.dynasty and ending_rule(at) != "DY-WIN-1"
        return ended(at) or by_dynasty


# --- the ledger: what the last scoring paid or the next one would pay now, how it ended ------------------------------


def ledger(at: At) -> Ledger:
    """The scoring just made; between scorings the pawn's lead, and what the next scoring would do as the board stands."""
    s = at.state
    made, ahead = just_made(at), _ranking(at)[0][0]
    lead = Standing("spaces on the scoring track", {c: abs(s.pawn) if c == ahead else 0 for c in COLOURS})
    if made is not None:
        unit, remarks = f"points in Dynasty {made.dynasty}", tuple(_pawn(at, made))
        lines = [Line(p.colour, "DY-SCORE-3", p.province, _value(at, p, made.dynasty), p.points) for p in made.paid]
    else:
        unit, remarks = lead.unit, tuple(_forecast(at))
        lines = [Line(ahead, "DY-SCORE-5", "the scoring pawn", f"on {signed(s.pawn)}", abs(s.pawn))] if s.pawn else []
    reserves = TieBreak("DY-WIN-3", "armies in reserve", {c: p.reserve for c, p in s.players.items()})
    ties = () if s.winner is None or s.pawn else (reserves,)
    return Ledger(unit, tuple(lines), _ranking(at), ties, _ending(at), remarks, standing=lead if made else None)


def just_made(at: At) -> Scoring | None:
    """The scoring of the Dynasty that has just ended; None: it had none, or the next one has begun."""
    s = at.state
    past = s.dynasty - 1 if ended(at) else s.dynasty if s.phase == "over" else 0
    return s.last_scoring if s.last_scoring is not None and s.last_scoring.dynasty == past else None


def scored(at: At) -> Ledger | None:
    """Only some Dynasties are scored."""
    return ledger(at) if just_made(at) else None


def _value(at: At, paid: Paid, dynasty: int) -> str:
    """`first value of tile E 2-3-5`."""
    return f"{ordinal(at, dynasty)} value of tile {tile_name(at, paid.province)}"


def _pawn(at: At, made: Scoring) -> Iterator[Remark]:
    """The effect of a scoring on the pawn, which is moved on a copy of the table."""
    here = at.copy()
    move_pawn(here, made)
    yield from (Remark(event.rule, event.what) for event in here.events)


def _forecast(at: At) -> Iterator[Remark]:
    """The payments of the next scoring, if the board stayed as it is."""
    s = at.state
    dynasty = min((n for n in at["scoring.dynasties"] if n >= s.dynasty and n > s.scored), default=None)
    if dynasty is None or s.winner is not None:
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
