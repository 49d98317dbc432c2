"""The table as text: provinces, armies, tracks and what is awaited."""

from __future__ import annotations

from .battle import choice_open
from .catalogue import At, cat, name, signed, tile_name
from .cleanup import draw_figures
from .deployment import chooser
from .ending import drawing_due, scoring_due
from .setup import without_tile
from .state import COLOURS


def heading(at: At) -> str:
    s = at.state
    if s.phase == "over":
        return "over: drawn" if s.winner == "drawn" else f"over: {name(s.winner or '')} has won"
    return f"Dynasty {s.dynasty}, {s.phase}"


def awaited(at: At) -> str:
    """What has to happen next, in one sentence."""
    s = at.state
    if s.phase == "setup":
        left = [name(c) for c in COLOURS if s.players and s.players[c].warlord.status == "none"]
        return f"{' and '.join(left)} keep a Warlord" if left else "the game is set up"
    if s.phase == "deploy":
        return f"{' and '.join(name(c) for c in COLOURS if c not in s.ready)} lay their cards"
    if s.phase == "order":
        who, _, why = chooser(at)
        return f"{name(who or '')} chooses the order ({why})"
    if s.phase == "battles":
        if (open_choice := choice_open(at)) is not None:
            return open_choice.question
        left = s.to_come()
        if not s.order:
            return f"reveal a province: {', '.join(left)}"
        return f"reveal {left[0]}" + (f", then {', '.join(left[1:])}" if left[1:] else "")
    if due := drawing_due(at):
        return ", ".join("{} draws {} and keeps {}".format(name(c), *draw_figures(at, c)[:2]) for c in due)
    if s.phase in ("clean", "score"):
        return "scoring" if scoring_due(at) else "the large pawn moves on"
    return "nothing: the game is over"


def table_text(at: At) -> str:
    """The whole table."""
    s = at.state
    if not s.players:
        return "nobody is seated yet"
    lines = [heading(at), "", *_provinces(at), "", *_players(at), "", _track(at), f"next: {awaited(at)}"]
    if without_tile(at):
        lines.append(f"tiles not told: {', '.join(without_tile(at))} (type tiles and their letters, west to east)")
    return "\n".join(lines)


def _provinces(at: At) -> list[str]:
    s = at.state
    rows = [("", "tile", "white", "black", "marks", "cards", "borders")]
    for province, p in s.provinces.items():
        shown = [s.players[c].shown.get(province, "-") for c in COLOURS]
        marks = "W" * p.marks.white + "B" * p.marks.black
        rows.append(
            (
                ("> " if s.fighting and s.fighting.province == province else "  ") + province,
                tile_name(at, province),
                str(p.white or "."),
                str(p.black or "."),
                marks or ".",
                " : ".join(shown) if any(label != "-" for label in shown) else "",
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
        parts = [f"reserve {p.reserve}", f"board {s.board_total(colour)}", f"hand {p.hand}", f"deck {p.deck}"]
        if p.set_aside:
            parts.append(f"set aside {p.set_aside}")
        if p.out:
            parts.append(f"lost {p.out}")
        if p.warlord.status != "none":
            parts.append(
                f"Warlord {p.warlord.card or ''} {p.warlord.status}".replace("  ", " ")
                + (f" for {p.warlord.armed}" if p.warlord.armed else "")
            )
        if p.removed:
            parts.append(f"out of the game: {', '.join(p.removed)}")
        lines.append(f"{name(colour)}: {', '.join(parts)}")
    return lines


def _track(at: At) -> str:
    """`B #.........0....+.....# W`: the pawn on the scoring track, Black's red end left."""
    red = at["track.red_distance"]
    spaces = ["#" if abs(i) == red else "o" if i == 0 else "." for i in range(-red, red + 1)]
    spaces[at.state.pawn + red] = "@"
    return f"Black {''.join(spaces)} White   pawn {signed(at.state.pawn)}"


__all__ = ["awaited", "heading", "table_text"]
