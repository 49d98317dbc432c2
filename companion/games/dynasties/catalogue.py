"""Cards, Warlords, provinces and tiles as they are printed: read once from the resolved game."""

from __future__ import annotations

from typing import Any

import msgspec

from companion.engine.play.position import Position
from components.model import ResolvedGame, ResolvedPiece
from components.phrasing import join_and

from .state import State

At = Position[State]
Facts = dict[str, Any]
"""What a sentence names."""

VERBS = frozenset(("number", "modifier", "plague", "mark", "draw_bonus"))
"""The verbs of `effects.yaml` that say what a card counts as."""


class Card(msgspec.Struct, frozen=True):
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


class Warlord(msgspec.Struct, frozen=True):
    """A Warlord card: `effects` maps the verb printed on it to its arguments; `window` says when it is played: W before
    or after a battle, P declared for a province before its reveal, S at set-up."""

    id: str
    colour: str
    window: str
    effects: dict[str, dict[str, Any]]
    piece: ResolvedPiece

    @property
    def name(self) -> str:
        return self.piece.name


class Catalogue(msgspec.Struct):
    cards: dict[str, Card] = {}
    decks: dict[str, dict[str, int]] = msgspec.field(default_factory=lambda: {"basic": {}, "expert": {}})
    """Deck (`options.deck`) -> label -> copies in one player's deck."""
    yellow: dict[str, dict[str, int]] = {}
    """The same of the yellow cards."""
    warlords: dict[str, Warlord] = {}
    provinces: list[str] = []
    """West to east, the fixed order (DY-ORDER-1)."""
    borders: dict[str, list[str]] = {}
    tiles: dict[str, list[int]] = {}
    """Letter -> points at the first, second and third scoring."""
    printed: dict[str, str] = {}
    """Label of a card, code of a Warlord or letter of a tile -> id of the piece."""


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
            found.printed[label] = piece.id
            found.cards[label] = _card(label, piece.fields, verbs)
            found.decks["expert"][label] = copies[label]
            if piece.fields["deck"] == "basic":
                found.decks["basic"][label] = copies[label]
        elif piece.set in ("warlord-white", "warlord-black"):
            code = str(piece.fields["code"])
            found.printed[code] = piece.id
            colour, window = piece.set.removeprefix("warlord-"), str(piece.fields["window"])
            found.warlords[code] = Warlord(code, colour, window, verbs, piece)
        elif piece.set == "tile":
            letter = str(piece.fields["letter"])
            found.tiles[letter] = list(piece.fields["points"])
            found.printed[letter] = piece.id
        elif piece.set == "board":
            found.provinces = [province["name"] for province in piece.fields["provinces"]]
            if unknown := {name for pair in piece.fields["borders"] for name in pair} - {*found.provinces}:
                raise ValueError(f"its borders name {join_and(sorted(unknown))}, which is not among its provinces")
            found.borders = {name: _beside(name, piece.fields["borders"]) for name in found.provinces}
    for deck, labels in found.decks.items():
        found.yellow[deck] = {label: n for label, n in labels.items() if found.cards[label].yellow}
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
    return at.rules.catalogue  # type: ignore[attr-defined, no-any-return]


def name(colour: str | None) -> str:
    """`White`, `Black`."""
    return (colour or "").capitalize()


def signed(space: int) -> str:
    """A space of the scoring track: `+2`, `-1`, `0`."""
    return f"{space:+d}" if space else "0"
