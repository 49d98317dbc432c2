"""Victory points, line by line (rules XK-SCORE)."""

from __future__ import annotations

from collections.abc import Iterator

from companion.engine.answers.ledger import Ending, Ledger, Line, TieBreak
from companion.engine.things.spaces import Area
from components.phrasing import count

from .catalogue import At, type_name
from .land import land, land_graph, standing
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
    return [
        area
        for area in land(at).all
        if any(piece.kind == "claim" and piece.owner == player for _, piece in standing(at, area))
    ]


def towns_beside(at: At, area: Area[str]) -> list[str]:
    """Towns that border on an area (XK-CHURCH-8, XK-SCORE-4)."""
    graph, pieces = land_graph(at), at.state.pieces
    around = [q for q in graph.spaces if q in area.border and q in pieces]
    return [q for q in around if pieces[q].kind == "town"]


def churches_of(at: At, area: Area[str]) -> list[tuple[str, str | None]]:
    """(quadrant, owner) of the churches that count for a claimed area; those of towns stand in none (XK-SCORE-6)."""
    inside = [(q, piece.owner) for q, piece in standing(at, area) if piece.kind == "church"]
    if at.on("XK-SCORE-6"):
        return inside
    return inside + [(q, at.state.pieces[q].owner) for q in towns_beside(at, area)]


def lines_of(at: At, player: str) -> Iterator[Line]:
    yield from _popularity(at, player)
    yield from _pieces(at, player)
    yield from _church_board(at, player)
    for area in claimed(at, player):
        yield from _claim(at, player, area)


def _popularity(at: At, player: str) -> Iterator[Line]:
    full = at["popularity.max"] if at.on("XK-SCORE-8") else at["popularity.start"]
    have = at.state.player[player].popularity
    missing = max(0, full - have)
    each = at["vp.missing_popularity"]
    if at.on("XK-SCORE-1"):
        yield Line(player, "XK-SCORE-1", "popularity", f"({full} - {have}) x {each}", missing * each)


def _pieces(at: At, player: str) -> Iterator[Line]:
    land_only = at["score.pieces_on"] == "land" or not at.on("XK-SCORE-9")
    shops = at.state.workshops_in_play(player, land_only=land_only)
    churches = at.state.churches_in_play(player, land_only=land_only)
    each = at["vp.piece_in_play"]
    said = f"({count(shops, 'workshop')} + {count(churches, 'church', 'churches')}) x {each}"
    if at.on("XK-SCORE-2"):
        yield Line(player, "XK-SCORE-2", "pieces in play", said, (shops + churches) * each)


def _church_board(at: At, player: str) -> Iterator[Line]:
    each = at["vp.church_track_per_resource"]
    for kind in KINDS:
        row = at.state.church_board[kind]
        mine = row.count(player) if at.on("XK-SCORE-12") else len(row)
        have = at.state.player[player].of(kind)
        if mine and at.on("XK-SCORE-3"):
            said = f"{count(mine, 'church', 'churches')} x {have} {kind} x {each}"
            yield Line(player, "XK-SCORE-3", f"{kind} track", said, mine * have * each)


def _claim(at: At, player: str, area: Area[str]) -> Iterator[Line]:
    name = f"{type_name(at, area.kind)} {area.spaces[0]} ({count(area.size, 'quadrant')})"
    towns = towns_beside(at, area)
    if towns and at.on("XK-SCORE-4"):
        each = at["vp.claimed_area_by_town"]
        times = 1 if at.on("XK-SCORE-10") else len(towns)
        beside = f"beside {count(len(towns), 'town')} ({', '.join(towns)})"
        yield Line(player, "XK-SCORE-4", name, f"{beside}: {each}", each * times)
    if not at.on("XK-SCORE-5"):
        return
    for quadrant, owner in churches_of(at, area):
        own = owner == player
        each = at["vp.claim_quadrant_own_church" if own else "vp.claim_quadrant_other_church"]
        whose = "own church" if own else f"church of {owner}"
        yield Line(player, "XK-SCORE-5", name, f"{whose} on {quadrant}: {area.size} x {each}", area.size * each)


# --- who is ahead ------------------------------------------------------------------------------------------------


def ledger(at: At) -> Ledger:
    """Every player's points, the ranking with its tie-breaks, and how the game ended."""
    s = at.state
    lines = tuple(line for player in s.players for line in lines_of(at, player))
    ranking, ties = _ranking(at, lines)
    unit = "points" if s.phase == "end" else "points if the game ended now"
    return Ledger(unit, lines, ranking, ties, _ending(at, ranking))


def _ranking(at: At, lines: tuple[Line, ...]) -> tuple[tuple[tuple[str, ...], ...], tuple[TieBreak, ...]]:
    """Groups of players, best first (XK-SCORE-7), and the tie-breaks that were needed (XK-SCORE-11)."""
    players = at.state.players
    points = {p: sum(line.points for line in lines if line.seat == p) for p in players}
    if not at.on("XK-SCORE-7"):
        return (tuple(players),), ()
    figures = [points]
    if at.on("XK-SCORE-11"):
        figures += [{p: sum(area.size for area in claimed(at, p)) for p in players}]
        figures += [{p: sum(at.state.player[p].stored().values()) for p in players}]
    keys = {p: tuple(figure[p] for figure in figures) for p in players}
    order = sorted(set(keys.values()), reverse=True)
    ranking = tuple(tuple(p for p in players if keys[p] == key) for key in order)
    ties: list[TieBreak] = []
    for depth, what in ((1, "quadrants in claimed areas"), (2, "resources")):
        level = [p for p in players if sum(keys[q][:depth] == keys[p][:depth] for q in players) > 1]
        if level and len(figures) > depth:
            ties.append(TieBreak("XK-SCORE-11", what, {p: figures[depth][p] for p in level}))
    return ranking, tuple(ties)


def _ending(at: At, ranking: tuple[tuple[str, ...], ...]) -> Ending | None:
    s = at.state
    if s.phase != "end":
        return None
    rule, reason = {
        "claims": ("XK-END-1", "somebody had no disc to put back into the bag"),
        "villages": ("XK-END-2", "no village was left on the State Board"),
        "idle": ("XK-END-3", "nobody claimed or built any more"),
        None: ("XK-SCORE-7", "the game is over"),
    }[s.end_reason]
    return Ending(rule, reason, ranking[0] if ranking else (), {"reason": s.end_reason, "round": s.round})


__all__ = ["RULE_OF", "claimed", "ledger", "lines_of", "towns_beside"]
