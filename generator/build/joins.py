"""Which pieces may share a cut: the flat colours along their edges, front and back."""

from __future__ import annotations

from collections.abc import Callable

from generator.faces.display import DisplayList
from generator.faces.edges import Edges, edge_colours
from generator.faces.fonts import FontBook
from generator.paper.formats import Format
from generator.sheets.marks import SheetStyle


class Joins:
    """The colours in which pieces could join others at a cut they share, read from their faces."""

    def __init__(self, face: Callable[[str], DisplayList], fonts: FontBook, style: SheetStyle) -> None:
        """`face` gives the display list of a face by its key."""
        self._face = face
        self._fonts = fonts
        self._style = style
        self._edges: dict[str, Edges] = {}

    def of(self, fmt: Format, front: str, back: str) -> tuple[str, str]:
        """The colour along the sides, and that along the ends, of a piece with these faces; empty if not flat."""
        if fmt.shape != "rect" or self._style.cut in ("gutter", "shared"):
            return "", ""
        sides: list[str] = []
        ends: list[str] = []
        for face in (front, back) if back else (front,):
            left, top, right, bottom = self._of(face, min(fmt.bleed, self._style.bleed_min))
            sides.append(left if left == right else "")
            ends.append(top if top == bottom else "")
            if not all(sides) and not all(ends):
                return "", ""  # whatever the back is like
        return " ".join(sides) if all(sides) else "", " ".join(ends) if all(ends) else ""

    def _of(self, face: str, reach: float) -> Edges:
        if face not in self._edges:
            self._edges[face] = edge_colours(self._face(face), reach, self._fonts)
        return self._edges[face]
