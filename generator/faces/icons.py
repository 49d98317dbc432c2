"""Icons: named groups of shapes on a grid of 24 x 24, painted in roles (`ink`, `accent`, `paper`) or theme colours."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Literal

import msgspec

from components.errors import DefinitionError
from generator.faces.display import Op, PathOp
from generator.faces.svgpath import Path, PathDataError, circle, parse, to_d, transform

if TYPE_CHECKING:
    from components.yamlsource import Source

GRID = 24.0

Role = str
"""A role, or the name of a colour of the theme: what has one colour wherever it is drawn, such as a coin."""


class IconShape(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One shape of an icon as it stands in YAML: `d` or `circle`, painted in roles (stroke ink if none is named);
    `width` in grid units."""

    d: str = ""
    circle: tuple[float, float, float] | None = None
    fill: Role | None = None
    stroke: Role | None = None
    width: float = 1.5
    cap: Literal["butt", "round", "square"] = "round"
    join: Literal["miter", "round", "bevel"] = "round"
    dash: tuple[float, ...] = ()
    evenodd: bool = False


class _Shape(msgspec.Struct, frozen=True):
    path: Path
    shape: IconShape
    fill: Role
    stroke: Role


class IconSet:
    """The icons of a game by name. Shapes are parsed when an icon is first drawn; `sources` know where each stands."""

    def __init__(self, icons: dict[str, list[IconShape]], sources: Mapping[str, Source]) -> None:
        self.icons = icons
        self.sources = sources
        self._parsed: dict[str, list[_Shape]] = {}

    def __contains__(self, name: object) -> bool:
        return name in self.icons

    def _shapes(self, name: str) -> list[_Shape]:
        shapes = self._parsed.get(name)
        if shapes is None:
            shapes = self._parsed[name] = [self._read(name, i, shape) for i, shape in enumerate(self.icons[name])]
        return shapes

    def _read(self, name: str, number: int, shape: IconShape) -> _Shape:
        try:
            path = circle(*shape.circle) if shape.circle is not None else parse(shape.d)
        except PathDataError as error:
            raise DefinitionError([self.sources[name].problem("LAY-002", str(error), (name, number, "d"))]) from None
        stroke: Role = shape.stroke or ("none" if shape.fill else "ink")
        return _Shape(path, shape, shape.fill or "none", stroke)

    def draw(
        self,
        name: str,
        x: float,
        y: float,
        size: float,
        ink: str,
        accent: str,
        paper: str,
        colour: Callable[[str], str],
    ) -> list[Op]:
        """The icon in the square of `size` mm at `x, y`; `colour` finds a colour of the theme. KeyError for an unknown
        name, DefinitionError for a shape that cannot be read."""
        k = size / GRID
        roles = {"ink": ink, "accent": accent, "paper": paper, "none": ""}
        for item in self._shapes(name):
            for painted in (item.fill, item.stroke):
                if painted not in roles:
                    roles[painted] = colour(painted)
        return [
            PathOp(
                to_d(transform(item.path, (k, 0.0, 0.0, k, x, y))),
                roles[item.fill],
                roles[item.stroke],
                round(item.shape.width * k, 3) if item.stroke != "none" else 0.0,
                tuple([round(d * k, 3) for d in item.shape.dash]),
                item.shape.cap if item.stroke != "none" else "butt",
                item.shape.join if item.stroke != "none" else "miter",
                item.shape.evenodd,
            )
            for item in self._shapes(name)
        ]
