"""The table as text: provinces, armies, tracks and what is awaited."""

from __future__ import annotations

from typing import Any

from .catalogue import At, cat, name, signed
from .cleanup import drawing
from .order import chooser
from .score import tile_name
from .scoring import drawing_due, scoring_due
from .setup import without_tile
from .state import COLOURS


def heading(at: At) -> str:
    s = at.state
    if s.phase == "over":
        return "over: drawn" if s.winner == "drawn" else f"over: {name(s.winner)} has won"
    return f"Dynasty {s.dynasty}, {s.phase}"


def awaited(at: At) -> str:
    """What has to happen next, in one sentence."""
    s = at.state
    if s.phase == "setup":
        left = [name(c) for c in COLOURS if s.players and s.players[c].warlord.status == "none"]
        return f"{' and '.join(left)} keep{'s' * (len(left) == 1)} a Warlord"
    if s.phase == "deploy":
        left = [name(c) for c in COLOURS if c not in s.ready]
        return f"{' and '.join(left)} lay{'s' * (len(left) == 1)} five cards"
    if s.phase == "order":
        return f"{name(chooser(at)[0])} chooses the order"
    if s.phase == "battles":
        if (owed := at.rules.agenda(s)) and owed[0].move:
            kind: Any = at.rules.moves[owed[0].move]
            return at.judge(kind(owed[0].who)).needs[0].question
        left = s.to_come()
        if not s.order:
            return f"reveal a province: {', '.join(left)}"
        return f"reveal {left[0]}" + (f", then {', '.join(left[1:])}" if left[1:] else "")
    if due := drawing_due(at):
        figures = [(name(c), *drawing(at, c)[:2]) for c in due]
        return ", ".join(f"{who} draws {drawn} and keeps {kept}" for who, drawn, kept in figures)
    if s.phase == "over":
        return "nothing: the game is over"
    return "scoring" if scoring_due(at) else "the large pawn moves on"


def table_text(at: At) -> str:
    """The whole table."""
    s = at.state
    if not s.players:
        return "nobody is seated yet"
    lines = [heading(at), "", *_provinces(at), "", *_players(at), "", _track(at), f"next: {awaited(at)}"]
    if unknown := without_tile(at):
        lines.append(f"tiles not told: {', '.join(unknown)} (type tiles and their letters, west to east)")
    return "\n".join(lines)


def _provinces(at: At) -> list[str]:
    s = at.state
    rows = [("", "tile", "white", "black", "marks", "cards", "borders")]
    for province, p in s.provinces.items():
        shown = [s.players[c].shown.get(province, "-") for c in COLOURS]
        rows.append(
            (
                ("> " if s.fighting and s.fighting.province == province else "  ") + province,
                tile_name(at, province),
                str(p.white or "."),
                str(p.black or "."),
                "W" * p.marks.white + "B" * p.marks.black or ".",
                " : ".join(shown) if set(shown) != {"-"} else "",
                ", ".join(cat(at).borders[province]),
            )
        )
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return ["  ".join(cell.ljust(w) for cell, w in zip(row, widths, strict=True)).rstrip() for row in rows]


def _players(at: At) -> list[str]:
    s = at.state
    lines = []
    for colour in COLOURS:
        p = s.players[colour]
        lord = p.warlord
        parts = {
            f"reserve {p.reserve}": True,
            f"board {s.board_total(colour)}": True,
            f"hand {p.hand}": True,
            f"deck {p.deck}": True,
            f"set aside {p.set_aside}": p.set_aside,
            f"lost {p.out}": p.out,
            " ".join(filter(None, ("Warlord", lord.card, lord.status, lord.armed and f"for {lord.armed}"))): (
                lord.status != "none"
            ),
            f"out of the game: {', '.join(p.removed)}": p.removed,
        }
        lines.append(f"{name(colour)}: {', '.join(part for part, there in parts.items() if there)}")
    return lines


def _track(at: At) -> str:
    """`Black #....o..@.# White`: the pawn on the scoring track, Black's red end left."""
    red = at["track.red_distance"]
    spaces = ["#" if abs(i) == red else "o" if i == 0 else "." for i in range(-red, red + 1)]
    spaces[at.state.pawn + red] = "@"
    return f"Black {''.join(spaces)} White   pawn {signed(at.state.pawn)}"
