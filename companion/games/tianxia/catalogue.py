"""The board, buildings, ships, tiles and cards as the rules see them: read once from the resolved game."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, TypeVar

import msgspec

from companion.engine.things.tracks import Track
from companion.rules import Position
from components.model import ResolvedGame, ResolvedPiece
from components.phrasing import join_and, suggest

from .state import WAVE, Player, State

At = Position[State]
T = TypeVar("T")
Gain = Mapping[str, Any]
"""A gain: verb -> its argument, carried out from left to right."""

ANY_GOOD = "any_good"
"""In a price: a good of the player's choice."""
FORTIFY, TRAIN = "fortify", "train"
ROWS = {"wall": "walls", "tower": "towers", "soldier": "soldiers"}
"""Kinds of pieces of a wall section, and the rows they stand in."""


class Printed(msgspec.Struct, frozen=True, kw_only=True):
    """A piece as it is printed. The fields of each kind are called as in the definition of its set."""

    id: str
    name: str
    copies: int
    text: str
    does: Gain
    """The gain from its effects at once."""


class Swap(msgspec.Struct, frozen=True):
    """The goods that a conversion takes and gives."""

    give: Mapping[str, int] = {}
    get: Mapping[str, int] = {}


class Region(Printed, frozen=True, kw_only=True):
    banner: str
    port: int
    """Its place in the harbour from the top; 0: it has no port."""
    exchange: Swap
    bubble: Gain
    buildings: tuple[str, ...]


class Building(Printed, frozen=True, kw_only=True):
    region: str
    kind: str
    wood: int
    extra_wood: tuple[int, ...]
    raid: int

    @property
    def pays(self) -> bool:
        """True: grey, with an income; False: red."""
        return self.kind == "income"


class Lane(Printed, frozen=True, kw_only=True):
    path: tuple[str, ...]


class Palace(Printed, frozen=True, kw_only=True):
    steps: tuple[Gain, ...]
    end_vp: tuple[int, ...]


class Barge(Printed, frozen=True, kw_only=True):
    product: str


class Demand(Printed, frozen=True, kw_only=True):
    good: str


class Ship(Printed, frozen=True, kw_only=True):
    extra: Mapping[str, int]
    spaces: tuple[Gain, ...]


class MerchantRow(Printed, frozen=True, kw_only=True):
    spots: int
    gain: Gain


class Objective(Printed, frozen=True, kw_only=True):
    requires: Mapping[str, Any]
    vp: int


class AttackCard(Printed, frozen=True, kw_only=True):
    round: int
    march: Mapping[str, int]
    strength: Mapping[str, int]


class Catalogue:
    """All of it, by ids."""

    def __init__(self, game: ResolvedGame) -> None:
        self._pieces: dict[str, dict[str, ResolvedPiece]] = defaultdict(dict)
        for piece in game.pieces:
            self._pieces[piece.set][piece.id] = piece
        self.colours = list(game.seats)
        self.stock = ("coin", *game.params["resources"], *game.params["goods"])
        """Money, resources and goods."""
        if unknown := set(self.stock) - set(Player.__struct_fields__):
            raise ValueError(f"no player board has room for {join_and(sorted(unknown))}")
        self._benefits = [verb for verb, declared in game.verbs.items() if "n" in declared.args]
        """The things that a field may give in numbers."""
        self.regions = self._read("region", Region)
        self.buildings = self._read("building", Building)
        self.ships = self._read("ship", Ship)
        self.merchants = self._read("merchants", MerchantRow)
        self.objectives = self._read("objective", Objective)
        self.attack_cards = self._read("attack", AttackCard)
        self.figurines = self._read("figurine", Printed)
        self.one_time = self._read("one-time", Printed)
        self.tiles = {id: tile.copies for id, tile in {**self.figurines, **self.one_time}.items()}
        """Every kind of bonus tile, with its copies."""
        self.demand = {tile.good: tile.copies for tile in self._read("demand", Demand).values()}
        self.barges = {id: barge.product for id, barge in self._read("barge", Barge).items()}
        self.lanes = {id: one.path for id, one in self._read("lane", Lane, game.params["lanes"]).items()}
        """Lane -> its path of buildings."""
        top = game.params["palace.top_step"]
        self.tracks = {
            id: Track(id, one.steps, one.end_vp, min(top, len(one.steps)))
            for id, one in self._read("palace", Palace, game.params["banners"]).items()
        }
        ports = sorted((region.port, region.id) for region in self.regions.values() if region.port)
        self.ports = [id for _, id in ports]
        """Regions with a port, from the top of the harbour."""
        self.harbour = [*self.ports, WAVE]
        """The places for ships from the top, the wave space last."""
        self.names = {name: {id: piece.name for id, piece in pieces.items()} for name, pieces in self._pieces.items()}
        """Set -> id -> name."""
        self.names["place"] = {**self.names.get("region", {}), WAVE: "the wave space"}

    def _read(self, set_name: str, kind: type[T], order: Sequence[str] = ()) -> dict[str, T]:
        """The pieces of a set, first those that `order` names. Raises ValueError for one that names what is not there."""
        pieces = self._pieces[set_name]
        found = {id: _printed(pieces[id], kind) for id in sorted(pieces, key=[*order, *pieces].index)}
        for id, one in found.items():
            self._check(pieces[id], one)
        return found

    def _check(self, piece: ResolvedPiece, one: Any) -> None:
        """Check that the game has everything a piece names. Raises ValueError (reported at `piece`)."""
        for field, words, known in self._named(one):
            for word in words:
                if word not in known:
                    raise ValueError(f"its field '{field}' names '{word}', which is not there{suggest(word, known)}")
        if isinstance(one, Objective):
            for key, wanted in one.requires.items():
                if wanted is None:
                    raise ValueError(f"its field 'requires' says '{key}' without a number")

    def _named(self, one: Any) -> Iterator[tuple[str, Iterable[str], Collection[str]]]:
        """The fields of a piece that name other pieces, goods or benefits: (field, what it names, what there is)."""
        prices = (*self.stock, ANY_GOOD)
        match one:
            case Region():
                yield "exchange", one.exchange.give, prices
                yield "exchange", one.exchange.get, self._benefits
                yield "bubble", one.bubble, self._benefits
                yield "buildings", one.buildings, self._pieces["building"]
            case Lane():
                yield "path", one.path, self._pieces["building"]
            case Ship():
                yield "extra", one.extra, prices
                yield "spaces", chain(*one.spaces), self._benefits
            case Palace():
                yield "steps", chain(*one.steps), self._benefits
            case MerchantRow():
                yield "gain", one.gain, self._benefits


def _printed(piece: ResolvedPiece, kind: type[T]) -> T:
    does = {effect.verb: next(iter(effect.args.values())) for effect in piece.effect if len(effect.args) == 1}
    of_all = {"id": piece.id, "name": piece.name, "copies": piece.copies, "text": piece.text, "does": does}
    return msgspec.convert({**piece.fields, **of_all}, kind)


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
