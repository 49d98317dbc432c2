"""Cards, Warlords, provinces and tiles as they are printed: read once from the resolved game."""

from __future__ import annotations

from itertools import chain
from typing import Any

import msgspec

from companion.rules import Position
from components.model import ResolvedGame, ResolvedPiece
from components.phrasing import join_and, suggest

from .state import COLOURS, State

At = Position[State]
Facts = dict[str, Any]
"""The facts of a sentence."""

VERBS = frozenset(("number", "modifier", "plague", "mark", "draw_bonus"))
"""The verbs of `effects.yaml` that say what a card counts as."""


class Card(msgspec.Struct, frozen=True, kw_only=True):
    """An Action card by label. `kind`: number, modifier or plague; `yellow` cards come back to hand."""

    label: str
    name: str
    """As printed; a number has none."""
    kind: str
    yellow: bool
    basic: bool
    """True if the basic deck has it, too."""
    rule: str
    """The rule printed for it: of a modifier, how it meets a number."""
    mark: int
    draw_bonus: bool
    value: int = 0
    offset: int = 0
    max_difference: int = 0
    cost: int = 0


class Warlord(msgspec.Struct, frozen=True):
    """A Warlord card: `effects` maps the verb printed on it to its arguments; `window` says when it is played: W before
    or after a battle, P declared for a province before its reveal, S at set-up."""

    id: str
    colour: str
    window: str
    piece: ResolvedPiece

    @property
    def effects(self) -> dict[str, dict[str, Any]]:
        return {effect.verb: effect.args for effect in self.piece.effect}


class Catalogue(msgspec.Struct, frozen=True):
    cards: dict[str, Card]
    decks: dict[str, dict[str, int]]
    """Deck (`options.deck`) -> label -> copies in one player's deck."""
    yellow: dict[str, dict[str, int]]
    """The same of the yellow cards."""
    warlords: dict[str, Warlord]
    tiles: dict[str, list[int]]
    """Letter -> points at the first, second and third scoring."""
    provinces: list[str]
    """West to east, the fixed order (DY-ORDER-1)."""
    borders: dict[str, list[str]]
    printed: dict[str, str]
    """Label of a card, code of a Warlord or letter of a tile -> id of the piece."""

    def letter(self, points: list[int]) -> str:
        """The letter of the tile with these points; "" where there is none."""
        return next((letter for letter, tile in self.tiles.items() if tile == points), "")


def read_catalogue(game: ResolvedGame) -> Catalogue:
    """Sort the printed pieces of `game` into what the rules ask for."""
    sets = {name: [piece for piece in game.pieces if piece.set == name] for name in {one.set for one in game.pieces}}
    if missing := {"board", "tile", "action-white"} - sets.keys():
        raise ValueError(f"there is no piece of the set {join_and(sorted(missing))}")
    cards = {card.label: card for card in map(_card, sets["action-white"])}
    copies = {str(label): n for label, n in game.params["deck.copies"].items()}
    expert = {label: copies[label] for label in cards}
    decks = {"expert": expert, "basic": {label: n for label, n in expert.items() if cards[label].basic}}
    yellow = {deck: {card: n for card, n in found.items() if cards[card].yellow} for deck, found in decks.items()}
    warlords = {
        str(piece.fields["code"]): Warlord(str(piece.fields["code"]), colour, str(piece.fields["window"]), piece)
        for colour in COLOURS
        for piece in sets.get(f"warlord-{colour}", ())
    }
    tiles = {str(piece.fields["letter"]): list(piece.fields["points"]) for piece in sets["tile"]}
    named = {"label": sets["action-white"], "letter": sets["tile"], "code": [lord.piece for lord in warlords.values()]}
    printed = {str(piece.fields[key]): piece.id for key, pieces in named.items() for piece in pieces}
    board = sets["board"][0]
    provinces = [province["name"] for province in board.fields["provinces"]]
    for named in sorted({name for pair in board.fields["borders"] for name in pair} - {*provinces}):
        hint = suggest(named, provinces)
        raise ValueError(f"its field 'borders' names '{named}', which is not among its provinces{hint}")
    borders = {
        name: [*chain(*(set(pair) - {name} for pair in board.fields["borders"] if name in pair))] for name in provinces
    }
    return Catalogue(cards, decks, yellow, warlords, tiles, provinces, borders, printed)


def vocabulary(found: Catalogue) -> dict[str, dict[str, str]]:
    """A Warlord goes by id (`ST-1`, `ST1`), by name or by the last word of it; a card by its label or printed name."""
    lords = ((card.piece.name, ident) for ident, card in found.warlords.items())
    ways = ((ident, (ident, ident.replace("-", ""), name, name.rsplit(" ", 1)[-1])) for name, ident in lords)
    printed = {card.name: label for label, card in found.cards.items() if card.name}
    return {
        "Warlord": {word: ident for ident, words in ways for word in words},
        "card": {**{label: label for label in found.cards}, **printed},
    }


def _card(piece: ResolvedPiece) -> Card:
    verbs = {effect.verb: effect.args for effect in piece.effect}
    return Card(
        label=str(piece.fields["label"]),
        name="" if piece.name == str(piece.fields["label"]) else piece.name,
        kind=str(piece.fields["kind"]),
        yellow=piece.fields["numeral"] == "yellow",
        basic=piece.fields["deck"] == "basic",
        rule=piece.rule,
        mark=verbs.get("mark", {}).get("n", 0),
        draw_bonus="draw_bonus" in verbs,
        **verbs.get("number", {}),
        **verbs.get("modifier", {}),
    )


def cat(at: At) -> Catalogue:
    """The catalogue of the game being played."""
    return at.rules.catalogue  # type: ignore[attr-defined, no-any-return]


def name(seat: str | None) -> str:
    """`White`, `Black`."""
    return (seat or "").capitalize()


SIDES = {"light": name("white"), "dark": name("black")}
"""Facts for sentences that name both sides."""


def signed(space: int) -> str:
    """A space of the scoring track: `+2`, `-1`, `0`."""
    return f"{space:+d}" if space else "0"
