"""The games that are tested alike: those of the box that the companion follows, and the toy."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import msgspec
import pytest

import companion.games
from companion.engine.play.position import Rules
from components.loader import list_games
from components.model import ResolvedGame
from components.resolve import resolve_game

TOY = Path(__file__).parents[1] / "companion" / "toy"
TOYS = list_games(TOY)
NO_SETS: Mapping[str, Any] = MappingProxyType({})

_rules: dict[str, Rules] = {}

if str(TOY / "games") not in companion.games.__path__:
    companion.games.__path__.append(str(TOY / "games"))


def root_of(game: str) -> Path | None:
    """The project folder of a game; None: the installed project."""
    return TOY if game in TOYS else None


def folder_of(game: str) -> Path:
    """The folder that defines a game."""
    return (root_of(game) or Path(__file__).parents[2]) / "components" / game


@cache
def resolved(game: str) -> ResolvedGame:
    """A game as it comes out of the box."""
    return resolve_game(game, root=root_of(game))


GAMES = [game for game in list_games() if resolved(game).engine]
"""A game without a rules module is printed and not followed: only its data and its art are tested."""


def rules_with(
    game: str, sets: Mapping[str, Any] = NO_SETS, variants: Iterable[str] = (), off: str | None = None
) -> Rules:
    """The rules of a game, some parameters set, a rule switched off; the same object for the same settings."""
    key = repr((game, sorted(sets.items(), key=str), tuple(variants), off))
    if key not in _rules:
        if off is None:
            found = resolve_game(game, root=root_of(game), sets=sets, variants=tuple(variants))
        else:
            found = msgspec.structs.replace(rules_with(game, sets, variants).game, off=[off])
        _rules[key] = companion.games.load_rules(found)
    return _rules[key]


class Way(NamedTuple):
    """One way to play a game: who sits down, and what is set."""

    game: str
    name: str
    seats: list[str]
    sets: Mapping[str, Any] = NO_SETS

    @property
    def rules(self) -> Rules:
        return rules_with(self.game, self.sets)

    def __hash__(self) -> int:
        return hash(str(self))

    def __str__(self) -> str:
        return f"{self.game}-{self.name}"


STATES = ["Qin", "Wu", "Chu", "Qi", "Yan", "Zhao", "Han"]
SIDES = ["white", "black"]
PEOPLE = ["ana", "bo", "cai", "dee"]
COLOURS = ["red", "blue", "white", "black"]
CLANS = ["bamboo", "plum", "pine", "lotus", "willow"]
GREAT_WALL = ("black_powder", "genghis_khan", "ancient_beasts", "rat", "iron_dragon", "emperors_award")
"""The modules of The Great Wall."""
EVERY_MODULE = {f"play.{module}": True for module in GREAT_WALL}
WAYS = [
    *(Way("orchard", f"{n} farmers", ["ana", "bo", "cai"][:n]) for n in (2, 3)),
    Way("dynasties", "basic", SIDES),
    Way("dynasties", "expert", SIDES, {"options.deck": "expert"}),
    Way("dynasties", "warlords", SIDES, {"options.warlords": True}),
    Way("dynasties", "both", SIDES, {"options.deck": "expert", "options.warlords": True}),
    *(Way("warring-states", f"{n} players", STATES[:n]) for n in range(2, 8)),
    Way("xarkant", "2 players", ["Ana", "Bo"]),
    Way("xarkant", "3 players", COLOURS[:3]),
    Way("xarkant", "4 players", COLOURS),
    Way("xarkant", "little storage", COLOURS[:3], {"storage.capacity": dict.fromkeys(("wheat", "wood", "stone"), 3)}),
    Way("xarkant", "few tokens", COLOURS[:3], {"token_supply": dict.fromkeys(("wheat", "wood", "stone"), 8)}),
    Way("xarkant", "long", COLOURS[:3], {"end.no_villages": False, "end.idle_rounds": 4, "draw.count": 3}),
    *(Way("tianxia", f"{n} players", PEOPLE[:n]) for n in (2, 3, 4)),
    Way("tianxia", "colours", ["white", "black", "purple", "orange"]),
    Way("tianxia", "few pieces", PEOPLE[:3], {"workers": 6, "neutral_workers": 3, "crates": 4, "vp.floor": 0}),
    Way("tianxia", "hard times", PEOPLE, {"nomad.base_strength": {2: 6, 3: 7, 4: 8}, "shipping.min_deliveries": 0}),
    Way("great-wall", "base", CLANS[:3]),
    Way("great-wall", "all modules", CLANS, EVERY_MODULE),
    Way("great-wall", "hard times", CLANS[:4], {**EVERY_MODULE, "bp.start_level": 0, "shame.pool_per_player": 20}),
    Way("xarkant", "small", COLOURS[:2], {"grid.rows": 2, "popularity.start": 1, "discs_per_player": 3}),
]
_ALWAYS = (
    *("orchard-2 farmers", "dynasties-both", "warring-states-4 players", "xarkant-3 players", "xarkant-small"),
    *("tianxia-4 players", "tianxia-few pieces", "great-wall-base", "great-wall-all modules"),
)


def each(ways: Iterable[Way]) -> list[Any]:
    """Ways to play as parameters of a test: those that reach most of each game always, the others in `make torture`."""
    return [way if str(way) in _ALWAYS else pytest.param(way, marks=pytest.mark.torture) for way in ways]
