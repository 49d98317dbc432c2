"""Sheets: faces placed on paper, ready for a backend that draws them and decides nothing.

All lengths are millimetres, origin at the top left corner of the paper, y downward, angles clockwise in degrees.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from generator.faces.display import Op

Side = Literal["front", "back"]
Turn = Literal[0, 90, 180, 270]
Backs = Literal["long", "short", "gutterfold", "none"]
"""The way to print backs: by a duplex printer that binds at the long or the short edge, beside a fold, or not at
all."""


class Box(msgspec.Struct, frozen=True):
    """A rectangle: upper left corner, width, height."""

    x: float
    y: float
    w: float
    h: float

    @property
    def right(self) -> float:
        return self.x + self.w

    @property
    def bottom(self) -> float:
        return self.y + self.h

    def grown(self, left: float, top: float, right: float, bottom: float) -> Box:
        """The box with each side moved outward by that much."""
        return Box(self.x - left, self.y - top, self.w + left + right, self.h + top + bottom)

    def holds(self, other: Box, slack: float = 1e-6) -> bool:
        """True if `other` lies inside this box (`slack` in mm)."""
        return (
            other.x >= self.x - slack
            and other.y >= self.y - slack
            and other.right <= self.right + slack
            and other.bottom <= self.bottom + slack
        )


def around(boxes: list[Box]) -> Box:
    """The smallest box that holds all `boxes` (at least one)."""
    x, y = min(b.x for b in boxes), min(b.y for b in boxes)
    return Box(x, y, max(b.right for b in boxes) - x, max(b.bottom for b in boxes) - y)


class Placement(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """One face on a sheet.

    `face` is a key of the faces (display lists) that belong to the sheets. `x`, `y`, `w`, `h` are the *trim* box as it
    lies on the sheet, after turning by `turn` about its centre. Of the face's bleed only `bleed` (left, top, right,
    bottom of the placed box) may be seen: a backend clips the face to `clip`, where `rect` is the trim box grown by
    `bleed`, and `circle` and `hex` are the outline of that shape inscribed in the same grown box.
    """

    face: str
    x: float
    y: float
    w: float
    h: float
    turn: Turn = 0
    bleed: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)
    clip: Literal["rect", "circle", "hex"] = "rect"
    piece: str = ""
    """`set/piece`: which piece this is a copy of, for the manifest and the lists of what to throw away."""
    reverse: bool = False
    """True if the face is the back of the piece."""
    window: Box | None = None
    """Only this part of the sheet shows the face (a page of a board that is cut into pages)."""

    @property
    def trim(self) -> Box:
        return Box(self.x, self.y, self.w, self.h)

    @property
    def begins(self) -> bool:
        """True if the upper left corner of the piece lies on this sheet."""
        window = self.window
        return window is None or (window.x <= self.x + 0.01 and window.y <= self.y + 0.01)

    @property
    def seen(self) -> Box:
        """The part of the sheet that the face may cover: the trim box with its bleed, within the window."""
        box = self.trim.grown(*self.bleed)
        if self.window is None:
            return box
        x, y = max(box.x, self.window.x), max(box.y, self.window.y)
        return Box(x, y, min(box.right, self.window.right) - x, min(box.bottom, self.window.bottom) - y)


class Strip(msgspec.Struct, frozen=True):
    """The place of the sheet's name and scale bar: along an edge above or below the pieces or, `upright` False, beside
    them, where it reads from the bottom up."""

    box: Box
    upright: bool = True

    @property
    def length(self) -> float:
        return self.box.w if self.upright else self.box.h


class CutLine(msgspec.Struct, frozen=True):
    """The cut around a flat piece: a shape that fills its slot, `corner` the radius of a rectangle's corners."""

    slot: Box
    shape: str
    corner: float = 0.0


class Page(msgspec.Struct, frozen=True, kw_only=True):
    """A printed side that has no name and number yet. `kind` says what lies on it, `note` which part of it."""

    kind: str
    side: Side
    w: float
    h: float
    placements: tuple[Placement, ...]
    marks: tuple[Op, ...]
    strip: Strip | None
    """None: the piece takes the whole page, and there is no room for a name."""
    trim: Box
    bleed: Box
    note: str = ""
    shows: str = "front"
    """Word for the side in the sheet's name."""
    outlines: tuple[CutLine, ...] = ()


class Sheet(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """One printed side. `marks` (crop marks, cut and fold lines, scale bar, sheet name) are drawn after the faces.

    `trim` and `bleed` are the boxes around all trims, without and with the bleed (TrimBox and BleedBox of the page).
    `outlines` of a front are what a cutting machine follows, one for each flat piece; they are not printed.
    """

    name: str
    """Unique within a build and fit for a file name, e.g. `cards-03-front`."""
    title: str
    side: Side
    w: float
    h: float
    placements: tuple[Placement, ...]
    marks: tuple[Op, ...] = ()
    trim: Box
    bleed: Box
    outlines: tuple[CutLine, ...] = ()
