"""Spaces that border on each other, and the areas that spaces of one kind form. Knows no game.

A board is a `Graph`: names of spaces and who borders on whom. `grid` makes that of a chequered board; provinces, lanes
or rooms name their borders themselves. `areas` sorts the spaces into areas: as far as one gets from a space over
spaces of the same kind.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache, cached_property
from typing import Generic, TypeVar

K = TypeVar("K")


class Graph:
    """Spaces in a fixed order, and for each of them those that border on it, in the same order."""

    __slots__ = ("neighbours", "spaces")

    def __init__(self, borders: Mapping[str, Iterable[str]]) -> None:
        """`borders`: space -> spaces that border on it; it is enough if one of two names the other."""
        both: dict[str, set[str]] = {space: set() for space in borders}
        for space, others in borders.items():
            for other in others:
                both[space].add(other)
                both[other].add(space)
        self.spaces: tuple[str, ...] = tuple(borders)
        place = {space: i for i, space in enumerate(self.spaces)}
        self.neighbours: dict[str, tuple[str, ...]] = {
            space: tuple(sorted(others, key=place.__getitem__)) for space, others in both.items()
        }

    def __contains__(self, space: object) -> bool:
        return space in self.neighbours


@cache
def square(column: int, row: int) -> str:
    """The name of a square, both counted from 0: column `a`, `b`, … and row `1`, `2`, …: `c2` is (2, 1)."""
    return f"{chr(ord('a') + column)}{row + 1}"


@cache
def coordinates(name: str) -> tuple[int, int]:
    """(column, row) of a square by its name, both counted from 0: the inverse of `square`."""
    return ord(name[0]) - ord("a"), int(name[1:]) - 1


def grid(columns: int, rows: int, *, corners: bool = False) -> Graph:
    """A board of squares `a1` (top left) to the last column and row, in reading order.

    Squares border on each other along an edge; with `corners` also at a corner. At most 26 columns.
    """
    steps = [(1, 0), (0, 1), *([(1, 1), (-1, 1)] if corners else [])]
    borders: dict[str, list[str]] = {}
    for row in range(rows):
        for column in range(columns):
            near = [(column + x, row + y) for x, y in steps]
            borders[square(column, row)] = [square(x, y) for x, y in near if 0 <= x < columns and y < rows]
    return Graph(borders)


class Area(Generic[K]):
    """Spaces of one kind that hang together, sorted by name, and the spaces around them."""

    def __init__(self, kind: K, spaces: Iterable[str], graph: Graph) -> None:
        self.kind = kind
        self.spaces: tuple[str, ...] = tuple(sorted(spaces))
        self.graph = graph

    @cached_property
    def border(self) -> frozenset[str]:
        """Spaces outside it that border on one of its own."""
        around = (other for space in self.spaces for other in self.graph.neighbours[space])
        return frozenset(around).difference(self.spaces)

    @property
    def size(self) -> int:
        return len(self.spaces)


def area_at(graph: Graph, kinds: Mapping[str, K], start: str) -> Area[K]:
    """The area of a space that has a kind."""
    kind = kinds[start]
    seen = {start}
    todo = [start]
    while todo:
        for space in graph.neighbours[todo.pop()]:
            if space not in seen and space in kinds and kinds[space] == kind:
                seen.add(space)
                todo.append(space)
    return Area(kind, seen, graph)


def areas(graph: Graph, kinds: Mapping[str, K]) -> dict[str, Area[K]]:
    """Space -> the area it belongs to. Spaces that have no kind in `kinds` belong to none.

    Every space and border is looked at once.
    """
    found: dict[str, Area[K]] = {}
    for start in graph.spaces:
        if start not in found and start in kinds:
            area = area_at(graph, kinds, start)
            found.update(dict.fromkeys(area.spaces, area))
    return found


__all__ = ["Area", "Graph", "area_at", "areas", "coordinates", "grid", "square"]
