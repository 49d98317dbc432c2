"""The cards as the rules see them: read once from the resolved game, never written down here."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

import msgspec

from companion.engine.play.position import Position
from components.model import Effect, ResolvedGame, ResolvedPiece

from .state import State

At = Position[State]


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
"""What the skill of a General may depend on, and the rule that says so."""


class General(msgspec.Struct, frozen=True):
    """A General by short name, with the skills printed on the card."""

    short: str
    card: str
    redraw_weight: int
    bonuses: tuple[tuple[str, str, int], ...]
    """What has to hold for each bonus to the Battle Total (`side` or `destiny_type`, and its value), and the bonus."""


class EventCard(msgspec.Struct, frozen=True):
    piece: ResolvedPiece
    targets: bool
    """True if the active player has to choose a rival."""
    leaves_choice: bool
    """True if somebody may then have to choose what is lost or taken."""


class Catalogue(msgspec.Struct):
    """Every card of the game, by the names players use."""

    states: list[str] = []
    events: dict[str, EventCard] = {}
    resources: dict[str, int] = {}
    """Resource card name -> copies in the deck."""
    material: dict[str, str] = {}
    """Resource type (mine, city, agriculture) -> card name."""
    generals: dict[str, General] = {}
    battle: dict[str, BattleCard] = {}
    totals: dict[str, int] = msgspec.field(default_factory=lambda: dict.fromkeys(("event", "resource", "battle"), 0))
    """Deck -> cards in it."""
    printed: dict[str, str] = {}
    """Name of a card or State, or `army` and the name of its State -> id of the piece."""
    coins: list[tuple[int, str]] = []
    """Value and piece of each coin, the largest first."""


def read_catalogue(game: ResolvedGame) -> Catalogue:
    """Sort the printed pieces of `game` into what the rules ask for."""
    cat = Catalogue()
    for piece in game.pieces:
        if piece.set in cat.totals:
            cat.totals[piece.set] += piece.copies
        if piece.set in ("state", "event", "battle", "resource"):
            cat.printed[piece.name] = piece.id
        elif piece.set == "army":
            cat.printed[f"army {piece.fields['state']}"] = piece.id
        elif piece.set.startswith("coin"):
            cat.coins.append((int(piece.fields["value"]), f"{piece.set}/{piece.id}"))
        if piece.set == "state":
            cat.states.append(piece.name)
        elif piece.set == "event":
            cat.events[piece.name] = _event(piece)
        elif piece.set == "battle":
            cat.battle[piece.name] = BattleCard(piece.name, piece.fields["type"], int(piece.fields["value"]))
        elif piece.set == "resource":
            cat.resources[piece.name] = piece.copies
            if piece.fields["type"] == "general":
                cat.generals[piece.fields["short"]] = _general(piece)
            else:
                cat.material[piece.fields["type"]] = piece.name
    cat.coins.sort(reverse=True)
    return cat


def _event(piece: ResolvedPiece) -> EventCard:
    words = set(_words(piece.effect))
    return EventCard(piece, "target_player" in words, bool(words & {"lose_general", "general", "province"}))


def _words(effects: tuple[Effect, ...]) -> Iterator[str]:
    for effect in effects:
        yield from (effect.verb, *map(str, effect.args.values()), *_words(effect.body))


def _general(piece: ResolvedPiece) -> General:
    found: dict[str, list[Any]] = {"redraw_weight": [], "battle_bonus": []}
    for effect in piece.effect:
        found[effect.verb].append(effect.args)
    weight = sum(args["n"] for args in found["redraw_weight"]) or 1
    bonuses = tuple(_bonus(args["when"], args["bt"]) for args in found["battle_bonus"])
    return General(piece.fields["short"], piece.name, weight, bonuses)


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
