"""Icons: named groups of shapes on a grid of 24 x 24, painted in roles (`ink`, `accent`, `paper`) or theme colours."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Literal

import msgspec

from components.errors import DefinitionError, Problem
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


class IconFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """An icon drawn on a grid of its own, as collections of icons are: `viewbox` is left, top, width and height."""

    viewbox: tuple[float, float, float, float]
    shapes: list[IconShape]


Drawn = list[IconShape] | bytes
"""An icon by its shapes, or as the SVG file it stands in."""
Entry = list[IconShape] | IconFile
"""An icon in `icons.yaml`: its shapes on the common grid, or with a grid of its own."""
ViewBox = tuple[float, float, float, float]
COMMON: ViewBox = (0.0, 0.0, GRID, GRID)


class _Shape(msgspec.Struct, frozen=True):
    path: Path
    shape: IconShape
    fill: Role
    stroke: Role


class IconSet:
    """The icons of a game by name. Shapes are parsed when an icon is first drawn; `sources` know where each stands."""

    def __init__(
        self, icons: Mapping[str, Entry], sources: Mapping[str, Source], files: Mapping[str, tuple[str, bytes]] = {}
    ) -> None:
        """`files`: further icons, each with its file and what stands there."""
        self.icons: dict[str, Drawn] = {
            name: icon.shapes if isinstance(icon, IconFile) else icon for name, icon in icons.items()
        }
        self.icons |= {name: content for name, (_, content) in files.items()}
        self.files = {name: file for name, (file, _) in files.items()}
        self._grids: dict[str, ViewBox] = {}
        """Of icons in files, once they are read."""
        self.boxes = {name: icon.viewbox for name, icon in icons.items() if isinstance(icon, IconFile)}
        self.sources = sources
        self._parsed: dict[str, list[_Shape]] = {}

    def __contains__(self, name: object) -> bool:
        return name in self.icons

    def _shapes(self, name: str) -> list[_Shape]:
        shapes = self._parsed.get(name)
        if shapes is None:
            icon = self.icons[name]
            if isinstance(icon, bytes):
                shapes = self._from_file(name, icon)
            else:
                shapes = [self._read(name, i, shape) for i, shape in enumerate(icon)]
            self._parsed[name] = shapes
        return shapes

    def _from_file(self, name: str, content: bytes) -> list[_Shape]:
        from generator.faces.iconfiles import shapes_of

        try:
            (w, h), found = shapes_of(content)
        except ValueError as error:
            what = f"the icon '{name}' {error}"
            raise DefinitionError([Problem(code="LAY-007", what=what, file=self.files[name])]) from None
        self._grids[name] = (0.0, 0.0, w, h)
        return [
            _Shape(
                parse(one.d),
                IconShape(width=one.width, cap=one.cap, join=one.join, evenodd=one.evenodd),  # type: ignore[arg-type]
                one.fill,
                one.stroke,
            )
            for one in found
        ]

    def _read(self, name: str, number: int, shape: IconShape) -> _Shape:
        try:
            path = circle(*shape.circle) if shape.circle is not None else parse(shape.d)
        except PathDataError as error:
            where = (*self._place(name, number), "d")
            raise DefinitionError([self.sources[name].problem("LAY-002", str(error), where)]) from None
        left, top, w, h = self.boxes.get(name, COMMON)
        if w <= 0 or h <= 0:
            what = f"the viewbox of icon '{name}' has no size"
            raise DefinitionError([self.sources[name].problem("LAY-002", what, (name, "viewbox"))])
        if path and not _keeps_to(path, (left - w / 4, top - h / 4, left + 1.25 * w, top + 1.25 * h)):
            what = f"this shape runs off the icon's grid, which is {w:g} x {h:g}"
            hint = "say its own grid: `viewbox: [0, 0, 512, 512]` beside `shapes:`"
            where = self._place(name, number)
            raise DefinitionError([self.sources[name].problem("LAY-002", what, where, hint=hint)])
        stroke: Role = shape.stroke or ("none" if shape.fill else "ink")
        return _Shape(path, shape, shape.fill or "none", stroke)

    def _place(self, name: str, number: int) -> tuple[str | int, ...]:
        return (name, "shapes", number) if name in self.boxes else (name, number)

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
        shapes = self._shapes(name)
        left, top, w, h = self._grids.get(name) or self.boxes.get(name, COMMON)
        k = size / max(w, h)
        x += (size - k * w) / 2 - k * left
        y += (size - k * h) / 2 - k * top
        roles = {"ink": ink, "accent": accent, "paper": paper, "none": ""}
        for item in shapes:
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
            for item in shapes
        ]


def _keeps_to(path: Path, box: tuple[float, float, float, float]) -> bool:
    """True if all points of a path lie within a box."""
    numbers = [(segment[n], segment[n + 1]) for segment in path for n in range(1, len(segment) - 1, 2)]
    xs, ys = [x for x, _ in numbers], [y for _, y in numbers]
    return not xs or (min(xs) >= box[0] and max(xs) <= box[2] and min(ys) >= box[1] and max(ys) <= box[3])
