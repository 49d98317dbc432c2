"""Victory points, line by line (rules XK-SCORE)."""

from __future__ import annotations

from collections.abc import Iterator

from companion.engine.things.spaces import Area
from companion.rules import Ending, Ledger, Line, TieBreak, ranked
from components.phrasing import count

from .catalogue import At
from .cleanup import why_it_ended
from .land import land, standing, type_name
from .state import KINDS

RULE_OF = {
    "popularity": "XK-SCORE-1",
    "pieces": "XK-SCORE-2",
    "church_board": "XK-SCORE-3",
    "towns": "XK-SCORE-4",
    "claims": "XK-SCORE-5",
}
"""Heading of the score -> the rule its lines are written under."""


def claimed(at: At, player: str) -> list[Area[str]]:
    """Areas in which a player has a claim disc."""
    pieces = at.state.pieces
    mine = {q for q, piece in pieces.items() if piece.kind == "claim" and piece.owner == player}
    return [area for area in land(at).all if not mine.isdisjoint(area.spaces)]


def lines_of(at: At, player: str) -> Iterator[Line]:
    yield _popularity(at, player)
    yield _pieces(at, player)
    yield from _church_board(at, player)
    for area in claimed(at, player):
        yield from _claim(at, player, area)


def _popularity(at: At, player: str) -> Line:
    """The part of the full board that is missing (XK-SCORE-8)."""
    full, have, each = at["popularity.max"], at.state.player[player].popularity, at["vp.missing_popularity"]
    return Line(player, "XK-SCORE-1", "popularity", f"({full} - {have}) x {each}", max(0, full - have) * each)


def _pieces(at: At, player: str) -> Line:
    land_only = at["score.pieces_on"] == "land"  # XK-SCORE-9
    shops = at.state.workshops_in_play(player, land_only=land_only)
    churches = at.state.churches_in_play(player, land_only=land_only)
    each = at["vp.piece_in_play"]
    said = f"({count(shops, 'workshop')} + {count(churches, 'church')}) x {each}"
    return Line(player, "XK-SCORE-2", "pieces in play", said, (shops + churches) * each)


def _church_board(at: At, player: str) -> Iterator[Line]:
    """The player's own churches in a track, and the player's own resources (XK-SCORE-12)."""
    each = at["vp.church_track_per_resource"]
    for kind in KINDS:
        have = at.state.player[player].of(kind)
        if mine := at.state.church_board[kind].count(player):
            said = f"{count(mine, 'church')} x {have} {kind} x {each}"
            yield Line(player, "XK-SCORE-3", f"{kind} track", said, mine * have * each)


def _claim(at: At, player: str, area: Area[str]) -> Iterator[Line]:
    """A claimed area: once for all towns that border it (XK-SCORE-10), and for each church that stands in it
    (XK-SCORE-6)."""
    towns = sorted(q for q, piece in at.state.pieces.items() if piece.kind == "town" and q in area.border)
    name = f"{type_name(at, area.kind)} {area.spaces[0]} ({count(area.size, 'quadrant')})"
    if towns:
        each = at["vp.claimed_area_by_town"]
        beside = f"beside {count(len(towns), 'town')} ({', '.join(towns)})"
        yield Line(player, "XK-SCORE-4", name, f"{beside}: {each}", each)
    for quadrant, piece in standing(at, area):
        if piece.kind == "church":
            own = piece.owner == player
            each = at["vp.claim_quadrant_own_church" if own else "vp.claim_quadrant_other_church"]
            whose = "own church" if own else f"church of {piece.owner}"
            said = f"{whose} on {quadrant}: {area.size} x {each}"
            yield Line(player, "XK-SCORE-5", name, said, area.size * each)


# --- who is ahead ------------------------------------------------------------------------------------------------


def ledger(at: At) -> Ledger:
    """Every player's points, the ranking with its tie-breaks (XK-SCORE-7, -11), and how the game ended."""
    s = at.state
    lines = tuple(line for player in s.players for line in lines_of(at, player))
    totals = {p: sum(line.points for line in lines if line.seat == p) for p in s.players}
    sizes = {p: sum(area.size for area in claimed(at, p)) for p in s.players}
    land = TieBreak("XK-SCORE-11", "quadrants in claimed areas", sizes)
    goods = TieBreak("XK-SCORE-11", "resources", {p: sum(s.player[p].stored().values()) for p in s.players})
    ranking, ties = ranked(totals, land, goods)
    unit = "points" if s.phase == "end" else "points if the game ended now"
    facts = {"reason": s.end_reason, "round": s.round}
    ending = Ending(*why_it_ended(at), ranking[0] if ranking else (), facts) if s.phase == "end" else None
    return Ledger(unit, lines, ranking, ties, ending)
