"""Colours as eyes see them and as printers mix them: luminance, CIELAB, colour blindness, ink."""

from __future__ import annotations

import math
from functools import lru_cache

Rgb = tuple[int, int, int]
Lab = tuple[float, float, float]

EYES: dict[str, tuple[tuple[float, float, float], ...]] = {
    "every colour": ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
    "no red (protanopia)": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "no green (deuteranopia)": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.01182, 0.04294, 0.968881),
    ),
    "no blue (tritanopia)": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.3039),
    ),
}
"""The response of an eye to linear red, green and blue (Machado, Oliveira and Fernandes 2009, severity 1.0)."""


def rgb(colour: str) -> Rgb:
    """`#rrggbb` as three numbers up to 255."""
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def _linear(value: int) -> float:
    c = value / 255
    return c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4


def luminance(colour: Rgb) -> float:
    """Relative luminance as WCAG 2 defines it, 0 to 1."""
    r, g, b = map(_linear, colour)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


def contrast(one: Rgb, other: Rgb) -> float:
    """The contrast of two colours as WCAG 2 defines it, 1 to 21."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@lru_cache(maxsize=65536)
def lab(colour: Rgb, eyes: str = "every colour") -> Lab:
    """CIELAB (D65) of a colour as some eyes see it."""
    linear = [_linear(value) for value in colour]
    r, g, b = (min(1.0, max(0.0, sum(k * v for k, v in zip(row, linear, strict=True)))) for row in EYES[eyes])
    x, y, z = (
        (0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.95047,
        0.2126 * r + 0.7152 * g + 0.0722 * b,
        (0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.08883,
    )
    fx, fy, fz = (t ** (1 / 3) if t > 0.008856 else 7.787 * t + 16 / 116 for t in (x, y, z))
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)


def difference(one: Rgb, other: Rgb, eyes: str = "every colour") -> float:
    """The difference between two colours for some eyes (CIE 1976); 2 is just seen side by side, 12 across a table."""
    return math.dist(lab(one, eyes), lab(other, eyes))
