"""Cards, locations and units as the rules see them: read once from the resolved game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from companion.engine.play.position import Position
from components.model import Effect, ResolvedGame, ResolvedPiece

from .state import State

At = Position[State]
COLUMNS = "abc"
SPEARMAN, ARCHER = "spearman", "archer"


class Horde(msgspec.Struct, frozen=True):
    """A horde card, or the Khan's."""

    id: str
    name: str
    power: int
    lethality: int
    keyword: str
    mark: str
    honor: int


class Unit(msgspec.Struct, frozen=True):
    """A kind of soldier. `spots`: the most vital spots one covers."""

    name: str
    spots: int = 1
    shooter: bool = False
    copies: int = 0
    """Of each clan that has them."""
    module: str = "base"


class Site(msgspec.Struct, frozen=True):
    """A location. `gives`: the resource of a production location."""

    id: str
    name: str
    red: bool
    slots: Mapping[str, int]
    gives: str = ""


class Catalogue(msgspec.Struct):
    clans: list[str] = []
    names: dict[str, dict[str, str]] = {}
    """Set -> id -> printed name."""
    pieces: dict[str, dict[str, ResolvedPiece]] = {}
    """Set -> id -> piece."""
    spots: dict[str, tuple[str, ...]] = {}
    """Card -> its vital spots; the Khan's card is `khan:A` and `khan:B`."""
    hordes: dict[str, Horde] = {}
    khan: dict[str, Horde] = {}
    """Side -> the Khan's card."""
    units: dict[str, Unit] = {}
    base_units: tuple[str, ...] = ()
    special: dict[str, str] = {}
    """Clan -> its special unit."""
    shooters: frozenset[str] = frozenset()
    tower_unit: str = SPEARMAN
    locations: dict[str, Site] = {}
    production: dict[str, str] = {}
    """Production location -> its resource."""
    commands: dict[str, tuple[Effect, ...]] = {}
    """Command card -> its icons from top to bottom."""
    supports: dict[str, str] = {}
    """Advisor -> the supportive effect on its back."""

    def of(self, set_name: str) -> dict[str, ResolvedPiece]:
        """The pieces of a set, by id."""
        return self.pieces.get(set_name, {})


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


def read_catalogue(game: ResolvedGame) -> Catalogue:
    found = Catalogue(clans=list(game.seats))
    for piece in game.pieces:
        found.names.setdefault(piece.set, {}).setdefault(piece.id, piece.name)
        found.pieces.setdefault(piece.set, {}).setdefault(piece.id, piece)
        if (read := _READ.get(piece.set)) is not None:
            read(found, piece, piece.fields)
    found.base_units = tuple(unit for unit in found.units if unit not in found.special.values())
    found.shooters = frozenset(unit for unit, kind in found.units.items() if kind.shooter)
    return found


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


def _horde(found: Catalogue, piece: ResolvedPiece, said: dict[str, Any]) -> None:
    found.hordes[piece.id] = _card(piece, said)
    found.spots[piece.id] = spots_of(said["grid"])


def _card(piece: ResolvedPiece, said: dict[str, Any]) -> Horde:
    keyword, mark = said.get("keyword") or "none", said.get("mark") or ""
    return Horde(piece.id, piece.name, said["power"], said["lethality"], keyword, mark, said["honor"])


def _khan(found: Catalogue, piece: ResolvedPiece, said: dict[str, Any]) -> None:
    found.khan[piece.id] = _card(piece, said)
    found.spots[f"khan:{piece.id}"] = spots_of(said["grid"])


def _skill(found: Catalogue, piece: ResolvedPiece, said: dict[str, Any]) -> None:
    found.spots[piece.id] = spots_of(said["grid"])


def _location(found: Catalogue, piece: ResolvedPiece, said: dict[str, Any]) -> None:
    gives = said["resource"]
    found.locations[piece.id] = Site(piece.id, piece.name, said["kind"] == "red", said["slots"], gives)
    if gives:
        found.production[piece.id] = gives


def _command(found: Catalogue, piece: ResolvedPiece, said: dict[str, Any]) -> None:
    found.commands.setdefault(said["card"], piece.effect)
    found.names["command"][said["card"]] = piece.name


def _advisor(found: Catalogue, piece: ResolvedPiece, said: dict[str, Any]) -> None:
    found.supports[piece.id] = said["support"]


def _soldier(found: Catalogue, piece: ResolvedPiece, said: dict[str, Any]) -> None:
    kind = said["unit"]
    found.units[kind] = Unit(kind, said["spots"], said["shooter"], said["per_clan"], piece.module)


def _special(found: Catalogue, piece: ResolvedPiece, said: dict[str, Any]) -> None:
    _soldier(found, piece, said)
    found.special[said["clan"]] = said["unit"]


_READ: dict[str, Any] = {
    "horde": _horde,
    "khan": _khan,
    "skill": _skill,
    "location": _location,
    "command": _command,
    "advisor": _advisor,
    "soldier": _soldier,
    "special-unit": _special,
}
