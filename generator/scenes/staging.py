"""A scene to pieces that lie somewhere: references followed, places filled, rows laid.

Scene + faces -> Stage: every piece with its place on the table, in drawing order
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Protocol

import msgspec

from components.errors import DefinitionError, Problem
from components.phrasing import did_you_mean
from components.scene import Scene, Thing, split_spot
from components.validate import NoPlaces, Places
from generator.faces.display import Anchor
from generator.scenes.laying import lie, wrapped

LAYERS = 7
"""So many pieces of a pile are seen, at most."""
FOOT = 4.0
"""A standee's foot lies so far below the middle of its place, mm."""
PROPORTION = 1.6
"""Width by height of a table on which things lie in rows."""

PathKey = tuple[str | int, ...]


class SceneError(DefinitionError):
    """A scene that cannot be drawn. Every problem names its place in the file, if the scene stands in one."""


class Lacking(Exception):
    """A piece or mat of a scene that is not there."""

    def __init__(self, key: str, what: str, hint: str = "", code: str = "SCN-001") -> None:
        super().__init__(what)
        self.key, self.what, self.hint, self.code = key, what, hint, code


class Shown(msgspec.Struct, frozen=True):
    """One side of a piece, or a mat, as it can be laid: its face by a key, its size (mm) and outline, its places."""

    key: str
    w: float
    h: float
    outline: str
    """Path data, origin at the upper left corner."""
    anchors: dict[str, Anchor] = {}
    stands: bool = False
    """True if it stands: seen from the front, with its foot at its place."""
    layer: float = 0.0
    """Each piece of a pile stands out below the one on it by so many mm; 0 for a mat, which is drawn on the table."""
    bare: bool = False
    """A mat that only names places: the table is shown as far as something lies there."""


class Faces(Protocol):
    """The source of a scene's faces."""

    def shown(self, thing: Thing) -> Shown:
        """The face of a thing. Raises Lacking."""
        ...


class Laid(msgspec.Struct, frozen=True):
    """A piece, or a pile of them, on the table: its middle in mm, how it is turned, and what it lies on."""

    thing: int
    """Number of the thing in the scene."""
    shown: Shown
    x: float
    y: float
    turn: float
    depth: int
    """0: on the table; 1: on something that lies there …"""
    count: int = 1
    """More than one: a pile."""

    @property
    def area(self) -> Area:
        return Area(self.x, self.y, self.shown.w, self.shown.h, self.turn)


class Area(msgspec.Struct, frozen=True):
    """A turned rectangle on the table: its middle, its size before it is turned."""

    x: float
    y: float
    w: float
    h: float
    turn: float = 0.0

    @property
    def bounds(self) -> tuple[float, float, float, float]:
        """Left, top, right and bottom of the upright rectangle around it."""
        cos, sin = abs(math.cos(math.radians(self.turn))), abs(math.sin(math.radians(self.turn)))
        half_w, half_h = (self.w * cos + self.h * sin) / 2, (self.w * sin + self.h * cos) / 2
        return self.x - half_w, self.y - half_h, self.x + half_w, self.y + half_h


class Stage(msgspec.Struct, frozen=True):
    """A table with its pieces in drawing order; `places` finds what references mean."""

    laid: list[Laid]
    areas: dict[str, Area]
    """Thing, or `thing#anchor` -> where it is."""

    def area(self, spot: str | Sequence[float]) -> Area:
        """The area of a reference or point. Raises KeyError."""
        return self.areas[spot] if isinstance(spot, str) else Area(float(spot[0]), float(spot[1]), 0.0, 0.0)


class Told:
    """Collects what is wrong with a scene. `first`: number of the first of its things that stands in its file."""

    def __init__(self, places: Places | None, first: int = 0) -> None:
        self.places = places or NoPlaces()
        self.first = first
        self.problems: list[Problem] = []

    def say(self, path: PathKey, what: str, hint: str = "", code: str = "SCN-001") -> None:
        if path and path[0] == "pieces" and isinstance(path[1], int):
            path = ("pieces", path[1] - self.first, *path[2:]) if path[1] >= self.first else ()
        self.problems.append(self.places.problem(code, what, path, hint=hint))

    def end(self) -> None:
        """Raise SceneError if anything was wrong."""
        if self.problems:
            raise SceneError(self.problems)


def set_stage(scene: Scene, faces: Faces, told: Told) -> Stage:
    """Lay the things of a scene. What is wrong goes to `told`; the caller ends it."""
    return _Staging(scene, faces, told).stage()


