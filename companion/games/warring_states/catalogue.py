"""The cards as the rules see them: read once from the resolved game, never written down here."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, cast

from companion.engine.play.position import Position
from components.model import Effect, ResolvedGame, ResolvedPiece
from components.phrasing import count

from .state import State

At = Position[State]


@dataclass(frozen=True, slots=True)
class BattleCard:
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


@dataclass(frozen=True, slots=True)
class General:
    """A General by short name, with the effects printed on the card."""

    short: str
    card: str
    effects: tuple[Effect, ...]
    redraw_weight: int
    bonuses: tuple[tuple[dict[str, Any], int], ...]
    """(condition, bonus to the Battle Total) of each `battle_bonus` on the card."""


@dataclass(frozen=True, slots=True)
class EventCard:
    name: str
    rule: str
    effects: tuple[Effect, ...]
    text: str
    targets: bool
    """True if the active player has to choose a rival."""


@dataclass(slots=True)
class Catalogue:
    """Every card of the game, by the names players use."""

    states: list[str] = field(default_factory=list)
    events: dict[str, EventCard] = field(default_factory=dict)
    resources: dict[str, int] = field(default_factory=dict)
    """Resource card name -> copies in the deck."""
    material: dict[str, str] = field(default_factory=dict)
    """Resource type (mine, city, agriculture) -> card name."""
    generals: dict[str, General] = field(default_factory=dict)
    battle: dict[str, BattleCard] = field(default_factory=dict)
    resource_total: int = 0
    battle_total: int = 0
    event_total: int = 0


def read_catalogue(game: ResolvedGame) -> Catalogue:
    """Sort the printed pieces of `game` into what the rules ask for."""
    cat = Catalogue()
    for piece in game.pieces:
        if piece.set == "state":
            cat.states.append(piece.name)
        elif piece.set == "event":
            cat.events[piece.name] = EventCard(
                piece.name, piece.rule, piece.effect, piece.text, _mentions(piece.effect, "target_player")
            )
            cat.event_total += piece.copies
        elif piece.set == "resource":
            cat.resources[piece.name] = piece.copies
            cat.resource_total += piece.copies
            if piece.fields["type"] == "general":
                general = _general(piece)
                cat.generals[general.short] = general
            else:
                cat.material[piece.fields["type"]] = piece.name
        elif piece.set == "battle":
            cat.battle[piece.name] = BattleCard(piece.name, piece.fields["type"], int(piece.fields["value"]))
            cat.battle_total += piece.copies
    return cat


def _mentions(effects: tuple[Effect, ...], word: str) -> bool:
    return any(e.verb == word or word in e.args.values() or _mentions(e.body, word) for e in effects)


def _general(piece: ResolvedPiece) -> General:
    weight = 1
    bonuses: list[tuple[dict[str, Any], int]] = []
    for effect in piece.effect:
        if effect.verb == "redraw_weight":
            weight = effect.args["n"]
        elif effect.verb == "battle_bonus":
            when = effect.args["when"]
            if not isinstance(when, dict) or not set(when.items()) <= set(BONUS_RULE):
                known = ", ".join(f"{key}: {word}" for key, word in BONUS_RULE)
                raise ValueError(f"a battle_bonus depends on one of {known}, not on {when}")
            bonuses.append((when, effect.args["bt"]))
    return General(piece.fields["short"], piece.name, piece.effect, weight, tuple(bonuses))


def cards(at: At) -> Catalogue:
    """The catalogue of the game being played."""
    return cast(Catalogue, at.rules.catalogue)  # type: ignore[attr-defined]


def full_name(at: At, general: str) -> str:
    """Card name of a General: `Daring` -> `Daring General`."""
    return cards(at).generals[general].card


def armies(n: int) -> str:
    return count(n, "army", "armies")


def named_units(generals: list[str] | tuple[str, ...], n: int) -> str:
    """`Daring, Brilliant and 2 armies`; `nothing` for none."""
    parts: list[str] = [*generals, *([armies(n)] if n else [])]
    if len(parts) < 2:
        return parts[0] if parts else "nothing"
    return ", ".join(parts[:-1]) + " and " + parts[-1]
