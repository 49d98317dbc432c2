"""Phase 4: cards go home or out, and everybody draws (rules DY-CLEAN)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from companion.engine.play.moves import Breach, Choice, Count, Move, Seat
from components.phrasing import count

from .catalogue import At, card_of, name
from .ending import drawing_due, end_dynasty, just_ended, scoring_due, unknown_tiles
from .state import COLOURS, STAGES, Player


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
        if gone:
            at.note("DY-CLEAN-2", f"{name(colour)} puts {', '.join(gone)} out of the game", removed=gone)
        at.cite("DY-CARD-1", "yellow are 1 to 6", home=home)
        at.cite("DY-CARD-2", "white are all others", removed=gone)
    go_on(at)


def _fates(at: At, p: Player) -> tuple[list[str], list[str]]:
    home: list[str] = []
    gone: list[str] = []
    for province, label in p.shown.items():
        yellow = card_of(at, label).yellow and at.on("DY-CARD-1")
        stays = (yellow and at.on("DY-CLEAN-1")) or p.feigned == province
        leaves = not stays and at.on("DY-CARD-2") and at.on("DY-CLEAN-2")
        (gone if leaves else home).append(label)
    return home, gone


def draw_figures(at: At, player: str) -> tuple[int, int, str]:
    """(cards drawn, cards kept, rule): by the deck that is left, and better after one's own 1 (DY-CLEAN-3..6)."""
    p = at.state.players[player]
    bonus = (
        any(card_of(at, label).draw_bonus for label in p.shown.values()) and at.on("DY-CLEAN-4") and at.on("DY-CLEAN-5")
    )
    due, keep = (at["draw.bonus_count"], at["draw.bonus_keep"]) if bonus else (at["draw.count"], at["draw.keep"])
    if not bonus and not at.on("DY-CLEAN-3"):
        due, keep = 0, 0
    drawn = due if due <= p.deck else p.deck if at.on("DY-CLEAN-6") else 0
    return drawn, min(keep, drawn), "DY-CLEAN-4" if bonus else "DY-CLEAN-3"


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


class Clean(Move, frozen=True):
    """Cards return or leave the game."""

    name = "clean"
    role = "automatic"
    words = ("clean",)
    example = "clean"

    def already(self, at: At) -> bool:
        return at.state.phase in ("clean", "score") or just_ended(at)

    def forbidden(self, at: At) -> Iterator[Breach]:
        s = at.state
        left = [p for p, q in s.provinces.items() if not q.resolved]
        if s.phase != "battles" or left:
            yield Breach(
                "DY-CLEAN-9",
                f"not resolved: {', '.join(left)}" if left else f"this is {STAGES[s.phase]}",
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
            yield Breach(
                "DY-CLEAN-9", f"cards are drawn in clean-up, and this is {STAGES[s.phase]}", {"phase": s.phase}
            )
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
        strict = at.on("DY-CLEAN-7")
        if self.drawn is not None and (self.drawn > drawn or (self.drawn < drawn and strict)):
            yield Breach(rule, f"{name(self.player)} draws {drawn}, not {self.drawn}", facts)
            yield from self._because(at, drawn, facts)
        if self.kept is not None and (self.kept > kept or (self.kept < kept and strict)):
            yield Breach(rule, f"{name(self.player)} keeps {kept}, not {self.kept}", facts)
            yield from self._because(at, drawn, facts)

    def _because(self, at: At, drawn: int, facts: dict[str, int]) -> Iterator[Breach]:
        bonus = draw_figures(at, self.player)[2] == "DY-CLEAN-4"
        full = at["draw.bonus_count"] if bonus else at["draw.count"]
        if drawn < full:
            yield Breach("DY-CLEAN-6", f"the deck has {count(drawn, 'card')}", facts)
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
            f"{name(self.player)} draws {drawn} and keeps {kept}" + ("; the rest goes under the deck" * (drawn > kept)),
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


__all__ = ["Clean", "Draw", "clean_up", "draw_figures"]
