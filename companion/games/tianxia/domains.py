"""Where the values of moves come from: regions, buildings, lanes, tracks, tiles, ships, cards, deliveries."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from companion.engine.play.moves import Domain, PieceName

from .catalogue import At, cat

PORT = "port"
"""The port of the region in which the turn is taken."""


def region() -> PieceName:
    return PieceName("region")


def building(*, lead: tuple[str, ...] = ()) -> PieceName:
    return PieceName("building", lead=lead)


def lane() -> PieceName:
    return PieceName("lane")


def banner() -> PieceName:
    return PieceName("palace")


def tile(*, many: bool = False, secret: bool = False) -> PieceName:
    """Any bonus tile."""
    return PieceName("tile", many, secret=secret)


def row() -> PieceName:
    return PieceName("merchants")


def ship(*, many: bool = False) -> PieceName:
    return PieceName("ship", many, secret=True)


def place() -> PieceName:
    """A port or the wave space."""
    return PieceName("place")


def objective(*, many: bool = False) -> PieceName:
    return PieceName("objective", many, secret=True)


class ShipPlace(Domain):
    """Where the ship lies: `port`, the port of the region; `wave`; or a port by name."""

    def values(self, at: At) -> Iterable[str]:
        return (PORT, *cat(at).harbour)


class Delivery(msgspec.Struct, frozen=True, omit_defaults=True):
    """One crate: the bonus space it covers, what is paid, and what its benefit asks."""

    space: int
    pay: dict[str, int] = {}
    choose: dict[str, Any] = {}

    def __hash__(self) -> int:
        return self.space

    def __str__(self) -> str:
        return str(self.space)


class Deliveries(Domain):
    """Bonus spaces of a ship, typed by their numbers; what is paid is left out where it can be only one thing."""

    many = True

    def spoken(self, at: At) -> dict[str, Any]:
        most = max((len(one.spaces) for one in cat(at).ships.values()), default=0)
        return {str(n): Delivery(n) for n in range(1, most + 1)}

    def options(self, at: At) -> Iterable[Any] | None:
        return None
