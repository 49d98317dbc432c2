"""The cards as the rules see them: read once from the resolved game, never written down here."""

from __future__ import annotations

from typing import Any, cast

import msgspec

from companion.rules import Position
from components.model import ResolvedGame, ResolvedPiece
from components.phrasing import join_and

from .state import State

At = Position[State]


MATERIALS = ("mine", "city", "agriculture")
"""The types of Resource cards that are melded."""


class BattleCard(msgspec.Struct, frozen=True):
    """A card of the Battle deck: `kind` is T (Troops) or S (Strategy)."""

    name: str
    kind: str
    value: int

    def __str__(self) -> str:
        return f"{self.name} ({self.kind}{self.value})"


BONUS_RULE = {
    ("side", "attacker"): "WS-CLASH-8",
    ("side", "defender"): "WS-CLASH-9",
    ("destiny_type", "S"): "WS-CLASH-10",
    ("destiny_type", "T"): "WS-CLASH-11",
}
"""The conditions for the skill of a General, and the rule of each."""


class General(msgspec.Struct, frozen=True):
    """A General by short name, with the skills printed on the card."""

    short: str
    card: str
    redraw_weight: int
    bonuses: tuple[tuple[str, str, int], ...]
    """The condition of each bonus to the Battle Total (`side` or `destiny_type`, and its value), and the bonus."""


class Catalogue(msgspec.Struct):
    """Every card of the game, by the names players use."""

    copies: dict[str, dict[str, int]]
    """Deck -> card -> copies of it."""
    events: dict[str, ResolvedPiece] = {}
    material: dict[str, str] = {}
    """Resource type (mine, city, agriculture) -> card name."""
    generals: dict[str, General] = {}
    battle: dict[str, BattleCard] = {}
    states: list[str] = []
    printed: dict[str, str] = {}
    """Name of a card or State, or `army` and the name of its State -> the piece."""
    coins: list[tuple[int, str]] = []
    """Value and piece of each coin, the largest first."""


def read_catalogue(game: ResolvedGame) -> Catalogue:
    """Sort the printed pieces of `game` into what the rules ask for."""
    cat = Catalogue({"event": {}, "resource": {}, "battle": {}})
    for piece in game.pieces:
        printed = f"{piece.set}/{piece.id}"
        if piece.set in cat.copies:
            cat.copies[piece.set][piece.name] = piece.copies
        cat.printed[f"army {piece.fields['state']}" if piece.set == "army" else piece.name] = printed
        if piece.set == "state":
            cat.states.append(piece.name)
        elif piece.set == "event":
            cat.events[piece.name] = piece
        elif piece.set == "battle":
            cat.battle[piece.name] = BattleCard(piece.name, piece.fields["type"], int(piece.fields["value"]))
        elif piece.set == "resource" and piece.fields["type"] == "general":
            cat.generals[piece.fields["short"]] = _general(piece)
        elif piece.set == "resource":
            cat.material[piece.fields["type"]] = piece.name
        elif piece.set.startswith("coin"):
            cat.coins.append((int(piece.fields["value"]), printed))
    cat.coins.sort(reverse=True)
    if missing := [kind for kind in MATERIALS if kind not in cat.material]:
        raise ValueError(f"there is no Resource card of the type {join_and(missing)}")
    return cat


def vocabulary(cat: Catalogue) -> dict[str, dict[str, str]]:
    """Set -> typed word -> name. A General goes by the short name and by the card, a Battle card by its code (`12T`)."""
    short = {general.short: general.card for general in cat.generals.values()}
    general = {word: name for name, card in short.items() for word in (name, card)}
    resource = {**{name: name for name in cat.copies["resource"]}, **short, "cities": cat.material["city"]}
    codes = {
        card.name: (card.name, f"{card.value}{card.kind}", f"{card.kind}{card.value}") for card in cat.battle.values()
    }
    return {
        "state": {name: name for name in cat.states},
        "event": {name: name for name in cat.events},
        "general": general,
        "unit": {"army": "army", "1 army": "army", "1 of army": "army", **general},
        "resource": resource,
        "drawn": {f"drawn {word}": name for word, name in resource.items()},
        "goods": {**resource, **{word: word for word in ("army", "Bu", "province")}},
        "battle": {word: name for name, words in codes.items() for word in words},
    }


def _general(piece: ResolvedPiece) -> General:
    weight = sum(skill.args["n"] for skill in piece.effect if skill.verb == "redraw_weight") or 1
    bonuses = [_bonus(skill.args["when"], skill.args["bt"]) for skill in piece.effect if skill.verb == "battle_bonus"]
    return General(piece.fields["short"], piece.name, weight, tuple(bonuses))


def _bonus(when: Any, bonus: int) -> tuple[str, str, int]:
    if not isinstance(when, dict) or len(when) != 1 or not set(when.items()) <= set(BONUS_RULE):
        known = ", ".join(f"{key}: {word}" for key, word in BONUS_RULE)
        raise ValueError(f"a battle_bonus depends on one of {known}, not on {when}")
    return *next(iter(when.items())), bonus


def cards(at: At) -> Catalogue:
    """The catalogue of the game being played."""
    return cast(Catalogue, at.rules.catalogue)  # type: ignore[attr-defined]


def unit_words(unit: str) -> str:
    """`an army`, `the Daring General`."""
    return "an army" if unit == "army" else f"the {unit} General"
