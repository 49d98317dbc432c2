"""Phase 4: cards go home or out, and everybody draws (rules DY-CLEAN)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, NamedTuple

from companion.rules import Breach, ByItself, ByPlayer, Count, Options
from components.phrasing import join_and

from .catalogue import At, Facts, cat, name
from .scoring import drawing_due, ended, scoring_due, unknown_tiles
from .state import COLOURS
from .warlords import window_open


def clean_up(at: At) -> None:
    """Five provinces are resolved: yellow cards go home, white ones leave the game."""
    s = at.state
    for colour in COLOURS:
        p = s.players[colour]
        home = [label for q, label in p.shown.items() if cat(at).cards[label].yellow or p.feigned == q]
        gone = [label for q, label in p.shown.items() if not cat(at).cards[label].yellow and p.feigned != q]
        p.hand += len(home)
        p.removed += gone
        at.note("DY-CLEAN-1", player=name(colour), home=home, hand=p.hand)
        if gone:
            at.note("DY-CLEAN-2", player=name(colour), removed=gone)


def cleaned_up(at: At) -> bool:
    """Score and end the Dynasty; False while a draw, a tile or a Warlord is still to come."""
    if drawing_due(at):
        return False
    if scoring_due(at) and (unknown := unknown_tiles(at)):
        at.note("DY-SCORE-2.unknown", unknown=unknown)
        return False
    if window_open(at):
        at.note("DY-WL-5.window")
        return False
    return True


class Drawing(NamedTuple):
    """The number of cards a player draws and keeps, by which rule, and the numbers with a full deck."""

    drawn: int
    kept: int
    rule: str
    full: int


def drawing(at: At, player: str) -> Drawing:
    """Better after one's own yellow 1, and never more than the deck has (DY-CLEAN-3..6)."""
    p = at.state.players[player]
    bonus = any(cat(at).cards[label].draw_bonus for label in p.shown.values())
    full, keep = (at["draw.bonus_count"], at["draw.bonus_keep"]) if bonus else (at["draw.count"], at["draw.keep"])
    drawn = min(full, p.deck)
    return Drawing(drawn, min(keep, drawn), "DY-CLEAN-4" if bonus else "DY-CLEAN-3", full)


def awaited(at: At) -> str:
    """The next thing to happen: a draw, or the end of the Dynasty."""
    due = [(name(c), drawing(at, c)) for c in drawing_due(at)]
    draws = ", ".join(f"{who} draws {drawn} and keeps {kept}" for who, (drawn, kept, _, _) in due)
    if draws or not scoring_due(at):
        return draws or "the large pawn moves on"
    held = [name(c) for c in COLOURS if at.state.players[c].warlord.status == "held"]
    return f"scoring (type: score), unless {join_and(held, 'or')} plays a Warlord" if held else "scoring"


class Clean(ByItself, frozen=True):
    """Cards return or leave the game."""

    elsewhere = "DY-CLEAN-9"

    def already(self, at: At) -> bool:
        s = at.state
        return s.phase in ("clean", "score") or ended(at) or (s.phase == "over" and s.scored == s.dynasty)


class Draw(ByPlayer, frozen=True):
    """A player has drawn, kept, and put the rest under the deck."""

    role = "event"
    elsewhere = "DY-CLEAN-9"
    drawn: Annotated[int | None, Count(of=("card", "them"))] = None
    kept: Annotated[int | None, Count(lead=("keep", "kept", "keeping"), of=("card", "them"))] = None

    def drawn_options(self, at: At) -> Options:
        return [drawing(at, self.player).drawn]

    def kept_options(self, at: At) -> Options:
        return [drawing(at, self.player).kept]

    def forbidden(self, at: At) -> Iterator[Breach]:
        s = at.state
        if s.phase != "clean":
            return
        if s.dynasty >= at["game.dynasties"]:
            yield at.breach("DY-CLEAN-8.last", dynasty=s.dynasty)
        if self.player in s.drew:
            yield at.breach("DY-CLEAN-3.again", player=name(self.player))
        else:
            yield from self._figures(at)

    def _meant(self, due: int, keep: int) -> tuple[int, int]:
        """The number of cards drawn and kept; a number left out is the one due."""
        return due if self.drawn is None else self.drawn, keep if self.kept is None else self.kept

    def _figures(self, at: At) -> Iterator[Breach]:
        due, keep, rule, full = drawing(at, self.player)
        drawn, kept = self._meant(due, keep)
        deck = at.state.players[self.player].deck
        facts = {"player": name(self.player), "due": due, "keep": keep, "deck": deck, "drawn": drawn, "kept": kept}
        if due < drawn <= full:
            yield at.breach("DY-CLEAN-6.short", **facts)
        elif drawn > due:
            yield at.breach(f"{rule}.draws", **facts)
            if rule == "DY-CLEAN-3" and "+1" in at.state.players[self.player].shown.values():
                yield at.breach("DY-CLEAN-4.plus", **facts)
        if kept > keep:
            yield at.breach(f"{rule}.keeps", **facts)
        if drawn < due:
            yield at.breach("DY-CLEAN-7.draws", rule, **facts)
        elif kept < keep:
            yield at.breach("DY-CLEAN-7.keeps", rule, **facts)

    def apply(self, at: At) -> None:
        s = at.state
        p = s.players[self.player]
        due, keep, rule, full = drawing(at, self.player)
        drawn, kept = self._meant(due, keep)
        p.hand += kept
        p.deck -= kept
        s.drew.append(self.player)
        facts: Facts = {"player": name(self.player), "drawn": drawn, "kept": kept, "hand": p.hand, "deck": p.deck}
        if drawn:
            at.note(rule if drawn > kept else f"{rule}.all", **facts)
        if due < full:
            at.note(f"DY-CLEAN-6.{'short' if drawn else 'empty'}", **facts)
