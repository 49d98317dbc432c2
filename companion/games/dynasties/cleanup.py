"""Phase 4, scoring and the end: cards home or out, draws, points, the pawns (rules DY-CLEAN, DY-SCORE, DY-WIN)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from companion.engine.moves import Breach, Choice, Count, Move, Seat

from .catalogue import At, card_of, cat, name, plural
from .state import COLOURS, Player, rival

# --- clean-up ----------------------------------------------------------------------------------------------------


def clean_up(at: At) -> None:
    """Five provinces are resolved: cards go home or leave the game, and the phase begins."""
    s = at.state
    s.phase = "clean"
    s.drew = []
    for colour in COLOURS:
        p = s.players[colour]
        home, gone = _fates(at, p)
        p.hand += len(home)
        p.removed += gone
        at.note("DY-CLEAN-1", f"{name(colour)} takes back {', '.join(home) or 'nothing'}", hand=p.hand)
        at.note("DY-CLEAN-2", f"{', '.join(gone) or 'nothing'} of {name(colour)} leaves the game", removed=gone)
        at.cite("DY-CARD-1", "yellow are 1 to 6", home=home)
        at.cite("DY-CARD-2", "white are all others", removed=gone)
    go_on(at)


def _fates(at: At, p: Player) -> tuple[list[str], list[str]]:
    home: list[str] = []
    gone: list[str] = []
    for province, label in p.shown.items():
        stays = card_of(at, label).yellow or p.feigned == province
        rule = "DY-CLEAN-1" if stays else "DY-CLEAN-2"
        (home if stays and at.on(rule) else gone if at.on("DY-CLEAN-2") else home).append(label)
    return home, gone


def drawing_due(at: At) -> list[str]:
    """Who has still to draw (DY-CLEAN-3, -8)."""
    s = at.state
    last = s.dynasty >= at["game.dynasties"] and at.on("DY-CLEAN-8")
    return [] if s.phase != "clean" or last else [c for c in COLOURS if c not in s.drew]


def draw_figures(at: At, player: str) -> tuple[int, int, str]:
    """(cards drawn, cards kept, rule): by the deck that is left, and better after one's own 1 (DY-CLEAN-3..6)."""
    p = at.state.players[player]
    bonus = (
        any(card_of(at, label).draw_bonus for label in p.shown.values()) and at.on("DY-CLEAN-4") and at.on("DY-CLEAN-5")
    )
    due, keep = (at["draw.bonus_count"], at["draw.bonus_keep"]) if bonus else (at["draw.count"], at["draw.keep"])
    if not bonus and not at.on("DY-CLEAN-3"):
        due, keep = 0, 0
    drawn = min(due, p.deck)
    return drawn, min(keep, drawn), "DY-CLEAN-4" if bonus else "DY-CLEAN-3"


def scoring_due(at: At) -> bool:
    s = at.state
    return at.on("DY-SCORE-1") and s.dynasty in at["scoring.dynasties"] and s.scored < s.dynasty


def unknown_tiles(at: At) -> list[str]:
    """Provinces that would pay somebody, if it were known what."""
    return [p for p, q in at.state.provinces.items() if not q.tile and (q.white or q.black)]


def _warlord_waits(at: At) -> bool:
    """True if nobody draws any more, so that the window after the last battle (DY-WL-5) would close unasked, and
    somebody could play a Warlord in it."""
    if at.state.dynasty < at["game.dynasties"]:
        return False
    return any(at.judge(move).legal for move in at.rules.moves["play_warlord"].candidates(at))


def go_on(at: At) -> None:
    """Score and advance by themselves, unless a Warlord may still come."""
    s = at.state
    if s.phase != "clean" or drawing_due(at):
        return
    if scoring_due(at) and unknown_tiles(at):
        at.note(
            "DY-SCORE-2",
            f"the tiles of {', '.join(unknown_tiles(at))} are not known: say which they are",
            unknown=unknown_tiles(at),
        )
        return
    if _warlord_waits(at):
        at.note("DY-WL-5", "a Warlord may still be played; then score")
        return
    end_dynasty(at)


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


def _just_ended(at: At) -> bool:
    """True until something is done after the end of a Dynasty."""
    s = at.state
    return s.phase == "over" or (s.phase == "deploy" and s.dynasty > 1 and not s.ready and not s.exchanged)


