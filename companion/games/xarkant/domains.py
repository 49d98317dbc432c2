"""The sources of values for this game's move fields."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Unpack

from companion.engine.play.domains import Manner
from companion.rules import Domain, OneOf, Position, Tally

from .catalogue import TURNS
from .land import called, land_graph, terrain_at
from .state import TYPES


class Quadrant(Domain):
    """A quadrant of the land: `c3`. Others can be said in JSON, and are judged (XK-LAND-1)."""

    loose = True

    def __init__(self, *, yields: bool = True, **manner: Unpack[Manner]) -> None:
        """`yields`: a quadrant may be said by what it yields, too: `the wood at d6`."""
        super().__init__(**manner)
        self.yields = yields

    def values(self, at: Position[Any]) -> Iterable[str]:
        return land_graph(at).spaces

    def place(self, at: Position[Any], value: Any) -> str:
        return f"land#{value}"

    def nouns(self, at: Position[Any]) -> tuple[str, ...]:
        return ("quadrant", "area", *(name for letter in TYPES for name in self._called(at, letter)))

    def is_a(self, at: Position[Any], value: Any, noun: str) -> bool:
        return noun in ("quadrant", "area") or noun in self._called(at, terrain_at(at.state, value))

    def _called(self, at: Position[Any], terrain: str) -> tuple[str, ...]:
        names = called(at, terrain) if self.yields else called(at, terrain)[:1]
        return (*names, "mine") if "stone" in names else names

    def hint(self, at: Position[Any]) -> str:
        spaces = land_graph(at).spaces
        return f"quadrants go from {spaces[0]} to {spaces[-1]}"


AGAINST = ("anticlockwise", "counterclockwise", "counter clockwise")
"""Words for the other direction."""


class Turn(Domain):
    """The clockwise turn of a tile, in degrees. Other numbers can be given in JSON, and are judged (XK-TILE-3)."""

    lead = ("turned", "rot", "rotated")
    after = ("by", "with")
    of = ("degree",)

    def spoken(self, at: Position[Any]) -> dict[str, Any]:
        named = dict(zip(("unturned", "quarter turn", "half turn", "three quarter turn"), TURNS, strict=True))
        more = {
            "not turned": TURNS[0],
            **dict.fromkeys(("straight", "as it is", "as it lies"), TURNS[0]),
            "quarter": TURNS[1],
            "halfway": TURNS[2],
            "upside down": TURNS[2],
            "three quarters": TURNS[3],
        }
        quarters = ("quarter", "quarter turn", "half turn", "three quarter turn", "three quarters")
        turned = {f"{text} clockwise": {**named, **more}[text] for text in quarters}
        back = {f"{text} {way}": TURNS[-TURNS.index(n)] for way in AGAINST for text, n in named.items() if n}
        return {**{str(turn): turn for turn in TURNS}, **named, **more, **turned, **back}


class Cell(Domain):
    """The number of a cell of the grid of tiles."""

    lead = ("cell",)

    def place(self, at: Position[Any], value: Any) -> str:
        return f"land#cell.{value}"

    def spoken(self, at: Position[Any]) -> dict[str, Any]:
        return {str(n): n for n in range(1, at["grid.rows"] * at["grid.cols"] + 1)}


class Discs(Tally):
    """Numbers of discs by player: `2 ana 1 bo`."""

    people = True

    def values(self, at: Position[Any]) -> Iterable[str]:
        return at.seats

    def spoken(self, at: Position[Any]) -> dict[str, Any]:
        return {seat: seat for seat in at.seats}


class Destination(OneOf):
    """The destination of a building: `church board` for `church_board`."""

    loose = True

    def spoken(self, at: Position[Any]) -> dict[str, Any]:
        return {**self.also, **{word.replace("_", " "): word for word in self.words}}
