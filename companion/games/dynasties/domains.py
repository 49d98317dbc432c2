"""Where the values of this game's move fields come from."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from companion.engine.play.moves import Domain, Tally
from companion.engine.play.position import Position

from .catalogue import cat


class ProvinceName(Domain):
    def __init__(self, *, many: bool = False, lead: tuple[str, ...] = ()) -> None:
        self.many = many
        self.lead = lead

    def values(self, at: Position[Any]) -> Iterable[str]:
        return cat(at).provinces


class Label(Domain):
    """The label of an Action card, as printed: `6`, `+1`, `Plague`."""

    def values(self, at: Position[Any]) -> Iterable[str]:
        return cat(at).cards


class TileLetter(Domain):
    """The letters of scoring tiles."""

    many = True

    def values(self, at: Position[Any]) -> Iterable[str]:
        return cat(at).tiles


class Place(Domain):
    """`reserve` or a province."""

    def values(self, at: Position[Any]) -> Iterable[str]:
        return ("reserve", *cat(at).provinces)


class WarlordId(Domain):
    """A Warlord by id (`ST-1`), name or the last word of it."""

    def values(self, at: Position[Any]) -> Iterable[str]:
        return cat(at).warlords

    def spoken(self, at: Position[Any]) -> dict[str, Any]:
        words = {ident: ident for ident in cat(at).warlords}
        for ident, card in cat(at).warlords.items():
            words[card.name] = ident
            words[card.name.rsplit(" ", 1)[-1]] = ident
            words[ident.replace("-", "")] = ident
        return words


class SourceTally(Tally):
    """Where cubes are taken from: `2 reserve 1 tibet`."""

    def __init__(self) -> None:
        super().__init__("")

    def values(self, at: Position[Any]) -> Iterable[str]:
        return ("reserve", *cat(at).provinces)

    def spoken(self, at: Position[Any]) -> dict[str, Any]:
        return {word: word for word in self.values(at)}