class _Staging:
    def __init__(self, scene: Scene, faces: Faces, told: Told) -> None:
        self.scene = scene
        self.told = told
        self.shown: dict[int, Shown] = {}
        self.names = self.named()
        self.laid: dict[int, list[Laid]] = {}
        for n, thing in enumerate(scene.pieces):
            try:
                self.shown[n] = faces.shown(thing)
            except Lacking as lacking:
                told.say(("pieces", n, lacking.key), lacking.what, lacking.hint, lacking.code)
            except DefinitionError as error:
                told.problems += error.problems

    def named(self) -> dict[str, list[int]]:
        """The names of the things for references: ids first, then pieces and mats by name, then by their last word."""
        ids: dict[str, list[int]] = {}
        full: dict[str, list[int]] = {}
        short: dict[str, list[int]] = {}
        for n, thing in enumerate(self.scene.pieces):
            if thing.id:
                if thing.id in ids:
                    self.told.say(("pieces", n, "id"), f"another thing is called '{thing.id}', too", code="SCN-002")
                if "#" in thing.id:
                    self.told.say(("pieces", n, "id"), f"'{thing.id}': an id has no '#'", code="SCN-002")
                ids.setdefault(thing.id, []).append(n)
            else:
                called = thing.piece or thing.mat
                full.setdefault(called, []).append(n)
                short.setdefault(called.rpartition("/")[2], []).append(n)
        return {**short, **full, **ids}

    def stage(self) -> Stage:
        scene = self.scene
        free = [n for n, thing in enumerate(scene.pieces) if thing.at == "" and n in self.shown]
        for n, thing in enumerate(scene.pieces):
            if not isinstance(thing.at, str) and n in self.shown:
                self.at_point(n, thing.at[0], thing.at[1])
        self.in_rows([n for n in free if scene.pieces[n].count])
        waiting = {n for n, thing in enumerate(scene.pieces) if isinstance(thing.at, str) and thing.at}
        while waiting:
            ready = sorted(n for n in waiting if self.owner(n) is None or self.owner(n) not in waiting)
            if not ready:
                for n in sorted(waiting):
                    self.told.say(("pieces", n, "at"), "things lie on one another in a circle", code="SCN-003")
                break
            waiting -= set(ready)
            self.on_others(ready)
        laid = [piece for pieces in self.laid.values() for piece in pieces]
        laid.sort(key=lambda piece: (piece.depth, piece.thing))
        return Stage(laid, self.areas())

    def owner(self, n: int) -> int | None:
        """The thing on which thing `n` lies, None if there is none such."""
        at = self.scene.pieces[n].at
        assert isinstance(at, str)
        found = self.names.get(split_spot(at)[0], [])
        return found[0] if found else None

    def areas(self) -> dict[str, Area]:
        found: dict[str, Area] = {}
        for name, numbers in self.names.items():
            laid = [piece for n in numbers for piece in self.laid.get(n, ())]
            if not laid:
                continue
            found[name] = laid[0].area if len(laid) == 1 else around([piece.area for piece in laid])
            for anchor, place in laid[0].shown.anchors.items():
                found[f"{name}#{anchor}"] = on(laid[0], place)
        return found

    # --- laying

    def footprint(self, n: int) -> tuple[float, float]:
        """Width and height of a thing as it is turned."""
        shown = self.shown[n]
        left, top, right, bottom = Area(0, 0, shown.w, shown.h, self.scene.pieces[n].turn).bounds
        return right - left, bottom - top

    def put(self, n: int, x: float, y: float, turn: float = 0.0, depth: int = 0, count: int = 1) -> None:
        shown, turn = self.shown[n], self.scene.pieces[n].turn + turn
        if shown.stands:
            y, turn = y + FOOT - shown.h / 2, 0.0
        self.laid.setdefault(n, []).append(Laid(n, shown, x, y, turn, depth, count))

    def at_point(self, n: int, x: float, y: float, way: str = "") -> None:
        """A thing around a point: a pile unless it says how else."""
        thing = self.scene.pieces[n]
        way = thing.lay or way or "pile"
        if way == "pile" or thing.count < 2:
            if thing.count:
                self.put(n, x, y, count=thing.count)
            return
        w, h = self.footprint(n)
        across = math.ceil(math.sqrt(thing.count)) if way == "spread" else thing.count
        room = (across * (w + 3), thing.count * (h + 3))
        for lying in lie(way, [(w, h)] * thing.count, *room):
            self.put(n, x + lying.x, y + lying.y, lying.turn)

    def in_rows(self, numbers: list[int]) -> None:
        """Things without a place, in rows beside each other, below those that lie at a point."""
        if not numbers:
            return
        placed = [piece.area.bounds for pieces in self.laid.values() for piece in pieces]
        sizes = [self.block(n) for n in numbers]
        gap = self.scene.gap
        below = [gap + (7.0 if self.scene.pieces[n].label else 0.0) for n in numbers]
        across = max(right for _, _, right, _ in placed) - min(left for left, *_ in placed) if placed else 0.0
        room = self.scene.width or max(
            across, max(w for w, _ in sizes), math.sqrt(PROPORTION * sum((w + gap) * (h + gap) for w, h in sizes))
        )
        y = max(bottom for *_, bottom in placed) + gap if placed else 0.0
        middle = min(left for left, *_ in placed) + across / 2 if placed else 0.0
        for row in wrapped([w for w, _ in sizes], room, gap):
            high = max(sizes[i][1] for i in row)
            x = middle - (sum(sizes[i][0] for i in row) + gap * (len(row) - 1)) / 2
            for i in row:
                w, _ = sizes[i]
                self.at_point(numbers[i], x + w / 2, y + high / 2)
                x += w + gap
            y += high + max(below[i] for i in row)

    def block(self, n: int) -> tuple[float, float]:
        """Width and height of a thing in a row, with all its copies."""
        thing = self.scene.pieces[n]
        self.at_point(n, 0.0, 0.0)
        bounds = [piece.area.bounds for piece in self.laid.pop(n)] if thing.count else []
        lefts, tops, rights, bottoms = zip(*bounds, strict=True)
        return max(rights) - min(lefts), max(bottoms) - min(tops)

    def on_others(self, numbers: list[int]) -> None:
        """Things that lie at places of others; those of one place share it."""
        shared: dict[str, list[int]] = {}
        for n in numbers:
            at = self.scene.pieces[n].at
            if n in self.shown and isinstance(at, str):
                shared.setdefault(at, []).append(n)
        for spot, here in shared.items():
            base = self.base(spot, here)
            if base is None:
                continue
            laid, place = base
            self.fill(here, on(laid, place), place.lay, laid.depth + 1)

    def base(self, spot: str, here: list[int]) -> tuple[Laid, Anchor] | None:
        """The thing under a place, and the place; None (and reported) if there is none."""
        name, anchor = split_spot(spot)
        numbers = self.names.get(name, [])
        if not numbers:
            hint = did_you_mean(name, self.names, listing="there are")
            for n in here:
                self.told.say(("pieces", n, "at"), f"nothing is called '{name}'", hint, "SCN-003")
            return None
        if len(numbers) > 1:
            what = f"{len(numbers)} things are called '{name}'"
            for n in here:
                self.told.say(("pieces", n, "at"), what, "give the one that is meant an id", "SCN-003")
            return None
        laid = self.laid.get(numbers[0], [])
        if not laid:
            return None  # it is not shown, and neither is what lies on it
        shown = laid[0].shown
        if not anchor:
            return laid[0], Anchor(shown.w / 2, shown.h / 2, shown.w, shown.h)
        if anchor not in shown.anchors:
            hint = did_you_mean(anchor, shown.anchors, listing="there are") or "its face names no places"
            for n in here:
                self.told.say(("pieces", n, "at"), f"'{name}' has no place '{anchor}'", hint, "SCN-003")
            return None
        return laid[0], shown.anchors[anchor]

    def fill(self, numbers: list[int], area: Area, way: str, depth: int) -> None:
        """Lay things into a place."""
        units: list[tuple[int, int]] = []
        for n in numbers:
            thing = self.scene.pieces[n]
            if not thing.count:
                continue
            units += [(n, thing.count)] if thing.lay == "pile" else [(n, 1)] * thing.count
        if way == "pile" and units:
            # one pile: the last thing lies on top, and the number of all is told
            self.pile(units, area, depth)
            return
        own = {self.scene.pieces[n].lay for n in numbers} - {"", "pile"}
        sizes = [self.footprint(n) for n, _ in units]
        cos, sin = math.cos(math.radians(area.turn)), math.sin(math.radians(area.turn))
        for (n, count), lying in zip(units, lie(min(own, default=way), sizes, area.w, area.h), strict=True):
            x, y = area.x + cos * lying.x - sin * lying.y, area.y + sin * lying.x + cos * lying.y
            self.put(n, x, y, area.turn + lying.turn, depth, count)

    def pile(self, units: list[tuple[int, int]], area: Area, depth: int) -> None:
        total = sum(count for _, count in units)
        last = units[-1][0]
        for n in dict.fromkeys(n for n, _ in units):
            if n != last:
                self.laid.setdefault(n, [])
        self.put(last, area.x, area.y, area.turn, depth, total)


def on(laid: Laid, place: Anchor) -> Area:
    """The area of a place on something that lies on the table."""
    cos, sin = math.cos(math.radians(laid.turn)), math.sin(math.radians(laid.turn))
    x, y = place.x - laid.shown.w / 2, place.y - laid.shown.h / 2
    return Area(
        laid.x + cos * x - sin * y, laid.y + sin * x + cos * y, place.w, place.h, (laid.turn + place.turn) % 360
    )


def around(areas: Sequence[Area]) -> Area:
    """The upright rectangle around several."""
    lefts, tops, rights, bottoms = zip(*(area.bounds for area in areas), strict=True)
    left, top, right, bottom = min(lefts), min(tops), max(rights), max(bottoms)
    return Area((left + right) / 2, (top + bottom) / 2, right - left, bottom - top)


Show = Callable[[Thing], Shown]
