"""The table as a scene: the board with armies, marks, tiles and cards, and what each player has beside it.

Cards that a player keeps secret show their backs, and so do those that were laid and not yet revealed.
"""

from __future__ import annotations

from companion.engine.things.scenes import table
from components.scene import Scene, Thing

from .catalogue import At, cat, name
from .position_form import LAID
from .state import COLOURS, Player

BOARD = "board"


def scene(at: At) -> Scene:
    """What lies on the table."""
    s = at.state
    things = [
        Thing(mat="table"),
        Thing(piece="board/board", id=BOARD, at="table#board"),
        *(Thing(mat="player", id=colour, at=f"table#{colour}", label=name(colour)) for colour in COLOURS),
    ]
    for province in s.provinces:
        things += in_province(at, province)
    for colour in s.players:
        things += of_player(at, colour)
    things.append(Thing(piece="pawn-dynasty/dynasty", at=f"{BOARD}#dynasty.{s.dynasty}"))
    things.append(Thing(piece="pawn-score/score", at=f"{BOARD}#score.{-s.pawn}"))
    return table(at, things)


def in_province(at: At, province: str) -> list[Thing]:
    """Tile, armies, marks and cards of a province."""
    s = at.state
    p = s.provinces[province]
    letter = next((letter for letter, values in cat(at).tiles.items() if values == p.tile), "")
    things = [Thing(piece=f"tile/{cat(at).printed[letter]}", at=f"{BOARD}#{province}.tile")] if letter else []
    for colour in COLOURS:
        army = f"disc/{colour}"
        things.append(Thing(piece=army, count=p.of(colour), at=f"{BOARD}#{province}.armies"))
        things.append(Thing(piece=army, count=p.marks.of(colour), at=f"{BOARD}#{province}.{colour}-mark"))
        things += [Thing(piece=card, at=f"{BOARD}#{province}.{colour}") for card in laid(at, colour, province)]
    return things


def laid(at: At, colour: str, province: str) -> list[str]:
    """The card that lies at a province from the deployment until clean-up: open once it was revealed."""
    s = at.state
    if colour not in s.ready or s.phase not in LAID:
        return []
    label = s.players[colour].shown.get(province)
    return [f"action-{colour}/*" if label is None else f"action-{colour}/{cat(at).printed[label]}"]


def of_player(at: At, colour: str) -> list[Thing]:
    """Hand, deck, Warlord and armies beside the board."""
    p: Player = at.state.players[colour]
    card, army, lord = f"action-{colour}/*", f"disc/{colour}", p.warlord
    things = [
        Thing(piece=card, count=p.deck, at=f"{colour}#deck"),
        Thing(piece=card, count=p.hand, at=f"{colour}#hand"),
        Thing(piece=army, count=p.reserve, at=f"{colour}#reserve"),
        Thing(piece=army, count=p.set_aside, at=f"{colour}#aside", label="set aside"),
        Thing(piece=army, count=p.out, at=f"{colour}#out", label="lost"),
        *(Thing(piece=f"action-{colour}/{cat(at).printed[label]}", at=f"{colour}#removed") for label in p.removed),
    ]
    if lord.status == "used" and lord.card is not None:
        things.append(Thing(piece=f"warlord-{colour}/{cat(at).printed[lord.card]}", at=f"{colour}#warlord"))
    elif lord.status == "held":
        things.append(Thing(piece=f"warlord-{colour}/*", at=f"{colour}#warlord"))
    return things
