"""Faces, and lines of text, to finished fragments of SVG.

Names inside a fragment are made from what they stand for, so that fragments made at different times fit together.
"""

from __future__ import annotations

import hashlib

from generator.backends.svg import Drawing
from generator.backends.svgpictures import Fragment
from generator.faces.display import Op
from generator.faces.fonts import FontBook


class _Drawing(Drawing):
    """Writes elements whose definitions are named by what they say."""

    def __init__(self, fonts: FontBook) -> None:
        super().__init__(1.0, 1.0, (0.0, 0.0), fonts, False)
        self.made: dict[str, str] = {}

    def named(self, kind: str, content: str) -> str:
        return f"{kind}{hashlib.sha256(content.encode()).hexdigest()[:10]}"

    def define(self, name: str, element: object) -> None:
        self.made[name] = element.tostring()  # type: ignore[attr-defined]


def fragment(ops: list[Op], fonts: FontBook) -> Fragment:
    """Operations as a piece of an SVG document."""
    drawing = _Drawing(fonts)
    body = "".join(element.tostring() for element in drawing.elements(ops))
    return Fragment(body, drawing.made)
