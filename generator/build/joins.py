"""Pieces that may share a cut: the flat colours along their edges, front and back."""

from __future__ import annotations

from collections.abc import Mapping

from generator.build.facecache import Stored, load_face
from generator.faces.edges import Edges, edge_colours
from generator.faces.fonts import FontBook
from generator.paper.formats import Format
from generator.sheets.marks import SheetStyle


def reach(fmt: Format, style: SheetStyle) -> float:
    """The distance from an edge (mm) within which the contents of a face of this format matter; -1: nowhere."""
    return -1.0 if fmt.shape != "rect" or style.cut in ("gutter", "shared") else min(fmt.bleed, style.bleed_min)


class Joins:
    """The colours in which pieces could join others at a cut they share, read from their faces."""

    def __init__(self, faces: Mapping[str, Stored], fonts: FontBook, style: SheetStyle) -> None:
        self._faces = faces
        self._fonts = fonts
        self._style = style
        self._edges: dict[tuple[str, float], Edges] = {}

    def of(self, fmt: Format, front: str, back: str) -> tuple[str, str]:
        """The colour along the sides, and that along the ends, of a piece with these faces; empty if not flat."""
        near = reach(fmt, self._style)
        if near < 0:
            return "", ""
        sides: list[str] = []
        ends: list[str] = []
        for face in (front, back) if back else (front,):
            left, top, right, bottom = self._of(face, near)
            sides.append(left if left == right else "")
            ends.append(top if top == bottom else "")
            if not all(sides) and not all(ends):
                return "", ""  # whatever the back is like
        return " ".join(sides) if all(sides) else "", " ".join(ends) if all(ends) else ""

    def _of(self, face: str, near: float) -> Edges:
        stored = self._faces[face]
        if stored.reach == near:
            return stored.edges
        if (face, near) not in self._edges:
            self._edges[face, near] = edge_colours(load_face(stored), near, self._fonts)
        return self._edges[face, near]
