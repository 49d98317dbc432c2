"""Patterns in a PDF: a shape that a path repeats is kept once, and the page looks as if it were not."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import numpy as np
import pypdfium2
import pytest

from generator.backends.pdf import write_pdf
from generator.backends.pdfmotifs import motifs
from generator.faces import svgpath
from generator.faces.display import DisplayList, PathOp
from generator.faces.fonts import FontBook
from generator.sheets.sheets import Box, Placement, Sheet

NO_FONTS = FontBook({}, Path())
GRID = [(3.1 + 4 * (n % 14), 3.07 + 4.0001 * (n // 14)) for n in range(196)]


def pdf(paths: Iterable[PathOp]) -> bytes:
    box = Box(0.0, 0.0, 60.0, 60.0)
    placed = Placement(face="a", x=0.0, y=0.0, w=60.0, h=60.0)
    sheet = Sheet(name="s", title="s", side="front", w=60.0, h=60.0, placements=(placed,), trim=box, bleed=box)
    return write_pdf([sheet], {"a": DisplayList(60, 60, 0, list(paths))}, title="t", fonts=NO_FONTS)


def seen(content: bytes) -> np.ndarray:
    return pypdfium2.PdfDocument(content)[0].render(scale=4).to_numpy().astype(int)


def path(shapes: Iterable[svgpath.Path]) -> str:
    return svgpath.to_d([segment for shape in shapes for segment in shape])


@pytest.mark.parametrize("how", [{"fill": "#224466"}, {"stroke": "#224466", "width": 0.3}])
def test_a_pattern_takes_a_quarter_of_the_room_and_looks_the_same(how: dict[str, str]) -> None:
    odd = svgpath.rect(57.2, 57.3, 2, 1)
    circles = [svgpath.circle(x, y, 1.5) for x, y in GRID]
    whole = pdf([PathOp(d=path([*circles, odd]), **how)])
    single = pdf([PathOp(d=path([circle]), **how) for circle in [*circles, odd]])
    assert motifs(path(circles), filled="fill" in how) is not None
    assert len(whole) < len(single) / 2
    assert np.abs(seen(whole) - seen(single)).max() <= 40  # the edges of circles, by a part of a pixel


def test_shapes_within_shapes_stay_one_path_that_keeps_its_holes() -> None:
    rings = [shape for x, y in GRID for shape in (svgpath.circle(x, y, 1.6), list(hole(x, y)))]
    assert motifs(path(rings), filled=True) is None
    page = seen(pdf([PathOp(d=path(rings), fill="#000000")]))
    x, y = (round(value * 4 * 72 / 25.4) for value in GRID[30])
    assert page[y, x].min() == 255


def hole(x: float, y: float) -> svgpath.Path:
    """A square drawn the other way round."""
    return svgpath.polygon([(x - 0.8, y - 0.8), (x - 0.8, y + 0.8), (x + 0.8, y + 0.8), (x + 0.8, y - 0.8)])


def test_a_path_of_unlike_shapes_is_drawn_as_it_is() -> None:
    shapes = [svgpath.ellipse(x, y, 0.3 + n / 150, 0.4 + n % 7 / 9) for n, (x, y) in enumerate(GRID)]
    assert motifs(path(shapes), filled=False) is None
