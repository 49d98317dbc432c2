"""The beast mask of old bronzes: symmetric, built from arcs, never a copy of one."""

from __future__ import annotations

from generator.faces.ornaments.fields import Box
from generator.faces.svgpath import Path, ellipse, parse, transform

# Right half on a grid of 100 x 100 about the axis x = 0, y from -50 (horns) to 50 (fangs).
_BROW = "M3 -16 C10 -26 26 -28 38 -20 C46 -15 50 -6 47 2 C44 9 35 10 32 5 C30 1 33 -3 37 -2 M3 -9 C10 -18 22 -20 31 -14"
_HORN = "M8 -24 C6 -38 18 -50 32 -48 C44 -46 48 -35 42 -29 C37 -24 29 -27 30 -33 C31 -37 36 -38 38 -35"
_EYE = "M8 -4 C12 -12 24 -12 29 -3 C24 4 13 5 8 -4 Z"
_CHEEK = "M32 12 C40 12 48 18 47 27 C46 35 37 38 32 33 C28 29 31 23 36 24"
_NOSE = "M3 -20 L3 14 M3 14 C3 20 7 23 12 22 C17 21 18 15 14 13 C11 12 9 15 11 17"
_JAW = "M0 30 C8 30 12 27 20 27 C28 27 31 33 29 40 C27 46 20 47 18 42 C17 39 19 37 21 38"
_FANG = "M9 29.5 L12 41 L16 27.6"
_LOZENGE = "M0 -36 L5 -29 L0 -22 Z"


def taotie(box: Box, part: str = "lines") -> Path:
    """A beast mask that fills the box. `part`: `lines` (to be stroked) or `eyes` (pupils and lozenge, to be filled)."""
    x, y, w, h = box
    if part not in ("lines", "eyes"):
        raise ValueError(f"the part must be lines or eyes, found {part!r}")
    if part == "lines":
        half = [s for d in (_BROW, _HORN, _EYE, _CHEEK, _NOSE, _JAW, _FANG) for s in parse(d)]
    else:
        half = ellipse(19, -4, 3.6, 3.6) + parse(_LOZENGE)
    right = transform(half, (w / 100, 0, 0, h / 100, x + w / 2, y + h / 2))
    left = transform(half, (-w / 100, 0, 0, h / 100, x + w / 2, y + h / 2))
    return right + left
