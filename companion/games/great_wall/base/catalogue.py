"""Cards, locations and units as the rules see them: read once from the resolved game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

import msgspec

from companion.rules import Position
from components.model import ResolvedGame, ResolvedPiece

from .state import State

At = Position[State]
T = TypeVar("T")
COLUMNS = "abc"
SPEARMAN, ARCHER = "spearman", "archer"


class Horde(msgspec.Struct, frozen=True):
    """A horde card, or the Khan's."""

    id: str
    name: str
    power: int
    lethality: int
    honor: int
    keyword: str = "none"
    mark: str = ""


class Unit(msgspec.Struct, frozen=True):
    """A kind of soldier. `spots`: the most vital spots one covers."""

    unit: str
    spots: int
    shooter: bool
    per_clan: int
    module: str
    clan: str = ""
    """The clan whose special unit it is."""


class Site(msgspec.Struct, frozen=True):
    """A location. `resource`: what a production location gives."""

    name: str
    kind: str
    slots: Mapping[str, int]
    resource: str = ""

    @property
    def red(self) -> bool:
        return self.kind == "red"


class Catalogue:
    """The printed contents of the pieces, by set and id."""

    def __init__(self, game: ResolvedGame) -> None:
        self.clans = list(game.seats)
        self.pieces: dict[str, dict[str, ResolvedPiece]] = {}
        """Set -> id -> piece."""
        for piece in game.pieces:
            self.pieces.setdefault(piece.set, {}).setdefault(piece.id, piece)
        self.names = {name: {id: piece.name for id, piece in pieces.items()} for name, pieces in self.pieces.items()}
        """Set -> id -> printed name."""
        self.hordes = self._read("horde", Horde)
        self.khan = self._read("khan", Horde)
        """Side -> the Khan's card."""
        self.locations = self._read("location", Site)
        self.production = {id: site.resource for id, site in self.locations.items() if site.resource}
        """Production location -> its resource."""
        kinds = {**self._read("soldier", Unit), **self._read("special-unit", Unit)}
        self.units = {kind.unit: kind for kind in kinds.values()}
        self.base_units = tuple(unit for unit, kind in self.units.items() if not kind.clan)
        self.special = {kind.clan: unit for unit, kind in self.units.items() if kind.clan}
        """Clan -> its special unit."""
        self.shooters = frozenset(unit for unit, kind in self.units.items() if kind.shooter)
        commands = {piece.fields["card"]: piece for piece in self.of("command").values()}
        self.commands = {card: piece.effect for card, piece in commands.items()}
        """Command card -> its icons from top to bottom."""
        self.names["command"] |= {card: piece.name for card, piece in commands.items()}
        self.supports = {id: piece.fields["support"] for id, piece in self.of("advisor").items()}
        """Advisor -> the supportive effect on its back."""
        self.spots = {
            f"{name}:{id}" if name == "khan" else id: spots_of(piece.fields["grid"])
            for name in ("horde", "skill", "khan")
            for id, piece in self.of(name).items()
        }
        """Card -> its vital spots; the Khan's card is `khan:A` and `khan:B`."""

    def of(self, set_name: str) -> dict[str, ResolvedPiece]:
        """The pieces of a set, by id."""
        return self.pieces.get(set_name, {})

    def _read(self, set_name: str, kind: type[T]) -> dict[str, T]:
        """The printed contents of a set's pieces, by id."""
        return {
            id: msgspec.convert({**piece.fields, "id": id, "name": piece.name, "module": piece.module}, kind)
            for id, piece in self.of(set_name).items()
        }


def cat(at: At) -> Catalogue:
    """The catalogue of the game at this table."""
    return at.rules.catalogue  # type: ignore[attr-defined, no-any-return]


def name_of(at: At, set_name: str, id: str) -> str:
    """The printed name of a piece."""
    return cat(at).names.get(set_name, {}).get(id, id)


def by_players(at: At, parameter: str) -> Any:
    """The entry of a parameter for the number of players."""
    table: Mapping[int, Any] = at[parameter]
    return table[min(max(len(at.state.players), min(table)), max(table))]


def spots_of(grid: list[str]) -> tuple[str, ...]:
    """The vital spots of a printed grid (`V` in its rows), named by column and row."""
    return tuple(
        f"{COLUMNS[column]}{row}"
        for row, cells in enumerate(grid, 1)
        for column, cell in enumerate(cells)
        if cell == "V"
    )


def beside_tower(at: At, tower: str) -> tuple[str, ...]:
    """The sections next to a tower (GW-BP-2)."""
    piece = cat(at).of("tower").get(tower)
    return tuple(piece.fields["beside"]) if piece else ()
