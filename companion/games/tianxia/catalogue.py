"""The board, buildings, ships, tiles and cards as the rules see them: read once from the resolved game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

import msgspec

from companion.engine.play.position import Position
from companion.engine.things.tracks import Track
from components.model import ResolvedGame, ResolvedPiece

from .state import WAVE, State

At = Position[State]
T = TypeVar("T")
Gain = Mapping[str, Any]
"""What is gained: verb -> its argument, carried out from left to right."""

FORTIFY, TRAIN = "fortify", "train"
ROWS = {"wall": "walls", "tower": "towers", "soldier": "soldiers"}
"""Kinds of pieces of a wall section, and the rows they stand in."""


class Region(msgspec.Struct, frozen=True):
    id: str
    name: str
    banner: str
    lane: str
    port: int
    give: Mapping[str, int]
    get: Mapping[str, int]
    bubble: Gain
    buildings: tuple[str, ...]


class Building(msgspec.Struct, frozen=True):
    piece: ResolvedPiece
    region: str
    pays: bool
    """True: grey, with an income; False: red."""
    wood: int
    extra_wood: tuple[int, ...]
    raid: int
    income: Gain

    @property
    def name(self) -> str:
        return self.piece.name


class Ship(msgspec.Struct, frozen=True):
    name: str
    extra: Mapping[str, int]
    spaces: tuple[Gain, ...]


class MerchantRow(msgspec.Struct, frozen=True):
    spots: int
    gain: Gain


class Objective(msgspec.Struct, frozen=True):
    name: str
    top: Gain
    requires: Mapping[str, Any]
    vp: int


class AttackCard(msgspec.Struct, frozen=True):
    name: str
    round: int
    march: Mapping[str, int]
    strength: Mapping[str, int]


class Catalogue(msgspec.Struct):
    colours: list[str] = []
    names: dict[str, dict[str, str]] = {}
    """Set -> id -> name."""
    lanes: dict[str, tuple[str, ...]] = {}
    """Lane -> its path of buildings."""
    regions: dict[str, Region] = {}
    buildings: dict[str, Building] = {}
    tracks: dict[str, Track] = {}
    barges: dict[str, str] = {}
    """Barge -> its product."""
    merchants: dict[str, MerchantRow] = {}
    ports: list[str] = []
    """Regions with a port, from the top of the harbour."""
    ships: dict[str, Ship] = {}
    figurines: dict[str, int] = {}
    """Kind -> copies."""
    one_time: dict[str, int] = {}
    effects: dict[str, Gain] = {}
    """One-time tile -> what it does."""
    demand: dict[str, int] = {}
    objectives: dict[str, Objective] = {}
    attack_cards: dict[str, AttackCard] = {}

    @property
    def tiles(self) -> dict[str, int]:
        """Every kind of bonus tile, with its copies."""
        return {**self.figurines, **self.one_time}

    @property
    def harbour(self) -> list[str]:
        """The places for ships from the top, the wave space last."""
        return [*self.ports, WAVE]

    @property
    def stock(self) -> tuple[str, ...]:
        return self._stock

    _stock: tuple[str, ...] = ()


def read_catalogue(game: ResolvedGame) -> Catalogue:
    found = Catalogue(colours=list(game.seats))
    found._stock = ("coin", *game.params["resources"], *game.params["goods"])
    top = game.params["palace.top_step"]
    for piece in game.pieces:
        found.names.setdefault(piece.set, {})[piece.id] = piece.name
        if (read := _READ.get(piece.set)) is not None:
            read(found, piece, piece.fields)
    found.tracks = {
        name: Track(name, track.benefits, track.worth, min(top, len(track.benefits)))
        for name, track in _ordered(found.tracks, game.params["banners"]).items()
    }
    found.lanes = _ordered(found.lanes, game.params["lanes"])
    ports = sorted((region for region in found.regions.values() if region.port), key=lambda region: region.port)
    found.ports = [region.id for region in ports]
    found.names["place"] = {**found.names.get("region", {}), WAVE: "the wave space"}
    return found


def _ordered(found: dict[str, T], names: Sequence[str]) -> dict[str, T]:
    """In the order in which the parameter names them."""
    return {name: found[name] for name in sorted(found, key=lambda name: [*names, name].index(name))}


def gain_of(piece: ResolvedPiece) -> Gain:
    """The effects of a piece that happen at once, as a mapping."""
    return {effect.verb: next(iter(effect.args.values())) for effect in piece.effect if len(effect.args) == 1}


def _region(found: Catalogue, piece: ResolvedPiece, said: dict[str, Any]) -> None:
    swap, buildings = said["exchange"], tuple(said["buildings"])
    found.regions[piece.id] = Region(
        piece.id,
        piece.name,
        said["banner"],
        said["lane"],
        said["port"],
        swap.get("give", {}),
        swap.get("get", {}),
        said["bubble"],
        buildings,
    )


def _building(found: Catalogue, piece: ResolvedPiece, said: dict[str, Any]) -> None:
    pays = said["kind"] == "income"
    extra = tuple(said["extra_wood"])
    income = gain_of(piece) if pays else {}
    found.buildings[piece.id] = Building(piece, said["region"], pays, said["wood"], extra, said["raid"], income)


def _lane(found: Catalogue, piece: ResolvedPiece, said: dict[str, Any]) -> None:
    found.lanes[piece.id] = tuple(said["path"])


def _palace(found: Catalogue, piece: ResolvedPiece, said: dict[str, Any]) -> None:
    found.tracks[piece.id] = Track(piece.id, tuple(said["steps"]), tuple(said["end_vp"]))


def _barge(found: Catalogue, piece: ResolvedPiece, said: dict[str, Any]) -> None:
    found.barges[piece.id] = said["product"]


def _merchants(found: Catalogue, piece: ResolvedPiece, said: dict[str, Any]) -> None:
    found.merchants[piece.id] = MerchantRow(said["spots"], said["gain"])


def _ship(found: Catalogue, piece: ResolvedPiece, said: dict[str, Any]) -> None:
    found.ships[piece.id] = Ship(piece.name, said["extra"], tuple(said["spaces"]))


def _figurine(found: Catalogue, piece: ResolvedPiece, said: dict[str, Any]) -> None:
    found.figurines[piece.id] = piece.copies


def _one_time(found: Catalogue, piece: ResolvedPiece, said: dict[str, Any]) -> None:
    found.one_time[piece.id] = piece.copies
    found.effects[piece.id] = gain_of(piece)


def _demand(found: Catalogue, piece: ResolvedPiece, said: dict[str, Any]) -> None:
    found.demand[said["good"]] = piece.copies


def _objective(found: Catalogue, piece: ResolvedPiece, said: dict[str, Any]) -> None:
    found.objectives[piece.id] = Objective(piece.name, gain_of(piece), said["requires"], said["vp"])


def _attack(found: Catalogue, piece: ResolvedPiece, said: dict[str, Any]) -> None:
    found.attack_cards[piece.id] = AttackCard(piece.name, said["round"], said["march"], said["strength"])


_READ = {
    "region": _region,
    "building": _building,
    "lane": _lane,
    "palace": _palace,
    "barge": _barge,
    "merchants": _merchants,
    "ship": _ship,
    "figurine": _figurine,
    "one-time": _one_time,
    "demand": _demand,
    "objective": _objective,
    "attack": _attack,
}


def cat(at: At) -> Catalogue:
    """The catalogue of the game being played."""
    found: Catalogue = at.rules.catalogue  # type: ignore[attr-defined]
    return found


def by_players(at: At, parameter: str) -> int:
    """A figure that depends on the number of players; with more than it names, that of the most."""
    figures: dict[int, int] = at[parameter]
    return figures[min(len(at.state.players), max(figures))]


def name_of(at: At, set_name: str, id: str) -> str:
    """A piece as people call it: `Horse Market`."""
    return cat(at).names[set_name].get(id, id)


def kinds_of_stock(at: At) -> tuple[str, ...]:
    """Money, resources and goods."""
    return cat(at).stock
