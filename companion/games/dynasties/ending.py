"""The end of a Dynasty and of the game: points, both pawns, the winner (rules DY-SCORE, DY-WIN, DY-CLEAN-8, -9, -11)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from companion.engine.play.moves import Breach, Choice, Move

from .catalogue import At, cat, controls, name, red_space, signed
from .state import COLOURS, STAGES, Colour, Marks, Paid, Scoring, rival


def drawing_due(at: At) -> list[str]:
    """Who has still to draw (DY-CLEAN-3, -8)."""
    s = at.state
    last = s.dynasty >= at["game.dynasties"] and at.on("DY-CLEAN-8")
    return [] if s.phase != "clean" or last else [c for c in COLOURS if c not in s.drew]


def scoring_due(at: At) -> bool:
    s = at.state
    return at.on("DY-SCORE-1") and s.dynasty in at["scoring.dynasties"] and s.scored < s.dynasty


def unknown_tiles(at: At) -> list[str]:
    """Provinces that would pay somebody, if it were known what."""
    return [p for p, q in at.state.provinces.items() if not q.tile and (q.white or q.black)]


def just_ended(at: At) -> bool:
    """True until something is done after the end of a Dynasty."""
    s = at.state
    return s.phase == "over" or (s.phase == "deploy" and s.dynasty > 1 and not s.ready and not s.exchanged)


def end_dynasty(at: At) -> None:
    if scoring_due(at):
        Score().apply(at)
    elif at.state.phase != "over":
        Advance().apply(at)


def presumed_end(at: At) -> Move | None:
    """An action of the next Dynasty says that this one has been scored and is over."""
    s = at.state
    if s.phase not in ("clean", "score") or drawing_due(at):
        return None
    return Score() if scoring_due(at) else Advance()


def next_scoring(at: At) -> int | None:
    """The Dynasty whose end will be scored next; None after the last one."""
    s = at.state
    return min((n for n in at["scoring.dynasties"] if n >= s.dynasty and n > s.scored), default=None)


def points(at: At, dynasty: int) -> list[Paid]:
    """What the provinces pay as they stand, if it is `dynasty` that is scored: one line for each that is controlled."""
    scored = sorted(at["scoring.dynasties"])
    which = scored.index(dynasty) if dynasty in scored and at.on("DY-SCORE-2") else 0
    lines: list[Paid] = []
    for province, p in at.state.provinces.items():
        value = p.tile[which] if len(p.tile) > which and at.on("DY-SCORE-3") else 0
        paid = [colour for colour in COLOURS if controls(at, colour, province)]
        empty = not p.white and not p.black
        lines += [Paid(colour, province, value) for colour in (COLOURS if empty and not at.on("DY-SCORE-4") else paid)]
    return lines


def pawn_after(at: At, pawn: int, paid: list[Paid]) -> tuple[int, list[tuple[str, str]]]:
    """Where a scoring takes the pawn, and why: (rule, sentence) for each step."""
    white, black = (sum(line.points for line in paid if line.colour == c) for c in COLOURS)
    difference = white - black
    if not difference:
        return pawn, [("DY-SCORE-6", f"{white} each: the pawn stays on {signed(pawn)}")]
    red = red_space(at)
    goal = pawn + difference if at.on("DY-SCORE-5") else pawn
    ahead = name("white" if difference > 0 else "black")
    why = f"White {white}, Black {black}: the pawn goes {abs(difference)} towards {ahead}, from {signed(pawn)} to {signed(goal)}"
    steps = [("DY-SCORE-5", why)]
    if red is not None and abs(goal) > red and at.on("DY-SCORE-7"):
        goal = red if goal > 0 else -red
        steps.append(("DY-SCORE-7", f"the track ends there: it stops on the red space {signed(goal)}"))
    return goal, steps


class Score(Move, frozen=True):
    """Score the provinces and move the pawn."""

    name = "score"
    role = "automatic"
    words = ("score",)
    example = "score"

    def already(self, at: At) -> bool:
        s = at.state
        return s.scored > 0 and (
            s.scored == s.dynasty or (s.scored == s.dynasty - 1 and s.phase == "deploy" and not s.ready)
        )

    def forbidden(self, at: At) -> Iterator[Breach]:
        s = at.state
        if s.dynasty not in at["scoring.dynasties"]:
            yield Breach(
                "DY-SCORE-1",
                f"Dynasty {s.dynasty} is not scored; scored are {', '.join(map(str, at['scoring.dynasties']))}",
                {"dynasty": s.dynasty},
            )
        if s.phase not in ("clean", "score"):
            yield Breach("DY-CLEAN-9", f"scoring follows clean-up, and this is {STAGES[s.phase]}", {"phase": s.phase})
        elif due := drawing_due(at):
            yield Breach("DY-CLEAN-9", f"{name(due[0])} has still to draw", {"due": due})

    def needs(self, at: At) -> Iterator[Choice]:
        if unknown := unknown_tiles(at):
            yield Choice("tiles", "", f"which tiles lie at {', '.join(unknown)}?", list(cat(at).tiles), "tiles")

    def apply(self, at: At) -> None:
        s = at.state
        paid = points(at, s.dynasty)
        at.note("DY-SCORE-1", f"Dynasty {s.dynasty} is scored", dynasty=s.dynasty)
        for line in paid:
            at.note(
                "DY-SCORE-3",
                f"{line.province} pays {line.points} to {name(line.colour)}",
                province=line.province,
                points=line.points,
            )
            at.cite("DY-SCORE-2", f"{line.province}: {'-'.join(map(str, s.provinces[line.province].tile))}")
            at.cite("DY-ARMY-4", f"{name(line.colour)} has an army in {line.province}")
        for province, p in s.provinces.items():
            if not p.white and not p.black:
                at.cite("DY-SCORE-4", f"{province} is empty and pays nobody")
            if p.marks.white or p.marks.black:
                at.cite("DY-SIX-6", f"the mark in {province} gives no control")
        s.scored = s.dynasty
        s.last_scoring = Scoring(s.dynasty, s.pawn, paid)
        _move_pawn(at, paid)
        if s.winner is not None:
            return
        s.phase = "clean"
        if not at.on("DY-SCORE-6") and not sum(
            line.points if line.colour == "white" else -line.points for line in paid
        ):
            return
        Advance().apply(at)

    @classmethod
    def candidates(cls, at: At) -> Iterator[Move]:
        if at.state.phase in ("clean", "score") and scoring_due(at):
            yield cls()


def _move_pawn(at: At, paid: list[Paid]) -> None:
    s = at.state
    s.pawn, steps = pawn_after(at, s.pawn, paid)
    for rule, why in steps:
        at.note(rule, why, pawn=s.pawn)
    at.cite("DY-BOARD-3", f"the pawn stands on {signed(s.pawn)}", pawn=s.pawn)
    red = red_space(at)
    if red is not None and abs(s.pawn) >= red and at.on("DY-WIN-1"):
        _win(at, "white" if s.pawn > 0 else "black", "DY-WIN-1", "the pawn stands on a red space")


def _win(at: At, winner: Colour | Literal["drawn"], rule: str, why: str) -> None:
    s = at.state
    s.winner = winner
    s.phase = "over"
    at.note(rule, f"{'the game is drawn' if winner == 'drawn' else name(winner) + ' wins'}: {why}", winner=winner)


class Advance(Move, frozen=True):
    """The large pawn moves on, or the game ends."""

    name = "advance"
    role = "automatic"
    words = ("advance", "next dynasty")
    example = "advance"

    def already(self, at: At) -> bool:
        return just_ended(at)

    def forbidden(self, at: At) -> Iterator[Breach]:
        s = at.state
        if s.phase not in ("clean", "score"):
            yield Breach(
                "DY-CLEAN-9",
                f"the large pawn moves on after clean-up, and this is {STAGES[s.phase]}",
                {"phase": s.phase},
            )
        elif due := drawing_due(at):
            yield Breach("DY-CLEAN-9", f"{name(due[0])} has still to draw", {"due": due})

    def needs(self, at: At) -> Iterator[Choice]:
        if scoring_due(at):
            yield from Score().needs(at)

    def apply(self, at: At) -> None:
        s = at.state
        if s.phase == "over":
            return
        if scoring_due(at):
            Score().apply(at)
            return
        at.cite("DY-CLEAN-9", "cards, draw, scoring, then the large pawn")
        if s.dynasty >= at["game.dynasties"] and at.on("DY-WIN-2"):
            _final(at)
            return
        if at.on("DY-CLEAN-11"):
            s.dynasty += 1
        s.phase = "deploy"
        s.order, s.ready, s.exchanged, s.drew, s.battle = [], [], [], [], None
        if any(s.marks(c) for c in COLOURS):
            at.cite("DY-SIX-8", "marks stay to the end of the game")
        for province in s.provinces.values():
            province.resolved = False
            if not at.on("DY-SIX-8"):
                province.marks = Marks()
        for p in s.players.values():
            p.shown = {}
            p.feigned = None
            p.hand_at_deploy = p.hand
        at.note("DY-CLEAN-11", f"Dynasty {s.dynasty} begins", dynasty=s.dynasty)

    @classmethod
    def candidates(cls, at: At) -> Iterator[Move]:
        if at.state.phase in ("clean", "score"):
            yield cls()


def _final(at: At) -> None:
    s = at.state
    at.note("DY-WIN-2", f"Dynasty {s.dynasty} was the last; the pawn stands on {signed(s.pawn)}", pawn=s.pawn)
    if s.pawn:
        _win(at, "white" if s.pawn > 0 else "black", "DY-WIN-2", "the pawn stands on that side")
        return
    reserves: dict[str, int] = {c: p.reserve for c, p in s.players.items()}
    if not at.on("DY-WIN-5"):
        reserves = {c: p.reserve + p.set_aside + s.board_total(c) for c, p in s.players.items()}
    at.cite("DY-WIN-5", "only the reserve counts", **reserves)
    if reserves["white"] != reserves["black"] and at.on("DY-WIN-3"):
        best: Colour = "white" if reserves["white"] > reserves["black"] else "black"
        _win(at, best, "DY-WIN-3", f"{reserves[best]} armies in reserve against {reserves[rival(best)]}")
    elif not at.on("DY-WIN-4"):
        s.phase = "over"
    else:
        _win(at, "drawn", "DY-WIN-4", f"{reserves['white']} armies in reserve each")


__all__ = [
    "Advance",
    "Score",
    "drawing_due",
    "end_dynasty",
    "just_ended",
    "next_scoring",
    "pawn_after",
    "points",
    "presumed_end",
    "scoring_due",
    "unknown_tiles",
]
