"""Cards, Warlords, provinces and tiles as the rules see them: read once from the resolved game."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, cast

from companion.engine.play.position import Position
from components.model import ResolvedGame
from components.phrasing import count, join_and

from .state import COLOURS, State

At = Position[State]

VERBS = frozenset(
    [
        "number",
        "modifier",
        "plague",
        "mark",
        "draw_bonus",
        "place_army",
        "remove_enemy_army",
        "play_as",
        "move_army",
        "shift_pawn",
        "extra_six",
        "plague_remaining",
    ]
)
"""The verbs of `effects.yaml` that these rules carry out."""


@dataclass(frozen=True, slots=True)
class Card:
    """An Action card by label. `kind`: number, modifier or plague; `yellow` cards come back to hand."""

    label: str
    kind: str
    yellow: bool
    value: int = 0
    offset: int = 0
    cap: int = 0
    cost: int = 0
    mark: int = 0
    draw_bonus: bool = False


@dataclass(frozen=True, slots=True)
class Warlord:
    """A Warlord card: `effects` maps the verb printed on it to its arguments."""

    id: str
    name: str
    colour: str
    effects: dict[str, dict[str, Any]]


@dataclass(slots=True)
class Catalogue:
    cards: dict[str, Card] = field(default_factory=dict)
    decks: dict[str, dict[str, int]] = field(default_factory=lambda: {"basic": {}, "expert": {}})
    """Deck (`options.deck`) -> label -> copies in one player's deck."""
    warlords: dict[str, Warlord] = field(default_factory=dict)
    provinces: list[str] = field(default_factory=list)
    borders: dict[str, list[str]] = field(default_factory=dict)
    tiles: dict[str, list[int]] = field(default_factory=dict)
    """Letter -> points at the first, second and third scoring."""


def read_catalogue(game: ResolvedGame) -> Catalogue:
    """Sort the printed pieces of `game` into what the rules ask for."""
    found = Catalogue()
    if missing := {"board", "tile", "action-white"} - {piece.set for piece in game.pieces}:
        raise ValueError(f"there is no piece of the set {join_and(sorted(missing))}")
    copies = {str(label): n for label, n in game.params["deck.copies"].items()}
    for piece in game.pieces:
        verbs = {e.verb: e.args for e in piece.effect}
        if piece.set == "action-white":
            label = str(piece.fields["label"])
            found.cards[label] = _card(label, piece.fields, verbs)
            found.decks["expert"][label] = copies[label]
            if piece.fields["deck"] == "basic":
                found.decks["basic"][label] = copies[label]
        elif piece.set in ("warlord-white", "warlord-black"):
            code = str(piece.fields["code"])
            found.warlords[code] = Warlord(code, piece.name, piece.set.removeprefix("warlord-"), verbs)
        elif piece.set == "tile":
            found.tiles[str(piece.fields["letter"])] = list(piece.fields["points"])
        elif piece.set == "board":
            found.provinces = [province["name"] for province in piece.fields["provinces"]]
            if unknown := {name for pair in piece.fields["borders"] for name in pair} - {*found.provinces}:
                raise ValueError(f"its borders name {join_and(sorted(unknown))}, which is not among its provinces")
            found.borders = {name: _beside(name, piece.fields["borders"]) for name in found.provinces}
    return found


def _beside(province: str, borders: list[list[str]]) -> list[str]:
    return [other for pair in borders if province in pair for other in pair if other != province]


def _card(label: str, fields: dict[str, Any], verbs: dict[str, dict[str, Any]]) -> Card:
    modifier = verbs.get("modifier", {})
    return Card(
        label,
        str(fields["kind"]),
        fields["numeral"] == "yellow",
        value=int(verbs.get("number", {}).get("value", 0)),
        offset=int(modifier.get("offset", 0)),
        cap=int(modifier.get("max_difference", 0)),
        cost=max(0, int(modifier.get("cost", 0))),
        mark=int(verbs.get("mark", {}).get("n", 0)),
        draw_bonus="draw_bonus" in verbs,
    )


def cat(at: At) -> Catalogue:
    """The catalogue of the game being played."""
    return cast(Catalogue, at.rules.catalogue)  # type: ignore[attr-defined]


def copies(at: At) -> dict[str, int]:
    """Label -> copies in each player's deck, as this table plays it."""
    found = cat(at).decks[at.state.options.deck]
    return found if at.on("DY-CARD-3") else {label: min(n, 1) for label, n in found.items()}


def borders(at: At, province: str) -> list[str]:
    """Provinces that border on it (DY-BOARD-2)."""
    return cat(at).borders[province] if at.on("DY-BOARD-2") else []


def controls(at: At, colour: str, province: str) -> bool:
    """Whether a player controls a province: one army is enough (DY-ARMY-4), a mark is none (DY-SIX-6)."""
    there = at.state.provinces[province]
    marks = 0 if at.on("DY-SIX-6") else there.marks.of(colour)
    return at.on("DY-ARMY-4") and there.of(colour) + marks > 0


def board_total(at: At, colour: str) -> int:
    """Armies on the board (DY-ARMY-5): marks are none (DY-SIX-6)."""
    marks = 0 if at.on("DY-ARMY-5") and at.on("DY-SIX-6") else at.state.marks(colour)
    return at.state.board_total(colour) + marks


def red_space(at: At) -> int | None:
    """How far the red spaces are from the centre; None if there is no track (DY-BOARD-3)."""
    return int(at["track.red_distance"]) if at.on("DY-BOARD-3") else None


def yellow(at: At) -> int:
    """Yellow cards of one deck: always in hand at deployment (DY-CARD-5)."""
    return sum(n for label, n in copies(at).items() if cat(at).cards[label].yellow)


def deck_size(at: At) -> int:
    """Cards of one player, wherever they are."""
    return sum(copies(at).values())


def card_of(at: At, label: str) -> Card:
    return cat(at).cards[label]


def tile_name(at: At, province: str) -> str:
    """`E 2-3-5`, or `?` where the tile has not been told."""
    points = at.state.provinces[province].tile
    letter = next((letter for letter, tile in cat(at).tiles.items() if tile == points), "")
    return f"{letter} {'-'.join(map(str, points))}".strip() if points else "?"


def signed(space: int) -> str:
    """A space of the scoring track: `+2`, `-1`, `0`."""
    return f"{space:+d}" if space else "0"


def armies(n: int) -> str:
    return count(n, "army", "armies")


def name(colour: str) -> str:
    """`White`, `Black`."""
    return colour.capitalize()


def spell(sources: dict[str, int]) -> str:
    """`2 from the reserve, 1 from Tibet`."""
    return (
        ", ".join(f"{n} from {'the reserve' if place == 'reserve' else place}" for place, n in sources.items() if n)
        or "nothing"
    )


__all__ = [
    "COLOURS",
    "At",
    "Card",
    "Catalogue",
    "Warlord",
    "armies",
    "board_total",
    "borders",
    "card_of",
    "cat",
    "controls",
    "copies",
    "deck_size",
    "name",
    "read_catalogue",
    "red_space",
    "signed",
    "spell",
    "tile_name",
    "yellow",
]
