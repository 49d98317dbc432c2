"""Where the values of this game's move fields come from, beyond what the engine offers."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any

import msgspec

from companion.engine.play.moves import Domain, PieceName, Tally
from companion.engine.play.position import Position
from components.phrasing import count

from .catalogue import cards

Tallied = dict[str, Annotated[int, msgspec.Meta(ge=0, le=1_000)]]
"""Name -> number of cards; nobody can mean fewer than none, or more than any deck could hold."""
CardList = tuple[str, ...] | Tallied
"""Resource cards: a list of names or a mapping name -> number."""
Gift = int | tuple[str, ...] | Tallied | None
"""What one side of a trade gives: a number of cards, or the cards."""


class GeneralName(Domain):
    """A General by short name (`Daring`); the name on the card is understood too (`Daring General`)."""

    def __init__(self, many: bool = False) -> None:
        self.many = many

    def values(self, at: Position[Any]) -> Iterable[str]:
        return cards(at).generals

    def spoken(self, at: Position[Any]) -> dict[str, Any]:
        return {
            word: general.short for general in cards(at).generals.values() for word in (general.short, general.card)
        }


class Drawn(PieceName):
    """The card that came up, said after `drawn`: `drawn mine`."""

    def spoken(self, at: Position[Any]) -> dict[str, Any]:
        return {f"drawn {word}": name for word, name in super().spoken(at).items()}


class Goods(Tally):
    """What a side of a trade gives. Anything may be offered; the rules say what may be traded (WS-TRADE-4)."""

    def __init__(self, set_name: str, *, bare: bool = False, lead: tuple[str, ...] = ()) -> None:
        super().__init__(set_name, bare=bare, lead=lead)
        self.loose = True

    def spoken(self, at: Position[Any]) -> dict[str, Any]:
        return {**super().spoken(at), **{word: word for word in ("army", "Bu", "province")}}


class UnitName(Domain):
    """`army`, or a General by short name (the name on the card is understood too)."""

    def values(self, at: Position[Any]) -> Iterable[str]:
        return ("army", *cards(at).generals)

    def spoken(self, at: Position[Any]) -> dict[str, Any]:
        return {"army": "army", **GeneralName().spoken(at)}


def listed(said: CardList) -> list[str]:
    """The cards one by one: `{Mine: 2}` -> `[Mine, Mine]`."""
    if isinstance(said, dict):
        return [name for name, n in said.items() for _ in range(n)]
    return list(said)


class Given:
    """What a side of a trade gives: so many cards, those of them that were named, and Bu."""

    def __init__(self, said: Gift) -> None:
        named = [] if isinstance(said, int) or said is None else listed(said)
        self.bu = named.count("Bu")
        self.names = [name for name in named if name != "Bu"]
        self.count = said if isinstance(said, int) else len(self.names)

    def in_words(self) -> list[str]:
        unnamed = self.count - len(self.names)
        return [*self.names, *([count(unnamed, "card")] if unnamed else []), *([f"{self.bu} Bu"] if self.bu else [])]
