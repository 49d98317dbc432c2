"""Where the values of the fields of this game's moves come from."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from companion.engine.play.moves import Domain, Tally

from .catalogue import At, cat


class ProvinceName(Domain):
    def __init__(self, *, many: bool = False, lead: tuple[str, ...] = ()) -> None:
        self.many = many
        self.lead = lead

    def values(self, at: At) -> Iterable[str]:
        return cat(at).provinces


class Label(Domain):
    """The label of an Action card, as printed: `6`, `+1`, `Plague`. `secret`: one that only its player knows."""

    def __init__(self, *, secret: bool = False) -> None:
        self.secret = secret

    def values(self, at: At) -> Iterable[str]:
        return cat(at).cards


class TileLetter(Domain):
    """The letters of scoring tiles."""

    many = True

    def values(self, at: At) -> Iterable[str]:
        return cat(at).tiles


class Place(Domain):
    """`reserve` or a province."""

    def values(self, at: At) -> Iterable[str]:
        return ("reserve", *cat(at).provinces)


class WarlordId(Domain):
    """A Warlord by id (`ST-1`), name or the last word of it."""

    def values(self, at: At) -> Iterable[str]:
        return cat(at).warlords

    def spoken(self, at: At) -> dict[str, Any]:
        words: dict[str, Any] = {}
        for ident, card in cat(at).warlords.items():
            for word in (ident, ident.replace("-", ""), card.name, card.name.rsplit(" ", 1)[-1]):
                words[word] = ident
        return words


class SourceTally(Tally):
    """Where cubes are taken from: `2 reserve 1 tibet`."""

    def __init__(self) -> None:
        super().__init__("")

    def values(self, at: At) -> Iterable[str]:
        return ("reserve", *cat(at).provinces)

    def spoken(self, at: At) -> dict[str, Any]:
        return {word: word for word in self.values(at)}
