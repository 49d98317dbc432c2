"""QR codes and barcodes as one path each, so that they print sharply at any size."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple


class Barcode(NamedTuple):
    """The widths of the quiet zones at the left and right of a barcode, in modules, and of a module at least, in mm."""

    left: int
    right: int
    module: float


BARCODES = {"code128": Barcode(10, 10, 0.19), "ean13": Barcode(11, 7, 0.264)}
"""Kinds of barcodes (ISO/IEC 15417 and 15420)."""


@lru_cache(512)
def qr_modules(value: str, level: str) -> tuple[tuple[bool, ...], ...]:
    """The rows of the code for a text, without the quiet zone around it. ValueError for a text that is too long.
    `level`: how much of it may be damaged: l 7 %, m 15 %, q 25 %, h 30 %."""
    import segno

    code = segno.make_qr(value, error=level, boost_error=False)
    return tuple(tuple(bool(module) for module in row) for row in code.matrix)


def qr_path(modules: tuple[tuple[bool, ...], ...], x: float, y: float, side: float) -> str:
    """Path data of the dark modules in the square of `side` mm at `x, y`, neighbours in a row as one."""
    k = side / len(modules)
    parts: list[str] = []
    for j, row in enumerate(modules):
        start = 0
        while start < len(row):
            end = start
            while end < len(row) and row[end]:
                end += 1
            if end > start:
                left, right, top, low = (
                    f"{value:.4f}" for value in (x + start * k, x + end * k, y + j * k, y + (j + 1) * k)
                )
                parts.append(f"M{left} {top}L{right} {top}L{right} {low}L{left} {low}Z")
            start = end + 1
    return "".join(parts)


@lru_cache(512)
def bars(kind: str, value: str) -> tuple[list[tuple[int, int]], int]:
    """The bars of a code, each with its place and width in modules, and the modules from the first bar to the end of
    the last. ValueError for a text that cannot become one."""
    found = _ean13(value) if kind == "ean13" else _code128(value)
    return found, sum(found[-1])


def _code128(value: str) -> list[tuple[int, int]]:
    from reportlab.graphics.barcode.code128 import Code128

    if not (value.isascii() and value.isprintable()):
        raise ValueError("Code 128 has only the letters, digits and signs of ASCII")
    code = Code128(value)
    code.validate()
    code.encode()
    code.decompose()
    found: list[tuple[int, int]] = []
    at = 0
    for sign in code.decomposed:  # a bar is a capital, a gap a small letter, and their width its place in the alphabet
        width = ord(sign.upper()) - ord("A") + 1
        if sign.isupper():
            found.append((at, width))
        at += width
    return found


def _ean13(value: str) -> list[tuple[int, int]]:
    from reportlab.graphics.barcode.eanbc import Ean13BarcodeWidget
    from reportlab.graphics.shapes import Rect

    whole = checked(value)
    drawn = Ean13BarcodeWidget(whole[:12], barWidth=1, quiet=0, humanReadable=0).draw()
    rects = [shape for shape in drawn.contents if isinstance(shape, Rect) and shape.fillColor]
    return [(round(shape.x), round(shape.width)) for shape in rects]


def checked(value: str) -> str:
    """The 13 digits of an EAN of which 12 or 13 are given. ValueError if they are not, or the last one is wrong."""
    if not (value.isascii() and value.isdigit() and len(value) in (12, 13)):
        raise ValueError(f"an EAN-13 has 12 digits and a check digit, found {value!r}")
    last = str(-sum(int(digit) * (3 if n % 2 else 1) for n, digit in enumerate(value[:12])) % 10)
    if value[12:] not in ("", last):
        raise ValueError(f"the check digit of {value} is {last}, not {value[12]}")
    return value[:12] + last


def bars_path(found: list[tuple[int, int]], x: float, y: float, module: float, high: float) -> str:
    """Path data of bars from `x` on, with modules of so many mm."""
    parts: list[str] = []
    for at, width in found:
        left, right, top, low = (f"{value:.4f}" for value in (x + at * module, x + (at + width) * module, y, y + high))
        parts.append(f"M{left} {top}L{right} {top}L{right} {low}L{left} {low}Z")
    return "".join(parts)