class Clean(Move, frozen=True):
    """Cards return or leave the game."""

    name = "clean"
    role = "automatic"
    words = ("clean",)
    example = "clean"

    def already(self, at: At) -> bool:
        return at.state.phase in ("clean", "score") or _just_ended(at)

    def forbidden(self, at: At) -> Iterator[Breach]:
        s = at.state
        left = [p for p, q in s.provinces.items() if not q.resolved]
        if s.phase != "battles" or left:
            yield Breach(
                "DY-CLEAN-9",
                f"not resolved: {', '.join(left)}" if left else f"this is {s.phase}",
                {"phase": s.phase, "left": left},
            )

    def apply(self, at: At) -> None:
        clean_up(at)


class Draw(Move, frozen=True):
    """A player has drawn, kept, and put the rest under the deck."""

    name = "draw"
    role = "event"
    words = ("draw",)
    example = "white draw"
    player: Annotated[str, Seat()] = ""
    drawn: Annotated[int | None, Count()] = None
    kept: Annotated[int | None, Count()] = None

    def presumes(self, at: At) -> Move | None:
        s = at.state
        return Clean() if s.phase == "battles" and s.provinces and not s.to_come() else None

    def filled(self, at: At) -> Draw:
        due = drawing_due(at)
        player = self.player or (due[0] if due else "")
        if not player or at.state.phase != "clean":
            return self
        drawn, kept, _ = draw_figures(at, player)
        return Draw(player, drawn if self.drawn is None else self.drawn, kept if self.kept is None else self.kept)

    def forbidden(self, at: At) -> Iterator[Breach]:
        s = at.state
        if s.phase != "clean":
            yield Breach("DY-CLEAN-9", f"cards are drawn in clean-up, and this is {s.phase}", {"phase": s.phase})
            return
        if s.dynasty >= at["game.dynasties"]:
            yield Breach("DY-CLEAN-8", f"there is no draw after Dynasty {s.dynasty}", {"dynasty": s.dynasty})
        if not self.player:
            return
        if self.player in s.drew:
            yield Breach("DY-CLEAN-3", f"{name(self.player)} has drawn", {"drew": list(s.drew)})
            return
        drawn, kept, rule = draw_figures(at, self.player)
        facts = {"due": drawn, "keep": kept, "deck": s.players[self.player].deck}
        if self.drawn is not None and self.drawn != drawn:
            yield Breach(rule, f"{name(self.player)} draws {drawn}, not {self.drawn}", facts)
            yield from self._because(at, drawn, facts)
        if self.kept is not None and self.kept != kept:
            yield Breach(rule, f"{name(self.player)} keeps {kept}, not {self.kept}", facts)
            yield from self._because(at, drawn, facts)

    def _because(self, at: At, drawn: int, facts: dict[str, int]) -> Iterator[Breach]:
        bonus = draw_figures(at, self.player)[2] == "DY-CLEAN-4"
        full = at["draw.bonus_count"] if bonus else at["draw.count"]
        if drawn < full:
            yield Breach("DY-CLEAN-6", f"the deck has {plural(drawn, 'card')}", facts)
        if (self.drawn is not None and self.drawn < drawn) or (self.kept is not None and self.kept < facts["keep"]):
            yield Breach("DY-CLEAN-7", "drawing and keeping are compulsory", facts)

    def needs(self, at: At) -> Iterator[Choice]:
        if not self.player:
            yield Choice("player", "", "who draws?", drawing_due(at))

    def apply(self, at: At) -> None:
        s = at.state
        p = s.players[self.player]
        drawn, kept = self.drawn or 0, self.kept or 0
        rule = draw_figures(at, self.player)[2]
        full = at["draw.bonus_count"] if rule == "DY-CLEAN-4" else at["draw.count"]
        p.hand += kept
        p.deck -= kept
        s.drew.append(self.player)
        at.note(
            rule,
            f"{name(self.player)} draws {drawn} and keeps {kept}; {drawn - kept} go under the deck",
            hand=p.hand,
            deck=p.deck,
        )
        if rule == "DY-CLEAN-4":
            at.cite("DY-CLEAN-5", "the 1 was played in this Dynasty")
        if drawn < full:
            at.note("DY-CLEAN-6", "the deck has no more", deck=p.deck)
        at.cite("DY-CLEAN-7", "drawing and keeping are compulsory")
        at.cite("DY-CLEAN-10", "drawn cards are secret")
        go_on(at)

    @classmethod
    def candidates(cls, at: At) -> Iterator[Move]:
        if at.state.phase == "clean":
            yield from (cls(c).filled(at) for c in COLOURS)


# --- scoring -----------------------------------------------------------------------------------------------------


