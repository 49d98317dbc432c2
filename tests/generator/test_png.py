"""PNG with the cairo library and without it."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest
from facekit import CARD, difference, maker, piece
from PIL import Image

from generator.backends.png import pixels, with_resolution, write_png
from generator.backends.svg import face_svg
from generator.faces.faults import Fault

SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="{}mm" height="{}mm" viewBox="0 0 10 10">{}</svg>'


@pytest.mark.parametrize(("w", "h"), [(1e6, 10), (10, 1e6), (2500, 2500)])
def test_a_picture_of_too_many_pixels_is_refused(w: float, h: float) -> None:
    with pytest.raises(Fault, match="is too large"):
        write_png(f'<svg xmlns="http://www.w3.org/2000/svg" width="{w:.0f}mm" height="{h:.0f}mm"></svg>', 300)


@pytest.mark.parametrize(("w", "h", "dpi"), [(63, 88, 300), (20, 20, 96), (44, 67, 72), (297, 210, 50)])
def test_size_in_pixels_and_resolution(w: float, h: float, dpi: float, cairo: str) -> None:
    png = write_png(SVG.format(w, h, ""), dpi)
    image = Image.open(io.BytesIO(png))
    assert image.size == (pixels(w, dpi), pixels(h, dpi))
    assert image.info["dpi"] == pytest.approx((dpi, dpi), abs=0.02)


def test_poker_card_at_300_dpi() -> None:
    assert (pixels(63, 300), pixels(88, 300)) == (744, 1039)


def test_the_paper_is_white_or_left_open(cairo: str) -> None:
    svg = SVG.format(10, 10, '<rect width="5" height="10" fill="#ff0000"/>')
    white = Image.open(io.BytesIO(write_png(svg, 25.4))).convert("RGBA")
    clear = Image.open(io.BytesIO(write_png(svg, 25.4, paper=None))).convert("RGBA")
    assert [white.getpixel((x, 5)) for x in (2, 8)] == [(255, 0, 0, 255), (255, 255, 255, 255)]
    assert [clear.getpixel((x, 5)) for x in (2, 8)] == [(255, 0, 0, 255), (0, 0, 0, 0)]


def test_a_card_looks_alike_with_and_without_cairo(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    m = maker(tmp_path, CARD)
    svg = face_svg(m.front(piece()), m.fonts)
    with_cairo = Image.open(io.BytesIO(write_png(svg, 120)))
    monkeypatch.setitem(sys.modules, "cairosvg", None)
    without = Image.open(io.BytesIO(write_png(svg, 120)))
    assert with_cairo.size == without.size
    assert difference(with_cairo, without) < 1.0


def test_resolution_replaces_another(cairo: str) -> None:
    once = with_resolution(write_png(SVG.format(5, 5, ""), 100), 300)
    assert once.count(b"pHYs") == 1
    assert Image.open(io.BytesIO(once)).info["dpi"] == pytest.approx((300, 300), abs=0.02)


def test_an_svg_without_size_is_refused() -> None:
    with pytest.raises(ValueError, match="no width and height in mm"):
        write_png("<svg/>", 100)
