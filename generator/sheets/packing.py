"""Packings of equal pieces in a rectangle: grids for straight edges, staggered rows for discs and hexagons.

Pure geometry in millimetres. Every packing starts at (0, 0) and reports the box it really uses.
"""

from __future__ import annotations

import math

import msgspec

EPS = 1e-6


class Packing(msgspec.Struct, frozen=True):
    """`slots` are the top left corners of the pieces' boxes (`w` x `h` each), in rows from the top, left to right."""

    w: float
    h: float
    slots: tuple[tuple[float, float], ...]

    @property
    def size(self) -> tuple[float, float]:
        """Width and height of the box around all slots."""
        if not self.slots:
            return 0.0, 0.0
        return max(x for x, _ in self.slots) + self.w, max(y for _, y in self.slots) + self.h


def fits(space: float, size: float, gap: float) -> int:
    """The number of pieces of `size` with `gap` between them in a row of length `space`."""
    if size > space + EPS:
        return 0
    return 1 + int((space - size + EPS) / (size + gap))


def grid(space: tuple[float, float], w: float, h: float, gap: float) -> Packing:
    """Rows and columns, `gap` between neighbours in both directions."""
    columns, rows = fits(space[0], w, gap), fits(space[1], h, gap)
    return Packing(w, h, tuple((c * (w + gap), r * (h + gap)) for r in range(rows) for c in range(columns)))


def _rows(space: tuple[float, float], w: float, h: float, across: float, down: float) -> Packing:
    """Rows `down` apart with pieces `across` apart, every other row moved half a step to the right."""
    if w > space[0] + EPS or h > space[1] + EPS:
        return Packing(w, h, ())
    rows = 1 + int((space[1] - h + EPS) / down)
    slots: list[tuple[float, float]] = []
    for row in range(rows):
        shift = across / 2 if row % 2 else 0.0
        count = 0 if w + shift > space[0] + EPS else 1 + int((space[0] - w - shift + EPS) / across)
        slots += [(shift + n * across, row * down) for n in range(count)]
    return Packing(w, h, tuple(slots))


def _turned(packing: Packing) -> Packing:
    """The packing mirrored at the diagonal, still listed in rows."""
    return Packing(packing.h, packing.w, tuple(sorted(((y, x) for x, y in packing.slots), key=lambda s: (s[1], s[0]))))


def _staggered(space: tuple[float, float], d: float, pitch: float) -> list[Packing]:
    """Rows of discs: the densest rows, and rows spread just so far that the moved ones hold as many as the others."""
    found = [_rows(space, d, d, pitch, pitch * math.sqrt(3) / 2)]
    count = fits(space[0], d, pitch - d)
    for n in (count, count - 1):
        across = (space[0] - d) / (n - 0.5) if n >= 1 else 0.0
        if pitch <= across < pitch * math.sqrt(2):
            found.append(_rows(space, d, d, across, math.sqrt(pitch**2 - (across / 2) ** 2)))
    return found


def discs(space: tuple[float, float], d: float, gap: float) -> Packing:
    """Discs of diameter `d`, no two closer than `gap`: square, or staggered in rows or columns, whichever holds most.

    With equal numbers the square grid wins, because it is the easiest to cut.
    """
    upright, lying = space, (space[1], space[0])
    candidates = [
        grid(upright, d, d, gap),
        *_staggered(upright, d, d + gap),
        *(_turned(p) for p in _staggered(lying, d, d + gap)),
    ]
    return max(candidates, key=lambda packing: len(packing.slots))


def hexes(space: tuple[float, float], w: float, h: float, gap: float) -> Packing:
    """Regular hexagons, corners at top and bottom, `w` between the flat sides: a honeycomb with `gap` between them."""
    pitch = w + gap
    return _rows(space, w, h, pitch, pitch * math.sqrt(3) / 2)
