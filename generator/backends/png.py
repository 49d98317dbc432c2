"""SVG to PNG, with cairosvg where the cairo library is and with resvg where it is not."""

from __future__ import annotations

import re
import struct
import zlib

from generator.faces.faults import Fault
from generator.paper.units import INCH

LONGEST, MOST = 32_767, 500_000_000
"""Pixels of a side and of a whole picture."""

_HEAD = re.compile(r"<svg\s[^>]*>")
_NAME = "drawing.svg"
_SIZE = re.compile(r'\s(width|height)="([\d.]+)mm"')


def pixels(mm: float, dpi: float) -> int:
    """Pixels of a length: rounded to the nearest whole one, at least 1."""
    return max(1, int(mm / INCH * dpi + 0.5))


def write_png(svg: str, dpi: float, *, paper: str | None = "#ffffff") -> bytes:
    """Rasterise an SVG document whose size is given in mm, on `paper` (None: transparent).

    Width and height are the nearest whole numbers of pixels; the PNG's resolution is set to `dpi`. Raises Fault where
    that would be more than a picture can have.
    """
    head = _HEAD.search(svg)
    size = dict(_SIZE.findall(head.group())) if head else {}
    if len(size) != 2:
        raise ValueError("the SVG has no width and height in mm")
    w, h = pixels(float(size["width"]), dpi), pixels(float(size["height"]), dpi)
    if max(w, h) > LONGEST or w * h > MOST:
        what = f"a picture of {w:,} x {h:,} pixels is too large: {LONGEST:,} a side, and {MOST:,} in all, is the most"
        raise Fault("LAY-002", what, "ask for fewer with --dpi, or for a part of it")
    return with_resolution(_raster(svg, w, h, paper), dpi)


def _raster(svg: str, w: int, h: int, paper: str | None) -> bytes:
    try:
        import cairosvg
    except (ImportError, OSError):
        return by_resvg(svg, w, h, paper)
    # Under a name cairosvg keeps what a `use` refers to; without one it searches the document for every letter.
    png: bytes = cairosvg.svg2png(
        bytestring=svg.encode(), url=_NAME, output_width=w, output_height=h, background_color=paper
    )
    return png


def by_resvg(svg: str, w: int, h: int, paper: str | None = "#ffffff") -> bytes:
    """An SVG document as a PNG of `w` x `h` pixels, drawn by resvg."""
    import resvg_py

    return bytes(resvg_py.svg_to_bytes(svg_string=_stretched(svg, w, h), width=w, height=h, background=paper))


def _stretched(svg: str, w: int, h: int) -> str:
    """The document with its size in whole pixels: resvg would otherwise keep the proportions and miss one of them."""
    head = _HEAD.search(svg)
    assert head is not None
    sized = _SIZE.sub(lambda m: f' {m.group(1)}="{w if m.group(1) == "width" else h}"', head.group())
    return svg[: head.start()] + sized.replace("<svg ", '<svg preserveAspectRatio="none" ', 1) + svg[head.end() :]


def with_resolution(png: bytes, dpi: float) -> bytes:
    """The PNG with its physical resolution (the pHYs chunk) set to `dpi`."""
    head, rest = png[:33], png[33:]
    chunks = []
    at = 0
    while at < len(rest):
        (length,) = struct.unpack(">I", rest[at : at + 4])
        if rest[at + 4 : at + 8] != b"pHYs":
            chunks.append(rest[at : at + 12 + length])
        at += 12 + length
    per_metre = round(dpi * 1000 / INCH)
    body = b"pHYs" + struct.pack(">IIB", per_metre, per_metre, 1)
    return head + struct.pack(">I", 9) + body + struct.pack(">I", zlib.crc32(body)) + b"".join(chunks)