def points(at: At) -> tuple[dict[str, int], list[tuple[str, str, int]]]:
    """Points of both players for this Dynasty's scoring, and the lines: (colour, province, points)."""
    s = at.state
    which = list(at["scoring.dynasties"]).index(s.dynasty) if s.dynasty in at["scoring.dynasties"] else 0
    lines: list[tuple[str, str, int]] = []
    for province, p in s.provinces.items():
        value = (
            (p.tile[which if at.on("DY-SCORE-2") else 0] if len(p.tile) > which else 0) if at.on("DY-SCORE-3") else 0
        )
        for colour in COLOURS:
            if p.of(colour):
                lines.append((colour, province, value))
    totals: dict[str, int] = {colour: sum(n for c, _, n in lines if c == colour) for colour in COLOURS}
    return totals, lines


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
            yield Breach("DY-CLEAN-9", f"scoring follows clean-up, and this is {s.phase}", {"phase": s.phase})
        elif due := drawing_due(at):
            yield Breach("DY-CLEAN-9", f"{name(due[0])} has still to draw", {"due": due})

    def needs(self, at: At) -> Iterator[Choice]:
        if unknown := unknown_tiles(at):
            yield Choice("tiles", "", f"which tiles lie at {', '.join(unknown)}?", list(cat(at).tiles), "tiles")

    def apply(self, at: At) -> None:
        s = at.state
        totals, lines = points(at)
        at.note("DY-SCORE-1", f"Dynasty {s.dynasty} is scored", dynasty=s.dynasty)
        for colour, province, n in lines:
            at.note("DY-SCORE-3", f"{province} pays {n} to {name(colour)}", province=province, points=n)
            at.cite("DY-SCORE-2", f"{province}: {'-'.join(map(str, s.provinces[province].tile))}")
            at.cite("DY-ARMY-4", f"{name(colour)} has an army in {province}")
        for province, p in s.provinces.items():
            if not p.white and not p.black:
                at.cite("DY-SCORE-4", f"{province} is empty and pays nobody")
        s.scored = s.dynasty
        _move_pawn(at, totals)
        if s.winner is not None:
            return
        s.phase = "clean"
        Advance().apply(at)

    @classmethod
    def candidates(cls, at: At) -> Iterator[Move]:
        if at.state.phase in ("clean", "score") and scoring_due(at):
            yield cls()


def _move_pawn(at: At, totals: dict[str, int]) -> None:
    s = at.state
    difference = totals["white"] - totals["black"]
    if not difference:
        at.note("DY-SCORE-6", f"{totals['white']} each: the pawn stays on {s.pawn:+d}", pawn=s.pawn)
        return
    red = at["track.red_distance"]
    goal = s.pawn + difference if at.on("DY-SCORE-5") else s.pawn
    ahead = "white" if difference > 0 else "black"
    at.note(
        "DY-SCORE-5", f"{totals['white']} against {totals['black']}: {abs(difference)} towards {name(ahead)}", **totals
    )
    if abs(goal) > red and at.on("DY-SCORE-7"):
        goal = red if goal > 0 else -red
        at.note("DY-SCORE-7", f"it stops on the red space {goal:+d}", pawn=goal)
    s.pawn = goal
    at.cite("DY-BOARD-3", f"the pawn stands on {s.pawn:+d}", pawn=s.pawn)
    if abs(s.pawn) >= red and at.on("DY-WIN-1"):
        _win(at, "white" if s.pawn > 0 else "black", "DY-WIN-1", "the pawn stands on a red space")


def _win(at: At, winner: str, rule: str, why: str) -> None:
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
        return _just_ended(at)

    def forbidden(self, at: At) -> Iterator[Breach]:
        s = at.state
        if s.phase not in ("clean", "score"):
            yield Breach(
                "DY-CLEAN-9", f"the large pawn moves on after clean-up, and this is {s.phase}", {"phase": s.phase}
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
        for province in s.provinces.values():
            province.resolved = False
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
    at.note("DY-WIN-2", f"Dynasty {s.dynasty} was the last; the pawn stands on {s.pawn:+d}", pawn=s.pawn)
    if s.pawn:
        _win(at, "white" if s.pawn > 0 else "black", "DY-WIN-2", "the pawn stands on that side")
        return
    reserves: dict[str, int] = {c: s.players[c].reserve for c in COLOURS}
    at.cite("DY-WIN-5", "only the reserve counts", **reserves)
    if reserves["white"] != reserves["black"] and at.on("DY-WIN-3"):
        best = "white" if reserves["white"] > reserves["black"] else "black"
        _win(at, best, "DY-WIN-3", f"{reserves[best]} armies in reserve against {reserves[rival(best)]}")
    else:
        _win(at, "drawn", "DY-WIN-4", f"{reserves['white']} armies in reserve each")


__all__ = [
    "Advance",
    "Clean",
    "Draw",
    "Score",
    "clean_up",
    "draw_figures",
    "drawing_due",
    "points",
    "presumed_end",
    "scoring_due",
]
