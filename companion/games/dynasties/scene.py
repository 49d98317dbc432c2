"""The table as a scene: the board with armies, marks, tiles and cards, and what each player has beside it.

Cards that a player keeps secret show their backs, and so do those that were laid and not yet revealed.
"""

from __future__ import annotations

from collections.abc import Iterator

from companion.rules import Row, table, things
from components.scene import Scene, Thing

from .catalogue import At, cat, name
from .position_form import LAID
from .state import COLOURS

ROWS = (
    *(Row(f"provinces.*.{colour}", f"disc/{colour}", "board#{0}.armies") for colour in COLOURS),
    *(Row(f"provinces.*.marks.{colour}", f"disc/{colour}", f"board#{{0}}.{colour}-mark") for colour in COLOURS),
    Row("players.*.deck", "action-{0}/*", "{0}#deck"),
    Row("players.*.hand", "action-{0}/*", "{0}#hand"),
    Row("players.*.reserve", "disc/{0}", "{0}#reserve"),
    Row("players.*.set_aside", "disc/{0}", "{0}#aside", label="set aside"),
    Row("players.*.out", "disc/{0}", "{0}#out", label="lost"),
    Row("players.*.removed.*", "action-{0}/{p}", "{0}#removed"),
)


def scene(at: At) -> Scene:
    """The scene of the table."""
    s = at.state
    found = [
        Thing(mat="table"),
        Thing(piece="board/board", id="board", at="table#board"),
        *(Thing(mat="player", id=colour, at=f"table#{colour}", label=name(colour)) for colour in COLOURS),
        *(thing for province in s.provinces for thing in tile_and_cards(at, province)),
        *things(s, ROWS, cat(at).printed),
        *warlords(at),
        Thing(piece="pawn-dynasty/dynasty", at=f"board#dynasty.{s.dynasty}"),
        Thing(piece="pawn-score/score", at=f"board#score.{s.pawn}"),
    ]
    return table(at, found)


def tile_and_cards(at: At, province: str) -> Iterator[Thing]:
    """The tile of a province, and from the deployment until clean-up its cards: open once they were revealed."""
    s, printed = at.state, cat(at).printed
    if letter := cat(at).letter(s.provinces[province].tile):
        yield Thing(piece=f"tile/{printed[letter]}", at=f"board#{province}.tile")
    for colour in s.ready if s.phase in LAID else ():
        label = s.players[colour].shown.get(province)
        card = "*" if label is None else printed[label]
        yield Thing(piece=f"action-{colour}/{card}", at=f"board#{province}.{colour}")


def warlords(at: At) -> Iterator[Thing]:
    """The Warlord that each player keeps or has played."""
    for colour, p in at.state.players.items():
        shown = p.warlord.card if p.warlord.status == "used" else None
        if shown or p.warlord.status == "held":
            card = cat(at).printed[shown] if shown else "*"
            yield Thing(piece=f"warlord-{colour}/{card}", at=f"{colour}#warlord")
